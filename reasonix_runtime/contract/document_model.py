"""What a contract document says, as records; every part knows the line it stands on.

They are named tuples: every contract run defines them, and those are the cheapest.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_NONE: Mapping[str, str] = MappingProxyType({})


class Row(NamedTuple):
    """One tool in the document's table.

    `read_only` is None if the row does not tell it readably, `description` if the table has no such
    column. `description` is unescaped, `cell` is its cell as written, `raw` the whole line without
    its line end. `extra` holds the columns that the contract does not know, by their header.
    """

    name: str
    read_only: bool | None
    description: str | None
    cell: str
    raw: str
    line: int
    standard: bool = True
    """The row has exactly the columns name, flag and description, in this order."""
    extra: Mapping[str, str] = _NONE


class Heading(NamedTuple):
    """A heading: its level (1 to 6) and its text as written."""

    level: int
    text: str
    line: int


class SurfaceClaim(NamedTuple):
    """A list of tool names that the document gives under a heading, in the document's order.

    `id` is the surface's id if the document marks it (`<!-- surface: core -->`), else None.
    """

    id: str | None
    heading: str
    names: tuple[str, ...]
    line: int


class FingerprintClaim(NamedTuple):
    """The fingerprint that the document gives for the schema of a tool."""

    name: str
    value: str
    line: int


class SchemaClaim(NamedTuple):
    """The schema that the document writes out for a tool: the text of a fenced block."""

    name: str
    text: str
    line: int


class Problem(NamedTuple):
    """Something in the document that cannot be read, with its place; both count from 1."""

    line: int
    column: int
    code: str
    message: str

    def at(self, source: str) -> str:
        """Return the problem as one line, starting with where it is."""
        return f"{source}:{self.line}:{self.column}: {self.message}"


class Document(NamedTuple):
    """A contract document as it was read.

    `source` is the name it is called by in messages. Nothing that was written is lost: what could
    not be read as a row is in `problems`. `blocks` are the hand-written parts by their name.
    """

    source: str
    rows: tuple[Row, ...] = ()
    headings: tuple[Heading, ...] = ()
    surfaces: tuple[SurfaceClaim, ...] = ()
    fingerprints: tuple[FingerprintClaim, ...] = ()
    schemas: tuple[SchemaClaim, ...] = ()
    blocks: Mapping[str, str] = _NONE
    problems: tuple[Problem, ...] = ()
    table: int | None = None
    """The line under the header of the first table of tools with the usual columns, if any."""
    fingerprint_table: int | None = None
    """That of the first table of tools and their fingerprints alone, if any."""

    def row(self, name: str) -> Row | None:
        """Return the first row of a tool, or None."""
        return next((row for row in self.rows if row.name == name), None)

    def surface(self, key: str) -> SurfaceClaim | None:
        """Return the list of names of a surface, by its id or by its heading, or None."""
        wanted = key.casefold()
        return next((s for s in self.surfaces if wanted in (s.id, s.heading.casefold())), None)
