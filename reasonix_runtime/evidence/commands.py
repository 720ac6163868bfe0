"""One classifier for shell commands, used by every gate and by every message."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.citation import ExitStatus, Match, matches
from reasonix_runtime.evidence.command_rules import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    FACTS_COMMANDS,
    CommandRules,
    Prefixes,
)
from reasonix_runtime.evidence.content import (
    is_light_inspection,
    is_whole_diff,
    mentions,
    shows_path,
)
from reasonix_runtime.evidence.inline_programs import runs_inline_program
from reasonix_runtime.evidence.mutation import is_table_hit, reads_by_table
from reasonix_runtime.evidence.redirects import static_words
from reasonix_runtime.evidence.shell import MEMOISED_LENGTH, Script, Segment, parse
from reasonix_runtime.evidence.verification import is_listed_check

__all__ = [
    "CLASSIC_COMMANDS",
    "CONTRACT_COMMANDS",
    "FACTS_COMMANDS",
    "CommandClass",
    "CommandRules",
    "ExitStatus",
    "Match",
    "Prefixes",
    "classify",
    "is_light_inspection",
    "is_whole_diff",
    "matches",
    "mentions",
    "shows_path",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandClass:
    """What kind of command a shell call is.

    `mixed`, `mixed_maskable`, `masks_exit`, `inline_opaque` and `inline_nonterminal` are the
    shapes that preflight refuses (DL-02 G1 to G4).
    """

    verification: bool
    """It is a verification (DL-03)."""

    mutates: bool
    """It must be assumed to change something (EL-08)."""

    permission_readonly: bool
    """The permission layer treats it as read-only (EL-10)."""

    mixed: bool
    """It has a verification segment and must be assumed to change something."""

    mixed_maskable: bool
    """It is mixed, and the exit status can hide an earlier failure."""

    masks_exit: bool
    """A verification is followed by printing `$?`."""

    inline_opaque: bool
    """A program is given as text on the command line of an interpreter."""

    inline_nonterminal: bool
    """Such a program is followed by something that can hide its failure."""


def classify(command: str, rules: CommandRules) -> CommandClass:
    """Classify a shell command under the given rules; never raises."""
    if len(command) > MEMOISED_LENGTH:
        return _classify(command, rules)
    return _remembered(command, rules)


def _classify(command: str, rules: CommandRules) -> CommandClass:
    script = parse(command)
    checks = [_is_check(segment) for segment in script.segments] if script.splittable else []
    mutates = _mutates(script, checks)
    mixed = any(checks) and mutates
    inline = [_is_inline(segment) for segment in script.segments] if script.splittable else []
    hidden = script.can_hide_status
    return CommandClass(
        verification=any(checks)
        and all(
            check or _accompanies(segment)
            for check, segment in zip(checks, script.segments, strict=True)
        ),
        mutates=mutates,
        permission_readonly=_permission_readonly(script),
        mixed=mixed,
        mixed_maskable=mixed and hidden,
        masks_exit=_prints_status(script, checks),
        inline_opaque=any(inline),
        inline_nonterminal=hidden and any(inline[:-1]),
    )


_remembered = lru_cache(maxsize=4096)(_classify)


def _is_check(segment: Segment) -> bool:
    words = static_words(segment)
    return words is not None and is_listed_check(words)


def _is_inline(segment: Segment) -> bool:
    words = static_words(segment)
    return words is not None and runs_inline_program(words)


def _accompanies(segment: Segment) -> bool:
    """Whether a segment may stand beside a check: a table hit, whatever its options (DL-03)."""
    words = static_words(segment)
    return words is not None and is_table_hit(words)


def _mutates(script: Script, checks: list[bool]) -> bool:
    if not script.splittable or not script.segments:
        return True
    return not all(
        check or reads_by_table(segment) or _probes_network(segment)
        for check, segment in zip(checks, script.segments, strict=True)
    )


def _probes_network(segment: Segment) -> bool:
    words = static_words(segment)
    return words is not None and words[0].lower() == tables.NETWORK_PROBE


def _permission_readonly(script: Script) -> bool:
    if not script.splittable or len(script.segments) != 1 or script.segments[0].background:
        return False
    segment = script.segments[0]
    if not reads_by_table(segment, exact_case=True):
        return False
    words = tuple(word.value or "" for word in segment.words)
    return not _tags(words)


def _tags(words: tuple[str, ...]) -> bool:
    """Whether `git tag` may do more than list (EL-10)."""
    if tuple(map(str.lower, words[:2])) != ("git", "tag"):
        return False
    arguments = words[2:]
    if not tables.GIT_TAG_WRITES.isdisjoint(arguments):
        return True
    lists = not tables.GIT_TAG_LISTS.isdisjoint(arguments)
    return not lists and any(not word.startswith("-") for word in arguments)


def _prints_status(script: Script, checks: list[bool]) -> bool:
    """Whether a segment behind a check prints `$?` (DL-02 G1)."""
    if True not in checks:
        return False
    return any(
        "$?" in segment.text and segment.text.lower().startswith(("echo ", "printf "))
        for segment in script.segments[checks.index(True) + 1 :]
    )
