"""`code_index`: the definitions of a tree, found by grammar and named with file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.code_index.behaviour import run
from reasonix_runtime.tools.code_index.code_symbols import LANGUAGES, symbols_in
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.workspace import Workspace

GO = """\
package p

import "fmt"

const A, B = 1, 2

var (
	c int
	d = 1
)

type S struct{ f int }

type I interface{ M() }

type T = S

type F func()

func (s *S) M() {}

func (g G[K]) N() {}

func main() { var local = 1; fmt.Println(local) }
"""

EXAMPLES = {
    "go": (
        GO,
        "5 const A|5 const B|8 var c|9 var d|12 struct S|14 interface I|16 type T|18 type F|"
        "20 method S.M|22 method G.N|24 func main",
    ),
    "python": (
        "class A:\n    async def f(self):\n        def inner(): pass\n\n@d\ndef g(): pass\nX = 1\n",
        "1 class A|2 func f|3 func inner|6 func g",
    ),
    "javascript": (
        "class A { f() {}\n get g() {} }\nfunction h() {}\nconst k = (x) => 1\n"
        "var l = function () {}\nlet m = 3\nexport default class B {}\nexport function* n() {}\n",
        "1 class A|1 method A.f|2 method A.g|3 func h|4 func k|5 func l|7 class B|8 func n",
    ),
    "typescript": (
        "interface I { m(): void }\ntype T = string\nenum E { a }\n"
        "export const f = async (x: number) => x\n"
        "abstract class C { abstract m(): void;\n n() {} }\ndeclare function y(): void\n",
        "1 interface I|2 type T|3 enum E|4 func f|5 class C|5 method C.m|6 method C.n|7 func y",
    ),
    "tsx": ("const V = () => <p>hi</p>\nfunction W() { return <V /> }\n", "1 func V|2 func W"),
    "rust": (
        "fn f() {}\nstruct S;\nenum E { A }\ntrait T { fn m(&self); }\nimpl S { fn n() {} }\n",
        "1 fn f|2 struct S|3 enum E|4 trait T|4 fn m|5 fn n",
    ),
    "java": (
        "class A {\n  int x;\n  void m() {}\n  interface J {}\n}\nenum E { X }\n"
        "record R(int a) {}\n",
        "1 class A|3 method m|4 interface J|6 enum E|7 record R",
    ),
    "c": (
        "#define M 1\nstruct S { int a; };\nenum E { a };\nint *f(int x) { return 0; }\n"
        "int g(void);\nstatic int v = 1;\nint h() { return 1; }\nstruct S s;\n",
        "2 struct S|3 enum E|4 func f|7 func h",
    ),
    "cpp": (
        "class A { public: int f(); };\nint A::g(int x) { return 1; }\nstruct S {};\n",
        "1 class A|2 func A::g|3 struct S",
    ),
    "c-sharp": (
        "class A {\n  int F() { return 1; }\n}\nrecord R(int X);\ninterface I {}\nenum E {A}\n",
        "1 class A|2 method F|4 record R|5 interface I|6 enum E",
    ),
    "kotlin": (
        "class A {\n  fun f() = 1\n}\nobject O\ninterface I\nenum class E { X }\nfun g() {}\n",
        "1 class A|2 method f|4 object O|5 interface I|6 enum E|7 method g",
    ),
}


@pytest.mark.parametrize("grammar", sorted(EXAMPLES))
def test_each_language_shows_its_definitions(grammar: str) -> None:
    """Kind, parent and the line of the name."""
    text, expected = EXAMPLES[grammar]

    found = [
        f"{symbol.line} {symbol.kind} {symbol.parent + '.' if symbol.parent else ''}{symbol.name}"
        for symbol in symbols_in(text, grammar)
    ]

    assert found == expected.split("|")


def test_every_language_of_the_table_has_an_example() -> None:
    """A grammar that nobody tries is broken sooner or later."""
    assert set(LANGUAGES.values()) == set(EXAMPLES)


@pytest.fixture
def code(bench: Bench) -> Bench:
    """Fill a workspace with some code."""
    bench.put("p.go", GO)
    bench.put("b/x.py", "class Beta:\n    def run(self): pass\n")
    bench.put("a.py", "def alpha(): pass\n")
    bench.put("dist/skipped.py", "def nowhere(): pass\n")
    bench.put("note.txt", "def no(): pass\n")
    bench.put("U.PY", "def upper(): pass\n")
    return bench


def test_an_outline_is_sorted_and_says_where(code: Bench) -> None:
    """File, line, kind, name, signature."""
    assert code.ok("code_index", action="outline", path="b") == (
        "b/x.py:1: class Beta — class Beta:\nb/x.py:2: func run — def run(self): pass"
    )
    lines = code.ok("code_index", action="outline").splitlines()
    assert [line.split(":")[0] for line in lines][:4] == ["a.py", "b/x.py", "b/x.py", "p.go"]
    assert "p.go:20: method S.M — func (S) M" in lines
    assert "p.go:12: struct S — struct S" in lines
    assert not {"dist/skipped.py", "note.txt", "U.PY"} & {line.split(":")[0] for line in lines}


@pytest.mark.parametrize(
    ("says", "arguments", "names"),
    [
        ("part of a name, any case", {"query": "ALPH"}, ["alpha"]),
        ("a parent", {"query": "m s func"}, ["M"]),
        ("the signature", {"query": "def run"}, ["run"]),
        ("a kind, any case", {"query": "m", "kind": "METHOD"}, ["M"]),
        ("a kind must be equal", {"query": "m", "kind": "meth"}, []),
        ("a root that is otherwise skipped", {"query": "nowhere", "path": "dist"}, ["nowhere"]),
        ("one file", {"query": "a", "path": "a.py"}, ["alpha"]),
        ("a file of another kind", {"query": "no", "path": "note.txt"}, []),
    ],
)
def test_a_search_narrows(
    code: Bench, says: str, arguments: dict[str, Any], names: list[str]
) -> None:
    """By name, parent, signature and kind."""
    text = code.ok("code_index", action="search", **arguments)

    if not names:
        assert text == "(no symbols)", says
    else:
        found = [line.split(" — ")[0].split()[-1].split(".")[-1] for line in text.splitlines()]
        assert found == names, says


def test_symbols_are_sorted_over_whole_paths(bench: Bench) -> None:
    """A walk comes to `m/x.py` before `m-n/x.py`; by their bytes it is the other way round."""
    bench.put("m/x.py", "def one(): pass\n")
    bench.put("m-n/x.py", "def two(): pass\n")

    lines = bench.ok("code_index", action="outline").splitlines()

    assert [line.split(":")[0] for line in lines] == ["m-n/x.py", "m/x.py"]


def test_filters_count_before_the_limit(code: Bench) -> None:
    """And what the limit cuts off is told."""
    text = code.ok("code_index", action="outline", kind="const", limit=1)

    assert text == (
        "p.go:5: const A — const A\n... (truncated; narrow path/query/kind or raise limit)"
    )
    assert "truncated" not in code.ok("code_index", action="outline", kind="const", limit=2)


def test_the_limit_has_a_default_and_an_end(code: Bench) -> None:
    """100 unless asked, never more than 200."""
    code.put("many.py", "".join(f"def f{n}(): pass\n" for n in range(300)))

    assert len(code.ok("code_index", action="outline", path="many.py").splitlines()) == 101
    lines = code.ok("code_index", action="outline", path="many.py", limit=999).splitlines()
    assert len(lines) == 201


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"action": "search"}, "query is required for action=search\n"),
        ({"action": "search", "query": " "}, "query is required for action=search\n"),
        ({"action": "find"}, 'invalid args for code_index:\n- action: expected one of "outline"'),
        ({"action": "outline", "path": "nix"}, "code_index <ws>/nix: no such file or directory\n"),
        ({"action": "outline", "path": ".."}, ".. is outside the workspace"),
    ],
)
def test_code_index_refuses(code: Bench, arguments: dict[str, Any], message: str) -> None:
    """What cannot be looked for is said."""
    assert code.fails("code_index", **arguments).startswith(message)


def test_a_stop_at_2000_files_is_told(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that did not see everything must not look complete."""
    monkeypatch.setattr("reasonix_runtime.tools.code_index.behaviour.MOST_FILES", 3)
    for number in range(4):
        bench.put(f"{number}.py", "def f(): pass\n")

    text = bench.ok("code_index", action="outline")

    assert text.splitlines()[2:] == [
        "2.py:1: func f — def f(): pass",
        "... (truncated; narrow path/query/kind or raise limit)",
    ]


