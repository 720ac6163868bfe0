"""What one plain command is: a check, a command that only reads, or one that may accompany a check.

The tables and readers say what they know of a command; the policy points decide here which of them
are asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.checks.check_kinds import CheckKind, check_kind
from reasonix_runtime.evidence.checks.tables import REPAIRING
from reasonix_runtime.evidence.checks.verification import (
    is_listed_check,
    is_option,
    program_name,
)
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.effects.caches import drops_caches
from reasonix_runtime.evidence.effects.collecting import keeps_aside
from reasonix_runtime.evidence.effects.forges import is_forge, speaks_to_forge
from reasonix_runtime.evidence.effects.git_commands import (
    commits_by_name,
    forces_push,
    is_plain_commit,
    keeps_house,
    names_receiver,
    stages_named_files,
    starts_branch,
    unstages,
)
from reasonix_runtime.evidence.effects.probes import only_asks
from reasonix_runtime.evidence.effects.processes import concerns_processes
from reasonix_runtime.evidence.effects.reads_by_arguments import reads_by_arguments, tags
from reasonix_runtime.evidence.effects.reads_by_table import is_table_hit, reads_by_table
from reasonix_runtime.evidence.effects.redirects import is_document, is_plain_input, unsafe
from reasonix_runtime.evidence.effects.scratch import tidies
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.options.git import git_subcommand
from reasonix_runtime.evidence.running.operands import EXPANDED, stand_in
from reasonix_runtime.evidence.running.preparation import touches_shell_only
from reasonix_runtime.evidence.running.reading import Plain, read
from reasonix_runtime.evidence.shell.script import parse
from reasonix_runtime.evidence.shell.state import DECLARATIONS, action_of, program_of

# Readers besides those of the short table that take what another command prints.
_TAKING = frozenset({"diff", "[[", "type", "write-output", "write-host"})
# A program whose words are a command, and those of which one is a script.
_RUNS_WORDS = "xargs"
_SCRIPTED = frozenset({"sed", "awk", "gawk"})
_CARGO_BUILDS = frozenset({"check", "doc"})

CHECKING = frozenset({CheckKind.CHECK, CheckKind.LENIENT})
"""What a verification is; of a lenient one its output tells whether it ran anything."""


def is_check(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command is a verification segment (DL-03)."""
    words = plain.words
    if words is None:
        return False
    if rules.wide_checks:
        told = plain.owned or tool_name(words[0]) not in REPAIRING
        return told and kind_of(plain, words, rules) in CHECKING
    return is_listed_check(words) and (rules.cargo_builds_check or not builds_with_cargo(words))


@memoised(1024)
def checks_nothing(command: str, rules: CommandRules) -> bool:
    """Whether a command has a check that an option or a variable empties, narrows or mutes."""
    return rules.wide_checks and any(
        plain.words is not None and kind_of(plain, plain.words, rules) is CheckKind.EMPTY
        for plain in read(command, rules).commands
    )


def is_lenient(plain: Plain, rules: CommandRules) -> bool:
    """Whether a verification segment passes also where it finds no test."""
    return (
        rules.wide_checks
        and plain.words is not None
        and kind_of(plain, plain.words, rules) is CheckKind.LENIENT
    )


def kind_of(plain: Plain, words: tuple[str, ...], rules: CommandRules) -> CheckKind:
    """Return what a command with these words is, seen as a check."""
    return check_kind(words, plain.assignments, cargo=rules.cargo_builds_check, work=rules.work)


def builds_with_cargo(words: tuple[str, ...]) -> bool:
    """Whether a command is `cargo check` or `cargo doc`, which write what they built."""
    return program_name(words[0]) == "cargo" and not _CARGO_BUILDS.isdisjoint(words[1:2])


