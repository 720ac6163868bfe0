"""Replacing text in a text: what matches, how often, and how the new text's lines end.

Exact text first, in exactly one place, overlapping places counted. Without an exact match, lines
are compared in the tolerant ways of `_MODES`; the text that is put in is never altered except
that its bare line feeds follow the line ends of the place where it goes.
"""

from __future__ import annotations

import bisect
import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reasonix_runtime.excerpts import clipped, common_start
from reasonix_runtime.tools.errors import NotFoundError, NotUniqueError, ToolError

MOST_LINES_SHOWN = 5
"""How many places of a text a message names by their lines."""
_MOST_COUNTED = 10_000
"""Places that are counted: of overlapping ones a file can hold as many as it has characters."""

_SHORTEST_PREFIX = 3
_NUMBERED = re.compile(r"^ *\d+→")
_QUOTED = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One replacement that is asked for."""

    old: str
    new: str
    replace_all: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """One replacement that was made: the first text removed, what stands there now, how often."""

    removed: str
    added: str
    count: int
    tolerant: bool = False


@dataclass(frozen=True, slots=True)
class _Span:
    """A place in a text, and the tolerance that found it."""

    start: int
    end: int


def apply(text: str, edit: Edit, *, path: str, tolerant: bool = True) -> tuple[str, Applied]:
    """Return the text after one replacement, and what was replaced.

    Raises NotFoundError and NotUniqueError, naming `path`; the empty text to replace is refused.
    """
    if not edit.old:
        raise ToolError("old_string is required")
    spans, fuzzy = _find(text, edit, tolerant=tolerant)
    if not spans:
        raise NotFoundError(_not_found(text, edit.old, path))
    if len(spans) > 1 and not edit.replace_all:
        raise NotUniqueError(_not_unique(text, spans, path))
    spans = list(_with_whole_ends(text, spans))
    pieces: list[str] = []
    fitted = _LineEnds(text)
    at = 0
    for span in spans:
        pieces += [text[at : span.start], fitted.to(edit.new, span)]
        at = span.end
    first = spans[0]
    applied = Applied(
        removed=text[first.start : first.end],
        added=pieces[1],
        count=len(spans),
        tolerant=fuzzy,
    )
    return "".join(pieces) + text[at:], applied


def _find(text: str, edit: Edit, *, tolerant: bool) -> tuple[list[_Span], bool]:
    """Return the places, and whether tolerance was needed.

    For `replace_all` those that a reader takes from left to right; otherwise overlapping ones too,
    at most `_MOST_COUNTED`: their number then only tells that there is more than one.
    """
    spans = _exact(text, edit.old, apart=edit.replace_all)
    if not spans and "\r\n" in text:
        spans = _exact(text, _to_crlf(edit.old), apart=edit.replace_all)
    if spans or not tolerant:
        return spans, False
    for fold, strip_numbers in _MODES:
        spans = _windows(text, edit.old, fold, strip_numbers=strip_numbers)
        if spans:
            return list(_disjoint(spans)) if edit.replace_all else spans, True
    return [], False


def _exact(text: str, old: str, *, apart: bool) -> list[_Span]:
    spans: list[_Span] = []
    at = text.find(old)
    while at >= 0 and (apart or len(spans) < _MOST_COUNTED):
        spans.append(_Span(at, at + len(old)))
        at = text.find(old, at + (len(old) if apart else 1))
    return spans


def _disjoint(spans: Sequence[_Span]) -> Iterator[_Span]:
    """Keep from overlapping places those that a reader takes from left to right."""
    end = 0
    for span in spans:
        if span.start >= end:
            yield span
            end = span.end


def _with_whole_ends(text: str, spans: Sequence[_Span]) -> Iterator[_Span]:
    """Take in the CR in front of a place that begins with the LF of a CRLF.

    A line feed in the text to replace stands for a line end; half of one must not stay behind.
    """
    end = 0
    for span in spans:
        start = span.start
        if start > end and text[start] == "\n" and text[start - 1] == "\r":
            start -= 1
        yield _Span(start, span.end)
        end = span.end


def _trailing(line: str) -> str:
    return line.rstrip(" \t\r")


def _tabs(line: str) -> str:
    return line.replace("\t", "    ").rstrip(" \r")


_MODES: tuple[tuple[Callable[[str], str], bool], ...] = (
    (_trailing, False),
    (_tabs, False),
    (_trailing, True),
    (_tabs, True),
)
"""How two lines may differ, in the order tried: a fold, and whether copied numbers are removed."""


def _windows(
    text: str, old: str, fold: Callable[[str], str], *, strip_numbers: bool
) -> list[_Span]:
    """Return the runs of whole lines that equal the lines of `old` after folding.

    A last line of `old` without a line end must equal a whole line, whose own end is kept.
    """
    wanted = old.split("\n")
    ends = not wanted[-1]
    if ends:
        wanted.pop()
    if strip_numbers:
        if not all(_NUMBERED.match(line) for line in wanted):
            return []
        wanted = [_NUMBERED.sub("", line) for line in wanted]
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    # What `split` leaves behind the final line feed is no line.
    have = [fold(line) for line in lines[: len(lines) - (lines[-1] == "")]]
    spans = []
    for first in _runs(have, [fold(line) for line in wanted]):
        last = first + len(wanted) - 1
        if ends and last == len(lines) - 1:
            continue
        end = starts[last + 1] if ends else starts[last] + len(lines[last].removesuffix("\r"))
        spans.append(_Span(starts[first], end))
    return spans


def _runs(lines: Sequence[str], wanted: Sequence[str]) -> Iterator[int]:
    """Yield where `wanted` stands among `lines`, overlapping places too, in linear time."""
    whole = "".join(f"\n{line}" for line in lines) + "\n"
    begins = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
    part = "".join(f"\n{line}" for line in wanted) + "\n"
    at = whole.find(part)
    while at >= 0:
        yield bisect.bisect_left(begins, at)
        at = whole.find(part, at + 1)


def _to_crlf(text: str) -> str:
    """Return the text with every line end as CRLF."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n")


