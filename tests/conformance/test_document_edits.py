"""An update changes the cells that tell something else, and loses nothing of what is around."""

from __future__ import annotations

import re
from typing import Any

import pytest

from reasonix_conformance.document_edits import accept
from reasonix_runtime.contract.document import parse

PRESENT = """\
# Ours

| Tool | Read-only | Description |
| --- | --- | --- |
| `bash` | false | Run. |
| `grep` | true | Find a\\|b. |
| `wait` | true | Wait. |

After."""

FRESH = """\
| Tool | Read-only | Description |
| --- | --- | --- |
| `ask` | true | Ask. |
| `grep` | false | Find c\\|d. |
| `move` | false | Move. |
| `wait` | true | Wait. |
| `zap` | false | Zap. |
"""

ALL = ("ask", "bash", "grep", "move", "wait", "zap")

EXPECTED = """\
# Ours

| Tool | Read-only | Description |
| --- | --- | --- |
| `ask` | true | Ask. |
| `grep` | false | Find c\\|d. |
| `move` | false | Move. |
| `wait` | true | Wait. |
| `zap` | false | Zap. |

After."""

LAYOUTS = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "a byte order mark": lambda text: "\ufeff" + text,
    "nothing behind the table": lambda text: text.removesuffix("\n\nAfter."),
    "a list item": lambda text: "- x\n\n" + "\n".join(f"  {line}" for line in text.split("\n")),
    "three blanks": lambda text: "\n".join(f"   {line}" for line in text.split("\n")),
    "lone carriage returns above": lambda text: "a\rb\rc\n\n" + text,
}

OPEN_ROWS = {
    "no closing pipe": (r" \|$", ""),
    "no closing pipe, blanks at the end": (r"\|$", " "),
    "no pipe around": (r"^\| | \|$", ""),
}
"""What is replaced in the lines of a table so that its rows stay legal."""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_are_edited_whatever_the_layout(layout: str) -> None:
    """The lines that are edited are those that were read, and they stay where they stood."""
    lay_out = LAYOUTS[layout]

    assert lay_out(EXPECTED) == accept(lay_out(PRESENT), FRESH, tools=ALL)


def test_only_the_cells_that_differ_change() -> None:
    """A table that somebody aligned stays aligned where nothing changed."""
    aligned = PRESENT.replace(
        "| `grep` | true | Find a\\|b. |", "|  `grep`  |  true  |Find a\\|b.  |"
    )

    assert aligned.replace("  true  ", "  false  ").replace("a\\|b", "c\\|d") == accept(
        aligned, FRESH, tools=("grep",)
    )


@pytest.mark.parametrize("layout", OPEN_ROWS)
def test_rows_that_no_pipe_closes_are_edited_as_others_are(layout: str) -> None:
    """Markdown asks for no pipe around a row; such a row was left as it was, and stayed red."""
    pattern, text = OPEN_ROWS[layout]
    present, expected = (
        re.sub(pattern, text, document, flags=re.MULTILINE) for document in (PRESENT, EXPECTED)
    )
    tools = ("bash", "grep", "wait")  # a row that is added has its pipes
    rows = [line for line in expected.split("\n") if not re.search("ask|move|zap", line)]

    assert "\n".join(rows) == accept(present, FRESH, tools=tools)


@pytest.mark.parametrize("rest", ["and more. |", "and more", "and | more. |"])
def test_a_row_whose_rest_stands_on_the_next_line_is_left_to_its_author(rest: str) -> None:
    """The rest would stay behind, below a description that is whole."""
    torn = PRESENT.replace("| Find a\\|b. |", f"| Find a\\|b\n{rest}")

    assert torn == accept(torn, FRESH, tools=("grep",))


def test_every_row_of_a_tool_that_is_gone_goes() -> None:
    """The second one would stand there as stale, after an update that accepted it."""
    twice = PRESENT.replace("| `bash`", "| `bash` | true | Again. |\n| `bash`")

    assert [] == [
        row for row in parse(accept(twice, FRESH, tools=("bash",))).rows if row.name == "bash"
    ]


HEAD = "| Tool | Read-only | Description |\n| --- | --- | --- |\n"
PRINTS = "\n| Tool | Fingerprint |\n| --- | --- |\n"
LISTS = (
    "\n## One surface\n\n<!-- surface: one -->\n\n{}\n"
    "\n## Two surface\n\n<!-- surface: two -->\n\n{}\n"
)


def prints(**marks: str) -> str:
    """Return a table of fingerprints."""
    return PRINTS + "".join(f"| `{name}` | `{mark * 16}` |\n" for name, mark in marks.items())


