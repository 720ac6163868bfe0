"""The indices of a ledger: where the latest run, read, write and change of everything stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from reasonix_runtime.evidence.citing.covering import Covering
from reasonix_runtime.evidence.citing.match import Match
from reasonix_runtime.evidence.path_names import PathsAt

if TYPE_CHECKING:
    from reasonix_runtime.evidence.checks.failed_tests import FailedTests
    from reasonix_runtime.evidence.content_seen import Looks


class Doubt(msgspec.Struct, frozen=True):
    """A call that may have changed something, and nobody knows.

    `call` names it by its command and paths. `at` is a position in the session: receipts from there
    on came after the call.
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
    """The latest index in the ledger of everything that is asked for; -1 for none.

    Attributes:
        passed: the latest successful run of each command, as it is kept (`Ledger.ran`).
        failed: the latest failed run of each command, in the same way.
        covering: what finds those of many that may cover a citation, by the `id` of the mapping.
        stopped: the first run of each command that failed, was stopped or did nothing.
        belied: the latest run of each command that ended well and says that tests failed.
        started: the first run of each command whose end was not seen.
        read: the latest successful read of each path, by its key.
        written: the latest successful file writer of each path.
        changed: the latest change of each path.
        met: the first read or change of each path.
        looks: what finds the receipts that may show a path, None until somebody asks.
        failed_tests: the tests that failed since the latest change, None until somebody asks.
        sorted_out: how many receipts were looked at for these.
        opaque_change: the latest change without a known path.
        latest_todos: the latest task list.
        latest_list: the latest task list with items.
        latest_mutation: the latest change.
        latest_write: the latest successful file writer.
        work: whether anything but questions and bookkeeping succeeded.
        progress: whether anything but reads and lists succeeded.
    """

    passed: dict[str | bytes, int] = {}
    failed: dict[str | bytes, int] = {}
    covering: dict[int, Covering] = {}
    stopped: dict[str | bytes, int] = {}
    belied: dict[str | bytes, int] = {}
    started: dict[str | bytes, int] = {}
    read: PathsAt = msgspec.field(default_factory=PathsAt)
    written: PathsAt = msgspec.field(default_factory=PathsAt)
    changed: PathsAt = msgspec.field(default_factory=PathsAt)
    met: dict[str, int] = {}
    looks: Looks | None = None
    failed_tests: FailedTests | None = None
    sorted_out: int = 0
    opaque_change: int = -1
    latest_todos: int = -1
    latest_list: int = -1
    latest_mutation: int = -1
    latest_write: int = -1
    work: bool = False
    progress: bool = False
