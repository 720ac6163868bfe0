"""What `glob` does when it is called."""

from __future__ import annotations

import itertools
import os
import stat
from collections.abc import Iterator

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import PathError, ToolError, os_reason
from reasonix_runtime.tools.glob import globs
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.support.durations import short_duration
from reasonix_runtime.tools.support.patterns import Pattern, compile_pattern
from reasonix_runtime.tools.support.walking import (
    Deadline,
    Walk,
    entries,
    on_one_line,
    open_directory,
)
from reasonix_runtime.tools.support.workspace import Workspace

MOST_RESULTS = 1000
"""How many paths are shown."""

DEFAULT_TIMEOUT_S, LONGEST_TIMEOUT_S = 30, 300

SKIPPED = frozenset(
    {".git", ".hg", ".jj", ".mypy_cache", ".pytest_cache", ".svn", ".venv", "__pycache__"}
    | {"node_modules", "vendor"}
)
"""Directories that a recursive pattern does not go into."""


def run(arguments: Arguments, context: Context) -> Output:
    """Return the paths that match a pattern, one a line."""
    require(arguments, "pattern")
    pattern: str = arguments["pattern"]
    seconds = arguments.get("timeout_seconds", 0)
    seconds = min(seconds, LONGEST_TIMEOUT_S) if seconds > 0 else DEFAULT_TIMEOUT_S
    deadline = Deadline(seconds, context.cancellation)
    workspace = context.workspace
    if "**" in pattern:
        found, late = _collect(_recursive(workspace, pattern, deadline), deadline)
    else:
        found, late = _collect(_flat(workspace, pattern, deadline), deadline, in_order=True)
        if not found and not late and not {"/", "\\"} & set(pattern):
            found, late = _collect(_recursive(workspace, f"**/{pattern}", deadline), deadline)
    return Output(text=_answer(found, late=late, limit=short_duration(seconds)))


def _collect(
    paths: Iterator[str], deadline: Deadline, *, in_order: bool = False
) -> tuple[list[str], bool]:
    """Take one result more than are shown, to know whether there are more; tell lateness."""
    found: list[str] = []
    late = False
    for path in paths:
        found.append(path)
        if len(found) > MOST_RESULTS:
            break
    else:
        late = deadline.over()
    return (found if in_order else sorted(found, key=os.fsencode)), late


def _answer(found: list[str], *, late: bool, limit: str) -> str:
    if not found:
        late_note = f"; timed out after {limit}, so there may be some" if late else ""
        return f"(no matches{late_note})"
    lines = [on_one_line(path) for path in found[:MOST_RESULTS]]
    if len(found) > MOST_RESULTS:
        lines.append(f"... (truncated at {MOST_RESULTS} results)")
    elif late:
        lines.append(f"... (timed out after {limit}; results incomplete, narrow the pattern)")
    return "\n".join(lines)


def _flat(workspace: Workspace, pattern: str, deadline: Deadline) -> Iterator[str]:
    """Match part by part; links count as entries, and nothing is left out."""
    parts = globs.parts_of(pattern)
    # All parts are checked before the first directory is read.
    matchers = [_matcher(part, pattern) for part in parts]
    start = "/" if pattern.startswith("/") else workspace.directory
    workspace.locate(os.path.join(start, *_literal_beginning(parts)))
    return _match_parts(workspace, start, list(zip(parts, matchers, strict=True)), deadline)


def _literal_beginning(parts: list[str]) -> list[str]:
    """Return the parts in front of the first one that is more than a name; never the last."""
    return list(
        itertools.takewhile(lambda part: not globs.is_magic(part) and "{" not in part, parts[:-1])
    )


def _matcher(part: str, pattern: str) -> Pattern | None:
    if not globs.is_magic(part):
        return None
    expression = globs.part_expression(part, pattern)
    return compile_pattern(f"^{expression}$", f'glob "{pattern}"')


def _match_parts(
    workspace: Workspace,
    directory: str,
    parts: list[tuple[str, Pattern | None]],
    deadline: Deadline,
) -> Iterator[str]:
    """Yield the paths below a directory that match the parts, names sorted in each directory."""
    if not parts:
        return
    (part, matcher), *rest = parts
    names = [part] if matcher is None else _names(workspace, directory, matcher)
    for name in names:
        # Links that lead back up make even a flat pattern walk without end.
        if deadline.over():
            return
        path = os.path.join(directory, name)
        if rest:
            yield from _match_parts(workspace, path, rest, deadline)
        elif _exists(workspace, path):
            yield os.path.normpath(path)


def _names(workspace: Workspace, directory: str, matcher: Pattern) -> list[str]:
    """Return the matching names in a directory; none in what is no directory of the workspace."""
    try:
        place = workspace.visible(directory, "open")
        with open_directory(workspace, place) as handle:
            return [entry.name for entry in entries(handle) if matcher.search(entry.name)]
    except (ToolError, OSError):
        return []


def _exists(workspace: Workspace, path: str) -> bool:
    try:
        place = workspace.locate_entry(path)
        return workspace.stat(place) is not None and not workspace.is_hidden(place.real)
    except ToolError:
        return False


def _recursive(workspace: Workspace, pattern: str, deadline: Deadline) -> Iterator[str]:
    """Yield the files below the literal beginning of a pattern that match it."""
    parts = globs.parts_of(pattern)
    literal = _literal_beginning(parts)
    root = ("/" if pattern.startswith("/") else "") + "/".join(literal)
    expression = globs.path_expression("/".join(parts[len(literal) :]))
    matcher = compile_pattern(f"(?s){expression}", f'glob "{pattern}"')
    place = workspace.visible(root or ".", f'glob "{pattern}"')
    found = workspace.stat(place)
    if found is None:
        raise PathError(f'glob "{pattern}"', place.shown, "no such file or directory")
    if not stat.S_ISDIR(found.st_mode):
        return
    walk = Walk(workspace, place, enter=lambda entry: entry.name not in SKIPPED)
    try:
        for entry in walk:
            if deadline.over():
                return
            if not entry.is_directory and matcher.search(entry.path):
                yield os.path.join(place.shown, entry.path)
    except OSError as error:
        raise PathError(f'glob "{pattern}"', place.shown, os_reason(error)) from error
