"""Codex rollout files: response items beside events, success mostly in envelopes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.scopes import MOST_NESTED
from reasonix_conformance.readers.claude.branches import PUT_BACK, TAKEN_BACK
from reasonix_conformance.readers.codex.children import (
    CLOSES,
    NEWS,
    ORDERS,
    SPAWN,
    WAITS,
    Children,
    started,
)
from reasonix_conformance.readers.codex.items import (
    DONE,
    ENDS,
    Scripts,
    Work,
    is_script,
    work_of,
)
from reasonix_conformance.readers.codex.outputs import read_output, text_of, was_aborted
from reasonix_conformance.readers.codex.polls import POLL, Polls
from reasonix_conformance.readers.codex.quiet import QUIET_EVENTS, QUIET_ITEMS, QUIET_RECORDS
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken, typeless
from reasonix_conformance.readers.files.message_content import flat_text, words_in
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.frames import unless_text_fails
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, is_int
from reasonix_conformance.readers.hosts.roles import CODEX
from reasonix_runtime.trace.events import Event, TextOrigin
from reasonix_runtime.trace.host_events import JOB_ENDED

FORMAT = "codex"

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
_BEGINS = ("task_started", "turn_started")
_TURNS = (*_BEGINS, "task_complete", "turn_complete", "turn_aborted")
_PROMPTS = ("user_message", "UserMessage")
_NOT_BEGUN = "a turn ends (`task_complete`) that nothing began: no `task_started` stands before it"
_REVIEW_BEGINS = ("entered_review_mode", "EnteredReviewMode")
_OWN_NAMESPACES = frozenset({"functions", "collaboration", "multi_agent_v1", "clock"})
"""Namespaces of Codex's own tools; any other one is part of a tool's name."""
# User items that the program writes by itself: the environment, instructions, notes.
_HOST_TEXT = re.compile(r"\s*(?:<[a-z_]+>|# AGENTS\.md instructions)")
ELSEWHERE = "what the sub-agent did stands in a rollout of its own"


def read(recording: Recording, levels: int = MOST_NESTED) -> Iterator[Event]:
    """Yield the events of a rollout file, in which so many sub-agents may be inside each other."""
    reader = _CodexReader(recording, levels)
    number = 0
    for number, record in recording.records():
        reader.build.line = number
        if isinstance(record, Broken):
            reader.build.note(record.code, record.text)
        else:
            reader.ends_before(record)
            if reader.spawning:
                yield from reader.tell_child(record)
            reader.take(record)
        yield from reader.build.drain()
    reader.finish(number, recording.damage)
    yield from reader.build.drain()


class _CodexReader:
    """One rollout file, and those of its sub-agents as their starts are answered."""

    def __init__(self, recording: Recording, levels: int = MOST_NESTED) -> None:
        self.build = Builder(recording.shown, CODEX)
        self._sid = recording.sid
        self._thread = ""
        self._children = Children(recording, levels)
        self.spawning: set[str] = set()
        """The calls that start sub-agents and were not answered yet."""
        self._begun = False
        self._ordinal: Any = None
        """The number of the record before, which newer files have."""
        self._folder: str | None = None
        """Where the turn runs."""
        self._step = 0
        self._forget()

    def _forget(self) -> None:
        """Know nothing of the thread that is read."""
        self._explicit = self._answered = self._delegated = self._reviewing = False
        self._ended: tuple[int | None, Any] | None = None
        """The line and the end of a turn; the record behind it may tell that it is too early."""
        self._after_result = True
        self._said = ""
        """What the model said last."""
        self._prompt: tuple[int | None, Any] | None = None
        """The content of a user item and its line: the record behind it may tell whose it is."""
        self._told_prompts = False
        """Whether the thread tells its prompts in events: other user items are the program's."""
        self._grades: dict[str, Grade] = {}
        self.spawning.clear()
        self._polls = Polls()
        self._scripts = Scripts()

    def take(self, record: Any) -> None:
        """Take the next record in; a file that begins without `session_meta` is a session too."""
        kind, payload = _unwrapped(record)
        begins = kind == "session_meta"
        if begins or not self._begun:
            self._session(payload if begins else {})
        self._mind_ordinal(at(record, "ordinal"))
        if begins:
            return
        if kind == "response_item":
            self._settle()
            self._item(payload)
        elif kind == "event_msg":
            self._event(payload)
        elif kind == "compacted":
            self._settle()
            self.build.compaction("summary", len(list_at(payload, "replacement_history")) or None)
        elif kind == "turn_context":
            self._folder = name_at(payload, "cwd")
        elif not kind:
            remark = typeless(record)
            self.build.note(remark.code, remark.text)
        elif kind not in QUIET_RECORDS:
            self.build.count("unknown_record", f"a record of type {kind!r} is not read")

    def _mind_ordinal(self, number: Any) -> None:
        """Say that records before one are missing, by the numbers that they have."""
        last, self._ordinal = self._ordinal, number
        if is_int(number) and is_int(last) and number > last + 1:
            self.build.note("bad_line", f"record {number} stands after record {last}")

    def ends_before(self, record: Any) -> None:
        """End the turn whose end was told, unless nothing can be read off a record.

        A model says and calls nothing behind the end of a turn: the order of such records is lost.
        """
        kind, payload = _unwrapped(record)
        act = text_at(payload, "type")
        if self._ended is None or kind in QUIET_RECORDS or act in QUIET_EVENTS:
            return
        told = kind == "response_item"
        if told and (act in _CALLS or text_at(payload, "role") == "assistant"):
            self.build.note("bad_line", "what the model did stands behind the end of a turn")
        self._end_as_told()

    def tell_child(self, record: Any) -> Iterator[Event]:
        """Tell what the sub-agent did whose start a record answers."""
        kind, item = _unwrapped(record)
        native = text_at(item, "call_id")
        if kind != "response_item" or text_at(item, "type") not in _OUTPUTS:
            return
        if native in self.spawning and (uid := self.build.find(native)) is not None:
            agent = started(at(item, "output"))
            if agent is not None:
                yield from self.build.drain()
                yield from self._children.told(agent, uid, self._thread, self.build, read)

    def finish(self, records: int, damage: str | None) -> None:
        """End the session after so many records; `damage` says why not all of the file was read."""
        self._end_as_told()
        self._settle()
        self.build.file_ended(empty=records == 0, damage=damage)
        if not self._begun:
            self._session({})
        if self._explicit and self.build.in_turn:
            self.build.note("truncated_tail", "the file stops inside a turn")
        self._end()
        self.build.finish()

    def _session(self, payload: Any) -> None:
        self._settle()
        if self._begun and self._thread and text_at(payload, "id") == self._thread:
            return  # the thread goes on: what it owes it still does
        if self._begun:
            self.build.count("several_sessions", "the records of several threads stand in one file")
            if not self.build.turn:
                # A thread that goes on from another begins with that one's history.
                return
            self._next_thread()
        self._begun = True
        self._thread = text_at(payload, "id")
        self._delegated = at(payload, "source", "subagent") is not None
        self.build.session(
            name_at(payload, "id") or self._sid,
            FORMAT,
            cwd=name_at(payload, "cwd"),
            tool_version=name_at(payload, "cli_version"),
            started_at=name_at(payload, "timestamp"),
        )
        if at(payload, "history_base") is not None:
            text = "the thread goes on from another one, whose history is not here"
            self.build.note("mid_chain_start", text)

    def _next_thread(self) -> None:
        """Go on with another thread, whose calls are none of the one before it."""
        self._end()
        self.build.finish()
        self.build = self.build.successor()
        self._forget()

    def _end(self) -> None:
        """Close a turn that nothing closes: an older file, or one that stops."""
        self._grades.clear()
        if self.build.in_turn:
            done = self._answered and not self._explicit
            self.build.end_turn("completed" if done else "unknown", by="inferred", judge=done)

    # -- response items

    def _item(self, item: Any) -> None:
        kind = text_at(item, "type")
        if kind in _CALLS:
            self._call(item, kind)
        elif kind in _OUTPUTS:
            self._output(item)
        elif kind == "message":
            self._message(item)
        elif kind == "agent_message":
            origin: TextOrigin = "parent" if self._delegated else "host"
            self.build.user(flat_text(at(item, "content")), origin=origin)
        elif not kind:
            self.build.note("bad_line", "an item without a type that can be read")
        elif kind not in QUIET_ITEMS and ("call" in kind or "tool" in kind):
            self.build.note("bad_line", f"a call that is an item of type {kind!r} is not read")
        elif kind not in QUIET_ITEMS:
            self.build.count("unknown_record", f"an item of type {kind!r} is not read")

    def _message(self, item: Any) -> None:
        role = text_at(item, "role")
        text = flat_text(at(item, "content"))
        if role == "assistant":
            self._respond(text)
            self._answered, self._said = True, text
        elif role == "user":
            self._prompt = self.build.line, at(item, "content")
            if text.startswith(NEWS):
                self._children.standing(text, self.build)
        elif role not in ("developer", "system"):
            self.build.count("unknown_record", f"a message of role {role!r} is not read")

    def _settle(self, *, prompt: bool = False) -> None:
        """Tell the user item that waits: as a prompt where an event says so, else by what it is.

        The program writes user items of its own. In a thread that tells its prompts in events,
        those without one are the program's, whatever they say.
        """
        if self._prompt is None:
            return
        (line, content), self._prompt = self._prompt, None
        text, words = flat_text(content), words_in(content)
        now, self.build.line = self.build.line, line
        # The program shows an image that the model asked for as if the user had sent it.
        shown = not words and self.build.in_turn and not (self._answered or self.build.quiet)
        if shown or (not prompt and (self._told_prompts or _HOST_TEXT.match(words))):
            self.build.user(text, origin="host")
        else:
            if not self._explicit and not (self.build.in_turn and self.build.quiet):
                self._end()
                self._after_result = True  # a call that was cut off is of the turn before
                self.build.start_turn(by="inferred")
            self._answered = False
            self.build.user(text, origin="parent" if self._delegated else "user")
        self.build.line = now

    def _respond(self, text: str = "") -> None:
        if self._after_result or text:
            self._step += 1
            self._after_result = False
            self.build.assistant(text, step=f"s{self._step}")

    def _call(self, item: Any, kind: str) -> None:
        self._respond()
        self._answered = False
        if kind == "function_call":
            args: Any = at(item, "arguments")
        elif kind == "custom_tool_call":
            args = {"input": at(item, "input")}
        else:
            args = at(item, "action")
        ids = [key for key in (name_at(item, "call_id"), name_at(item, "id")) if key]
        name = _name_of(item) or ("local_shell" if kind == "local_shell_call" else "")
        role = self._polls.role_of(args, self.build.calls) if name == POLL else None
        step = f"s{self._step}"
        uid = self.build.call(ids[:1], name, args, step=step, role=role, folder=self._folder)
        if name == SPAWN:
            self.spawning.update(ids[:1])
        elif name in ORDERS:
            self._children.ordered(self.build.opened(uid).args, self.build)
        if is_script(self.build.opened(uid)):
            self._scripts.called(text_at(item, "input"))

    def _output(self, item: Any) -> None:
        native = text_at(item, "call_id")
        if not native and name_at(item, "name"):
            self.build.user(text_of(at(item, "output")), origin="host")
            return
        output = read_output(at(item, "output"))
        uid = self.build.find(native)
        call = self.build.opened(uid) if uid is not None else None
        told = self._grades.pop(native, None)
        grade = _told_grade(told, output.grade, text_of(at(item, "output")))
        if told is None and call is not None and _may_quote(call.name, item, grade):
            grade = UNKNOWN
        scripted = call is not None and is_script(call)
        if grade is UNKNOWN and (scripted or self._says_more(native, uid)):
            self.build.notice(output.text)
            return
        if call is not None and call.name == SPAWN:
            grade = self._spawned(native, at(item, "output"), grade)
        self._after_result = True
        settled = None
        if scripted and grade.outcome != "running":
            settled = self._scripts.settled(output.text) or None
            grade = grade if settled else UNKNOWN
        if call is not None and grade.outcome == "running":
            self._polls.goes_on(call, at(item, "output"))
        self.build.result(
            native, grade, output.text, truncated=output.truncated, read_only=settled, uid=uid
        )
        if call is not None and call.name == POLL and grade.exit_code is not None:
            self._jobs_ended(self._polls.polled(call.args), grade)
        if call is not None and call.name in WAITS:
            self._children.standing(output.text, self.build)
        elif call is not None and call.name == CLOSES:
            self._children.closed(call.args, output.text, self.build)

    def _spawned(self, native: str, output: Any, grade: Grade) -> Grade:
        """Grade the start of a sub-agent: one that was told goes on beside its thread."""
        self.spawning.discard(native)
        if self._children.is_told(started(output)):
            return Grade("running", "envelope")
        if grade.outcome != "not_run":
            self.build.note("missing_child", ELSEWHERE)
        return grade

    def _says_more(self, native: str, uid: str | None) -> bool:
        """Whether an output is what a script says on its way, told behind its result."""
        return uid is None and self._scripts.any and self.build.answered(native)

    # -- events

    def _event(self, event: Any) -> None:
        kind = text_at(event, "type")
        if kind == "item_completed":
            kind = text_at(event, "item", "type")
        if kind in _PROMPTS:
            said = text_at(event, "message") or flat_text(at(event, "item", "content"))
            self._settle(prompt=self._prompt is not None and said in words_in(self._prompt[1]))
            self._told_prompts = True
            return
        if kind not in QUIET_EVENTS:
            self._settle()
        if kind in _TURNS:
            self._turn(event, kind)
        elif kind in ENDS or kind in DONE:
            self._work(work_of(event))
        elif kind in _REVIEW_BEGINS:
            self._reviewing = True
            self.build.note("missing_child", ELSEWHERE)
        elif kind == "error":
            self.build.notice(text_at(event, "message"), level="error")
        elif kind == "thread_rolled_back":
            self.build.note("branch_dropped", TAKEN_BACK)
        elif kind == "undo_completed":
            if at(event, "success") is not False:
                self.build.note("branch_dropped", PUT_BACK)
        elif not kind:
            self.build.note("bad_line", "an event without a type that can be read")
        elif kind not in QUIET_EVENTS:
            self.build.count("unknown_record", f"an event of type {kind!r} is not read")

    def _turn(self, event: Any, kind: str) -> None:
        self._grades.clear()  # a call that was not answered in its turn never is
        if kind in _BEGINS:
            self._explicit = self._after_result = True
            self._answered = False
            self._scripts.forget()
            if not self.build.quiet:
                self._end()
            self.build.start_turn(native=name_at(event, "turn_id"))
        else:
            self._ended = self.build.line, event

    def _end_as_told(self) -> None:
        """End the turn as its end told, at that one's line."""
        if self._ended is None:
            return
        (line, event), self._ended = self._ended, None
        now, self.build.line = self.build.line, line
        if text_at(event, "type") == "turn_aborted":
            self.build.end_turn("interrupted", error=name_at(event, "reason"), judge=False)
        elif at(event, "error") is not None:
            error = name_at(event, "error", "message")
            self.build.end_turn("failed", error=error, judge=False)
        else:
            if not self._explicit:
                self.build.note("mid_chain_start", _NOT_BEGUN)
            done = self._has_answered(event)
            self.build.end_turn("completed" if done else "unknown", judge=done)
        self._reviewing = False
        self.build.line = now

    def _has_answered(self, end: Any) -> bool:
        """Whether the model answered before a turn ended: it may have ended for a failure.

        Older files do not tell a failure; the last answer is null then. It is as well for an empty
        answer, and for a review.
        """
        if "last_agent_message" not in end or at(end, "last_agent_message") is not None:
            return True
        return self._answered and (self._reviewing or not self._said)

    def _work(self, work: Work) -> None:
        """Take what an event tells of work: how an open call ended, or a call of a script."""
        if self.build.find(work.native) is not None:
            if work.grade is not UNKNOWN:
                self._grades[work.native] = work.grade
        elif self._is_nested(work):
            self._nested(work)
        elif not self._reviewing:
            # Work that went on when its call had been answered, or that the user started.
            self._jobs_ended(self._polls.ended(work.native), work.grade)
            self.build.notice(f"{work.tool} ended: {work.grade.outcome}")

    def _jobs_ended(self, uids: Iterable[str], grade: Grade) -> None:
        """Tell that a command ended which calls were told to go on."""
        for uid in uids:
            self.build.host(JOB_ENDED, {"uid": uid, "outcome": grade.outcome})

    def _is_nested(self, work: Work) -> bool:
        """Whether work is that of a script, and not of the user or of a call that was answered."""
        open_turn = self._scripts.any and self.build.in_turn
        return open_turn and not (work.by_user or self.build.answered(work.native))

    def _nested(self, work: Work) -> None:
        """Tell work of a script as a call; without times its order is that of one response."""
        grade = work.grade
        if self._scripts.told(work) and grade.outcome == "ok" and work.tool == "exec_command":
            # It may have run while something was changed: nobody knows what it found.
            grade = UNKNOWN
        if work.started is not None:
            self._step += 1
            self.build.assistant("", step=f"s{self._step}")
        step, folder = f"s{self._step}", work.folder or self._folder
        self.build.call(work.native, work.tool, work.args, step=step, folder=folder)
        self.build.result(work.native, grade, work.text)


