"""Replace one piece of text in a file."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="edit_file",
    read_only=False,
    description=(
        "Replace `old_string` by `new_string` in an existing file. `old_string` must occur "
        "exactly once: copy it from the file as it is, without the line numbers that "
        "`read_file` prints, and take in enough neighbouring lines to make it unique. If there "
        "is no exact match, whole lines that differ only in trailing blanks, tabs against four "
        "spaces, or copied line numbers are accepted, and the answer says so. The answer shows "
        "the text that was replaced and what stands there now; the file's encoding and line "
        "ends are kept. Several changes to one file go into one `multi_edit`; replacing every "
        "occurrence is done there too."
    ),
    description_zh=(
        "在已有文件中把 `old_string` 替换为 `new_string`。`old_string` 必须恰好出现一次：请从文"
        "件原样复制，不要带 `read_file` 打印的行号，并包含足够的相邻行使其唯一。没有精确匹配"
        "时，只在行尾空白、制表符与四个空格、误抄行号上有差别的整行也会接受，并在答复中说明。答"
        "复会显示被替换的文本和现在的文本；文件的编码与换行保持不变。对同一文件的多处修改用一次"
        " `multi_edit`，全部替换也在那里做。"
    ),
    arguments=s.record(
        {
            "path": s.string("The file to change; it must exist."),
            "old_string": s.string(
                "The text to replace, exactly as in the file and found only once."
            ),
            "new_string": s.string("The text to put in its place; empty deletes."),
        },
        required=["path", "old_string", "new_string"],
    ),
)