def test_a_stop_before_the_first_match_is_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty answer would read as "there is no such definition"."""
    monkeypatch.setattr("reasonix_runtime.tools.code_index.behaviour.MOST_FILES", 1)
    bench.put("a.py", "def a(): pass\n")
    bench.put("b.py", "def wanted(): pass\n")

    assert bench.ok("code_index", action="search", query="wanted") == (
        "(no symbols)\n... (truncated; narrow path/query/kind or raise limit)"
    )


def test_a_declared_encoding_is_used(make_bench: MakeBench, tmp_path: Path) -> None:
    """As by every other tool that reads text."""
    bench = make_bench(workspace=Workspace(tmp_path / "ws", encodings=[("*.py", "latin-1")]))
    bench.put("a.py", b"def caf\xe9(): pass\n")

    assert bench.ok("code_index", action="outline") == "a.py:1: func café — def café(): pass"


def test_a_cancelled_index_is_an_error(code: Bench) -> None:
    """The user pressed stop; what was found by then is not the index."""
    code.context.cancellation.cancel()

    with pytest.raises(ToolError, match="cancelled before the index was complete"):
        run({"action": "outline"}, code.context)


def test_large_binary_and_broken_files_do_no_harm(bench: Bench) -> None:
    """A file that is being edited shows what can be understood of it."""
    bench.put("big.py", "def big(): pass\n" + "#" * (1024 * 1024))
    bench.put("bin.py", b"\0def no(): pass\n")
    bench.put("latin.py", b"# caf\xe9\ndef no(): pass\n")
    bench.put("broken.go", "package p\nfunc ok() {}\nfunc {\n")

    assert bench.ok("code_index", action="outline") == "broken.go:2: func ok — func ok"
    assert bench.ok("code_index", action="search", query="big", path="big.py").startswith(
        "big.py:1:"
    )


SKIPPED = ".git node_modules vendor __pycache__ .idea .vscode .next dist build target coverage"
EXTENSIONS = ".go .js .jsx .ts .tsx .py .java .kt .kts .cs .rs .c .cc .cpp .h .hpp"


def test_the_extensions_and_their_case_decide_what_is_code() -> None:
    """Each of these, and none else."""
    assert set(LANGUAGES) == set(EXTENSIONS.split())


def test_folders_that_hold_no_source_of_ours_are_skipped_unless_named(bench: Bench) -> None:
    """Other hidden folders and ignored files are indexed: no ignore file is read."""
    for name in (*SKIPPED.split(), ".other", "ignored"):
        bench.put(f"{name}/f.py", "def f(): pass\n")
    bench.put(".gitignore", "ignored\n")

    lines = bench.ok("code_index", action="outline").splitlines()

    assert [line.split(":")[0] for line in lines] == [".other/f.py", "ignored/f.py"]
    for name in SKIPPED.split():
        text = bench.ok("code_index", action="outline", path=name)
        assert text == f"{name}/f.py:1: func f — def f(): pass"


def test_a_hidden_root_has_no_symbols(make_bench: MakeBench, tmp_path: Path) -> None:
    """That it is there is already something told."""
    bench = make_bench(workspace=Workspace(tmp_path / "ws", hidden=[tmp_path / "ws" / "p"]))
    bench.put("p/k.py", "def key(): pass\n")

    assert bench.ok("code_index", action="outline", path="p") == "(no symbols)"
    assert bench.ok("code_index", action="outline") == "(no symbols)"


def test_filters_narrow_an_outline_too(code: Bench) -> None:
    """A query or a kind means the same for both actions."""
    assert code.ok("code_index", action="outline", query="ALPHA", kind="FUNC") == (
        "a.py:1: func alpha — def alpha(): pass"
    )


def test_symbols_of_one_line_are_sorted_by_their_names(bench: Bench) -> None:
    """File, line, name: the same index every time."""
    bench.put("a.go", "package p\n\nvar z, b, a = 1, 2, 3\n")

    lines = bench.ok("code_index", action="outline").splitlines()

    assert [line.split()[2] for line in lines] == ["a", "b", "z"]
