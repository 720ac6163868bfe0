"""The line scanner sees the structure that a Markdown library sees."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from reasonix_runtime.contract.document_blocks import LINE_END, blocks, split_cells

MARKDOWN = MarkdownIt("commonmark").enable("table")


def scanned(text: str) -> list[tuple[object, ...]]:
    """Return headings, tables and fences as the scanner sees them."""
    found: list[tuple[object, ...]] = []
    for block in blocks(LINE_END.split(text)):
        if block.kind == "heading":
            found.append(("heading", block.line, block.level, block.text))
        elif block.kind == "fence":
            found.append(("fence", block.line, block.info, block.text.rstrip("\n")))
        elif block.kind == "table":
            width = len(block.rows[0].cells)
            rows = [[cell.text for cell in row.cells[:width]] for row in block.rows]
            padded = [row + [""] * (width - len(row)) for row in rows]
            found.append(("table", block.line, padded))
    return found


def parsed(text: str) -> list[tuple[object, ...]]:
    """Return the same as markdown-it-py sees it; what stands in quotes is left out."""
    found: list[tuple[object, ...]] = []
    rows: list[list[str]] = []
    quoted = 0
    tokens = MARKDOWN.parse(text)
    for position, token in enumerate(tokens):
        quoted += {"blockquote_open": 1, "blockquote_close": -1}.get(token.type, 0)
        if quoted:
            continue
        line = token.map[0] + 1 if token.map else 0
        if token.type == "heading_open":
            title = "\n".join(part.strip() for part in tokens[position + 1].content.split("\n"))
            found.append(("heading", line, int(token.tag[1]), title))
        elif token.type == "fence":
            found.append(("fence", line, token.info.strip(), token.content.rstrip("\n")))
        elif token.type == "table_open":
            rows = []
            found.append(("table", line, rows))
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(tokens[position + 1].content)
    return found


TABLE = "| Tool | Read-only |\n| --- | --- |\n| `a` | true |\n"


@pytest.mark.parametrize(
    "text",
    [
        TABLE,
        TABLE.replace("\n", "\r\n"),
        "text\n" + TABLE + "torn line\n\n" + TABLE,
        "```\n" + TABLE + "```\n",
        "~~~~md\n" + TABLE + "~~~\n~~~~\n" + TABLE,
        "    " + TABLE.replace("\n", "\n    "),
        "- item\n\n  " + TABLE.replace("\n", "\n  ") + "\n\n" + TABLE,
        "- item\n\n  ```json\n  | `a` | true |\n  ```\n\n" + TABLE,
        "1. item\n\n   ```\n   | a | b |\n\n" + TABLE,
        "<!-- \n" + TABLE + "-->\n" + TABLE,
        "<!-- one line -->\n" + TABLE,
        "<details>\n" + TABLE + "\n" + TABLE + "</details>\n",
        "<pre>\n\n" + TABLE + "\n</pre>\n" + TABLE,
        "| a \\| b | c |\n| :-- | --: |\n| `x|y` | \\\\| z |\n",
        "a | b\n--- | ---\nc | d\n# End\n",
        "| a |\n|---|\n| b | c | d |\n|\n| |\n",
        "Title\n=====\n\nTwo\nlines\n---\n\n## Closed ##\n\n# \n",
        "> " + TABLE.replace("\n", "\n> ") + "\n\n" + TABLE,
        "---\n\n***\n- - -\n\ntext\n",
        "\t" + TABLE + "\n-\ttab\n\n\t" + TABLE.replace("\n", "\n\t"),
        "- - | a | b |\n    | - | - |\n    | c | d |\n",
        "```\n    ```\n" + TABLE + "   ```\n" + TABLE,
        "```not a `fence\n" + TABLE,
        "| a | b |\n| --- |\n| c | d |\n",
        "| a | b |\n|---||---|\n| c | d |\n",
    ],
)
def test_a_document_has_the_same_structure_as_for_a_markdown_library(text: str) -> None:
    """What a reader of the rendered page sees as a table is what is checked, and nothing else."""
    assert parsed(text) == scanned(text)


FRAGMENTS = st.sampled_from(
    [
        "",
        "",
        "",
        "text",
        "| `a` | true | does a |",
        "| Tool | Read-only | Description |",
        "| --- | --- | --- |",
        "| b \\| c | `x|y` |",
        "  | `a` | true | does a |",
        "      | `a` | true | does a |",
        "```",
        "```json",
        "~~~",
        "  ```",
        "# Heading",
        "## Heading ##",
        "<!-- comment -->",
        "<!--",
        "-->",
        "<div>",
        "    code",
        "- item",
        "  - inner",
        "1. first",
        "2. second",
        "  more",
        "---",
        "===",
        "> quote",
        "-",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(FRAGMENTS, max_size=14))
def test_fragments_in_any_order_have_the_same_structure(lines: list[str]) -> None:
    """Documents of other hosts put tables, fences and comments next to each other freely."""
    text = "\n".join(lines)

    assert parsed(text) == scanned(text)


@given(st.lists(st.text(alphabet="ab |\\`", max_size=8), max_size=4))
def test_cells_are_split_as_they_are_joined(cells: list[str]) -> None:
    """A pipe or a backslash in a description must not move text into another column."""
    stripped = [cell.strip() for cell in cells]
    line = "| " + " | ".join(cell.replace("|", "\\|") for cell in stripped) + " |"

    found, closed = split_cells(line)

    assert closed or not cells or stripped[-1].endswith("\\")
    if not any(cell.endswith("\\") for cell in stripped):
        assert stripped == [cell.text for cell in found] or not cells
