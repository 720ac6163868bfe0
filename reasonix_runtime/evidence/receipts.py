"""What the host remembers of one call and its result (EL-01 to EL-08).

A receipt is made once, when a call has ended, and never changes. It is cheap: names, flags,
normalised paths and the command are kept, never the output.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import structs

from reasonix_runtime.evidence.arguments import MOST_PATHS, command_in, paths_of, text_member
from reasonix_runtime.evidence.claims import proof_shaped, step_of, todos_of
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.effects.partial_failure import may_have_changed
from reasonix_runtime.evidence.effects.shell_edits import edit_of
from reasonix_runtime.evidence.jobs import JOB_KILLERS
from reasonix_runtime.evidence.kept import LONGEST_WHOLE, brief, brief_claim, packed, whole
from reasonix_runtime.evidence.ledger_rules import STOPPED_EXITS, LedgerRules
from reasonix_runtime.evidence.paths import norm
from reasonix_runtime.evidence.tasks import Task, TaskMatch, match
from reasonix_runtime.evidence.tool_kinds import (
    BOOKKEEPING,
    HOST_STATE_TOOLS,
    META_TOOLS,
    NAMELESS,
    NAMES_ONLY,
    READ_ONLY_TOOLS,
    READERS,
    SIGN_OFFS,
    WRITERS,
)
from reasonix_runtime.trace.events import has_text


class Receipt(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One entry of the ledger; the fields of EL-01.

    `args` are the arguments as they are kept (:func:`.kept.brief`).
    `content` says that a read shows what is in the files that it names, and not only that they are
    there: a search that found nothing shows nothing, of an empty file a read all that there is.
    `outcome` and `exit_code` tell more than `success` where the recording knows more. `settled` is
    false for a background start that proves nothing yet. `has_output` says that the result is more
    than white space, all that a gate asks of it. `todo_step` is the match of a `complete_step` at
    the moment of recording. `began` is the position in the session at which a job started whose end
    this receipt tells; None for a call that began when it was recorded. `partly` says that it did
    not succeed and may have changed something all the same. `refused_for` is the reason code by
    which a `complete_step` was refused. `ran_nothing` says that by its output a check ran no test,
    or none that could fail it, `belied` that it sums up tests that failed and ended well,
    `kept_nothing` that a stash found nothing to put away.
    """

    tool: str
    args: Any
    success: bool
    profile: str = ""
    command: str = ""
    step: str = ""
    step_proof: bool = False
    todo_step: TaskMatch | None = None
    paths: tuple[str, ...] = ()
    read: bool = False
    content: bool = False
    write: bool = False
    mutation: bool = False
    todos: tuple[Task, ...] = ()
    has_output: bool = False
    outcome: str = "ok"
    exit_code: int | None = None
    background: bool = False
    settled: bool = True
    began: int | None = None
    partly: bool = False
    refused_for: str = ""
    ran_nothing: bool = False
    belied: bool = False
    kept_nothing: bool = False

    @property
    def changed(self) -> bool:
        """Whether it changed something, or may have before it failed."""
        return self.mutation and (self.success or self.partly)

    @property
    def is_work(self) -> bool:
        """Whether it is a successful call that is more than bookkeeping (EL-12 "work")."""
        return self.success and self.tool not in ("ask", "complete_step", "todo_write")

    @property
    def is_progress(self) -> bool:
        """Whether it is a successful call that is no read and no list (EL-12 "progress")."""
        return self.success and not self.read and self.tool != "todo_write"


class _Packed:
    """The command of a receipt, which is kept packed.

    Everybody asks a receipt for its `command`. So a property of that name stands before the field,
    and what the field holds is reached by its descriptor, under another name.
    """

    __slots__ = ()

    kept_command: Any = Receipt.__dict__["command"]

    @property
    def command(self) -> str:
        """The command, unpacked each time that it is asked for."""
        return whole(self.kept_command)


class LongReceipt(_Packed, Receipt, frozen=True, kw_only=True):
    """A receipt of a long command."""

    if not TYPE_CHECKING:  # where types are checked it is the text that the property gives
        command: str | bytes = ""


def long_receipt(*, command: str, **facts: Any) -> Receipt:
    """Return the receipt of a long command; facts are its further fields."""
    kept: Any = packed(command)
    return LongReceipt(command=kept, **facts)


class _PackedClaim:
    """The arguments of a receipt, which are kept packed, and what is read off them (`_Packed`)."""

    __slots__ = ()

    kept_args: Any = Receipt.__dict__["args"]

    @property
    def args(self) -> Any:
        """The arguments, unpacked each time that they are asked for."""
        return json.loads(whole(self.kept_args))

    @property
    def step(self) -> str:
        """The identity that a `complete_step` names."""
        return step_of(_members(self.args)) if self.tool == "complete_step" else ""

    @property
    def todos(self) -> tuple[Task, ...]:
        """The items of a `todo_write`."""
        return todos_of(_members(self.args)) if self.tool == "todo_write" else ()

    if TYPE_CHECKING:  # a mixin in front of a receipt
        tool: str