@pytest.mark.parametrize(
    ("present", "fresh", "given", "expected"),
    [
        (prints(b="0"), prints(a="1", b="2"), {}, prints(a="1", b="2")),
        (prints(a="0", b="0"), prints(a="1"), {}, prints(a="1")),
        (prints(a="0", b="0"), prints(a="1", b="2"), {"untold": {"b"}}, prints(a="1", b="0")),
        (prints(), prints(a="1", b="2"), {}, prints(a="1", b="2")),
        ("", prints(a="1"), {}, ""),
        (
            LISTS.format("`a`, `b`", "`a`, `b`"),
            LISTS.format("`a`, `c`", "`b`, `c`"),
            {"surfaces": ["two", "three"]},
            LISTS.format("`a`, `b`", "`b`, `c`"),
        ),
    ],
)
def test_fingerprints_and_lists_are_those_of_what_was_accepted(
    present: str, fresh: str, given: dict[str, Any], expected: str
) -> None:
    """And no table or list is begun that the document does not have."""
    assert HEAD + expected == accept(HEAD + present, HEAD + fresh, tools=("a", "b"), **given)


def test_an_empty_table_of_tools_is_filled() -> None:
    """Its rows stand under its head."""
    rows = "| `a` | true | A. |\n| `b` | true | B. |\n"

    assert f"{HEAD}{rows}\nMore.\n" == accept(f"{HEAD}\nMore.\n", HEAD + rows, tools=("a", "b"))


def test_own_words_stay() -> None:
    """A translation keeps what it says; new tools come with the words of the host."""
    chinese = PRESENT.replace("Find a\\|b.", "查找 a\\|b。").replace("| true |", "| 是 |")

    assert EXPECTED.replace("Find c\\|d.", "查找 a\\|b。").replace(
        "`wait` | true", "`wait` | 是"
    ) == accept(chinese, FRESH, tools=ALL, own_words=True)


def test_a_row_of_other_columns_is_left_to_its_author() -> None:
    """Three cells in a table of four would tear it."""
    wide = "\n".join(
        f"{line} {'---' if '---' in line else 'x'} |" if line.startswith("|") else line
        for line in PRESENT.split("\n")
    )

    assert wide == accept(wide, FRESH, tools=("ask", "grep", "move"))


def test_an_empty_flag_is_filled() -> None:
    """The cell keeps its blanks."""
    empty = PRESENT.replace("`wait` | true |", "`wait` ||")

    assert "| `wait` | true | Wait. |" in accept(empty, FRESH, tools=("wait",))


@pytest.mark.parametrize("header", ["| Tool | Fingerprint |", "| 工具 | 指纹 |"])
def test_an_empty_table_of_fingerprints_is_filled(header: str) -> None:
    """It is how a document that was begun by an update gets them; a schema not known has none."""
    empty = f"{PRESENT}\n\n{header}\n| --- | --- |\n"
    ask, move, wait = (f"| `{name}` | `0123456789abcdef` |\n" for name in ("ask", "move", "wait"))
    fresh = f"{FRESH}\n| Tool | Fingerprint |\n| --- | --- |\n{ask}{move}{wait}"

    filled = accept(empty, fresh, tools=("wait", "move", "ask"), untold=("move",))

    assert filled.endswith(f"{header}\n| --- | --- |\n{ask}{wait}")


@pytest.fixture
def translated(project: Any) -> Any:
    """Return a project with a Chinese document of the same facts, translated by hand."""
    project.write()
    written = project.document.read_text()
    chinese = written.replace("Show a file.", "显示文件。").replace("Wait.", "等待。")
    twin = project.document.with_name("TOOL_CONTRACT.zh-CN.md")
    twin.write_text(chinese, encoding="utf-8")
    project.twin = twin

    def change() -> None:
        project.write()
        project.document.write_text(written)
        project.write = lambda: None

    project.change = change
    return project


def test_an_update_keeps_the_words_of_a_translator(translated: Any) -> None:
    """It wrote the host's English over them."""
    translated.tools["look"].update(read_only=False, description="Show files.")
    translated.change()

    translated.run("--reasonix-update").assert_outcomes(passed=6)

    text = translated.twin.read_text(encoding="utf-8")
    assert "| `look` | false | 显示文件。 |" in text
    assert "| `wait` | true | 等待。 |" in text
    assert "| `look` | false | Show files. |" in translated.document.read_text()
    translated.run("--reasonix-strict").assert_outcomes(passed=6)


def test_a_document_in_another_language_keeps_its_words(translated: Any) -> None:
    """Its texts are for its readers, whether or not another document stands beside it."""
    translated.tools["look"].update(read_only=False, description="Show files.")
    translated.change()

    option = "--reasonix-document=docs/TOOL_CONTRACT.zh-CN.md"
    translated.run("--reasonix-update", option).assert_outcomes(passed=5)

    assert "| `look` | false | 显示文件。 |" in translated.twin.read_text(encoding="utf-8")
