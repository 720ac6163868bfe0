"""What one command line does after its own change: a look at it, a check of it.

`sed -i s/a/b/ a.py && git diff` shows what it changed, `sed -i s/a/b/ a.py && pytest` checks it.
What runs beside a change, or before it, does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.command_kinds import is_check, only_reads
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.effects.formatters import only_formats
from reasonix_runtime.evidence.effects.shell_edits import NO_EDIT, edit_of
from reasonix_runtime.evidence.looking.look_lines import BETWEEN, moved_to, opened
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.running.wrappers import lasting_assignments
from reasonix_runtime.evidence.shell.script import Problem

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules

_READ: Final = frozenset({None, Problem.HERE_DOCUMENT})


@memoised(1024)
def checks_its_change(command: str, rules: CommandRules) -> bool:
    """Whether every check of a command whose changes are told runs after the last of them."""
    reading = read(command, rules)
    told = edit_of(command, rules) is not NO_EDIT or only_formats(command, rules)
    if not (told and reading.is_whole):
        return False
    checks = [at for at, plain in enumerate(reading.commands) if is_check(plain, rules)]
    changes = [
        at
        for at, plain in enumerate(reading.commands)
        if at not in checks and not only_reads(plain, rules)
    ]
    return bool(checks) and max(changes, default=-1) < checks[0]


@memoised(1024)
def look_behind(command: str, rules: CommandRules) -> str:
    """Return what a command runs after its last change, mostly nothing.

    Where it goes before and what it sets come with it.
    """
    script = opened(command)
    segments, operators = script.segments, script.operators
    if not rules.looks_by_meaning or script.problem not in _READ or script.defined:
        return ""
    changing = [at for at, segment in enumerate(segments) if classify(segment.text, rules).mutates]
    if not changing:
        return ""
    last = changing[-1]
    behind = segments[last + 1 :]
    # What is set by a program of the shell, or for others, may say what a look shows.
    told = all(not segment.words for segment in segments if lasting_assignments(segment))
    if not told or segments[last].background:
        return ""
    if not behind or not BETWEEN.issuperset(operators[last : last + 1]):
        return ""
    before = [one.text for one in segments[:last] if moved_to(one) is not None or not one.words]
    text = behind[0].text
    for operator, segment in zip(operators[last + 1 :], behind[1:], strict=True):
        text += f" {operator} {segment.text}"
    return " && ".join([*before, text])
