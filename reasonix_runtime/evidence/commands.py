"""One classifier for shell commands, used by every gate and by every message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reasonix_runtime.evidence.citing.citation import matches
from reasonix_runtime.evidence.citing.match import ExitStatus, Match
from reasonix_runtime.evidence.command_kinds import (
    accompanies,
    is_check,
    is_lenient,
    is_permission_readonly,
    only_reads,
)
from reasonix_runtime.evidence.command_rules import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    FACTS_COMMANDS,
    CommandRules,
    Prefixes,
)
from reasonix_runtime.evidence.effects.kept_files import keeps_files, leaves_files
from reasonix_runtime.evidence.effects.products import makes_products
from reasonix_runtime.evidence.looking.content import (
    is_light_inspection,
    is_whole_diff,
    mentions,
    shows_path,
)
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.inline_programs import runs_inline_program
from reasonix_runtime.evidence.running.reading import Plain, read

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

    changes_files: bool
    """It must be assumed to change a file of the work, and not only names and empty folders."""

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

    lenient: bool
    """A verification in it passes also where it finds no test: its output tells whether it did."""

    status_owned: bool
    """A successful call means that every verification in it succeeded. Where a rule set does not
    ask whose status it is, this is true."""


@memoised(4096)
def classify(command: str, rules: CommandRules) -> CommandClass:
    """Classify a shell command under the given rules; never raises."""
    reading = read(command, rules)
    commands = reading.commands if reading.readable else ()
    checks = [is_check(plain, rules) for plain in commands]
    covered = _covered(commands, checks, rules)
    mutates = (
        not commands
        or reading.writes_groups
        or not all(
            check or only_reads(plain, rules)
            for check, plain in zip(covered, commands, strict=True)
        )
    )
    mixed = any(checks) and mutates
    inline = [_is_inline(plain) for plain in commands]
    return CommandClass(
        verification=any(checks)
        and not reading.writes_groups
        and all(
            check or accompanies(plain, rules) or keeps_files(plain, rules)
            for check, plain in zip(covered, commands, strict=True)
        ),
        mutates=mutates,
        changes_files=mutates and not leaves_files(command, rules),
        permission_readonly=is_permission_readonly(command, rules),
        mixed=mixed,
        mixed_maskable=mixed and reading.hides,
        masks_exit=_prints_status(commands, checks),
        inline_opaque=any(inline),
        inline_nonterminal=reading.hides and any(inline[:-1]),
        lenient=any(
            check and is_lenient(plain, rules)
            for check, plain in zip(checks, commands, strict=True)
        ),
        status_owned=not rules.status_of_segment
        or all(plain.owned for check, plain in zip(checks, commands, strict=True) if check),
    )


def _covered(
    commands: tuple[Plain, ...], checks: list[bool], rules: CommandRules
) -> Sequence[bool]:
    """Tell of each command whether it checks, or builds what a check after it checks."""
    if not (rules.wide_checks and len(commands) > 1 and True in checks):
        return checks
    last = max(at for at, check in enumerate(checks) if check)
    return [
        check or (at < last and makes_products(plain))
        for at, (check, plain) in enumerate(zip(checks, commands, strict=True))
    ]


def _is_inline(plain: Plain) -> bool:
    return plain.words is not None and runs_inline_program(plain.words)


def _prints_status(commands: tuple[Plain, ...], checks: list[bool]) -> bool:
    """Whether a segment after a check prints `$?` (DL-02 G1)."""
    if True not in checks:
        return False
    texts = [plain.segment.text for plain in commands[checks.index(True) + 1 :]]
    return any("$?" in text and text.lower().startswith(("echo ", "printf ")) for text in texts)
