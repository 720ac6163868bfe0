"""Who descends from whom, and who is in which group, as the system's process table tells.

Read from `/proc`. Where there is none, no descendants are known and a group is only signalled.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass

AVAILABLE = os.path.isdir("/proc/self")
"""Whether the system tells; otherwise groups are signalled without knowing who is in them."""

_ZOMBIE = "Z"


@dataclass(frozen=True, slots=True)
class Member:
    """A process, by its number and its start time: numbers are given out again."""

    pid: int
    started: int


@dataclass(frozen=True, slots=True)
class _Row:
    member: Member
    state: str
    parent: int
    group: int


def descendants(pid: int) -> set[Member]:
    """Return the processes that descend from `pid`, in whatever group or session they are."""
    children: dict[int, list[_Row]] = {}
    for row in _table():
        children.setdefault(row.parent, []).append(row)
    found: set[Member] = set()
    waiting = [pid]
    while waiting:
        for row in children.get(waiting.pop(), ()):
            if row.member not in found:
                found.add(row.member)
                waiting.append(row.member.pid)
    return found


def group_members(group: int) -> set[int]:
    """Return the numbers of the running processes of a group; the dead ones do not count."""
    return {row.member.pid for row in _table() if row.group == group and row.state != _ZOMBIE}


def send(member: Member, number: int) -> None:
    """Signal a process unless its number belongs to another one by now."""
    row = _row(member.pid)
    if row is not None and row.member == member:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(member.pid, number)


def _table() -> list[_Row]:
    try:
        names = os.listdir("/proc")
    except FileNotFoundError:
        return []
    rows = (_row(int(name)) for name in names if name.isdigit())
    return [row for row in rows if row is not None]


def _row(pid: int) -> _Row | None:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return None
    # The program's name stands in brackets and may itself hold blanks and brackets.
    fields = text[text.rindex(")") + 2 :].split()
    return _Row(Member(pid, int(fields[19])), fields[0], int(fields[1]), int(fields[2]))
