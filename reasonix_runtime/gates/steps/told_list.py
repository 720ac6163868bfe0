"""What a host says of the task list, held against the list that it stored (TW-10).

A host tells the state of its list in the results of `todo_write` and `complete_step`. Only two of
its sentences are read: the line of numbers, and that nothing is left. A text that says neither
tells nothing here, and the end of the turn asks the stored list whatever was told (DL-05 F2).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from reasonix_runtime.evidence.tasks import Task, unfinished
from reasonix_runtime.gates import found
from reasonix_runtime.gates.verdict import Refusal, Verdict, refuse, reject, standing

REASON = "todo.told_otherwise"

_NUMBERS = re.compile(r"Todos updated: ([0-9]{1,9}) total\W+([0-9]{1,9}) completed\b")
# `not all steps are done` and `when all steps are done` say nothing of the kind.
_NOTHING_LEFT = re.compile(
    r"(?<!not )(?<!almost )(?<!nearly )"
    r"(?<!when )(?<!if )(?<!once )(?<!until )(?<!unless )(?<!after )"
    r"\ball (?:the )?(?:steps|tasks|todos|items) (?:(?:are|were|have been) )?(?:now )?"
    r"(?:completed?|done)\b"
    r"|\bno (?:steps|tasks|todos|items) (?:remain|are left)\b",
    re.IGNORECASE,
)


class _Counts(msgspec.Struct, frozen=True):
    """How many items a list has, and how many of them are completed."""

    total: int
    done: int


def judge(verdict: Verdict, text: str, stored: Sequence[Task]) -> Verdict:
    """Return an accepting verdict on a call of the list, or that its result tells another list.

    `text` is the result, `stored` the list as it stands after the call. Without a list nobody can
    say what the host stored, so nothing is compared.
    """
    if not verdict.accepted or not stored:
        return verdict
    for refusal in standing(_contradictions(text, stored)):
        return reject(verdict.gate, refusal, **verdict.facts)
    return verdict


def _contradictions(text: str, stored: Sequence[Task]) -> Iterator[Refusal]:
    told = _numbers(text)
    done = 0 if told is None else sum(not task.open for task in stored)
    if told is not None and told != _Counts(len(stored), done):
        yield refuse(
            REASON,
            f"The host said {told.done} of {told.total} completed; the list that it stored has "
            f"{done} of {len(stored)} completed: {found.items(stored)}. The stored list counts.",
        )
    # Titles and citations stand in quotes before the sentence; one may say the same words.
    if unfinished(stored) and _NOTHING_LEFT.search(text.rpartition('"')[2]):
        left = [index for index, task in enumerate(stored) if task.open]
        named = "; ".join(found.task(stored, index) for index in left[: found.MOST_IN_ALL])
        yield refuse(
            REASON,
            f"The host said that nothing is left, but {len(left)} of {len(stored)} items of the "
            f"list that it stored are open: {named}. The stored list counts.",
        )


def _numbers(text: str) -> _Counts | None:
    """Return what the line of numbers tells, where the text begins with one."""
    line = _NUMBERS.match(text)
    return None if line is None else _Counts(int(line[1]), int(line[2]))
