"""What `read_file` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.arguments import require

DEFAULT_LINES = 2000
"""How many lines are shown where no limit is given."""

LONGEST_LINE = 1024 * 1024
"""Bytes of a line; a longer one is refused when the window reaches it."""


def run(arguments: Arguments, context: Context) -> Output:
    """Return a window of a text file, each line with its number (from 1) and an arrow."""
    require(arguments, "path")
    offset = arguments.get("offset", 0)
    limit = arguments.get("limit", DEFAULT_LINES)
    workspace = context.workspace
    content = workspace.read_text(workspace.visible(arguments["path"], "read"))
    return Output(text=window(content.text, offset=offset, limit=limit))


def window(text: str, *, offset: int, limit: int) -> str:
    """Return at most `limit` numbered lines after the first `offset` ones.

    Lines end at LF; one CR before it is not shown. A final LF begins no further line. Raises
    ToolError for a line of more than 1 MiB.
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
