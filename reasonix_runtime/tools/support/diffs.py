"""Unified diffs of changes in one place of a file, in a form that `patch` applies."""

from __future__ import annotations

from reasonix_runtime.excerpts import common_start

CONTEXT_LINES = 3
"""Unchanged lines that are shown before and behind a change."""

MOST_CHANGED_LINES = 2000
"""Lines of a change above which it is not shown."""

_NO_END = "\\ No newline at end of file\n"


def unified_diff(before: str, after: str, path: str) -> str:
    """Return the diff of a change as one hunk; empty when nothing changed.

    A text with a NUL has none, and above `MOST_CHANGED_LINES` a note stands in its place.
    """
    if before == after or "\0" in before or "\0" in after:
        return ""
    old, new = _lines(before), _lines(after)
    head = common_start(old, new)
    tail = common_start(old[head:][::-1], new[head:][::-1])
    removed = old[head : len(old) - tail]
    added = new[head : len(new) - tail]
    if len(removed) + len(added) > MOST_CHANGED_LINES:
        return (
            f"(diff omitted: +{len(added)} -{len(removed)} lines are more than "
            f"{MOST_CHANGED_LINES})"
        )
    start = max(0, head - CONTEXT_LINES)
    leading = old[start:head]
    trailing = old[len(old) - tail : len(old) - tail + CONTEXT_LINES]
    around = len(leading) + len(trailing)
    ranges = (
        f"@@ -{_range(start, len(removed) + around)} +{_range(start, len(added) + around)} @@\n"
    )
    signed = [(" ", leading), ("-", removed), ("+", added), (" ", trailing)]
    body = "".join(_signed(sign, line) for sign, lines in signed for line in lines)
    return f"--- a/{path}\n+++ b/{path}\n{ranges}{body}"


def _lines(text: str) -> list[str]:
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _range(start: int, count: int) -> str:
    """Return the place of a hunk; an empty one names the line before it."""
    first = start + 1 if count else start
    return f"{first}" if count == 1 else f"{first},{count}"


def _signed(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n{_NO_END}"
