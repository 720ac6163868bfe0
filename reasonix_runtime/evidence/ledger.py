"""The ledger: ordered receipts of a turn and the questions that gates ask of them (EL-11 to EL-15).

"After i" always means an index greater than i; -1 means the whole ledger. The ledger keeps small
indices beside the receipts (latest success of each command, latest change of each path), so that
a question costs as much as there are distinct commands, not as much as there are calls. Which
content was seen, and what was looked at and signed off after a change, stands apart
(`content_seen.py`, `looked_after.py`): receipts are read one by one for it. So do the questions of
a sign-off about the paths that it cites (`citing/cited_paths.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain, takewhile
from typing import Any

from msgspec import structs

from reasonix_runtime.evidence.checks.places import places_of
from reasonix_runtime.evidence.citing.covering import FEW, Covering
from reasonix_runtime.evidence.commands import Match, classify, matches
from reasonix_runtime.evidence.kept import LONGEST_WHOLE, packed, unpacked, whole
from reasonix_runtime.evidence.latest import Doubt, Latest, Run
from reasonix_runtime.evidence.ledger_rules import LedgerRules
from reasonix_runtime.evidence.looking.content import mentions
from reasonix_runtime.evidence.paths import (
    PathStyle,
    is_above,
    is_installed,
    norm,
    resolve,
    same_file,
    same_tree,
    stands_below,
    suffix,
    within,
)
from reasonix_runtime.evidence.receipts import Receipt, in_own_case
from reasonix_runtime.evidence.running.sourced_files import own_text
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS

CHILD_DROPS = frozenset({"ask", "complete_step", "todo_write"})
"""Receipts of a delegated run that never reach its parent (EL-15)."""


class Ledger:
    """The receipts of one turn (or of a kept run of turns), in the order of recording.

    Args:
        rules: the policy points of the ledger.
        workspace: the root that relative paths are resolved against, where it is known.
        outer: the ledger of the run that delegated to this one.
    """

    __slots__ = (
        "_changed_before",
        "_indexed",
        "_known",
        "_met_before",
        "base",
        "doubted",
        "handed",
        "outer",
        "receipts",
        "rules",
        "workspace",
    )

    def __init__(
        self, rules: LedgerRules, *, workspace: str = "", outer: Ledger | None = None
    ) -> None:
        self.rules = rules
        self.workspace = workspace
        self.outer = outer
        #: How many receipts of the session stood before the first one here.
        self.base = 0
        #: The latest call of the session that may have changed something, and nobody knows.
        self.doubted: Doubt | None = None
        self._changed_before: set[str] = set()
        self._met_before: set[str] = set()
        self._forget()

    def clear(self) -> None:
        """Forget everything: an ordinary turn starts (EL-17)."""
        self.base += len(self.receipts)
        self._changed_before.update(self.latest.changed)
        self._met_before.update(self.latest.met)
        self._forget()

    def _forget(self) -> None:
        #: All receipts, oldest first.
        self.receipts: list[Receipt] = []
        #: Where the receipts of a delegated run begin, by the index of the call that delegated.
        self.handed: dict[int, int] = {}
        self._indexed = 0
        self._known = Latest()

    # -- recording ---------------------------------------------------------------------------

    def record(self, receipt: Receipt) -> int:
        """Append a receipt and return its index; it is looked at when something is asked."""
        receipts = self.receipts
        receipts.append(receipt)
        return len(receipts) - 1

    def merge_child(self, receipts: Iterable[Receipt]) -> None:
        """Take over what a delegated run left, in order; bookkeeping of the child is dropped."""
        for receipt in receipts:
            if receipt.tool not in CHILD_DROPS:
                self.record(receipt)

    def date_back(self, start: int, began: int) -> None:
        """Let what calls saw or checked be no newer than a position; changes stay as they are.

        Args:
            start: the index from which on their receipts stand.
            began: a position in the session after which something was changed beside them.
        """
        for index, receipt in enumerate(self.receipts[start:], start):
            if receipt.began is None and not receipt.mutation:
                self.receipts[index] = structs.replace(receipt, began=began)

    def take_over(self, receipts: Iterable[Receipt]) -> None:
        """Merge what a run left whose delegating call is recorded next."""
        start = len(self.receipts)
        self.merge_child(receipts)
        self.handed[len(self.receipts)] = start

    def doubt(self, doubt: Doubt) -> None:
        """Note a call of which nobody knows whether it changed something; it leaves no evidence."""
        if self.doubted is None or self.doubted.at <= doubt.at:
            self.doubted = doubt

    @property
    def latest(self) -> Latest:
        """Where the latest of everything stands that was recorded so far."""
        receipts, index, at = self.receipts, self._known, self._indexed
        if at == len(receipts):
            return index
        self._indexed = len(receipts)
        for position, receipt in enumerate(receipts[at:], at):
            if receipt.success:
                self._note_success(index, receipt, position)
            else:
                self._note_failure(index, receipt, position)
        return index

    def _note_failure(self, index: Latest, receipt: Receipt, at: int) -> None:
        stopped = receipt.exit_code in self.rules.inconclusive_exits
        conclusive = not (stopped or receipt.ran_nothing)
        if receipt.command and receipt.outcome == "error" and conclusive:
            self._note_run(index.failed, receipt, at)
        if command := receipt.command:
            kept = command if len(command) <= LONGEST_WHOLE else packed(command)
            index.stopped.setdefault(kept, at)
        if receipt.partly:
            self._note_change(index, receipt, at)

    def _note_run(self, runs: dict[str | bytes, int], receipt: Receipt, at: int) -> None:
        """Keep the run of a command that began last: a job may end after a newer run did."""
        command: str | bytes = receipt.command
        if len(command) > LONGEST_WHOLE:
            command = packed(receipt.command)
        if receipt.began is not None:
            known = runs.get(command)
            if known is not None and self.began(known) >= self.began(at):
                return
        runs[command] = at

    def ran(
        self, runs: dict[str | bytes, int], cited: str | None = None
    ) -> Iterable[tuple[str, int]]:
        """Return each command of :class:`Latest` with its index, or those that may be the cited."""
        if cited is not None and len(runs) > FEW and self.rules.commands.citation_by_grammar:
            kept, covering = id(runs), self._known.covering
            if kept not in covering:
                covering[kept] = Covering(self.rules.commands)
            return covering[kept].among(cited, runs)
        commands: Iterable[Any] = map(whole, runs) if bytes in map(type, runs) else runs
        return zip(commands, runs.values(), strict=True)

    def began(self, index: int) -> int:
        """Return the index at which a run began; negative when that was in an earlier turn."""
        began = self.receipts[index].began
        return index if began is None else began - self.base

    def _note_success(self, index: Latest, receipt: Receipt, at: int) -> None:
        if receipt.command:
            if receipt.settled and not receipt.ran_nothing:
                self._note_run(index.passed, receipt, at)
            if receipt.ran_nothing:
                index.stopped.setdefault(packed(receipt.command), at)
            if receipt.belied:
                self._note_run(index.belied, receipt, at)
            if not receipt.settled:
                index.started.setdefault(packed(receipt.command), at)
        if not index.work:
            index.work = receipt.is_work
        if not index.progress:
            index.progress = receipt.is_progress
        if receipt.read:
            for key in self._keys(receipt):
                index.read[key] = at
                if key not in index.met:
                    index.met[key] = at
        if receipt.write:
            index.latest_write = at
            for key in self._keys(receipt):
                index.written[key] = at
        if receipt.mutation:
            self._note_change(index, receipt, at)
        if receipt.tool == "todo_write":
            index.latest_todos = at
            if receipt.todos:
                index.latest_list = at

    def _note_change(self, index: Latest, receipt: Receipt, at: int) -> None:
        index.latest_mutation = at
        for key in self._keys(receipt):
            index.changed[key] = at
            if key not in index.met:
                index.met[key] = at
        if not receipt.paths and receipt.tool not in HOST_STATE_TOOLS:
            index.opaque_change = at

    # -- what stands in it -------------------------------------------------------------------

    @property
    def end(self) -> int:
        """The position in the session at which the next receipt will stand."""
        return self.base + len(self.receipts)

    def __len__(self) -> int:
        return len(self.receipts)

    def __getitem__(self, index: int) -> Receipt:
        return self.receipts[index]

    def __iter__(self) -> Iterator[Receipt]:
        return iter(self.receipts)

    def after(self, index: int, before: int | None = None) -> Iterator[tuple[int, Receipt]]:
        """Yield index and receipt after an index, up to but not including `before`."""
        end = len(self.receipts) if before is None else before
        for position in range(index + 1, end):
            yield position, self.receipts[position]

    def successes(self, after: int = -1) -> Iterator[tuple[int, Receipt]]:
        """Yield the successful receipts after an index."""
        return ((i, receipt) for i, receipt in self.after(after) if receipt.success)

    @property
    def latest_mutation(self) -> int:
        """Index of the latest receipt that changed something or may have, -1 for none."""
        return self.latest.latest_mutation

    @property
    def latest_write(self) -> int:
        """Index of the latest successful receipt of a file writer, -1 for none."""
        return self.latest.latest_write

    @property
    def work(self) -> bool:
        """Whether anything but questions and bookkeeping succeeded (EL-12 "work")."""
        return self.latest.work

    @property
    def progress(self) -> bool:
        """Whether anything but reads and lists succeeded (EL-12 "progress")."""
        return self.latest.progress

    @property
    def todos(self) -> tuple[Task, ...] | None:
        """The list of the latest successful `todo_write`, None when there was none."""
        latest = self.latest.latest_todos
        return None if latest < 0 else self.receipts[latest].todos

    @property
    def latest_list(self) -> int | None:
        """Index of the latest successful `todo_write` with items."""
        latest = self.latest.latest_list
        return None if latest < 0 else latest

    @property
    def criteria(self) -> bool:
        """Whether a task list with items was taken (EL-12 "criteria")."""
        return self.latest.latest_list >= 0

    @property
    def saved(self) -> bool:
        """Whether something was kept for later sessions: `remember` succeeded."""
        return any(r.tool == "remember" and r.success for r in self.receipts)

    def commands(self, *, after: int = -1) -> Iterator[str]:
        """Yield the distinct commands that succeeded after an index, latest first."""
        passed = self.latest.passed
        in_order = sorted(passed, key=passed.__getitem__, reverse=True)
        return map(whole, takewhile(lambda command: passed[command] > after, in_order))

    # -- commands ----------------------------------------------------------------------------

    def runs(self, cited: str, after: int = -1) -> Iterator[Run]:
        """Yield the latest successful run of each command that covers a citation."""
        for command, index in self.ran(self.latest.passed, cited):
            match = matches(cited, command, self.rules.commands) if index > after else None
            if match and self.on_the_work(cited, command):
                yield self._run(index, command, match)

    def run_of(self, command: str) -> Run | None:
        """Return the latest successful run of exactly this command: what most citations name."""
        key = command if len(command) <= LONGEST_WHOLE else packed(command)
        index = self.latest.passed.get(key)
        if index is None or self.own_text(command):
            return None
        return self._run(index, command, matches(command, command, self.rules.commands))

    def _run(self, index: int, command: str, match: Match) -> Run:
        return Run(index, self.began(index), command, match)

    def command_ran(self, cited: str, after: int = -1) -> bool:
        """Whether a successful run after an index covers the citation (CS-08)."""
        return next(self.runs(cited, after), None) is not None

    @property
    def verification_ran(self) -> bool:
        """Whether a recognised verification succeeded (DL-03)."""
        rules = self.rules.commands
        return any(
            classify(command, rules).verification for command in unpacked(self.latest.passed)
        )

    # -- paths -------------------------------------------------------------------------------

    def key(self, path: str) -> str:
        """Return the form in which paths are compared: normalised, resolved where rules say so."""
        if self.rules.suffix_paths or not self.workspace:
            return norm(path, self.rules.paths)
        return resolve(path, self.workspace, self.rules.paths)

    def _keys(self, receipt: Receipt) -> Iterable[str]:
        """Return the keys of the paths of a receipt, which are normalised already."""
        if not receipt.paths or self.rules.suffix_paths or not self.workspace:
            return receipt.paths
        return map(self.key, receipt.paths)

    def place(self, path: str) -> str:
        """Return a path as it stands below the workspace, which alone says what it is about.

        One that leads out of it stands in another folder, however it is told. Where rules compare
        paths as they are spelt it stays as it is.
        """
        out = path[:3] == "../" and self.workspace
        if self.rules.suffix_paths or not (out or path[:1] == "/" or path[1:2] == ":"):
            return path
        return within(f"{out}/{path}" if out else path, self.workspace, self.rules.paths)

    def places(self, receipt: Receipt, paths: Sequence[str]) -> Sequence[str]:
        """Return the places of paths that a receipt changed, in the case of its arguments."""
        if self.rules.paths is PathStyle.WINDOWS and paths is receipt.paths:
            paths = in_own_case(receipt)
        return [self.place(path) for path in paths] if self.workspace else paths

    def fits(self, observed: str, wanted: str) -> bool:
        """Whether an observed path shows a wanted one (EL-05 "suffix", or the same file)."""
        if self.rules.suffix_paths:
            return suffix(observed, wanted)
        return same_file(observed, wanted, root=self.workspace, style=self.rules.paths)

    def inside(self, folder: str) -> bool:
        """Whether git, asked in this folder, speaks of the workspace."""
        return not folder or same_tree(folder, self.workspace, self.rules.paths)

    def holds(self, folder: str) -> bool:
        """Whether a check of this folder checks the workspace, and not what lies around it."""
        style = self.rules.paths
        return (
            self.inside(folder)
            and not is_above(folder, self.workspace, style)
            and not is_installed(folder, self.workspace, style)
        )

    def last_change_of(self, path: str) -> int:
        """Return the latest index at which a path changed or may have changed, else -1."""
        wanted, changed = self.key(path), self.latest.changed
        alike: Iterable[str] = changed if self.rules.suffix_paths else ()
        if not (alike or self.workspace.strip()):
            alike = changed.ending_in(wanted)
        direct = [changed[seen] for seen in alike if self.fits(seen, wanted)]
        return max(self.latest.opaque_change, changed.get(wanted, -1), *direct)

    def met_first(self, path: str) -> int | None:
        """Return the index at which the turn met a path first, -1 if earlier, None if never."""
        key = self.key(path)
        return -1 if key in self._met_before else self.latest.met.get(key)

    def named_before(self, path: str, at: int) -> bool:
        """Whether a command that succeeded before an index has the name of a file in it."""
        name = path.replace("\\", "/").rpartition("/")[2]
        runs = self.ran(self.latest.passed)
        return any(when < at and mentions(one, name, whole=True) for one, when in runs)

    @property
    def written(self) -> Set[str]:
        """The keys of the paths that successful writers named."""
        return self.latest.written.keys()

    @property
    def read(self) -> Set[str]:
        """The keys of the paths that successful reads named."""
        return self.latest.read.keys()

    def touched_paths(self) -> Sequence[str]:
        """Return the paths of successful reads and writes, latest last."""
        read, written = self.latest.read, self.latest.written
        latest = read | {path: max(at, read.get(path, -1)) for path, at in written.items()}
        return sorted(latest, key=latest.__getitem__)

    def written_paths(self) -> Sequence[str]:
        """Return the paths of successful writers, latest last."""
        return sorted(self.latest.written, key=self.latest.written.__getitem__)

    def proves(self, cited: str, ran: str) -> bool:
        """Whether a run proves a citation: it covers it and owns the exit status where asked."""
        match = self.match(cited, ran)
        return bool(match) and match.status_owned

    def match(self, cited: str, ran: str) -> Match:
        """Compare a citation with a run, which by grammar has to be about the work (`places`)."""
        match = matches(cited, ran, self.rules.commands)
        if match and not self.on_the_work(cited, ran):
            return Match(covered=False, why="it checked another folder than that of the work")
        return match

    def on_the_work(self, cited: str, ran: str) -> bool:
        """Whether a run proves a citation as far as the place is concerned.

        It has to be about the work, unless the citation itself names another place. It proves
        nothing if it took a text into its shell that the session wrote (`sourced_files.py`).
        """
        rules = self.rules.commands
        if not rules.citation_by_grammar:
            return True
        return (self.is_of_work(ran) or bool(places_of(cited, rules))) and not self.own_text(ran)

    def own_text(self, command: str) -> str:
        """Return what a check takes into its shell and the session wrote (`sourced_files.py`)."""
        return own_text(command, self.rules.commands, self._all_changed)

    def _all_changed(self) -> Iterator[str]:
        return chain(self.latest.changed, self._changed_before)

    def is_of_work(self, command: str) -> bool:
        """Whether the checks of a command are about the workspace, or where something changed."""
        return all(map(self._has_work, places_of(command, self.rules.commands)))

    def _has_work(self, places: Sequence[str]) -> bool:
        if any(map(self.holds, places)):
            return True
        keys = {self.key(place) for place in places}
        return any(stands_below(path, keys) for path in self._all_changed())
