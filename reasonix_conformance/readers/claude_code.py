"""Claude Code session files: one record a line, a response spread over several of them.

File order is the order; timestamps go back in real files. Side chains are sub-agents: inline in
older files, in files of their own in newer ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.claude_children import Children, is_last
from reasonix_conformance.readers.claude_jobs import Jobs
from reasonix_conformance.readers.claude_results import INTERRUPTED, given, goes_on, grade
from reasonix_conformance.readers.lately import Lately
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.recording import (
    Recording,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_conformance.readers.roles import CLAUDE
from reasonix_conformance.readers.sources import ReadError
from reasonix_runtime.trace.events import MAIN, Event, ToolCall

FORMAT = "claude-code"
MOST_REMEMBERED = 1 << 15
"""How many records are surely remembered by their ids.

A session that is resumed repeats its history. What is given up for memory that does not grow with
the file: of a history of more records than these, some ten times the longest that was seen, the
repetition is told as further turns; its calls are then counted as calls whose ids are used again.
"""
DEEPEST = 16
"""How many sub-agents may stand inside each other."""
MOST_EARLY = 64
"""How many results may wait for their calls; some versions write them the wrong way round."""

# What the program notes for itself about a session: nothing of it was said or done.
_SKIPPED = frozenset(
    {
        "agent-color", "agent-name", "agent-setting", "ai-title", "api-request",
        "api-request-blob", "api-request-resumed", "api-request-shape",
        "artifact-autoreact-ledger", "atis-latch", "bridge-session", "content-replacement",
        "cost-state", "custom-title", "dev-mods", "file-history-snapshot", "frame-link",
        "history-suppression", "host-row", "hybrid-organization", "isolation-latch", "last-prompt",
        "mode", "permission-mode", "pr-link", "queue-operation", "relocated", "resume-head-vouch",
        "session-owner", "summary", "tag", "tools-used", "worktree-state",
    }
)  # fmt: skip
_DELEGATES = frozenset({"Task", "Agent"})
# What the model is shown beside the conversation; of it, what ends a turn that goes on.
_STOPS = frozenset({"hook_stopped_continuation", "max_turns_reached"})
_CUT = ("max_tokens", "model_context_window_exceeded", "refusal")
"""Why the provider ended a response before the model did."""
_SYNTHETIC = "<synthetic>"
"""The model of a response that the program wrote itself."""
_UNPARSED = "__unparsedToolInput"
"""The one argument of a call whose arguments were no JSON; `raw` in it is their text."""
# Wrappers of texts that the program puts into user records by itself.
_HOST_TEXT = (
    "<command-", "<local-command-", "<bash-", "<task-notification>", "<system-reminder>",
    "<ide_", "<user-memory-input>", "Caveat: ",
)  # fmt: skip
_OF_HOOK = re.compile(r"<[a-z-]+-hook>|\w+ (?:operation|hook) feedback:\n")
"""What a hook has to say: about a prompt, a call, or the end of a turn."""
_COMMAND = ("<command-name>", "<command-message>")
"""What a record begins with that tells of a command that the user gave in place of a prompt."""


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a session file."""
    reader = _ClaudeReader(recording)
    number = 0
    for number, record in recording.records():
        reader.build.line = number
        if isinstance(record, Broken):
            reader.build.note(record.code, record.text)
        else:
            yield from reader.take(record)
        yield from reader.build.drain()
    yield from reader.finish(number, recording.damage)
    yield from reader.build.drain()


