"""The reference runtime as subject: every tool of the contract, and its boot surfaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.tools.registry import default_registry

if TYPE_CHECKING:
    from reasonix_runtime.contract.entry import ContractEntry


class Reference:
    """The registry of the reference runtime, in the form that subjects have."""

    def entries(self) -> tuple[ContractEntry, ...]:
        """Return the entry of every tool, `review_report` included, in wire order."""
        return default_registry(review=True).entries()

    def surfaces(self) -> dict[str, tuple[str, ...]]:
        """Return the names of each boot surface in wire order, by its id."""
        return default_registry(review=True).surfaces()


registry = Reference
