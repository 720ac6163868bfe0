"""The registry: every tool that a host can dispatch, in the order it was registered."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from reasonix_runtime.contract.entry import Contract
from reasonix_runtime.contract.surface import BUILT_IN, PROXY, REVIEW_REPORT, SESSION, boot_surfaces
from reasonix_runtime.errors import UnknownToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reasonix_runtime.contract.entry import ContractEntry
    from reasonix_runtime.tools.base import Declaration


class Registry:
    """Declarations by name; enumerated as registered, given to a provider by name.

    Registering a name again replaces its declaration and keeps its place. A schema is
    canonicalised once, when it is registered, so that every request carries the same bytes.
    """

    def __init__(self, declarations: Iterable[Declaration] = ()) -> None:
        """Register the declarations in the order given."""
        self._declarations: dict[str, Declaration] = {}
        self._entries: dict[str, ContractEntry] = {}
        for declaration in declarations:
            self.register(declaration)

    def register(self, declaration: Declaration) -> None:
        """Add a tool, or replace the one of that name in its place."""
        self._declarations[declaration.name] = declaration
        self._entries[declaration.name] = declaration.entry()

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of registration."""
        return tuple(self._declarations)

    def __iter__(self) -> Iterator[Declaration]:
        return iter(tuple(self._declarations.values()))

    def __len__(self) -> int:
        return len(self._declarations)

    def __contains__(self, name: object) -> bool:
        return name in self._declarations

    def __getitem__(self, name: str) -> Declaration:
        try:
            return self._declarations[name]
        except KeyError:
            raise UnknownToolError(name, self._declarations) from None

    def select(self, names: Iterable[str]) -> Registry:
        """Return a registry of these tools only, in the order given.

        Raises `UnknownToolError` for a name that is not registered.
        """
        return Registry(self[name] for name in names)

    def entries(self) -> tuple[ContractEntry, ...]:
        """Return the contract entries in wire order: by name, bytewise."""
        return self.contract().entries

    def surfaces(self) -> dict[str, tuple[str, ...]]:
        """Return the names of each boot surface in wire order, by the surface's id."""
        flagged = {declaration.name for declaration in self if declaration.read_only}
        return {s.id: s.names for s in boot_surfaces(self._declarations, read_only=flagged)}

    def contract(self, *, language: str = "en") -> Contract:
        """Return the entries as a contract in wire order.

        With another language than English the descriptions are those for the readers of a document
        in it; everything else stays the same.
        """
        if language == "en":
            return Contract(self._entries.values()).wire()
        return Contract(
            replace(entry, description=self._declarations[name].description_in(language))
            for name, entry in self._entries.items()
        ).wire()


@lru_cache(maxsize=1)
def all_declarations() -> tuple[Declaration, ...]:
    """Return the declaration of every tool of the contract, `review_report` included."""
    names = (*BUILT_IN, *SESSION, PROXY, REVIEW_REPORT)
    return tuple(import_module(f"reasonix_runtime.tools.{name}").DECLARATION for name in names)


def default_registry(*, review: bool = False) -> Registry:
    """Return the registry of a default boot: built-in tools, session tools and the proxy.

    With `review` it is that of a reviewing sub-agent's host, which has `review_report` as well.
    """
    return Registry(d for d in all_declarations() if review or d.name != REVIEW_REPORT)
