"""Whether what succeeded in a turn wrote, read or named a path that a sign-off cites (EL-12).

A blank path is never proved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.kept import unpacked
from reasonix_runtime.evidence.looking.content import mentions
from reasonix_runtime.evidence.paths import norm

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.path_names import PathsAt


def was_written(ledger: Ledger, path: str) -> bool:
    """Whether a successful file writer named a path."""
    return bool(path.strip()) and _is_among(ledger, ledger.key(path), ledger.latest.written)


def was_touched(ledger: Ledger, path: str) -> bool:
    """Whether a successful read or write named a path."""
    if not path.strip():
        return False
    wanted, latest = ledger.key(path), ledger.latest
    return _is_among(ledger, wanted, latest.written) or _is_among(ledger, wanted, latest.read)


def was_mentioned(ledger: Ledger, path: str) -> bool:
    """Whether a path stands as text in some successful command."""
    rules = ledger.rules
    wanted = norm(path, rules.paths)
    return bool(wanted) and any(
        mentions(command, wanted, whole=rules.mentions_are_whole)
        for command in unpacked(ledger.latest.passed)
    )


def last_written(ledger: Ledger, paths: Iterable[str]) -> int:
    """Return the latest index at which a file writer named one of the paths, else -1."""
    written = ledger.latest.written
    return max((written.get(ledger.key(path), -1) for path in paths if path.strip()), default=-1)


def _is_among(ledger: Ledger, wanted: str, known: PathsAt) -> bool:
    """Whether a path is a known one; without a root one may be known as an absolute path."""
    if wanted in known or ledger.rules.suffix_paths or ledger.workspace:
        return wanted in known
    return any(ledger.fits(path, wanted) for path in known.ending_in(wanted))
