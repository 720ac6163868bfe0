"""Runs of one session, each recorded in a file of its own, as one sequence.

A run that continues a session writes a new recording, and that one does not tell what the runs
before it left: the task list, and the evidence of earlier turns. Recordings named `1.KIND.jsonl`,
`2.KIND.jsonl`, ... in one folder are such runs in their order; a replay of one begins with what
the ones before it left. Where a number of the sequence is missing, nothing is carried over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from reasonix_conformance.readers.files.neighbours import neighbour, unpacked
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import (
    Diag,
    Event,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

MOST_RUNS: Final = 64
"""How many runs of a sequence are carried over."""

KILLED: Final = "truncated_tail"
"""What is said of a run that was killed; what that left is known all the same."""

_NUMBERED: Final = re.compile(r"([1-9]\d{0,3})\.((?:stream|trajectory)\.jsonl)")


def earlier_runs(path: Path) -> tuple[Path, ...]:
    """Return the recordings of the runs before this one, in their order."""
    match = _NUMBERED.fullmatch(unpacked(path).name)
    if match is None or int(match[1]) - 1 > MOST_RUNS:
        return ()
    names = (f"{index}.{match[2]}" for index in range(1, int(match[1])))
    earlier = [neighbour(path.with_name(name)) for name in names]
    files = tuple(file for file in earlier if file is not None)
    return files if len(files) == len(earlier) else ()


def is_later_run(path: Path) -> bool:
    """Whether a recording is, by its number, of a run that continues a session."""
    match = _NUMBERED.fullmatch(unpacked(path).name)
    return match is not None and int(match[1]) > 1


def carried(paths: Sequence[Path], *, cap: int, keeps_broken_turns: bool) -> Iterator[Event]:
    """Yield what earlier runs did, for the state of a later one.

    Calls get numbers of their own. A turn that did not live to its end is left out, unless the
    host keeps it: most hosts store a turn when it has ended. Of the remarks about these runs only
    those of a loss matter to a later one.

    Raises:
        ConformanceError: a file cannot be read.
    """
    for run, path in enumerate(paths, 1):
        recording = Recording(path=path, cap=cap)
        waiting: list[Event] = []
        for event in events(recording):
            kind = type(event)
            if kind is Session:
                continue
            if kind is Diag:
                if event.code != KILLED:  # type: ignore[union-attr]  # its kind was asked for above
                    yield event
                continue
            if kind is TurnStart:
                yield from waiting
                waiting = []
            waiting.append(_renumbered(event, run))
            if kind is TurnEnd:
                if keeps_broken_turns or event.status != "unknown":  # type: ignore[union-attr]  # its kind was asked for above
                    yield from waiting
                waiting = []


def _renumbered(event: Event, run: int) -> Event:
    if isinstance(event, ToolCall | ToolResult):
        return msgspec.structs.replace(event, uid=_numbered(event.uid, run))
    if isinstance(event, SubStart | SubEnd):
        return msgspec.structs.replace(event, parent_uid=_numbered(event.parent_uid, run))
    return event


def _numbered(uid: str, run: int) -> str:
    scope, _, number = uid.rpartition("#")
    return f"{scope}#run{run}.{number}"
