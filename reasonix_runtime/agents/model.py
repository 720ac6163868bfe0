"""What an agent asks a model, and what comes back, whatever provider is behind it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from reasonix_runtime.contract.entry import ContractEntry

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


class Finish(StrEnum):
    """Why a model stopped."""

    STOP = "stop"
    """It said what it wanted to say."""
    CALLS = "calls"
    """It wants the results of its calls."""
    CUT = "cut"
    """It reached the length that an answer may have."""
    WITHHELD = "withheld"
    """Its provider held the answer back."""
    OTHER = "other"
    """Anything else, or nobody told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call as the model wrote it: `arguments` is its text, JSON or not."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation.

    `calls` are those of an assistant's message; `answers` is the id of the call that a tool's
    message answers.
    """

    role: Role
    text: str
    calls: tuple[Call, ...] = ()
    answers: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How an answer is to be given where it is not for a conversation: how freely, how long."""

    temperature: float
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A conversation so far, and the tools that the model may call: entries in wire order.

    `bounds` are None in a conversation, where the provider's own hold.
    """

    messages: tuple[Message, ...]
    tools: tuple[ContractEntry, ...]
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One response: text, calls, or both; `tokens` is what it cost, 0 where nobody told."""

    text: str
    calls: tuple[Call, ...] = ()
    finish: Finish = Finish.STOP
    tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which model a child is to be run by.

    `call_id` is the call that starts it and `number` its place among the children of that call,
    from 0. `name` and `effort` are empty where those of its parent will do.
    """

    call_id: str
    number: int = 0
    name: str = ""
    effort: str = ""


class Model(Protocol):
    """Something that answers; `name` is what a record calls it."""

    @property
    def name(self) -> str:
        """The name of the model."""

    def answer(self, request: Request) -> Answer:
        """Return the next answer; raises ModelError where there is none to work with."""

    def for_child(self, wanted: Wanted) -> Model:
        """Return the model of a child; raises ModelError where there is none."""
