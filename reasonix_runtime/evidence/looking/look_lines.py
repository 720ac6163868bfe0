"""Finds the look in a command line that does other harmless things before and after it.

Before a look a shell may move, check, read anything else, or stage what is looked at.
After it may stand what prints all of it (`| cat`) or a part of it (`| head`), another look by git,
a commit, and, joined by `&&`, what checks or reads. A line with anything else is no look.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.effects.redirects import is_safe
from reasonix_runtime.evidence.options.git import git_subcommand, without_git_options
from reasonix_runtime.evidence.options.variables import makes_readers_run
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.settled_words import settled
from reasonix_runtime.evidence.running.wrappers import lasting_assignments, peel
from reasonix_runtime.evidence.shell.script import (
    Group,
    Problem,
    Redirect,
    Script,
    Segment,
    Word,
    parse,
)
from reasonix_runtime.evidence.shell.state import DECLARATIONS, program_of
from reasonix_runtime.evidence.shell.told_values import parse_told
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Callable

    from reasonix_runtime.evidence.command_rules import CommandRules

_LOOKS: Final = word_set("status diff log show")
_RECORDING: Final = word_set("add stage commit push")
BETWEEN: Final = frozenset({"&&", ";", "\n"})
"""What stands between commands that run one after the other."""
_PIPES: Final = frozenset({"|", "|&"})
# Programs that print all of what they are given, and those that print a part of it.
_PASSING_ON: Final = word_set("cat less more bat batcat delta nl out-host out-string")
# What prints the files whose names it is given, and the options that it takes no harm from.
_PRINTING: Final = word_set("cat bat batcat nl")
_XARGS_ALONE: Final = re.compile(r"-(?:[0rt]+|n\d*|L\d*|P\d+|d\\n)|\d+|--(?:null|no-run-if-empty)")
_NAMES_ONLY: Final = word_set("--name-only -z")
# What a shell does in itself may leave nothing of a look behind it: `exit; cat a.py`.
_IN_SHELL: Final = word_set(
    ". alias bg break builtin cd chdir command continue declare disown enable eval exec exit export"
    " fg getopts hash kill let local logout mapfile popd pushd read readarray readonly return set"
    " shift shopt source suspend trap typeset ulimit umask unalias unset wait"
    " set-location push-location pop-location"
)
_CUTTING: Final = word_set("head tail")
_SELECTED: Final = re.compile(r"-(?:first|last|skip)|\d+", re.IGNORECASE)
_NUMBER: Final = re.compile(r"[+-]?\d+")
# A script of sed that prints lines by their numbers.
_LINES: Final = re.compile(r"(?:\d+(?:,(?:\d+|\$|\+\d+))?p)(?:;\d+(?:,(?:\d+|\$|\+\d+))?p)*;?")
_NUMBER_TEST: Final = r"\s*NR\s*(?:[<>]=?|==)\s*\d+\s*"
_NUMBERED_LINES: Final = re.compile(
    rf"{_NUMBER_TEST}(?:(?:&&|,){_NUMBER_TEST})?(?:\{{\s*print(?:\s+\$0)?\s*\}}\s*)?"
)
_DEEPEST: Final = 3
_STRICT: Final = re.compile(r"[-+][euxE]*o?|pipefail|errexit|nounset|xtrace")
_NO_WORD: Final = Word("", None)


class PlacedLook(NamedTuple):
    """A command that looks, by its words, and the folder that it runs in."""

    words: tuple[str, ...]
    folder: str


@dataclass(frozen=True, slots=True)
class LookLine:
    """The command that looks, where it runs, and whether only a part of its output is printed.

    `others` are those that succeeded before it.
    """

    words: tuple[str, ...]
    folder: str
    cut: bool
    others: tuple[PlacedLook, ...] = ()


def look_line(
    command: str, rules: CommandRules, shows: Callable[[tuple[str, ...]], bool]
) -> LookLine | None:
    """Return the last look of a command line, None where the line does anything else.

    `shows` tells whether a command with these words shows content of files.
    """
    script = opened(command)
    if not is_list(script):
        return None
    segments, operators = _handed_by_pipe(*_without_followers(script, rules, shows))
    by_name = _prints_by_name(segments, operators)
    if by_name:
        segments, operators = segments[:-1], operators[:-1]
    segments, operators, cut = _without_pipe(segments, operators)
    if not (segments and BETWEEN.issuperset(operators)):
        return None
    *before, last = segments
    folder, others = "", []
    for segment, operator in zip(before, operators, strict=True):
        place, words = moved_to(segment), segment.static
        if place is not None:
            folder = below(folder, place)
        elif not (_records(segment) or _sets(segment) or _is_harmless(segment, rules)):
            return None
        elif words and operator == "&&" and shows(words):
            others.append(PlacedLook(words, folder))
    unsure = last.background or not all(map(_keeps_output, last.redirects))
    if unsure or not last.values or any(map(makes_readers_run, last.assignments)):
        return None
    words = tuple(word for word in last.values if not by_name or word not in _NAMES_ONLY)
    return LookLine(words, folder, cut, tuple(others))


def opened(command: str) -> Script:
    """Return the script that a line runs: what stands in its one group, or is given `bash -c`."""
    script = parse_told(command)
    for _ in range(_DEEPEST):
        inner = _inside(script)
        if inner is None:
            break
        script = inner
    if "$" not in command and "`" not in command:
        return script
    changed = {one.name for segment in script.segments for one in lasting_assignments(segment)}
    return replace(script, segments=tuple(settled(one, changed) for one in script.segments))


def is_list(script: Script) -> bool:
    """Whether a script is a list of commands, which may declare variables for those after them."""
    declared = [one for one in script.segments if program_of(one) in DECLARATIONS]
    problem = Problem.DECLARATION if declared else None
    return script.problem in {None, problem} and all(map(_sets, declared))


def _inside(script: Script) -> Script | None:
    text = script.text.strip()
    if isinstance(script.body, Group):
        grouped = not script.group_redirects and text[-1:] in {")", "}"}
        return parse(text[1:-1].strip().removesuffix(";")) if grouped else None
    if len(script.segments) != 1 or not script.splittable:
        return None
    (segment,) = script.segments
    if segment.background or segment.redirects or segment.assignments:
        return None
    peeled = peel(segment)
    return None if peeled.assignments else peeled.nested


def _without_followers(
    script: Script, rules: CommandRules, shows: Callable[[tuple[str, ...]], bool]
) -> tuple[list[Segment], tuple[str, ...]]:
    """Return the segments up to the last that shows something, and the operators between them."""
    segments, operators = [*script.segments], script.operators
    while operators and operators[-1] in BETWEEN and not _shows_something(segments[-1], shows):
        follows = (
            looks_by_git(segments[-1])
            or _only_assigns(segments[-1])
            or _records(segments[-1])
            or (operators[-1] == "&&" and _is_harmless(segments[-1], rules))
        )
        if segments[-1].background or not follows:
            break
        segments.pop()
        operators = operators[:-1]
    return segments, operators


def _without_pipe(
    segments: list[Segment], operators: tuple[str, ...]
) -> tuple[list[Segment], tuple[str, ...], bool]:
    """Take what prints the output of a look off its end; tell whether that is only a part."""
    cut = False
    while operators and operators[-1] in _PIPES:
        words = segments[-1].static
        if words is None or segments[-1].background:
            break
        if not (_passes_on(words) or _cuts(words)):
            break
        cut = cut or _cuts(words)
        segments.pop()
        operators = operators[:-1]
    return segments, operators, cut


def _handed_by_pipe(
    segments: list[Segment], operators: tuple[str, ...]
) -> tuple[list[Segment], tuple[str, ...]]:
    """Take `cat $(git diff --name-only)` for `git diff --name-only | xargs cat`, others as is."""
    *before, last = segments or [Segment(text="", words=())]
    program, *options, named = last.words if len(last.words) > 1 else (_NO_WORD, _NO_WORD)
    inner = parse(named.substitutions[0].command) if len(named.substitutions) == 1 else None
    told = named.text.startswith("$(") and named.text.endswith(")") and not named.opaque
    if inner is None or not told or not inner.splittable or len(inner.segments) != 1:
        return segments, operators
    xargs = replace(last, words=(Word("xargs", "xargs"), program, *options))
    return [*before, inner.segments[0], xargs], (*operators, "|")


def _prints_by_name(segments: list[Segment], operators: tuple[str, ...]) -> bool:
    """Whether a command line ends in `git diff --name-only | xargs cat`.

    What it shows are the files of which the diff without that option would show the changes.
    """
    if operators[-1:] != ("|",) or segments[-1].background:
        return False
    names, words = segments[-2].static or (), segments[-1].static or ()
    options = [*takewhile(lambda word: word not in _PRINTING, words[1:])]
    # Behind the options stands the program alone.
    printed = words[:1] == ("xargs",) and len(words[1 + len(options) :]) == 1
    harmless = all(map(_XARGS_ALONE.fullmatch, options))
    return printed and harmless and "--name-only" in names and looks_by_git(segments[-2])


def _passes_on(words: tuple[str, ...]) -> bool:
    return words[0].lower() in _PASSING_ON and all(word.startswith("-") for word in words[1:])


def _cuts(words: tuple[str, ...]) -> bool:
    """Whether a command prints some lines of what it is given: `head -50`, `sed -n 1,50p`."""
    if words[0].lower() == "select-object":
        return len(words) > 1 and all(map(_SELECTED.fullmatch, words[1:]))
    if words[0] in _CUTTING:
        return all(word.startswith("-") or _NUMBER.fullmatch(word) for word in words[1:])
    return printed_lines(words) == ()


def printed_lines(words: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the files of which `sed -n 1,80p` prints lines, None where it does something else.

    So does `awk 'NR>=1 && NR<=80'`.
    """
    if words[:1] == ("awk",):
        return words[2:] if len(words) > 1 and _NUMBERED_LINES.fullmatch(words[1]) else None
    if words[:2] != ("sed", "-n") and words[:2] != ("sed", "-ne"):
        return None
    rest = words[3:] if words[2:3] == ("-e",) else words[2:]
    return rest[1:] if rest and _LINES.fullmatch(rest[0]) else None


