"""`delete_symbol`, line by line of what it promises."""

from __future__ import annotations

import pytest
from tool_bench import Bench

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
