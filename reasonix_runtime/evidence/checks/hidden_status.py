"""A check whose exit status somebody else's covers: whose, and how to run it so that none does.

What is proposed is asked of the rules first, so nobody is sent to a form that they refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reasonix_runtime.evidence.checks.runs import passes
from reasonix_runtime.evidence.commands import CommandRules, classify
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import Script, Segment

_PIPES: Final = frozenset({"|", "|&"})
_ENDS: Final = frozenset({";", "\n"})


def piped_into(command: str, rules: CommandRules) -> str:
    """Return the program whose status a check has that is piped into it, empty for its own."""
    script = read(command, rules).script
    at = _check_in(script, rules)
    if at < 0 or at in proven(script):
        return ""
    last = at
    while script.operators[last : last + 1] and script.operators[last] in _PIPES:
        last += 1
    words = script.segments[last].words if last > at else ()
    return tool_name(words[0].value or words[0].text) if words else ""


def run_openly(command: str, rules: CommandRules) -> str:
    """Return the nearest command that checks, tells the status and changes nothing; may be empty.

    Without the pipe, where what stands behind it changes something.
    """
    return next((one for one in _forms(command, rules) if _tells(one, rules)), "")


def _tells(command: str, rules: CommandRules) -> bool:
    return passes(command, rules) and not classify(command, rules).mutates


def _forms(command: str, rules: CommandRules) -> Iterator[str]:
    """Yield a command under `pipefail`, up to its check, and its check without what it writes."""
    script = read(command, rules).script
    at = _check_in(script, rules)
    if at < 0:
        return
    if piped_into(command, rules):
        yield f"set -o pipefail; {command}"
    before = ""
    for segment, operator in zip(script.segments[:at], script.operators, strict=False):
        before += segment.text + ("; " if operator in _ENDS else f" {operator} ")
    check = script.segments[at]
    yield before + check.text
    yield before + _without_redirects(check)


def _check_in(script: Script, rules: CommandRules) -> int:
    """Return which part of a command is its first check, -1 for none that stands by itself."""
    found = (
        at
        for at, segment in enumerate(script.segments)
        if classify(_without_redirects(segment), rules).verification
    )
    return next(found, -1)


def _without_redirects(segment: Segment) -> str:
    words = [f"{one.name}={one.word.text}" for one in segment.assignments]
    return " ".join([*words, *(word.text for word in segment.words)])
