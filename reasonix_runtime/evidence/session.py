"""What is remembered of earlier turns, for citations that the turn's ledger cannot prove.

Two memories answer the same questions. `Conversation` is the transcript of EL-19 and CS-09: every
call counts unless its result says that it failed. `AnsweredRuns` takes over the ledger of each turn
and keeps only what ended with outcome `ok`, with its age. Both keep distinct commands and paths,
never the calls themselves, so that they stay small however long a session is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol

from reasonix_runtime.evidence.commands import matches
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import LedgerRules
from reasonix_runtime.evidence.receipts import READERS, WRITERS, Receipt, paths_of

FAILED_OUTCOMES = frozenset({"blocked", "error", "not_run"})
"""Outcomes whose result text starts with `error:` or `blocked:` (EL-19 T1)."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """An earlier run that covers a citation.

    `owned` tells whether the run's exit status is that of the citation, `stale` whether something
    changed after it.
    """

    command: str
    owned: bool = True
    stale: bool = False


class SessionHistory(Protocol):
    """What a session tells its memory, and the questions that a sign-off asks of it."""

    def called(self, uid: str, tool: str, args: Any) -> None:
        """Note a call of the running message."""

    def answered(self, uid: str, outcome: str) -> None:
        """Note how a call of the running message ended."""

    def message_ended(self) -> None:
        """Close the running message."""

    def turn_ended(self, ledger: Ledger) -> None:
        """Take in a turn's ledger before it is emptied."""

    def recall(self, cited: str) -> Recalled | None:
        """Return the best earlier run that covers a citation."""
        ...

    def wrote(self, path: str) -> bool:
        """Whether a file writer named the path."""
        ...

    def touched(self, path: str) -> bool:
        """Whether a reader or a file writer named the path."""
        ...

    def recent(self) -> Sequence[str]:
        """Return the distinct earlier calls as text, latest last, for messages."""
        ...


@dataclass(slots=True)
class _Open:
    """A call of the message that is being executed."""

    tool: str
    args: Any
    failed: bool = False


class Conversation:
    """The whole conversation, calls of the running message included (EL-19, CS-09)."""

    def __init__(self, rules: LedgerRules) -> None:
        self.rules = rules
        self._texts: dict[str, None] = {}
        self._tools: set[str] = set()
        self._written: set[str] = set()
        self._read: set[str] = set()
        self._running: dict[str, _Open] = {}

    def called(self, uid: str, tool: str, args: Any) -> None:
        """Note a call of the running message; until the message ends it counts as good (T3)."""
        self._running[uid] = _Open(tool, args)

    def answered(self, uid: str, outcome: str) -> None:
        """Note how a call ended; it is forgotten at the end of the message when it failed."""
        call = self._running.get(uid)
        if call is not None:
            call.failed = outcome in FAILED_OUTCOMES

    def message_ended(self) -> None:
        """Take the calls of the message over, without those that failed."""
        for call in self._running.values():
            if not call.failed:
                self._keep(call)
        self._running.clear()

    def _keep(self, call: _Open) -> None:
        self._texts.pop(text := call_text(call.tool, call.args), None)
        self._texts[text] = None
        self._tools.add(call.tool)
        self._written |= set(self._paths(call, WRITERS))
        self._read |= set(self._paths(call, READERS))

    def _paths(self, call: _Open, tools: frozenset[str]) -> Sequence[str]:
        if call.tool not in tools or not isinstance(call.args, dict):
            return ()
        return paths_of(call.args, self.rules.paths)

    def recall(self, cited: str) -> Recalled | None:
        """Return the first call of the conversation that proves a citation (CS-09)."""
        wanted = looked_up(cited, self.rules)
        if not wanted.strip():
            return None
        name = proved_by_name(wanted, self._names(), self.rules)
        if name is not None:
            return Recalled(name)
        for text in self._all_texts():
            if matches(wanted, text, self.rules.commands):
                return Recalled(text)
        return None

    def _names(self) -> set[str]:
        return self._tools | {call.tool for call in self._running.values()}

    def _all_texts(self) -> Iterator[str]:
        yield from self._texts
        for call in self._running.values():
            yield call_text(call.tool, call.args)

    def wrote(self, path: str) -> bool:
        """Whether a file writer of the conversation named the normalised path (T2)."""
        return path in self._written or self._running_names(path, WRITERS)

    def touched(self, path: str) -> bool:
        """Whether a reader or a file writer of the conversation named the path (T2)."""
        return self.wrote(path) or path in self._read or self._running_names(path, READERS)

    def _running_names(self, path: str, tools: frozenset[str]) -> bool:
        return any(path in self._paths(call, tools) for call in self._running.values())

    def recent(self) -> Sequence[str]:
        """Return the distinct calls, latest last, without the sign-off tools."""
        return [
            text for text in self._texts if text and text not in ("complete_step", "todo_write")
        ]

    def turn_ended(self, ledger: Ledger) -> None:
        """Do nothing: the conversation was told of every call already."""


