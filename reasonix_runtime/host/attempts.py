"""Calls described for preflight: what follows from tool, command and flags alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.effects import command_in, command_profile, writes_file
from reasonix_runtime.evidence.receipts import READ_ONLY_TOOLS, mutates
from reasonix_runtime.evidence.shell import parse
from reasonix_runtime.gates.loop_guards import repeats_writes
from reasonix_runtime.gates.preflight import Attempt, attempt_of

if TYPE_CHECKING:
    from reasonix_runtime.gates.policy import Policy
    from reasonix_runtime.trace.events import ToolCall

MOST_KNOWN = 4096
"""How many distinct descriptions are remembered."""

_OUTLIVING = ("run_in_background", "preserve_background_processes")


class Attempts:
    """Describes calls under one rule set; equal calls share one description."""

    def __init__(self, policy: Policy) -> None:
        self._rules = policy.ledger
        self._known: dict[tuple[str, str, bool, bool, bool], Attempt] = {}

    def of(self, call: ToolCall) -> Attempt:
        """Describe a call; of a proxy call, its target."""
        proxied = call.resolved_name is not None
        tool = call.resolved_name or call.name
        given = call.resolved_read_only if proxied else call.read_only
        read_only = tool in READ_ONLY_TOOLS if given is None else given
        args = call.resolved_args if proxied else call.args
        command, background = "", False
        if tool == "bash" and isinstance(args, dict):
            command = command_in(args)
            background = any(args.get(key) is True for key in _OUTLIVING)
        key = (tool, command, read_only, background, proxied)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            known = self._known[key] = self._describe(*key)
        return known

    def _describe(
        self, tool: str, command: str, read_only: bool, background: bool, proxied: bool
    ) -> Attempt:
        rules = self._rules.commands
        redirects = bool(command) and any(map(writes_file, parse(command).segments))
        return attempt_of(
            tool,
            read_only=read_only,
            mutates=mutates(tool, {"command": command}, rules=self._rules, read_only=read_only),
            shell=classify(command, rules) if command else None,
            starts_background=background,
            repeatable=repeats_writes(tool, command, redirects=redirects, background=background),
            proxied=proxied,
            effective=command_profile(command, rules).changes if command else False,
        )
