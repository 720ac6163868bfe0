"""Why no check that ran counts for what changed, and which one would (rule set `contract`)."""

from __future__ import annotations

from reasonix_runtime.evidence.checks.hidden_status import piped_into, run_openly
from reasonix_runtime.evidence.checks.names import names_check
from reasonix_runtime.evidence.checks.runs import CheckRuns
from reasonix_runtime.evidence.command_kinds import CHECKING, kind_of
from reasonix_runtime.evidence.command_tables import INLINE_OPTIONS, SHELLS
from reasonix_runtime.evidence.commands import CommandRules, classify
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.gates import found
from reasonix_runtime.gates.found_checks import without_answer

_INTERPRETERS = SHELLS | INLINE_OPTIONS.keys()


def unverified(changes: ChangeSet, ledger: Ledger) -> str:
    """Say what is wrong with the check that came nearest, else that there was none."""
    checks, rules = changes.checks, ledger.rules.commands
    if checks.failed:
        return f"`{shown(checks.failed)}` failed last: mend it and run it again"
    return (
        _of_other_work(checks, ledger)
        or _tells_nothing(checks, rules)
        or _in_a_change(changes.latest_command, rules)
        or _of_no_known_kind(changes, ledger)
        or _stale(changes)
        or _of_unknown_words(changes, ledger)
        or _none_passed(changes, ledger)
    )


def _of_other_work(checks: CheckRuns, ledger: Ledger) -> str:
    """Say which check passed that was about something else than what changed."""
    if own := ledger.own_text(checks.elsewhere):
        return (
            f"`{shown(checks.elsewhere)}` took in `{shown(own)}`, which this session wrote and in "
            "which any program may be defined anew: run the check without it"
        )
    if checks.elsewhere:
        return (
            f"`{shown(checks.elsewhere)}` passed in a folder where nothing was changed: "
            "run it where the change is"
        )
    if checks.without_the_work:
        return (
            f"`{shown(checks.without_the_work)}` left out the tests or the files of what was "
            "changed: run a check of these"
        )
    if checks.of_old_build:
        return (
            f"`{shown(checks.of_old_build)}` ran what was built before the latest change: build "
            "first, or run what builds and tests"
        )
    return ""


def _tells_nothing(checks: CheckRuns, rules: CommandRules) -> str:
    """Say which check ended without having passed, or failed, for sure."""
    if checks.idle:
        how = "says in its output that it ran no test, or that tests failed"
        if classify(checks.idle, rules).lenient:
            how = "passes also where it finds no test, and its output tells of none that ran"
        return f"`{shown(checks.idle)}` {how}: run those of the work, and mend what fails"
    if not checks.masked:
        return ""
    instead = run_openly(checks.masked, rules)
    if status := piped_into(checks.masked, rules):
        return (
            f"`{shown(checks.masked)}` ran a check, but its exit status is that of "
            f"`{shown(status)}`: run {_this(instead)}, or the check without a pipe"
        )
    return (
        f"`{shown(checks.masked)}` ran a check, but can hide that it failed: run {_this(instead)}, "
        "without what stands after or around it"
    )


def _in_a_change(command: str, rules: CommandRules) -> str:
    """Say that the latest change ran a check itself: not for certain on what it left."""
    instead = run_openly(command, rules) if command else ""
    if not instead:
        return ""
    status = piped_into(command, rules)
    hidden = f"its exit status is that of `{shown(status)}`, and " if status else ""
    return (
        f"`{shown(command)}` ran a check, but {hidden}it changed something itself: run "
        f"`{shown(instead)}` as a command of its own"
    )


def _of_no_known_kind(changes: ChangeSet, ledger: Ledger) -> str:
    """Say that the latest change ran a program that is named as a test, which anything may be."""
    command = changes.latest_command
    if changes.checks.stale or not (command and _runs_what_names_a_check(command, ledger)):
        return ""
    return (
        f"`{shown(command)}` ran, but is not recognised as a check: a program of that name may do "
        "and change anything. Run a recognised one, such as "
        f"`{found.example(ledger, changes.paths.first)}`"
    )


def _runs_what_names_a_check(command: str, ledger: Ledger) -> bool:
    """Whether a program, or the file that an interpreter runs, is called like a check."""
    for plain in read(command, ledger.rules.commands).commands:
        program, *rest = plain.words or ("",)
        file = program
        if tool_name(program) in _INTERPRETERS:
            file = next((word for word in rest if not word.startswith("-")), "")
        elif "/" not in program:
            continue
        if names_check(file.rpartition("/")[2].partition(".")[0]):
            return True
    return False


def _stale(changes: ChangeSet) -> str:
    """Say which check passed before the latest change, and what that was."""
    if not (stale := changes.checks.stale):
        return ""
    command = f" (`{shown(changes.latest_command)}`)" if changes.latest_command else ""
    return (
        f"`{shown(stale)}` passed, but not for certain after the latest change{command}, which "
        "may have broken it: run it again, in a response after the change"
    )


def _of_unknown_words(changes: ChangeSet, ledger: Ledger) -> str:
    """Say which check was given a word of which nobody knows what it came to."""
    since = found.latest(ledger, after=changes.latest_at)
    for command in filter(None, (changes.latest_command, *since)):
        if word := _expanding(command, ledger.rules.commands):
            return (
                f"`{shown(command)}` ran a check, but nobody knows of what: `{shown(word)}` may be "
                "anything. Write out what it stands for, or leave it away"
            )
    return ""


def _expanding(command: str, rules: CommandRules) -> str:
    """Return the first word that expands of a command that is a check without such words."""
    for plain in read(command, rules).commands:
        words = plain.segment.words
        if not words or words[0].value is None or plain.segment.values is not None:
            continue
        static = tuple(word.value for word in words if word.value is not None)
        if kind_of(plain, static, rules) in CHECKING:
            return next(word.text for word in words if word.value is None)
    return ""


def _this(command: str) -> str:
    return f"`{shown(command)}`" if command else "the check alone"


def _none_passed(changes: ChangeSet, ledger: Ledger) -> str:
    """Say that no check passed, with what ran in its place."""
    example = found.example(ledger, changes.paths.first)
    if empty := found.empty_check(ledger):
        return f"{empty}. Run it without, such as `{example}`"
    if untold := without_answer(ledger, changes.latest_at):
        return untold
    since = found.latest(ledger, after=changes.latest_at)
    ran = found.quoted(since, found.MOST_OF_TURN)
    return (
        "no check passed since the latest change: run one as a command of its own, such as "
        f"`{example}`" + (f" (what ended well since: {ran})" if ran else "")
    )
