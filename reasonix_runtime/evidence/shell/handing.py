"""Functions that only run the command which they are handed: `run() { echo "+ $*"; "$@"; }`.

Agents write them to show each command before it runs. Whose status such a call has is told by where
the command stands in the function, as it is told in a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import Problem
from reasonix_runtime.evidence.shell.state import program_of
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Redirect, Script, Segment

Handing: TypeAlias = Mapping[str, int]
"""Functions of a text, with how many words each takes for itself, its name among them."""

_HANDED: Final = words('"$@" $@ "${@}"')
# What such a function does beside that, and what it may ask for in what it prints.
_QUIET: Final = words("echo printf : true local shift test [ [[ return exit tput")
_ASKED: Final = words("date tput")
_READABLE: Final = frozenset(
    {None, Problem.GROUP, Problem.CONTROL, Problem.DECLARATION, Problem.NEGATION}
)


def words_taken(function: Script) -> int | None:
    """Return how many words the function with this body takes, None if it does more than run them.

    The command has to be the last thing that decides how the function ends.
    """
    handed_at = [
        index
        for index, segment in enumerate(function.segments)
        if segment.words and segment.words[0].text in _HANDED
    ]
    if len(handed_at) != 1 or function.problem not in _READABLE or function.defined:
        return None
    handed = function.segments[handed_at[0]]
    others = [segment for segment in function.segments if segment is not handed]
    bare = len(handed.words) == 1 and not (
        handed.redirects or handed.assignments or handed.negated or handed.background
    )
    if not bare or not all(map(_is_quiet, others)) or handed_at[0] not in proven(function):
        return None
    shifts = [segment for segment in others if program_of(segment) == "shift"]
    if any(len(segment.words) > 1 for segment in shifts):
        return None
    if shifts and function.problem is Problem.CONTROL:
        return None
    return 1 + len(shifts)


def _is_quiet(segment: Segment) -> bool:
    """Whether a command only prints, or decides, and leaves nothing behind."""
    asked = [one.command.split(" ")[0] for word in segment.words for one in word.substitutions]
    return (
        program_of(segment) in _QUIET
        and _ASKED.issuperset(asked)
        and not segment.assignments
        and all(map(_joins, segment.redirects))
    )


def _joins(redirect: Redirect) -> bool:
    """Whether a redirect sends output where another descriptor goes: `>&2`."""
    return redirect.operator == ">&" and redirect.target is not None


def unhanded(script: Script) -> Script:
    """Return a text with the commands in the place of the functions that they are handed to."""
    if not script.handing:
        return script
    return replace(
        script, segments=tuple(_taken_off(one, script.handing) for one in script.segments)
    )


def _taken_off(segment: Segment, handing: Handing) -> Segment:
    """Return a call of such a function without the words that it takes, any other as it is."""
    taken = handing.get(program_of(segment), 0)
    kept = segment.words[taken:]
    if not (taken and kept):
        return segment
    return replace(segment, words=kept, text=segment.text[segment.text.find(kept[0].text, 1) :])
