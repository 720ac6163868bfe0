"""What is remembered of earlier turns, for citations that the turn's ledger cannot prove.

Two memories answer the same questions, and the rules choose (:func:`history_of`). `Conversation` is
the transcript of EL-19 and CS-09: every call counts unless its result says that it failed.
`AnsweredRuns` takes over the ledger of each turn and keeps only what ended with outcome `ok`, with
its age. Both keep distinct commands and paths, never the calls themselves, so that they stay small
however long a session is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Protocol

import msgspec

from reasonix_runtime.evidence.arguments import MOST_PATHS, paths_of
from reasonix_runtime.evidence.citing.citation import first_match
from reasonix_runtime.evidence.citing.covering import Covering
from reasonix_runtime.evidence.commands import Match, matches
from reasonix_runtime.evidence.kept import LONGEST_WHOLE, packed, unpacked, whole
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import LedgerRules
from reasonix_runtime.evidence.paths import PathStyle
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tool_kinds import READERS, SIGN_OFFS, WRITERS
from reasonix_runtime.trace.events import NEVER_RAN, SharedArguments

FAILED_OUTCOMES = NEVER_RAN | {"error"}
"""Outcomes whose result text starts with `error:` or `blocked:` (EL-19 T1)."""


_NAMING = READERS | WRITERS
"""Tools of whose calls it is asked which paths they name."""


class Call(msgspec.Struct, eq=False):
    """A remembered call; its text and paths are worked out once, and only if they are asked for.

    Agents repeat themselves, so equal calls may share one record.
    """

    tool: str
    args: Any
    _text: str | bytes | None = None
    _paths: tuple[str, ...] | None = None

    @property
    def kept_text(self) -> str | bytes:
        """What a citation is compared with, as it is kept."""
        if self._text is None:
            text = call_text(self.tool, self.args)
            self._text = text if len(text) <= LONGEST_WHOLE else packed(text)
        return self._text

    @property
    def text(self) -> str:
        """What a citation is compared with (CS-09)."""
        return whole(self.kept_text)

    def paths(self, style: PathStyle) -> tuple[str, ...]:
        """Return the normalised paths that it names; `style` is the same each time."""
        if self._paths is None:
            self._paths = paths_of(self.args, style, most=MOST_PATHS)
        return self._paths


def call_of(tool: str, args: Any, style: PathStyle) -> Call:
    """Return a call that is remembered by what is asked of it, without its arguments."""
    text = call_text(tool, args)
    named = paths_of(args, style, most=MOST_PATHS) if tool in _NAMING else ()
    return Call(tool, None, text if len(text) <= LONGEST_WHOLE else packed(text), named)


@dataclass(frozen=True, slots=True)
class Recalled:
    """An earlier run that covers a citation.

    `owned` tells whether the run's exit status is that of the citation, `stale` whether something
    changed after it, `age` where it began in the session, if that is kept.
    """

    command: str
    owned: bool = True
    stale: bool = False
    age: int = -1


class SessionHistory(Protocol):
    """What a session tells its memory, and the questions that a sign-off asks of it."""

    hears_calls: bool
    """Whether it has to be told of each call; otherwise it is enough to tell it of each turn."""

    def called(self, uid: str, tool: str, args: Any) -> None:
        """Note a call of the running message."""

    @property
    def awaits(self) -> bool:
        """Whether it was told of a call of the running message, whose end may matter."""
        ...

    def passed(self, calls: Sequence[Call]) -> None:
        """Note calls of messages that have ended, all of them well, when it awaits no other."""

    def answered(self, uid: str, outcome: str) -> None:
        """Note how a call of the running message ended; one that ended well need not be told."""

    def message_ended(self) -> None:
        """Close the running message."""

    def turn_ended(self, ledger: Ledger) -> None:
        """Take in a turn's ledger before it is emptied."""

    def recall(self, cited: str) -> Recalled | None:
        """Return the best earlier run that covers a citation."""
        ...

    def failure_of(self, cited: str) -> str:
        """Return the latest run that covers a citation and failed, if that is kept."""
        ...

    def wrote(self, path: str) -> bool:
        """Whether a file writer named the path."""
        ...

    def touched(self, path: str) -> bool:
        """Whether a reader or a file writer named the path."""
        ...

    def changed_after(self, position: int) -> bool:
        """Whether something changed in an earlier turn after a position in the session."""
        ...

    @property
    def latest_change(self) -> Receipt | None:
        """The latest change of an earlier turn, for messages, if that is kept."""
        ...

    def recent(self) -> Iterator[str]:
        """Yield the distinct earlier calls as text, latest first, for messages."""
        ...


MOST_WAITING = 2048
"""How many calls may wait until their texts and paths are taken in."""


