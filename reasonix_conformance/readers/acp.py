"""Editor-protocol captures: JSON-RPC lines of one or both directions.

A prompt request begins a turn, its answer ends it. Only some agents tell exit codes; a call's title
is the name of its tool.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from reasonix_conformance.readers.acp_editor import Editor, terminal_in
from reasonix_conformance.readers.acp_tools import (
    by_kind,
    exit_of,
    name_of,
    role_by_kind,
    runs_untold,
    text_of,
)
from reasonix_conformance.readers.building.arguments import NOT_TOLD
from reasonix_conformance.readers.building.beside import Beside
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken, typeless
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.frames import by_frame
from reasonix_conformance.readers.hosts.host_texts import cut_of, strip_trailers
from reasonix_conformance.readers.hosts.outcomes import (
    BACKGROUND,
    UNKNOWN,
    Grade,
    by_state,
    first_line,
    of_failure,
)
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_runtime.trace.events import Event
from reasonix_runtime.trace.host_events import PLAN_MODE

FORMAT = "acp"
MOST_OVER = 1 << 14
"""How many sessions that were taken to be over are surely remembered, should they go on."""

_SKIPPED = frozenset(
    {
        "agent_thought_chunk", "plan", "available_commands_update", "config_option_update",
        "session_info_update", "usage_update",
    }
)  # fmt: skip
_OF_A_CALL = ("kind", "locations", "content", "rawInput")
_OPENING = ("session/new", "session/load", "session/resume")
"""Requests that open a session, and tell its folder."""
_HOST_TEXT = "<session-context "
_LIMITS = ("max_tokens", "max_turn_requests", "refusal")


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a capture."""
    sessions = _Sessions(recording)
    number = 0
    for number, record in recording.records():
        yield from sessions.take(number, record)
    yield from sessions.finish(number)


def _lost_in(record: Any) -> Broken | None:
    """Return what to say of a record that is no message of the protocol, None where it is one."""
    if not isinstance(record, dict):
        return typeless(record)
    if text_at(record, "method") or not {"error", "result"}.isdisjoint(record):
        return None
    return Broken("a message that is neither a request nor an answer")


