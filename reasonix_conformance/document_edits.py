"""Lines of a document replaced by those of another one, and every other line left as it is.

A document that somebody wrote by hand is changed cell by cell: its indentation, its line ends and
what it says in words of its own stay.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import TYPE_CHECKING

from reasonix_runtime.contract.document_blocks import LINE_END, split_cells
from reasonix_runtime.contract.document_parse import parse

if TYPE_CHECKING:
    from reasonix_runtime.contract.document import Document, Row

BOM = "\ufeff"
COLUMNS = 3
"""Cells of a row of the usual table: name, flag and description."""


def accept(
    present: str,
    fresh: str,
    *,
    tools: Iterable[str],
    surfaces: Iterable[str] = (),
    untold: Container[str] = (),
    own_words: bool = False,
) -> str:
    """Return a document in which only what concerns some tools and surfaces is as in `fresh`.

    Rows and fingerprints of these tools are replaced, added in their place, or removed; the lists
    of these surfaces are replaced. Every other line stays as it is, its end included; so does the
    fingerprint of an `untold` tool, whose schema nobody knows. With `own_words` the descriptions of
    rows that are there stay as well, as those of a translation.
    """
    edits = _Edits(present, fresh, own_words=own_words)
    for name in sorted(tools):
        edits.row(name)
        if name not in untold:
            edits.fingerprint(name)
    for id_ in surfaces:
        edits.surface(id_)
    return edits.text()


class _Edits:
    """What the lines of a document become, by their numbers."""

    def __init__(self, present: str, fresh: str, *, own_words: bool) -> None:
        self.mark = BOM if present.startswith(BOM) else ""
        present = present.removeprefix(BOM)
        self.old, self.new = parse(present, "before"), parse(fresh, "after")
        self.lines, self.new_lines = LINE_END.split(present), LINE_END.split(fresh)
        self.ends = [*LINE_END.findall(present), ""]
        self.own_words = own_words
        self.edits: dict[int, list[str]] = {}

    def text(self) -> str:
        """Return the document with all edits."""
        usual = self.ends[0] or "\n"
        kept: list[str] = []
        for number, (line, end) in enumerate(zip(self.lines, self.ends, strict=True), 1):
            edited = self.edits.get(number, [line])
            # A line that is put behind the last one, which has no end, needs one in front of it.
            kept += [one + (end or usual) for one in edited[:-1]]
            kept += [one + end for one in edited[-1:]]
        return self.mark + "".join(kept)

    def row(self, name: str) -> None:
        """Replace, remove or add the row of a tool; a row of other columns is its author's."""
        rows = [row for row in self.old.rows if row.name == name]
        new = self.new.row(name)
        if new is None:
            for row in rows:
                self.edits[row.line] = []
        elif not rows:
            self._add(name, new.line, _lines_of_rows(self.old))
        elif rows[0].standard:
            self.edits[rows[0].line] = [_changed(rows[0], new, own_words=self.own_words)]

    def fingerprint(self, name: str) -> None:
        """Replace, remove or add the fingerprint of a tool."""
        old, new = (
            {claim.name: claim.line for claim in reversed(document.fingerprints)}
            for document in (self.old, self.new)
        )
        if name in old:
            self.edits[old[name]] = [self.new_lines[new[name] - 1]] if name in new else []
        elif name in new:
            empty = self.old.fingerprint_table
            # As with the tools, the rows of an empty table stand under its head.
            self._add(name, new[name], old if old or empty is None else {"": empty})

    def surface(self, id_: str) -> None:
        """Replace the list of a surface that the document marks."""
        lines = [
            next((claim.line for claim in document.surfaces if claim.id == id_), None)
            for document in (self.old, self.new)
        ]
        if lines[0] is not None and lines[1] is not None:
            self.edits[lines[0]] = [self.new_lines[lines[1] - 1]]

    def _add(self, name: str, new_line: int, old: dict[str, int]) -> None:
        """Put a new line behind that of the name before it, indented as that is."""
        if not old:
            return
        before = [known for known in old if known < name]
        # A name that sorts before every other stands right under the delimiter row.
        line = old[max(before)] if before else min(old.values()) - 1
        beside = self.lines[line - 1]
        indentation = beside[: len(beside) - len(beside.lstrip(" \t"))]
        self.edits.setdefault(line, [beside]).append(indentation + self.new_lines[new_line - 1])


def _lines_of_rows(document: Document) -> dict[str, int]:
    """Return the line of each row of the usual columns by its name, the first one counts."""
    found = {row.name: row.line for row in reversed(document.rows) if row.standard}
    if not document.rows and document.table is not None:
        # The rows of an empty table stand under its head; the empty name sorts before every other.
        found[""] = document.table
    return found


def _changed(old: Row, new: Row, *, own_words: bool) -> str:
    """Return the line of a row in which the cells that tell something else are replaced."""
    line = old.raw
    cells, written = split_cells(line)[0], split_cells(new.raw)[0]
    told_anew = (False, old.read_only is not new.read_only, old.description != new.description)
    for position in range(COLUMNS - 1, 0, -1):
        if not told_anew[position] or (own_words and position == COLUMNS - 1):
            continue
        cell, text = cells[position], written[position].raw
        begin = cell.column - 1
        blank = "" if cell.raw else " "
        line = f"{line[:begin]}{blank}{text}{blank}{line[begin + len(cell.raw) :]}"
    return line
