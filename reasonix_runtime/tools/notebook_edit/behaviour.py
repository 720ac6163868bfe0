"""What `notebook_edit` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.notebook_edit import notebooks
from reasonix_runtime.tools.notebook_edit.notebooks import Notebook
from reasonix_runtime.tools.support.arguments import require

_OTHER_SOURCE_KEYS = ("content", "source", "new_string")


def run(arguments: Arguments, context: Context) -> Output:
    """Change one cell of a notebook and leave everything else in the file as it is."""
    require(arguments, "path")
    workspace = context.workspace
    place = workspace.writable(arguments["path"])
    before = workspace.read_text(place)
    notebook = notebooks.parse(before.text, place.shown)
    mode = arguments.get("edit_mode", "replace")
    after, answer = _MODES[mode](notebook, arguments)
    workspace.change_text(before, after)
    return Output(text=answer)


def _replace(notebook: Notebook, arguments: Arguments) -> tuple[str, str]:
    index = _target(notebook, arguments, "replace")
    cell_type = arguments.get("cell_type")
    source = _source(arguments)
    if source is None and cell_type is None:
        raise ToolError(
            "new_source is required for replace; an empty text empties the cell, and cell_type "
            "alone changes only the type"
        )
    text = notebook.replace(index, source=source, cell_type=cell_type)
    count = len(notebook.cells)
    return text, f"replaced cell source in {notebook.path} (cell {index}; {count} cells total)"


def _insert(notebook: Notebook, arguments: Arguments) -> tuple[str, str]:
    cell_type = arguments.get("cell_type")
    if cell_type is None:
        raise ToolError("cell_type is required for insert")
    after = arguments.get("cell_number", -1)
    count = len(notebook.cells)
    if not -1 <= after < count:
        raise _out_of_range(after, count)
    text = notebook.insert(after, source=_source(arguments) or "", cell_type=cell_type)
    return text, (
        f"inserted {cell_type} cell in {notebook.path} (cell {after + 1}; {count + 1} cells total)"
    )


def _delete(notebook: Notebook, arguments: Arguments) -> tuple[str, str]:
    index = _target(notebook, arguments, "delete")
    count = len(notebook.cells) - 1
    text = notebook.delete(index)
    return text, f"deleted cell in {notebook.path} (cell {index}; {count} cells total)"


_MODES = {"replace": _replace, "insert": _insert, "delete": _delete}


def _target(notebook: Notebook, arguments: Arguments, mode: str) -> int:
    """Return the index of the cell that is meant: by id, by number, or the only one."""
    count = len(notebook.cells)
    if cell_id := arguments.get("cell_id"):
        for index, cell in enumerate(notebook.cells):
            if cell.value.get("id") == cell_id:
                return index
        raise ToolError(f'no cell with id "{cell_id}" in {notebook.path}')
    number: int | None = arguments.get("cell_number")
    if number is None:
        if count != 1:
            raise ToolError(
                f"cell_number or cell_id is required for {mode} in a notebook of {count} cells"
            )
        return 0
    if not 0 <= number < count:
        raise _out_of_range(number, count)
    return number


def _out_of_range(number: int, count: int) -> ToolError:
    return ToolError(f"cell_number {number} out of range: the notebook has {count} cells")


def _source(arguments: Arguments) -> str | None:
    """Return the new source; models also call it by other names. None when there is none."""
    source: str | None = arguments.get("new_source")
    if source:
        return source
    others = (arguments.get(key) for key in _OTHER_SOURCE_KEYS)
    return next((text for text in others if isinstance(text, str) and text), source)
