"""A trace whose records do not stand one a line says the same, and where each of them begins."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from read_records import read_text
from trace_samples import SAMPLES, Sample

from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.laid_out import one_a_line
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.format_facts import A_RECORD_A_LINE
from reasonix_runtime.trace.events import Diag, Event


def records_of(sample: Sample) -> list[Any]:
    """Return the records of a sample, none of one that is a document."""
    found = [line.lstrip("<> ") for line in sample.text.splitlines() if line.strip()]
    try:
        return [json.loads(line) for line in found]
    except ValueError:
        return []


ROWS = [sample for sample in SAMPLES if len(records_of(sample)) > 1]
LINES_ONLY = [sample for sample in ROWS if sample.format_name in A_RECORD_A_LINE]


def told(stream: list[Event]) -> list[Any]:
    """Return what is told of events, but for where they stand."""
    return [
        {field: getattr(event, field) for field in event.__struct_fields__ if field != "src"}
        if not isinstance(event, Diag)
        else event.code
        for event in stream
    ]


def indent(records: list[Any], width: int = 2) -> str:
    return "".join(f"{json.dumps(record, indent=width)}\n" for record in records)


@pytest.mark.parametrize("sample", ROWS, ids=lambda sample: sample.format_name)
def test_records_that_are_laid_out_over_several_lines_are_the_same(
    sample: Sample, tmp_path: Path
) -> None:
    """`jq .` makes a trace fit for the eye; it was taken for one of another format."""
    records = records_of(sample)
    plain = read_text(tmp_path, "".join(f"{json.dumps(record)}\n" for record in records))

    assert told(plain) == told(read_text(tmp_path, indent(records)))


@pytest.mark.parametrize("sample", ROWS, ids=lambda sample: sample.format_name)
def test_records_in_a_stream_of_events_are_the_same(sample: Sample, tmp_path: Path) -> None:
    """Who records what a server sends keeps the fields around them, too."""
    records = [json.dumps(record) for record in records_of(sample)]
    plain = read_text(tmp_path, "".join(f"{record}\n" for record in records))
    sent = (f"event: message\nid: {n}\ndata: {record}\n\n" for n, record in enumerate(records))

    stream = f": hello\nretry: 9\n{''.join(sent)}data: [DONE]\n\n"

    assert told(plain) == told(read_text(tmp_path, stream))


@pytest.mark.parametrize("sample", ROWS, ids=lambda sample: sample.format_name)
def test_records_in_a_stream_whose_values_go_over_several_lines_are_the_same(
    sample: Sample, tmp_path: Path
) -> None:
    """A server may write a value in several lines; the standard joins them by line breaks."""
    records = records_of(sample)
    plain = read_text(tmp_path, "".join(f"{json.dumps(record)}\n" for record in records))
    sent = [f"data:{json.dumps(records[0])}\n\n"]
    for record in records[1:]:
        lines = json.dumps(record, indent=1).split("\n")
        sent += ["event: message\n", *(f"data: {line}\n" for line in lines), "\n"]

    stream = f": hello\n{''.join(sent)}data: [DONE]\n\n"

    assert told(plain) == told(read_text(tmp_path, stream))


@pytest.mark.parametrize("sample", LINES_ONLY, ids=lambda sample: sample.format_name)
def test_records_in_one_array_are_the_same(sample: Sample, tmp_path: Path) -> None:
    """`jq -s .` puts them there; of one format nothing was told, and of another no word."""
    records = records_of(sample)
    plain = read_text(tmp_path, "".join(f"{json.dumps(record)}\n" for record in records))

    assert told(plain) == told(read_text(tmp_path, json.dumps(records, indent=1)))
    with pytest.raises(ReadError, match="do not stand one a line; write one record a line"):
        read_text(tmp_path, json.dumps(records))


TOLD_AT_ONCE = [
    sample
    for sample in LINES_ONLY
    if detect(json.dumps(records_of(sample)[0]).encode()) == sample.format_name
]


@pytest.mark.parametrize("sample", TOLD_AT_ONCE, ids=lambda sample: sample.format_name)
def test_one_record_that_is_laid_out_is_a_trace_of_its_format(
    sample: Sample, tmp_path: Path
) -> None:
    """A session that was cut off after its first record has no second one to be told by."""
    first = records_of(sample)[0]

    assert told(read_text(tmp_path, json.dumps(first))) == told(
        read_text(tmp_path, indent([first]))
    )


def test_every_record_keeps_the_line_on_which_it_begins() -> None:
    """A report points there, and the user opens the file as it is."""
    records: list[Any] = [{"a": {}, "b": [1, {"c": 2}]}, {"d": "x\ny"}, {}, {"e": "é\u2028"}]
    for text in (indent(records), json.dumps(records, indent=4), "\n\n" + indent(records)):
        lines = one_a_line(text.encode())
        assert lines is not None
        found = {
            number: json.loads(line)
            for number, line in enumerate(lines.decode().split("\n"), 1)
            if line.strip()
        }
        assert records == list(found.values())
        given = text.split("\n")
        assert all(given[number - 1].lstrip().startswith("{") for number in found)


def test_what_cannot_be_read_of_such_a_file_is_told_once(tmp_path: Path) -> None:
    """A torn end is one torn record, not a bad line for each of its lines."""
    records = records_of(LINES_ONLY[0])
    plain = "".join(f"{json.dumps(record)}\n" for record in records)

    assert told(read_text(tmp_path, plain[:-5])) == told(read_text(tmp_path, indent(records)[:-9]))


def test_a_file_beyond_the_cap_says_what_to_do(tmp_path: Path) -> None:
    """Such a file is read whole, so its size is bounded as a line is."""
    sample = LINES_ONLY[0]
    with pytest.raises(ReadError, match=r"longer than the cap of 100 bytes.*jq -c"):
        read_text(tmp_path, indent(records_of(sample)), cap=100)


def test_damage_anywhere_in_such_a_file_raises_nothing_else(tmp_path: Path) -> None:
    """Bytes of a file are anybody's."""
    chance = random.Random(7)
    for sample in ROWS:
        data = indent(records_of(sample)).encode()
        for _ in range(20):
            damaged = bytearray(data)
            for _ in range(chance.randint(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            try:
                read_text(tmp_path, bytes(damaged[: chance.randint(1, len(damaged))]))
            except ReadError:
                continue
