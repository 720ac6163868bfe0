"""Where the shell stands when a command of a text runs: what `cd` did before it, and to whom.

A subshell, a part of a pipe and what runs in the background move for themselves alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.effects.scratch import in_scratch
from reasonix_runtime.evidence.effects.temporaries import temporaries
from reasonix_runtime.evidence.scratch_places import UNTOLD
from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Background,
    Group,
    Loop,
    Pipe,
    Sequence,
    Simple,
    Uncertain,
)
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Script, Segment, Statement

_GOING: Final = words("cd chdir pushd set-location push-location")
_COMING_BACK: Final = words("popd pop-location")
_TRANSPARENT: Final = words("command builtin")
_HOME: Final = "~"
# Where the shell stood before the text began, as it calls that itself.
_FORMER: Final = "~-"
_STAYS: Final[Mapping[int, tuple[str, ...]]] = {}

Folders = tuple[str, ...]
"""Folders that were gone to, one after the other; a relative one is told from the one before."""


def moves_of(script: Script) -> Mapping[int, Folders]:
    """Return where each segment runs, for those that do not run where the text began."""
    if not any(_moves(segment) for segment in script.segments):
        return _STAYS
    found: dict[int, Folders] = {}
    _visit(script, script.body, (), found)
    return found


def stands_after(script: Script) -> Folders:
    """Return where the shell stands when all of a text has run, told from where it began."""
    return _visit(script, script.body, (), {})


def _visit(
    script: Script, statement: Statement, here: Folders, found: dict[int, Folders]
) -> Folders:
    """Note where the segments of a statement run; return where the shell stands after it."""
    match statement:
        case Simple(index):
            found[index] = here
            return _behind(script, script.segments[index], here)
        case AndOr(parts) | Sequence(parts) | Uncertain(parts):
            for part in parts:
                here = _visit(script, part, here, found)
        case Pipe(parts):
            for part in parts:
                _visit(script, part, here, found)
        case Loop(body):
            here = _visit(script, body, here, found)
        case Group(body, own_shell):
            behind = _visit(script, body, here, found)
            return here if own_shell else behind
        case Background(body):
            _visit(script, body, here, found)
    return here


def _moves(segment: Segment) -> bool:
    words = _words(segment)
    name = (words[0] or "").lower() if words else ""
    return name in _GOING or name in _COMING_BACK


def _words(segment: Segment) -> list[str | None]:
    """Return the words of a segment, None for one that expands, without `command` in front."""
    words = [word.value for word in segment.words]
    return words[1:] if words[:1] and words[0] in _TRANSPARENT else words


def _behind(script: Script, segment: Segment, here: Folders) -> Folders:
    """Return where the shell stands after a segment.

    A folder that expands is not known, unless `mktemp` has just made it.
    """
    if not _moves(segment):
        return here
    name, *rest = _words(segment)
    named = [word for word in rest if word not in {"--", "-P", "-L", "/d", "/D"}]
    if (name or "").lower() in _COMING_BACK or named == ["-"]:
        return here[:-1] if here or not named else (_FORMER,)
    if not named:
        return (*here, _HOME) if name == "cd" else here
    folder = named[0]
    if folder is None:
        folder = in_scratch(segment.words[-1], temporaries(script), UNTOLD).value
    return here if len(named) > 1 or folder is None else (*here, folder)
