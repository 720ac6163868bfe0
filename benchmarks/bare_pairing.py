"""What is left of a replay when everything but its floor is taken away: no event, no rule.

Lines that are UTF-8, decoded by a type that holds only ids, names, arguments and outcomes; equal
arguments told apart from new ones; each result bound to its call. The difference between this and
a replay is what events, diagnostics and gates cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from reasonix_conformance.readers.files.lines import Decoder, read_blocks

_NOTHING = msgspec.Raw(b"")


class _Event(msgspec.Struct, gc=False):
    ev: str = ""
    uid: str = ""
    name: str = ""
    args: msgspec.Raw = _NOTHING
    outcome: str = ""
    text: msgspec.Raw = _NOTHING


class _Tool(msgspec.Struct, gc=False):
    id: str = ""
    name: str = ""
    args: msgspec.Raw = _NOTHING
    output: msgspec.Raw = _NOTHING
    err: str | None = None
    partial: bool = False


class _Wire(msgspec.Struct, gc=False):
    kind: str = ""
    tool: _Tool | None = None


class _Function(msgspec.Struct, gc=False):
    id: str = ""
    name: str = ""
    arguments: msgspec.Raw = _NOTHING


class _Message(msgspec.Struct, gc=False):
    role: str = ""
    content: msgspec.Raw = _NOTHING
    tool_calls: list[_Function] = []
    tool_call_id: str = ""


class Pairs:
    """Calls, and those of them that were answered."""

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, bytes]] = {}
        self._known: dict[tuple[str, bytes], tuple[str, bytes]] = {}
        self.answered: list[tuple[str, bytes]] = []

    def neutral(self, path: Path) -> None:
        """Pair the calls of a neutral trace."""
        waiting, known, answered = self._waiting, self._known, self.answered
        for events in _blocks(path, _Event):
            for event in events:
                kind = event.ev
                if kind == "tool.call":
                    call = (event.name, bytes(event.args))
                    waiting[event.uid] = known.setdefault(call, call)
                elif kind == "tool.result" and event.uid in waiting:
                    answered.append(waiting.pop(event.uid))

    def stream(self, path: Path) -> None:
        """Pair the calls of a stream-json recording."""
        waiting, known, answered = self._waiting, self._known, self.answered
        for events in _blocks(path, _Wire):
            for event in events:
                kind, tool = event.kind, event.tool
                if kind == "tool_result":
                    if tool.id in waiting:
                        answered.append(waiting.pop(tool.id))
                elif kind == "tool_dispatch" and not tool.partial:
                    call = (tool.name, bytes(tool.args))
                    waiting[tool.id] = known.setdefault(call, call)

    def messages(self, path: Path) -> None:
        """Pair the calls of a message file."""
        waiting, known, answered = self._waiting, self._known, self.answered
        for messages in _blocks(path, _Message):
            for message in messages:
                if message.role == "tool":
                    if message.tool_call_id in waiting:
                        answered.append(waiting.pop(message.tool_call_id))
                    continue
                for told in message.tool_calls:
                    call = (told.name, bytes(told.arguments))
                    waiting[told.id] = known.setdefault(call, call)


def pairing(path: Path, form: str) -> Callable[[], None]:
    """Return what pairs the calls of a file of a form with their results."""
    return lambda: getattr(Pairs(), form)(path)


def _blocks(path: Path, kind: Any) -> Iterator[list[Any]]:
    records = Decoder[Any](kind).each
    with path.open("rb") as stream:
        yield from map(records, read_blocks(stream, path.name))
