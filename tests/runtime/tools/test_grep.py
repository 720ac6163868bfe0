"""`grep`: the lines that match, in the files that a search reads."""

from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench


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
