"""`move_file`, line by line of what it promises."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest
from tool_bench import Bench, MakeBench, allowed

from reasonix_runtime.tools.move_file import moving
from reasonix_runtime.tools.support.workspace import Workspace


def move(bench: Bench, source: str, destination: str) -> str:
    return bench.ok("move_file", source_path=source, destination_path=destination)


def move_fails(bench: Bench, source: str, destination: str) -> str:
    return bench.fails("move_file", source_path=source, destination_path=destination)


def test_a_move_keeps_bytes_and_mode_and_makes_directories(bench: Bench) -> None:
    """The file is the same file at another place."""
    bench.put("a", b"\xff\0\r\n").chmod(0o750)

    assert move(bench, "a", "x/y/b") == "moved <ws>/a to <ws>/x/y/b"

    assert bench.get("x/y/b") == b"\xff\0\r\n"
    assert (bench.root / "x/y/b").stat().st_mode & 0o777 == 0o750
    assert not (bench.root / "a").exists()


@pytest.mark.parametrize(
    ("says", "source", "destination", "message"),
    [
        ("empty source", "", "b", "source_path is required\n"),
        ("empty destination", "a", "", "destination_path is required\n"),
        ("missing", "nix", "c", "stat <ws>/nix: no such file or directory\n"),
        ("a directory", "d", "e", "<ws>/d is a directory; only files are moved\n"),
        ("a link to a directory", "ld", "e", "<ws>/ld is a directory; only files are moved\n"),
        ("taken", "a", "b", "destination <ws>/b already exists\n"),
        ("into a directory", "a", "d", "destination <ws>/d already exists\n"),
        ("onto a dangling link", "a", "dangling", "destination <ws>/dangling already exists\n"),
        ("a link onto its target", "la", "a", "destination <ws>/a already exists\n"),
        ("a hard link onto itself", "a", "hard", "destination <ws>/hard already exists\n"),
        ("below a file", "a", "b/c", "mkdir <ws>/b: not a directory\n"),
        ("source outside", "../o", "c", "../o is outside the workspace"),
        ("destination outside", "a", "../c", "../c is outside the workspace"),
        ("a link that leads outside", "lo", "c", "lo is outside the workspace"),
    ],
)
def test_move_file_refuses(
    bench: Bench, says: str, source: str, destination: str, message: str
) -> None:
    """Nothing is overwritten, and everything stays where it was."""
    bench.put("a", "A")
    bench.put("b", "B")
    bench.put("d/f", "F")
    (bench.root.parent / "o").write_text("O")
    for name, target in {"ld": "d", "la": "a", "lo": "../o", "dangling": "gone"}.items():
        (bench.root / name).symlink_to(target)
    os.link(bench.root / "a", bench.root / "hard")
    before = sorted(os.listdir(bench.root))

    assert move_fails(bench, source, destination).startswith(message), says
    assert sorted(os.listdir(bench.root)) == before
    assert (bench.get("a"), bench.get("b"), bench.get("d/f")) == (b"A", b"B", b"F")


def test_a_link_is_moved_itself(bench: Bench) -> None:
    """The target stays; the link goes on pointing at it."""
    bench.put("a", "A")
    (bench.root / "l").symlink_to("a")

    move(bench, "l", "m")

    assert (bench.root / "m").readlink() == Path("a")
    assert not (bench.root / "l").is_symlink()


def test_the_same_path_is_a_success_without_changes(bench: Bench) -> None:
    """There is nothing to do."""
    bench.put("a", "A")

    assert move(bench, "a", "x/../a") == "<ws>/a is already at <ws>/a; no changes made"


def test_a_case_only_rename_works_where_case_does_not_count(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On such a volume the destination exists already: it is the source."""
    file = bench.put("Notes.txt", "N")
    real_stat = Workspace.stat

    def folding(self: Workspace, place: Any) -> os.stat_result | None:
        return file.stat() if place.shown.lower().endswith("/notes.txt") else real_stat(self, place)

    monkeypatch.setattr(Workspace, "stat", folding)
    move(bench, "Notes.txt", "notes.txt")

    assert os.listdir(bench.root) == ["notes.txt"]


def test_nobody_writes_in_the_directory_during_a_move(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was written under the old name between the two steps would be lost with it."""
    bench.put("a", "A")
    real = os.link
    free: list[bool] = []

    def link(*args: Any, **kwargs: Any) -> None:
        directory = os.open(bench.root, os.O_RDONLY)
        try:
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free.append(True)
        except BlockingIOError:
            free.append(False)
        finally:
            os.close(directory)
        real(*args, **kwargs)

    monkeypatch.setattr(moving.os, "link", link)
    move(bench, "a", "b")

    assert free == [False]


@pytest.mark.parametrize("code", [errno.EXDEV, errno.EPERM])
def test_another_file_system_and_one_without_hard_links_work(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Across devices the file is copied and then removed."""
    bench.put("a", "A").chmod(0o600)
    (bench.root / "l").symlink_to("a")

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(moving.os, "link", refuse)
    move(bench, "l", "m")
    move(bench, "a", "d/b")

    assert bench.get("d/b") == b"A"
    assert (bench.root / "d/b").stat().st_mode & 0o777 == 0o600
    assert (bench.root / "m").is_symlink()
    assert sorted(os.listdir(bench.root)) == ["d", "m"]


def test_a_failed_copy_removes_what_it_made(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a file at the destination would look like the file."""
    bench.put("a", "A")

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError(errno.EXDEV, "Invalid cross-device link")

    def full(*args: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(moving.os, "link", refuse)
    monkeypatch.setattr(moving.shutil, "copyfileobj", full)

    assert move_fails(bench, "a", "b") == "move <ws>/a to <ws>/b: no space left on device\n"
    assert os.listdir(bench.root) == ["a"]


def test_a_guarded_file_is_not_moved_nor_replaced(make_bench: MakeBench, tmp_path: Path) -> None:
    """The host's own records stay where they are."""
    (tmp_path / "ws" / "ledger").write_text("1")
    workspace = Workspace(tmp_path / "ws", guarded=[tmp_path / "ws" / "ledger"])
    bench = make_bench(workspace=workspace)
    bench.put("a", "A")

    assert "host's own state" in move_fails(bench, "ledger", "x")
    assert "host's own state" in move_fails(bench, "a", "ledger/x")


def test_folders_that_a_failed_move_made_stay(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are made first, for everybody to enter; the file is still where it was."""
    bench.put("a", "A")

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(moving.os, "link", refuse)

    assert move_fails(bench, "a", "x/y/b") == "move <ws>/a to <ws>/x/y/b: permission denied\n"
    assert bench.get("a") == b"A"
    assert os.listdir(bench.root / "x/y") == []
    assert (bench.root / "x").stat().st_mode & 0o777 == allowed(0o755)
