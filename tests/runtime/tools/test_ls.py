"""`ls`: one directory, or the tree below it."""

from __future__ import annotations

import os
from typing import Any

import pytest
from tool_bench import Bench

from reasonix_runtime.tools.support import walking


def test_ls_lists_one_directory(tree: Bench) -> None:
    """Sorted by bytes, hidden ones included, links as files with their own size."""
    assert tree.ok("ls") == (
        ".dot\t2\n.hidden/\n.idea/\n.venv/\nB.txt\t2\n__pycache__/\na/\na-b/\nlink\t1\n"
        "node_modules/\nvendor/\n"
    )
    assert tree.ok("ls", path="") == tree.ok("ls", path=str(tree.root))


def test_ls_recursive_shows_the_tree(tree: Bench) -> None:
    """Depth first; only what is never source is left out, and links are not followed."""
    assert tree.ok("ls", recursive=True) == (
        ".dot\t2\n.hidden/\n.hidden/z.py\t2\n.venv/\n.venv/e.py\t2\nB.txt\t2\n"
        "a/\na/deep/\na/deep/y.py\t2\na/x.py\t2\na-b/\na-b/x.py\t2\nlink\t1\nvendor/\nvendor/v.go\t2\n"
    )


def test_ls_of_nothing(bench: Bench) -> None:
    """An empty answer would look like a failure."""
    (bench.root / "e").mkdir()

    assert bench.ok("ls", path="e") == "(empty directory)"
    assert bench.ok("ls", path="e", recursive=True) == "(empty directory tree)"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "nix"}, "ls <ws>/nix: no such file or directory\n"),
        ({"path": "f"}, "ls <ws>/f: not a directory\n"),
        ({"path": "f", "recursive": True}, "ls -R <ws>/f: not a directory\n"),
        ({"path": ".."}, ".. is outside the workspace"),
        ({"path": "out"}, "out is outside the workspace"),
    ],
)
def test_ls_refuses(bench: Bench, arguments: dict[str, Any], message: str) -> None:
    """What is no directory here cannot be listed."""
    bench.put("f", "")
    (bench.root / "out").symlink_to("..")

    assert bench.fails("ls", **arguments).startswith(message)


def test_a_recursive_listing_that_cannot_read_a_directory_fails(
    tree: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list with a hole would look complete."""
    real = os.open

    def refuse(path: Any, flags: int, *args: Any, **kwargs: Any) -> int:
        if path == "deep":
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *args, **kwargs)

    monkeypatch.setattr(walking.os, "open", refuse)

    assert tree.fails("ls", recursive=True) == "ls -R <ws>: open <ws>/a/deep: permission denied\n"
    assert "y.py" not in tree.ok("glob", pattern="**/*.py")


def test_entries_more_than_50_separators_deep_are_dropped(bench: Bench) -> None:
    """A listing has an end."""
    bench.put("/".join(["d"] * 51) + "/f", "")

    lines = bench.call("ls", recursive=True).body.splitlines()

    assert max(line.rstrip("/").count("/") for line in lines) == 50


def test_a_cancelled_listing_is_an_error(tree: Bench) -> None:
    """A tree may be as large as a disk."""
    from reasonix_runtime.tools.errors import ToolError
    from reasonix_runtime.tools.ls.behaviour import run as ls

    tree.context.cancellation.cancel()

    with pytest.raises(ToolError, match="cancelled before the listing was complete"):
        ls({"recursive": True}, tree.context)


def test_a_size_that_cannot_be_read_is_minus_one() -> None:
    """A file that went away while it was listed is still told."""
    from reasonix_runtime.tools.ls.behaviour import _file

    class Gone:
        path = "gone"
        found = None

    assert _file(Gone()) == "gone\t-1\n"  # type: ignore[arg-type]  # a stand-in for an entry