def _unwrapped(record: Any) -> tuple[str, Any]:
    """Return the kind of a record and what it holds; the oldest files have no wrapper."""
    payload = at(record, "payload")
    kind = text_at(record, "type") or text_at(record, "record_type")
    if payload is None and kind in (*_CALLS, *_OUTPUTS, "message", "reasoning"):
        return "response_item", record
    if payload is None and not kind and name_at(record, "id") and name_at(record, "timestamp"):
        return "session_meta", record
    return kind, payload


def _name_of(item: Any) -> str:
    """Return the name of a called tool, with the namespace that is not the program's own."""
    name, space = text_at(item, "name"), text_at(item, "namespace")
    return name if not space or space in _OWN_NAMESPACES else f"{space.rstrip('_')}__{name}"


def _told_grade(told: Grade | None, shown: Grade, text: str) -> Grade:
    """Return the grade that an event told, or the one that the model was `shown` with a text.

    What ended well as the user stopped the turn was not shown to the model.
    """
    if told is None or (told.outcome == "ok" and was_aborted(text)):
        return shown
    return unless_text_fails(told, text)


def _may_quote(tool: str, item: Any, grade: Grade) -> bool:
    """Whether an envelope may be the text of a file that the tool of a server gave back.

    Only the program itself says as bare text that such a call failed.
    """
    bare = isinstance(at(item, "output"), str) and grade.outcome not in ("ok", "running")
    return "__" in tool and grade.basis == "envelope" and not bare
