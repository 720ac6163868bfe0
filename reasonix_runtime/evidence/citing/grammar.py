"""Comparing a citation with a run, program by program and word by word (policy point).

Directory changes, assignments and transparent wrappers are taken off both sides. The program is
the same, every cited word is there in order, and what only the run has must not make it check
less, or something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from reasonix_runtime.evidence.checks.check_kinds import CheckKind
from reasonix_runtime.evidence.checks.places import Placed, placed
from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.citing.match import ExitStatus, Match
from reasonix_runtime.evidence.citing.same_words import foreign_items, same_words
from reasonix_runtime.evidence.command_kinds import CHECKING, kind_of
from reasonix_runtime.evidence.effects.redirects import unsafe
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    Item,
    empties,
    is_harmless,
    line_of_words,
    may_run_none,
    narrows,
    read_command_line,
    writes,
)
from reasonix_runtime.evidence.options.replacements import replaces_program
from reasonix_runtime.evidence.options.variables import (
    CONTAINER,
    OPTION_VARIABLES,
    hands_options_on,
    makes_checks_write,
    narrows_checks,
    options_of_variable,
    runs_contained,
    set_behind,
    skips_checks,
)
from reasonix_runtime.evidence.paths import exact, suffix
from reasonix_runtime.evidence.running.preparation import touches_shell_only
from reasonix_runtime.evidence.running.reading import Plain, Reading, read
from reasonix_runtime.evidence.shell.script import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.shell.script import Assignment

_UNREAD = frozenset({Problem.SYNTAX, Problem.TOO_LONG})
# Options of a linter that let something pass.
_ALLOWING = frozenset({"-A", "--allow", "--cap-lints"})
# Marks the text of a word that expands, so that it never equals a plain one.
_EXPANDS = "\0"


MOST_CLAIMS: Final = 64
"""Of a citation of more commands than this each has to have run word for word.

