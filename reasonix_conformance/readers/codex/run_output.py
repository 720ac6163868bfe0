"""The output of `codex exec --json`: what was done, piece by piece, in two shapes.

Newer versions tell threads, turns and items, older ones the events of the protocol, each with the
number of its task. Neither tells the responses of the model, nor calls that never began: a patch
that did not fit, a call that was refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.codex.children import SPAWN
from reasonix_conformance.readers.codex.items import ENDS
from reasonix_conformance.readers.codex.rollouts import ELSEWHERE
from reasonix_conformance.readers.codex.running import Numbers, Piece, Running
from reasonix_conformance.readers.codex.shapes import NO_WORK, kind_of, of_begin, of_end, of_item
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.roles import CODEX
from reasonix_runtime.trace.events import Event, KnownBy, TurnStatus

FORMAT = "codex-exec-stream"

_THREADS = ("thread.started", "session.created")
_MESSAGES = ("agent_message", "assistant_message")
_ITEMS = ("item.started", "item.updated", "item.completed")
_BEGINS = frozenset({"exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin"})
# Events of the older shape that neither do anything nor say it to the user.
_QUIET = frozenset(
    {
        "agent_message_delta", "agent_reasoning", "agent_reasoning_delta",
        "agent_reasoning_raw_content", "agent_reasoning_raw_content_delta",
        "agent_reasoning_section_break", "background_event", "exec_command_output_delta",
        "session_configured", "shutdown_complete", "turn_diff", "user_message",
        "web_search_begin", "web_search_end",
    }
)  # fmt: skip


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of the output of one run, or of several."""
    thread = _Thread(Builder(recording.shown, CODEX), recording.sid)
    number = 0
    for number, record in recording.records():
        thread.build.line = number
        if isinstance(record, Broken):
            thread.build.note(record.code, record.text)
        else:
            if thread.is_left_by(record):
                thread.end_here()
                yield from thread.build.drain()
                thread = _Thread(thread.build.successor(), recording.sid)
            thread.take(record)
        yield from thread.build.drain()
    thread.finish(number, recording.damage)
    yield from thread.build.drain()


