"""Create a file or replace its whole content."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError

DECLARATION = Declaration(
    name="write_file",
    read_only=False,
    description=(
        "Create a file, or replace the whole content of an existing one; missing directories "
        "are made. `content` is written as it is: no final newline is added and line ends are "
        "not adapted. An existing file keeps its encoding. If it already has exactly this "
        "content, nothing is written. For changing a part of a file use `edit_file` or "
        "`multi_edit`."
    ),
    description_zh=(
        "创建文件，或替换已有文件的全部内容；缺少的目录会被创建。`content` 原样写入：不补末尾换"
        "行，也不调整换行符。已有文件保持其编码。内容已完全相同时不写入。只改一部分请用 "
        "`edit_file` 或 `multi_edit`。"
    ),
    arguments=s.record(
        {
            "path": s.string("The file to write, inside the workspace."),
            "content": s.string("Everything the file is to contain."),
        },
        required=["path", "content"],
    ),
)


def run(arguments: Arguments, context: Context) -> Output:
    """Create a file, or replace its whole text and keep its encoding, mark and mode."""
    if not arguments["path"]:
        raise ToolError("path is required")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    content: str = arguments["content"]
    if workspace.stat(place) is None:
        workspace.create_text(place, content)
    else:
        before = workspace.read_text(place)
        if before.text == content:
            return Output(text=f"{place.shown} already contains the exact content; no changes made")
        workspace.change_text(before, content)
    return Output(text=f"wrote {len(content.encode())} bytes to {place.shown}")
