"""What a connection needs of a conversation with a server, whatever carries it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from reasonix_runtime.errors import ReasonixError

if TYPE_CHECKING:
    from reasonix_runtime.capabilities.settings import ServerSettings
    from reasonix_runtime.gates.proxy.world import Flags


class CapabilityError(ReasonixError):
    """A server could not do what it was asked."""


class CallFailedError(CapabilityError):
    """The server refused a request; the connection holds."""


class ConnectionLostError(CapabilityError):
    """The server is gone; what it did with the request is not known."""


class CallTimeoutError(CapabilityError):
    """The server did not answer in time."""


class Answer(NamedTuple):
    """What a tool of a server answered; `failed` is the server's own word for it."""

    text: str
    failed: bool


class Session(Protocol):
    """One conversation with a server."""

    async def tools(self) -> dict[str, Flags]:
        """Return what the server reports now."""

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool; raises CapabilityError."""


class Opener(Protocol):
    """Starts a server, and ends it with the context."""

    def __call__(self, settings: ServerSettings, /) -> AbstractAsyncContextManager[Session]:
        """Return a context with the conversation."""
