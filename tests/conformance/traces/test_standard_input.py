"""A trace that is sent into the command: judged as its file is, and gone afterwards."""

from __future__ import annotations

import gzip
import io
import json
import sys
import tempfile
from pathlib import Path

import pytest
from places import GOOD
from runs import replay

from reasonix_conformance.commands import standard_input
from reasonix_conformance.errors import ConformanceError

CHAT = b'{"role":"user","content":"go"}\n{"role":"assistant","content":"done"}\n'
Patch = pytest.MonkeyPatch
Said = pytest.CaptureFixture[str]


class Stdin(io.TextIOWrapper):
    """A stream of bytes that may say it is a terminal."""

    terminal = False

    def isatty(self) -> bool:
        return self.terminal


def send(monkeypatch: Patch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", Stdin(io.BytesIO(data)))


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: Patch) -> Path:
    """Return the folder for temporary files, which is one's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("packed", "jobs"), [(False, "1"), (True, "2")])
def test_it_is_judged_as_its_file_is(
    packed: bool, jobs: str, monkeypatch: Patch, capsys: Said, temporary: Path
) -> None:
    """By content, unpacked, by whichever process; only its name is another one."""
    data = GOOD.read_bytes()
    send(monkeypatch, gzip.compress(data) if packed else data)
    code, out, said = replay(capsys, "-", "--format", "json", "--jobs", jobs)
    _, expected, _ = replay(capsys, GOOD, "--format", "json")

    assert (0, "") == (code, said)
    named = json.dumps(str(GOOD))[1:-1]
    assert json.loads(expected.replace(named, "stdin").replace(GOOD.name, "stdin")) == (
        json.loads(out)
    )
    assert [] == list(temporary.iterdir())


def test_it_may_stand_beside_files(monkeypatch: Patch, capsys: Said) -> None:
    """In the order of the command line, and once."""
    send(monkeypatch, GOOD.read_bytes())

    _, out, _ = replay(capsys, GOOD, "-", "-", "--format", "json")

    assert [str(GOOD), "stdin"] == [trace["path"] for trace in json.loads(out)["traces"]]


@pytest.mark.parametrize("folder", [True, False])
def test_what_is_called_so_is_named_with_its_folder(
    folder: bool, monkeypatch: Patch, capsys: Said, temporary: Path
) -> None:
    """As every command has it; standard input was read in its place."""
    send(monkeypatch, CHAT)
    monkeypatch.chdir(temporary)
    place = temporary / "-"
    if folder:
        place.mkdir()
    file = place / "t.jsonl" if folder else place
    file.write_bytes(GOOD.read_bytes())

    _, out, _ = replay(capsys, "./-", "--format", "json")

    assert [str(file)] == [trace["path"] for trace in json.loads(out)["traces"]]


def test_what_is_no_trace_says_so_by_the_same_name(
    monkeypatch: Patch, capsys: Said, temporary: Path
) -> None:
    """Nobody knows the file that it was kept in."""
    send(monkeypatch, b"npm ERR!\n")

    code, out, said = replay(capsys, "-", "--format", "json")

    assert (2, ["stdin"]) == (code, [lost["path"] for lost in json.loads(out)["unreadable"]])
    assert said.startswith("reasonix-conformance replay: stdin: not a trace of a known format")
    assert [] == list(temporary.iterdir())


@pytest.mark.parametrize("lines", [0, 2])
def test_a_line_beyond_the_cap_is_said_as_of_a_file_and_nothing_behind_it_is_kept(
    lines: int, monkeypatch: Patch, capsys: Said, temporary: Path
) -> None:
    """A stream without line ends that never stops filled the disk."""
    source = Stdin(io.BytesIO(CHAT * lines + b"x" * 2**23))
    monkeypatch.setattr("sys.stdin", source)

    code, _, said = replay(capsys, "-", "--max-line", "1")

    (temporary / "file").write_bytes(CHAT * lines + b"x" * 2**23)
    expected = replay(capsys, temporary / "file", "--max-line", "1")
    assert (2, expected[2].replace(str(temporary / "file"), "stdin")) == (code, said)
    assert source.buffer.tell() < 2**22


def test_more_than_may_come_in_is_refused(monkeypatch: Patch, temporary: Path) -> None:
    """What comes in has no size that could be asked for before."""
    send(monkeypatch, CHAT * 9)
    remedy = "-: more than 400 bytes come in; write them to a file, and name that"

    with (
        pytest.raises(ConformanceError, match=remedy),
        standard_input.kept([standard_input.STDIN], cap=4096, most=400),
    ):
        pass

    assert [] == list(temporary.iterdir())


@pytest.mark.parametrize("closed", [True, False])
def test_nobody_is_left_waiting_for_a_terminal(
    closed: bool, monkeypatch: Patch, capsys: Said
) -> None:
    """Who types `-` by hand would think that the command hangs."""
    terminal = Stdin(io.BytesIO())
    terminal.terminal = True
    monkeypatch.setattr("sys.stdin", None if closed else terminal)

    code, _, said = replay(capsys, "-")

    assert (2, True) == (code, "-: standard input is a terminal or closed" in said)


def test_wrong_use_is_told_before_anything_is_read(monkeypatch: Patch, capsys: Said) -> None:
    """What was read is lost to whoever corrects the command."""
    send(monkeypatch, b"x")

    assert 2 == replay(capsys, "-", "--rules", "nonesuch")[0]
    assert b"x" == sys.stdin.buffer.read()
