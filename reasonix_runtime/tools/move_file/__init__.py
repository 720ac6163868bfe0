"""Move or rename one file."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

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
