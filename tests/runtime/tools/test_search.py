"""`ls`, `glob` and `grep`, line by line, and beside the programs that people know."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.support import walking
from reasonix_runtime.tools.support.workspace import Workspace

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(root: Path, *words: str) -> str:
    """Run git in a repository without the settings of this machine."""
    done = subprocess.run(
        ["git", "-c", "core.excludesFile=", *words],
        cwd=root,
        capture_output=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"},
    )
    return done.stdout.decode()


@pytest.fixture
def tree(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Fill a workspace with what listings stumble over."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(bench.root.parent / "config"))
    for path in (
        "a/x.py", "a-b/x.py", "a/deep/y.py", ".hidden/z.py", ".dot", "B.txt",
        "node_modules/m.js", "vendor/v.go", "__pycache__/p.pyc", ".venv/e.py", ".idea/i.py",
    ):  # fmt: skip
        bench.put(path, "x\n")
    (bench.root / "link").symlink_to("a")
    return bench


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


@pytest.mark.parametrize(
    ("says", "pattern", "paths"),
    [
        (
            "one level, directories and links included",
            "*",
            ".dot .hidden .idea .venv B.txt __pycache__ a a-b link node_modules vendor",
        ),
        (
            "directories in the order of their names, no final sort",
            "*/x.py",
            "a/x.py a-b/x.py link/x.py",
        ),
        ("nothing is left out", "vendor/*", "vendor/v.go"),
        ("a question mark", "?", "a"),
        ("a class", "[Aa]/*.py", "a/x.py"),
        ("a negated class", "[^A-Zl._]*", "a a-b node_modules vendor"),
        ("an escape", "\\B.txt", "B.txt"),
        ("a bare name that is not here is looked for below", "y.py", "a/deep/y.py"),
        ("with a slash it is not", "deep/y.py", ""),
        (
            "recursive: files only, pruned, sorted",
            "**",
            ".dot .hidden/z.py .idea/i.py B.txt a-b/x.py a/deep/y.py a/x.py link",
        ),
        ("zero directories match too", "**/B.txt", "B.txt"),
        ("in the middle", "a/**/y.py", "a/deep/y.py"),
        ("a literal beginning", "a/**", "a/deep/y.py a/x.py"),
        ("a pruned name may be the root", "vendor/**", "vendor/v.go"),
        ("alternatives", "**/{x,y}.py", "a-b/x.py a/deep/y.py a/x.py"),
        ("alternatives with slashes", "**/{deep/y,x}.py", "a-b/x.py a/deep/y.py a/x.py"),
        ("links to directories are not followed", "link/**", ""),
        ("nothing", "*.nix", ""),
        ("a file as root", "B.txt/**", ""),
    ],
)
def test_glob(tree: Bench, says: str, pattern: str, paths: str) -> None:
    """Absolute paths, one a line."""
    if pattern == "link/**":
        # The root of a walk may be reached by a link that stays inside.
        paths = "link/deep/y.py link/x.py"
    expected = "\n".join(f"<ws>/{path}" for path in paths.split()) or "(no matches)"

    assert tree.ok("glob", pattern=pattern) == expected, says
    if "/" in pattern:
        assert tree.ok("glob", pattern=f"{tree.root}/{pattern}") == expected, says


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("", "pattern is required\n"),
        ("[", 'glob "[": syntax error in pattern\n'),
        ("a[]", 'glob "a[]": syntax error in pattern\n'),
        ("[z-a]", 'glob "[z-a]": syntax error in pattern\n'),
        ("a\\", 'glob "a\\": syntax error in pattern\n'),
        ("**/{a", 'glob "**/{a": syntax error in pattern\n'),
        ("nix/**", 'glob "nix/**" <ws>/nix: no such file or directory\n'),
        ("../*", "<ws>/.. is outside the workspace"),
        ("/etc/*", "/etc is outside the workspace"),
        ("/etc/**", "/etc is outside the workspace"),
    ],
)
def test_glob_refuses(tree: Bench, pattern: str, message: str) -> None:
    """A pattern that means nothing must not look like one that finds nothing."""
    assert tree.fails("glob", pattern=pattern).startswith(message)


@pytest.mark.parametrize(("count", "cut"), [(1000, False), (1001, True)])
@pytest.mark.parametrize("pattern", ["*.q", "**/*.q"])
def test_the_cap_of_glob_is_exact(bench: Bench, pattern: str, count: int, cut: bool) -> None:
    """A mark at exactly the cap would say that something is missing."""
    for number in range(count):
        (bench.root / f"{number:04}.q").touch()

    lines = bench.call("glob", pattern=pattern).body.splitlines()

    assert len(lines) == 1000 + cut
    assert (lines[-1] == "... (truncated at 1000 results)") is cut


def test_a_time_limit_keeps_what_was_found(tree: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marked incomplete, not an error."""
    looks = iter([False, False, False, False, False, False, True, True, True, True])
    monkeypatch.setattr(walking.Deadline, "over", lambda self: next(looks))

    text = tree.ok("glob", pattern="**/*", timeout_seconds=7)

    assert text.endswith("\n... (timed out after 7s; results incomplete, narrow the pattern)")
    monkeypatch.setattr(walking.Deadline, "over", lambda self: True)
    assert tree.ok("glob", pattern="**/*", timeout_seconds=999) == (
        "(no matches; timed out after 5m0s, so there may be some)"
    )
    assert "30s" in tree.ok("glob", pattern="**/*", timeout_seconds=-1)
    assert tree.ok("grep", pattern="x") == "(no matches; timed out after 30s, so there may be some)"


