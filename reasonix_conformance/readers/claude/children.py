"""The files of a Claude Code session's sub-agents, and how much of each was told.

Newer versions keep them in `<session>/subagents/`, with a `.meta.json` that names the call, those
of a workflow, or of another sub-agent, in a folder below; older ones beside the session. A
sub-agent that is called again goes on in its file, so that a file is told in parts: up to each
order that follows an end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reasonix_conformance.readers.claude.host_text import is_summary
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.neighbours import (
    json_beside,
    neighbour,
    neighbours,
    unpacked,
)
from reasonix_conformance.readers.files.recording import Recording

_BEGIN, _END = "agent-", ".jsonl"
_FILES = f"{_BEGIN}*{_END}"
_RUNS = "workflows"
"""The folder of the runs of workflows: whose agents they are, the results of these say."""
_OF_PROGRAM = re.compile(
    r"a(?:agent_summary|auto_dream|away_summary|compact|extract_memories|prompt_suggestion"
    r"|reactive-compact|rename|session_memory|side_question|speculation)-[0-9a-f]+\Z"
)
"""The ids of conversations that the program has with itself, to sum up or to guess what comes."""


class Children:
    """The sub-agents of one session by the ids in the names of their files."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._session = unpacked(recording.path).stem
        self._root = recording.path.parent
        self._folder = self._root / self._session / "subagents"
        self._told: dict[str, int] = {}
        """How many records of a file were told."""
        self._said: dict[str, int] = {}
        """How many messages of a file were told, the order among them."""
        self._whole: set[str] = set()
        """The agents whose files were told to their end."""
        self._by_call: dict[str, str] | None = None
        """The agents by the ids, or the prompts, of the calls that started them."""

    def path(self, agent: str) -> Path | None:
        """Return the file of an agent, None where there is none.

        What a session copied from another one that it goes on from stands in the folder of that.
        """
        if not _is_name(agent):
            return None
        name = f"{_BEGIN}{agent}{_END}"
        own = neighbour(self._folder / name, root=self._root)
        found = own or neighbour(self._recording.path.with_name(name))
        if found is None:
            of_others = neighbours(self._root, f"*/subagents/**/{name}")
            found = next(iter(self._below(f"**/{name}") or of_others), None)
        return found

    def of_run(self, run: str) -> list[str]:
        """Return the agents of a run of a workflow."""
        if not _is_name(run):
            return []
        return [_agent_of(file) for file in self._below(f"{_RUNS}/{run}/{_FILES}")]

    def of_call(self, native: str, prompt: str) -> str | None:
        """Return the agent that a call started, as far as its own file tells, and if it is new."""
        if self._by_call is None:
            self._by_call = dict(self._callers())
        for key in (native, prompt):
            agent = self._by_call.get(key) if key else None
            if agent is not None and agent not in self._told:
                return agent
        return None

    def records(self, agent: str, path: Path) -> Iterator[tuple[int, Any]]:
        """Yield what was not told of an agent's file, up to the next order after an end.

        Raises:
            ReadError: the file cannot be read.
        """
        child = Recording.of_records(path, cap=self._recording.cap)
        told = self._told.setdefault(agent, 0)
        ended = False
        for number, record in child.records():
            if number <= told:
                continue
            if ended and is_order(record):
                return
            kind = text_at(record, "type")
            if kind in ("assistant", "user"):
                ended = kind == "assistant" and is_last(at(record, "message"))
                self._said[agent] = self._said.get(agent, 0) + 1
            self._told[agent] = number
            yield number, record
        self._whole.add(agent)

    def tells_nothing(self, agent: str) -> bool:
        """Whether of an agent no more than its order was told: whatever it did was cut off."""
        return self._said.get(agent, 0) < 2

    def left(self) -> Iterator[str]:
        """Yield a remark on each file of which something was not told."""
        for file in self._below(f"**/{_FILES}"):
            agent = _agent_of(file)
            if _OF_PROGRAM.match(agent):
                continue
            if agent not in self._told:
                yield f"no call here started the agent of {file.name}"
            elif agent not in self._whole:
                yield f"no call here started again the agent of {file.name}"

    def _below(self, pattern: str) -> list[Path]:
        return neighbours(self._folder, pattern, root=self._root)

    def _callers(self) -> Iterator[tuple[str, str]]:
        files = [file for file in self._below(f"**/{_FILES}") if _RUNS not in file.parts]
        older = [] if files else neighbours(self._root, _FILES)
        for file in files or older:
            agent = _agent_of(file)
            call = _caller(file)
            if call:
                yield call, agent
            elif (prompt := self._prompt(file)) is not None:
                yield prompt, agent

    def _prompt(self, file: Path) -> str | None:
        """Return what an agent of this session was asked first."""
        record = Recording(path=file).first_record()
        mine = text_at(record, "sessionId") == self._session
        if not mine or text_at(record, "type") != "user":
            return None
        return flat_text(at(record, "message", "content")) or None


def is_last(message: Any) -> bool:
    """Whether a record of the model's response may be the last of its turn: it calls nothing."""
    calls = any(text_at(b, "type") == "tool_use" for b in list_at(message, "content"))
    return not calls and text_at(message, "stop_reason") != "tool_use"


def is_order(record: Any) -> bool:
    """Whether a record of a sub-agent is what it was asked to do, and no result or host text."""
    if isinstance(record, Broken) or text_at(record, "type") != "user":
        return False
    if name_at(record, "origin", "kind") == "coordinator":
        return True
    blocks = list_at(record, "message", "content")
    text = flat_text(at(record, "message", "content"))
    if at(record, "isMeta") is True or is_summary(record, text):
        return False
    return not any(text_at(b, "type") == "tool_result" for b in blocks) and not text.startswith("<")


def _caller(file: Path) -> str | None:
    """Return the id of the call that started an agent, where its `.meta.json` names it."""
    return name_at(json_beside(unpacked(file).with_suffix(".meta.json")), "toolUseId")


def _agent_of(file: Path) -> str:
    return unpacked(file).name.removeprefix(_BEGIN).removesuffix(_END)


def _is_name(word: str) -> bool:
    """Whether a word of a record is safe to be a part of a file's name."""
    return 0 < len(word) <= 64 and word.replace("-", "").replace("_", "").isalnum()