A line may hold a thousand of them, and each is compared with each that ran.
"""
Names: TypeAlias = tuple[str, ...]


class Told(NamedTuple):
    """A command as it is compared: where it runs, its words, and what they say to its program."""

    plain: Plain
    places: tuple[str, ...]
    words: tuple[str, ...]
    line: CommandLine
    foreign: tuple[Item, ...]


def match_by_grammar(cited: str, ran: str, rules: CommandRules) -> Match:
    """Compare by the grammar of the shell; never raises."""
    wanted, had = read(cited, rules), read(ran, rules)
    if not _UNREAD.isdisjoint({wanted.script.problem, had.script.problem}):
        same = bool(cited.split()) and cited.split() == ran.split()
        return Match(covered=same, why="" if same else "it cannot be read as a command line")
    claims = claims_of(cited, rules)
    if not claims:
        return Match(covered=False, why="the citation names no command")
    runs = told_of(ran, rules)
    statuses: list[ExitStatus] = []
    alike = _by_words(runs) if len(claims) > MOST_CLAIMS else None
    for claim in claims:
        found = _best(claim, runs if alike is None else alike.get(claim.words, ()), had, rules)
        if not found:
            return found
        statuses.append(found.status)
    if not rules.status_of_segment:
        return Match(covered=True, status=ExitStatus.OWNED)
    worst = max(statuses, key=(ExitStatus.OWNED, ExitStatus.MASKED, ExitStatus.UNKNOWN).index)
    return Match(covered=True, status=worst)


def _by_words(runs: Sequence[Told]) -> dict[Names, list[Told]]:
    """Return the runs by their words, of each a few."""
    found: dict[Names, list[Told]] = {}
    for run in runs:
        same = found.setdefault(run.words, [])
        if len(same) < MOST_CLAIMS:
            same.append(run)
    return found


@memoised(4096)
def told_of(command: str, rules: CommandRules) -> tuple[Told, ...]:
    """Return the commands of a text: each citation is compared with all that ran."""
    return tuple(map(_told_of_one, placed(read(command, rules))))


def _told_of_one(one: Placed) -> Told:
    words = tuple(
        _EXPANDS + word.text if word.value is None else word.value
        for word in one.plain.segment.words
    )
    line = same_words(line_of_words(words or ("",)))
    return Told(one.plain, one.places, words, line, foreign_items(line))


@memoised(1024)
def claims_of(cited: str, rules: CommandRules) -> list[Told]:
    """Return the cited commands that claim something; preparing the shell claims nothing alone."""
    named = [claim for claim in told_of(cited, rules) if claim.words]
    claims = [
        claim
        for claim in named
        if not touches_shell_only(claim.plain.segment, claim.plain.assignments)
    ]
    return claims or named


def _best(claim: Told, runs: Sequence[Told], had: Reading, rules: CommandRules) -> Match:
    """Return the match of the run that covers a claim best, else why none covers it."""
    reasons: list[str] = []
    best: ExitStatus | None = None
    for one in runs:
        run = one.plain
        problem = _uncovered(claim, one, had, rules)
        if problem is None:
            problem = _other_place(claim.places, one.places)
        if problem is not None:
            reasons.append(problem)
            continue
        if run.owned:
            return Match(covered=True, status=ExitStatus.OWNED)
        uncertain = not had.readable or had.script.problem is Problem.CONTROL
        unknown = uncertain or run.segment.background
        status = ExitStatus.UNKNOWN if unknown else ExitStatus.MASKED
        best = status if best is not ExitStatus.MASKED else best
    if best is not None:
        return Match(covered=True, status=best)
    # The reason of the nearest run is the one that helps: another program is the farthest.
    near = next((reason for reason in reasons if reason), "")
    why = near or f"{claim.plain.segment.text!r} did not run"
    return Match(covered=False, why=why, near=bool(near))


def _uncovered(cited: Told, one: Told, had: Reading, rules: CommandRules) -> str | None:
    """Return None when a run covers a claim, else why not; empty for another program."""
    claim, run, wanted, ran = cited.plain, one.plain, cited.words, one.words
    if not ran or claim.segment.negated != run.segment.negated:
        return ""
    program = cited.line.program
    if program != one.line.program or wanted[0].startswith(_EXPANDS):
        return None if wanted == ran or _is_word_for_word(claim, run, had) else ""
    if not had.replaced.isdisjoint({program, program_name(ran[0])}):
        return f"{program!r} is defined anew in what ran"
    if had.unseen:
        return "what ran took in a text that nobody sees, and that may define anything anew"
    return (
        _redirects_differ(claim, run)
        or _variables_differ(claim, run)
        or _words_differ(cited, one, rules.work)
        or _checks_nothing(claim, run, rules)
    )


def _is_word_for_word(claim: Plain, run: Plain, had: Reading) -> bool:
    """Whether a container ran as it is cited, which by itself is no run of what it holds.

    Behind its own build, `docker run app pytest` is one of the tests of the work.
    """
    same = claim.segment.text == run.segment.text and runs_contained(run.assignments)
    plain = same and not had.replaced and not had.unseen
    return plain and _variables_differ(claim, run) is None


def _checks_nothing(claim: Plain, run: Plain, rules: CommandRules) -> str | None:
    """Tell when a check is claimed, and what ran is one that checks nothing or writes."""
    wanted, ran = claim.segment.values, run.segment.values
    if not (rules.wide_checks and wanted and ran):
        return None
    if kind_of(claim, wanted, rules) not in CHECKING:
        return None
    told = {CheckKind.EMPTY: "what ran checks nothing", CheckKind.WRITES: "what ran writes"}
    return told.get(kind_of(run, ran, rules))


def _words_differ(claim: Told, run: Told, work: str) -> str | None:
    """Compare items in order; what only the run has must be a harmless option."""
    if claim.words[1:] == run.words[1:]:
        return None
    program, had = run.line.program, run.line
    extra, missing = _align(claim.line.items, had.items)
    foreign_extra, foreign_missing = _align(claim.foreign, run.foreign)
    if missing or foreign_missing:
        return f"{_shown((missing or foreign_missing)[0])!r} is not part of what ran, in that order"
    for item in extra:
        variable = set_behind(program, item.value) if not item.option else None
        if variable is not None and (problem := _variable_differs(variable)):
            return problem
        if not item.option and (variable is None or not hands_options_on(variable)):
            return f"what ran was given {_shown(item)!r} as well"
        # A run that found no test is no run of a check, so what would let it pass did nothing.
        if item.option and not (is_harmless(had, item, work) or may_run_none(item)):
            return f"{_shown(item)!r} changes what the run checked"
    handed_on = CommandLine("", ())
    for item in foreign_extra:
        weaker = narrows(handed_on, item) or empties(handed_on, item) or item.option in _ALLOWING
        if weaker or not item.option:
            return f"{_shown(item)!r} was handed on by the run"
        if writes(handed_on, item, work):
            return f"{_shown(item)!r} makes the run write"
    return None


def _align(wanted: Sequence[Item], had: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Find every wanted item in order; return what only `had` has, and what is missing there."""
    extra: list[Item] = []
    at = 0
    for item in had:
        if at < len(wanted) and item == wanted[at]:
            at += 1
        else:
            extra.append(item)
    return extra, list(wanted[at:])


