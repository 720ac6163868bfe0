"""Which redirects of a command leave no trace (EL-10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.options.common import SCRATCH_LOG

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Redirect, Segment


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


def unsafe(segment: Segment) -> tuple[Redirect, ...]:
    """Return the redirects of a segment that read or write something."""
    return tuple(redirect for redirect in segment.redirects if not is_safe(redirect))


def static_words(segment: Segment) -> tuple[str, ...] | None:
    """Return the words of a segment that is static once its safe redirects are removed."""
    if segment.assignments or not segment.words or unsafe(segment):
        return None
    return segment.values
