"""The rollouts of a Codex thread's sub-agents: found, told inside the thread, and how they ended.

Each is a thread of its own, in a file whose name ends in its id; its first record names the thread
that started it, and the answer of that start names it. It works beside the thread that started it,
so that it is told as a job in the background: what it did counts from its end on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.codex.outputs import text_of
from reasonix_conformance.readers.codex.retelling import retold
from reasonix_conformance.readers.files.json_values import at, json_in, name_at, text_at
from reasonix_conformance.readers.files.neighbours import neighbours
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.hosts.roles import DELEGATED
from reasonix_runtime.trace.events import Event, Outcome
from reasonix_runtime.trace.host_events import JOB_ENDED

SPAWN: Final = "spawn_agent"
"""The tool that starts a sub-agent."""
WAITS: Final = frozenset({"wait", "wait_agent"})
"""Tools whose output tells how sub-agents stand."""
CLOSES: Final = "close_agent"
"""The tool that ends a sub-agent."""
ORDERS: Final = frozenset({"send_input", "resume_agent"})
"""Tools that give a sub-agent more to do."""
NEWS: Final = "<subagent_notification>"
"""What a user item begins with that tells how a sub-agent stands."""
MOST_REMEMBERED: Final = 1 << 12
"""How many sub-agents are surely remembered by their ids."""

_ID_OF_CALL: Final = "id"
"""The argument of these tools that names a sub-agent; what starts one names it in its answer."""
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DAY = re.compile(r"\d\d")
_ENDS: Mapping[str, Outcome] = {
    "completed": "ok",
    "errored": "error",
    "interrupted": "cancelled",
    "shutdown": "cancelled",
}

Read = Callable[[Recording, int], Iterator[Event]]
"""Reads a rollout in which so many sub-agents may stand inside each other."""


def started(output: Any) -> str | None:
    """Return the thread that the answer of a start names."""
    found = name_at(json_in(text_of(output)), "agent_id")
    return found if found is not None and _ID.fullmatch(found) else None


def parent_of(path: Path) -> tuple[str, str] | None:
    """Return the thread of a rollout and the one that started it; None if no other one did.

    Of one that begins with the history of that other thread, nobody can say where its own begins.
    """
    first, second = (*Recording(path=path).first_records().split(b"\n", 2), b"")[:2]
    meta = at(json_in(first), "payload")
    forked = at(meta, "forked_from_id") is not None or at(meta, "history_base") is not None
    if forked or text_at(json_in(second), "type") == "session_meta":
        return None
    thread, parent = (
        text_at(meta, *place)
        for place in (("id",), ("source", "subagent", "thread_spawn", "parent_thread_id"))
    )
    return (thread, parent) if _ID.fullmatch(thread) and _ID.fullmatch(parent) else None


def file_of(thread: str, beside: Path) -> Path | None:
    """Return the rollout of a thread: in the folder of another one, or in that of another day."""
    name, folder = f"*-{thread}.jsonl", beside.parent
    found = neighbours(folder, name)
    if not found and _DAY.fullmatch(folder.name):
        found = neighbours(folder.parent, f"*/{name}")
    return found[0] if found else None


def starts(path: Path, thread: str) -> bool:
    """Whether a rollout holds the start of a thread, with its answer.

    Raises:
        ReadError: the file cannot be read.
    """
    calls: set[str] = set()
    for _, record in Recording.of_records(path).records():
        item = at(record, "payload")
        if text_at(item, "name") == SPAWN and not _forks(json_in(text_at(item, "arguments"))):
            calls.add(text_at(item, "call_id"))
        elif calls and text_at(item, "call_id") in calls and started(at(item, "output")) == thread:
            return True
    return False


class Children:
    """The sub-agents of one thread, by the ids of their threads."""

    def __init__(self, recording: Recording, levels: int) -> None:
        """Take the recording, and how many sub-agents may still stand inside each other."""
        self._recording = recording
        self._levels = levels
        self._uids: Lately[str, str | None] = Lately(MOST_REMEMBERED)
        """The call that started each of those that were told; None when it has ended."""

    def told(
        self, agent: str, uid: str, thread: str, build: Builder, read: Read
    ) -> Iterator[Event]:
        """Tell what a sub-agent did, inside the open call that started it, if it is at hand."""
        if not self._levels or agent in self._uids or _forks(build.opened(uid).args):
            return
        path = file_of(agent, self._recording.path)
        if path is None or parent_of(path) != (agent, thread):
            return
        child = Recording.of_records(
            path,
            cap=self._recording.cap,
            trusting=self._recording.trusting,
            talk=self._recording.talk,
        )
        self._uids.put(agent, uid)
        build.refresh(uid, read_only=None, target=DELEGATED)
        scope = build.child(agent, uid, background=True)
        silent = True
        try:
            for event in retold(read(child, self._levels - 1), scope):
                silent = False
                build.retell(event)
                yield from build.drain()
            if silent:
                build.note("missing_child", f"the rollout of the sub-agent {agent} tells nothing")
        except ReadError:
            build.note("missing_child", f"what the sub-agent {agent} did cannot be read")
        build.end_child(scope)

    def is_told(self, agent: str | None) -> bool:
        """Whether a sub-agent was told."""
        return agent is not None and agent in self._uids

    def standing(self, text: str, build: Builder) -> None:
        """Take in how sub-agents stand, as the output of a wait, or the program, tells it."""
        told = json_in(text.removeprefix(NEWS).partition("</")[0])
        status = at(told, "status")
        agent = name_at(told, "agent_id")
        stand = {agent: status} if agent is not None else status
        for ident, state in stand.items() if isinstance(stand, dict) else ():
            outcome = _ENDS.get(_word_of(state))
            if outcome is not None:
                self._end(ident, outcome, build)

    def closed(self, args: Any, text: str, build: Builder) -> None:
        """Take in that a sub-agent was closed; its output tells how it stood before."""
        outcome = _ENDS.get(_word_of(at(json_in(text), "status")), "cancelled")
        self._end(text_at(args, _ID_OF_CALL), outcome, build)

    def ordered(self, args: Any, build: Builder) -> None:
        """Take in that a sub-agent is given more to do: when it did what, nobody can say."""
        if self.is_told(name_at(args, _ID_OF_CALL)):
            build.note("missing_child", "when a sub-agent did what it was told later is not here")

    def _end(self, agent: str, outcome: Outcome, build: Builder) -> None:
        uid = self._uids.get(agent)
        if uid is not None:
            self._uids.put(agent, None)
            build.host(JOB_ENDED, {"uid": uid, "outcome": outcome})


def _forks(args: Any) -> bool:
    """Whether a sub-agent is started with the history of the thread that starts it."""
    return at(args, "fork_context") is True


def _word_of(state: Any) -> str:
    """Return the word of a status: alone, or in front of what a sub-agent said."""
    word = next(iter(state), None) if isinstance(state, dict) else state
    return word if isinstance(word, str) else ""
