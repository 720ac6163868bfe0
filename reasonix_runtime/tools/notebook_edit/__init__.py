"""Replace, insert or delete a cell of a Jupyter notebook."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="notebook_edit",
    read_only=False,
    description=(
        "Replace, insert or delete one cell of a Jupyter notebook (.ipynb). `replace` and "
        "`delete` take the cell by `cell_id`, or by `cell_number` counted from 0; a notebook "
        "with a single cell needs neither. `insert` puts the new cell after `cell_number` (-1, "
        "or none, puts it first) and needs `cell_type`. Replacing a code cell clears its "
        "outputs. Everything else in the file keeps its bytes."
    ),
    description_zh=(
        "替换、插入或删除 Jupyter 笔记本（.ipynb）的一个单元格。`replace` 与 `delete` 用 "
        "`cell_id` 或从 0 起的 `cell_number` 定位；只有一个单元格时都可省略。`insert` 把新单元"
        "格放在 `cell_number` 之后（-1 或省略则放在最前），并需要 `cell_type`。替换代码单元格会"
        "清除其输出。文件其余部分逐字节保持不变。"
    ),
    arguments=s.record(
        {
            "path": s.string("The notebook file."),
            "cell_number": s.integer(
                "Index of the cell, counted from 0; for insert the cell to follow, -1 for the "
                "front."
            ),
            "cell_id": s.string(
                "Id of the cell; decides over cell_number, for replace and delete."
            ),
            "new_source": s.string("The cell's new text, for replace and insert."),
            "cell_type": s.choice(
                ["code", "markdown"],
                "Type of the cell: required for insert, changes the type on replace.",
            ),
            "edit_mode": s.choice(
                ["replace", "insert", "delete"], "What to do; replace if left out."
            ),
        },
        required=["path"],
    ),
)
