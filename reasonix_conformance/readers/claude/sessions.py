"""Claude Code session files: one record a line, a response spread over several of them.

File order is the order; timestamps go back in real files. Side chains are sub-agents: inline in
older files, in files of their own in newer ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.building.scopes import MOST_NESTED
from reasonix_conformance.readers.claude.branches import Branches
from reasonix_conformance.readers.claude.children import Children
from reasonix_conformance.readers.claude.host_text import NOTICES, is_host_text, is_summary, typed
from reasonix_conformance.readers.claude.jobs import miss_calls
from reasonix_conformance.readers.claude.results import INTERRUPTED, calls_made, goes_on
from reasonix_conformance.readers.claude.turns import DELEGATES, ClaudeTurns, results_in
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.hosts.roles import CLAUDE
from reasonix_runtime.trace.events import MAIN, Event, ToolCall

FORMAT = "claude-code"
MOST_REMEMBERED = 1 << 15
"""How many records are surely remembered by their ids.

A session that is resumed repeats its history. What is given up for memory that does not grow with
the file: of a history of more records than these, some ten times the longest that was seen, the
repetition is told as further turns; its calls are then counted as calls whose ids are used again.
"""

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
# What the model is shown beside the conversation; of it, what ends a turn that goes on.
_STOPS = frozenset({"hook_stopped_continuation", "max_turns_reached"})
_COMMAND = ("<command-name>", "<command-message>")
"""What a record begins with that tells of a command that the user gave in place of a prompt."""


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a session file, or of several that were put into one."""
    reader = _ClaudeReader(recording)
    number = 0
    for number, record in recording.records():
        reader.build.line = number
        if reader.is_left_by(record):
            yield from reader.end_here()
            reader = reader.successor()
        if isinstance(record, Broken):
            reader.build.note(record.code, record.text)
        else:
            yield from reader.take(record)
        yield from reader.build.drain()
    yield from reader.finish(number, recording.damage)
    yield from reader.build.drain()


