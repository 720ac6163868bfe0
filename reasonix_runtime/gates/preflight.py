"""May this call run? The checks before execution (DL-02).

A refusal leaves no receipt; its result starts with `blocked:`. For a proxy call the resolved target
is judged. The order inside one call is that of :func:`refusals`: a failed change earlier in the
message, the loop guards, planning, the shapes of a command (G1 to G4), criteria and current task
(G5, G6), what the rule set asks of writers; a proxy target meets the failed change last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

import msgspec

from reasonix_runtime.evidence.commands import CommandClass
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, refuse

GATE = "preflight"


class MayRun(Enum):
    """Which calls may run without a look at each, as long as no change before them failed."""

    ANY = "any"
    INERT = "inert"
    """Those without any effect."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attempt:
    """A call that wants to run, without its arguments; of a proxy call, its target.

    Equal calls share one record (`attempt_of`), so everything that follows from them stands in it.

    Attributes:
        tool: the tool that runs.
        read_only: its registry flag.
        mutates: what EL-07 says of the call, whatever comes of it.
        shell: the class of a `bash` command, None for other tools.
        proxied: whether it is the target of a proxy call.
        verifies: whether it is a verification command (DL-03).
        raises_barrier: whether its failure holds up what follows in its message (DL-02 G0).
        meets_barrier: whether a failed change before it in its message holds it up (DL-02 G0).
        repeatable: whether the guards of repeated writes look at it (DL-10).
        shapely: whether it has no form that is refused by itself (G1 to G4). Then only its
            repetition can be, unless a plan is being made, a change failed before it, or the
            rules look at its effect.
        inert: whether it neither checks nor has any effect at all (FC-01).
    """

    tool: str
    read_only: bool
    mutates: bool
    shell: CommandClass | None
    proxied: bool
    verifies: bool
    raises_barrier: bool
    meets_barrier: bool
    repeatable: bool
    shapely: bool
    inert: bool


ASKED_BY_NAME = frozenset({"delete_range"})
"""Tools that a check of their own looks at, whatever their arguments."""


def attempt_of(
    tool: str,
    *,
    read_only: bool,
    mutates: bool,
    shell: CommandClass | None = None,
    starts_background: bool = False,
    repeatable: bool = False,
    proxied: bool = False,
    effective: bool = False,
) -> Attempt:
    """Describe a call.

    `starts_background` says that a command may outlive it, `effective` that it has an effect beside
    changes by EL-07 (a push, a commit).
    """
    verifies = shell is not None and shell.verification
    listing = shell is not None and shell.permission_readonly and not starts_background
    changes = not read_only if proxied else mutates and not listing
    shaped = shell is not None and (
        shell.masks_exit or shell.mixed or shell.inline_nonterminal or shell.inline_opaque
    )
    return Attempt(
        tool=tool,
        read_only=read_only,
        mutates=mutates,
        shell=shell,
        proxied=proxied,
        verifies=verifies,
        raises_barrier=changes and not verifies,
        meets_barrier=verifies or not (read_only or listing),
        repeatable=repeatable,
        shapely=not (shaped or tool in ASKED_BY_NAME),
        inert=not (mutates or verifies or effective),
    )


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """What the host knows when the call wants to run.

    `criteria` means that acceptance criteria are established (EL-17), `current_task` that the
    canonical list has an item in progress, `change_failed` that a change of this message failed,
    `memory_only` that the user asked for durable memory and nothing else, `plans_tasks` that
    changes belong to a task of the list at all (G5, G6; a policy point).
    """

    closed_loop: bool = False
    planning: bool = False
    criteria: bool = False
    current_task: bool = False
    change_failed: bool = False
    memory_only: bool = False
    plans_tasks: bool = True


def judge(
    attempt: Attempt,
    situation: Situation,
    *,
    guards: Iterable[Refusal] = (),
    writer_guards: Iterable[Refusal] = (),
) -> Verdict:
    """Decide whether the call may run; `guards` and `writer_guards` are asked in their place."""
    return decide(
        GATE,
        refusals(attempt, situation, guards=guards, writer_guards=writer_guards),
        lambda: allowed(attempt),
    )


@lru_cache(maxsize=8192)
def allowed(attempt: Attempt) -> Verdict:
    """Return the accepting verdict; nearly every call gets it, so it is made once."""
    return accept(GATE, mutates=attempt.mutates, verification=attempt.verifies)


def refusals(
    attempt: Attempt,
    situation: Situation,
    *,
    guards: Iterable[Refusal] = (),
    writer_guards: Iterable[Refusal] = (),
) -> Iterator[Refusal]:
    """Yield what speaks against the call, in the order in which a host checks it."""
    if not attempt.proxied:
        yield from _failed_change(attempt, situation)
    yield from guards
    if situation.planning and attempt.tool == "complete_step":
        yield refuse(
            "guard.planning",
            "steps are signed off while the plan is carried out, not while it is made: "
            "finish the plan first",
        )
    if attempt.shell is not None:
        yield from _command_shape(attempt.shell, closed_loop=situation.closed_loop)
    if situation.plans_tasks and situation.closed_loop:
        yield from _task_of_change(attempt, situation)
    yield from writer_guards
    if attempt.proxied:
        yield from _failed_change(attempt, situation)


def _failed_change(attempt: Attempt, situation: Situation) -> Iterator[Refusal]:
    """G0: after a failed change nothing that may build on it runs in the same message."""
    if situation.change_failed and attempt.meets_barrier:
        yield refuse(
            "preflight.failed_change_barrier",
            f"a change earlier in this message did not happen, so `{attempt.tool}` would work on "
            "a state that is not there; look at the failure, then call it in the next message",
        )


def _command_shape(shell: CommandClass, *, closed_loop: bool) -> Iterator[Refusal]:
    """G1 to G4: shapes of a command whose result could not be read afterwards."""
    if shell.masks_exit:
        yield refuse(
            "preflight.exit_masked",
            "printing `$?` after a check makes the call succeed whatever the check did: "
            "run the check alone, its status is reported",
        )
    if shell.mixed if closed_loop else shell.mixed_maskable:
        yield refuse(
            "preflight.mixed_mutation_verification",
            "the command changes something and checks it in one call"
            + ("" if closed_loop else ", and the check can hide that the change failed")
            + ": make two calls, the change first, then the check alone; what the check prints "
            "can be kept outside the work",
        )
    if shell.inline_nonterminal:
        yield refuse(
            "preflight.inline_nonterminal",
            "an inline program is followed by something that can hide its failure: make it the "
            "last part, join the parts by `&&`, or call it alone",
        )
    if closed_loop and shell.inline_opaque:
        yield refuse(
            "preflight.inline_opaque",
            "nobody can tell what an inline program changes: write it to a file and run that, use "
            "the file tools, or a known check such as `python -m pytest` or `node --test`",
        )


def _task_of_change(attempt: Attempt, situation: Situation) -> Iterator[Refusal]:
    """G5 and G6: in a closed loop a change belongs to a task with criteria."""
    if situation.memory_only and attempt.tool == "remember":
        return
    if (attempt.mutates or attempt.verifies) and not situation.criteria:
        yield refuse(
            "preflight.criteria_required",
            "this agent has no acceptance criteria yet: `todo_write` a list with one item in "
            f"progress, then call `{attempt.tool}` again",
        )
    if attempt.mutates and not situation.current_task:
        yield refuse(
            "preflight.active_todo_required",
            "no task is in progress that this change could belong to: `todo_write` the list with "
            f"a new item in progress, then call `{attempt.tool}` again",
        )
