"""JSON text as a `ValueFile`: strict JSON, keys given twice refused, lines kept.

The standard parser tells no positions and lets the last of two equal keys win, so this one walks
the tokens itself. It is for files that people write; recordings are read line by line elsewhere.
"""

from __future__ import annotations

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # not in the stubs
from typing import Any

from reasonix_runtime.trace.value_file import ValueFile, ValueFileError, whole
from reasonix_runtime.trace.yaml12 import MAX_DEPTH, decode

_SPACE = re.compile(r"[ \t\n\r]*").match
_SCALAR = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null", re.A).match


def load(data: bytes, source: str) -> ValueFile:
    """Return the JSON value of `data` (UTF-8, with or without a byte order mark).

    Raises:
        ValueFileError: with the line, for everything that is not one strict JSON value.
    """
    text = decode(data, source)
    return whole(_Reader(text, source).document(), text)


class _Reader:
    """Walks the text once; `at` is the position of the next token."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.at = 0
        self.lines: dict[int, list[int]] = {}
        self._counted = 0
        self._line = 1

    def document(self) -> ValueFile:
        """Return the one value of the text with the lines of its members.

        Raises ValueFileError, with the line: for an empty text, more than one value, and whatever
        is not strict JSON.
        """
        self._skip()
        if self.at == len(self.text):
            raise ValueFileError(self.source, None, "the file is empty")
        first = self._line_here()
        value = self._value(0)
        self._skip()
        if self.at != len(self.text):
            raise self._error("more text after the value")
        return ValueFile(value, self.source, first, self.lines)

    def _value(self, depth: int) -> Any:
        char = self.text[self.at : self.at + 1]
        if char == "{":
            return self._mapping(depth)
        if char == "[":
            return self._list(depth)
        if char == '"':
            return self._string()
        match = _SCALAR(self.text, self.at)
        if match is None:
            raise self._error("a JSON value is expected here")
        try:
            value = json.loads(match[0])
        except ValueError:  # more digits than Python converts
            raise self._error(f"the number {match[0][:17]}... is too long") from None
        if value in (float("inf"), float("-inf")):
            raise self._error(f"the number {match[0][:17]} is too large")
        self.at = match.end()
        return value

    def _mapping(self, depth: int) -> dict[str, Any]:
        value: dict[str, Any] = {}
        marks = self._open(value, depth)
        while not self._closed("}", first=not value):
            line = self._line_here()
            if self.text[self.at : self.at + 1] != '"':
                raise self._error("a key in double quotes is expected here")
            key = self._string()
            if key in value:
                raise ValueFileError(self.source, line, f"{key}: this key is given twice")
            self._skip()
            if self.text[self.at : self.at + 1] != ":":
                raise self._error("a colon is expected here")
            self.at += 1
            self._skip()
            marks.append(line)
            value[key] = self._value(depth + 1)
        return value

    def _list(self, depth: int) -> list[Any]:
        value: list[Any] = []
        marks = self._open(value, depth)
        while not self._closed("]", first=not value):
            marks.append(self._line_here())
            value.append(self._value(depth + 1))
        return value

    def _open(self, value: Any, depth: int) -> list[int]:
        if depth >= MAX_DEPTH:
            raise self._error(f"nested deeper than {MAX_DEPTH} levels")
        self.at += 1
        marks: list[int] = []
        self.lines[id(value)] = marks
        return marks

    def _closed(self, end: str, *, first: bool) -> bool:
        """Take the comma or the closing bracket; True for the bracket."""
        self._skip()
        char = self.text[self.at : self.at + 1]
        if char == end:
            self.at += 1
            return True
        if not first:
            if char != ",":
                raise self._error(f"a comma or {end} is expected here")
            self.at += 1
            self._skip()
        return False

    def _string(self) -> str:
        try:
            value, self.at = scanstring(self.text, self.at + 1, True)
        except json.JSONDecodeError as error:
            self.at = error.pos
            raise self._error(error.msg) from None
        return str(value)

    def _skip(self) -> None:
        match = _SPACE(self.text, self.at)
        self.at = match.end() if match else self.at

    def _line_here(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def _error(self, what: str) -> ValueFileError:
        line = self.text.count("\n", 0, self.at) + 1
        return ValueFileError(self.source, line, what)