class _Thread:
    """One thread; the runs that go on with it are further turns."""

    def __init__(self, build: Builder, sid: str) -> None:
        self.build = build
        self._sid = sid
        self._begun = False
        self._running = Running(build)
        self._numbers = Numbers()
        self._task: str | None = None
        """The number of the open task, in the older shape."""
        self._prompt = ""
        self._answered = False
        """Whether the model had the last word."""
        self._over = False
        """Whether, in the older shape, the response with that word has ended."""
        self._error: str | None = None
        """An error that nothing came after."""

    def is_left_by(self, record: Any) -> bool:
        """Whether a record begins another thread than this one."""
        if not self._begun:
            return False
        if text_at(record, "type") in _THREADS:
            return _thread_of(record) != self._sid
        return _is_banner(record)

    def end_here(self) -> None:
        """End this thread: the file goes on with another one."""
        self.build.count("several_sessions", "the output of several threads is in one file")
        self._stop()
        self.build.finish()

    def finish(self, records: int, damage: str | None) -> None:
        """End the last thread; `damage` says why not all of the file was read."""
        self.build.file_ended(empty=records == 0, damage=damage)
        self._begin({})
        if self.build.in_turn and not self._over:
            self.build.note("truncated_tail", "the output stops inside a turn")
        self._stop()
        self.build.finish()

    def take(self, record: Any) -> None:
        """Take the next record in."""
        self._begin(record)
        kind, message = text_at(record, "type"), at(record, "msg")
        if isinstance(message, dict):
            self._event(text_at(message, "type"), message, text_at(record, "id"))
        elif kind in _ITEMS:
            self._item(at(record, "item"), kind)
        elif kind:
            self._turn(record, kind)
        elif _is_faulty(record):
            self.build.note("bad_line", "a record without a type that can be read")
        elif (prompt := name_at(record, "prompt")) is not None:
            self._prompt = prompt
        elif not _is_banner(record):
            self.build.count("unknown_record", "a record without a type is not read")

    def _begin(self, record: Any) -> None:
        if self._begun:
            return
        self._begun = True
        self._sid = _thread_of(record) or self._sid
        folder = name_at(record, "workdir")
        self.build.session(self._sid, FORMAT, cwd=folder, model=name_at(record, "model"))
        told = text_at(record, "type") or text_at(record, "msg", "type")
        if told and told not in (*_THREADS, "turn.started", "task_started"):
            self.build.note("mid_chain_start", "the output begins in the middle of a run")

    # -- turns

    def _turn(self, record: Any, kind: str) -> None:
        if kind in _THREADS:
            self._stop()
            self._running.next_run()
            self._numbers = Numbers()
        elif kind == "turn.started":
            self._start()
        elif kind == "turn.completed":
            self._end()
        elif kind == "turn.failed":
            self._close("failed", error=name_at(record, "error", "message"))
        elif kind == "error":
            self._fails(text_at(record, "message"))
        elif "item" in record:
            self.build.note("bad_line", f"an item in a record of type {kind!r} is not read")
        else:
            self.build.count("unknown_record", f"a record of type {kind!r} is not read")

    def _start(self) -> None:
        """Begin the turn of a run; another one inside it is that of a sub-agent."""
        if self.build.in_turn:
            return
        self.build.start_turn()
        if self._prompt:
            self.build.user(self._prompt)
        self._prompt, self._error = "", None
        self._answered = self._over = False

    def _end(self) -> None:
        status: TurnStatus = "completed" if self._answered else "unknown"
        self._close(status, judge=self._answered)

    def _stop(self) -> None:
        """End a turn whose end is not told; the older shape never tells that of a good one."""
        if self._over and self._answered:
            self._close("completed", by="inferred", judge=True)
        elif self._task is not None and self._error is not None:
            self._close("failed", by="inferred", error=self._error)
        else:
            self._running.forget()
            self.build.end_turn("unknown", by="inferred", judge=False)

    def _close(
        self,
        status: TurnStatus,
        *,
        by: KnownBy = "explicit",
        error: str | None = None,
        judge: bool = False,
    ) -> None:
        """End a turn; the work that is open goes on behind it."""
        if self.build.in_turn:
            self._running.turn_ended()
        self._running.forget()
        self.build.end_turn(status, by=by, error=error, judge=judge)

    def _fails(self, message: str) -> None:
        self._error = message
        self.build.notice(message, level="error")

    # -- what was said and done

    def _item(self, item: Any, record: str) -> None:
        kind, ended = kind_of(item), record == _ITEMS[-1]
        ident = text_at(item, "id")
        if not ident:
            self.build.note("bad_line", f"an item of type {kind!r} has no id")
        elif self._numbers.skip_to(ident):
            self.build.note("bad_line", "items before this one are missing")
        if not kind:
            self.build.note("bad_line", "an item without a type that can be read")
        elif kind in _MESSAGES:
            if ended:
                self._says(text_at(item, "text"))
        elif kind == "error":
            self.build.notice(text_at(item, "message"), level="warning")
        elif kind == "todo_list":
            if not ended:
                self._running.note("update_plan", {"plan": list_at(item, "items")})
        elif (piece := of_item(item)) is not None:
            self._works(piece, ended=ended)
        elif kind not in NO_WORK:
            self.build.note("bad_line", f"an item of type {kind!r} without a state is not read")

    def _event(self, kind: str, event: Any, task: str) -> None:
        if kind in _BEGINS | ENDS and not name_at(event, "call_id"):
            self.build.note("bad_line", f"an event of type {kind!r} has no id")
        if kind == "task_started":
            self._task = self._task or task
            self._start()
        elif kind == "agent_message":
            if task == self._task or self._task is None:  # else it is of what the program began
                self._says(text_at(event, "message"))
        elif kind == "token_count":
            self._over = self._answered
        elif kind in _BEGINS:
            self._works(of_begin(event), ended=False)
        elif kind in ENDS:
            piece = of_end(event)
            if not piece.ident or self._running.is_open(piece.ident):
                self._works(piece, ended=True)
            else:  # what was done stands at the begin, which is not here
                self.build.result(piece.ident, piece.grade, piece.text)
        elif kind == "plan_update":
            self._running.note("update_plan", {"plan": list_at(event, "plan")})
        elif kind == "task_complete":
            self._end()
        elif kind == "turn_aborted":
            self._close("interrupted", error=name_at(event, "reason"))
        elif kind in ("error", "stream_error"):
            self._fails(text_at(event, "message"))
        elif not kind:
            self.build.note("bad_line", "an event without a type that can be read")
        elif kind not in _QUIET:
            self.build.count("unknown_record", f"an event of type {kind!r} is not read")

    def _says(self, text: str) -> None:
        self._running.say(text)
        self._answered, self._over, self._error = True, False, None

    def _works(self, piece: Piece, *, ended: bool) -> None:
        if not piece.ident:
            return  # what it is an end of, or what ends it, nobody knows; that was said
        if not self._running.is_open(piece.ident):
            self._answered = self._over = False
            self._error = None
            self._running.begin(piece)
            if piece.tool == SPAWN:
                self.build.note("missing_child", ELSEWHERE)
        if ended:
            self._running.end(piece)


def _thread_of(record: Any) -> str | None:
    return name_at(record, "thread_id") or name_at(record, "session_id")


def _is_faulty(record: Any) -> bool:
    """Whether a record that tells no kind is one of a run: what it held is lost."""
    if not isinstance(record, dict):
        return False
    return not {"item", "type"}.isdisjoint(record) or {"id", "msg"} <= record.keys()


def _is_banner(record: Any) -> bool:
    """Whether a record is the first of a run in the older shape, which tells its settings."""
    return at(record, "workdir") is not None and not {"type", "msg"} & record.keys()
