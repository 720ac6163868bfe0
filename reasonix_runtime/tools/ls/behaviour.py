"""What `ls` does when it is called."""

from __future__ import annotations

from collections.abc import Iterator

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import PathError, ToolError, os_reason
from reasonix_runtime.tools.support.walking import Entry, Walk, entries, on_one_line, open_directory
from reasonix_runtime.tools.support.workspace import Place, Workspace

SKIPPED = frozenset({".DS_Store", ".git", ".idea", ".vscode", "__pycache__", "node_modules"})
"""Directories that a recursive listing leaves out."""

DEEPEST = 51
"""Levels of a recursive listing: at most 50 separators in a path."""


def run(arguments: Arguments, context: Context) -> Output:
    """List a directory, or with `recursive` the tree below it."""
    path: str = arguments.get("path") or "."
    recursive: bool = arguments.get("recursive", False)
    workspace = context.workspace
    place = workspace.locate(path)
    operation = "ls -R" if recursive else "ls"
    empty = "(empty directory tree)" if recursive else "(empty directory)"
    if workspace.is_hidden(place.real):
        return Output(text="(empty directory)")
    try:
        lines = _tree(context, place) if recursive else _flat(workspace, place)
        return Output(text="".join(lines) or empty)
    except PathError as error:
        raise PathError(operation, place.shown, f"{error.message}") from error
    except OSError as error:
        raise PathError(operation, place.shown, os_reason(error)) from error


def _flat(workspace: Workspace, place: Place) -> Iterator[str]:
    with open_directory(workspace, place) as handle:
        for entry in entries(handle):
            yield f"{on_one_line(entry.name)}/\n" if entry.is_directory else _file(entry)


def _tree(context: Context, place: Place) -> Iterator[str]:
    walk = Walk(
        context.workspace,
        place,
        enter=lambda entry: entry.name not in SKIPPED,
        strict=True,
        deepest=DEEPEST,
    )
    for entry in walk:
        if context.cancellation.requested:
            raise ToolError("cancelled before the listing was complete")
        if not entry.is_directory:
            yield _file(entry)
        elif entry.name not in SKIPPED:
            yield f"{on_one_line(entry.path)}/\n"


def _file(entry: Entry) -> str:
    """Return the line of what is no directory: a link has its own size, -1 is an unknown one."""
    size = -1 if entry.found is None else entry.found.st_size
    return f"{on_one_line(entry.path)}\t{size}\n"