class _Sessions:
    """The sessions of a capture: a connection may have several at once."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._folders = _Folders()
        self._editor = Editor()
        self._readers: Beside[_AcpReader] = Beside()
        self._readers.begin(_AcpReader(recording, self._folders, self._editor))
        self._by_sid: dict[str, int] = {}
        self._asked: dict[int, _AcpReader] = {}
        """The sessions with an open prompt, by their numbers."""
        self._over: Lately[str, None] = Lately(MOST_OVER)

    def take(self, number: int, record: Any) -> Iterator[Event]:
        """Take the record of a line in, and give what can be told."""
        if isinstance(record, Broken):
            for reader in self._readers.open.values():
                reader.build.line = number
                reader.build.note(record.code, record.text)
        else:
            self._tell(number, record)
        yield from self._readers.open[self._readers.first].build.drain()
        for index, reader in self._readers.silent():
            self._asked.pop(index, None)
            self._over.put(reader.name, None)
            del self._by_sid[reader.name]
            yield from self._closed(index, reader, several="several sessions stand in one file")

    def finish(self, records: int) -> Iterator[Event]:
        """Close what is open at the end of the capture."""
        begun = self._readers.begun
        several = f"{begun} sessions stand in one file" if begun > 1 else None
        for index, reader in self._readers.rest():
            reader.build.line = records or None
            yield from self._closed(index, reader, several=several, empty=records == 0)

    def _tell(self, number: int, record: Any) -> None:
        self._folders.take(record)
        self._editor.take(record)
        named = self._of(record)
        index = self._readers.first if named is None else named
        reader = self._readers.open[index]
        reader.build.line = number
        if (lost := _lost_in(record)) is not None:
            reader.build.note(lost.code, lost.text)
        reader.take(record)
        if reader.is_asked:
            self._asked[index] = reader
        else:
            self._asked.pop(index, None)
        if named is not None:
            waits = index != self._readers.first
            self._readers.heard(index, len(msgspec.json.encode(record)) if waits else 0)

    def _of(self, record: Any) -> int | None:
        """Return the session that a record belongs to, None where it does not tell.

        One that is not known begins with it.
        """
        sid = name_at(record, "params", "sessionId")
        if sid is None:
            asked = (index for index, reader in self._asked.items() if reader.is_answer(record))
            return min(asked, default=None)
        if sid not in self._by_sid:
            index = self._by_sid[sid] = self._begin(sid)
            self._readers.open[index].name = sid
        return self._by_sid[sid]

    def _begin(self, sid: str) -> int:
        """Return the number of a session that is named for the first time."""
        if self._readers.begun == 1 and not self._by_sid:
            return 0  # what stands before the first name belongs to it
        reader = _AcpReader(self._recording, self._folders, self._editor, sid)
        if sid in self._over:
            reader.build.note("mid_chain_start", "the session goes on after it was silent for long")
        return self._readers.begin(reader)

    def _closed(
        self, index: int, reader: _AcpReader, *, several: str | None, empty: bool = False
    ) -> list[Event]:
        """Close a session; the first one tells whether there are others."""
        if several is not None and index == 0:
            reader.build.count("several_sessions", several)
        reader.finish(empty=empty, damage=self._recording.damage)
        return reader.build.drain()


class _Folders:
    """The folders of sessions: a request for a new one tells it, and its answer tells the id.

    Where a capture tells how sessions are opened, it tells it of all that it has from the start.
    """

    def __init__(self) -> None:
        self._tells = False
        """Whether the capture tells how a session was opened."""
        self._opened: Lately[str, None] = Lately(MOST_OVER)
        self._unnamed = 0
        """How many were asked for without an answer that tells their ids."""
        self._asked: Lately[Any, str] = Lately(MOST_OVER)
        self._told: Lately[str, str] = Lately(MOST_OVER)
        self._only: str | None = None
        """The folder of the one request without an answer: a capture may lack that direction."""

    def take(self, record: Any) -> None:
        """Take in a request that tells a folder, or the answer that tells whose it is."""
        self._mind(record)
        folder = name_at(record, "params", "cwd")
        if folder is not None and text_at(record, "method") in _OPENING:
            sid, ident = name_at(record, "params", "sessionId"), at(record, "id")
            if sid is not None:
                self._told.put(sid, folder)
            elif isinstance(ident, (int, str)):
                self._only = folder if not len(self._asked) else None
                self._asked.put(ident, folder)
        elif (sid := name_at(record, "result", "sessionId")) is not None:
            ident = at(record, "id")
            asked = self._asked.get(ident) if isinstance(ident, (int, str)) else None
            if asked is not None:
                self._told.put(sid, asked)
                self._only = None

    def _mind(self, record: Any) -> None:
        """Take in that a session is opened, or was."""
        opens = text_at(record, "method") in _OPENING
        named = name_at(record, "params" if opens else "result", "sessionId")
        self._tells = self._tells or opens or named is not None
        if named is not None:
            self._opened.put(named, None)
            self._unnamed -= self._unnamed > 0 and not opens
        elif opens:
            self._unnamed += 1

    def has_opened(self, sid: str) -> bool:
        """Whether a session was opened in the capture, as far as that tells it of any."""
        return not self._tells or self._unnamed > 0 or sid in self._opened

    def of(self, sid: str) -> str | None:
        """Return the folder of a session, None where nothing tells it."""
        return self._told.get(sid) or self._only


class _AcpReader:
    """One session of a log of the Agent Client Protocol."""

    def __init__(
        self,
        recording: Recording,
        folders: _Folders,
        editor: Editor,
        sid: str | None = None,
    ) -> None:
        self.build = Builder(recording.shown, ANYONES, of_anyone=True)
        self._folders = folders
        self._editor = editor
        self._runs_in: dict[str, str] = {}
        """The terminals that open calls run their commands in, by the uids of the calls."""
        self._sid = sid or recording.sid
        self.name = ""
        """The id of the session, once a record names it."""
        self._begun = False
        self._prompt_id: Any = None
        self._cancelled = False
        """Whether the user took the open prompt back: the agent gives its calls up."""
        self._step = 0
        self._after_result = True
        self._said: list[str] = []
        self._loading = False
        """Whether the agent tells an earlier session again, up to the next prompt."""
        self._by_kind: dict[str, dict[str, Any]] = {}
        """What was told of open calls that are known by their kind, by their ids."""

    def take(self, record: Any) -> None:
        """Take the next message of this session in: a prompt, its end, a mode or an update."""
        method = text_at(record, "method")
        if method == "session/prompt":
            self._prompt(record)
        elif method == "session/load":
            self._begin(name_at(record, "params", "sessionId"))
            self._loading = True
        elif method == "session/resume":
            self._begin(name_at(record, "params", "sessionId"))
            self.build.note("mid_chain_start", "the session goes on, and its begin is not told")
        elif method == "session/cancel":
            self._cancelled = True
        elif method == "session/set_mode":
            self._mode(text_at(record, "params", "modeId"))
        elif method == "session/update":
            self._update(at(record, "params", "update"))
        elif method == "" and self.is_answer(record):
            self._stop(record)

    def finish(self, *, empty: bool, damage: str | None) -> None:
        """End the session; `empty`: the file held no record, `damage`: why not all was read."""
        self.build.file_ended(empty=empty, damage=damage)
        self._begin(None)
        if self.build.in_turn:
            self.build.note("truncated_tail", "the file stops inside a turn")
            self.build.end_turn("unknown", by="inferred", judge=False)
        self.build.finish()

    def _begin(self, sid: str | None) -> None:
        if not self._begun:
            self._begun = True
            self.build.session(sid or self._sid, FORMAT, cwd=self._folders.of(self.name))
            if self.name and not self._folders.has_opened(self.name):
                self.build.note("mid_chain_start", "nothing tells that the session was opened")

    def _prompt(self, record: Any) -> None:
        self._begin(name_at(record, "params", "sessionId"))
        self._end_loaded()
        self._loading = False
        self._prompt_id, self._cancelled = at(record, "id"), False
        self._by_kind.clear()
        self._runs_in.clear()
        self._after_result = True
        self.build.start_turn(native=str(self._prompt_id))
        self.build.user(flat_text(list_at(record, "params", "prompt")))

    def _loaded_message(self, text: str) -> None:
        """Take what the user said in a turn that is told again."""
        if text.startswith(_HOST_TEXT):
            return
        self._end_loaded()
        self._after_result = True
        self.build.start_turn(by="inferred")
        self.build.user(text)

    def _end_loaded(self) -> None:
        """End a turn that was told again: how it ended is not, so nobody judges it."""
        if self._loading and self.build.in_turn:
            self._flush(final=True)
            if not self.build.quiet:
                self.build.end_turn("unknown", by="inferred", judge=False)

    @property
    def is_asked(self) -> bool:
        """Whether a prompt is open."""
        return self._prompt_id is not None

    def is_answer(self, record: Any) -> bool:
        """Whether a record answers the open prompt; both sides count their ids from 1."""
        same = self.is_asked and at(record, "id") == self._prompt_id
        return same and (at(record, "result", "stopReason") is not None or "error" in record)

    def _stop(self, record: Any) -> None:
        self._flush(final=True)
        reason = text_at(record, "result", "stopReason")
        self._prompt_id = None
        if reason == "cancelled":
            self.build.end_turn("interrupted", judge=False)
        elif reason == "end_turn":
            self.build.verdict("accept", {"stop": reason})
            # Of a turn in which nothing was said or done, nobody knows what is lost.
            self.build.end_turn("completed", judge=not self.build.quiet)
        else:
            error = name_at(record, "error", "message") or reason or None
            self.build.end_turn("failed", error=error, judge=reason in _LIMITS)

    def _update(self, update: Any) -> None:
        kind = text_at(update, "sessionUpdate")
        if kind == "tool_call":
            self._call(update)
        elif kind == "tool_call_update":
            self._call_update(update)
        elif kind == "agent_message_chunk":
            self._said.append(text_at(update, "content", "text"))
        elif kind == "user_message_chunk":
            if self._loading:
                self._loaded_message(text_at(update, "content", "text"))
        elif kind == "current_mode_update":
            self._mode(text_at(update, "currentModeId"))
        elif not kind or "tool" in kind or "call" in kind:
            self.build.note("bad_line", f"an update of kind {kind!r} is not read")
        elif kind not in _SKIPPED:
            self.build.count("unknown_record", f"an update of kind {kind!r} is not read")

    def _mode(self, mode: str) -> None:
        if self._begun and mode:
            self.build.host(PLAN_MODE, {"on": mode == "plan"})

    def _flush(self, *, final: bool = False) -> None:
        """Tell the model's text so far, and begin a new response after results."""
        if self._said or self._after_result:
            if self._said or not final:
                self._step += 1
                text = "".join(self._said)
                self.build.assistant(text, step=f"s{self._step}", final=final)
            self._said.clear()
            self._after_result = False

    def _call(self, update: Any) -> None:
        native = text_at(update, "toolCallId")
        host = native.startswith("host-")
        uid = self.build.find(native) if native else None
        if uid is not None and self._is_told_again(uid, update):
            return
        self._begin(None)
        if not host:
            self._flush()
        name = name_of(update)
        known_by_kind = by_kind(name, update)
        if known_by_kind:
            self._by_kind[native] = dict(update)
        uid = self.build.call(
            native,
            name,
            at(update, "rawInput"),
            step=f"s{self._step}",
            origin="host" if host else "model",
            role=role_by_kind(update) if known_by_kind else None,
        )
        self._mind_terminal(uid, update)
        # A call that is told again has its last state at once, and its result in an update.
        if not self._loading and text_at(update, "status") in ("completed", "failed"):
            self._call_update(update)

    def _is_told_again(self, uid: str, update: Any) -> bool:
        """Whether an open call is told once more; another call may have the same id.

        Some agents tell a call before its arguments are whole.
        """
        call, args = self.build.opened(uid), at(update, "rawInput")
        if name_of(update) not in ("", call.name):
            return False
        if args and call.args and args != call.args:
            return False
        self._say_more(uid, update)
        return True

    def _say_more(self, uid: str, update: Any) -> None:
        """Take in what an open call was told without: its arguments, the files it is about."""
        call, args = self.build.opened(uid), at(update, "rawInput")
        told = self._by_kind.get(call.native_id or "")
        if told is not None:
            told |= {key: update[key] for key in _OF_A_CALL if update.get(key)}
            self.build.given(uid, told.get("rawInput") or call.args, role_by_kind(told))
        elif args and not call.args:
            self.build.given(uid, args)

    def _mind_terminal(self, uid: str, update: Any) -> None:
        """Take in that the command of an open call runs in a terminal of the editor."""
        terminal = terminal_in(update)
        if terminal is not None:
            self._runs_in[uid] = terminal
            self._editor.is_of_a_call(terminal)

    def _call_update(self, update: Any) -> None:
        native = text_at(update, "toolCallId")
        uid = self.build.find(native)
        if uid is not None:
            self._say_more(uid, update)
            self._mind_terminal(uid, update)
        status = text_at(update, "status")
        if status not in ("completed", "failed"):
            return
        text, ended = text_of(update), exit_of(update)
        runs = uid is not None and self.build.opened(uid).target == "bash"
        terminal = self._runs_in.pop(uid or "", None)
        if terminal is not None:
            text = text or self._editor.said(terminal)
            ended = ended or self._editor.ended(terminal) or UNKNOWN
        elif runs:
            ended = ended or self._editor.doubt(self.name)
        refused = self._editor.refused(native)
        grade = by_state(status)
        if status == "failed":
            message = first_line(text)
            outcome = "blocked" if refused else of_failure(message)
            if outcome == "error" and self._cancelled:
                outcome = "cancelled"
            grade = Grade(outcome, "state", None, message)
        elif text.startswith(BACKGROUND):
            grade = Grade("running", "state")
        elif ended is not None:
            grade = ended
        elif runs and (frame := by_frame(text)) is not None and frame.outcome != "ok":
            grade = frame
        self._after_result = self._after_result or not native.startswith("host-")
        truncated = cut_of(text)
        told = self._by_kind.pop(native, None)
        if told is not None and runs_untold(told):
            self.build.note("unknown_record", NOT_TOLD)
        self.build.result(native, grade, strip_trailers(text), truncated=truncated)
