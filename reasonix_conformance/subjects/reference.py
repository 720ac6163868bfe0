"""The reference runtime as subject: every tool of the contract, and its boot surfaces."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from reasonix_runtime.tools.registry import default_registry

if TYPE_CHECKING:
    from reasonix_runtime.tools.registry import Registry


@cache
def registry() -> Registry:
    """Return the registry with every tool, `review_report` included.

    It is made once: subject and documents are about the same fifty declarations.
    """
    return default_registry(review=True)
