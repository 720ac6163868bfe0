"""What `edit_file` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.support import edits
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.replacement_receipt import receipt


def run(arguments: Arguments, context: Context) -> Output:
    """Replace the one occurrence of a text and answer with what was replaced."""
    require(arguments, "path", "old_string")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    before = workspace.read_text(place)
    edit = edits.Edit(old=arguments["old_string"], new=arguments["new_string"])
    text, applied = edits.apply(
        before.text, edit, path=place.shown, tolerant=context.settings.tolerant_edits
    )
    workspace.change_text(before, text)
    fuzzy = " (fuzzy match)" if applied.tolerant else ""
    return Output(text=f"edited {place.shown}{fuzzy}\n{receipt([applied])}")
