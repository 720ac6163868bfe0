"""Delete the lines between two anchor lines."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

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
