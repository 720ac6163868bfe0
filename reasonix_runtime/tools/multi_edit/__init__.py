"""Apply several replacements to one file at once."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="multi_edit",
    read_only=False,
    description=(
        "Apply several replacements to one file, in order, and write the file once: either all "
        "of them succeed or the file is not touched. Each edit works on the text that the edits "
        "before it have left, so a later `old_string` must match that text. Without "
        "`replace_all` an `old_string` must occur exactly once, by the rules of `edit_file`; "
        "with it every occurrence is replaced, and there must be at least one."
    ),
    description_zh=(
        "对同一文件按顺序应用多处替换并只写一次：要么全部成功，要么文件不动。每处编辑都作用于前"
        "面编辑留下的文本，因此后面的 `old_string` 必须与那时的文本匹配。没有 `replace_all` "
        "时，`old_string` 必须恰好出现一次，规则同 `edit_file`；有 `replace_all` 时替换所有出现"
        "处，且至少要有一处。"
    ),
    arguments=s.record(
        {
            "path": s.string("The file to change; it must exist."),
            "edits": s.array(
                s.record(
                    {
                        "old_string": s.string(
                            "The text to replace, exactly as it stands by then."
                        ),
                        "new_string": s.string("The text to put in its place; empty deletes."),
                        "replace_all": s.boolean(
                            "Replace every occurrence instead of the only one; false if left out."
                        ),
                    },
                    required=["old_string", "new_string"],
                ),
                "The replacements, in the order they are applied.",
                minItems=1,
            ),
        },
        required=["path", "edits"],
    ),
)