def accompanies(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command may stand beside a check (DL-03).

    By the table alone its options are not looked at; where arguments decide, it must change nothing
    that the rules count.
    """
    if rules.arguments_decide_change:
        return only_reads(plain, rules)
    if _changes_processes_alone(plain, rules):
        return True
    return plain.words is not None and is_table_hit(plain.words)


def only_reads(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command that is no check changes nothing that the rules count as a change."""
    words = plain.words
    told = words or (_printed_into(plain, rules) if rules.arguments_decide_change else None)
    if told is not None and _changes_elsewhere(told, rules):
        return True
    if _changes_processes_alone(plain, rules):
        return True
    if rules.arguments_decide_change:
        return _reads_by_arguments(plain, rules)
    if plain.opaque:
        return False
    if tidies_scratch(plain, rules) and not unsafe(plain.segment):
        return True
    if words is not None and not rules.cargo_builds_check and builds_with_cargo(words):
        return False
    probes = words is not None and words[0].lower() == tables.NETWORK_PROBE
    return probes or reads_by_table(plain.segment)


def _changes_processes_alone(plain: Plain, rules: CommandRules) -> bool:
    """Whether all that a command changes are processes, where the rules do not count these."""
    return not (rules.processes_change or unsafe(plain.segment)) and concerns_processes(plain)


def changes_only_by(kind: Callable[[Plain], bool], command: str, rules: CommandRules) -> bool:
    """Whether a command has parts of a kind, and all others of it check or only read."""
    reading = read(command, rules)
    found = [kind(plain) for plain in reading.commands]
    return (
        any(found)
        and reading.is_whole
        and all(
            one or is_check(plain, rules) or only_reads(plain, rules)
            for one, plain in zip(found, reading.commands, strict=True)
        )
    )


def _changes_elsewhere(words: tuple[str, ...], rules: CommandRules) -> bool:
    """Whether a command changes what the rules do not count: the record, or another machine."""
    if rules.arguments_decide_change and not rules.push_is_change and speaks_to_forge(words):
        return True
    subcommand = git_subcommand(words)
    if not subcommand:
        return False
    if subcommand == "push":
        wild = rules.arguments_decide_change and (forces_push(words) or names_receiver(words))
        return not (rules.push_is_change or wild)
    if rules.commit_is_change:
        return False
    if rules.arguments_decide_change and (
        stages_named_files(words)
        or commits_by_name(words)
        or starts_branch(words)
        or keeps_house(words)
        or unstages(words)
    ):
        return True
    return subcommand == "commit" and is_plain_commit(words)


def _printed_into(plain: Plain, rules: CommandRules) -> tuple[str, ...] | None:
    """Return the words of a command whose text is printed for it: `-m "$(cat <<'EOF' ...)"`.

    That is how agents write the message of a commit, or what is said to a forge. It may be handed
    to the command as well: `-F - <<'EOF'`. None for others.
    """
    segment = plain.segment
    start = tuple(word.value for word in segment.words[:2])
    takes_text = start == ("git", "commit") or is_forge(start[0] or "" if start else "")
    handed = all(is_document(one) or is_plain_input(one) for one in unsafe(segment))
    if not takes_text or plain.opaque or segment.negated or not handed:
        return None
    printed = all(
        substitution.quoted and _only_readers(substitution.command, rules)
        for word in segment.words
        for substitution in word.substitutions
    )
    words = [word for word in segment.words if word.value is not None or word.text[:1] == '"']
    whole = printed and len(words) == len(segment.words)
    return tuple(word.value or word.text for word in words) if whole else None


def _reads_by_arguments(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command only reads, its arguments looked at (policy point)."""
    segment = plain.segment
    if not all(map(is_plain_input, unsafe(segment))):
        return False
    if plain.opaque and not _assigned_reads(plain, rules):
        return False
    if touches_shell_only(segment, plain.assignments) or tidies_scratch(plain, rules):
        return True
    if plain.collects and keeps_aside(plain, rules):
        return True
    if not segment.words:
        return False
    if program_of(segment) == "trap":
        return _reads_at_the_end(plain, rules)
    words = segment.values
    if words is None:
        return _reads_dynamically(plain, rules)
    if not rules.cargo_builds_check and builds_with_cargo(words):
        return False
    kind = kind_of(plain, words, rules)
    if drops_caches(words):
        return True
    if kind is CheckKind.EMPTY or (kind in CHECKING and segment.negated):
        return plain.owned or tool_name(words[0]) not in REPAIRING
    return only_asks(words) or reads_by_arguments(words, plain.assignments)


def tidies_scratch(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command only makes or removes something in folders for scratch (policy point)."""
    return not rules.scratch_is_work and tidies(plain, rules.work)


def _reads_at_the_end(plain: Plain, rules: CommandRules) -> bool:
    """`trap 'rm -rf "$d"' EXIT`: what the shell is to do at its end may know its variables."""
    reading = read(action_of(plain.segment), rules)
    return reading.is_whole and all(
        only_reads(replace(one, temporary=plain.temporary), rules) for one in reading.commands
    )


def _reads_dynamically(plain: Plain, rules: CommandRules) -> bool:
    """Whether a command that expands variables or runs substitutions still only reads.

    Every command inside a substitution must only read by the same rules. No option of the short
    table writes, so whatever expands does no harm there; to others it must be no option.
    """
    segment = plain.segment
    if not all(
        _only_readers(one.command, rules) for word in segment.words for one in word.substitutions
    ):
        return False
    program = (segment.words[0].value or "").lower()
    if program in DECLARATIONS:
        return True
    words = _words_without_doubt(plain)
    if words and (
        only_asks(words)
        or reads_by_arguments(words, plain.assignments)
        or kind_of(plain, words, rules) in CHECKING  # it proves nothing: what it took in is open
    ):
        return True
    if program not in tables.SUBSTITUTION_PROGRAMS | _TAKING:
        return reads_by_table(segment)
    return program not in {"file", "hostname", "rg"}


def _words_without_doubt(plain: Plain) -> tuple[str, ...] | None:
    """Return the words of a command, where it is sure that those that expand are no options."""
    words = plain.segment.words
    if words[0].value is None or words[0].value.lower() == _RUNS_WORDS:
        return None
    scripted = words[0].value in _SCRIPTED
    known = {one.name: one.word for one in plain.assignments}
    found = []
    for word in words:
        text = stand_in(word, known)
        if text is None:
            return None
        if scripted and word.value is None:  # it may be a part of the script
            text = text if is_option(text) else EXPANDED
        found.append(text)
    return tuple(found)


def _assigned_reads(plain: Plain, rules: CommandRules) -> bool:
    """Whether what an assignment runs only reads: `VERSION=$(cat VERSION)`."""
    return all(
        _only_readers(substitution.command, rules)
        for assignment in plain.assignments
        for substitution in assignment.word.substitutions
    )


def _only_readers(command: str, rules: CommandRules) -> bool:
    reading = read(command, rules)
    return (
        reading.is_whole
        and bool(reading.commands)
        and all(_reads_by_arguments(inner, rules) for inner in reading.commands)
    )


@lru_cache(maxsize=64)
def _counting_scratch(rules: CommandRules) -> CommandRules:
    """Return the rules of one who asks before anything is written, wherever that is."""
    return replace(rules, scratch_is_work=True)


def is_permission_readonly(command: str, rules: CommandRules) -> bool:
    """Whether the permission layer treats a call as read-only (EL-10).

    Exactly one simple command of the tables, nothing before it, not in the background.
    """
    script = parse(command)
    if not script.splittable or len(script.segments) != 1:
        return False
    segment = script.segments[0]
    if segment.background or segment.assignments or not segment.words:
        return False
    if rules.arguments_decide_change:
        plain, rules = Plain(segment=segment), _counting_scratch(rules)
        # By themselves: bookkeeping of the shell and a probe only read, and are still asked about.
        in_table = segment.values is None or reads_by_arguments(segment.values)
        return in_table and _reads_by_arguments(plain, rules)
    if not reads_by_table(segment, exact_case=True):
        return False
    words = tuple(segment.known_values)
    return tuple(map(str.lower, words[:2])) != ("git", "tag") or not tags(words)
