"""Folding a part of a conversation into one summary, in the view that the model gets.

The stored history is not touched: what changes is the projection, and only if it is still the one
that the summary was made from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from reasonix_runtime.tools.errors import ToolError

Direction: TypeAlias = Literal["before", "after"]

SUMMARY_TAG = "compaction-summary"

ANCHOR_BYTES, FOCUS_BYTES = 512, 2000

_PREVIEW = 80
_PER_MESSAGE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the projection.

    `origin` tells who wrote a message of role `user`: the user, the host (steering and notes), or
    an earlier compression. `visible` is false for what is only shown to the user.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str
    origin: Literal["user", "host", "summary"] = "user"
    visible: bool = True

    @property
    def is_anchor(self) -> bool:
        """Whether an anchor may lie in it: written by the user, and seen by the model."""
        return self.role == "user" and self.origin == "user" and self.visible


class Conversation(Protocol):
    """The projection of a session, as its owner offers it to the tool."""

    def snapshot(self) -> tuple[int, Sequence[Message], int]:
        """Return a version, the messages, and the index where the active turn begins."""

    def replace(self, version: int, messages: Sequence[Message]) -> bool:
        """Put other messages in place if the version is still the same; tell whether it was."""


Summarise: TypeAlias = Callable[[Sequence[Message], str], str]
"""Makes the text of a summary from messages and what to keep above all; may raise ToolError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressor:
    """What a host binds to a call of `compress`: the conversation and who summarises."""

    conversation: Conversation
    summarise: Summarise


def compress(compressor: Compressor, *, direction: Direction, anchor: str, focus: str) -> str:
    """Fold what lies before or after the anchor's turn and return the result as JSON.

    Raises ToolError when the anchor is not in exactly one message of the user, when no summary
    could be made, and when the conversation changed meanwhile; nothing is changed then.
    """
    version, messages, active = compressor.conversation.snapshot()
    at = _find(messages, anchor)
    folded = _folded(messages, direction, at, active)
    source = sum(tokens(messages[index]) for index in folded)
    report = _Report(direction=direction, anchor=anchor, messages=len(folded), source=source)
    chosen = [messages[index] for index in folded]
    if not any(message.visible and message.origin != "summary" for message in chosen):
        return report.noop("nothing lies there that the model sees")
    text = compressor.summarise(chosen, focus).strip()
    if not text:
        raise ToolError("compress: the summary came back empty; nothing was changed")
    summary = Message(
        role="user", text=f"<{SUMMARY_TAG}>\n{text}\n</{SUMMARY_TAG}>", origin="summary"
    )
    if tokens(summary) >= source:
        return report.noop("the summary would not be shorter")
    if not compressor.conversation.replace(version, _projection(messages, folded, summary)):
        raise ToolError(
            "compress: conversation changed while compression was running; the result was "
            "discarded, try again"
        )
    return report.ok(tokens(summary))


def tokens(message: Message) -> int:
    """Return the estimated size of a message in tokens."""
    return _PER_MESSAGE + max(len(message.text), -(-len(message.text.encode()) // 4))


def _find(messages: Sequence[Message], anchor: str) -> int:
    found = [
        index
        for index, message in enumerate(messages)
        if message.is_anchor and anchor in message.text
    ]
    if not found:
        raise ToolError("anchor did not match any current user message")
    if len(found) > 1:
        raise ToolError(
            f"anchor matched {len(found)} user messages; give a longer excerpt of the one meant"
        )
    return found[0]


def _folded(messages: Sequence[Message], direction: Direction, at: int, active: int) -> list[int]:
    """Return the indices that are folded: the range, and earlier summaries if it holds any.

    The system message and the active turn always stay.
    """
    chosen = range(min(at, active)) if direction == "before" else range(at, active)
    inside = [index for index in chosen if messages[index].role != "system"]
    if not inside:
        return []
    summaries = [index for index in range(active) if messages[index].origin == "summary"]
    return sorted({*inside, *summaries})


def _projection(
    messages: Sequence[Message], folded: Sequence[int], summary: Message
) -> list[Message]:
    """Return the messages with the summary in the place of the first one folded."""
    gone = set(folded)
    kept = [message for index, message in enumerate(messages) if index not in gone]
    kept.insert(folded[0], summary)
    return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    direction: Direction
    anchor: str
    messages: int
    source: int

    def ok(self, projection: int) -> str:
        """Report what was folded, and how large the summary is."""
        return self._json("ok", projection, "")

    def noop(self, reason: str) -> str:
        """Report that nothing was changed, and why."""
        return self._json("noop", self.source, reason)

    def _json(self, status: str, projection: int, reason: str) -> str:
        anchor = self.anchor
        if len(anchor) > _PREVIEW:
            anchor = f"{anchor[: _PREVIEW - 3]}…"
        report = {
            "status": status,
            "direction": self.direction,
            "anchor": anchor,
            "messages": self.messages,
            "source_tokens": self.source,
            "projection_tokens": projection,
            "mode": "summarized",
            "reason": reason,
        }
        return json.dumps(report, ensure_ascii=False)
