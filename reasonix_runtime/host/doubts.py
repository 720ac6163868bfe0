"""Calls that may have changed something, and nobody knows: no result, or an unknown end.

They leave no evidence. The end of a turn is not judged while there are any, and a sign-off is not
judged where one stands after the check that it cites. A task list with open items is one of them:
nobody knows whether it is in force.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from reasonix_runtime.evidence.arguments import command_in, paths_of
from reasonix_runtime.evidence.claims import todos_of
from reasonix_runtime.evidence.latest import Doubt
from reasonix_runtime.evidence.owed.changes import MOST_DOUBTS
from reasonix_runtime.evidence.paths import PathStyle
from reasonix_runtime.evidence.receipts import mutates
from reasonix_runtime.evidence.tasks import unfinished
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS, UNNAMED

if TYPE_CHECKING:
    from reasonix_runtime.evidence.ledger_rules import LedgerRules
    from reasonix_runtime.gates.preflight import Attempt
    from reasonix_runtime.host.run import Opened, Run
    from reasonix_runtime.trace.events import ToolCall, ToolResult

LIST: Final = "todo_write"
"""The tool of the task list."""

TOLD_WHILE_RUNNING: frozenset[str] = HOST_STATE_TOOLS | {"bash"}
"""Tools that are in no doubt while they run.

The host itself holds what some of them change, and the start of a command leaves a receipt.
"""


def note(
    run: Run, call: ToolCall, attempt: Attempt, *, running: bool = False, at: int | None = None
) -> None:
    """Note a call that may have changed something, or still may, and nobody knows.

    `at` is its position in the session, by default that of the next receipt.
    """
    if call.target == LIST and not running:
        run.untold_list = _sends_open_items(call)
    told = TOLD_WHILE_RUNNING if running else HOST_STATE_TOOLS
    if attempt.mutates and attempt.tool not in told:
        ledger = run.ledger
        named = _named(attempt.tool, call.target_args, ledger.rules.paths)
        ledger.doubt(Doubt(attempt.tool, named, ledger.end if at is None else at))
        run.gates.memory.changes.doubt(named)


def only_words_tell(
    call: ToolCall, attempt: Attempt, result: ToolResult, rules: LedgerRules
) -> bool:
    """Whether only the text of a result says that a changing command failed, or never ran.

    The command itself may have printed the words by which a host says so. An exit status, a state
    or a flag would tell it for sure.
    """
    return (
        result.basis == "host_rule"
        and call.target == "bash"
        and attempt.mutates
        and rules.failures_may_change
    )


def told_of(run: Run) -> tuple[str, ...]:
    """Return what a message calls the calls of which nobody knows what came.

    A list holds an end only where the turn made progress (EL-12).
    """
    calls = tuple(doubt.call for doubt in islice(unanswered(run), MOST_DOUBTS))
    if not run.ledger.progress:
        return calls
    untold = run.untold_list or (bool(run.open) and _may_be_listed(run))
    return (*calls, LIST) if untold else calls


def is_unread_list(call: ToolCall) -> bool:
    """Whether nobody can read which items a call of the task list sends."""
    given = call.target_given
    return not (isinstance(given, dict) and isinstance(given.get("todos"), list))


def _may_be_listed(run: Run) -> bool:
    """Whether a call without a result sends a list with open items."""
    for opened in run.open.values():
        if opened.lists is None:
            opened.lists = _sends_open_items(opened.call)
        if opened.lists:
            return True
    return False


def _sends_open_items(call: ToolCall) -> bool:
    """Whether a call sends a list that has, or may have, open items."""
    if call.target != LIST:
        return False
    return is_unread_list(call) or unfinished(todos_of(call.target_given))


def unanswered(run: Run) -> Iterator[Doubt]:
    """Yield the calls without a result that may have changed something."""
    for opened in run.open.values():
        if opened.in_doubt != "" and (doubt := _doubt_of(opened, run)):
            yield doubt


def latest(run: Run) -> Doubt | None:
    """Return the latest call that may have changed something, and nobody knows.

    A call without a result is one once a call that was made after it has ended: until then it may
    simply still run. The later of them was made, the later it stands in the session.
    """
    known = run.ledger.doubted
    for opened in reversed(run.open.values()):
        if (
            opened.number < run.ended
            and opened.in_doubt != ""
            and (doubt := _doubt_of(opened, run))
        ):
            return doubt if known is None or known.at <= doubt.at else known
    return known


def position_of(opened: Opened, run: Run) -> int:
    """Return the position of a call without a result in the session: the end of its message."""
    end = opened.message.end
    return run.ledger.end if end is None else end


def _doubt_of(opened: Opened, run: Run) -> Doubt | None:
    if opened.in_doubt is None:
        opened.in_doubt = _name_in_doubt(opened.call, run.ledger.rules)
    if not opened.in_doubt:
        return None
    return Doubt(opened.call.target, opened.in_doubt, position_of(opened, run))


def _name_in_doubt(call: ToolCall, rules: LedgerRules) -> str:
    """Name a call that may have changed something, and no other."""
    tool, args, flag = call.target, call.target_args, call.target_read_only
    if tool in HOST_STATE_TOOLS or not mutates(tool, args, rules=rules, read_only=flag):
        return ""
    return _named(tool, args, rules.paths)


def pass_on(child: Run, parent: Run) -> None:
    """Hand the doubts of a delegated run to its parent: no receipt would tell it of them."""
    still_open = list(unanswered(child))
    for call in (*child.gates.memory.changes.doubts, *(doubt.call for doubt in still_open)):
        parent.gates.memory.changes.doubt(call)
    for doubt in (child.ledger.doubted, *still_open):
        if doubt is not None:
            parent.ledger.doubt(structs.replace(doubt, at=parent.ledger.end))


def take_for_unseen(child: Run, parent: Run) -> None:
    """Let nobody know what a delegated run did, if it may have changed something."""
    changed = child.ledger.latest_mutation
    if changed >= 0:
        receipt = child.ledger[changed]
        named = " ".join((receipt.command, *receipt.paths)).strip() or receipt.tool or UNNAMED
        parent.gates.memory.changes.doubt(named)
        parent.ledger.doubt(Doubt(receipt.tool, named, parent.ledger.end))


def _named(tool: str, args: Any, style: PathStyle) -> str:
    """Name a call for a message: by its command and paths, else by its tool."""
    return " ".join((command_in(args), *paths_of(args, style))) or tool or UNNAMED
