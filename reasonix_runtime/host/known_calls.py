"""A cache of what follows from a call alone, whatever happened before it.

An agent makes the same calls again and again, and most of what a gate asks of a call depends on its
tool, its flags and its arguments only: the class of its command, its paths, the receipt that it
leaves when it ends well. A reader gives equal calls the same arguments object
(:class:`~reasonix_runtime.trace.events.SharedArguments`), so that answers are found by its
identity. Nothing here decides: without the cache every answer would be the same, only later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from reasonix_runtime.evidence.arguments import command_in, in_background
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.effects.profile import command_profile, writes_file
from reasonix_runtime.evidence.jobs import JOB_KILLERS, JOB_READERS
from reasonix_runtime.evidence.kept import LONGEST_WHOLE, NESTED, READ_AGAIN, brief
from reasonix_runtime.evidence.receipts import Receipt, mutates, receipt_of
from reasonix_runtime.evidence.recent import Recent
from reasonix_runtime.evidence.session import Call, call_of
from reasonix_runtime.evidence.shell.script import parse
from reasonix_runtime.evidence.tool_kinds import READ_ONLY_TOOLS
from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.loop_guards import Ended, repeats_writes
from reasonix_runtime.gates.preflight import Attempt, attempt_of
from reasonix_runtime.trace.events import SharedArguments

if TYPE_CHECKING:
    from collections.abc import Set

    from reasonix_runtime.evidence.ledger_rules import LedgerRules
    from reasonix_runtime.gates.policy import Policy
    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.trace.events import Outcome, ToolCall

MOST_KNOWN = 1024
"""How many distinct calls are remembered, twice over (:class:`Recent`)."""

LONGEST_KNOWN = 4096
"""Characters of a command line up to which its kind is remembered."""

NOT_PLAIN = JOB_READERS | JOB_KILLERS
"""Tools whose receipt or result tells of background jobs."""

_Kind: TypeAlias = tuple[str, str, bool | None, bool, bool]
"""Tool, command, registry flag, whether a command may outlive its call, and whether the call asks
to run in the background."""

_OUTLIVING = ("run_in_background", "preserve_background_processes")


class KnownCall(msgspec.Struct, eq=False, kw_only=True):
    """What follows from one call alone.

    Attributes:
        read_only: the registry flag that the call came with.
        args: its arguments; while they are held here, nothing else has their identity.
        attempt: the call as preflight sees it.
        passed: the verdict of preflight when nothing speaks against the call.
        ended: how it stands in its message when it ends well.
        counted: whether its output tells how many tests ran, and that decides what it proves.
        lenient: whether it is a check that passes also where it finds no test.
        plain: whether all that it leaves is one receipt, which follows from its result.
        quick: whether it is plain, and its gates look at no more than what held before it and at
            its repetition.
        told: the call as the history of the session keeps it.
        receipts: those that it left, by outcome, exit code and whether there was output.
    """

    name: str
    read_only: bool | None
    args: Any
    attempt: Attempt
    passed: tuple[Verdict, ...]
    ended: Ended
    counted: bool
    lenient: bool
    plain: bool
    quick: bool
    told: Call
    receipts: dict[tuple[Outcome, int | None, bool], Receipt] = {}

    def receipt(
        self, outcome: Outcome, exit_code: int | None, has_output: bool, rules: LedgerRules
    ) -> Receipt:
        """Return the receipt of this call, when it is a plain one, for a result of this kind."""
        key = (outcome, exit_code, has_output)
        known = self.receipts.get(key)
        if known is None:
            known = self.receipts[key] = receipt_of(
                self.name,
                self.args,
                rules=rules,
                outcome=outcome,
                output="." if has_output else "",
                read_only=self.read_only,
                exit_code=exit_code,
            )
        return known


class KnownCalls:
    """The calls that one state machine has met, under its rules.

    Args:
        policy: the rule set.
        judged: the tools that have a gate of their own.
        read_only_shell: whether `bash` is a read-only wrapper here (EL-06).
    """

    def __init__(self, policy: Policy, *, judged: Set[str], read_only_shell: bool) -> None:
        self._policy = policy
        self._not_plain = NOT_PLAIN | judged
        self._read_only_shell = read_only_shell
        self._by_args: Recent[int, KnownCall] = Recent(MOST_KNOWN)
        self._kinds: Recent[_Kind, KnownCall] = Recent(MOST_KNOWN)

    def of(self, call: ToolCall) -> KnownCall:
        """Return what follows from a call alone."""
        args = call.args
        if type(args) is not SharedArguments or call.resolved_name is not None:
            return self._describe(call)
        memory, key = self._by_args, id(args)
        known = memory.now.get(key) or memory.find(key)
        if known is None or known.name != call.name or known.read_only is not call.read_only:
            known = self._describe(call)
            memory.keep(key, known)
        return known

    def _describe(self, call: ToolCall) -> KnownCall:
        """Describe a call that was not met lately; only its arguments are its own."""
        name, args = call.name, call.args
        if call.resolved_name is not None:
            return self._kind(call, self._target(call), apart=in_background(args))
        command, background, apart = "", False, False
        if isinstance(args, dict) and args:
            apart = bool(args.get("run_in_background"))  # `in_background`, without the call
            if name == "bash":
                command = command_in(args)
                background = any(map(args.get, _OUTLIVING))
        key = (name, command, call.read_only, background, apart)
        kind = self._kinds.find(key)
        if kind is None:
            attempt = self._attempt(name, command, call.read_only, background)
            kind = self._kind(call, attempt, apart=apart)
            if len(command) <= LONGEST_KNOWN:
                self._kinds.keep(key, kind)
        kept = args
        if type(args) is dict and name not in READ_AGAIN:
            for value in args.values():
                if type(value) in NESTED or (type(value) is str and len(value) > LONGEST_WHOLE):
                    kept = brief(args)
                    break
        long = kept is not args or len(command) > LONGEST_WHOLE
        told = call_of(name, args, self._policy.ledger.paths) if long else Call(name, args)
        return msgspec.structs.replace(kind, args=kept, told=told, receipts={})

    def _kind(self, call: ToolCall, attempt: Attempt, *, apart: bool) -> KnownCall:
        """Work out what follows from a call; `apart` tells that it is answered before it ends."""
        name, args = call.name, call.args
        reading = self._read_only_shell and name == "bash"
        plain = not (attempt.proxied or apart or reading or name in self._not_plain)
        shell = attempt.shell
        return KnownCall(
            name=name,
            read_only=call.read_only,
            args=args,
            attempt=attempt,
            passed=(preflight.allowed(attempt),),
            ended=Ended(tool=name, ok=True),
            counted=attempt.verifies and not self._policy.ledger.empty_runs_pass,
            lenient=shell is not None and shell.lenient,
            plain=plain,
            quick=plain and self._policy.evidence_gates and attempt.shapely,
            told=Call(name, args),
        )

    def _target(self, call: ToolCall) -> Attempt:
        """Describe the target of a proxy call."""
        args, command, background = call.resolved_args, "", False
        if call.resolved_name == "bash" and isinstance(args, dict):
            command = command_in(args)
            background = any(map(args.get, _OUTLIVING))
        tool = call.target
        return self._attempt(tool, command, call.resolved_read_only, background, proxied=True)

    def _attempt(
        self,
        tool: str,
        command: str,
        given: bool | None,
        background: bool,
        *,
        proxied: bool = False,
    ) -> Attempt:
        """Describe a call as preflight sees it; `given` is the registry flag that it came with."""
        read_only = tool in READ_ONLY_TOOLS if given is None else given
        ledger = self._policy.ledger
        shell = classify(command, ledger.commands) if command else None
        redirects = bool(command) and any(map(writes_file, parse(command).segments))
        return attempt_of(
            tool,
            read_only=read_only,
            mutates=mutates(tool, {"command": command}, rules=ledger, read_only=read_only),
            shell=shell,
            starts_background=background,
            repeatable=repeats_writes(tool, command, redirects=redirects, background=background),
            proxied=proxied,
            effective=command_profile(command, ledger.commands).changes if command else False,
        )
