"""Which redirects of a command leave no trace (EL-10)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.options.common import IN_SCRATCH_FOLDERS, SCRATCH_LOG
from reasonix_runtime.evidence.scratch_places import is_scratch
from reasonix_runtime.evidence.shell.state import program_of

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.shell.script import Redirect, Segment

# A file that has no ending is that of no language.
_NAMED_ASIDE: Final = re.compile(rf"{IN_SCRATCH_FOLDERS}/[\w-]+")


def is_safe(redirect: Redirect) -> bool:
    """Whether a redirect only joins descriptors or throws output away."""
    target = redirect.target
    if redirect.operator in {">&-", "<&-"}:
        return True
    if target is None:
        return False
    if redirect.operator in {">&", "<&"}:
        return target.text.isdecimal() or target.text == "-"
    if redirect.operator not in tables.OUTPUT_OPERATORS:
        return False
    return target.text in tables.NULL_DEVICES or target.text.lower() in tables.NULL_DEVICES_ANY_CASE


def is_plain_input(redirect: Redirect) -> bool:
    """Whether a redirect reads a file that is named, or a text that stands there."""
    target = redirect.target
    return redirect.operator in {"<", "<<<"} and target is not None and not target.substitutions


def is_document(redirect: Redirect) -> bool:
    """Whether a redirect reads what stands in the command itself: `<<'EOF'`, `<<< text`."""
    return redirect.operator in {"<<", "<<-", "<<<"}


def takes_nothing(redirect: Redirect) -> bool:
    """Whether a redirect gives a command nothing to read: `< /dev/null`, `<<< ""`."""
    target = redirect.target
    if target is None:
        return False
    nothing = redirect.operator == "<" and target.text in tables.NULL_DEVICES
    return nothing or (redirect.operator == "<<<" and target.value == "")


def is_log(path: str) -> bool:
    """Whether a path is that of a log beside the work."""
    return SCRATCH_LOG.fullmatch(path) is not None


def leaves_log(redirect: Redirect) -> bool:
    """Whether a redirect leaves a log beside the work, which nothing runs: `> /tmp/test.log`."""
    target = redirect.target
    written = redirect.operator in tables.OUTPUT_OPERATORS and target is not None
    return written and is_log((target and target.value) or "")


def puts_aside(redirect: Redirect, segment: Segment, rules: CommandRules) -> bool:
    """`pytest > /tmp/log`, `git show HEAD:a > /tmp/old.py`: output goes to scratch (policy point).

    A program that says its own text there, or what it is handed, makes something new. Where nobody
    told the work, it may stand in a folder below that for scratch, but not be a file in it.
    """
    target = redirect.target
    file = (target and target.value) or ""
    if redirect.operator not in tables.OUTPUT_OPERATORS or rules.scratch_is_work:
        return False
    return is_aside(file, rules.work) and not says_something_new(segment)


def is_aside(file: str, work: str) -> bool:
    """Whether a file stands in scratch, or is called like none of the work."""
    return is_scratch(file, work) or _NAMED_ASIDE.fullmatch(file) is not None


def says_something_new(segment: Segment) -> bool:
    """Whether what a command prints is its own text, or what it is handed."""
    return program_of(segment).lower() in tables.SAYING or any(
        one.operator.startswith("<") for one in segment.redirects
    )


def unsafe(segment: Segment) -> tuple[Redirect, ...]:
    """Return the redirects of a segment that read or write something."""
    return tuple(redirect for redirect in segment.redirects if not is_safe(redirect))


def static_words(segment: Segment) -> tuple[str, ...] | None:
    """Return the words of a segment that is static once its safe redirects are removed."""
    if segment.assignments or not segment.words or unsafe(segment):
        return None
    return segment.values