class LongClaim(_PackedClaim, Receipt, frozen=True, kw_only=True):
    """A receipt of a claim with long arguments."""

    if not TYPE_CHECKING:  # where types are checked it is what the properties give
        args: str | bytes
        step: str = ""
        todos: tuple[Task, ...] = ()


def long_claim(receipt: Receipt) -> Receipt:
    """Return the receipt of a claim with long arguments as it is kept.

    They are packed if they are long without their prose, and nothing is kept that is read off them.
    """
    args = brief_claim(receipt.args)
    kept: Any = packed(json.dumps(args))
    if isinstance(kept, str):
        return structs.replace(receipt, args=args)
    return LongClaim(**{**structs.asdict(receipt), "args": kept, "step": "", "todos": ()})


def _members(args: Any) -> dict[str, Any]:
    return args if isinstance(args, dict) else _NO_MEMBERS


def receipt_of(
    tool: str,
    args: Any,
    *,
    rules: LedgerRules,
    outcome: str = "ok",
    output: str = "",
    read_only: bool | None = None,
    exit_code: int | None = None,
    tasks: Sequence[Task] = (),
    running_jobs: frozenset[str] | None = None,
    refused_for: str = "",
) -> Receipt:
    """Make the receipt of a call that ran.

    Args:
        tool: the name under which the call counts (the target of a proxy call).
        args: the argument object as sent; anything that is no object leaves only flags.
        rules: the policy points.
        outcome: how it ended (`trace.events.Outcome`); of a command `running` is a success, too.
        output: the result text; whether it says anything is kept.
        read_only: the registry flag at the time of the call, None for the contract's own table.
        exit_code: of the process, where the recording knows it.
        tasks: the latest list of the turn, for matching a `complete_step` (EL-01 `todo_step`).
        running_jobs: ids of running jobs whose end is a change, None when nobody counts them.
        refused_for: the reason code by which a `complete_step` was refused.
    """
    members = args if isinstance(args, dict) else _NO_MEMBERS
    nameless = tool in NAMELESS and not rules.any_tool_names_files
    named = () if nameless else paths_of(members, rules.paths, most=MOST_PATHS)
    if tool == "bash":
        return _shell_receipt(members, args, rules, outcome, output, read_only, exit_code, named)
    if tool == "complete_step":
        return _signoff_receipt(members, args, rules, outcome, exit_code, tasks, refused_for)
    flags = _flags_of(tool, members, read_only, rules, running_jobs)
    return _tool_receipt(tool, members, args, rules, outcome, output, exit_code, named, flags)


_NO_MEMBERS: dict[str, Any] = {}


def _shell_receipt(
    members: dict[str, Any],
    args: Any,
    rules: LedgerRules,
    outcome: str,
    output: str,
    read_only: bool | None,
    exit_code: int | None,
    named: tuple[str, ...],
) -> Receipt:
    """Make the receipt of a `bash` call; inside a read-only agent it is registered read-only.

    `named` are the paths that stand beside the command.
    """
    command = text_member(members, "command")
    background = outcome == "running" or bool(members.get("run_in_background"))
    success = outcome == "ok" or outcome == "running"
    reading = read_only and rules.flags_hide_changes
    mutation = not reading and (not command or classify(command, rules.commands).changes_files)
    partly = mutation and not success and _went_partly(command, rules, outcome, exit_code)
    long = len(command) > LONGEST_WHOLE
    make: Callable[..., Receipt] = long_receipt if long else Receipt
    return make(
        tool="bash",
        args=brief(args) if long else args,
        success=success,
        command=command,
        paths=(_told_paths(command, rules) if mutation else ()) or named,
        read=bool(read_only),
        mutation=mutation,
        has_output=has_text(output),
        outcome=outcome,
        exit_code=exit_code,
        background=background,
        settled=not background or rules.background_from_start,
        partly=partly,
    )


def _told_paths(command: str, rules: LedgerRules) -> tuple[str, ...]:
    """Return the paths that a shell command which changes something is known to change."""
    told = edit_of(command, rules.commands).paths
    return tuple(norm(path, rules.paths) for path in told)


def _went_partly(command: str, rules: LedgerRules, outcome: str, exit_code: int | None) -> bool:
    """Whether a changing command that did not succeed may have changed something before that."""
    if not rules.failures_may_change:
        return False
    if outcome == "error" and exit_code not in STOPPED_EXITS:
        return may_have_changed(command, rules.commands)
    return outcome in ("cancelled", "error")


