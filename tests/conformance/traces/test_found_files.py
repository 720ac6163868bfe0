"""Which files a run reads: each once, and nothing that may be a trace is left out unsaid."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from places import GOOD
from runs import replay

from reasonix_conformance.traces.files import Aside, files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of two traces, beside another one with a third."""
    for name in ("in/a.jsonl", "in/b.jsonl", "out/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(GOOD, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "in"


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("in in", ["in/a.jsonl", "in/b.jsonl"]),
        ("in/a.jsonl ./in/a.jsonl in/../in/a.jsonl", ["in/a.jsonl!"]),
        ("in in/a.jsonl", ["in/b.jsonl", "in/a.jsonl!"]),
        ("in/b.jsonl in", ["in/b.jsonl!", "in/a.jsonl"]),
        ("out in/b.jsonl out", ["out/c.jsonl", "in/b.jsonl!"]),
    ],
)
def test_a_file_is_read_once_however_often_it_is_asked_for(
    paths: str, expected: list[str], folder: Path
) -> None:
    """Its verdicts would be counted twice; one that is named (`!`) has to be readable."""
    found = [f"{path}{'!' * named}" for path, named, _ in files([Path(p) for p in paths.split()])]

    assert expected == found


def test_a_link_within_the_folder_is_no_second_file(folder: Path) -> None:
    """Nor is a loop of folders one without an end."""
    (folder / "latest.jsonl").symlink_to("b.jsonl")
    (folder / "loop").symlink_to(folder)

    assert ["a.jsonl", "b.jsonl"] == [path.name for path, _, _ in files([folder])]


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("in", ["in/a.jsonl", "in/b.jsonl"]),
        ("in in/twin.jsonl", ["in/b.jsonl", "in/twin.jsonl!"]),
        ("in/a.jsonl in/twin.jsonl", ["in/a.jsonl!"]),
    ],
)
def test_a_second_name_of_a_file_is_no_second_file(
    paths: str, expected: list[str], folder: Path
) -> None:
    """Copies that share their content by hard links are how backups and caches keep sessions."""
    (folder / "twin.jsonl").hardlink_to(folder / "a.jsonl")

    found = [f"{path}{'!' * named}" for path, named, _ in files([Path(p) for p in paths.split()])]

    assert expected == found


def test_what_leads_out_of_the_folder_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not read, and a green run must not look as if it was."""
    (folder / "c.jsonl").symlink_to("../out/c.jsonl")
    (folder / "dead.jsonl").symlink_to("gone.jsonl")
    (folder / "more").symlink_to("../out")
    (folder / "notes.txt").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.jsonl")
    os.mkfifo(folder / "notes.pipe")
    aside = Aside()

    found = [path.name for path, _, _ in files([folder], aside)]

    assert ["a.jsonl", "b.jsonl"] == found
    names = [path.name for path in aside.leading_out]
    assert ["c.jsonl", "dead.jsonl", "more"] == names
    assert [folder / "pipe.jsonl"] == aside.no_files
    code, _, said = replay(capsys, folder)
    assert 0 == code
    assert "left out, links out of their folder or to no file: " in said
    assert all(str(folder / name) in said for name in names)
    assert f"left out, pipes and devices: {folder / 'pipe.jsonl'}; write what they give" in said


def test_a_dead_link_that_is_named_says_where_it_leads(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody believes that no such file is there who sees its name in a listing."""
    dead, loop = folder / "dead.jsonl", folder / "loop.jsonl"
    dead.symlink_to("gone.jsonl")
    loop.symlink_to("loop.jsonl")

    code, _, said = replay(capsys, dead)
    assert 2 == code
    assert f"{dead}: a link to gone.jsonl, and nothing is there" in said
    code, _, said = replay(capsys, loop)
    assert 2 == code
    assert f"{loop}: Too many levels of symbolic links" in said


def test_a_file_in_a_closed_folder_says_that_it_is_closed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is known of the file, and nothing was written that could have failed."""
    closed = folder / "a.jsonl"
    seen = Path.stat

    def stat(path: Path, **options: bool) -> os.stat_result:
        if path == closed:
            raise PermissionError(13, "Permission denied")
        return seen(path, **options)

    monkeypatch.setattr(Path, "stat", stat)

    code, _, said = replay(capsys, closed)

    assert (2, f"reasonix-conformance replay: {closed}: Permission denied\n") == (code, said)


def test_a_folder_that_may_only_be_listed_is_said_and_the_rest_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its names are seen and nothing of its files, not even which of them are links."""
    closed = folder / "sub"
    closed.mkdir()
    (closed / "c.jsonl").touch()
    seen = os.stat

    def stat(path: Any, *args: Any, **options: Any) -> os.stat_result:
        if isinstance(path, Path) and closed in path.parents:
            raise PermissionError(13, "Permission denied")
        return seen(path, *args, **options)

    monkeypatch.setattr(os, "stat", stat)
    monkeypatch.setattr(os, "access", lambda path, mode: path != closed)

    code, out, said = replay(capsys, folder)

    assert 2 == code
    assert "2 traces, " in out
    assert str(closed / "c.jsonl") not in said


@pytest.mark.parametrize("text", [None, "junk"])
def test_a_line_end_in_a_name_begins_no_line_of_what_is_said(
    text: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever named the file would write our messages."""
    odd = folder / "a\nall is well\u202e.jsonl"
    if text is not None:
        odd.write_text(text)

    code, _, said = replay(capsys, odd)

    assert 2 == code
    assert said.startswith(f"reasonix-conformance replay: {folder}/a\\nall is well\\u202e.jsonl: ")
    assert 1 == said.count("\n")
