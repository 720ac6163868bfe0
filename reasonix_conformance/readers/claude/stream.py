"""The output of a Claude Code run: `--output-format stream-json`, or all its messages as JSON.

The messages are those of a session file, in the order in which they were made, with less beside
them. A run begins with `system/init` and ends with `result`; one without a result was cut off. The
messages of a sub-agent name the call that started it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.claude.host_text import NOTICES, typed
from reasonix_conformance.readers.claude.jobs import miss_calls
from reasonix_conformance.readers.claude.places import Place
from reasonix_conformance.readers.claude.results import INTERRUPTED, calls_made
from reasonix_conformance.readers.claude.turns import ClaudeTurns, is_cut
from reasonix_conformance.readers.claude.words import may_hide_failure, told_by_words
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, is_int
from reasonix_conformance.readers.hosts.roles import CLAUDE
from reasonix_conformance.readers.model_apis.requests import records_of
from reasonix_runtime.trace.events import MAIN, Event, ToolCall, TurnStatus, scope_of

FORMAT = "claude-stream"
MOST_REMEMBERED = 1 << 12
"""How many calls and refusals are surely remembered by their ids."""

_OF_A_RUN = frozenset({"assistant", "result", "user"})
# What the program tells of itself while it runs: nothing of it was said or done.
_SKIPPED = frozenset(
    {
        "auth_status", "control_cancel_request", "control_request", "control_response",
        "conversation_reset", "keep_alive", "prompt_suggestion", "rate_limit_event",
        "stream_event", "tool_progress", "tool_use_summary",
    }
)  # fmt: skip
_LIMITS = frozenset({"error_max_budget_usd", "error_max_turns"})
"""Results of runs that were stopped on their way."""
_REASON = "terminal_reason"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of the output of one run, or of several."""
    session = _Session(Builder(recording.shown, CLAUDE), recording.sid)
    number = 0
    for number, record in records_of(recording):
        session.build.line = number
        if isinstance(record, Broken):
            session.build.note(record.code, record.text)
        else:
            if session.is_left_by(record):
                yield from session.end_here()
                session = _Session(session.build.successor(), recording.sid)
            yield from session.take(record)
        yield from session.build.drain()
    yield from session.finish(number, recording.damage)
    yield from session.build.drain()