class Conversation:
    """The whole conversation, calls of the running message included (EL-19, CS-09).

    Calls of ended messages wait until something is asked, or until they are many.
    """

    hears_calls = True

    def __init__(self, rules: LedgerRules) -> None:
        self.rules = rules
        self._kept_texts: dict[str | bytes, None] = {}
        self._tools: set[str] = set()
        self._written: set[str] = set()
        self._read: set[str] = set()
        self._running: dict[str, Call] = {}
        self._failed: set[str] = set()
        self._waiting: list[Call] = []

    def called(self, uid: str, tool: str, args: Any) -> None:
        """Note a call of the running message; until the message ends it counts as good (T3)."""
        shared = type(args) is SharedArguments
        self._running[uid] = Call(tool, args) if shared else call_of(tool, args, self.rules.paths)

    @property
    def awaits(self) -> bool:
        """Whether a call of the running message was told."""
        return bool(self._running)

    def passed(self, calls: Sequence[Call]) -> None:
        """Note calls of ended messages that all ended well."""
        self._waiting += calls
        if len(self._waiting) > MOST_WAITING:
            self._take_in()

    def answered(self, uid: str, outcome: str) -> None:
        """Note how a call ended; it is forgotten at the end of the message when it failed."""
        if outcome in FAILED_OUTCOMES:
            self._failed.add(uid)

    def message_ended(self) -> None:
        """Take the calls of the message over, without those that failed."""
        running, failed = self._running, self._failed
        if running or failed:
            self._waiting += [call for uid, call in running.items() if uid not in failed]
            running.clear()
            failed.clear()
        if len(self._waiting) > MOST_WAITING:
            self._take_in()

    def _take_in(self) -> None:
        """Keep the distinct texts, tools and paths of the calls that wait."""
        texts, style = self._kept_texts, self.rules.paths
        for call in _latest(self._waiting):
            text, tool = call.kept_text, call.tool
            texts.pop(text, None)
            texts[text] = None
            self._tools.add(tool)
            if tool in WRITERS:
                self._written.update(call.paths(style))
            elif tool in READERS:
                self._read.update(call.paths(style))
        self._waiting.clear()

    @property
    def _texts(self) -> Iterable[str]:
        self._take_in()
        return unpacked(self._kept_texts)

    def recall(self, cited: str) -> Recalled | None:
        """Return a call of the conversation that proves a citation (CS-09).

        One that is the citation, letter for letter, is told before the first that covers it.
        """
        wanted = looked_up(cited, self.rules)
        if not wanted.strip():
            return None
        name = proved_by_name(wanted, self._names(), self.rules)
        if name is not None:
            return Recalled(name)
        rules = self.rules.commands
        if packed(wanted) in self._kept_texts and matches(wanted, wanted, rules):
            return Recalled(wanted)
        text = first_match(wanted, self._all_texts(), rules)
        return None if text is None else Recalled(text)

    def failure_of(self, cited: str) -> str:
        """Return nothing: the conversation forgets what failed."""
        return ""

    def _names(self) -> set[str]:
        self._take_in()
        return self._tools | {call.tool for call in self._running.values()}

    def _all_texts(self) -> Iterator[str]:
        yield from self._texts
        for call in self._running.values():
            yield call.text

    def wrote(self, path: str) -> bool:
        """Whether a file writer of the conversation named the normalised path (T2)."""
        self._take_in()
        return path in self._written or self._running_names(path, WRITERS)

    def touched(self, path: str) -> bool:
        """Whether a reader or a file writer of the conversation named the path (T2)."""
        return self.wrote(path) or path in self._read or self._running_names(path, READERS)

    def _running_names(self, path: str, tools: frozenset[str]) -> bool:
        style = self.rules.paths
        return any(
            call.tool in tools and path in call.paths(style) for call in self._running.values()
        )

    def recent(self) -> Iterator[str]:
        """Yield the distinct calls, latest first, without the sign-off tools."""
        self._take_in()
        for text in map(whole, reversed(self._kept_texts)):
            if text and text not in SIGN_OFFS:
                yield text

    def changed_after(self, position: int) -> bool:
        """Return False: the conversation keeps no ages."""
        return False

    latest_change = None
    """It keeps no receipts either."""

    def turn_ended(self, ledger: Ledger) -> None:
        """Do nothing: the conversation was told of every call already."""


