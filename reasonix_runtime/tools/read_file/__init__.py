"""Read a window of a text file, with line numbers."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

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