def looked_up(cited: str, rules: LedgerRules) -> str:
    """Return what a memory is asked for: the citation, trailing dots dropped where rules say so."""
    wanted = cited.strip()
    if not rules.commands.trailing_dots_stripped:
        return wanted
    return wanted.removesuffix("...").removesuffix("…")


def proved_by_name(wanted: str, called: Set[str], rules: LedgerRules) -> str | None:
    """Return the called tool whose name a citation begins with, where that proves it (S4)."""
    word = wanted.split()[0]
    return word if rules.commands.tool_name_proves and word != "bash" and word in called else None


def call_text(tool: str, args: Any) -> str:
    """Return the text of a call that a citation is compared with (CS-09)."""
    members = args if isinstance(args, dict) else {}
    if tool == "bash":
        command = members.get("command")
        return command if isinstance(command, str) else ""
    path = members.get("path")
    return f"{tool} {path}" if isinstance(path, str) and path.strip() else tool


class AnsweredRuns:
    """What earlier turns of the session proved: only results with outcome `ok` (SCOPE).

    Ages are counted in receipts of the session, so that a change in any later turn makes an
    earlier verification stale.
    """

    def __init__(self, rules: LedgerRules) -> None:
        self.rules = rules
        self._latest_change = -1
        self._tools: set[str] = set()
        self._passed: dict[str, int] = {}
        self._failed: dict[str, int] = {}
        self._written: set[str] = set()
        self._read: set[str] = set()

    def called(self, uid: str, tool: str, args: Any) -> None:
        """Do nothing: a call proves something once it has ended."""

    def answered(self, uid: str, outcome: str) -> None:
        """Do nothing: the receipt tells it."""

    def message_ended(self) -> None:
        """Do nothing: turns are what is remembered."""

    def turn_ended(self, ledger: Ledger) -> None:
        """Take over a turn's ledger before it is emptied."""
        for index, receipt in enumerate(ledger):
            age = ledger.base + index
            if receipt.command and receipt.settled:
                began = age if receipt.began is None else receipt.began
                self._note_run(receipt, began)
            if not receipt.success:
                continue
            self._tools.add(receipt.tool)
            if receipt.mutation:
                self._latest_change = age
            keys = [ledger.key(path) for path in receipt.paths]
            if receipt.write:
                self._written.update(keys)
            if receipt.read:
                self._read.update(keys)

    def _note_run(self, receipt: Receipt, age: int) -> None:
        if not receipt.success and receipt.outcome != "error":
            return
        runs = self._passed if receipt.success else self._failed
        runs[receipt.command] = max(age, runs.pop(receipt.command, age))

    def recall(self, cited: str) -> Recalled | None:
        """Return the best earlier run of a citation: owned and fresh before anything else."""
        wanted = looked_up(cited, self.rules)
        if not wanted.strip():
            return None
        name = proved_by_name(wanted, self._tools, self.rules)
        if name is not None:
            return Recalled(name)
        found = sorted(self._covering(wanted), key=lambda run: (run.owned, not run.stale))
        return found[-1] if found else None

    def _covering(self, cited: str) -> Iterable[Recalled]:
        for command, age in self._passed.items():
            match = matches(cited, command, self.rules.commands)
            if match and self._failed.get(command, -1) < age:
                yield Recalled(command, match.status_owned, stale=age < self._latest_change)

    def wrote(self, path: str) -> bool:
        """Whether a file writer of an earlier turn named the path."""
        return path in self._written

    def touched(self, path: str) -> bool:
        """Whether a reader or file writer of an earlier turn named the path."""
        return path in self._written or path in self._read

    def recent(self) -> Sequence[str]:
        """Return the distinct commands that passed, latest last."""
        return list(self._passed)


def history_of(rules: LedgerRules) -> SessionHistory:
    """Make the memory that the rules ask for."""
    return AnsweredRuns(rules) if rules.answered_only else Conversation(rules)
