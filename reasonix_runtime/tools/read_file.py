"""Read a window of a text file, with line numbers."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError

DECLARATION = Declaration(
    name="read_file",
    read_only=True,
    description=(
        "Read a text file. Every line comes with its number, counted from 1, and an arrow "
        "(`12→text`); neither is part of the file. By default up to 2000 lines from the start "
        "are returned; if more follow, the last line names the `offset` to continue with. Byte "
        "order marks, UTF-8, UTF-16 and GB18030 are decoded; binary files are refused. Read the "
        "part of a file that you want to change before changing it."
    ),
    description_zh=(
        "读取文本文件。每行前有从 1 起的行号和箭头（`12→文本`），两者都不是文件内容。默认从头返"
        "回至多 2000 行；若还有后续，末行会给出继续读取的 `offset`。可解码字节序标记、UTF-8、"
        "UTF-16 与 GB18030；二进制文件会被拒绝。修改文件前请先读取要修改的部分。"
    ),
    arguments=s.record(
        {
            "path": s.string("The file to read, relative to the workspace or absolute."),
            "offset": s.integer("How many lines to skip from the start; 0 if left out.", minimum=0),
            "limit": s.integer("How many lines to return at most; 2000 if left out.", minimum=1),
        },
        required=["path"],
    ),
)


DEFAULT_LINES = 2000

LONGEST_LINE = 1024 * 1024
"""Bytes of a line; a longer one is refused when the window reaches it."""


def run(arguments: Arguments, context: Context) -> Output:
    """Return a window of a text file, each line with its number (from 1) and an arrow."""
    if not arguments["path"]:
        raise ToolError("path is required")
    offset = arguments.get("offset", 0)
    limit = arguments.get("limit", DEFAULT_LINES)
    workspace = context.workspace
    content = workspace.read_text(workspace.visible(arguments["path"], "read"))
    return Output(text=window(content.text, offset=offset, limit=limit))


def window(text: str, *, offset: int, limit: int) -> str:
    """Return at most `limit` numbered lines after the first `offset` ones.

    Lines end at LF; one CR before it is not shown. A final LF begins no further line.
    """
    if not text:
        return "(empty file)"
    lines = text.removesuffix("\n").split("\n")
    if offset >= len(lines):
        return f"(offset {offset} is past EOF — file has {len(lines)} lines)"
    shown = lines[offset : offset + limit]
    last = offset + len(shown)
    width = len(str(last))
    # The scan takes one line after the window, to know whether there is more.
    for number, line in enumerate(lines[: last + 1], start=1):
        if len(line.encode()) > LONGEST_LINE:
            raise ToolError(f"scan: line {number} is longer than the limit of 1 MiB")
    numbered = [
        f"{number:>{width}}→{line.removesuffix(chr(13))}\n"
        for number, line in enumerate(shown, start=offset + 1)
    ]
    more = f"\n[more lines below; pass offset={last} to continue]" if last < len(lines) else ""
    return "".join(numbered) + more