class _ClaudeReader(ClaudeTurns):
    """One session file, and the files of its sub-agents as their calls are answered."""

    def __init__(
        self,
        recording: Recording,
        build: Builder | None = None,
        children: Children | None = None,
    ) -> None:
        """Take the file; `build` and `children` are those of a session before this one in it."""
        super().__init__(build or Builder(recording.shown, CLAUDE))
        self._recording = recording
        self._sid = recording.sid
        self._begun = False
        self._root = ""
        """The latest record that begins another session before its first prompt."""
        self._latest = ""
        self._children = children or Children(recording)
        self._sides: Lately[str, str] = Lately(MOST_REMEMBERED)
        """Scopes of the side chains of the open turn, by the id of their records."""
        self._chains: dict[str, str] = {}
        """The same scopes by the open call that started each."""
        self._inside: list[str] = []
        """The scopes whose files are being read, the innermost last."""
        self._seen: Lately[int, tuple[int, int]] = Lately(MOST_REMEMBERED)
        """The places of records, and what tells them from others, by their ids."""
        self._begins: Lately[str | None, None] = Lately(MOST_REMEMBERED)
        """The files of which a record was met, by their scopes: the first goes on from any."""
        self._branches = Branches()
        self._linked = False
        """Whether a record told which one it goes on from."""

    def is_left_by(self, record: Any) -> bool:
        """Whether a record is the first prompt of another session than this one.

        What goes on from a record of this one, or repeats it, is of a session that was resumed.
        """
        uuid, sid = text_at(record, "uuid"), text_at(record, "sessionId")
        if not self._begun or sid in ("", self._sid) or at(record, "isSidechain") is True:
            return False
        before = text_at(record, "parentUuid") or text_at(record, "logicalParentUuid")
        if not uuid or before not in ("", self._root) or hash((None, uuid)) in self._seen:
            return False
        if text_at(record, "type") != "user":
            self._root = uuid
            return False
        return True

    def end_here(self) -> Iterator[Event]:
        """End this session: the file goes on with another one."""
        self.build.count("several_sessions", "the records of several sessions stand in one file")
        yield from self._end()
        self.build.finish()

    def successor(self) -> _ClaudeReader:
        """Return the reader of the session that follows."""
        following = _ClaudeReader(self._recording, self.build.successor(), self._children)
        following._root = self._root
        return following

    def take(self, record: Any) -> Iterator[Event]:
        """Take a record in; what a sub-agent did whose file it names is given as it is read."""
        kind = text_at(record, "type")
        if kind in _SKIPPED:
            self._noted(record)
            if uuid := text_at(record, "uuid"):
                self._seen.put(self._key(uuid), (self._branches.place(), _mark(record)))
            return
        self._begin(record)
        if self._again(record) or kind == "progress":
            return
        scope = self._scope(record)
        if kind == "attachment":
            self._attached(at(record, "attachment"), scope)
            return
        if scope == MAIN:
            self._clock(text_at(record, "timestamp"))
        if kind == "assistant":
            self._linked = self._linked or bool(text_at(record, "parentUuid"))
            self._branches.answered(record, main=scope == MAIN)
            yield from self.say(record, scope)
        elif kind == "user":
            yield from self._user(record, scope)
        elif kind == "system":
            yield from self._system(record)
        else:
            self.pass_over(record, kind)

    def _again(self, record: Any) -> bool:
        """Whether a record was met before: a session that is resumed may repeat its history."""
        uuid = text_at(record, "uuid")
        if not uuid:
            return False
        key, mark = self._key(uuid), _mark(record)
        known = self._seen.get(key)
        if known is None:
            self._mind_order(record)
            self._seen.put(key, (self._branches.place(), mark))
            return False
        if known[1] == mark:
            self.build.count("duplicate_result", "a record stands here again and is left out")
        else:
            self.build.note("bad_line", "a record has the id of another one and is left out")
        return True

    def _mind_order(self, record: Any) -> None:
        """Say that what a record goes on from is lost, or stands in the wrong place.

        Some versions write a result before its call, which it is bound to all the same.
        """
        file = self._inside[-1] if self._inside else None
        before = text_at(record, "parentUuid")
        known = not before or file not in self._begins or self._key(before) in self._seen
        self._begins.put(file, None)
        if not known and not results_in(record):
            self.build.note("bad_line", "a record goes on from one that does not stand before it")

    def _key(self, uuid: str) -> int:
        """Return what a record is remembered by: its id, and whose file it stands in."""
        return hash((self._inside[-1] if self._inside else None, uuid))

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
        self._sid = name_at(record, "sessionId") or self._sid
        self.build.session(
            self._sid,
            FORMAT,
            cwd=name_at(record, "cwd"),
            tool_version=name_at(record, "version"),
            started_at=name_at(record, "timestamp"),
        )
        known = text_at(record, "parentUuid") in ("", self._root)
        if not known and at(record, "isSidechain") is not True:
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
        parent = self.build.newest(DELEGATES, prompt=prompt) or self.build.newest(DELEGATES)
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
        yield from self.tell_early(None)
        if self.build.in_turn:
            yield from self._tell_abandoned()
        self._sides = Lately(MOST_REMEMBERED)
        self._chains.clear()
        self.end(interrupted=interrupted)

    def _noted(self, record: Any) -> None:
        """Take in what the program noted for itself: of that, the end of a job is news."""
        if text_at(record, "type") == "queue-operation":
            self.jobs.news(text_at(record, "content"))

    def _attached(self, attachment: Any, scope: str) -> None:
        """Take in what the model was shown beside the conversation."""
        kind = text_at(attachment, "type")
        if kind in _STOPS and scope == MAIN:
            self.stopped = True
        if kind == "task_status":
            self.jobs.stands(text_at(attachment, "taskId"), text_at(attachment, "status"))
        if kind != "queued_command":
            return
        text = flat_text(at(attachment, "prompt"))
        self.jobs.news(text)
        mine = text_at(attachment, "commandMode") == "prompt" and not is_host_text(text)
        if scope == MAIN:
            self.build.user(text, origin="user" if mine and self.build.in_turn else "host")

    def _user(self, record: Any, scope: str) -> Iterator[Event]:
        if self.heard(record):
            yield from self.answer(record, scope)
            return
        content = at(record, "message", "content")
        text, own = flat_text(content), typed(content)
        summary = is_summary(record, text)
        host = summary or at(record, "isMeta") is True
        if summary:
            self.build.compaction("summary")
        if text.startswith(NOTICES):
            self.jobs.news(text)
        if scope != MAIN:
            self.build.user(text, origin="host" if host or not own else "parent")
        elif text.startswith(INTERRUPTED):
            self.build.user(text, origin="host")
            yield from self._end(interrupted=True)
        elif host or (text and not own):
            if text.startswith(_COMMAND) and self.answered:
                yield from self._end()
            self.build.user(text, origin="host")
        elif own:
            yield from self._end()
            before = self._place_before(record)
            if (remark := self._branches.left_at(before)) is not None:
                self.build.note("branch_dropped", remark)
            self.build.start_turn(by="inferred", native=name_at(record, "uuid"))
            self.prompted(text, own)

    def _place_before(self, record: Any) -> int | None:
        """Return the place of the record that a prompt goes on from, None where it is not known.

        One that goes on from none begins the conversation again, if others tell that they do.
        """
        before = text_at(record, "parentUuid") or text_at(record, "logicalParentUuid")
        if not before:
            return 0 if self._linked and "parentUuid" in record else None
        known = self._seen.get(hash((None, before)))
        return None if known is None else known[0]

    def _system(self, record: Any) -> Iterator[Event]:
        kind = text_at(record, "subtype")
        if kind == "compact_boundary":
            self.build.compaction(name_at(record, "compactMetadata", "trigger"))
        elif kind == "turn_duration" and self.answered:
            yield from self._end()

    # -- sub-agents

    def settled(self, uid: str) -> None:
        """Take in that a call was answered: no side chain goes on with it."""
        self._chains.pop(uid, None)

    def _tell_abandoned(self, scope: str = MAIN) -> Iterator[Event]:
        """Tell what the sub-agents did whose calls have no result."""
        for call in self.build.unanswered(scope):
            yield from self.tell_children(call, None)

    def tell_children(self, call: ToolCall, extra: Any) -> Iterator[Event]:
        """Tell what the sub-agents of an open call did whose records are in files of their own."""
        if call.uid in self._chains:
            return
        named = name_at(extra, "agentId") or name_at(extra, "resumedAgentId")
        if named is not None:
            agents = [named]
        elif (run := name_at(extra, "runId")) is not None:
            agents = self._children.of_run(run)
        elif call.name in DELEGATES:
            started = self._children.of_call(call.native_id or "", text_at(call.args, "prompt"))
            agents = [] if started is None else [started]
        else:
            return
        for agent in agents:
            yield from self._tell_child(agent, call, extra)

    def _tell_child(self, agent: str, call: ToolCall, extra: Any) -> Iterator[Event]:
        path = self._children.path(agent)
        if path is None or len(self._inside) == MOST_NESTED:
            self.build.note("missing_child", f"what the sub-agent {agent} did is not here")
            return
        kind = name_at(call.args, "subagent_type")
        scope = self.build.child(agent, call.uid, kind=kind, background=goes_on(extra))
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
            if self._children.tells_nothing(agent):
                self.build.note("missing_child", f"the file of the sub-agent {agent} tells nothing")
            self._count_calls(agent, scope, extra)
            yield from self.tell_early(scope)
            yield from self._tell_abandoned(scope)
        except ReadError:
            self.build.note("missing_child", f"what the sub-agent {agent} did cannot be read")
        finally:
            self._inside.pop()
            self.build.file, self.build.line, self._response = outer
        self.build.end_child(scope)

    def _count_calls(self, agent: str, scope: str, extra: Any) -> None:
        """Miss calls that a file has lost; of one in the background its end tells how many."""
        told = self.build.calls_in(scope)
        if goes_on(extra):
            self.jobs.tells(agent, told)
        else:
            miss_calls(self.build, agent, told, calls_made(extra))


def _mark(record: Any) -> int:
    """Return what a record and its repetition have in common, and two records have not."""
    blocks = list_at(record, "message", "content")
    acts = (text_at(block, "id") or text_at(block, "tool_use_id") for block in blocks)
    kinds = (text_at(block, "type") for block in blocks)
    said = text_at(record, "type"), text_at(record, "message", "id")
    return hash((said, tuple(acts), tuple(kinds)))
