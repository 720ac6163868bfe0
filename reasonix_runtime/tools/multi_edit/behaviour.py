"""What `multi_edit` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import NotUniqueError, ToolError
from reasonix_runtime.tools.support import edits
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.replacement_receipt import receipt


def run(arguments: Arguments, context: Context) -> Output:
    """Make replacements one after the other in memory, and write the file once, or not at all."""
    require(arguments, "path")
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
