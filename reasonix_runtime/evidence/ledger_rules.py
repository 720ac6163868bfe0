"""Policy points of receipts, ledger and session memory; `gates/policy.py` collects them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    FACTS_COMMANDS,
    CommandRules,
)
from reasonix_runtime.evidence.paths import PathStyle, style_of_root


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRules:
    """What the ledger remembers and how it answers.

    Attributes:
        commands: how commands are classified and compared.
        paths: how paths are normalised.
        background_from_start: a command started in the background proves something from its start
            on (EL-16); otherwise only once its end was seen.
        host_state_changes: `remember`, `forget`, `kill_shell`, `set_session_title` count as changes
            (EL-07 row 5).
        notes_change: of these, what only notes something (all but `kill_shell`) counts as a change.
        fleet_changes: `fleet` is a change itself, beside what its sub-agents did (EL-07 row 5).
        unknown_kill_changes: `kill_shell` on a job that never ran counts as a change.
        suffix_paths: an observed path covers every shorter path that it ends with, in any case
            (EL-05 "suffix"); otherwise paths are resolved against the workspace root and compared.
        reads_go_stale: content that was seen before the last change of its path proves nothing.
        names_are_content: a tool that only lists names (`ls`, `glob`), or a search that found
            nothing, shows the content of the path that it was given (RV-04 E1, E3).
        any_tool_names_files: each path key among the arguments names a file, also of a tool that
            takes none by name (`ask`, `bash`) (EL-04); otherwise such a key says nothing.
        mentions_are_whole: a command touches a path only if no longer name goes on at an end of it
            (`cat a.py.bak` does not touch `a.py`).
        latest_run_decides: a command whose latest run failed is not proved by an earlier success.
        selection_outweighs: a selection of tests that passed outweighs tests that failed on the
            same work and that it does not take in: the whole suite, another selection.
        inconclusive_exits: exit codes that say nothing about the check (it could not be started,
            was stopped, or was killed); such a run is neither a pass nor a failure.
        empty_runs_pass: a check passes also where its output says that no test ran; otherwise such
            a run is neither a pass nor a failure.
        flags_hide_changes: a registry flag or a role that says read-only takes the change away from
            a file writer and from a shell command (EL-07 row 1); otherwise what they do counts.
        failures_may_change: a command that failed or was stopped, or a call of another tool than
            those for files that was stopped, may have changed something before; otherwise neither.
        answered_only: the memory of earlier turns holds only calls with outcome `ok`; otherwise it
            holds every call but those whose result starts with `error:` or `blocked:`, the
            unanswered calls of the running message included (EL-19).
        goal_keeps_ledger: the next run of the same goal goes on with the ledger (EL-17); otherwise
            every turn starts with an empty one, and what is still owed is kept elsewhere.
    """

    commands: CommandRules
    paths: PathStyle = PathStyle.POSIX
    background_from_start: bool
    host_state_changes: bool
    notes_change: bool
    fleet_changes: bool
    unknown_kill_changes: bool
    suffix_paths: bool
    reads_go_stale: bool
    names_are_content: bool
    any_tool_names_files: bool
    mentions_are_whole: bool
    latest_run_decides: bool
    selection_outweighs: bool
    inconclusive_exits: frozenset[int]
    empty_runs_pass: bool
    flags_hide_changes: bool
    failures_may_change: bool
    answered_only: bool
    goal_keeps_ledger: bool

    def in_workspace(self, root: str) -> LedgerRules:
        """Return these rules for a workspace.

        Its root alone says how paths compare, and what is scratch.
        """
        style, commands = style_of_root(root), self.commands.in_workspace(root)
        if style is self.paths and commands is self.commands:
            return self
        return replace(self, paths=style, commands=commands)


STOPPED_EXITS = frozenset({124, 130, 137, 143})
"""Exit codes of a command that was stopped on its way: by a time limit, or by a signal."""
_NOT_STARTED_EXITS = frozenset({125, 126, 127})

CLASSIC_LEDGER = LedgerRules(
    commands=CLASSIC_COMMANDS,
    background_from_start=True,
    host_state_changes=True,
    notes_change=True,
    fleet_changes=True,
    unknown_kill_changes=True,
    suffix_paths=True,
    reads_go_stale=False,
    names_are_content=True,
    any_tool_names_files=True,
    mentions_are_whole=False,
    latest_run_decides=False,
    selection_outweighs=True,
    inconclusive_exits=frozenset(),
    empty_runs_pass=True,
    flags_hide_changes=True,
    failures_may_change=False,
    answered_only=False,
    goal_keeps_ledger=True,
)

FACTS_LEDGER = replace(CLASSIC_LEDGER, commands=FACTS_COMMANDS, host_state_changes=False)

CONTRACT_LEDGER = LedgerRules(
    commands=CONTRACT_COMMANDS,
    background_from_start=False,
    host_state_changes=True,
    notes_change=False,
    fleet_changes=False,
    unknown_kill_changes=False,
    suffix_paths=False,
    reads_go_stale=True,
    names_are_content=False,
    any_tool_names_files=False,
    mentions_are_whole=True,
    latest_run_decides=True,
    selection_outweighs=False,
    inconclusive_exits=STOPPED_EXITS | _NOT_STARTED_EXITS,
    empty_runs_pass=False,
    flags_hide_changes=False,
    failures_may_change=True,
    answered_only=True,
    goal_keeps_ledger=False,
)
