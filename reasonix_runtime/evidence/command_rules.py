"""The policy points of command reading: one frozen record, three named values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from reasonix_runtime.evidence.scratch_places import UNTOLD, work_of


class Prefixes(StrEnum):
    """What may stand before a command without hiding it."""

    NONE = "none"
    ASSIGNMENTS = "assignments"  # `A=1 cmd` and `env A=1 cmd`, values static
    WRAPPERS = "wrappers"  # those, and programs that only run what follows them


class GitOptions(StrEnum):
    """Which of git's own options are skipped when its sub-command is looked for."""

    NONE = "none"
    PLACES = "places"  # `-C d`, `--git-dir` and `--work-tree`
    ALL = "all"  # those, and the others that leave the sub-command what it is


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CommandRules:
    """How shell commands are read and compared.

    Compared by identity: a record is a named constant and the key of every memo, so hashing it
    must cost nothing. `contract` closes the known false accepts and opens the known false
    rejects, each at its own point.
    """

    citation_by_grammar: bool
    """Compare programs and words in order (else: first word equal, cited words a subset)."""

    trailing_dots_stripped: bool
    """Drop a trailing `...` from a citation that is looked up in the transcript (CS-09 S1)."""

    tool_name_proves: bool
    """Let a citation that begins with a tool's name be proven by a call of that tool (S4)."""

    status_of_segment: bool
    """The status must belong to the cited segment (else: the call's status is its status)."""

    prefixes: Prefixes
    """What is looked through before a command when it is classified."""

    git_global_options: GitOptions
    """Which options of git itself (`git -C d`, `--no-pager`) are skipped when the sub-command is
    looked for."""

    wide_checks: bool
    """Recognise the common runners that the table of DL-03 lacks, skip global options, and take
    a check out whose flags write, skip or empty it."""

    cargo_builds_check: bool
    """`cargo check` is a verification and `cargo doc` only reads (else: both write)."""

    arguments_decide_change: bool
    """Look at arguments before a table hit counts as reading (`git tag v1` changes)."""

    commit_is_change: bool
    """A plain `git commit -m` counts as a change of the work tree."""

    push_is_change: bool
    """`git push` counts as a change of the work tree; by force it is one wherever arguments decide
    what is a change."""

    processes_change: bool
    """To start a server, or to end a process, counts as a change of the work tree."""

    shell_edits_are_opaque: bool
    """Nobody knows which files a shell command changes (R2); otherwise those count that an edit in
    place, a copy, a move, a removal or a redirect names."""

    looks_by_meaning: bool
    """What git shows of a change is told by its options and revisions (`git show HEAD:p` shows what
    was there before it); otherwise by the words that RV-05 and EL-14 list."""

    scratch_is_work: bool
    """To make or remove something in a folder for scratch (`rm -rf /tmp/x`, `mktemp -d`) counts as
    a change of the work tree, wherever the work stands."""

    work: str = UNTOLD
    """Where the work stands, as far as that decides what is scratch: `apart` from the folders for
    it, in or around one of them (then its root), or `untold`."""

    def in_workspace(self, root: str) -> CommandRules:
        """Return these rules for the work below a root, empty where nobody told it."""
        return self if self.scratch_is_work else _placed(self, work_of(root))


@lru_cache(maxsize=64)
def _placed(rules: CommandRules, work: str) -> CommandRules:
    """Return the rules for work that stands there: one record for all that stands apart."""
    return rules if rules.work == work else replace(rules, work=work)


CLASSIC_COMMANDS = CommandRules(
    citation_by_grammar=False,
    trailing_dots_stripped=True,
    tool_name_proves=True,
    status_of_segment=False,
    prefixes=Prefixes.NONE,
    git_global_options=GitOptions.NONE,
    wide_checks=False,
    cargo_builds_check=True,
    arguments_decide_change=False,
    commit_is_change=True,
    push_is_change=True,
    processes_change=True,
    shell_edits_are_opaque=True,
    looks_by_meaning=False,
    scratch_is_work=True,
)

CONTRACT_COMMANDS = CommandRules(
    citation_by_grammar=True,
    trailing_dots_stripped=False,
    tool_name_proves=False,
    status_of_segment=True,
    prefixes=Prefixes.WRAPPERS,
    git_global_options=GitOptions.ALL,
    wide_checks=True,
    cargo_builds_check=True,
    arguments_decide_change=True,
    commit_is_change=False,
    push_is_change=False,
    processes_change=False,
    shell_edits_are_opaque=False,
    looks_by_meaning=True,
    scratch_is_work=False,
)

FACTS_COMMANDS = replace(
    CLASSIC_COMMANDS,
    prefixes=Prefixes.ASSIGNMENTS,
    git_global_options=GitOptions.PLACES,
    cargo_builds_check=False,
    commit_is_change=False,
    push_is_change=False,
)
