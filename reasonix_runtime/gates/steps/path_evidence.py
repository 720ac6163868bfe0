"""Evidence of the kinds diff and files: each cited path has to have been written, or touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from reasonix_runtime.evidence.citing.cited_paths import was_mentioned, was_touched, was_written
from reasonix_runtime.gates import found, path_hints
from reasonix_runtime.gates.steps.claim import Item
from reasonix_runtime.gates.steps.inquiry import Inquiry
from reasonix_runtime.gates.verdict import Refusal, refuse

_Source = Callable[[str], bool]
"""Whether a path is proved, by one memory."""


def diff_refusals(item: Item, inquiry: Inquiry) -> Iterator[Refusal]:
    """Yield what speaks against paths that are said to have been changed (CS-10)."""
    if not item.paths:
        yield refuse(
            "diff.paths_missing",
            "A diff needs `paths`: the files that were changed. "
            f"{found.paths(inquiry.ledger.written_paths(), 'written')}",
        )
        return
    ledger, history = inquiry.ledger, inquiry.history
    sources = (partial(was_written, ledger), lambda path: history.wrote(ledger.key(path)))
    missing = _uncovered(item.paths, sources, inquiry)
    if missing:
        yield refuse("diff.path_not_written", path_hints.not_written(missing, ledger))


def files_refusals(item: Item, inquiry: Inquiry) -> Iterator[Refusal]:
    """Yield what speaks against paths that are said to have been read or changed (CS-11)."""
    if not item.paths:
        yield refuse(
            "files.paths_missing",
            "Evidence of kind files needs `paths`. "
            f"{found.paths(inquiry.ledger.touched_paths(), 'read or written')}",
        )
        return
    ledger, history = inquiry.ledger, inquiry.history
    sources = (
        partial(was_touched, ledger),
        partial(was_mentioned, ledger),
        lambda path: history.touched(ledger.key(path)),
    )
    missing = _uncovered(item.paths, sources, inquiry)
    if missing:
        yield refuse("files.path_not_touched", path_hints.not_touched(missing, ledger))


def _uncovered(paths: Sequence[str], sources: Sequence[_Source], inquiry: Inquiry) -> list[str]:
    """Return the paths without proof; all of them come from one source unless sources mix."""
    wanted = [path for path in paths if path.strip()]
    if not wanted:
        return list(paths)
    if inquiry.policy.steps.sources_mix:
        return [path for path in wanted if not any(source(path) for source in sources)]
    left = [[path for path in wanted if not source(path)] for source in sources]
    return min(left, key=len)
