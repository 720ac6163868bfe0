"""Calls that may have changed something, and nobody knows: no result, or an unknown end.

They leave no evidence. The end of a turn is not judged while there are any, and a sign-off is not
judged where one stands behind the check that it cites.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import structs

from reasonix_runtime.evidence.arguments import command_in
from reasonix_runtime.evidence.latest import Doubt
from reasonix_runtime.evidence.paths import PathStyle
from reasonix_runtime.evidence.receipts import mutates, paths_of
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS

if TYPE_CHECKING:
    from reasonix_runtime.evidence.ledger_rules import LedgerRules
    from reasonix_runtime.gates.preflight import Attempt
    from reasonix_runtime.host.run import Opened, Run
    from reasonix_runtime.trace.events import ToolCall, ToolResult

TOLD_WHILE_RUNNING: frozenset[str] = HOST_STATE_TOOLS | {"bash"}
"""Tools of which nothing is in doubt while they run: the receipt of a command tells what it is."""


def note(
    run: Run, call: ToolCall, attempt: Attempt, *, running: bool = False, at: int | None = None
) -> None:
    """Note a call of which nobody knows what it changed, or changes yet.

    `at` is where it stood in the session; by default it stands behind all that is on record.
    """
    told = TOLD_WHILE_RUNNING if running else HOST_STATE_TOOLS
    if attempt.mutates and attempt.tool not in told:
        ledger = run.ledger
        named = _named(attempt.tool, call.target_args, ledger.rules.paths)
        ledger.doubt(Doubt(attempt.tool, named, ledger.end if at is None else at))
        run.gates.memory.changes.doubt(named)


def only_words_tell(
    call: ToolCall, attempt: Attempt, result: ToolResult, rules: LedgerRules
) -> bool:
    """Whether nothing but its text tells that a changing command failed, or never ran.

    The command may have printed the words of the host itself. What tells the end of a call apart
    from its text is an exit status, a state or a flag.
    """
    return (
        result.basis == "host_rule"
        and call.target == "bash"
        and attempt.mutates
        and rules.failures_may_change
    )


def unanswered(run: Run) -> Iterator[Doubt]:
    """Yield the calls without a result that may have changed something."""
    for opened in run.open.values():
        if doubt := _doubt_of(opened, run):
            yield doubt


def latest(run: Run) -> Doubt | None:
    """Return the latest of all calls behind which nothing is sure.

    A call without a result is one of them once what was made behind it has ended.
    """
    known = run.ledger.doubted
    for opened in run.open.values():
        if opened.number < run.ended and (doubt := _doubt_of(opened, run)):
            known = doubt if known is None or known.at <= doubt.at else known
    return known


def where(opened: Opened, run: Run) -> int:
    """Return where a call without a result stands in the session: as the last of its message."""
    end = opened.message.end
    return run.ledger.end if end is None else end


def _doubt_of(opened: Opened, run: Run) -> Doubt | None:
    call, rules = opened.call, run.ledger.rules
    tool, args = call.target, call.target_args
    flag = call.read_only if call.resolved_name is None else call.resolved_read_only
    if tool in HOST_STATE_TOOLS or not mutates(tool, args, rules=rules, read_only=flag):
        return None
    return Doubt(tool, _named(tool, args, rules.paths), where(opened, run))


def pass_on(child: Run, parent: Run) -> None:
    """Tell which calls of a delegated run may have changed something: they leave no evidence."""
    still_open = list(unanswered(child))
    for call in (*child.gates.memory.changes.doubts, *(doubt.call for doubt in still_open)):
        parent.gates.memory.changes.doubt(call)
    for doubt in (child.ledger.doubted, *still_open):
        if doubt is not None:
            parent.ledger.doubt(structs.replace(doubt, at=parent.ledger.end))


def _named(tool: str, args: Any, style: PathStyle) -> str:
    """Name a call for a message: by its command and paths, else by its tool."""
    return " ".join((command_in(args), *paths_of(args, style))) or tool
