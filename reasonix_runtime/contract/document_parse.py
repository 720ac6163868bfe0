"""Reading a contract document: any TOOL_CONTRACT.md of the family, whoever wrote it.

Reading never fails and never loses a line: what cannot be understood becomes a problem with its
line and column, and what can is read all the same.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from reasonix_runtime.contract.document_blocks import LINE_END, Block, blocks, split_cells
from reasonix_runtime.contract.document_model import (
    Document,
    FingerprintClaim,
    Heading,
    Problem,
    Row,
    SchemaClaim,
    SurfaceClaim,
)
from reasonix_runtime.contract.document_parts import find_parts
from reasonix_runtime.contract.document_tables import (
    NAME,
    UNKNOWN,
    Columns,
    columns_of,
    columns_of_row,
    flag,
    holds_fingerprints,
    is_code_name,
    plain,
)
from reasonix_runtime.errors import DocumentError
from reasonix_runtime.excerpts import odd_byte
from reasonix_runtime.whole_files import read_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reasonix_runtime.contract.document_blocks import TableLine

SURFACE_MARK = re.compile(r"<!--\s*surface:\s*([\w-]+)\s*-->\s*$")

_SURFACE_WORDS = (
    "surface",
    "工具面",
    "可见面",
    "启动面",
    "表面",
    "サーフェス",
    "oberfläche",
    "superficie",
    "поверхност",
)
_ORPHAN = re.compile(r"\|[ \t]*`[^`|]+`[ \t]*\|")
_HEX = re.compile(r"[0-9a-f]{16}(?:[0-9a-f]{48})?")
_LISTED = re.compile(r"`([A-Za-z0-9_.:/-]+)`")
_SEPARATORS = " \t,;、，；·|"
_CONNECTORS = frozenset(("", "and", "or", "und", "et", "y", "e", "и", "和", "与", "及", "以及"))
"""What may stand between two names of one list, without the separators round it."""

_FINGERPRINT_ITEM = re.compile(r"`([A-Za-z0-9_.-]+)`\W+([0-9a-f]{16,64})\b")


def load(path: str | Path) -> Document:
    """Return the document in a file.

    Raises `DocumentError` if the file is missing, cannot be read or is not UTF-8.
    """
    try:
        data = read_whole(Path(path))
    except OSError as error:
        reason = error.strerror or error
        raise DocumentError(f"{path}: cannot read the contract document ({reason})") from None
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        odd = odd_byte(error)
        raise DocumentError(
            f"{path}:{odd.line}: {odd.what}; save the contract document as UTF-8"
        ) from None
    return parse(text, source=str(path))


def parse(text: str, source: str = "TOOL_CONTRACT.md") -> Document:
    """Return what a contract document says; `source` is what messages call it. Never raises."""
    lines = LINE_END.split(text.removeprefix("\ufeff"))
    reader = _Reader(lines)
    for block in blocks(lines):
        reader.block(block)
    return reader.document(source)


class _Reader:
    """Collects what the blocks of a document say."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.rows: list[Row] = []
        self.headings: list[Heading] = []
        self.surfaces: list[SurfaceClaim] = []
        self.fingerprints: list[FingerprintClaim] = []
        self.schemas: list[SchemaClaim] = []
        self.problems: list[Problem] = []
        self.tool_tables = 0
        self.table: int | None = None
        self.fingerprint_table: int | None = None
        self.surface_id: str | None = None
        self.prose: list[Block] = []
        """The lines of prose since the last heading or surface mark."""

    def document(self, source: str) -> Document:
        """Return the document that the blocks made, with its problems."""
        self._section_ends()
        if not self.tool_tables:
            self._problem(
                1,
                1,
                "table.missing",
                "no table of tools found; expected the header | Tool | Read-only | Description |",
            )
        parts, broken = find_parts(self.lines)
        return Document(
            source=source,
            rows=tuple(sorted(self.rows, key=lambda row: row.line)),
            headings=tuple(self.headings),
            surfaces=tuple(self.surfaces),
            fingerprints=tuple(self.fingerprints),
            schemas=tuple(self.schemas),
            blocks=MappingProxyType(parts),
            problems=tuple(
                sorted([*self.problems, *broken], key=lambda p: (p.line, p.column, p.code))
            ),
            table=self.table,
            fingerprint_table=self.fingerprint_table,
        )

    def block(self, block: Block) -> None:
        """Take the next block in."""
        if block.kind == "heading":
            self._section_ends()
            self.headings.append(Heading(level=block.level, text=block.text, line=block.line))
        elif block.kind == "table":
            self._table(block)
        elif block.kind == "fence":
            self._fence(block)
        elif block.kind == "html":
            self._html(block)
        else:
            self._prose(block)

    def _problem(self, line: int, column: int, code: str, message: str) -> None:
        self.problems.append(Problem(line=line, column=column, code=code, message=message))

    # tables

    def _table(self, block: Block) -> None:
        columns = columns_of(block.rows)
        if columns is None:
            self._other_table(block)
            return
        self.tool_tables += 1
        if columns.standard and self.table is None:
            self.table = block.line + 1
        if columns.flag is None:
            self._problem(block.line, 1, "table.no_flag", "the table has no read-only column")
        if columns.description is None:
            self._problem(
                block.line, 1, "table.no_description", "the table has no description column"
            )
        for row, below in zip_longest(block.rows[1:], block.rows[2:]):
            # Where no pipe closes it, only the row below tells whether it is all there.
            whole = row.closed or below is None or not _is_rest(below, columns)
            self._tool_row(row, columns, whole=whole)

    def _tool_row(self, row: TableLine, columns: Columns, *, whole: bool) -> None:
        cells, width = row.cells, len(columns.headers)
        if not _is_named(row, columns):
            self._problem(
                row.line,
                1,
                "row.no_name",
                "a row without a tool name; is it the rest of the row above?",
            )
            return
        name_cell = cells[columns.name]
        name = plain(name_cell.text)
        if len(cells) < width:
            self._problem(
                row.line,
                len(row.raw.rstrip()) + 1,
                "row.torn",
                f"the row of {name!r} has {len(cells)} of {width} cells; is there a line break "
                "in it, or in the row above?",
            )
            if _is_rest(row, columns):
                return
        table, columns = columns, columns_of_row(cells, columns)
        if columns is not table:
            name = plain(cells[columns.name].text)
            self._problem(
                row.line,
                name_cell.column,
                "row.swapped",
                f"name and flag of {name!r} have changed places",
            )
        if NAME.fullmatch(name) is None:
            spelt = "" if name.isascii() else f" ({name!a})"
            self._problem(
                row.line, name_cell.column, "row.name", f"{name!r}{spelt} is no tool name"
            )
            return
        self._keep(row, columns, name, whole=whole)

    def _keep(self, row: TableLine, columns: Columns, name: str, *, whole: bool) -> None:
        cells, width = row.cells, len(columns.headers)
        surplus = len(cells) > width
        if surplus:
            self._problem(
                row.line,
                cells[width].column,
                "row.surplus",
                f"the row of {name!r} has {len(cells)} cells instead of {width}; "
                "write a pipe inside a cell as \\|",
            )
        read_only = None
        if columns.flag is not None and len(cells) > columns.flag:
            cell = cells[columns.flag]
            read_only = flag(cell)
            if read_only is None and plain(cell.text) != UNKNOWN:
                self._problem(
                    row.line,
                    cell.column,
                    "row.flag",
                    f"read-only flag of {name!r} is {cell.text!r}; expected true or false",
                )
        description, written = self._description(row, columns)
        self.rows.append(
            Row(
                name=name,
                read_only=read_only,
                description=description,
                cell=written,
                raw=row.raw,
                line=row.line,
                standard=columns.standard and whole and not surplus and len(cells) == width,
                extra=MappingProxyType(
                    {
                        header: cells[position].text
                        for position, header in columns.others()
                        if len(cells) > position
                    }
                ),
            )
        )

    def _description(self, row: TableLine, columns: Columns) -> tuple[str | None, str]:
        """Return a row's description and its cell as written, what follows a bare pipe included."""
        position = columns.description
        if position is None or len(row.cells) <= position:
            return None, ""
        if position == len(columns.headers) - 1:
            rest = row.cells[position:]
            return " | ".join(c.text for c in rest), " \\| ".join(c.raw for c in rest)
        return row.cells[position].text, row.cells[position].raw

    def _other_table(self, block: Block) -> None:
        """Read a table that lists no tools: fingerprints, or the names of a surface."""
        if self.fingerprint_table is None and holds_fingerprints(block.rows[0]):
            self.fingerprint_table = block.line + 1
        for row in block.rows[1:]:
            named = [cell for cell in row.cells if is_code_name(cell)]
            values = [cell for cell in row.cells[1:] if _HEX.fullmatch(plain(cell.text))]
            if named and values and named[0] is row.cells[0]:
                claim = FingerprintClaim(
                    name=plain(named[0].text), value=plain(values[0].text), line=row.line
                )
                self.fingerprints.append(claim)
            elif named:
                self.prose.append(Block("item", row.line, f"`{plain(named[0].text)}`"))

    # fences, comments and prose

    def _fence(self, block: Block) -> None:
        if not block.closed:
            self._problem(block.line, 1, "fence.open", "this code block is never closed")
        last = self.headings[-1] if self.headings else None
        if last and block.info.split(" ")[0].lower() in ("json", "jsonc", ""):
            name = plain(last.text)
            if NAME.fullmatch(name) and block.text.lstrip().startswith(("{", "[")):
                self.schemas.append(SchemaClaim(name=name, text=block.text, line=block.line))

    def _html(self, block: Block) -> None:
        if not block.closed:
            self._problem(block.line, 1, "comment.open", "this comment is never closed")
        mark = SURFACE_MARK.match(block.text)
        if mark:
            self._section_ends()
            self.surface_id = mark[1]

    def _prose(self, block: Block) -> None:
        if _ORPHAN.match(block.text):
            self._orphan(block)
            return
        listed = _FINGERPRINT_ITEM.match(block.text) if block.kind == "item" else None
        if listed and _HEX.fullmatch(listed[2]):
            claim = FingerprintClaim(name=listed[1], value=listed[2], line=block.line)
            self.fingerprints.append(claim)
        self.prose.append(block)

    def _orphan(self, block: Block) -> None:
        """Read a row outside of any table, as a blank line or a lost header leaves it."""
        raw = self.lines[block.line - 1]
        cells, _ = split_cells(raw)
        if len(cells) < 2 or not is_code_name(cells[0]) or flag(cells[1]) is None:
            self.prose.append(block)
            return
        name = plain(cells[0].text)
        self._problem(
            block.line,
            cells[0].column,
            "row.outside",
            f"the row of {name!r} stands outside of a table; remove the blank line above it or "
            "give the table its header",
        )
        rest = cells[2:]
        self.rows.append(
            Row(
                name=name,
                read_only=flag(cells[1]),
                description=" | ".join(c.text for c in rest) if rest else None,
                cell=" \\| ".join(c.raw for c in rest),
                raw=raw,
                line=block.line,
                standard=False,
            )
        )

    # surfaces

    def _section_ends(self) -> None:
        """Look for a list of names in the section that ends here."""
        heading = self.headings[-1] if self.headings else None
        marked = self.surface_id
        if heading and (marked or _is_surface(heading.text)):
            names, line = _longest_list(self.prose)
            if names:
                self.surfaces.append(
                    SurfaceClaim(id=marked, heading=heading.text, names=names, line=line)
                )
        self.surface_id = None
        self.prose = []


