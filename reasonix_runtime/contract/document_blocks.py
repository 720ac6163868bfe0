"""The structure of a Markdown text: headings, tables, fences, comments and lines of prose.

A scanner over lines, because a contract run reads a document of hundreds of rows and should not pay
for a Markdown library; the tests hold it against markdown-it-py. It knows what decides whether a
line with pipes is a table row: lists, fences, indented code, quotes, comments and HTML blocks.
Its records are named tuples, which are the cheapest to define and to make.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

LINE_END = re.compile(r"\r\n|\n|\r")

_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|$)(.*)")
_CLOSING_HASHES = re.compile(r"(?:^|(?<![ \t])[ \t]+)#+[ \t]*$")
_FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_RULE = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*$")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)")
_DELIMITERS = re.compile(r"[-:|][-:|][-:| \t]*$|[:|][ \t][-:| \t]*$")
_DELIMITER = re.compile(r":?-+:?$")

_PIPE = re.compile(r"(?<!\\)\|")
"""A pipe that separates cells: one that does not stand right after a backslash."""

_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)(?=[\s/>]|$)")
_TEXT_TAGS = frozenset(("pre", "script", "style", "textarea"))
"""Tags whose content is text; an HTML block that one of them begins ends with its closing tag."""

_BLOCK_TAG_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details "
    "dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hr html iframe legend li link main menu menuitem nav noframes ol optgroup option "
    "p param search section summary table tbody td tfoot th thead title tr track ul"
)
_BLOCK_TAGS = frozenset(_BLOCK_TAG_NAMES.split())
"""Tags that begin an HTML block which ends at a blank line."""

_HTML_ENDS = (
    (re.compile(r"<!--"), ("-->",)),
    (re.compile(r"<\?"), ("?>",)),
    (re.compile(r"<!\[CDATA\["), ("]]>",)),
    (re.compile(r"<![A-Z]"), (">",)),
)
"""How other HTML blocks begin, and what ends them; they may run over blank lines."""

_TEXT_ENDS = tuple(f"</{tag}>" for tag in sorted(_TEXT_TAGS))


class Cell(NamedTuple):
    """A table cell: its text with pipes unescaped, as written, and its column in the line."""

    text: str
    raw: str
    column: int


class TableLine(NamedTuple):
    """A row of a table, the header included; `closed` if it ends in a pipe as it should."""

    line: int
    raw: str
    cells: tuple[Cell, ...]
    closed: bool


class Block(NamedTuple):
    """A block of the document, its first line, and what is in it.

    `kind` is heading, table, fence, html, item (prose that begins a list item) or text (any other
    line of prose). `level` is a heading's level; `text` its text, the fence's content or the line;
    `info` what stands after the opening fence; `rows` a table's header and body.
    """

    kind: str
    line: int
    text: str = ""
    level: int = 0
    info: str = ""
    rows: tuple[TableLine, ...] = ()
    closed: bool = True


def split_cells(line: str) -> tuple[tuple[Cell, ...], bool]:
    r"""Return the cells of a table line and whether it ends in an unescaped pipe.

    A pipe right after a backslash belongs to its cell, and that backslash does not: the exact
    reverse of how a description is written into a cell.
    """
    begin = len(line) - len(line.lstrip(" \t"))
    end = len(line.rstrip(" \t"))
    bounds = [match.start() for match in _PIPE.finditer(line, begin, end)]
    closed = bool(bounds) and bounds[-1] == end - 1
    edges = [begin - 1, *bounds, end]
    cells = [_cell(line, left + 1, right) for left, right in pairwise(edges)]
    if cells and not line[begin : edges[1]].strip():
        cells = cells[1:]
    if cells and closed:
        cells = cells[:-1]
    return tuple(cells), closed


def _cell(line: str, begin: int, end: int) -> Cell:
    raw = line[begin:end]
    stripped = raw.strip(" \t")
    column = begin + (len(raw) - len(raw.lstrip(" \t")) if stripped else 0) + 1
    return Cell(text=stripped.replace("\\|", "|"), raw=stripped, column=column)


def blocks(lines: list[str]) -> list[Block]:
    """Return the blocks of a document's lines, in order; lines count from 1."""
    return _Scanner(lines).scan()


