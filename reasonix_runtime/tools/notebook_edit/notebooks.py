"""Jupyter notebooks as text: one cell changes, everything else keeps its bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.notebook_edit.json_spans import Span, elements, members, skip, value_at

_CODE_ONLY = ("execution_count", "outputs")
_TEXT_ONLY = ("attachments",)
_CELL_IDS_SINCE = (4, 5)
"""The notebook format from which on every cell has an id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notebook:
    """A parsed notebook: its text, its cells, and the span of the array that holds them."""

    path: str
    text: str
    cells: tuple[Span, ...]
    array: Span
    format: tuple[int, int]

    def replace(self, index: int, *, source: str | None, cell_type: str | None) -> str:
        """Return the text with another source or type in one cell; None leaves either as it is."""
        cell = self.cells[index]
        raw = {
            key: self.text[at.start : at.end] for key, at in members(self.text, cell.start).items()
        }
        layout = self._layout(cell)
        if source is not None:
            raw["source"] = layout.source(source)
        kind = cell_type or cell.value.get("cell_type")
        if cell_type is not None:
            raw["cell_type"] = json.dumps(cell_type)
        if kind == "code":
            raw = {key: value for key, value in raw.items() if key not in _TEXT_ONLY}
            if source is not None or cell_type is not None:
                raw |= {"execution_count": "null", "outputs": "[]"}
        else:
            raw = {key: value for key, value in raw.items() if key not in _CODE_ONLY}
        ordered = _in_order(raw, list(cell.value))
        return self.text[: cell.start] + layout.cell(ordered) + self.text[cell.end :]

    def insert(self, after: int, *, source: str, cell_type: str) -> str:
        """Return the text with a new cell behind the one at `after`, -1 puts it first."""
        layout = self._layout(self.cells[max(after, 0)] if self.cells else None)
        raw = {
            "cell_type": json.dumps(cell_type),
            "metadata": "{}",
            "source": layout.source(source),
        }
        if cell_type == "code":
            raw |= {"execution_count": "null", "outputs": "[]"}
        if self.format >= _CELL_IDS_SINCE:
            raw["id"] = json.dumps(self._fresh_id(source))
        new = layout.cell(dict(sorted(raw.items())))
        if not self.cells:
            inner, outer = layout.outer, layout.outer_end
            array = f"[{inner}{new}{outer}]"
            return self.text[: self.array.start] + array + self.text[self.array.end :]
        gap = self.text[self.array.start + 1 : self.cells[0].start]
        if after < 0:
            at = self.cells[0].start
            return f"{self.text[:at]}{new},{gap}{self.text[at:]}"
        at = self.cells[after].end
        return f"{self.text[:at]},{gap}{new}{self.text[at:]}"

    def delete(self, index: int) -> str:
        """Return the text without one cell."""
        cell = self.cells[index]
        if len(self.cells) == 1:
            return f"{self.text[: self.array.start]}[]{self.text[self.array.end :]}"
        if index == 0:
            return self.text[: cell.start] + self.text[self.cells[1].start :]
        return self.text[: self.cells[index - 1].end] + self.text[cell.end :]

    def _fresh_id(self, source: str) -> str:
        """Return an id that no cell has; the same notebook and source give the same one."""
        taken = [cell.value.get("id") for cell in self.cells]
        digest = hashlib.sha256(f"{len(self.cells)}\0{source}".encode()).hexdigest()
        while digest[:8] in taken:
            digest = hashlib.sha256(digest.encode()).hexdigest()
        return digest[:8]

    def _layout(self, cell: Span | None) -> Layout:
        """Read the layout from a cell, or for a notebook without cells from its top level."""
        ascii_only = self.text.isascii() and "\\u" in self.text
        top = _gap(self.text, skip(self.text, 0))
        if cell is None:
            step = top.rpartition("\n")[2]
            return Layout(top + step, top, top + step * 2, step, ascii_only=ascii_only)
        inner = _gap(self.text, cell.start)
        outer = self.text[: cell.start].rpartition("\n")[2]
        own = top[: top.find("\n") + 1] + outer if "\n" in inner and not outer.strip() else ""
        step = inner.rpartition("\n")[2][len(outer) :] if own else ""
        return Layout(own, top, inner, step, ascii_only=ascii_only)


@dataclass(frozen=True, slots=True)
class Layout:
    """How a notebook is laid out: what stands before a cell, a member, an element.

    Each is a line end with the indentation behind it, or nothing for a file on one line.
    """

    outer: str
    outer_end: str
    inner: str
    step: str
    ascii_only: bool

    def source(self, text: str) -> str:
        """Return a source as JSON: a list of lines, each with its line feed."""
        lines = text.split("\n")
        parts = [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
        if not parts:
            return "[]"
        texts = [json.dumps(part, ensure_ascii=self.ascii_only) for part in parts]
        if not self.inner:
            return f"[{', '.join(texts)}]"
        before = self.inner + self.step
        return f"[{before}{f',{before}'.join(texts)}{self.inner}]"

    def cell(self, raw: Mapping[str, str]) -> str:
        """Return a cell with these members, whose values are JSON already."""
        texts = [f"{json.dumps(key)}: {value}" for key, value in raw.items()]
        if not self.inner:
            return f"{{{', '.join(texts)}}}"
        return f"{{{self.inner}{f',{self.inner}'.join(texts)}{self.outer}}}"


def parse(text: str, path: str) -> Notebook:
    """Read a notebook; raises ToolError for what is none."""
    try:
        start = skip(text, 0)
        whole = value_at(text, start)
        if skip(text, whole.end) != len(text):
            raise ToolError(f"{path}: not valid notebook JSON: text behind the end")
    except (ValueError, RecursionError) as error:
        raise ToolError(f"{path}: not valid notebook JSON: {error}") from error
    if not isinstance(whole.value, dict) or not isinstance(whole.value.get("cells"), list):
        raise ToolError(f'{path}: no "cells" array; notebooks before format 4 are not edited')
    if not all(isinstance(cell, dict) for cell in whole.value["cells"]):
        raise ToolError(f"{path}: cells is not an array of objects")
    array = members(text, start)["cells"]
    return Notebook(
        path=path,
        text=text,
        cells=tuple(elements(text, array.start)),
        array=array,
        format=_format(whole.value),
    )


def _format(notebook: Mapping[str, Any]) -> tuple[int, int]:
    numbers = (notebook.get("nbformat"), notebook.get("nbformat_minor"))
    major, minor = (number if isinstance(number, int) else 0 for number in numbers)
    return major, minor


def _gap(text: str, at: int) -> str:
    """Return the white space behind the bracket at `at`, if it holds a line end."""
    gap = text[at + 1 : skip(text, at + 1)]
    return gap if "\n" in gap else ""


def _in_order(raw: Mapping[str, str], before: list[str]) -> dict[str, str]:
    """Return the members in their old order; new ones go where a sorted cell has them."""
    if before == sorted(before):
        return dict(sorted(raw.items()))
    return dict(raw)
