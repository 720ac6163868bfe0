"""Delete the lines between two anchor lines."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.braces import require_whole_pairs
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.diffs import unified_diff
from reasonix_runtime.tools.errors import NotFoundError, NotUniqueError, ToolError
from reasonix_runtime.tools.lines import Line, lines_of, without

DECLARATION = Declaration(
    name="delete_range",
    read_only=False,
    description=(
        "Delete the lines of a file from `start_anchor` to `end_anchor` and return the unified "
        "diff. An anchor is one complete line, compared exactly with its indentation and "
        "trailing blanks, and must occur only once in the file; otherwise nothing is changed. "
        "In files of brace languages a range that would tear a pair of braces apart is refused. "
        "Read the file first, and again after an edit of yours, before deleting from it."
    ),
    description_zh=(
        "删除文件中从 `start_anchor` 到 `end_anchor` 的各行，返回统一 diff。锚点是完整的一行，"
        "连同缩进和行尾空白精确比较，且在文件中只能出现一次，否则不作任何改动。在使用花括号的语"
        "言中，会拆散一对花括号的范围会被拒绝。删除前请先读文件；自己改动过之后要重新读。"
    ),
    arguments=s.record(
        {
            "path": s.string("The file to change."),
            "start_anchor": s.string("The first line of the range, whole and unique."),
            "end_anchor": s.string("The last line of the range, whole and unique."),
            "inclusive": s.boolean(
                "Delete the two anchor lines as well (true if left out), or only what is between."
            ),
        },
        required=["path", "start_anchor", "end_anchor"],
    ),
)


_MOST_LINES_SHOWN = 5


def run(arguments: Arguments, context: Context) -> Output:
    """Delete the lines between two unique lines and answer with the diff."""
    for key in ("path", "start_anchor", "end_anchor"):
        if not arguments[key]:
            raise ToolError(f"{key} is required")
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
        numbers = ", ".join(str(index + 1) for index in found[:_MOST_LINES_SHOWN])
        more = ", ..." if len(found) > _MOST_LINES_SHOWN else ""
        raise NotUniqueError(f"{name} is not unique in {path} (lines {numbers}{more})")
    return found[0]
