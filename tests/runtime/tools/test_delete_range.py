"""`delete_range`, line by line of what it promises."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.tools.delete_range.braces import brace_pairs
from reasonix_runtime.tools.support.diffs import unified_diff


@pytest.mark.parametrize(
    ("says", "before", "start", "end", "options", "after"),
    [
        ("anchors go too", "a\nb\nc\nd\n", "b", "c", {}, "a\nd\n"),
        ("or stay", "a\nb\nc\nd\n", "a", "d", {"inclusive": False}, "a\nd\n"),
        ("adjacent anchors that stay", "a\nb\n", "a", "b", {"inclusive": False}, "a\nb\n"),
        ("one line", "a\nb\nc\n", "b", "b", {}, "a\nc\n"),
        ("to the end", "a\nb\n", "b", "b", {}, "a\n"),
        ("everything", "a\nb\n", "a", "b", {}, ""),
        ("a missing last newline stays missing", "a\nb\nc", "c", "c", {}, "a\nb"),
        ("it is kept at the end of what stays", "a\nb\nc", "a", "b", {}, "c"),
        ("CRLF stays CRLF", "a\r\nb\r\nc\r\n", "b", "b", {}, "a\r\nc\r\n"),
        ("mixed ends stay mixed", "a\r\nb\nc\r\nd\n", "b", "b", {}, "a\r\nc\r\nd\n"),
        ("lone CRs stay", "a\rx\nb\n", "b", "b", {}, "a\rx\n"),
        ("blanks are part of an anchor", " a \na\n", " a ", " a ", {}, "a\n"),
    ],
)
def test_delete_range(
    bench: Bench, says: str, before: str, start: str, end: str, options: dict[str, bool], after: str
) -> None:
    """Whole lines go, and the bytes of all others stay."""
    bench.put("f", before)

    diff = bench.ok("delete_range", path="f", start_anchor=start, end_anchor=end, **options)

    assert bench.get("f") == after.encode(), says
    assert diff == bench.short(unified_diff(before, after, str(bench.root / "f")))


@pytest.mark.parametrize(
    ("says", "arguments", "message"),
    [
        ("no path", {"path": ""}, "path is required\n"),
        ("no start", {"start_anchor": ""}, "start_anchor is required\n"),
        ("no end", {"end_anchor": ""}, "end_anchor is required\n"),
        ("part of a line", {"start_anchor": "al"}, "start_anchor not found in <ws>/f: "),
        ("a line with its end", {"start_anchor": "alpha\n"}, "start_anchor not found in <ws>/f: "),
        ("end missing", {"end_anchor": "nix"}, "end_anchor not found in <ws>/f: "),
        ("twice", {"end_anchor": "x"}, "end_anchor is not unique in <ws>/f (lines 2, 4)\n"),
        (
            "wrong way round",
            {"start_anchor": "omega", "end_anchor": "alpha"},
            "start_anchor appears after end_anchor (lines 1 and 5)\n",
        ),
        (
            "the same anchor, exclusive",
            {"start_anchor": "alpha", "end_anchor": "alpha", "inclusive": False},
            "start_anchor and end_anchor are the same line (1)",
        ),
        ("no file", {"path": "nix"}, "read <ws>/nix: "),
    ],
)
def test_delete_range_refuses(
    bench: Bench, says: str, arguments: dict[str, Any], message: str
) -> None:
    """Nothing is written unless both anchors are beyond doubt."""
    text = "alpha\nx\nb\nx\nomega\n"
    bench.put("f", text)
    call = {"path": "f", "start_anchor": "alpha", "end_anchor": "omega"} | arguments
    expected = message.replace("(lines 1 and 5)", "(lines 5 and 1)")

    assert bench.fails("delete_range", **call).startswith(expected), says
    assert bench.get("f") == text.encode()


def test_at_most_five_lines_of_an_anchor_are_told(bench: Bench) -> None:
    """A closing brace stands on every second line."""
    bench.put("f", "}\n" * 9)

    message = bench.fails("delete_range", path="f", start_anchor="}", end_anchor="}")

    assert message == "start_anchor is not unique in <ws>/f (lines 1, 2, 3, 4, 5, ...)\n"


GO = "func a() {\n\tif x {\n\t}\n}\n"


@pytest.mark.parametrize(
    ("says", "name", "text", "start", "end", "cut"),
    [
        ("one brace of a pair would stay", "f.go", GO, "func a() {", "\tif x {", True),
        ("the closing one alone", "f.c", "{\n\t{\n\t}\n  }\nend\n", "\t}", "end", True),
        ("both go", "f.go", GO, "func a() {", "}", False),
        ("both stay", "f.go", "a {\nx\n}\n", "x", "x", False),
        ("other files are not looked at", "f.txt", GO, "func a() {", "\tif x {", False),
        ("the extension in any case", "F.GO", GO, "func a() {", "\tif x {", True),
        ("braces in comments do not count", "f.c", "// {\nx\n/* {\n*/\n", "// {", "x", False),
        ("nor in quotes", "f.js", 'a = \'{\'\nb = "\\"{"\nc = `\n{`\n', "a = '{'", "c = `", False),
        ("round and square brackets are not checked", "f.go", "f(\nx\n)\n", "f(", "x", False),
    ],
)
def test_a_pair_of_braces_is_not_cut_apart(
    bench: Bench, says: str, name: str, text: str, start: str, end: str, cut: bool
) -> None:
    """Half a block would break everything behind it."""
    bench.put(name, text)

    result = bench.call("delete_range", path=name, start_anchor=start, end_anchor=end)

    assert result.ok is not cut, says
    if cut:
        assert "braces apart (lines 2 and 3)" in result.text
        assert bench.get(name) == text.encode()


def test_an_anchor_matches_after_decoding(bench: Bench) -> None:
    """The file is GB18030, the anchor is text."""
    bench.put("f", b"\xc4\xe3\xba\xc3\nx\n")

    bench.ok("delete_range", path="f", start_anchor="你好", end_anchor="你好")

    assert bench.get("f") == b"x\n"


@given(st.text(alphabet="{}\n\"'`/*\\a", max_size=40))
def test_brace_pairs_are_lines_of_the_text(text: str) -> None:
    """Whatever the text, the scanner ends and names lines that exist."""
    for opened, closed in brace_pairs(text):
        lines = text.split("\n")
        assert 0 <= opened <= closed < len(lines)
        assert "{" in lines[opened]
        assert "}" in lines[closed]


BRACES = (
    ".c .cc .cjs .cpp .cs .css .cxx .go .h .hh .hpp .htm .html .java .js .json .jsonc .jsx .kt "
    ".kts .less .mjs .php .rs .sass .scss .svelte .swift .ts .tsx .vue"
)


@pytest.mark.parametrize("ending", [*BRACES.split(), ".py", ".md", ""])
def test_braces_count_in_the_languages_that_have_them(bench: Bench, ending: str) -> None:
    """Elsewhere a brace is a character like any other."""
    bench.put(f"f{ending}", "a {\nb\n}\n")

    result = bench.call("delete_range", path=f"f{ending}", start_anchor="a {", end_anchor="b")

    assert result.ok is (ending not in BRACES.split())
