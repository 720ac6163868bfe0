"""Loop guards: what the host does about a run that turns in circles (DL-10).

A guard looks at calls and at whole messages (model responses). Some refuse the repeated call, some
only give advice. Most of them also open a *pass*: from then on the host assumes that the model
cannot go on, and lets it end its turn with a report of what blocks it. What a pass is worth at the
end of the turn is a policy point (`GuardRelease`).

:class:`LoopGuards` is the memory of one turn. It is fed by the state machine and never looks
anything up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec

from reasonix_runtime.evidence.kept import LONGEST_WHOLE, mark
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS
from reasonix_runtime.gates.same_calls import intent_key, write_key
from reasonix_runtime.gates.verdict import Refusal, refuse

REPEATS_IN_A_ROW = 3
"""Messages in a row that fail alike, or are refused as a whole, until the guard fires."""
SUCCESSES_ALLOWED = 2
"""Equal successful writes in a turn; the next one is refused."""
FAILURES_ALLOWED = 2
"""Equal failures of one write intent; the next try is refused."""
NO_GAIN_NUDGES = (2, 4)
NO_GAIN_STOP = 6
"""Messages in a row that succeeded without new evidence: advice, then the stop."""
STALL_NUDGE = 8
STALL_PAUSE = 16
"""Messages in a row without a completed task or a new read, command or change."""

ADVICE = {
    "identical_responses": (
        f"{REPEATS_IN_A_ROW} responses in a row failed alike. Read what the error says and take "
        "another way; if there is none, end the turn and report what blocks you."
    ),
    "all_refused": (
        f"Every call of {REPEATS_IN_A_ROW} responses in a row was refused. Do what the refusals "
        "ask for first; if you cannot, end the turn and report what blocks you."
    ),
    "no_new_evidence": (
        "The latest responses brought nothing new: no file that was not read before, no new "
        "command, no change. Take another way, or end the turn and report what blocks you."
    ),
    "todo_stall": (
        f"The task list has stood still for {STALL_NUDGE} responses, without a new read, command "
        "or change. Go on with its current task, or say what blocks it."
    ),
}
"""What a live host tells the model, by the guard that fired."""


class Advice(NamedTuple):
    """What a live host makes of the guards: texts for the model, and whether the run pauses."""

    texts: tuple[str, ...] = ()
    pauses: bool = False


PASS_GUARDS = frozenset({"guard.repeat_failure", "guard.repeat_success"})
"""Refusals of single calls that open the pass."""

REPEATED_WRITES = frozenset({"edit_file", "move_file", "multi_edit", "notebook_edit", "write_file"})
"""File tools whose repeated success is a loop."""

_DELEGATES = frozenset({"parallel_tasks", "task"})
_SILENT = frozenset({"ask", "complete_step", "todo_write", "update_goal", "wait"})
_WRITING_TEXT = re.compile(r"sed -i|perl -pi|set-content|add-content|out-file")
_OPENED_TO_WRITE = re.compile(r"\.write\(|,\s*(?:mode\s*=\s*)?['\"][wax]")


class Ended(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How one call of a message ended.

    `refused` means that it never ran; `error` is the first line of what came back, empty for a
    success. Refusals of one kind have equal lines.
    """

    tool: str
    ok: bool
    refused: bool = False
    error: str = ""


