"""`move_file`, `delete_range` and `delete_symbol`, line by line of what they promise."""

from __future__ import annotations

import errno
import fcntl
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.delete_range.braces import brace_pairs
from reasonix_runtime.tools.move_file import moving
from reasonix_runtime.tools.support.diffs import unified_diff
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


def test_a_huge_diff_is_replaced_by_a_note(bench: Bench) -> None:
    """And a text with NUL has none."""
    bench.put("f", "a\n" + "x\n" * 2100 + "b\n")
    note = bench.ok("delete_range", path="f", start_anchor="a", end_anchor="b")

    assert note == "(diff omitted: +0 -2102 lines are more than 2000)"
    assert unified_diff("a\0", "b", "f") == ""


LINES = st.lists(st.sampled_from(["a", "b", "", "x\r", "é"]), max_size=9)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    head=LINES, middle=LINES, new=LINES, tail=LINES, ends=st.tuples(st.booleans(), st.booleans())
)
def test_patch_applies_every_diff(
    tmp_path: Path,
    head: list[str],
    middle: list[str],
    new: list[str],
    tail: list[str],
    ends: tuple[bool, bool],
) -> None:
    """What we show as the change is the change, as another program understands it."""
    before, after = ("\n".join([*head, *part, *tail]) for part in (middle, new))
    before, after = before + "\n" * ends[0], after + "\n" * ends[1]
    diff = unified_diff(before, after, "/f")
    (tmp_path / "f").write_bytes(before.encode())
    (tmp_path / "d").write_bytes(diff.encode())

    done = subprocess.run(
        ["patch", "--binary", "--fuzz=0", "-s", "f", "d"],
        cwd=tmp_path,
        capture_output=True,
    )

    assert (before == after) == (diff == "")
    assert done.returncode == 0, (done.stdout, diff)
    made = (tmp_path / "f").read_bytes() if (tmp_path / "f").exists() else b""
    assert made == after.encode()


@given(st.text(alphabet="{}\n\"'`/*\\a", max_size=40))
def test_brace_pairs_are_lines_of_the_text(text: str) -> None:
    """Whatever the text, the scanner ends and names lines that exist."""
    for opened, closed in brace_pairs(text):
        lines = text.split("\n")
        assert 0 <= opened <= closed < len(lines)
        assert "{" in lines[opened]
        assert "}" in lines[closed]


SOURCE = """\
// Package p does.
package p

import "fmt"

// Limit is the limit.
// It has two lines.
const Limit = 3

const (
	// A is first.
	A = iota
	B // trailing
	c, d = 1, 2
)

var x, y = 1, 2

// T is a type.
type T struct {
	B int
}

type (
	// I is small.
	I interface{ M() }
	Alias = T
)

// not a doc comment

func Free() { fmt.Println("x") }

/* block
doc */
func (t *T) M() {}
func (t T) N() {}
func (g G[K]) P() {}
func M() {}

type G[K any] struct{}

var before = 1 // about before
func after() {}
func one() {}; func two() {}
"""


