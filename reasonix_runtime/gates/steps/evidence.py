"""The evidence of a sign-off: which generator of refusals looks at which kind (CS-07 to CS-13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from reasonix_runtime.gates.steps.claim import Item
from reasonix_runtime.gates.steps.inquiry import Inquiry
from reasonix_runtime.gates.steps.path_evidence import diff_refusals, files_refusals
from reasonix_runtime.gates.steps.review_evidence import review_refusals
from reasonix_runtime.gates.steps.verification_evidence import verification_refusals
from reasonix_runtime.gates.verdict import Refusal

_CHECKS: Final[Mapping[str, Callable[[Item, Inquiry], Iterator[Refusal]]]] = MappingProxyType(
    {
        "verification": verification_refusals,
        "diff": diff_refusals,
        "files": files_refusals,
        "review": review_refusals,
    }
)
"""What is manual only the model claims, so nothing is asked of it (CS-13)."""


def refusals(item: Item, inquiry: Inquiry) -> Iterator[Refusal]:
    """Return what speaks against one evidence item."""
    check = _CHECKS.get(item.kind)
    return iter(()) if check is None else check(item, inquiry)