def _is_harmless(segment: Segment, rules: CommandRules) -> bool:
    """Whether a command before a look only reads, or checks, in a process of its own."""
    program = segment.words[0].value if segment.words else None
    own = program is not None and program.lower() not in _IN_SHELL
    kind = classify(segment.text, rules)
    return kind.verification or (own and not kind.mutates)


def _shows_something(segment: Segment, shows: Callable[[tuple[str, ...]], bool]) -> bool:
    """Whether a segment shows content of files."""
    words = segment.values
    return bool(words and shows(words))


def _only_assigns(segment: Segment) -> bool:
    """Whether a segment only gives variables their values: `git diff; STATUS=$?`."""
    return not segment.words and not segment.redirects


def _sets(segment: Segment) -> bool:
    """Whether a segment only gives variables their values, and none makes readers run anything.

    To end at the first failure, and to tell what runs, are settings that hide nothing either.
    """
    program, *options = segment.static or ("",)
    if program == "set":
        return all(map(_STRICT.fullmatch, options))
    told = lasting_assignments(segment)
    known = len(told) == len(segment.words[1:]) and program in DECLARATIONS
    return (_only_assigns(segment) or known) and not any(map(makes_readers_run, told))


def _records(segment: Segment) -> bool:
    """Whether a command hands changes on to git, and prints nothing of them."""
    if segment.background or not all(map(is_safe, segment.redirects)):
        return False
    return git_subcommand(tuple(word.value or "" for word in segment.words[:2])) in _RECORDING


def moved_to(segment: Segment) -> str | None:
    """Return the folder that a `cd` goes to, None for anything else."""
    words = segment.static
    named = words is not None and len(words) == 2 and words[0] == "cd" and words[1][:1] not in "-~"
    return words[1] if words is not None and named else None


def _keeps_output(redirect: Redirect) -> bool:
    """Whether a redirect only joins the messages to what is printed, or sends them away."""
    return is_safe(redirect) and redirect.descriptor == "2"


def looks_by_git(segment: Segment) -> bool:
    """Whether a command is one of git that changes neither files nor what git holds of them."""
    words = segment.static
    if words is None or program_name(words[0]) != "git":
        return False
    subcommand, *rest = *without_git_options(words)[1:], ""
    return subcommand in _LOOKS and not any(word.startswith("--output") for word in rest)