def test_a_flat_pattern_has_the_time_limit_too(
    tree: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few links that lead back up make it a walk without end."""
    for name in "abcdefgh":
        (tree.root / f"up-{name}").symlink_to(".")
    looks = iter([False] * 50)
    monkeypatch.setattr(walking.Deadline, "over", lambda self: next(looks, True))

    assert tree.ok("glob", pattern="*/" * 12 + "nix", timeout_seconds=2) == (
        "(no matches; timed out after 2s, so there may be some)"
    )


@pytest.mark.parametrize("pattern", ["**/" + "{a,b}" * 40, "**/" + "{a," * 1100 + "x" + "}" * 1100])
def test_braces_do_not_multiply_without_end(bench: Bench, pattern: str) -> None:
    """Forty pairs stand for a million million names; trying to list them would hang the host."""
    message = bench.fails("glob", pattern=pattern)

    assert message.endswith("stands for more than 1000 patterns; use fewer braces\n")


def test_a_cancelled_listing_is_an_error(tree: Bench) -> None:
    """A tree may be as large as a disk."""
    from reasonix_runtime.tools.errors import ToolError
    from reasonix_runtime.tools.ls.behaviour import run as ls

    tree.context.cancellation.cancel()

    with pytest.raises(ToolError, match="cancelled before the listing was complete"):
        ls({"recursive": True}, tree.context)


def test_a_cancelled_search_is_an_error(tree: Bench) -> None:
    """Only a time limit is a partial success."""
    from reasonix_runtime.tools.errors import ToolError
    from reasonix_runtime.tools.glob.behaviour import run as glob

    tree.context.cancellation.cancel()

    with pytest.raises(ToolError, match="cancelled before the search was complete"):
        glob({"pattern": "**/*"}, tree.context)


@pytest.mark.parametrize(
    ("says", "content", "pattern", "lines"),
    [
        ("path, number, text", "a\nb\n", "b", ["2:b"]),
        ("one result a line", "aaa\n", "a", ["1:aaa"]),
        ("case counts", "A\na\n", "a", ["2:a"]),
        ("unless asked", "A\n", "(?i)a", ["1:A"]),
        ("unanchored, anchors are those of the line", "xa\nax\n", "^a", ["2:ax"]),
        ("backslashes arrive", "foo\nfoobar\n", r"\bfoo\b", ["1:foo"]),
        ("the line end is not part of the line", "a\r\nb\r\n", "a$", ["1:a"]),
        ("GB18030", b"\xc4\xe3\xba\xc3\n", "你", ["1:你好"]),
        ("UTF-16", b"\xff\xfea\0\n\0", "a", ["1:a"]),
        ("what cannot be decoded is still searched", b"caf\xe9 x\n", "caf", ["1:caf\\xe9 x"]),
        ("a NUL in the first 8 KiB skips the file", b"needle\n\0", "needle", []),
        ("a NUL later ends it", b"n\n" + b"x" * 8192 + b"\n\0\nn\n", "^n$", ["1:n"]),
        ("a last line without end", "a\nb", "b", ["2:b"]),
        ("catastrophic patterns are ordinary ones", "a" * 5000 + "!\n", "(a*)*$x|^(a|a)*$", []),
    ],
)
def test_grep(
    bench: Bench, says: str, content: str | bytes, pattern: str, lines: list[str]
) -> None:
    """Every matching line with its file and number."""
    bench.put("f", content)
    expected = "\n".join(f"<ws>/f:{line}" for line in lines) or "(no matches)"

    assert bench.ok("grep", pattern=pattern) == expected, says
    assert bench.ok("grep", pattern=pattern, path="f") == expected, says


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"pattern": ""}, "pattern is required\n"),
        ({"pattern": "("}, "invalid pattern: missing ): (\n"),
        ({"pattern": "(?=a)"}, "invalid pattern: invalid perl operator: (?=\n"),
        ({"pattern": r"(a)\1"}, "invalid pattern: invalid escape sequence: \\1\n"),
        ({"pattern": "x", "path": "nix"}, "grep <ws>/nix: no such file or directory\n"),
        ({"pattern": "x", "path": "../x"}, "../x is outside the workspace"),
    ],
)
def test_grep_refuses(bench: Bench, arguments: dict[str, Any], message: str) -> None:
    """RE2 has no look-around and no back-references."""
    assert bench.fails("grep", **arguments).startswith(message)


@pytest.mark.parametrize(("count", "cut"), [(200, False), (201, True)])
def test_the_cap_of_grep_is_exact(bench: Bench, count: int, cut: bool) -> None:
    """Over the whole call, and only told when something is missing."""
    bench.put("a", "x\n" * 150)
    bench.put("b", "x\n" * (count - 150))

    lines = bench.ok("grep", pattern="x").splitlines()

    assert len(lines) == 200 + cut
    assert (lines[-1] == "... (truncated at 200 matches)") is cut


def test_a_line_over_one_mebibyte_is_left_out_and_told(bench: Bench) -> None:
    """The file is searched to its end."""
    bench.put("f", "x" * (1024 * 1024 + 1) + "\nx\n")

    assert bench.ok("grep", pattern="x") == (
        "<ws>/f:2:x\n... (1 lines over 1 MiB were not searched)"
    )


def test_grep_skips_hidden_and_foreign_code_unless_asked(tree: Bench) -> None:
    """A path that is named outright is always searched."""
    assert tree.ok("grep", pattern="x").split() == [
        f"<ws>/{path}:1:x" for path in ("B.txt", "a/deep/y.py", "a/x.py", "a-b/x.py")
    ]
    assert tree.ok("grep", pattern="x", path=".hidden") == "<ws>/.hidden/z.py:1:x"
    assert tree.ok("grep", pattern="x", path="vendor") == "<ws>/vendor/v.go:1:x"
    assert tree.ok("grep", pattern="x", path=".dot") == "<ws>/.dot:1:x"


@needs_git
def test_grep_follows_the_ignore_files_of_a_repository(tree: Bench) -> None:
    """Global, the repository's own, the root's, nested ones; a later rule wins."""
    tree.put(".gitignore", "dist/\n*.log\n!keep.log\n/only-root\n")
    tree.put("a/.gitignore", "!back.log\nlocal\n")
    for path in (
        "dist/o.js",
        "x.log",
        "keep.log",
        "a/back.log",
        "a/only-root",
        "only-root",
        "a/local",
        "b/local",
        "excluded",
        "globally",
    ):
        tree.put(path, "needle\n")
    before = tree.ok("grep", pattern="needle").split()
    git(tree.root, "init", "-q")
    tree.put(".git/info/exclude", "excluded\n")
    (tree.root.parent / "config" / "git").mkdir(parents=True)
    (tree.root.parent / "config" / "git" / "ignore").write_text("globally\n")

    after = tree.ok("grep", pattern="needle").split()

    assert len(before) == 10
    assert after == [
        f"<ws>/{path}:1:needle" for path in ("a/back.log", "a/only-root", "b/local", "keep.log")
    ]
    assert tree.ok("grep", pattern="needle", path="dist") == "<ws>/dist/o.js:1:needle"
    assert tree.ok("grep", pattern="needle", path="x.log") == "<ws>/x.log:1:needle"
    assert tree.ok("glob", pattern="dist/*.js") == "<ws>/dist/o.js"


@needs_git
def test_a_linked_worktree_has_the_excludes_of_its_repository(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There `.git` is a file that says where the repository is."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    main = bench.root.parent / "main"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "x", "--allow-empty")
    (main / ".git" / "info" / "exclude").write_text("secret\n")
    git(main, "worktree", "add", "-q", str(bench.root / "tree"))
    bench.put("tree/secret", "needle\n")
    bench.put("tree/open", "needle\n")

    assert bench.ok("grep", pattern="needle", path="tree") == "<ws>/tree/open:1:needle"


@needs_git
def test_an_ignore_file_that_is_a_link_is_not_read(bench: Bench) -> None:
    """Git does not read it either."""
    bench.put("rules", "a\n")
    bench.put("a", "needle\n")
    (bench.root / ".gitignore").symlink_to("rules")
    git(bench.root, "init", "-q")

    assert bench.ok("grep", pattern="needle") == "<ws>/a:1:needle"


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


WORDS = st.text(alphabet="ab .*[x", max_size=6)


@pytest.mark.skipif(shutil.which("grep") is None, reason="grep is not installed")
@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    lines=st.lists(WORDS, max_size=8),
    pattern=st.sampled_from(
        ["a", "^a", "b$", "a.b", "[ab]+", "(a|b){2}", "\\.", "x*", "^$", "a b"]
    ),
)
def test_gnu_grep_finds_the_same_lines(bench: Bench, lines: list[str], pattern: str) -> None:
    """Where both dialects mean the same, both programs answer the same."""
    bench.put("f", "\n".join(lines) + "\n")
    done = subprocess.run(
        ["grep", "-nE", "--", pattern, "f"], cwd=bench.root, capture_output=True, text=True
    )
    expected = [f"<ws>/f:{line}" for line in done.stdout.splitlines()] or ["(no matches)"]

    assert bench.ok("grep", pattern=pattern, path="f").split("\n") == expected


# One rule a line of an ignore file.
RULES = st.sampled_from(
    [
        "a",
        "b/",
        "/a",
        "*.x",
        "!a",
        "!*.x",
        "a/b",
        "**/c",
        "a/**",
        "!a/b",
        "# note",
        "",
        "\\#h",
        "c*",
        "?",
        "/b/*",
        "!/b/c",
        "*/c",
        "**/b/c",
        "[ab]",
        "d\\ ",
        "!b/",
    ]
)
FILES = ("a", "b/a", "b/c", "c/a/b", "c/b/c", "x.x", "b/x.x", "#h", "d ", "c/d/e/a")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make one repository for all examples."""
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "-q")
    return root


