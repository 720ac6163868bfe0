"""Where the latest of everything stands that a ledger is asked for."""

from __future__ import annotations

import msgspec

from reasonix_runtime.evidence.citing.match import Match


class Doubt(msgspec.Struct, frozen=True):
    """A call that may have changed something, and nobody knows: by its tool, and what it names.

    `at` is its position in the session: what stands there or behind it came after the call.
    """

    tool: str
    call: str
    at: int


class Run(msgspec.Struct, frozen=True):
    """A run that covers a citation: the index of its receipt, its command, the match.

    `began` is the index at which it started; negative when that was in an earlier turn.
    """

    index: int
    began: int
    command: str
    match: Match


class Latest(msgspec.Struct):
    """The latest of everything that is asked for, by its index in the ledger; -1 for none.

    Of the paths that were `met`, read or changed, it is the first.
    """

    passed: dict[str, int] = {}
    failed: dict[str, int] = {}
    read: dict[str, int] = {}
    written: dict[str, int] = {}
    changed: dict[str, int] = {}
    met: dict[str, int] = {}
    opaque_change: int = -1
    latest_todos: int = -1
    latest_list: int = -1
    latest_mutation: int = -1
    latest_write: int = -1
    work: bool = False
    progress: bool = False
