"""What all listings and searches have in common: hidden roots, credentials, odd names, limits."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.support import walking
from reasonix_runtime.tools.support.workspace import Workspace


def test_hidden_roots_look_empty(make_bench: MakeBench, tmp_path: Path) -> None:
    """They answer as if there were nothing."""
    (tmp_path / "ws" / "p").mkdir()
    (tmp_path / "ws" / "p" / "k.py").write_text("key")
    bench = make_bench(workspace=Workspace(tmp_path / "ws", hidden=[tmp_path / "ws" / "p"]))

    assert bench.ok("ls", path="p") == "(empty directory)"
    assert bench.ok("ls", recursive=True) == "(empty directory tree)"
    assert bench.ok("glob", pattern="**/*.py") == "(no matches)"
    assert bench.ok("glob", pattern="p/*") == "(no matches)"
    assert bench.ok("grep", pattern="key") == "(no matches)"
    assert bench.ok("grep", pattern="key", path="p") == "(no matches)"
    assert bench.fails("grep", pattern="key", path="p/k.py") == (
        "grep <ws>/p/k.py: no such file or directory\n"
    )


def test_files_with_credentials_are_in_no_answer(make_bench: MakeBench, tmp_path: Path) -> None:
    """Where the host protects them, nothing tells that they are there."""
    bench = make_bench(workspace=Workspace(tmp_path / "ws", sensitive_hidden=True))
    for name in (".env", ".git-credentials", ".netrc", "a.pem", "b.key", "c.p12", "d.pfx"):
        bench.put(name, "secret\n")
        gone = f"<ws>/{name}: no such file or directory\n"
        assert bench.fails("read_file", path=name) == f"read {gone}"
        assert bench.fails("grep", pattern="secret", path=name) == f"grep {gone}"
    bench.put("open", "secret\n")

    assert bench.ok("grep", pattern="secret") == "<ws>/open:1:secret"
    assert bench.ok("glob", pattern="**/*") == "<ws>/open"
    assert bench.ok("glob", pattern="*") == "<ws>/open"
    assert bench.ok("ls", recursive=True) == "open\t7\n"


def test_a_cancelled_search_is_an_error(tree: Bench) -> None:
    """Only a time limit is a partial success."""
    from reasonix_runtime.tools.errors import ToolError
    from reasonix_runtime.tools.glob.behaviour import run as glob

    tree.context.cancellation.cancel()

    with pytest.raises(ToolError, match="cancelled before the search was complete"):
        glob({"pattern": "**/*"}, tree.context)


def test_a_search_starts_in_the_workspace(
    tree: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Wherever the host was started."""
    (tmp_path / "x.py").write_text("x\n")
    monkeypatch.chdir(tmp_path)

    assert tree.ok("glob", pattern="B.txt") == "<ws>/B.txt"
    assert tree.ok("grep", pattern="x", path="B.txt") == "<ws>/B.txt:1:x"


def test_names_that_are_no_text_are_shown_in_escapes(bench: Bench) -> None:
    """File names are bytes; the answer must be text all the same."""
    with open(os.fsencode(bench.root) + b"/\xff.py", "wb") as file:
        file.write(b"x\n")

    assert bench.ok("ls") == "\\udcff.py\t2\n"
    assert bench.ok("glob", pattern="**/*.py") == "<ws>/\\udcff.py"
    assert bench.ok("grep", pattern="x") == "<ws>/\\udcff.py:1:x"


def test_a_name_with_a_line_end_does_not_look_like_two_entries(bench: Bench) -> None:
    """A name can be chosen so that its second half reads as another file, or as a match."""
    bench.put("a\nb.py", "def f(): x\n")
    bench.put("d\r\n/c", "x\n")

    assert bench.ok("ls") == "a\\nb.py\t11\nd\\r\\n/\n"
    assert bench.ok("ls", recursive=True) == "a\\nb.py\t11\nd\\r\\n/\nd\\r\\n/c\t2\n"
    assert bench.ok("glob", pattern="**/*") == "<ws>/a\\nb.py\n<ws>/d\\r\\n/c"
    assert bench.ok("glob", pattern="*.py") == "<ws>/a\\nb.py"
    assert bench.ok("grep", pattern="x") == "<ws>/a\\nb.py:1:def f(): x\n<ws>/d\\r\\n/c:1:x"
    assert bench.ok("code_index", action="outline") == "a\\nb.py:1: func f — def f(): x"


GLOB_SKIPS = ".git .svn .hg .jj node_modules vendor .venv __pycache__ .mypy_cache .pytest_cache"


LS_SKIPS = ".git node_modules .DS_Store __pycache__ .idea .vscode"


def test_each_listing_leaves_out_its_own_folders_and_no_others(bench: Bench) -> None:
    """And each of them can be the root of one."""
    every = {*GLOB_SKIPS.split(), *LS_SKIPS.split(), ".cache", "build"}
    for name in every:
        bench.put(f"d/{name}/f.py", "x\n")
    searched = {name for name in every if not name.startswith(".")} - set(GLOB_SKIPS.split())

    found = bench.ok("glob", pattern="**/f.py").splitlines()
    listed = bench.ok("ls", path="d", recursive=True).splitlines()
    matched = bench.ok("grep", pattern="x").splitlines()

    assert set(found) == {f"<ws>/d/{name}/f.py" for name in every - set(GLOB_SKIPS.split())}
    assert {line for line in listed if line.endswith("/")} == {
        f"{name}/" for name in every - set(LS_SKIPS.split())
    }
    assert set(matched) == {f"<ws>/d/{name}/f.py:1:x" for name in searched}
    for name in every:
        assert bench.ok("glob", pattern=f"d/{name}/**") == f"<ws>/d/{name}/f.py"
        assert bench.ok("ls", path=f"d/{name}", recursive=True) == "f.py\t2\n"
        if name != ".git":
            assert bench.ok("grep", pattern="x", path=f"d/{name}") == f"<ws>/d/{name}/f.py:1:x"


def test_keys_of_the_user_are_hidden_with_the_other_credentials(
    make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever they are called, when the home directory is the workspace."""
    monkeypatch.setenv("HOME", str(tmp_path / "ws"))
    bench = make_bench(workspace=Workspace(tmp_path / "ws", sensitive_hidden=True))
    bench.put(".ssh/mine", "secret\n")

    assert "no such file" in bench.fails("read_file", path=".ssh/mine")
    assert bench.ok("glob", pattern=".ssh/*") == "(no matches)"
    assert bench.ok("grep", pattern="secret", path=".ssh") == "(no matches)"


def test_the_time_limit_of_a_search_is_thirty_seconds_and_at_most_three_hundred(
    tree: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part that was found by then is a success that says so."""
    looks = iter([False, False])
    monkeypatch.setattr(walking.Deadline, "over", lambda self: next(looks, True))
    text = tree.ok("grep", pattern="x", timeout_seconds=999)

    assert text.splitlines()[0].endswith(":1:x")
    assert text.splitlines()[-1].startswith("... (timed out after 5m0s; results incomplete")
    assert "30s" in tree.ok("glob", pattern="**/*", timeout_seconds=0)
    assert "30s" in tree.ok("grep", pattern="x")


def test_a_cut_is_told_rather_than_the_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """One mark is enough, and the cut is the one that more time would not mend."""
    bench.put("a", "x\n" * 300)
    monkeypatch.setattr(walking.Deadline, "over", lambda self: False)

    text = bench.ok("grep", pattern="x", timeout_seconds=1)

    assert text.endswith("\n... (truncated at 200 matches)")
    assert "timed out" not in text
