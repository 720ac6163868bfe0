"""List a directory."""

from __future__ import annotations

from collections.abc import Iterator

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import PathError, os_reason
from reasonix_runtime.tools.walking import Entry, Walk, entries, open_directory
from reasonix_runtime.tools.workspace import Place, Workspace

DECLARATION = Declaration(
    name="ls",
    read_only=True,
    description=(
        "List the entries of a directory, hidden ones included: a directory as `name/`, "
        "anything else as its name, a tab and its size in bytes. With `recursive` the whole "
        "tree below is listed by paths relative to it, without .git, `node_modules`, caches and "
        "editor folders, and without following links. For finding files by name use `glob`."
    ),
    description_zh=(
        "列出目录内容，包括隐藏条目：目录写作 `name/`，其他条目为名称、制表符和字节数。"
        "`recursive` 会以相对路径列出整棵树，但不含 .git、`node_modules`、缓存和编辑器目录，也"
        "不跟随链接。按名称找文件请用 `glob`。"
    ),
    arguments=s.record(
        {
            "path": s.string('The directory; "." if left out.'),
            "recursive": s.boolean("List everything below as well; false if left out."),
        }
    ),
)


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
        lines = _tree(workspace, place) if recursive else _flat(workspace, place)
        return Output(text="".join(lines) or empty)
    except PathError as error:
        raise PathError(operation, place.shown, f"{error.message}") from error
    except OSError as error:
        raise PathError(operation, place.shown, os_reason(error)) from error


def _flat(workspace: Workspace, place: Place) -> Iterator[str]:
    with open_directory(workspace, place) as handle:
        for entry in entries(handle):
            yield f"{entry.name}/\n" if entry.is_directory else _file(entry)


def _tree(workspace: Workspace, place: Place) -> Iterator[str]:
    walk = Walk(
        workspace,
        place,
        enter=lambda entry: entry.name not in SKIPPED,
        strict=True,
        deepest=DEEPEST,
    )
    for entry in walk:
        if not entry.is_directory:
            yield _file(entry)
        elif entry.name not in SKIPPED:
            yield f"{entry.path}/\n"


def _file(entry: Entry) -> str:
    """Return the line of what is no directory: a link has its own size, -1 is an unknown one."""
    size = -1 if entry.found is None else entry.found.st_size
    return f"{entry.path}\t{size}\n"
