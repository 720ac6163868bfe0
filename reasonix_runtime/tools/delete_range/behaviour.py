"""What `delete_range` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.delete_range.braces import require_whole_pairs
from reasonix_runtime.tools.errors import NotFoundError, NotUniqueError, ToolError
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.diffs import unified_diff
from reasonix_runtime.tools.support.edits import MOST_LINES_SHOWN
from reasonix_runtime.tools.support.lines import Line, lines_of, without


def run(arguments: Arguments, context: Context) -> Output:
    """Delete the lines between two unique lines and answer with the diff."""
    require(arguments, "path", "start_anchor", "end_anchor")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    before = workspace.read_text(place)
    lines = lines_of(before.text)
    start = _find(lines, arguments["start_anchor"], "start_anchor", place.shown)
    end = _find(lines, arguments["end_anchor"], "end_anchor", place.shown)
    if start > end:
        raise ToolError(f"start_anchor appears after end_anchor (lines {start + 1} and {end + 1})")
    if arguments.get("inclusive", True):
        end += 1
    elif start == end:
        raise ToolError(
            f"start_anchor and end_anchor are the same line ({start + 1}), so there is nothing "
            "between them; set inclusive to delete that line"
        )
    else:
        start += 1
    require_whole_pairs(before.text, place.shown, start, end)
    after = without(lines, start, end)
    if after != before.text:
        workspace.change_text(before, after)
    return Output(text=unified_diff(before.text, after, place.shown))


def _find(lines: list[Line], anchor: str, name: str, path: str) -> int:
    """Return the index of the one line that equals the anchor."""
    found = [index for index, line in enumerate(lines) if line.text == anchor]
    if not found:
        raise NotFoundError(
            f"{name} not found in {path}: it must equal a complete line, blanks included"
        )
    if len(found) > 1:
        numbers = ", ".join(str(index + 1) for index in found[:MOST_LINES_SHOWN])
        more = ", ..." if len(found) > MOST_LINES_SHOWN else ""
        raise NotUniqueError(f"{name} is not unique in {path} (lines {numbers}{more})")
    return found[0]