def _shown(item: Item) -> str:
    if not item.option:
        return item.value.removeprefix(_EXPANDS)
    return f"{item.option} {item.value}".strip()


def _redirects_differ(claim: Plain, run: Plain) -> str | None:
    """Tell when a cited redirect is missing, or when only the run took its input from somewhere."""
    wanted, had = _redirects(claim), _redirects(run)
    for redirect in wanted:
        if redirect not in had:
            return f"the redirect {' '.join(redirect).strip()!r} is not part of what ran"
    for redirect in had:
        if redirect[1].startswith("<") and redirect not in wanted:
            return f"what ran took its input from {redirect[2]!r}"
    return None


def _redirects(plain: Plain) -> list[tuple[str, str, str]]:
    return [
        (redirect.descriptor, redirect.operator, redirect.target.text if redirect.target else "")
        for redirect in unsafe(plain.segment)
    ]


def _variables_differ(claim: Plain, run: Plain) -> str | None:
    """Tell when a variable of the run alone hands on options, or may replace the program."""
    cited = {(item.name, item.word.text) for item in claim.assignments}
    ran = {(item.name, item.word.text) for item in run.assignments}
    for name, value in cited:
        if name == CONTAINER and (name, value) not in ran:
            return f"it did not run in the container {value!r}"
    for assignment in run.assignments:
        if (assignment.name, assignment.word.text) in cited:
            continue
        if problem := _variable_differs(assignment):
            return problem
    return None


def _variable_differs(assignment: Assignment) -> str | None:
    """Tell what a variable that was set for the run alone may change about it."""
    if replaces_program(assignment):
        return f"what ran set {assignment.name}"
    if narrows_checks(assignment) or skips_checks(assignment) or makes_checks_write(assignment):
        return f"{assignment.name} changes what the run checked"
    if assignment.name in OPTION_VARIABLES and assignment.word.value is None:
        return f"what ran set {assignment.name} to something unknown"
    line = read_command_line(*options_of_variable(assignment))
    for item in line.items:
        if not item.option or narrows(line, item) or empties(line, item):
            return f"{assignment.name} changes what the run checked"
    return None


def _other_place(cited: tuple[str, ...], ran: tuple[str, ...]) -> str | None:
    """Say so when the citation names a directory and the run went to another one."""
    if not cited or not ran:
        return None
    last = cited[-1]
    if any(exact(last, place) or suffix(last, place) or suffix(place, last) for place in ran):
        return None
    return f"it ran in {ran[-1]!r}, not in {last!r}"
