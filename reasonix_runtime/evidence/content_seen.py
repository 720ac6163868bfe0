"""The content questions: what the receipts of a ledger show of files (EL-14, RV-04).

A read shows the files that it names. A command shows what it prints, and of git's answers only
those that hold the change (`shown`, `git_record`), so that the receipts before it count too.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.effects.git_record import shows_change
from reasonix_runtime.evidence.looking.globs import fits_glob
from reasonix_runtime.evidence.looking.shown import NOTHING, Shown, State, shown_by
from reasonix_runtime.evidence.new_files import is_new
from reasonix_runtime.evidence.path_names import PathsAt
from reasonix_runtime.evidence.paths import fits_pattern, stands_below

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reasonix_runtime.evidence.ledger import Ledger
    from reasonix_runtime.evidence.receipts import Receipt


def content_seen(ledger: Ledger, path: str, after: int = -1) -> int | None:
    """Return the latest receipt of a call that began after an index and shows a path's content."""
    for index in _may_show(ledger, path):
        if ledger.began(index) > after and shows(ledger, index, path):
            return index
    return None


class Looks:
    """Where the receipts stand that may show a path: a review names thousands, after as many reads.

    It looks at them when it is asked.
    """

    __slots__ = ("_by_path", "_known", "_seen", "_wide")

    def __init__(self) -> None:
        self._by_path: dict[str, list[int]] = {}
        self._known = PathsAt()
        # Those that show folders, patterns or all changes, so that each of them has to be asked.
        self._wide: list[int] = []
        self._seen = 0

    def at(self, path: str, ledger: Ledger) -> Sequence[int]:
        """Return the indices of those that may show a path, latest first."""
        for index, receipt in ledger.after(self._seen - 1):
            if receipt.success:
                self._take(index, receipt, ledger)
        self._seen = len(ledger)
        wanted = ledger.key(path)
        found = {*self._wide, *self._by_path.get(wanted, ())}
        if not ledger.workspace.strip():
            for longer in self._known.ending_in(wanted):
                found.update(self._by_path[longer])
        return sorted(found, reverse=True)

    def _take(self, index: int, receipt: Receipt, ledger: Ledger) -> None:
        named = [*receipt.paths] if receipt.read else []
        for shown in _shown_by(ledger, receipt).each:
            named += shown.operands
            if shown.below or shown.whole or shown.globs:
                self._wide.append(index)
        for key in map(ledger.key, named):
            self._by_path.setdefault(key, []).append(index)
            self._known[key] = index


def _may_show(ledger: Ledger, path: str) -> Sequence[int]:
    """Return the indices of receipts that may show a path, latest first."""
    if ledger.rules.suffix_paths:
        return range(len(ledger) - 1, -1, -1)
    latest = ledger.latest
    if latest.looks is None:
        latest.looks = Looks()
    return latest.looks.at(path, ledger)


def content_coverage(ledger: Ledger, mutation: int, paths: Sequence[str]) -> bool:
    """Whether the content of every required path was seen after a change (EL-14)."""
    if any(shows_whole(ledger, index, paths) for index, _ in ledger.successes(mutation)):
        return True
    return bool(paths) and all(content_seen(ledger, path, mutation) is not None for path in paths)


def shows(ledger: Ledger, index: int, path: str) -> bool:
    """Whether a receipt is read evidence for one normalised path (RV-04 E1, E2)."""
    receipt = ledger[index]
    if not receipt.success:
        return False
    if receipt.read and any(ledger.fits(seen, path) for seen in receipt.paths):
        return ledger.rules.names_are_content or receipt.content
    return receipt.settled and any(
        (_names(ledger, shown, path) or _holds_change(ledger, path, shown))
        and _shows_change(ledger, index, path, shown.state)
        for shown in _shown_by(ledger, receipt).each
    )


def shows_whole(ledger: Ledger, index: int, paths: Sequence[str]) -> bool:
    """Whether a receipt shows the whole change, and of these paths what was changed (EL-14)."""
    return any(
        _is_whole(ledger, shown)
        and all(_shows_change(ledger, index, path, shown.state) for path in paths)
        for shown in _shown_by(ledger, ledger[index]).each
    )


def shows_otherwise(ledger: Ledger, path: str) -> bool:
    """Whether a command showed a path in a state in which its change is not."""
    shown = (one for receipt in ledger for one in _shown_by(ledger, receipt).each)
    return any(
        one.state is not State.FILE
        and (_names(ledger, one, path) or _holds_change(ledger, path, one))
        for one in shown
    )


def shows_all_changes(ledger: Ledger) -> bool:
    """Whether a command showed everything that was changed, by what it means: it names no file."""
    if not ledger.rules.commands.looks_by_meaning:
        return False
    looks = (one for receipt in ledger for one in _shown_by(ledger, receipt).each)
    return any(_is_whole(ledger, shown) for shown in looks)


def _names(ledger: Ledger, shown: Shown, path: str) -> bool:
    """Whether a path is among those that a command shows by name, by folder or by pattern."""
    if any(ledger.fits(name, path) for name in shown.operands):
        return not shown.cut or len(shown.operands) == 1
    if shown.cut or not (shown.below or shown.globs):
        return False
    wanted = ledger.key(path)
    if shown.globs:
        return fits_glob(wanted, map(ledger.key, shown.globs))
    keys = set(map(ledger.key, shown.operands))
    return stands_below(wanted, keys) or fits_pattern(wanted, keys)


def _holds_change(ledger: Ledger, path: str, shown: Shown) -> bool:
    """Whether a command that shows all that was changed is about a path that was changed."""
    if not (ledger.rules.commands.looks_by_meaning and _is_whole(ledger, shown)):
        return False
    key, run = ledger.key(path), ledger
    while key not in run.latest.changed and run.outer is not None:
        run = run.outer
    return key in run.latest.changed


def _is_whole(ledger: Ledger, shown: Shown) -> bool:
    """Whether a command shows everything that was changed in the workspace."""
    if shown.cut:
        return False
    if shown.whole:
        return ledger.inside(shown.folder)
    return shown.below and ledger.key(".") in map(ledger.key, shown.operands)


def _shown_by(ledger: Ledger, receipt: Receipt) -> Shown:
    """Return what a successful command that printed something showed."""
    told = receipt.command and receipt.success and receipt.has_output
    return shown_by(receipt.command, ledger.rules.commands) if told else NOTHING


def _shows_change(ledger: Ledger, index: int, path: str, state: State) -> bool:
    """Whether that state of a path, at this place of the ledger, holds what was changed."""
    return shows_change(
        path,
        state,
        ledger[index].command,
        chain(_handed_down(ledger), ledger.receipts[:index]),
        ledger.rules.commands,
        key=ledger.key,
        fits=ledger.fits,
        new=is_new(ledger, path),
    )


def _handed_down(ledger: Ledger) -> Iterator[Receipt]:
    """Yield what the runs around a delegated one did before."""
    if ledger.outer is not None:
        yield from _handed_down(ledger.outer)
        yield from ledger.outer.receipts
