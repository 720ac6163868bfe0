"""Which table of a document lists tools, and which of its columns says what.

Documents of the family come in several languages and with columns of their own, so a column is
known by its header word or, failing that, by what stands in it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reasonix_runtime.contract.document_blocks import Cell, TableLine

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]*")
"""What may be the name of a tool, the odd ones that providers refuse included."""

# It begins where a row of marks does, and nobody writes longer ones: tried from every mark and with
# every length, a row that nothing closes takes time that grows with its square.
_CODE = re.compile(r"(?<!`)(`{1,16})[ ]?(.+?)[ ]?\1(?!`)")
_LINK = re.compile(r"\[([^\[\]]{0,1000})\]\([^)]{0,1000}\)")


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.split(","))


_TOOL_WORDS = _words(
    "tool, tools, tool name, 工具, 工具名, 工具名称, 工具名稱, ツール, ツール名, 도구, werkzeug, "
    "outil, herramienta, ferramenta, strumento, инструмент, narzędzie, araç"
)
_FLAG_WORDS = _words(
    "read-only, read only, readonly, read_only, ro, 只读, 只讀, 唯讀, 読み取り専用, 읽기 전용, "
    "nur lesen, nur lesend, schreibgeschützt, lecture seule, solo lectura, somente leitura, "
    "sola lettura, только чтение, tylko do odczytu, salt okunur"
)
_DESCRIPTION_WORDS = _words(
    "description, desc, summary, purpose, 说明, 描述, 說明, 用途, 説明, 설명, beschreibung, "
    "descripción, descrição, descrizione, описание, opis, açıklama"
)
_FINGERPRINT_WORDS = _words("fingerprint, fingerprints, 指纹, 指紋")
_OTHER_WORDS = _words(
    "parameter, param, argument, property, field, required, optional, type, default, option, key, "
    "参数, 字段, 必填, 必需, 类型, 默认值"
)
"""Headers of tables about something else, often with names and flags in them as well."""

_TRUE = _words(
    "true, yes, y, ✓, ✔, ✔️, ✅, ☑, read-only, read only, readonly, ro, 是, 真, 只读, ja, oui, sí, "
    "si, sim, да, はい, 예, tak, evet"
)
_FALSE = _words(
    "false, no, n, ✗, ✘, ❌, ✖, ☐, read-write, read/write, rw, write, writer, writes, 否, 假, "
    "读写, 可写, nein, non, não, нет, いいえ, 아니요, 아니오, nie, hayır"
)

UNKNOWN = "unknown"
"""What a flag cell says where the host does not tell its flag."""


def plain(text: str) -> str:
    """Return the text of a cell without code marks, emphasis and link targets."""
    text = _LINK.sub(r"\1", text)
    code = _CODE.search(text)
    return (code[2] if code else text.strip("*_ ")).strip()


def holds_fingerprints(header: TableLine) -> bool:
    """Whether a table is made for tools and their fingerprints alone, by its header."""
    words = [plain(cell.text).casefold() for cell in header.cells]
    return len(words) == 2 and words[0] in _TOOL_WORDS and words[1] in _FINGERPRINT_WORDS


def is_code_name(cell: Cell) -> bool:
    """Whether a cell holds just one tool-like name, marked as code."""
    return "`" in cell.text and NAME.fullmatch(plain(cell.text)) is not None


def flag(cell: Cell) -> bool | None:
    """Return what a flag cell says, or None if it cannot be read as yes or no."""
    word = plain(cell.text).casefold()
    return True if word in _TRUE else False if word in _FALSE else None


class Columns(NamedTuple):
    """The positions of the columns of a tool table; a missing one is None."""

    name: int
    flag: int | None
    description: int | None
    headers: tuple[str, ...]

    @property
    def standard(self) -> bool:
        """The table has exactly the columns of the contract, in their order."""
        return (self.name, self.flag, self.description, len(self.headers)) == (0, 1, 2, 3)

    def others(self) -> Iterator[tuple[int, str]]:
        """Yield position and header of the columns that the contract does not know."""
        known = {self.name, self.flag, self.description}
        for position, header in enumerate(self.headers):
            if position not in known:
                yield position, header


def columns_of_row(cells: Sequence[Cell], columns: Columns) -> Columns:
    """Return the columns of a row: those of its table, or with name and flag in changed places."""
    if columns.flag is None or len(cells) <= max(columns.name, columns.flag):
        return columns
    name, told = cells[columns.name], cells[columns.flag]
    if flag(name) is None or flag(told) is not None or not is_code_name(told):
        return columns
    return columns._replace(name=columns.flag, flag=columns.name)


def columns_of(rows: Sequence[TableLine]) -> Columns | None:
    """Return the columns of a table that lists tools, or None if it lists something else.

    `rows` are the header and the body. A table lists tools if it has a name and a flag column, or
    if its header says that it has tools and descriptions.
    """
    header, body = rows[0], rows[1:]
    words = [plain(cell.text).casefold() for cell in header.cells]
    name = _name_column(words, body)
    if name is None:
        return None
    flags = _flag_column(words, body, taken=name)
    described = _described_column(words, taken=(name, flags))
    if flags is None and not (words[name] in _TOOL_WORDS and described is not None):
        return None
    if described is None:
        free = [p for p in range(len(words)) if p not in (name, flags)]
        unknown = [p for p in free if words[p] not in _OTHER_WORDS]
        described = unknown[-1] if unknown else None
    return Columns(name, flags, described, tuple(plain(cell.text) for cell in header.cells))


def _name_column(words: Sequence[str], body: Sequence[TableLine]) -> int | None:
    for position, word in enumerate(words):
        if word in _TOOL_WORDS:
            return position
    if words[0] in _OTHER_WORDS or words[0] in _FLAG_WORDS or not body:
        return None
    named = sum(bool(row.cells) and is_code_name(row.cells[0]) for row in body)
    return 0 if named * 2 > len(body) else None


def _flag_column(words: Sequence[str], body: Sequence[TableLine], *, taken: int) -> int | None:
    for position, word in enumerate(words):
        if word in _FLAG_WORDS and position != taken:
            return position
    for position, word in enumerate(words):
        if position == taken or word in _OTHER_WORDS or word in _DESCRIPTION_WORDS:
            continue
        cells = [row.cells[position] for row in body if len(row.cells) > position]
        if cells and all(flag(cell) is not None for cell in cells):
            return position
    return None


def _described_column(words: Sequence[str], *, taken: tuple[int | None, ...]) -> int | None:
    for position, word in enumerate(words):
        if word in _DESCRIPTION_WORDS and position not in taken:
            return position
    return None