@needs_git
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    top=st.lists(RULES, max_size=4),
    nested=st.lists(RULES, max_size=3),
    files=st.sets(st.sampled_from(FILES), min_size=1),
)
def test_git_ignores_the_same_files(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    top: list[str],
    nested: list[str],
    files: set[str],
) -> None:
    """Git itself is the judge of what its ignore files mean."""
    from reasonix_runtime.tools.grep.searching import files_below

    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    for path in repository.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in sorted(files):
        file = repository / name
        if file.is_dir() or any(parent.is_file() for parent in file.parents):
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    (repository / "b").mkdir(exist_ok=True)
    (repository / ".gitignore").write_text("\n".join(top) + "\n")
    (repository / "b" / ".gitignore").write_text("\n".join(nested) + "\n")

    workspace = Workspace(repository)
    found = {
        os.path.relpath(file.path, repository)
        for file in files_below(workspace, workspace.locate("."))
    }

    listed = git(repository, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    assert found == {path for path in listed if path and not path.endswith(".gitignore")}


@pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")
def test_ripgrep_finds_the_same_in_a_repository(tree: Bench) -> None:
    """The other engine of such hosts gives the same lines for the same tree."""
    tree.put(".gitignore", "*.log\n!keep.log\nnode_modules\nvendor\n__*\n")
    for path in ("x.log", "keep.log", "a/é.py"):
        tree.put(path, "x = needle\n")
    git(tree.root, "init", "-q")
    done = subprocess.run(
        ["rg", "--no-heading", "-n", "--sort", "path", "x", str(tree.root)],
        capture_output=True,
        text=True,
    )

    assert sorted(tree.ok("grep", pattern="x").splitlines()) == sorted(
        tree.short(done.stdout).splitlines()
    )


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


def test_a_size_that_cannot_be_read_is_minus_one() -> None:
    """A file that went away while it was listed is still told."""
    from reasonix_runtime.tools.ls.behaviour import _file

    class Gone:
        path = "gone"
        found = None

    assert _file(Gone()) == "gone\t-1\n"  # type: ignore[arg-type]  # a stand-in for an entry


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


@needs_git
def test_a_root_that_is_ignored_switches_the_rules_off_below_it(tree: Bench) -> None:
    """Whoever names it wants to see it, hidden files and all."""
    git(tree.root, "init", "-q")
    tree.put(".gitignore", "out/\n*.log\n")
    tree.put("out/.hidden", "needle\n")
    tree.put("out/a.log", "needle\n")

    assert tree.ok("grep", pattern="needle", path="out").splitlines() == [
        "<ws>/out/.hidden:1:needle",
        "<ws>/out/a.log:1:needle",
    ]
    assert tree.ok("grep", pattern="needle") == "(no matches)"
    assert tree.ok("glob", pattern="**/*.log") == "<ws>/out/a.log"
    assert "out/a.log\t7\n" in tree.ok("ls", recursive=True)
