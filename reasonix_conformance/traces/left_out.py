"""What is said of files that are left out on purpose: no run looks as if it had read them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from reasonix_conformance.traces.sessions import Unreadable, WhyUnread
from reasonix_runtime.plain import plain

MOST_NAMED: Final = 5
"""How many files that were left out are named."""

_LEFT_OUT: Final[Mapping[WhyUnread, tuple[str, str]]] = {
    WhyUnread.UNKNOWN_FORMAT: (
        "of no known format",
        "name the file, or force a format by --format-in, to have it read",
    ),
    WhyUnread.LEADS_OUT: (
        "links out of their folder or to no file",
        "name what they lead to, to have it read",
    ),
    WhyUnread.NO_FILE: (
        "pipes and devices",
        "write what they give to a file, to have it read",
    ),
    WhyUnread.TOLD_BESIDE: (
        "judged by another file of the session",
        "name the file to have it judged itself",
    ),
}
"""What is said of files of folders that were left out, and what the user can do about it."""


def left_out(unreadable: Sequence[Unreadable], show: Callable[[Path], str] = str) -> Iterator[str]:
    """Yield what to say of the files of folders that were left out on purpose, by the reason.

    `show` is how a path is named.
    """
    for why, (said, remedy) in _LEFT_OUT.items():
        items = [item for item in unreadable if item.why is why]
        if items:
            yield f"left out, {said}: {_named(items, show)}; {remedy}"


def without_trace(folder: Path, show: Callable[[Path], str] = str) -> str:
    """Return what to say of a folder that holds no trace; `show` is how a path is named."""
    return f"{plain(show(folder))}: no trace in this folder"


def _named(items: Sequence[Unreadable], show: Callable[[Path], str]) -> str:
    named = ", ".join(plain(show(item.path)) for item in items[:MOST_NAMED])
    return f"{named} and {len(items) - MOST_NAMED} more" if len(items) > MOST_NAMED else named
