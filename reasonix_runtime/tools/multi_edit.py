"""Apply several replacements to one file at once."""

from __future__ import annotations

from reasonix_runtime.tools import edits
from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import NotUniqueError, ToolError
from reasonix_runtime.tools.replacement_receipt import receipt

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


def run(arguments: Arguments, context: Context) -> Output:
    """Make replacements one after the other in memory, and write the file once, or not at all."""
    if not arguments["path"]:
        raise ToolError("path is required")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    before = workspace.read_text(place)
    text = before.text
    applied: list[edits.Applied] = []
    for number, step in enumerate(arguments["edits"], start=1):
        text, made = _step(number, step, text, place.shown, context)
        applied.append(made)
    workspace.change_text(before, text)
    total = sum(made.count for made in applied)
    fuzzy = " (fuzzy match)" if any(made.tolerant for made in applied) else ""
    summary = (
        f"multi_edit {place.shown}: {len(applied)} edits applied "
        f"({total} total replacements){fuzzy}"
    )
    return Output(text=f"{summary}\n{receipt(applied)}")


def _step(
    number: int, step: Arguments, text: str, path: str, context: Context
) -> tuple[str, edits.Applied]:
    edit = edits.Edit(
        old=step["old_string"],
        new=step["new_string"],
        replace_all=step.get("replace_all", False),
    )
    try:
        return edits.apply(text, edit, path=path, tolerant=context.settings.tolerant_edits)
    except NotUniqueError as error:
        raise NotUniqueError(
            f"edit {number}: {error.message}, or set replace_all; no edit was made"
        ) from error
    except ToolError as error:
        raise type(error)(f"edit {number}: {error.message}; no edit was made") from error
