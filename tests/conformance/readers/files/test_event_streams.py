"""The values of a stream of server-sent events that was kept as text."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from reasonix_conformance.readers.files import json_values
from reasonix_conformance.readers.files.event_streams import values_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('data: {"a":\ndata: 1}\n\ndata: {"b": 2}\n\ndata: [DONE]\n\n', [{"a": 1}, {"b": 2}]),
        ('data: {"a":\r\ndata: 1}\r\n\r\ndata: {"b": 2}', [{"a": 1}, {"b": 2}]),
        ('event: x\ndata: {"a":\ndata: 1}\nevent: y\ndata: {"b": 2}', [{"a": 1}, {"b": 2}]),
        ('data: {"a": 1}\ndata: {"b": 2}\ndata: [DONE]', [{"a": 1}, {"b": 2}]),
        ('data: {"a":\ndata: 1}\n\ndata: {"b":\n', [{"a": 1}]),
        # A character of which each piece has a half.
        ('data: "\\ud83d"\n\ndata: "\\ude00"\n\n', [r"\ud83d", r"\ude00"]),
    ],
)
def test_a_value_is_what_stands_in_lines_in_a_row(text: str, expected: list[Any]) -> None:
    """The standard joins them by line breaks; where nothing parts the values, each has its line."""
    assert expected == list(values_in(text))


def test_a_value_of_many_lines_is_read_twice_at_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that was there was decoded anew at each line."""
    decode, lengths = msgspec.json.decode, list[int]()

    def counted(text: str) -> Any:
        lengths.append(len(text))
        return decode(text)

    monkeypatch.setattr(json_values.msgspec.json, "decode", counted)
    text = "data: [\n" + "data: 1,\n" * 1000

    assert [] == list(values_in(text))
    assert sum(lengths) < 2 * len(text)