class LoopGuards(msgspec.Struct):
    """The memory of the guards within one turn.

    `fired` turns true with the first guard or nudge; `pass_from` is the ledger position at which
    the message began that a guard with a pass stopped last, None without one. `advice` holds the
    ids of guards that fired in the message that ended last.
    """

    fired: bool = False
    pass_from: int | None = None
    advice: tuple[str, ...] = ()
    _keyed: tuple[Any, str, Hashable] | None = None
    _successes: dict[Hashable, int] = {}
    _failures: dict[Hashable, _Failures] = {}
    _unread: set[str] = set()
    _last_failure: tuple[tuple[str, str], ...] = ()
    _alike: int = 0
    _refused: int = 0
    _no_gain: int = 0
    _stalled: int = 0
    _done: int = 0
    _known: set[bytes | str] = set()
    _news: set[bytes | str] = set()
    _commands: dict[bytes | str, _Runs] = {}
    _paths_read: set[str] = set()

    def before(
        self, tool: str, args: Any, *, writing: bool, paths: Iterable[str] = ()
    ) -> Iterator[Refusal]:
        """Yield the refusals of a call that turns in circles, in the order of the checks.

        Args:
            tool: the tool that is called.
            args: its arguments.
            writing: whether the guards of repeated writes look at this call (`repeats_writes`).
            paths: normalised paths that a `delete_range` names.
        """
        if writing:
            if self._succeeded_enough(tool, args):
                yield refuse(
                    "guard.repeat_success",
                    f"`{tool}` with these arguments already succeeded {SUCCESSES_ALLOWED} times "
                    "in this turn; nothing is left to do with it: go on with the next step",
                )
            failed = self._failures.get(intent_key(tool, args)) if self._failures else None
            if failed is not None and failed.count >= FAILURES_ALLOWED:
                yield refuse(
                    "guard.repeat_failure",
                    f"`{tool}` failed {failed.count} times with the same error "
                    f"({failed.line!r}); read the file again or take another way",
                )
        if tool == "delete_range" and (stale := sorted(self._unread.intersection(paths))):
            yield refuse(
                "guard.stale_anchor",
                f"`{stale[0]}` was written in this turn and not read in full since, so the "
                "anchors may have moved: `read_file` it without offset and limit first",
            )

    def after(
        self, tool: str, args: Any, *, ok: bool, error: str, paths: tuple[str, ...] = ()
    ) -> None:
        """Note how a repeatable write that ran ended; refused calls are not told here.

        `error` and `paths` (normalised) are those of a write that failed.
        """
        if ok:
            key = self._write_key(tool, args)
            self._successes[key] = self._successes.get(key, 0) + 1
            return
        intent = intent_key(tool, args)
        known = self._failures.get(intent)
        count = known.count + 1 if known is not None and known.line == error else 1
        self._failures[intent] = _Failures(error, count, paths)

    def repeats_well(self, tool: str, args: Any) -> bool:
        """Note a repeatable write that ended well; False when its repetition has to be judged."""
        if self._failures or self._succeeded_enough(tool, args):
            return False
        self.after(tool, args, ok=True, error="")
        return True

    def _succeeded_enough(self, tool: str, args: Any) -> bool:
        return self._successes.get(self._write_key(tool, args), 0) >= SUCCESSES_ALLOWED

    @property
    def paused(self) -> bool:
        """Whether the list has stood still for so long that the run is to pause."""
        return self._stalled >= STALL_PAUSE

    @property
    def failed_in_a_row(self) -> int:
        """How many messages failed, or were refused, one after another up to the last one seen."""
        return max(self._alike, self._refused)

    @property
    def failing(self) -> bool:
        """Whether a write is remembered that failed; receipts may end that."""
        return bool(self._failures)

    def _write_key(self, tool: str, args: Any) -> Hashable:
        """Return the key of a write; it is asked for before the call and after it."""
        keyed = self._keyed
        if keyed is None or keyed[0] is not args or keyed[1] != tool:
            keyed = self._keyed = (args, tool, write_key(tool, args))
        return keyed[2]

    def receipt(self, receipt: Receipt, place: Callable[[str], str] = str) -> None:
        """Note the receipt of a success as it enters the ledger, a delegate's included.

        `place` gives the one name that a file has here; `before` is asked with these names.
        """
        if receipt.write:
            self._unread.update(map(place, receipt.paths))
        elif self._unread and receipt.tool == "read_file" and _whole(receipt.args):
            self._unread.difference_update(map(place, receipt.paths))
        if receipt.mutation and self._failures:
            self._forget_failures(receipt.paths)

    def message_ended(
        self,
        calls: Sequence[Ended],
        receipts: Iterable[Receipt],
        *,
        position: int,
        done: int,
        unfinished: bool,
    ) -> None:
        """Judge a whole message.

        Args:
            calls: how its calls ended, in order.
            receipts: what it added to the ledger, delegates' receipts included.
            position: the ledger position at which it began.
            done: completed items of the task list after it.
            unfinished: whether the list has an open item after it.
        """
        self.advice = ()
        succeeded = any(call.ok for call in calls)
        if succeeded:
            self._alike = self._refused = 0
        else:
            self._count_failures(calls, position)
        # A list without open items cannot stall, but what it saw is not new to the next one.
        gain, news = 0, not unfinished
        for receipt in receipts:
            gain += self._gain(receipt)
            news |= self._is_news(receipt)
        if succeeded:
            self._count_no_gain(gain, position)
        self._count_stall(done=done, news=news)

    def _count_failures(self, calls: Sequence[Ended], position: int) -> None:
        signature = tuple((call.tool, call.error) for call in calls)
        self._alike = self._alike + 1 if signature == self._last_failure else 1
        self._last_failure = signature
        self._refused = self._refused + 1 if all(call.refused for call in calls) else 0
        if self._alike >= REPEATS_IN_A_ROW:
            self._fire("identical_responses", position)
        elif self._refused >= REPEATS_IN_A_ROW:
            self._fire("all_refused", position)

    def _count_no_gain(self, gain: int, position: int) -> None:
        self._no_gain = 0 if gain > 0 else self._no_gain + 1
        if self._no_gain >= NO_GAIN_STOP:
            self._fire("no_new_evidence", position)
        elif self._no_gain in NO_GAIN_NUDGES:
            self._fire("no_new_evidence", None)

    def _count_stall(self, *, done: int, news: bool) -> None:
        moved = news or done > self._done
        self._done = done
        self._stalled = 0 if moved else self._stalled + 1
        if self._stalled >= STALL_NUDGE:
            self._fire("todo_stall", None)

    def _fire(self, guard: str, position: int | None) -> None:
        self.fired = True
        self.advice = (*self.advice, guard)
        if position is not None:
            self.pass_from = position

    def grant_pass(self, position: int) -> None:
        """Open the pass: a guard refused a call of the message that began at this position."""
        self.fired = True
        self.pass_from = position

    def _forget_failures(self, paths: Sequence[str]) -> None:
        """Let write intents be tried again after a change of their files, or of unknown files."""
        if not paths:
            self._failures.clear()
            return
        changed = set(paths)
        self._failures = {
            key: failed
            for key, failed in self._failures.items()
            if changed.isdisjoint(failed.paths)
        }

    def _gain(self, receipt: Receipt) -> int:
        """Return what a receipt adds to what is known (DL-10, first hit)."""
        sure = _sure_gain(receipt)
        if sure is not None:
            return sure
        if receipt.tool == "bash":
            command: bytes | str = receipt.command
            if len(command) > LONGEST_WHOLE:
                command = mark(command)
            runs = self._commands.get(command)
            if runs is None:
                runs = self._commands[command] = _Runs()
            return runs.gain(receipt.success)
        if receipt.read and receipt.has_output and receipt.paths:
            before = len(self._paths_read)
            self._paths_read.update(receipt.paths)
            return len(self._paths_read) - before
        return int(_is_first(mark([receipt.tool, receipt.args]), self._known))

    def _is_news(self, receipt: Receipt) -> bool:
        """Whether a receipt is a new successful read, command or change (todo stall)."""
        if not receipt.success or receipt.tool in _SILENT:
            return False
        command = receipt.command
        short = command and len(command) <= LONGEST_WHOLE
        key = command if short else mark(command or [receipt.tool, receipt.args])
        return _is_first(key, self._news)


