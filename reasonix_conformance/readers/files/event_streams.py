"""Streams of server-sent events whose values go over several lines.

A value is what stands behind `data:`; of several such lines in a row it is all of them, joined by
line breaks. Streams with a value a line need none of this: `lines.py` takes the field off.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from reasonix_conformance.readers.files.json_values import NOT_JSON, decoded, is_json

_DATA = "data"
_BEGUN = re.compile(rb"^data:[ \t]*([\[{][^\n]*)\n(?=data:)", re.MULTILINE)
"""A line of a value that another line of a value follows."""
_MOST_LOOKED_AT = 64
_IS_STREAM = re.compile(rb"\s*(?:data|event|id|retry)?:")
_FIELD = re.compile(
    rb"^(?:data:(?:[ \t]*\[DONE\][ \t\r]*$)?|(?:event|id|retry)?:[^\n]*)", re.MULTILINE
)


def without_fields(data: bytes) -> bytes | None:
    """Return the values of a stream on the lines on which they stand.

    None where it is no such stream, or no value goes over several lines.
    """
    if _IS_STREAM.match(data) is None:
        return None
    begun = islice(_BEGUN.finditer(data), _MOST_LOOKED_AT)
    if all(is_json(line[1]) for line in begun):
        return None
    return _FIELD.sub(b"", data)


def values_in(text: str) -> Iterator[Any]:
    """Yield the values of a stream that was kept as text; one that was cut is left out."""
    lines: list[str] = []
    for line in (*text.split("\n"), ""):
        field, _, value = line.partition(":")
        if field == _DATA:
            lines.append(value)
        else:
            yield from _values_on(lines)
            lines = []


def _values_on(lines: list[str]) -> list[Any]:
    """Return the one value that lines in a row are; or of a stream without breaks, one a line."""
    return _decoded(["\n".join(lines)]) or _decoded(lines)


def _decoded(texts: list[str]) -> list[Any]:
    values = []
    for text in texts:
        try:
            values.append(decoded(text))
        except NOT_JSON:
            continue  # the mark of the end, or a part of a value that was cut
    return values
