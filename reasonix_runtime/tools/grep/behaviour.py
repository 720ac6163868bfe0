"""What `grep` does when it is called."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import (
    BinaryFileError,
    PathError,
    TextError,
    os_reason,
)
from reasonix_runtime.tools.grep.searching import SearchedFile, files_below
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.capture import decode_output
from reasonix_runtime.tools.support.durations import short_duration
from reasonix_runtime.tools.support.patterns import Pattern, compile_pattern
from reasonix_runtime.tools.support.text_files import decode
from reasonix_runtime.tools.support.walking import Deadline, on_one_line
from reasonix_runtime.tools.support.workspace import Place, Workspace

MOST_MATCHES = 200
"""How many matching lines are shown."""

DEFAULT_TIMEOUT_S, LONGEST_TIMEOUT_S = 30, 300

LONGEST_LINE = 1024 * 1024
"""Bytes of a line; a longer one is left out, and the answer says so."""

_LINES_PER_LOOK_AT_THE_CLOCK = 2000


@dataclass(slots=True)
class _Search:
    """One search: what is looked for, until when, and what had to be left out."""

    pattern: Pattern
    deadline: Deadline
    late: bool = False
    long_lines: int = 0


def run(arguments: Arguments, context: Context) -> Output:
    """Return the lines that match an expression, each with its file and number."""
    require(arguments, "pattern")
    pattern = compile_pattern(arguments["pattern"], "invalid pattern")
    seconds = min(arguments.get("timeout_seconds", DEFAULT_TIMEOUT_S), LONGEST_TIMEOUT_S)
    search = _Search(pattern, Deadline(seconds, context.cancellation))
    workspace = context.workspace
    place = workspace.locate(arguments.get("path") or ".")
    lines: list[str] = []
    for line in _matches(workspace, place, search):
        lines.append(line)
        if len(lines) > MOST_MATCHES:
            break
    return Output(text=_answer(lines, search, short_duration(seconds)))


def _answer(lines: list[str], search: _Search, limit: str) -> str:
    if not lines:
        late = f"; timed out after {limit}, so there may be some" if search.late else ""
        return f"(no matches{late})" + _long_lines(search)
    shown = lines[:MOST_MATCHES]
    if len(lines) > MOST_MATCHES:
        shown.append(f"... (truncated at {MOST_MATCHES} matches)")
    elif search.late:
        shown.append(f"... (timed out after {limit}; results incomplete, narrow the path)")
    return "\n".join(shown) + _long_lines(search)


def _long_lines(search: _Search) -> str:
    if not search.long_lines:
        return ""
    return f"\n... ({search.long_lines} lines over 1 MiB were not searched)"


def _matches(workspace: Workspace, place: Place, search: _Search) -> Iterator[str]:
    """Yield the matches in one file, which is always searched, or in a tree."""
    found = workspace.stat(place)
    if found is not None and stat.S_ISDIR(found.st_mode):
        if workspace.is_hidden(place.real):
            return
        try:
            for file in files_below(workspace, place):
                if search.late or search.deadline.over():
                    search.late = True
                    return
                yield from _in_file(file, search)
        except OSError as error:
            raise PathError("grep", place.shown, os_reason(error)) from error
        return
    if found is None or workspace.is_hidden(place.real):
        raise PathError("grep", place.shown, "no such file or directory")
    data = workspace.read(place).data
    yield from _in_file(SearchedFile(place.shown, data, workspace.declared(place)), search)


def _in_file(file: SearchedFile, search: _Search) -> Iterator[str]:
    """Yield the matching lines of one file; a binary one has none."""
    try:
        text = decode(file.data, path=file.path, declared=file.declared).text
    except BinaryFileError:
        return
    except TextError:
        # Nothing is written here, so an encoding that is not known only shows in escapes.
        text = decode_output(file.data)
    for number, line in enumerate(text.removesuffix("\n").split("\n"), start=1):
        if number % _LINES_PER_LOOK_AT_THE_CLOCK == 0 and search.deadline.over():
            search.late = True
            return
        if "\0" in line:
            return
        if len(line) > LONGEST_LINE:
            search.long_lines += 1
        elif search.pattern.search(line.removesuffix("\r")):
            yield f"{on_one_line(file.path)}:{number}:{line.removesuffix(chr(13))}"