def _is_named(row: TableLine, columns: Columns) -> bool:
    return len(row.cells) > columns.name and bool(plain(row.cells[columns.name].text))


def _is_rest(row: TableLine, columns: Columns) -> bool:
    """Whether a row is most likely the rest of the one above, not a tool of its own."""
    if not _is_named(row, columns):
        return True
    return len(row.cells) < len(columns.headers) and not is_code_name(row.cells[columns.name])


def _longest_list(prose: Iterable[Block]) -> tuple[tuple[str, ...], int]:
    """Return the longest run of code-marked names in lines of prose, and the line it begins on.

    Names belong to one run if only commas, `and` and the like stand between them, or if each of
    them begins an item of a list. A single name is no list.
    """
    runs: list[list[tuple[str, int]]] = [[]]
    for block in prose:
        for name in _names(block):
            if name is None:
                runs.append([])
            else:
                runs[-1].append((name, block.line))
    best = max(runs, key=len)
    if len(best) < 2:
        return (), 0
    return tuple(name for name, _ in best), best[0][1]


def _names(block: Block) -> Iterator[str | None]:
    """Yield the names of a line of prose, and None where a run of names is broken."""
    at = 0
    for match in _LISTED.finditer(block.text):
        if not _joins(block.text[at : match.start()]):
            if at and block.kind == "item":
                return  # what follows the names that begin an item explains them
            yield None
        yield match[1]
        at = match.end()
    if not at or (block.kind != "item" and not _joins(block.text[at:])):
        yield None


def _joins(between: str) -> bool:
    """Whether two names with this text between them belong to one list."""
    return between.strip(_SEPARATORS).lower() in _CONNECTORS


def _is_surface(heading: str) -> bool:
    folded = heading.casefold()
    return any(word in folded for word in _SURFACE_WORDS)
