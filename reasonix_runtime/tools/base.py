"""What a tool declares about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reasonix_runtime.contract.entry import ContractEntry

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The contract of one tool: what a model is told, and what the host promises to keep.

    `read_only` is the flag that the host schedules and permits by. `description` is what a model
    reads; `description_zh` says the same to the readers of the Chinese document and is never sent.
    `arguments` is the JSON Schema of the arguments; it must not be changed.
    """

    name: str
    read_only: bool
    description: str
    description_zh: str
    arguments: Mapping[str, Any]

    def entry(self) -> ContractEntry:
        """Return the contract entry, as a provider gets it."""
        return ContractEntry.of(
            self.name,
            description=self.description,
            read_only=self.read_only,
            schema=self.arguments,
        )

    def description_in(self, language: str) -> str:
        """Return the description for the readers of a document in that language."""
        return self.description_zh if language == "zh-CN" else self.description
