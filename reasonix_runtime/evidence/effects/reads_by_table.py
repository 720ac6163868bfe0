"""Whether a shell command only reads, by the tables of EL-09 (EL-08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.effects.redirects import unsafe
from reasonix_runtime.evidence.shell.script import parse

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Segment, Word


def is_table_hit(words: tuple[str, ...]) -> bool:
    """Whether static words are a command of the read-only tables; its options are not looked at."""
    program = words[0].lower()
    if program in tables.READ_ONLY_PROGRAMS:
        return True
    subcommands = tables.READ_ONLY_SUBCOMMANDS.get(program)
    return subcommands is not None and len(words) > 1 and words[1].lower() in subcommands


def has_writing_option(words: tuple[str, ...], *, exact_case: bool = False) -> bool:
    """Whether an option turns a command of the tables into one that writes.

    The permission layer compares those of `find` and `go env` in `exact_case` (EL-10).
    """
    program = words[0].lower()
    subcommand = words[1].lower() if len(words) > 1 else ""
    arguments = words[1:]
    compared = arguments if exact_case else tuple(map(str.lower, arguments))
    if program == "find":
        return not tables.FIND_WRITES.isdisjoint(compared)
    if program == "sort":
        return any(word.startswith(("-o", "--output=")) or word == "--output" for word in arguments)
    if program == "go" and subcommand == "env":
        return not tables.GO_ENV_WRITES.isdisjoint(compared)
    if program == "git" and subcommand in tables.GIT_OUTPUT_SUBCOMMANDS:
        return any(word == "--output" or word.startswith("--output=") for word in arguments)
    return False


def reads_by_table(segment: Segment, *, exact_case: bool = False) -> bool:
    """Whether a segment, its safe redirects removed, only reads: static or in the dynamic form."""
    if segment.assignments or not segment.words or unsafe(segment):
        return False
    words = segment.values
    if words is not None:
        return is_table_hit(words) and not has_writing_option(words, exact_case=exact_case)
    return _reads_in_dynamic_form(segment, inside=False)


def _reads_in_dynamic_form(segment: Segment, *, inside: bool) -> bool:
    """Whether the words are a table hit, static but for a double-quoted `$(...)`."""
    placeholders: list[str] = []
    for word in segment.words:
        if word.value is not None:
            placeholders.append(word.value)
        elif _is_readable_substitution(word):
            placeholders.append(word.text.replace('"', ""))
        else:
            return False
    words = tuple(placeholders)
    if not is_table_hit(words) or has_writing_option(words):
        return False
    single = words[0].lower() in tables.READ_ONLY_PROGRAMS
    if inside or single:
        return words[0].lower() in tables.SUBSTITUTION_PROGRAMS
    return True


def _is_readable_substitution(word: Word) -> bool:
    return not word.opaque and all(
        substitution.quoted and _reads_inside(substitution.command)
        for substitution in word.substitutions
    )


def _reads_inside(command: str) -> bool:
    """Whether the inside of `$(...)` is exactly one command of the short table."""
    script = parse(command)
    if not script.splittable or len(script.segments) != 1:
        return False
    segment = script.segments[0]
    if segment.assignments or segment.redirects or segment.background:
        return False
    words = segment.values
    if words is not None:
        return bool(words) and words[0].lower() in tables.SUBSTITUTION_PROGRAMS
    return _reads_in_dynamic_form(segment, inside=True)
