"""Claude Code session files: one record a line, a response spread over several of them.

File order is the order; timestamps go back in real files. Side chains are sub-agents: inline in
older files, in files of their own in newer ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.lately import Lately
from reasonix_conformance.readers.lines import Broken
from reasonix_conformance.readers.messages import flat_text
from reasonix_conformance.readers.outcomes import Grade, by_envelope, first_line
from reasonix_conformance.readers.recording import (
    Recording,
    at,
    list_at,
    name_at,
    text_at,
)
from reasonix_conformance.readers.roles import CLAUDE
from reasonix_conformance.readers.sources import ReadError
from reasonix_runtime.trace.events import MAIN, Event, Outcome

FORMAT = "claude-code"
MOST_REMEMBERED = 1 << 15
"""How many records are surely remembered by their ids.

A session that is resumed repeats its history. What is given up for memory that does not grow with
the file: of a history of more records than these, some ten times the longest that was seen, the
repetition is told as further turns; its calls are then counted as calls whose ids are used again.
"""

_SKIPPED = frozenset({"progress", "file-history-snapshot", "queue-operation", "summary"})
_AGENT = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_DELEGATES = frozenset({"Task", "Agent"})
_INTERRUPTED = "[Request interrupted by user"
# First words of error results that tell more than that the call failed.
_FAILURES: tuple[tuple[tuple[str, ...], Outcome], ...] = (
    (("<tool_use_error>",), "not_run"),
    (
        (
            "The user doesn't want to ",
            "Permission to use ",
            "Claude requested permissions to ",
            "PreToolUse:",
            "Hook PreToolUse:",
        ),
        "blocked",
    ),
    ((_INTERRUPTED, "Command timed out after "), "cancelled"),
)
# Wrappers of texts that the program puts into user records by itself.
_HOST_TEXT = (
    "<command-", "<local-command-", "<bash-", "<task-notification>", "<system-reminder>",
    "<ide_", "<user-memory-input>", "Caveat: ",
)  # fmt: skip


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
    reader.finish(number, recording.damage)
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
        self._recording = recording
        self._sides: Lately[str, str] = Lately(MOST_REMEMBERED)
        """Scopes of the side chains of the open turn, by the id of their records."""
        self._chains: dict[str, str] = {}
        """The same scopes by the open call that started each."""
        self._inside: str | None = None
        self._seen: Lately[int, None] = Lately(MOST_REMEMBERED)
        self._failed = False
        self._children: set[str] = set()

    def take(self, record: Any) -> Iterator[Event]:
        """Take a record in; what a sub-agent did whose file it names is given as it is read."""
        kind = text_at(record, "type")
        if kind in _SKIPPED or self._again(text_at(record, "uuid")):
            return
        self._begin(record)
        self._clock(text_at(record, "timestamp"))
        scope = self._scope(record)
        if kind == "assistant":
            self._assistant(record, scope)
        elif kind == "user":
            yield from self._user(record, scope)
        elif kind == "system":
            self._system(record)
        else:
            self.build.count("unknown_record", f"a record of type {kind!r} is not read")

    def _again(self, uuid: str) -> bool:
        """Whether a record was met before: a session that is resumed may repeat its history."""
        if not uuid:
            return False
        key = hash((self._inside, uuid))
        if key in self._seen:
            self.build.count("duplicate_result", "a record stands here again and is left out")
            return True
        self._seen.put(key, None)
        return False

    def finish(self, records: int, damage: str | None) -> None:
        """End the session after so many records; `damage` says why not all of the file was read."""
        self.build.file_ended(empty=records == 0, damage=damage)
        self._begin({})
        for path in sorted(self._folder.glob("agent-*.jsonl")):
            if path.stem.removeprefix("agent-") not in self._children:
                self.build.note("missing_child", f"no call here started the agent of {path.name}")
        self._end()
        self.build.finish()

    @property
    def _folder(self) -> Path:
        """Where the files of sub-agents lie."""
        return self._recording.path.with_suffix("") / "subagents"

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
        if self._inside is not None:
            return self._inside
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
            self._chains[parent] = self.build.child(name, parent, kind=kind or None)
        return self._chains[parent]

    def _end(self, *, interrupted: bool = False) -> None:
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
        else:
            self.build.end_turn("unknown", by="inferred", judge=False)

    def _assistant(self, record: Any, scope: str) -> None:
        message = at(record, "message")
        response = name_at(message, "id") or text_at(record, "uuid")
        blocks = list_at(message, "content")
        text = flat_text(at(message, "content"))
        calls = [block for block in blocks if text_at(block, "type") == "tool_use"]
        if response != self._response or text:
            self.build.assistant(text, step=response, scope=scope, final=not calls)
            self._response = response
        for block in calls:
            self.build.call(
                text_at(block, "id"),
                text_at(block, "name"),
                at(block, "input"),
                step=response,
                scope=scope,
            )
        if scope == MAIN and (calls or text):
            self._answered = not calls
            self._failed = at(record, "isApiErrorMessage") is True

    def _user(self, record: Any, scope: str) -> Iterator[Event]:
        content = at(record, "message", "content")
        results = [b for b in list_at(record, "message", "content") if _is_result(b)]
        for block in results:
            yield from self._result(block, record, scope)
        if results:
            self._answered = False
            return
        text, own = flat_text(content), _typed(content)
        host = at(record, "isMeta") is True or at(record, "isCompactSummary") is True
        if at(record, "isCompactSummary") is True:
            self.build.compaction("summary")
        if scope != MAIN:
            self.build.user(text, origin="parent")
        elif text.startswith(_INTERRUPTED):
            self.build.user(text, origin="host")
            self._end(interrupted=True)
        elif host or (text and not own):
            self.build.user(text, origin="host")
        elif own:
            self._end()
            self.build.start_turn(by="inferred", native=name_at(record, "uuid"))
            self.build.user(own, raw=None if own == text else text)
            self._answered = self._failed = False

    def _result(self, block: Any, record: Any, scope: str) -> Iterator[Event]:
        text = flat_text(at(block, "content"))
        agent = name_at(record, "toolUseResult", "agentId")
        if agent is not None and scope == MAIN:
            yield from self._read_child(agent, text_at(block, "tool_use_id"))
        grade = _grade(block, text, at(record, "toolUseResult"))
        uid = self.build.result(text_at(block, "tool_use_id"), grade, text, scope=scope)
        if uid is not None:
            self._chains.pop(uid, None)

    def _read_child(self, agent: str, native: str) -> Iterator[Event]:
        """Tell what a sub-agent did whose records are in a file of their own."""
        parent = self.build.find(native)
        if parent is None or self._inside is not None or not _AGENT.match(agent):
            return
        if parent in self._chains:
            return
        self._children.add(agent)
        name = f"agent-{agent}.jsonl"
        path = self._folder / name
        if not path.is_file():
            # Older versions put it beside the session.
            path = self._recording.path.with_name(name)
        kind = text_at(self.build.opened(parent).args, "subagent_type")
        if not path.is_file():
            self.build.note("missing_child", f"what the sub-agent {agent} did is not here")
            return
        scope = self._inside = self.build.child(agent, parent, kind=kind or None)
        outer = self.build.file, self.build.line, self._answered
        self.build.file = str(path)
        try:
            child = Recording(path=path, shown=str(path), cap=self._recording.cap)
            for number, record in child.records():
                self.build.line = number
                if isinstance(record, Broken):
                    self.build.note("bad_line", record.text)
                else:
                    yield from self.take(record)
                yield from self.build.drain()
        except ReadError:
            self.build.note("missing_child", f"what the sub-agent {agent} did cannot be read")
        finally:
            self._inside = None
            self.build.file, self.build.line, self._answered = outer
        self.build.end_child(scope)

    def _system(self, record: Any) -> None:
        kind = text_at(record, "subtype")
        if kind == "compact_boundary":
            self.build.compaction(name_at(record, "compactMetadata", "trigger"))
        elif kind == "turn_duration" and self._answered:
            self._end()


def _typed(content: Any) -> str:
    """Return what the user wrote: the text without the parts that the program puts in."""
    parts = content if isinstance(content, list) else [content]
    texts = [flat_text([part]) for part in parts]
    return "".join(text for text in texts if not text.startswith(_HOST_TEXT))


def _is_result(block: Any) -> bool:
    return text_at(block, "type") == "tool_result"


def _grade(block: Any, text: str, extra: Any) -> Grade:
    """Grade a result: the error flag, then what the program adds in `toolUseResult`."""
    if at(block, "is_error") not in (None, False):
        for words, outcome in _FAILURES:
            if text.startswith(words):
                return Grade(outcome, "flag", None, first_line(text))
        envelope = by_envelope(text)
        code = envelope.exit_code if envelope is not None else None
        return Grade("error", "flag", code, first_line(text))
    if at(extra, "interrupted") is True:
        return Grade("cancelled", "flag")
    if name_at(extra, "backgroundTaskId") or at(extra, "isAsync") is True:
        return Grade("running", "state")
    return Grade("ok", "absence")
