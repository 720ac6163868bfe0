"""A line that looks like a row and is none is named, so that nobody looks for what he can see."""

from __future__ import annotations

from typing import Any

import pytest

ROW = "| `wait` | true | Wait. |"


@pytest.mark.parametrize(
    ("row", "line"),
    [
        (f"<!-- {ROW} -->", 7),
        (f"    {ROW}", 7),
        (f"\t{ROW}", 7),
        (f"\n> {ROW}", 8),
        (f"\n```\n{ROW}\n```", 9),
        (f"\n- x\n\n  ```text\n  {ROW}\n  ```", 11),
    ],
)
def test_a_row_outside_of_the_table_is_named_by_its_line(project: Any, row: str, line: int) -> None:
    """`no row for 'wait'` of a document that shows one is hardly believed."""
    text = project.text().replace(ROW, row)
    project.text = lambda: text

    result = project.run("-k", "wait")

    result.stdout.fnmatch_lines(
        [
            "tool/documented: the document has no row for the tool, only a line like one",
            f"  where     docs/TOOL_CONTRACT.md:{line}",
        ]
    )


def test_a_row_of_fingerprints_is_no_line_like_a_row(project: Any) -> None:
    """The same name in another table tells nothing about the tool's row."""
    text = project.text().replace(f"{ROW}\n", "")
    project.text = lambda: text

    result = project.run("-k", "wait")

    result.stdout.fnmatch_lines(["tool/documented: the document has no row for the tool"])


@pytest.mark.parametrize("row", ["| wait | true |", "| wait |"])
def test_a_torn_row_is_not_one_that_is_missing(project: Any, row: str) -> None:
    """Whoever is told to add a row that stands there has two of them."""
    text = project.text().replace(ROW, row)
    project.text = lambda: text

    result = project.run("-k", "wait")

    result.stdout.fnmatch_lines(
        [
            "tool/documented: its row in the document cannot be read",
            "  where     docs/TOOL_CONTRACT.md:7:*",
            "  to do     repair the row",
        ]
    )


def test_swapped_cells_are_one_fault_of_the_document(project: Any) -> None:
    """They made a stale tool called `true`, and a tool that nobody documented."""
    text = project.text().replace("| `wait` | true |", "| true | `wait` |")
    project.text = lambda: text

    result = project.run()

    assert ["document"] == project.failed(result)
    result.stdout.fnmatch_lines(
        [
            "document/readable: name and flag of 'wait' have changed places",
            "  where     docs/TOOL_CONTRACT.md:7:3",
        ]
    )


def test_a_tool_whose_name_is_a_word_for_a_flag_is_a_tool(project: Any) -> None:
    """`write` says of another tool that it may write; here it is a name."""
    for tools in (project.tools, project.rows):
        tools["write"] = tools["put"]
    text = project.text().replace("| `write` | false |", "| `write` | `false` |")
    project.text = lambda: text

    assert "changed places" not in "\n".join(project.run().outlines)