class _Session(ClaudeTurns):
    """One session; the runs that go on with it are further turns."""

    def __init__(self, build: Builder, sid: str) -> None:
        super().__init__(build)
        self._sid = sid
        self._begun = False
        self._calls: Lately[str, str] = Lately(MOST_REMEMBERED)
        """The uids of calls by their ids: a sub-agent may go on when its call was answered."""
        self._agents: Lately[str, str] = Lately(MOST_REMEMBERED)
        """The scopes of sub-agents by the calls that started them."""
        self._tasks: dict[str, str] = {}
        """The calls that went on in the background by the ids of their jobs."""
        self._held: dict[str, tuple[str, str]] = {}
        """Scopes that have ended before what goes on inside them, with their jobs and how."""
        self._denied: Lately[str, None] = Lately(MOST_REMEMBERED)
        """The ids of calls that were kept from running."""
        self._place = Place(None)
        """Where the shell stands."""
        self._told_result: Any = None
        """A result that waits for what follows it: of several, the last one ends the turn."""
        self._resumes = False
        """Whether the run goes on, behind that result, for a job that has ended."""

    def is_left_by(self, record: Any) -> bool:
        """Whether a record is of another session than this one."""
        of_a_run = text_at(record, "type") in _OF_A_RUN or text_at(record, "subtype") == "init"
        return self._begun and of_a_run and text_at(record, "session_id") not in ("", self._sid)

    def end_here(self) -> Iterator[Event]:
        """End this session: the file goes on with another one."""
        self.build.count("several_sessions", "the output of several sessions is in one file")
        yield from self._close()
        yield from self._cut_off()
        self.build.finish()
        yield from self.build.drain()

    def finish(self, records: int, damage: str | None) -> Iterator[Event]:
        """End the last session; `damage` says why not all of the file was read."""
        yield from self._close()
        self.build.file_ended(empty=records == 0, damage=damage)
        self._begin({})
        if self.build.in_turn:
            self.build.note("truncated_tail", "the output stops before the result of the run")
        yield from self._cut_off()
        self.build.finish()

    def take(self, record: Any) -> Iterator[Event]:
        """Take the next record in."""
        kind = text_at(record, "type")
        if kind == "result":
            self._begin(record)
            self._told_result = record
        elif kind == "system":
            yield from self._system(record)
        elif kind in _OF_A_RUN:
            if self._resumes and kind == "assistant":
                self._told_result = None
            yield from self._close()
            self._begin(record)
            yield from self._spoken(record, kind)
        elif kind not in _SKIPPED:
            self.pass_over(record, kind)

    def _begin(self, record: Any) -> None:
        if self._begun:
            return
        self._begun = True
        self._sid = name_at(record, "session_id") or self._sid
        self.build.session(
            self._sid,
            FORMAT,
            cwd=name_at(record, "cwd"),
            model=name_at(record, "model"),
            tool_version=name_at(record, "claude_code_version"),
        )
        if text_at(record, "type") == "result":
            text = "of the run only its result is here; record it with stream-json output"
            self.build.note("mid_chain_start", text)
        elif text_at(record, "type") in _OF_A_RUN:
            self.build.note("mid_chain_start", "the output begins in the middle of a run")

    # -- turns

    def _system(self, record: Any) -> Iterator[Event]:
        kind = text_at(record, "subtype")
        if kind == "init":
            if not self._resumes:
                yield from self._close()
            self._begin(record)
            self._place = Place(name_at(record, "cwd"))
            if not self.answered:
                # The run before was killed. One that has answered goes on for a job that has ended.
                yield from self._cut_off()
        elif kind == "compact_boundary":
            self.build.compaction(name_at(record, "compact_metadata", "trigger"))
        elif kind == "permission_denied":
            self._denied.put(text_at(record, "tool_use_id"), None)
        elif kind == "task_notification" and at(record, "waiting_on_agents") is not True:
            yield from self._task_stands(record, text_at(record, "status"))
        elif kind == "task_updated":
            yield from self._task_stands(record, text_at(record, "patch", "status"))

    def _spoken(self, record: Any, kind: str) -> Iterator[Event]:
        scope = self._scope(record)
        if scope is None:
            return
        told = {
            "uuid": at(record, "uuid"),
            "cwd": self._place.of(scope),
            "message": at(record, "message"),
            "isApiErrorMessage": _is_error(record),
        }
        if kind == "assistant":
            self._open()
            yield from self.say(told, scope)
        elif self.heard(record):
            self._open()
            yield from self.answer(record, scope)
        else:
            yield from self._user(record, scope)

    def _user(self, record: Any, scope: str) -> Iterator[Event]:
        content = at(record, "message", "content")
        text, own = flat_text(content), typed(content)
        if text.startswith(NOTICES):
            self.jobs.news(text)
        if at(record, "isSynthetic") is True or not own:
            self.build.user(text, origin="host")
        elif scope != MAIN:
            self.build.user(text, origin="parent")
        elif text.startswith(INTERRUPTED):
            self.build.user(text, origin="host")
            yield from self.tell_early(MAIN)
            self.end(interrupted=True)
        elif self.build.in_turn and not self.answered:
            self.build.user(own, raw=None if own == text else text)  # what was typed meanwhile
        else:
            yield from self._cut_off()
            self.build.start_turn(native=name_at(record, "uuid"))
            self.prompted(text, own)

    def _open(self) -> None:
        """Begin a turn with the first thing that is done in it: prompts are seldom told."""
        if not self.build.in_turn:
            self.build.start_turn()
            self.answered = self.failed = self.stopped = False

    def _close(self) -> Iterator[Event]:
        """End the turn as the last result tells, if there is one."""
        result, self._told_result, self._resumes = self._told_result, None, False
        if result is None:
            return
        yield from self.tell_early(MAIN)
        kind, stop = text_at(result, "subtype"), name_at(result, "stop_reason")
        if at(result, "is_error") is True or kind != "success" or self.failed:
            status: TurnStatus = "interrupted" if kind in _LIMITS else "failed"
            self.build.end_turn(status, error=kind, judge=False)
        elif not is_cut(stop) and (self.answered or text_at(result, _REASON) == "completed"):
            self.build.end_turn("completed")
        else:
            self.build.end_turn("unknown", judge=False)

    def _cut_off(self) -> Iterator[Event]:
        """End a turn whose result is not told."""
        yield from self.tell_early(MAIN)
        self.build.end_turn("unknown", by="inferred", judge=False)

    # -- sub-agents and jobs

    def _scope(self, record: Any) -> str | None:
        """Return the scope of a record, None where the call that it names is not known."""
        parent = name_at(record, "parent_tool_use_id")
        if parent is None:
            return MAIN
        uid = self._calls.get(parent)
        if uid is None or not self.build.has_scope(scope_of(uid)):
            self.build.note("missing_child", "what started a sub-agent is not here, or has ended")
            return None
        scope = self._agents.get(uid)
        if scope is None or not self.build.has_scope(scope):
            self._open()
            agent, kind = name_at(record, "agent_id"), name_at(record, "subagent_type")
            goes_on = not self.build.is_open(uid)
            scope = self.build.child(agent or "agent", uid, kind=kind, background=goes_on)
            self._agents.put(uid, scope)
            self._place.starts(scope)
        return scope

    def called(self, uid: str, native: str) -> None:
        """Remember a call: messages of a sub-agent name it."""
        self._calls.put(native, uid)

    def tell_children(self, call: ToolCall, extra: Any) -> Iterator[Event]:
        """Say what is missing of a sub-agent whose call is answered: it is over."""
        scope = self._agents.get(call.uid)
        if scope is not None and self.build.has_scope(scope):
            yield from self._close_scope(scope)
            miss_calls(self.build, scope, self.build.calls_in(scope), calls_made(extra))

    def _close_scope(self, scope: str) -> Iterator[Event]:
        yield from self.tell_early(scope)
        if self.build.unanswered(scope):
            self.build.note("missing_child", "what came of a call of a sub-agent is not here")

    def _task_stands(self, record: Any, status: str) -> Iterator[Event]:
        """Take in how a job stands."""
        task = text_at(record, "task_id")
        if self.jobs.ends(task, status):
            self._count_calls(task, at(record, "usage", "tool_uses"))
            yield from self._end_task(task, status)
        self._resumes = self.answered and self._told_result is not None

    def _count_calls(self, task: str, made: Any) -> None:
        """Miss calls of a sub-agent in the background, of so many that it made."""
        scope = self._agents.get(self._tasks.get(task) or "")
        if scope is not None and self.build.has_scope(scope) and is_int(made):
            miss_calls(self.build, scope, self.build.calls_in(scope), made)

    def _end_task(self, task: str, status: str) -> Iterator[Event]:
        """End a job, and the sub-agent that it is: when all that goes on inside has ended."""
        uid = self._tasks.get(task) or ""
        scope = self._agents.get(uid)
        if scope is not None and self.build.has_scope(scope):
            inside = (job for job, inner in self._tasks.items() if scope_of(inner) == scope)
            if any(map(self.jobs.runs, inside)):
                self._held[scope] = task, status
                return
            yield from self._close_scope(scope)
            self.build.end_child(scope)
        self.jobs.stands(task, status)
        outer = self._held.pop(scope_of(uid), None) if uid else None
        if outer is not None:
            yield from self._end_task(*outer)

    # -- results

    def facts(self, block: Any, text: str, record: Any, call: ToolCall | None) -> Any:
        """Return what is told of a result under the names that it has in a session file."""
        native, extra = text_at(block, "tool_use_id"), at(record, "tool_use_result")
        told = (m for m in list_at(record, "tool_result_meta") if text_at(m, "id") == native)
        meta = next(told, None)
        denied, ended = name_at(meta, "non_execution_kind"), name_at(meta, "call_ended")
        if denied is None and native in self._denied:
            denied = "permission"
        if extra is None and call is not None:
            extra = told_by_words(text, call)
        job = name_at(extra, "agentId") or name_at(extra, "backgroundTaskId")
        if job is not None and call is not None:
            if len(self._tasks) == MOST_REMEMBERED:
                del self._tasks[next(iter(self._tasks))]
            self._tasks[job] = call.uid
        return {"toolUseResult": extra, "toolDenialKind": denied, "toolCallEnded": ended}

    def graded(self, found: Grade, text: str, record: Any, call: ToolCall | None) -> Grade:
        """Return the grade of a result: where no fact stands beside it, a failure may hide."""
        if found.outcome != "ok" or call is None:
            return found
        extra = at(record, "toolUseResult")
        if extra is None and may_hide_failure(text, call):
            return UNKNOWN
        if scope_of(call.uid) == MAIN:
            self._place.went_well(call, text, extra)
        return found


def _is_error(record: Any) -> bool:
    """Whether what the model seems to say is an error that the program tells."""
    return at(record, "is_api_error_message") is True or at(record, "error") is not None