def _latest(calls: Sequence[Call]) -> Iterator[Call]:
    """Yield the calls in their order, of one and the same only the latest."""
    return reversed({id(call): call for call in reversed(calls)}.values())


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

    hears_calls = False

    def __init__(self, rules: LedgerRules) -> None:
        self.rules = rules
        self._latest_change = -1
        self.latest_change: Receipt | None = None
        #: The command behind the latest change, and the latest change that was not made by it.
        self._changer = ""
        self._change_before = -1
        self._tools: set[str] = set()
        #: Commands as they are kept, by when they began.
        self._passed: dict[str | bytes, int] = {}
        self._failed: dict[str | bytes, int] = {}
        self._passed_by_feature = Covering(rules.commands)
        self._failed_by_feature = Covering(rules.commands)
        self._written: set[str] = set()
        self._read: set[str] = set()
        self._on_the_work = Ledger(rules).on_the_work

    def called(self, uid: str, tool: str, args: Any) -> None:
        """Do nothing: a call proves something once it has ended."""

    awaits = False

    def passed(self, calls: Sequence[Call]) -> None:
        """Do nothing: turns are what is remembered."""

    def answered(self, uid: str, outcome: str) -> None:
        """Do nothing: the receipt tells it."""

    def message_ended(self) -> None:
        """Do nothing: turns are what is remembered."""

    def turn_ended(self, ledger: Ledger) -> None:
        """Take over a turn's ledger before it is emptied."""
        # The ledger knows the workspace, and what was changed elsewhere.
        self._on_the_work = ledger.on_the_work
        for age, receipt in enumerate(ledger.receipts, ledger.base):
            told = receipt.belied or not receipt.ran_nothing
            if receipt.command and receipt.settled and told:
                began = age if receipt.began is None else receipt.began
                self._note_run(receipt, began)
            if receipt.success:
                self._tools.add(receipt.tool)
            elif not receipt.partly:
                continue
            if receipt.mutation:
                if not receipt.command or receipt.command != self._changer:
                    self._changer, self._change_before = receipt.command, self._latest_change
                self._latest_change = age
                self.latest_change = receipt
        self._written.update(ledger.written)
        self._read.update(ledger.read)

    def _note_run(self, receipt: Receipt, age: int) -> None:
        stopped = receipt.exit_code in self.rules.inconclusive_exits
        if not receipt.success and (stopped or receipt.outcome != "error"):
            return
        runs = self._passed if receipt.success and not receipt.belied else self._failed
        command: str | bytes = receipt.command
        if len(command) > LONGEST_WHOLE:
            command = packed(receipt.command)
        runs[command] = max(age, runs.pop(command, age))

    def recall(self, cited: str) -> Recalled | None:
        """Return the best earlier run of a citation: owned and fresh before anything else."""
        wanted = looked_up(cited, self.rules)
        if not wanted.strip():
            return None
        name = proved_by_name(wanted, self._tools, self.rules)
        if name is not None:
            return Recalled(name)
        # Nearly all citations name a run, letter for letter.
        kept = wanted if len(wanted) <= LONGEST_WHOLE else packed(wanted)
        if kept in self._passed:
            match = matches(wanted, wanted, self.rules.commands)
            same = self._recalled(wanted, wanted, self._passed[kept], match)
            if same is not None and same.owned and not same.stale:
                return same
        found = sorted(self._covering(wanted), key=lambda run: (run.owned, not run.stale, run.age))
        return found[-1] if found else None

    def _covering(self, cited: str) -> Iterator[Recalled]:
        """Yield the runs that prove a citation."""
        rules, passed = self.rules.commands, self._passed
        for command, age in self._passed_by_feature.among(cited, passed):
            match = matches(cited, command, rules)
            if match.covered and (run := self._recalled(cited, command, age, match)):
                yield run

    def _recalled(self, cited: str, command: str, age: int, match: Match) -> Recalled | None:
        """Return a run if it proves a citation, and is later than each run of it that failed."""
        if not match.covered or any(when > age for _, when in self._failures(cited)):
            return None
        if not self._on_the_work(cited, command):
            return None
        # What a command that ran in the background changed it changed after it began.
        changed = self._change_before if command == self._changer else self._latest_change
        return Recalled(command, match.status_owned, stale=age < changed, age=age)

    def _failures(self, cited: str) -> Iterator[tuple[str, int]]:
        """Yield the runs of a citation that failed, with when they began."""
        for command, age in self._failed_by_feature.among(cited, self._failed):
            if matches(cited, command, self.rules.commands):
                yield command, age

    def failure_of(self, cited: str) -> str:
        """Return the latest run of an earlier turn that covers a citation and failed."""
        return max(self._failures(cited), key=itemgetter(1), default=("", -1))[0]

    def wrote(self, path: str) -> bool:
        """Whether a file writer of an earlier turn named the path."""
        return path in self._written

    def touched(self, path: str) -> bool:
        """Whether a reader or file writer of an earlier turn named the path."""
        return path in self._written or path in self._read

    def changed_after(self, position: int) -> bool:
        """Whether something changed in an earlier turn after a position in the session."""
        return position < self._latest_change

    def recent(self) -> Iterator[str]:
        """Yield the distinct commands that passed, latest first."""
        return map(whole, reversed(self._passed))


def history_of(rules: LedgerRules) -> SessionHistory:
    """Make the memory that the rules ask for."""
    return AnsweredRuns(rules) if rules.answered_only else Conversation(rules)
