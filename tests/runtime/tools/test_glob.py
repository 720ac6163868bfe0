"""`glob`: patterns, their caps and their limits."""

from __future__ import annotations

import pytest
from tool_bench import Bench

from reasonix_runtime.tools.support import walking


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
