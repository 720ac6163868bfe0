"""What is put off while a neutral trace is read changes nothing of what is told."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutations import KINDS

from reasonix_conformance.readers.building import argument_pool
from reasonix_conformance.readers.building.argument_pool import ArgumentPool
from reasonix_conformance.readers.building.late_results import LateResult, shows
from reasonix_conformance.readers.files.lines import LineTooLongError, read_blocks
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.neutral import read
from reasonix_runtime.trace.events import (
    Assistant,
    Event,
    SharedArguments,
    ToolCall,
    ToolResult,
    has_text,
)

TEXTS = (
    *("", " ", "\n", "\t\r\n ", "\u00a0", "\u2003", "\x1f", " " * 5000),
    *("x", " x", "\n\n x", "\u00a0x", "\u2192 x", " \u2192", "\U0001f600", "\u00e9", "\x00"),
    *("error: x", "error:", "blocked: x", "Error: x", " error: x", "errors", "an error: x"),
    *('"', "\\", "\\n", "<a>", "[1]", "5", "x" * 5000, " " * 5000 + "x"),
)


def result(text: object) -> dict[str, object]:
    return {"ev": "tool.result", "uid": "main#1", "outcome": "ok", "text": text}


# -- the text of a result


@given(st.text() | st.sampled_from(TEXTS), st.booleans())
def test_a_text_that_shows_says_something(text: str, ascii_only: bool) -> None:
    """The first bytes decide only where they can."""
    line = json.dumps(result(text), ensure_ascii=ascii_only).encode()
    late = msgspec.json.decode(line, type=LateResult)

    assert text == late.text
    if shows(late.json_text):
        plain = msgspec.json.decode(line, type=ToolResult)
        assert late.says_something is plain.says_something is has_text(text)
        assert late.reads_as_failure is plain.reads_as_failure


@pytest.mark.parametrize(
    "text", ["x", "    def f():", "\n\n\tx", "  1. x", '"""A module."""', "\\d"]
)
def test_most_texts_show(text: str) -> None:
    """What tools answer begins with letters or quotes, behind white space at most."""
    assert shows(json.dumps(text).encode())


@pytest.mark.parametrize("value", [None, 5, True, [], {}, ["x"], {"x": "y"}, -1.5])
def test_what_is_no_text_does_not_show(value: object) -> None:
    """A result with such a text is no record, and that is said of its line."""
    assert not shows(json.dumps(value).encode())


def test_a_late_result_is_changed_and_written_like_another() -> None:
    """The replay doubts outcomes; what it makes of a result keeps the text."""
    late = msgspec.json.decode(json.dumps(result("a\u00e9")).encode(), type=LateResult)

    doubted = msgspec.structs.replace(late, outcome="unknown")

    assert ("unknown", "a\u00e9") == (doubted.outcome, doubted.text)
    again = msgspec.json.decode(msgspec.json.encode(doubted), type=ToolResult)
    assert ToolResult(uid="main#1", outcome="unknown", text="a\u00e9") == again


# -- a whole trace, late and at once


def trace() -> bytes:
    """Return a trace with a call and a result for each text, written in both ways."""
    lines = [{"ev": "session", "sid": "s", "format": "neutral/1"}, {"ev": "turn.start", "turn": 1}]
    for number, text in enumerate(TEXTS, 1):
        uid = f"main#{number}"
        args = {"command": f"ls {number % 3}"}
        lines += [
            {"ev": "assistant", "turn": 1, "step": f"s{number}", "text": "on"},
            {"ev": "tool.call", "turn": 1, "uid": uid, "name": "bash", "args": args},
            {**result(text), "uid": uid},
        ]
    lines += [
        {"ev": "sub.start", "scope": "child", "parent_uid": "main#1"},
        {"ev": "diag", "code": "bad_args"},
        {"ev": "turn.end", "turn": 1, "status": "completed"},
    ]
    return b"".join(
        json.dumps(line, ensure_ascii=number % 2 == 0).encode() + b"\n"
        for number, line in enumerate(lines)
    )


def told(path: Path, *, talk: bool) -> list[Any]:
    """Return what a trace tells, whatever the classes that a reader has for it."""
    return list(map(plain, read(Recording(path=path, shown="t", talk=talk))))


def plain(event: Event) -> Any:
    if isinstance(event, ToolResult):
        assert event.says_something == has_text(event.text)
    kinds = (kind for kind in (ToolCall, ToolResult) if isinstance(event, kind))
    names = [name for name in event.__struct_fields__ if name != "src" or not _unplaced(event)]
    return next(kinds, type(event)), [getattr(event, name) for name in names]


def _unplaced(event: Event) -> bool:
    """Whether nobody asks where it stands but a timeline."""
    return isinstance(event, Assistant)


def test_results_of_all_texts_are_told_alike(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(trace())

    late = told(path, talk=False)

    assert told(path, talk=True) == late
    assert list(TEXTS) == [event.text for event in read_late(path) if isinstance(event, ToolResult)]
    assert any(isinstance(event, LateResult) for event in read_late(path))


def read_late(path: Path) -> Iterator[Event]:
    return read(Recording(path=path, shown="t", talk=False))


def test_damaged_traces_are_told_alike(tmp_path: Path) -> None:
    """Whatever is wrong with a line, it is said in the same words."""
    rng, whole = random.Random(11), trace()
    path = tmp_path / "t"
    for number in range(40 * len(KINDS)):
        kind = KINDS[number % len(KINDS)]
        path.write_bytes(kind(whole, rng))

        assert told(path, talk=True) == told(path, talk=False), f"{kind.__name__}, round {number}"


@pytest.mark.parametrize(
    ("line", "code", "words"),
    [
        (result(5), "bad_line", "Expected `str`, got `int` - at `$.text`"),
        (result(None), "bad_line", "Expected `str`, got `null` - at `$.text`"),
        ({"ev": "tool.result", "text": 5, "outcome": "fine"}, "bad_line", "got `int`"),
        ({**result("x"), "uid": "main#9"}, "orphan_result", "no call is open"),
        ({**result("x"), "outcome": "fine"}, "bad_line", "Invalid enum value"),
    ],
)
def test_what_is_wrong_with_a_result_is_said(
    line: object, code: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "t"
    call = {"ev": "tool.call", "uid": "main#1", "name": "bash", "args": {}}
    path.write_text(json.dumps(call) + "\n" + json.dumps(line) + "\n")

    (*_, last) = read_late(path)

    assert code == getattr(last, "code", "")
    assert words in getattr(last, "text", "")


def test_a_second_result_of_a_call_is_an_orphan(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(b"\n".join(trace().splitlines()[3:5] + trace().splitlines()[4:5]) + b"\n")

    assert "orphan_result" == getattr(list(read_late(path))[-1], "code", "")


def test_a_damaged_archive_of_a_neutral_trace_is_told(tmp_path: Path) -> None:
    """What is missing may be what speaks against a turn."""
    path = tmp_path / "t"
    packed = gzip.compress(trace() * 50)
    path.write_bytes(packed[: len(packed) // 2])

    (*_, last) = read_late(path)

    assert "truncated_tail" == getattr(last, "code", "")
    assert "the compressed data ends too early" in getattr(last, "text", "")


# -- lines


def blocks(data: bytes, cap: int) -> list[bytes]:
    found = read_blocks(BufferedReader(BytesIO(data)), "t", cap=cap)
    return [line for lines in found for line in lines]


@given(st.lists(st.integers(0, 100_000), max_size=4), st.booleans(), st.booleans())
def test_lines_are_whole_wherever_a_block_ends(sizes: list[int], mark: bool, torn: bool) -> None:
    lines = [b"x" * size + b"\n" for size in sizes] + [b"torn"] * torn
    data = b"\xef\xbb\xbf" * mark + b"".join(lines)

    assert lines == blocks(data, cap=300_000)


@pytest.mark.parametrize("cap", [3, 4, 10, 65_535, 65_536, 65_537, 100_000])
@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_the_cap_holds_for_a_line_with_its_end(cap: int, end: bytes, mark: bytes) -> None:
    first = b"x" * (cap - len(end)) + end

    assert [first] == blocks(mark + first, cap)
    with pytest.raises(LineTooLongError, match=r"t:2: "):
        blocks(b"\n" + b"x" + first, cap)


def test_lines_before_one_that_is_too_long_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t"
    path.write_bytes(trace() + b"x" * 7000 + b"\n")
    seen: list[Event] = []

    with pytest.raises(LineTooLongError):
        seen.extend(read(Recording(path=path, shown="t", cap=6000)))
    assert len(trace().splitlines()) == len(seen)


# -- arguments that calls share


def test_arguments_are_shared_from_the_second_call_on() -> None:
    """What is met once is not kept; what repeats is one object, and of one tool."""
    pool = ArgumentPool()

    first, second, third = (pool.arguments("bash", b'{"command":"ls"}') for _ in range(3))

    assert {"command": "ls"} == first == second
    assert first is not second
    assert second is third
    assert second is not pool.arguments("sh", b'{"command":"ls"}')


LONG = json.dumps({"a": "x" * argument_pool.LONGEST})


@pytest.mark.parametrize("text", ["[1]", "5", "null", LONG])
def test_other_values_and_long_ones_are_not_shared(text: str) -> None:
    pool = ArgumentPool()
    found = [pool.arguments("bash", text) for _ in range(3)]

    assert [json.loads(text)] * 3 == found
    assert not any(isinstance(value, SharedArguments) for value in found)


def test_a_full_pool_forgets_and_learns_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(argument_pool, "MOST", 40)
    monkeypatch.setattr(argument_pool, "MOST_MET", 3)
    pool = ArgumentPool()

    kept = [pool.arguments("bash", '{"n":1}') for _ in range(2)][1]
    for number in range(10):
        for _ in range(2):
            assert {"n": 10 + number} == pool.arguments("bash", f'{{"n":{10 + number}}}')

    assert sum(map(len, pool._known.values())) <= 5
    assert len(pool._met) <= 3
    again = [pool.arguments("bash", '{"n":1}') for _ in range(3)]
    assert [kept] * 3 == again
    assert again[1] is again[2]
    assert again[2] is not kept


def test_what_comes_after_the_end_of_a_sub_agent_is_a_loss(tmp_path: Path) -> None:
    """Its receipts have reached its parent; later calls, results and ends are said, not judged."""
    parent = {"ev": "tool.call", "uid": "main#1", "name": "task", "args": {}}
    late = {"ev": "tool.call", "uid": "sub1#1", "name": "bash", "args": {}}
    end = {"ev": "sub.end", "scope": "sub1", "parent_uid": "main#1"}
    lines = [
        parent,
        {"ev": "sub.start", "scope": "sub1", "parent_uid": "main#1"},
        late,
        end,
        {**result("x"), "uid": "sub1#1"},
        {**late, "uid": "sub1#2"},
        end,
        {**end, "scope": "main"},
        result("x"),
    ]
    path = tmp_path / "t"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))

    codes = [getattr(event, "code", "") for event in read_late(path)]

    assert ["orphan_result", "missing_child", "missing_child", "missing_child", ""] == codes[-5:]
