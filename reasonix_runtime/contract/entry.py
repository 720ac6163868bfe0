"""Contract entries: what a host says about one tool, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from reasonix_runtime.contract.canonical import canonicalise, fingerprint, parse
from reasonix_runtime.errors import DuplicateToolError, SchemaError, UnknownToolError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reasonix_runtime.contract.document_model import Document, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractEntry:
    """One tool as a provider sees it.

    `read_only` is None where the source does not tell (a request's `tools` array, say): unknown is
    not false. `schema` holds canonical bytes, or the given bytes where they are no JSON.
    """

    name: str
    description: str
    read_only: bool | None
    schema: bytes

    @classmethod
    def of(
        cls,
        name: str,
        *,
        description: str,
        read_only: bool | None,
        schema: bytes | str | Mapping[str, Any],
    ) -> ContractEntry:
        """Return the entry of a tool: outer blanks of the description off, the schema canonical.

        Raises `SchemaError`, naming the tool, if a schema mapping holds no JSON data.
        """
        try:
            canonical = canonicalise(schema)
        except SchemaError as error:
            raise SchemaError(error.problem, tool=name) from None
        return cls(
            name=name, description=description.strip(), read_only=read_only, schema=canonical
        )

    @property
    def fingerprint(self) -> str:
        """The first 16 hex digits of the SHA-256 of the schema's bytes."""
        return fingerprint(self.schema)

    def parameters(self) -> Any:
        """Return the parsed schema, as a fresh value.

        Raises `SchemaError` if the schema is no JSON.
        """
        try:
            return parse(self.schema.decode())
        except (ValueError, RecursionError) as error:
            raise SchemaError(f"not JSON ({error})", tool=self.name) from None


class Contract:
    """The entries of a host, in their order, with unique names.

    Iterating gives entries; `contract["bash"]` gives one; `names` are in the contract's order.
    `rows` holds, for tools whose description was adopted from a document, the row as it stands
    there.
    """

    __slots__ = ("_by_name", "entries", "rows")

    def __init__(
        self, entries: Iterable[ContractEntry], *, rows: Mapping[str, Row] | None = None
    ) -> None:
        """Keep the entries; raises `DuplicateToolError` if two have the same name."""
        self.entries = tuple(entries)
        self.rows: Mapping[str, Row] = MappingProxyType(dict(rows or {}))
        self._by_name: dict[str, ContractEntry] = {}
        for entry in self.entries:
            if entry.name in self._by_name:
                raise DuplicateToolError(entry.name)
            self._by_name[entry.name] = entry

    @property
    def names(self) -> tuple[str, ...]:
        """The tool names, in the contract's order."""
        return tuple(self._by_name)

    def __iter__(self) -> Iterator[ContractEntry]:
        return iter(self.entries)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> ContractEntry:
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownToolError(name, self._by_name) from None

    def wire(self) -> Contract:
        """Return the same contract in the order a provider gets it: by name, bytewise."""
        ordered = sorted(self.entries, key=lambda entry: entry.name.encode())
        return Contract(ordered, rows=self.rows)

    def with_descriptions(self, document: Document) -> Contract:
        """Return this contract with the descriptions that a contract document gives.

        Rendering the result writes the row of every tool that both have exactly as the document
        has it. A tool that the document does not describe keeps its own description; of several
        rows of one tool the first one counts.
        """
        rows: dict[str, Row] = {}
        for row in document.rows:
            if row.description is not None and row.name in self:
                rows.setdefault(row.name, row)
        return Contract(
            (
                replace(entry, description=rows[entry.name].description or "")
                if entry.name in rows
                else entry
                for entry in self.entries
            ),
            rows=rows,
        )
