"""What `write_file` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.support.arguments import require


def run(arguments: Arguments, context: Context) -> Output:
    """Create a file, or replace its whole text and keep its encoding, mark and mode."""
    require(arguments, "path")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    content: str = arguments["content"]
    if workspace.stat(place) is None:
        workspace.create_text(place, content)
    else:
        before = workspace.read_text(place, operation="write")
        if before.text == content:
            return Output(text=f"{place.shown} already contains the exact content; no changes made")
        workspace.change_text(before, content)
    return Output(text=f"wrote {len(content.encode())} bytes to {place.shown}")