class _ClaudeReader:
    """One session file, and the files of its sub-agents as their calls are answered."""

    def __init__(self, recording: Recording) -> None:
        self.build = Builder(recording.shown, CLAUDE)
        self._sid = recording.sid
        self._begun = False
        self._answered = False
        self._response: str | None = None
        self._latest = ""
        self._children = Children(recording)
        self._jobs = Jobs(self.build)
        self._sides: Lately[str, str] = Lately(MOST_REMEMBERED)
        """Scopes of the side chains of the open turn, by the id of their records."""
        self._chains: dict[str, str] = {}
        """The same scopes by the open call that started each."""
        self._inside: list[str] = []
        """The scopes whose files are being read, the innermost last."""
        self._seen: Lately[int, None] = Lately(MOST_REMEMBERED)
        self._failed = self._stopped = False
        self._early: dict[tuple[str, str], tuple[Any, Any, int | None]] = {}
        """Results that stand before their calls: block, record and line, by scope and id."""

    def take(self, record: Any) -> Iterator[Event]:
        """Take a record in; what a sub-agent did whose file it names is given as it is read."""
        kind = text_at(record, "type")
        if kind in _SKIPPED:
            self._noted(record)
            return
        self._begin(record)
        if kind == "progress" or self._again(text_at(record, "uuid")):
            return
        scope = self._scope(record)
        if kind == "attachment":
            self._attached(at(record, "attachment"), scope)
            return
        if scope == MAIN:
            self._clock(text_at(record, "timestamp"))
        if kind == "assistant":
            yield from self._assistant(record, scope)
        elif kind == "user":
            yield from self._user(record, scope)
        elif kind == "system":
            yield from self._system(record)
        else:
            self.build.count("unknown_record", f"a record of type {kind!r} is not read")

    def _again(self, uuid: str) -> bool:
        """Whether a record was met before: a session that is resumed may repeat its history."""
        if not uuid:
            return False
        key = hash((self._inside[-1] if self._inside else None, uuid))
        if key in self._seen:
            self.build.count("duplicate_result", "a record stands here again and is left out")
            return True
        self._seen.put(key, None)
        return False

    def finish(self, records: int, damage: str | None) -> Iterator[Event]:
        """End the session after so many records; `damage` says why not all of the file was read."""
        self.build.file_ended(empty=records == 0, damage=damage)
        self._begin({})
        if self.build.in_turn:
            yield from self._tell_abandoned()
        for remark in self._children.left():
            self.build.note("missing_child", remark)
        yield from self._end()
        self.build.finish()

    def _begin(self, record: Any) -> None:
        if self._begun:
            return
        self._begun = True
        self.build.session(
            name_at(record, "sessionId") or self._sid,
            FORMAT,
            cwd=name_at(record, "cwd"),
            tool_version=name_at(record, "version"),
            started_at=name_at(record, "timestamp"),
        )
        parent = at(record, "parentUuid")
        if isinstance(parent, str) and parent and at(record, "isSidechain") is not True:
            self.build.note("mid_chain_start", "the file begins in the middle of a conversation")

    def _clock(self, stamp: str) -> None:
        if stamp and stamp < self._latest:
            self.build.count("clock_disorder", "a record is older than one before it")
        self._latest = max(stamp, self._latest)

    def _scope(self, record: Any) -> str:
        """Return the scope of a record: the main conversation, or the sub-agent it belongs to."""
        if self._inside:
            return self._inside[-1]
        if at(record, "isSidechain") is not True:
            return MAIN
        scope = self._sides.get(text_at(record, "parentUuid"))
        if scope is None or not self.build.has_scope(scope):
            scope = self._open_side(record)
        self._sides.put(text_at(record, "uuid"), scope)
        return scope

    def _open_side(self, record: Any) -> str:
        """Open the scope of a side chain: that of the open call with its prompt, else the newest.

        In a file of one sub-agent alone its conversation is the main one.
        """
        prompt = flat_text(at(record, "message", "content"))
        parent = self.build.newest(_DELEGATES, prompt=prompt) or self.build.newest(_DELEGATES)
        if parent is None:
            return MAIN
        if parent not in self._chains:
            kind = text_at(self.build.opened(parent).args, "subagent_type")
            name = name_at(record, "agentId") or "side"
            told = self.build.child(name, parent, kind=kind or None, background=False)
            self._chains[parent] = told
        return self._chains[parent]

    # -- turns

    def _end(self, *, interrupted: bool = False) -> Iterator[Event]:
        yield from self._tell_early(MAIN)
        if self.build.in_turn:
            yield from self._tell_abandoned()
        self._sides = Lately(MOST_REMEMBERED)
        self._chains.clear()
        if not self.build.in_turn:
            return
        if interrupted:
            self.build.end_turn("interrupted", by="inferred", judge=False)
        elif self._failed:
            self.build.end_turn("failed", by="inferred", judge=False)
        elif self._answered:
            self.build.end_turn("completed", by="inferred")
        elif self._stopped:
            self.build.end_turn("interrupted", by="inferred", judge=False)
        else:
            self.build.end_turn("unknown", by="inferred", judge=False)

    def _noted(self, record: Any) -> None:
        """Take in what the program noted for itself: of that, the end of a job is news."""
        if text_at(record, "type") == "queue-operation":
            self._jobs.news(text_at(record, "content"))

    def _attached(self, attachment: Any, scope: str) -> None:
        """Take in what the model was shown beside the conversation."""
        kind = text_at(attachment, "type")
        if kind in _STOPS and scope == MAIN:
            self._stopped = True
        if kind != "queued_command":
            return
        text = flat_text(at(attachment, "prompt"))
        self._jobs.news(text)
        typed = text_at(attachment, "commandMode") == "prompt" and not _is_host_text(text)
        if scope == MAIN:
            self.build.user(text, origin="user" if typed and self.build.in_turn else "host")

    def _assistant(self, record: Any, scope: str) -> Iterator[Event]:
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
            if text_at(block, "type") == "tool_use":
                native, args = text_at(block, "id"), _arguments(at(block, "input"))
                name = text_at(block, "name")
                self.build.call(native, name, args, step=response, scope=scope)
                if (scope, native) in self._early:
                    yield from self._tell_early(scope, native)
        if scope == MAIN:
            self._may_end(failed, last, text, name_at(message, "stop_reason"))

    def _may_end(self, failed: bool, last: bool, text: str, stop: str | None) -> None:
        """Take in whether the model may have ended its turn with what it said.

        A response that was cut is no answer, and stands behind the word that it was cut.
        """
        if last and stop in _CUT:
            self._answered = False
        elif text or stop or not last:
            self._answered, self._failed = last, failed

    def _user(self, record: Any, scope: str) -> Iterator[Event]:
        content = at(record, "message", "content")
        results = [b for b in list_at(record, "message", "content") if _is_result(b)]
        for block in results:
            key = scope, text_at(block, "tool_use_id")
            waits = key not in self._early and len(self._early) < MOST_EARLY
            if waits and self.build.find(key[1], scope=scope) is None:
                self._early[key] = block, record, self.build.line
            else:
                yield from self._result(block, record, scope)
        if results:
            if scope == MAIN:
                self._answered = False
            return
        text, own = flat_text(content), _typed(content)
        host = at(record, "isMeta") is True or at(record, "isCompactSummary") is True
        if at(record, "isCompactSummary") is True:
            self.build.compaction("summary")
        if text.startswith("<task-notification>"):
            self._jobs.news(text)
        if scope != MAIN:
            self.build.user(text, origin="host" if host or not own else "parent")
        elif text.startswith(INTERRUPTED):
            self.build.user(text, origin="host")
            yield from self._end(interrupted=True)
        elif host or (text and not own):
            if text.startswith(_COMMAND) and self._answered:
                yield from self._end()
            self.build.user(text, origin="host")
        elif own:
            yield from self._end()
            self.build.start_turn(by="inferred", native=name_at(record, "uuid"))
            self.build.user(own, raw=None if own == text else text)
            self._answered = self._failed = self._stopped = False

    def _system(self, record: Any) -> Iterator[Event]:
        kind = text_at(record, "subtype")
        if kind == "compact_boundary":
            self.build.compaction(name_at(record, "compactMetadata", "trigger"))
        elif kind == "turn_duration" and self._answered:
            yield from self._end()

    # -- results and sub-agents

    def _tell_early(self, scope: str, native: str | None = None) -> Iterator[Event]:
        """Tell the result that waited for a call, or all of a scope whose calls did not come."""
        for key in [key for key in self._early if key[0] == scope and native in (None, key[1])]:
            block, record, line = self._early.pop(key)
            here, self.build.line = self.build.line, line
            yield from self._result(block, record, scope)
            self.build.line = here

    def _result(self, block: Any, record: Any, scope: str) -> Iterator[Event]:
        native, extra = text_at(block, "tool_use_id"), at(record, "toolUseResult")
        text = flat_text(at(block, "content"))
        found = grade(block, text, record)
        uid = self.build.find(native, scope=scope)
        if uid is not None and found.outcome not in ("blocked", "not_run"):
            yield from self._tell_children(self.build.opened(uid), extra)
        said, truncated = given(text, extra)
        self.build.result(native, found, said, scope=scope, truncated=truncated)
        if uid is None:
            return
        self._chains.pop(uid, None)
        if found.outcome == "running":
            self._jobs.started(uid, extra)
        else:
            self._jobs.asked(extra)

    def _tell_abandoned(self, scope: str = MAIN) -> Iterator[Event]:
        """Tell what the sub-agents did whose calls have no result."""
        for call in self.build.unanswered(scope):
            yield from self._tell_children(call, None)

    def _tell_children(self, call: ToolCall, extra: Any) -> Iterator[Event]:
        """Tell what the sub-agents of an open call did whose records are in files of their own."""
        if call.uid in self._chains:
            return
        named = name_at(extra, "agentId") or name_at(extra, "resumedAgentId")
        if named is not None:
            agents = [named]
        elif (run := name_at(extra, "runId")) is not None:
            agents = self._children.of_run(run)
        elif call.name in _DELEGATES:
            started = self._children.of_call(call.native_id or "", text_at(call.args, "prompt"))
            agents = [] if started is None else [started]
        else:
            return
        for agent in agents:
            yield from self._tell_child(agent, call, background=goes_on(extra))

    def _tell_child(self, agent: str, call: ToolCall, *, background: bool) -> Iterator[Event]:
        path = self._children.path(agent)
        if path is None or len(self._inside) == DEEPEST:
            self.build.note("missing_child", f"what the sub-agent {agent} did is not here")
            return
        kind = name_at(call.args, "subagent_type")
        scope = self.build.child(agent, call.uid, kind=kind, background=background)
        outer = self.build.file, self.build.line, self._response
        self._inside.append(scope)
        self.build.file = str(path)
        try:
            for number, record in self._children.records(agent, path):
                self.build.line = number
                if isinstance(record, Broken):
                    self.build.note("bad_line", record.text)
                else:
                    yield from self.take(record)
                yield from self.build.drain()
            yield from self._tell_early(scope)
            yield from self._tell_abandoned(scope)
        except ReadError:
            self.build.note("missing_child", f"what the sub-agent {agent} did cannot be read")
        finally:
            self._inside.pop()
            self.build.file, self.build.line, self._response = outer
        self.build.end_child(scope)


def _arguments(value: Any) -> Any:
    """Return the arguments of a call; those that were no JSON as the text that they were."""
    raw = at(value, _UNPARSED, "raw")
    return raw if isinstance(raw, str) and len(value) == 1 else value


def _typed(content: Any) -> str:
    """Return what the user wrote: the text without the parts that the program puts in."""
    parts = content if isinstance(content, list) else [content]
    texts = [flat_text([part]) for part in parts]
    return "".join(text for text in texts if not _is_host_text(text))


def _is_host_text(text: str) -> bool:
    return text.startswith(_HOST_TEXT) or _OF_HOOK.match(text) is not None


def _is_result(block: Any) -> bool:
    return text_at(block, "type") == "tool_result"
