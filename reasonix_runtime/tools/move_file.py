"""Move or rename one file."""

from __future__ import annotations

import stat

from reasonix_runtime.tools import moving
from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import PathError, ToolError

DECLARATION = Declaration(
    name="move_file",
    read_only=False,
    description=(
        "Move or rename one file. `destination_path` is the complete new path including the "
        "file name; missing directories are made. Fails, with both files left as they are, if "
        "something else already exists there. Directories are not moved. Content, encoding and "
        "permissions stay the same."
    ),
    description_zh=(
        "移动或重命名一个文件。`destination_path` 是包含文件名的完整新路径；缺少的目录会被创"
        "建。若目标处已有其他文件则失败，两个文件都保持原样。不移动目录。内容、编码和权限不变。"
    ),
    arguments=s.record(
        {
            "source_path": s.string("The file to move."),
            "destination_path": s.string("Where it is to be, with its new name; must be free."),
        },
        required=["source_path", "destination_path"],
    ),
)


def run(arguments: Arguments, context: Context) -> Output:
    """Move a file to a path where nothing stands."""
    for key in ("source_path", "destination_path"):
        if not arguments[key]:
            raise ToolError(f"{key} is required")
    workspace = context.workspace
    source, destination = (
        workspace.locate_entry(arguments[key]) for key in ("source_path", "destination_path")
    )
    workspace.writable(arguments["destination_path"])
    for place in (source, destination):
        workspace.require_unguarded(place)
    target = workspace.stat(workspace.visible(arguments["source_path"], "stat"))
    if target is None:
        raise PathError("stat", source.shown, "no such file or directory")
    if stat.S_ISDIR(target.st_mode):
        raise ToolError(f"{source.shown} is a directory; only files are moved")
    if source.shown == destination.shown:
        return Output(text=f"{source.shown} is already at {destination.shown}; no changes made")
    moving.move(workspace, source, destination)
    return Output(text=f"moved {source.shown} to {destination.shown}")
