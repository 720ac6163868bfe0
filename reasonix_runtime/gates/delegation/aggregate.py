"""Many answers in one result: every child with its status, each answer with an equal share.

All fixed parts are counted first. What is left is divided equally among the children that have an
answer; a short answer does not give its remainder away. The whole is never cut again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from reasonix_runtime.evidence.result_text import RESULT_LIMIT, cut, cut_tail
from reasonix_runtime.gates.delegation.world import Child

BUDGET: Final = RESULT_LIMIT - 512
"""Bytes that the answer of a group may have: what cuts results leaves it whole."""
MOST_OF_ERROR: Final = 256
MOST_OF_PROFILE: Final = 80
"""Bytes that are shown of an error, and of the name of a profile."""
_MARKS: Final = {"failed": "FAILED", "cancelled": "CANCELLED", "skipped": "SKIPPED"}


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What one child came to: `ref` is empty where it cannot be read later."""

    child: Child
    body: bytes = b""
    ref: str = ""
    profile: str = ""

    @property
    def shown(self) -> bool:
        """Whether there is an answer to show."""
        return self.child.status == "completed" and bool(self.body)


class Aggregate(msgspec.Struct, frozen=True, kw_only=True):
    """The one result of many children, and what was cut in it."""

    text: str
    truncated: tuple[bool, ...]
    references: int


def aggregate(head: str, answers: Sequence[Answer]) -> Aggregate:
    """Put answers together, in the order of the items, below a first line."""
    fixed = [_fixed(number, answer) for number, answer in enumerate(answers, 1)]
    sharers = sum(answer.shown for answer in answers)
    spent = len(head.encode()) + sum(len(part.encode()) + 2 for part in fixed)
    share = max(0, BUDGET - spent) // sharers if sharers else 0
    parts, truncated = [head], []
    for part, answer in zip(fixed, answers, strict=True):
        preview = preview_of(answer.body, share, answer.ref) if answer.shown else b""
        truncated.append(answer.shown and preview != answer.body)
        parts.append(f"{part}{preview.decode()}")
    references = sum(bool(answer.ref) for answer in answers)
    return Aggregate(text="\n".join(parts), truncated=tuple(truncated), references=references)


def head_line(kind: str, done: int, count: int, *, cancelled: bool) -> str:
    """Return the first line: of a `fleet`, or of parallel tasks."""
    if cancelled:
        group = "fleet" if kind == "fleet" else "parallel tasks"
        return f"Cancelled {group} after completing {done} of {count} tasks:"
    whole = f"fleet of {count} tasks" if kind == "fleet" else f"{count} parallel tasks"
    return f"Completed {whole}:"


def _fixed(number: int, answer: Answer) -> str:
    """Return the lines of one child without its answer."""
    child = answer.child
    name = cut(answer.profile.encode(), MOST_OF_PROFILE).decode()
    lines = [f"── task-{number}{f' profile={name}' if name else ''} ──", f"status: {child.status}"]
    if answer.ref:
        lines.append(f"Subagent reference: {answer.ref}")
    if child.status in _MARKS:
        told = cut(" ".join(child.error.split()).encode(), MOST_OF_ERROR).decode()
        lines.append(f"[{_MARKS[child.status]}] {told}".rstrip())
    if answer.shown:
        lines.append("Final answer preview:\n")
    return "\n".join(lines)


def preview_of(body: bytes, share: int, ref: str) -> bytes:
    """Return an answer that fits its share, else head and tail around a marker that says more."""
    if len(body) <= share:
        return body
    how = (
        f'read the full result with read_subagent_result(ref="{ref}")'
        if ref
        else "full result unavailable in this ephemeral run"
    )
    marker = f"\n…[preview truncated; {how}]…\n".encode()
    room = share - len(marker)
    if room < 0:
        return cut(marker, share)
    head = cut(body, room // 2)
    return head + marker + cut_tail(body, room - room // 2)


def state_of(found: Aggregate, answers: Sequence[Answer]) -> dict[str, Any]:
    """Return what a transcript compares of an aggregate."""
    return {
        "aggregate_max_bytes": BUDGET,
        "statuses": [answer.child.status for answer in answers],
        "truncated": list(found.truncated),
        "references": found.references,
    }
