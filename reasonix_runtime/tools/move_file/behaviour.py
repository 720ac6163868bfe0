"""What `move_file` does when it is called."""

from __future__ import annotations

import stat

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import PathError, ToolError
from reasonix_runtime.tools.move_file import moving
from reasonix_runtime.tools.support.arguments import require


def run(arguments: Arguments, context: Context) -> Output:
    """Move a file to a path where nothing stands."""
    require(arguments, "source_path", "destination_path")
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