class _Scanner:
    """Walks over the lines once.

    Each method that reads a block gets the index of its first line and that line's text without
    indentation; it returns the index to go on with, or 0 if no such block begins there.
    """

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.found: list[Block] = []
        self.containers: list[int] = []
        """The content columns of the open list items."""
        self.paragraph = 0
        """The number of the line that the open paragraph began with, or 0."""

    def scan(self) -> list[Block]:
        """Return the blocks of the lines, in their order."""
        index = 0
        while index < len(self.lines):
            line = _expanded(self.lines[index])
            if line.strip(" "):
                index = self._lazy(index, line) or self._block(index, line)
            else:
                self.paragraph = 0
                index += 1
        return self.found

    def _lazy(self, index: int, line: str) -> int:
        """Leave the list items that a line is not inside of, unless it goes on with their text.

        Text that follows the text of a list item without a blank line belongs to it, however little
        it is indented; it can be no table and no underline.
        """
        indent = _indent(line)
        depth = sum(content <= indent for content in self.containers)
        if depth == len(self.containers):
            return 0
        outer = self.containers[depth - 1] if depth else 0
        text = line[indent:]
        if self.paragraph and (indent - outer >= 4 or not _interrupts(text)):
            self.found.append(Block("text", index + 1, text.rstrip()))
            return index + 1
        del self.containers[depth:]
        self.paragraph = 0
        return 0

    @property
    def base(self) -> int:
        """The column that the content of the innermost open list item begins at."""
        return self.containers[-1] if self.containers else 0

    def _block(self, index: int, line: str) -> int:
        """Read the block at a line that is not blank; return the index to go on with."""
        kind = "text"
        while True:
            indent = _indent(line)
            text = line[indent:]
            if indent - self.base >= 4:
                break
            for read in (self._quote, self._fence, self._heading, self._rule, self._html):
                after = read(index, text, indent)
                if after:
                    self.paragraph = 0
                    return after
            inner = self._item(index, line, indent)
            if inner is None:
                after = self._table(index, text)
                if after:
                    self.paragraph = 0
                    return after
                break
            if not inner.strip():
                return index + 1
            line, kind = inner, "item"
        if self.paragraph or indent - self.base < 4:
            self.found.append(Block(kind, index + 1, text.rstrip()))
            self.paragraph = self.paragraph or index + 1
        return index + 1

    def _inside(self, index: int) -> str | None:
        """Return the expanded line if it still belongs to the open list item, else None."""
        if index >= len(self.lines):
            return None
        line = _expanded(self.lines[index])
        return line if not line.strip() or _indent(line) >= self.base else None

    def _quote(self, index: int, text: str, indent: int) -> int:
        """Skip a quotation, with the lines that go on with its text unmarked."""
        if not text.startswith(">"):
            return 0
        after, open_text = index, False
        while after < len(self.lines):
            line = self.lines[after].strip()
            if line.startswith(">"):
                said = line.lstrip("> ")
                open_text = bool(said) and not _interrupts(said)
            elif not line or not open_text or _interrupts(line):
                break
            after += 1
        return after

    def _fence(self, index: int, text: str, indent: int) -> int:
        opening = _FENCE.match(text)
        if not opening:
            return 0
        mark = opening[1] or opening[3]
        closing = re.compile(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*$")
        content: list[str] = []
        after, closed = index + 1, False
        while not closed and (line := self._inside(after)) is not None:
            after += 1
            closed = closing.match(line[self.base :]) is not None
            if not closed:
                content.append(line[min(indent, _indent(line)) :])
        info = (opening[2] or opening[4] or "").strip()
        self.found.append(Block("fence", index + 1, "\n".join(content), info=info, closed=closed))
        return after

    def _heading(self, index: int, text: str, indent: int) -> int:
        match = _HEADING.match(text)
        if match:
            title = _CLOSING_HASHES.sub("", match[2].rstrip()).strip()
            self.found.append(Block("heading", index + 1, title, level=len(match[1])))
            return index + 1
        if self.paragraph and _UNDERLINE.match(text):
            lines = index + 1 - self.paragraph
            above = [block.text for block in self.found[-lines:]]
            del self.found[-lines:]
            level = 1 if text[0] == "=" else 2
            self.found.append(Block("heading", self.paragraph, "\n".join(above), level=level))
            return index + 1
        return 0

    def _rule(self, index: int, text: str, indent: int) -> int:
        return index + 1 if _RULE.match(text) else 0

    def _html(self, index: int, text: str, indent: int) -> int:
        endings = _html_endings(text)
        if endings is None:
            return 0
        content = [text]
        after = index + 1
        closed = _ends(text, endings)
        while not closed and (line := self._inside(after)) is not None:
            if not endings and not line.strip():
                break
            content.append(line)
            after += 1
            closed = _ends(line, endings)
        whole = closed or not endings
        self.found.append(Block("html", index + 1, "\n".join(content), closed=whole))
        return after

    def _item(self, index: int, line: str, indent: int) -> str | None:
        """Open a list item; return the rest of its first line in place, None if it is no item."""
        match = _ITEM.match(line, indent)
        if not match:
            return None
        rest = _expanded(line[match.end() :], match.end())
        if self.paragraph and (not rest.strip() or (match[1] and int(match[1]) != 1)):
            return None  # such an item cannot follow its text without a blank line
        blanks = _indent(rest)
        content = match.end() + (blanks if blanks <= 4 and rest.strip() else 1)
        following = self.lines[index + 1] if index + 1 < len(self.lines) else ""
        if rest.strip() or following.strip():
            self.containers.append(content)  # an item that begins with a blank line stays empty
        self.paragraph = 0
        return " " * match.end() + rest

    def _table(self, index: int, text: str) -> int:
        if "|" not in text:
            return 0
        header, _ = split_cells(text)
        if not header or not self._delimited(index + 1, len(header)):
            return 0
        rows = [self._row(index, text)]
        after = index + 2
        while (line := self._inside(after)) is not None and line.strip():
            indent = _indent(line)
            if indent - self.base >= 4 or _interrupts(line[indent:]):
                break
            rows.append(self._row(after, line[indent:]))
            after += 1
        self.found.append(Block("table", index + 1, rows=tuple(rows)))
        return after

    def _delimited(self, index: int, columns: int) -> bool:
        """Whether the line at index is the delimiter row of a table with so many columns."""
        line = self._inside(index)
        if line is None or _indent(line) - self.base >= 4:
            return False
        text = line.strip()
        if not _DELIMITERS.match(text):
            return False
        parts = [part.strip() for part in text.split("|")]
        last = len(parts) - 1
        inner = [part for position, part in enumerate(parts) if part or position not in (0, last)]
        return len(inner) == columns and all(_DELIMITER.match(part) for part in inner)

    def _row(self, index: int, text: str) -> TableLine:
        """Return the row at index; `text` is its line from where the table begins."""
        raw = self.lines[index]
        cells, closed = split_cells(text)
        shift = len(raw.rstrip()) - len(text.rstrip())
        moved = tuple(Cell(cell.text, cell.raw, cell.column + shift) for cell in cells)
        return TableLine(index + 1, raw, moved, closed)


def _interrupts(text: str) -> bool:
    """Whether a line ends the table or the text above it by beginning another block."""
    return bool(
        text.startswith(">")
        or _FENCE.match(text)
        or _HEADING.match(text)
        or _RULE.match(text)
        or _ITEM.match(text)
        or _html_endings(text) is not None
    )


def _html_endings(text: str) -> tuple[str, ...] | None:
    """Return what ends the HTML block that a line begins; nothing if a blank line does.

    None if the line begins no such block.
    """
    if not text.startswith("<"):
        return None
    tag = _TAG.match(text)
    if tag:
        name = tag[1].lower()
        if name in _TEXT_TAGS and text[1] != "/":
            return _TEXT_ENDS
        return () if name in _BLOCK_TAGS else None
    return next((ends for begin, ends in _HTML_ENDS if begin.match(text)), None)


def _ends(line: str, endings: tuple[str, ...]) -> bool:
    return bool(endings) and any(ending in line.lower() for ending in endings)


def _expanded(line: str, column: int = 0) -> str:
    """Return the line with its leading tabs as blanks, up to multiples of four columns.

    `column` is where the line begins, if it is the rest of one.
    """
    if "\t" not in line:
        return line
    body = line.lstrip(" \t")
    return (" " * column + line[: len(line) - len(body)]).expandtabs(4)[column:] + body


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
