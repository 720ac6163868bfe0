"""Zipped logs of Inspect (`.eval`) say what the same logs say as JSON, and what is lost of them."""

from __future__ import annotations

import gzip
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from read_records import notes
from trace_samples import SAMPLES

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.trace.events import Diag, Event, Session

LOG: Any = json.loads(next(one.text for one in SAMPLES if one.format_name == "inspect"))
HEADER = {key: value for key, value in LOG.items() if key != "samples"}
SAMPLE = LOG["samples"][0]
Members = list[tuple[str, Any]]


def members(**more: Any) -> Members:
    """Return what a whole log holds, in the order in which the program writes it."""
    summary = [{"id": SAMPLE["id"], "epoch": SAMPLE["epoch"]}]
    return [
        ("_journal/start.json", HEADER),
        ("samples/1_epoch_1.json", SAMPLE),
        ("summaries.json", summary),
        ("header.json", HEADER | more),
    ]


def deflated(data: bytes) -> bytes:
    pack = zlib.compressobj(wbits=-15)
    return pack.compress(data) + pack.flush()


PACK: dict[int, Callable[[bytes], bytes]] = {
    0: bytes,
    8: deflated,
    93: zstandard.ZstdCompressor().compress,
}


def zipped(told: Members, way: int = 93, *, encrypted: bool = False) -> bytes:
    """Write a zip file; the module of the standard library does not know each way of packing."""
    body, table = b"", b""
    for name, value in told:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        packed, flags = PACK[way](data), int(encrypted)
        sizes = (zlib.crc32(data), len(packed), len(data), len(name), 0)
        common = struct.pack("<HHHHHIIIHH", 20, flags, way, 0, 33, *sizes)
        table += b"PK\1\2" + struct.pack("<H", 20) + common
        table += struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\3\4" + common + name.encode() + packed
    end = struct.pack("<HHHHIIH", 0, 0, len(told), len(told), len(table), len(body), 0)
    return body + table + b"PK\5\6" + end


def read(folder: Path, data: bytes, **more: Any) -> list[Event]:
    file = folder / "log.eval"
    file.write_bytes(data)
    return list(events(Recording(path=file, shown="log", **more)))


def facts(stream: list[Event]) -> list[Any]:
    """Return what is told, but for the name of the file."""
    return [event for event in stream if not isinstance(event, Session)]


@pytest.mark.parametrize("header", [b"{", b"[]", b"null", b'{"eval": 1}'])
def test_a_header_that_tells_nothing_is_a_part_that_is_lost(header: bytes, tmp_path: Path) -> None:
    """How the run ended stands there alone, so no end behind it passes."""
    whole, lost = zipped(members()), zipped([*members()[:-1], ("header.json", header)])

    assert "bad_line" not in notes(read(tmp_path, whole))
    assert "bad_line" in notes(read(tmp_path, lost))


@pytest.mark.parametrize("way", sorted(PACK))
def test_a_zipped_log_says_what_it_says_as_json(way: int, tmp_path: Path) -> None:
    plain = tmp_path / "log.json"
    plain.write_text(json.dumps(LOG))
    as_json = list(events(Recording(path=plain, shown="log")))

    assert facts(as_json) == facts(read(tmp_path, zipped(members(), way)))
    assert facts(as_json) == facts(read(tmp_path, gzip.compress(zipped(members(), way))))


def test_a_log_that_was_not_ended_is_told(tmp_path: Path) -> None:
    """Only the journal tells how it began; and one may say so itself."""
    assert ["truncated_tail"] == notes(read(tmp_path, zipped(members()[:-1])))
    assert ["truncated_tail"] == notes(read(tmp_path, zipped(members(status="started"))))


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def of_a_newer_kind(data: bytes) -> bytes:
    """Have the table say that a member needs a later version of the format."""
    return data.replace(b"PK\1\2" + struct.pack("<HH", 20, 20), b"PK\1\2\x14\0\x64\0", 1)