@pytest.mark.parametrize(
    ("says", "arguments", "gone"),
    [
        (
            "with its doc comment",
            {"name": "Limit"},
            "// Limit is the limit.\n// It has two lines.\nconst Limit = 3\n",
        ),
        ("one spec of a group", {"name": "A"}, "\t// A is first.\n\tA = iota\n"),
        ("a trailing comment goes with it", {"name": "B"}, "\tB // trailing\n"),
        (
            "a struct is a type",
            {"name": "T", "kind": "type"},
            "// T is a type.\ntype T struct {\n\tB int\n}\n",
        ),
        (
            "an interface in a group",
            {"name": "I", "kind": "interface"},
            "\t// I is small.\n\tI interface{ M() }\n",
        ),
        ("an alias", {"name": "Alias"}, "\tAlias = T\n"),
        (
            "a blank line ends a comment's claim",
            {"name": "Free"},
            'func Free() { fmt.Println("x") }\n',
        ),
        (
            "a method by its kind",
            {"name": "M", "kind": "method"},
            "/* block\ndoc */\nfunc (t *T) M() {}\n",
        ),
        (
            "a method by its receiver",
            {"name": "M", "parent": "T"},
            "/* block\ndoc */\nfunc (t *T) M() {}\n",
        ),
        ("a receiver without star", {"name": "N", "parent": "T"}, "func (t T) N() {}\n"),
        ("a function of the same name", {"name": "M", "kind": "func"}, "func M() {}\n"),
        ("a generic receiver has no parent", {"name": "P"}, "func (g G[K]) P() {}\n"),
        ("a comment behind code is not ours", {"name": "after"}, "func after() {}\n"),
        ("a variable with its comment", {"name": "before"}, "var before = 1 // about before\n"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_delete_symbol(
    bench: Bench, says: str, arguments: dict[str, str], gone: str, end: str
) -> None:
    """The declaration and its comment go, and nothing else."""
    source = SOURCE.replace("\n", end)
    bench.put("p.go", source)

    diff = bench.ok("delete_symbol", path="p.go", **arguments)

    assert bench.get("p.go").decode() == source.replace(gone.replace("\n", end), "", 1), says
    removed = [line[1:] for line in diff.split("\n") if line.startswith("-")][1:]
    assert "\n".join(removed) + "\n" == gone.replace("\n", end)


@pytest.mark.parametrize(
    ("says", "arguments", "message"),
    [
        ("no path", {"path": ""}, "path is required\n"),
        ("no name", {"name": ""}, "name is required\n"),
        ("another language", {"path": "x.py"}, "<ws>/x.py is no Go file; delete_range works"),
        ("outside comes first", {"path": "../x.py"}, "../x.py is outside the workspace"),
        ("does not parse", {"path": "bad.go"}, "parse <ws>/bad.go: syntax error at line 2"),
        ("no package", {"path": "none.go"}, "parse <ws>/none.go: expected a package clause"),
        ("unknown", {"name": "Nix"}, 'symbol "Nix" not found in <ws>/p.go\n'),
        ("case counts", {"name": "limit"}, 'symbol "limit" not found in <ws>/p.go\n'),
        ("fields are no candidates", {"name": "fmt"}, 'symbol "fmt" not found in <ws>/p.go\n'),
        (
            "wrong kind",
            {"name": "T", "kind": "struct"},
            'symbol "T" with kind "struct" not found in <ws>/p.go; it is type\n',
        ),
        (
            "wrong parent",
            {"name": "N", "parent": "X"},
            'symbol "N" with kind "any" and parent "X" not found in <ws>/p.go\n',
        ),
        (
            "ambiguous",
            {"name": "M"},
            'Multiple matches for "M" in <ws>/p.go; say which by kind and parent:\n'
            "line 36: method M (receiver T)\nline 39: func M\n",
        ),
        ("shared", {"name": "x"}, "x is declared together with y, which would go too (line 17)"),
        ("shared in a group", {"name": "c"}, "c is declared together with d, which would go too"),
        (
            "another one on its line",
            {"name": "one"},
            "the lines of one also hold two, which would go",
        ),
    ],
)
def test_delete_symbol_refuses(
    bench: Bench, says: str, arguments: dict[str, str], message: str
) -> None:
    """Nothing is removed unless exactly one declaration is meant."""
    bench.put("p.go", SOURCE)
    bench.put("bad.go", "package p\nfunc {\n")
    bench.put("none.go", "func f() {}\n")

    assert bench.fails("delete_symbol", **({"path": "p.go", "name": "T"} | arguments)).startswith(
        message
    ), says
    assert bench.get("p.go") == SOURCE.encode()


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
    assert (bench.root / "x").stat().st_mode & 0o777 == 0o755


def test_a_symbol_and_a_range_are_told_as_the_same_kind_of_diff(bench: Bench) -> None:
    """The whole path is in its head, three lines around the change, and nothing behind it."""
    source = "package p\n\n" + "".join(f"var v{n} = {n}\n" for n in range(9))
    expected = (
        "--- a/<ws>/p.go\n+++ b/<ws>/p.go\n@@ -4,7 +4,6 @@\n var v1 = 1\n var v2 = 2\n"
        " var v3 = 3\n-var v4 = 4\n var v5 = 5\n var v6 = 6\n var v7 = 7\n"
    )
    calls: list[tuple[str, dict[str, str]]] = [
        ("delete_symbol", {"name": "v4"}),
        ("delete_range", {"start_anchor": "var v4 = 4", "end_anchor": "var v4 = 4"}),
    ]
    for tool, arguments in calls:
        bench.begin_turn()
        bench.put("p.go", source)

        assert bench.ok(tool, path="p.go", **arguments) == expected


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


@pytest.mark.parametrize("name", ["f", "v", "Local"])
def test_only_top_level_declarations_are_symbols(bench: Bench, name: str) -> None:
    """A field, a variable of a function and a type of a function are parts of something else."""
    bench.put(
        "p.GO",
        "package p\n\ntype T struct{ f int }\n\nfunc g() {\n\tvar v int\n\t"
        "type Local int\n\t_ = v\n}\n",
    )

    assert bench.fails("delete_symbol", path="p.GO", name=name).startswith(f'symbol "{name}" not ')


def test_an_emptied_group_and_what_stands_around_a_symbol_stay(bench: Bench) -> None:
    """Nothing is laid out anew: blank lines, the group's comment, an import that is unused now."""
    bench.put(
        "p.go",
        'package p\n\nimport "fmt"\n\n// All of them.\nvar (\n\t// A is one.\n'
        "\tA = fmt.Sprint()\n)\n\n"
        "\nfunc f() {}\n",
    )

    bench.ok("delete_symbol", path="p.go", name="A")
    bench.ok("delete_symbol", path="p.go", name="f")

    assert bench.get("p.go").decode() == (
        'package p\n\nimport "fmt"\n\n// All of them.\nvar (\n)\n\n\n'
    )