class _LineEnds:
    """The line ends of a text, for places that are asked about from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = text.rfind("\n")
        self._next = 0

    def to(self, new: str, span: _Span) -> str:
        """Return the new text with the line ends of the place where it goes.

        The lines replaced tell which; if none of their ends is replaced, the line that holds the
        place does, and for the last line the one before it.
        """
        if "\n" not in new:
            return new
        where = self._text.find("\n", span.start, span.end)
        if where < 0:
            where = self._behind(span.end)
        return _to_crlf(new) if where > 0 and self._text[where - 1] == "\r" else new

    def _behind(self, at: int) -> int:
        """Return the first line feed from `at` on, else the last one of the text."""
        if at > self._last:
            return self._last
        if self._next < at:
            self._next = self._text.find("\n", at)
        return self._next


def _not_unique(text: str, spans: Sequence[_Span], path: str) -> str:
    # Only the lines that are shown are counted: a file may hold the text in a million places.
    numbers = [str(text.count("\n", 0, span.start) + 1) for span in spans[:MOST_LINES_SHOWN]]
    lines = ", ".join(dict.fromkeys(numbers))
    more = ", ..." if len(spans) > MOST_LINES_SHOWN else ""
    count = str(len(spans)) if len(spans) < _MOST_COUNTED else f"{_MOST_COUNTED} or more"
    return (
        f"old_string is not unique in {path} ({count} matches) at line {lines}{more}; "
        "take in more neighbouring lines"
    )


def _not_found(text: str, old: str, path: str) -> str:
    hint = ""
    if _normal(old) in _normal(text):
        hint = " (there is a text that differs only in Unicode normalisation)"
    elif near := _nearest_line(text, old):
        hint = f' (nearest line {near[0]}: "{near[1]}")'
    advice = "read the file again and copy the text exactly"
    if "\r\n" in text:
        advice += "; its lines end in CRLF, which need not be copied"
    return f"old_string not found in {path}{hint}; {advice}"


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _nearest_line(text: str, old: str) -> tuple[int, str] | None:
    """Return the line, with its number, that begins most like the first line of `old`."""
    wanted = _bare(next((line for line in old.split("\n") if line.strip()), ""))
    best: tuple[int, int, str] | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        length = common_start(_bare(line), wanted)
        if length >= _SHORTEST_PREFIX and (best is None or length > best[0]):
            best = (length, number, line.rstrip("\r"))
    if best is None:
        return None
    return best[1], clipped(best[2], _QUOTED)


def _bare(line: str) -> bytes:
    return line.expandtabs(4).strip().encode("utf-8", "surrogatepass")
