"""The turns of a Claude Code session: what its messages mean, wherever they were kept.

A session file and the output of a run hold the same messages with other things beside them. A
reader tells whose a record is and how it ends a turn; what stands in it is taken in here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.claude.children import is_last
from reasonix_conformance.readers.claude.jobs import Jobs
from reasonix_conformance.readers.claude.results import INTERRUPTED, given, grade
from reasonix_conformance.readers.claude.words import moved
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import typeless
from reasonix_conformance.readers.files.message_content import flat_text, unread_in
from reasonix_conformance.readers.hosts.outcomes import Grade, of_provider
from reasonix_conformance.readers.hosts.roles import made_by_provider
from reasonix_runtime.trace.events import MAIN, Event, ToolCall

MOST_EARLY = 64
"""How many results may wait for their calls; some versions write them the wrong way round."""
DELEGATES = frozenset({"Task", "Agent"})
"""Tools that start one sub-agent."""

_ANSWER = "StructuredOutput"
"""The tool by which the model gives an answer that has a schema; it may say no more."""
_CUT = ("max_tokens", "model_context_window_exceeded", "refusal")
"""Why the provider ended a response before the model did."""
_SAID = ("text", "thinking", "redacted_thinking", "image", "document")
"""Parts of a response that are no act."""
_SYNTHETIC = "<synthetic>"
"""The model of a response that the program wrote itself."""
_UNPARSED = "__unparsedToolInput"
"""The one argument of a call whose arguments were no JSON; `raw` in it is their text."""


class ClaudeTurns:
    """One session: its messages taken in, its results bound to their calls, its jobs followed."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.jobs = Jobs(self.build)
        self.answered = self.failed = self.stopped = False
        """Whether the model's last word may end the turn, told a failure, or was cut short."""
        self._response: str | None = None
        self._early: dict[tuple[str, str], tuple[Any, Any, int | None]] = {}
        """Results that stand before their calls: block, record and line, by scope and id."""

    # -- what the model said

    def say(self, record: Any, scope: str) -> Iterator[Event]:
        """Take in a record of the model's response."""
        self._mind(record, may_be_empty=True)
        message = at(record, "message")
        text = flat_text(at(message, "content"))
        failed = at(record, "isApiErrorMessage") is True
        if text_at(message, "model") == _SYNTHETIC and not failed:
            self.build.notice(text)
            return
        response = name_at(message, "id") or text_at(record, "uuid")
        last = is_last(message)
        if response != self._response or text:
            self.build.assistant(text, step=response, scope=scope, final=last)
            self._response = response
        for block in list_at(message, "content"):
            kind = text_at(block, "type")
            if kind.endswith("tool_use"):
                native, args = text_at(block, "id"), _arguments(at(block, "input"))
                (name, role), folder = made_by_provider(block), name_at(record, "cwd")
                uid = self.build.call(
                    native, name, args, step=response, scope=scope, role=role, folder=folder
                )
                self.called(uid, native)
                if (scope, native) in self._early:
                    yield from self.tell_early(scope, native)
            elif kind.endswith("tool_result"):
                # A tool that runs at the provider: what it gave is part of the response.
                yield from self._result(block, record, scope)
            elif kind not in _SAID:
                self._pass_over_part(kind)
        if scope == MAIN:
            self._may_end(failed, last, text, name_at(message, "stop_reason"))

    def _mind(self, record: Any, *, may_be_empty: bool) -> None:
        """Say of a record what cannot be read in it."""
        lost = unread_in(at(record, "message", "content"), may_be_empty=may_be_empty)
        if lost is not None:
            self.build.note("bad_line", lost)

    def pass_over(self, record: Any, kind: str) -> None:
        """Say that a record is not read; one with a message, or for a call, may be an act."""
        if isinstance(at(record, "message"), dict):
            self.build.note("bad_line", f"a message in a record of type {kind!r} is not read")
        elif not kind:
            remark = typeless(record)
            self.build.note(remark.code, remark.text)
        elif "tool" in kind or "call" in kind:
            self.build.note("bad_line", f"a call in a record of type {kind!r} is not read")
        else:
            self.build.count("unknown_record", f"a record of type {kind!r} is not read")

    def _pass_over_part(self, kind: str) -> None:
        """Say that a part of a response is not read; one that is named as a call may be an act."""
        if "tool" in kind or "call" in kind:
            self.build.note("bad_line", f"a call in a part of type {kind!r} is not read")
        elif kind:
            self.build.count("unknown_record", f"a part of type {kind!r} is not read")

    def called(self, uid: str, native: str) -> None:
        """Take in that a call was made; a reader that must find it again remembers it."""

    def _may_end(self, failed: bool, last: bool, text: str, stop: str | None) -> None:
        """Take in whether the model may have ended its turn with what it said.

        A response that was cut is no answer, and stands behind the word that it was cut.
        """
        if last and is_cut(stop):
            self.answered = False
        elif text or stop or not last:
            self.answered, self.failed = last, failed

    # -- results

    def heard(self, record: Any) -> list[Any]:
        """Return the results of a user record, and say what cannot be read in it."""
        self._mind(record, may_be_empty=False)
        return results_in(record)

    def answer(self, record: Any, scope: str) -> Iterator[Event]:
        """Take in the results of a user record."""
        if scope == MAIN:
            self.answered = False
        for block in results_in(record):
            key = scope, text_at(block, "tool_use_id")
            waits = key not in self._early and len(self._early) < MOST_EARLY
            if waits and self.build.find(key[1], scope=scope) is None:
                self._early[key] = block, record, self.build.line
            else:
                yield from self._result(block, record, scope)
        beside = flat_text(at(record, "message", "content"))
        if beside:
            self.build.user(beside, origin="host")
        if scope == MAIN and beside.startswith(INTERRUPTED):
            yield from self.tell_early(None)
            self.end(interrupted=True)

    def tell_early(self, scope: str | None, native: str | None = None) -> Iterator[Event]:
        """Tell the result that waited for a call, or all of a scope whose calls did not come.

        Without a scope all are told: those of a sub-agent that has ended belong to no call.
        """
        for key in list(self._early):
            if scope not in (None, key[0]) or native not in (None, key[1]):
                continue
            block, record, line = self._early.pop(key)
            here, self.build.line = self.build.line, line
            yield from self._result(block, record, key[0])
            self.build.line = here

    def _result(self, block: Any, record: Any, scope: str) -> Iterator[Event]:
        native, text = text_at(block, "tool_use_id"), flat_text(at(block, "content"))
        uid = self.build.find(native, scope=scope)
        call = self.build.opened(uid) if uid is not None else None
        record = self.facts(block, text, record, call)
        if call is not None and (job := moved(text, call)) is not None:
            record = {**record, "toolUseResult": {"backgroundTaskId": job}}
        extra = at(record, "toolUseResult")
        told = of_provider(at(block, "content"))
        found = self.graded(told or grade(block, text, record), text, record, call)
        if call is not None and found.outcome not in ("blocked", "not_run"):
            yield from self.tell_children(call, extra)
        said, truncated = given(text, extra)
        self.build.result(native, found, said, scope=scope, truncated=truncated)
        if uid is None:
            return
        self.settled(uid)
        if call is not None and call.name == _ANSWER and found.outcome == "ok" and scope == MAIN:
            self.answered, self.failed = True, False
        if found.outcome == "running":
            self.jobs.started(uid, extra)
        else:
            self.jobs.asked(extra)

    def facts(self, _block: Any, _text: str, record: Any, _call: ToolCall | None) -> Any:
        """Return a record with what its program adds to a result under the names of a session."""
        return record

    def graded(self, found: Grade, _text: str, _record: Any, _call: ToolCall | None) -> Grade:
        """Return the grade of a result, or a lesser one where the recording lacks facts."""
        return found

    def settled(self, uid: str) -> None:
        """Take in that a call was answered."""

    def tell_children(self, _call: ToolCall, _extra: Any) -> Iterator[Event]:
        """Tell what the sub-agents of an open call did, where that stands somewhere else."""
        yield from ()

    # -- turns

    def end(self, *, interrupted: bool = False) -> None:
        """End the open turn by what the model said last."""
        if not self.build.in_turn:
            return
        if interrupted:
            self.build.end_turn("interrupted", by="inferred", judge=False)
        elif self.failed:
            self.build.end_turn("failed", by="inferred", judge=False)
        elif self.answered:
            self.build.end_turn("completed", by="inferred")
        elif self.stopped:
            self.build.end_turn("interrupted", by="inferred", judge=False)
        else:
            self.build.end_turn("unknown", by="inferred", judge=False)

    def prompted(self, text: str, own: str) -> None:
        """Take in what the user asked for, now that the turn has begun."""
        self.build.user(own, raw=None if own == text else text)
        self.answered = self.failed = self.stopped = False


def results_in(record: Any) -> list[Any]:
    """Return the result blocks of a record."""
    blocks = list_at(record, "message", "content")
    return [block for block in blocks if text_at(block, "type") == "tool_result"]


def is_cut(stop: str | None) -> bool:
    """Whether the provider ended a response before the model did."""
    return stop in _CUT


def _arguments(value: Any) -> Any:
    """Return the arguments of a call; those that were no JSON as the text that they were."""
    raw = at(value, _UNPARSED, "raw")
    return raw if isinstance(raw, str) and len(value) == 1 else value