def _is_first(key: bytes | str, known: set[bytes | str]) -> bool:
    """Whether a key is new; from then on it is known."""
    before = len(known)
    known.add(key)
    return len(known) > before


@dataclass(frozen=True, slots=True)
class _Failures:
    """How often a write intent failed with one error line, and the paths it names."""

    line: str
    count: int
    paths: tuple[str, ...]


@dataclass(slots=True)
class _Runs:
    """What is known of one command text within the turn."""

    passed: bool = False
    failing: bool = False

    def gain(self, success: bool) -> int:
        """Return the gain of one more run and remember it."""
        if not success:
            again, self.failing = self.failing, True
            return -2 if again else 2
        gain = 2 if self.failing else int(not self.passed)
        self.passed, self.failing = True, False
        return gain


def repeats_writes(tool: str, command: str, *, redirects: bool, background: bool) -> bool:
    """Whether the guards of repeated writes look at a call: file tools and writing commands.

    `redirects` says that the command sends output to a file; `background` that it was only started.
    """
    if tool in REPEATED_WRITES:
        return True
    if tool != "bash" or background:
        return False
    text = command.lower()
    if redirects or _WRITING_TEXT.search(text):
        return True
    # What stands behind any call of it stands behind the first one.
    opened = text.find("open(")
    return opened >= 0 and _OPENED_TO_WRITE.search(text, opened) is not None


def stands_down(
    guards: LoopGuards, receipts: Sequence[Receipt], *, host_state_counts: bool = True
) -> bool:
    """Whether the pass of a guard still holds: no successful change or command since (DL-10).

    `host_state_counts` tells whether `remember` and its like are changes here.
    """
    if guards.pass_from is None:
        return False
    return not ends_pass(receipts[guards.pass_from :], host_state_counts=host_state_counts)


def ends_pass(receipts: Iterable[Receipt], *, host_state_counts: bool) -> bool:
    """Whether these receipts end a pass: a successful change or command is among them."""
    for receipt in receipts:
        if (
            receipt.success
            and (receipt.mutation or receipt.write or receipt.tool == "bash")
            and (host_state_counts or receipt.tool not in HOST_STATE_TOOLS)
        ):
            return True
    return False


def may_gain_nothing(receipts: Iterable[Receipt]) -> bool:
    """Whether a message that succeeded may have gained nothing new.

    The gain of most receipts depends on what was known before. Only those are counted here whose
    gain does not; of a command it may even be negative.
    """
    sure = 0
    for receipt in receipts:
        gain = _sure_gain(receipt)
        if gain is None:
            if receipt.tool == "bash":
                return True
        else:
            sure += gain
    return sure == 0


def _sure_gain(receipt: Receipt) -> int | None:
    """Return the gain of a receipt, None if it depends on what was known before it (DL-10)."""
    if receipt.tool == "bash":
        return None
    if not receipt.success:
        return 0
    if receipt.mutation or receipt.write:
        return 3
    if receipt.tool in _DELEGATES:
        return 2
    if receipt.tool == "complete_step":
        return int(receipt.step_proof or receipt.todo_step is not None)
    return int(bool(receipt.todos)) if receipt.tool == "todo_write" else None


def _whole(args: Any) -> bool:
    """Whether a `read_file` reads the whole file: offset and limit absent or 0."""
    members = args if isinstance(args, dict) else {}
    return not members.get("offset") and not members.get("limit")
