"""The lines of a trace: where one ends, what is no record, and what was cut."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest
from chat_records import CHAT
from read_records import codes, read_text
from trace_samples import SAMPLES, Sample, lines

from reasonix_conformance.readers.files.lines import LineTooLongError, bare
from reasonix_conformance.readers.files.recording import Recording
from reasonix_runtime.trace.events import Diag, TurnEnd, TurnStart, User


@pytest.mark.parametrize(
    "sample",
    [sample for sample in SAMPLES if sample.format_name != "inspect"],
    ids=lambda sample: sample.format_name,
)
def test_a_compressed_trace_whose_end_is_missing_says_so(sample: Sample, tmp_path: Path) -> None:
    """Nobody knows what stood there; a log of Inspect is one value, whole or broken."""
    stream = read_text(tmp_path, gzip.compress(sample.text.encode())[:-6])

    assert "truncated_tail" in codes(stream)


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """U+2028 and its kin stand inside strings of real recordings."""
    text = lines(CHAT, {"role": "assistant", "content": "x"}).replace("x", "a\u2028b\u0085c\u2029")

    stream = read_text(tmp_path, text)

    assert ["turn_inferred"] == codes(stream)
    assert "a\u2028b\u0085c\u2029" in [getattr(event, "text", "") for event in stream]


def test_a_torn_last_line_is_a_note_and_a_bad_middle_line_another(tmp_path: Path) -> None:
    """One bad line must not make a file vanish, and only the end may be torn."""
    good = lines(CHAT, {"role": "assistant", "content": "x"})

    torn = read_text(tmp_path, good + '{"role": "assistant", "cont')
    bad = read_text(tmp_path, lines(CHAT) + '{"role": broken}\n' + good)

    assert ["truncated_tail", "turn_inferred"] == codes(torn)
    assert ["bad_line", "turn_inferred"] == codes(bad)
    assert ["trace:2"] == [e.where for e in bad if isinstance(e, Diag) and e.code == "bad_line"]
    assert 2 == sum(isinstance(event, TurnStart) for event in bad)


@pytest.mark.parametrize(
    "line",
    [
        b'{"role": "assistant", "content": NaN}\n',
        b'{"role": "assistant", "content": "\xff"}\n',
        b'{"role": "assistant", "content": ' + b"[" * 100_000 + b"}\n",
        b'{"role": "assistant", "content": "a\nb"}\n',
        b"plain words\n",
        b'{"role": "assistant", "tool_calls": 3}\n',
    ],
    ids=["nan", "utf8", "deep", "raw-newline", "banner", "shape"],
)
def test_a_line_that_is_no_record_is_said_and_the_rest_is_read(line: bytes, tmp_path: Path) -> None:
    """Hosts, captures and disks all leave such lines behind."""
    stream = read_text(tmp_path, lines(CHAT).encode() + line + lines(CHAT).encode())

    assert "bad_line" in codes(stream)
    assert 2 == sum(isinstance(event, User) for event in stream)


def test_half_of_a_surrogate_pair_is_kept_as_its_escape(tmp_path: Path) -> None:
    """A result that was cut between the halves of an emoji is still a result."""
    text = '{"role": "user", "content": "go"}\n{"role": "assistant", "content": "x \\ud83d"}\n'

    stream = read_text(tmp_path, text)

    assert r"x \ud83d" in [getattr(event, "text", "") for event in stream]


@pytest.mark.parametrize("form", ["a line", "laid out", "an array"])
def test_a_file_whose_every_record_has_half_of_a_pair_is_read(form: str, tmp_path: Path) -> None:
    """No record told the format, so that it was taken for one damaged document."""
    records = [{"role": "user", "content": "go \ud83d"}, {"role": "assistant", "content": "\udc9f"}]
    indent = None if form == "a line" else 2
    parts = [json.dumps(record, indent=indent) for record in records]
    text = f"[{','.join(parts)}]" if form == "an array" else "\n".join(parts)

    stream = read_text(tmp_path, text)

    assert ["turn_inferred"] == codes(stream)
    assert [r"go \ud83d"] == [event.text for event in stream if isinstance(event, User)]


def test_a_file_that_becomes_shorter_while_it_is_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut between two lines nothing in it looks torn."""
    path = tmp_path / "run.jsonl"
    line = lines({"role": "user", "content": "x" * 9_000})
    path.write_text(line * 400)
    recording = Recording(path=path)
    blocks = recording.blocks()
    next(blocks)

    os.truncate(path, len(line) * 200)

    assert 400 > sum(len(block) for block in blocks)
    assert "the file became shorter while it was read" == recording.damage


@pytest.mark.parametrize("end", ["\x1b[0m", "\x1b[?25h\x1b[K\r", " \t"])
def test_codes_of_a_terminal_behind_the_last_line_are_no_torn_end(end: str, tmp_path: Path) -> None:
    """A capture ends with what sets the terminal back; nothing of the run is lost."""
    stream = read_text(tmp_path, lines(CHAT, {"role": "assistant", "content": "x"}) + end)

    assert ["completed"] == [event.status for event in stream if isinstance(event, TurnEnd)]
    assert ["turn_inferred"] == codes(stream)


def test_colours_and_direction_marks_before_a_record_are_taken_off(tmp_path: Path) -> None:
    """Captured output has them."""
    text = "\x1b[32m" + lines(CHAT) + "< " + lines({"role": "assistant", "content": "x"})

    assert ["turn_inferred"] == codes(read_text(tmp_path, text))


def test_a_line_over_the_cap_is_an_error_that_names_it(tmp_path: Path) -> None:
    """Memory must not be decided by whoever wrote the file."""
    text = lines(CHAT) + lines({"role": "user", "content": "x" * 5000})

    with pytest.raises(LineTooLongError, match=r"trace:2: the line is longer than the cap"):
        read_text(tmp_path, text, cap=1000)


def test_a_compressed_file_that_is_cut_is_read_up_to_there(tmp_path: Path) -> None:
    """A partial download still holds what it holds."""
    text = lines(CHAT, *[{"role": "assistant", "content": f"{n} " * 50} for n in range(2000)])
    packed = gzip.compress(text.encode())

    stream = read_text(tmp_path, packed[: len(packed) // 2])

    assert "truncated_tail" in codes(stream)
    assert any(isinstance(event, User) for event in stream)


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (b'{"a":1}\x1b[0m\n', b'{"a":1}\n'),
        (b'{"a":1}\x1b[0m', b'{"a":1}'),
        (b'{"a":"\x1b[1mx"}\n', b'{"a":"\x1b[1mx"}\n'),
        (b'{"a":1}\n', b'{"a":1}\n'),
    ],
)
def test_what_colours_the_end_of_a_line_is_no_part_of_its_record(
    line: bytes, record: bytes
) -> None:
    """Captured output has it; a text of the record that holds such a mark stays whole."""
    assert record == bare(line)