def _signoff_receipt(
    members: dict[str, Any],
    args: Any,
    rules: LedgerRules,
    outcome: str,
    exit_code: int | None,
    tasks: Sequence[Task],
    refused_for: str,
) -> Receipt:
    """Make the receipt of a `complete_step`, with its match at this moment."""
    step = step_of(members)
    found = match(step, tasks)
    return Receipt(
        tool="complete_step",
        args=args,
        success=outcome == "ok",
        step=step,
        step_proof=proof_shaped(members),
        todo_step=None if found is None else TaskMatch(found, tasks[found]),
        paths=paths_of(members, rules.paths),
        outcome=outcome,
        exit_code=exit_code,
        refused_for=refused_for,
    )


def _tool_receipt(
    tool: str,
    members: dict[str, Any],
    args: Any,
    rules: LedgerRules,
    outcome: str,
    output: str,
    exit_code: int | None,
    named: tuple[str, ...],
    flags: _Flags,
) -> Receipt:
    """Make the receipt of a call of any other tool."""
    # A file tool of the host writes at once or not at all.
    stopped = flags.mutation and not flags.write and outcome == "cancelled"
    return Receipt(
        tool=tool,
        args=args,
        success=outcome == "ok",
        profile=text_member(members, "profile") if tool == "task" else "",
        paths=named,
        read=flags.read,
        content=flags.read and tool not in NAMES_ONLY and (tool != "grep" or has_text(output)),
        write=flags.write,
        mutation=flags.mutation,
        partly=stopped and rules.failures_may_change,
        todos=todos_of(members) if tool == "todo_write" else (),
        has_output=has_text(output),
        outcome=outcome,
        exit_code=exit_code,
    )


class _Flags(NamedTuple):
    """What the receipt of a tool is by the tool alone."""

    read: bool
    write: bool
    mutation: bool


@lru_cache(maxsize=1024)
def _flags(tool: str, read_only: bool | None, held_apart: bool) -> _Flags:
    """Return what the receipt of a tool other than the shell is (EL-06, EL-07).

    `held_apart` says that the tool itself changes nothing of the workspace: only what the host
    holds, or nothing beside what its sub-agents did.
    """
    if read_only is None:
        read_only = tool in READ_ONLY_TOOLS
    write = tool in WRITERS
    read = not write and tool not in SIGN_OFFS and (read_only or tool in READERS)
    unchanging = read_only or tool in META_TOOLS or tool in BOOKKEEPING
    return _Flags(read, write, not unchanging and not held_apart)


def _flags_of(
    tool: str,
    members: Mapping[str, Any],
    read_only: bool | None,
    rules: LedgerRules,
    running_jobs: frozenset[str] | None = None,
) -> _Flags:
    """Return what the receipt of a call of another tool than the shell is, by the policy points.

    `running_jobs` are those whose end is a change, None when nobody counts them.
    """
    if tool in WRITERS and not rules.flags_hide_changes:
        read_only = False
    kills = tool in JOB_KILLERS
    if tool == "fleet":
        held_apart = not rules.fleet_changes
    elif kills and running_jobs is not None and not rules.unknown_kill_changes:
        ends_change = text_member(members, "job_id") in running_jobs
        held_apart = not (rules.host_state_changes and ends_change)
    else:
        host_state = rules.host_state_changes and (rules.notes_change or kills)
        held_apart = tool in HOST_STATE_TOOLS and not host_state
    return _flags(tool, read_only, held_apart)


def left_paths(receipt: Receipt) -> tuple[str, ...]:
    """Return the paths of a change that are there after it: of a move only where it went."""
    if receipt.tool != "move_file" or len(receipt.paths) < 2:
        return receipt.paths
    return receipt.paths[1:]


def reported_paths(receipt: Receipt) -> tuple[str, ...]:
    """Return the paths that a review report names; empty for any other receipt."""
    listed = receipt.args.get("reviewed_paths") if isinstance(receipt.args, dict) else None
    if receipt.tool != "review_report" or not isinstance(listed, list):
        return ()
    return tuple(path for path in listed if isinstance(path, str) and path.strip())


def in_own_case(receipt: Receipt) -> Sequence[str]:
    """Return the paths of a receipt in the case of its arguments, which path rules may fold.

    It tells the words of a name apart.
    """
    named = paths_of(receipt.args)
    return named if len(named) == len(receipt.paths) else receipt.paths


def mutates(tool: str, args: Any, *, rules: LedgerRules, read_only: bool | None = None) -> bool:
    """Whether a call would change something, before it runs (EL-07)."""
    if tool != "bash":
        return _flags_of(tool, _NO_MEMBERS, read_only, rules).mutation
    command = command_in(args)
    reading = read_only and rules.flags_hide_changes
    return not reading and (not command or classify(command, rules.commands).mutates)