def shared(told: Members) -> bytes:
    """Have the table name the bytes of one member for a hundred more."""
    data = zipped(told)
    begin, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
    one = data[begin : data.index(b"PK\1\2", begin + 1)]
    more = b"".join(one.replace(b"start", b"st%03d" % at) for at in range(100))
    table = data[begin:end] + more
    counts = struct.pack("<HHHHIIH", 0, 0, *(len(told) + 100,) * 2, len(table), begin, 0)
    return data[:begin] + table + b"PK\5\6" + counts


def flipped(data: bytes) -> bytes:
    """Change a byte of the packed sample."""
    at = data.index(b"samples/1_epoch_1.json") + 60
    return data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]


@pytest.mark.parametrize(
    ("data", "code", "why"),
    [
        (cut(zipped(members())), "truncated_tail", "the table of the zip file cannot be read"),
        (of_a_newer_kind(zipped(members())), "truncated_tail", "zip file version 10.0"),
        (shared(members()), "truncated_tail", "it names more bytes than there are"),
        (flipped(zipped(members())), "bad_line", "samples/1_epoch_1.json is damaged"),
        (flipped(zipped(members(), 0)), "bad_line", "samples/1_epoch_1.json is damaged"),
        (zipped(members(), encrypted=True), "bad_line", "samples/1_epoch_1.json is encrypted"),
        (zipped([*members()[:1], *members()[2:]]), "bad_line", "1_epoch_1.json is not there"),
        (zipped(members()[1:2]), "truncated_tail", "holds no header of a log"),
        (zipped(members()[:1]), "truncated_tail", "the log holds no samples"),
        (
            zipped([("samples/1_epoch_1.json", b'{"a"'), *members()[2:]]),
            "bad_line",
            "samples/1_epoch_1.json: no valid JSON",
        ),
    ],
)
def test_what_is_lost_of_a_zipped_log_is_told_and_never_green(
    data: bytes, code: str, why: str, tmp_path: Path
) -> None:
    """A sample that nobody can read may hold any change."""
    told = [event for event in read(tmp_path, data) if isinstance(event, Diag)]
    (result,) = results([tmp_path / "log.eval"], Options(), [])

    assert [code] == [event.code for event in told]
    assert why in told[0].text
    assert "accept" not in {str(verdict.verdict.decision) for verdict in result.verdicts}


def test_a_sample_that_expands_beyond_the_cap_is_not_held(tmp_path: Path) -> None:
    """A small file may say that it holds very much, or hold more than it says."""
    big = zipped([("samples/1_epoch_1.json", b" " * 9000), *members()[2:]])
    stream = read(tmp_path, big, cap=8000)
    lies = big.replace(struct.pack("<I", 9000), struct.pack("<I", 70))

    why = "samples/1_epoch_1.json is longer than the cap of 8000 bytes, which --max-line raises"
    assert [why] == [event.text for event in stream if isinstance(event, Diag)]
    assert ["samples/1_epoch_1.json is damaged"] == [
        event.text for event in read(tmp_path, lies, cap=8000) if isinstance(event, Diag)
    ]


def test_a_log_that_expands_to_more_than_is_read_is_refused(tmp_path: Path) -> None:
    """Each member may be within the cap, and all of them have no end."""
    most = (1 << 32) - 1
    data = zipped([(f"samples/{at}_epoch_1.json", b" " * 77) for at in range(5)])
    big = data.replace(struct.pack("<II", 77, 22), struct.pack("<II", most, 22))

    with pytest.raises(ReadError, match=r"expands to more than 17179869184 bytes"):
        read(tmp_path, big)


def test_the_module_of_the_standard_library_agrees_on_what_is_written(tmp_path: Path) -> None:
    """The helper above writes zip files as others read them."""
    file = tmp_path / "log.zip"
    file.write_bytes(zipped(members(), 8))

    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        assert [name for name, _ in members()] == archive.namelist()
