"""How a server is configured: what is started or called, and what the user said of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.gates.proxy.revalidation import START_SECONDS

CALL_SECONDS = 300.0
SHORTEST_SECRET = 4
"""Values below that many characters occur in messages by chance."""


class ServerSettingsError(ReasonixError):
    """A file of server settings cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """One server: a `command` that speaks over its pipes, or the `url` of one that runs.

    `authorized` says that the user installed or approved it, `destructive` names tools that destroy
    although the server does not say so. `call_seconds` is the limit of one call, `tool_seconds`
    that of single tools, `start_seconds` that of a start.
    """

    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    authorized: bool = False
    destructive: tuple[str, ...] = ()
    call_seconds: float = CALL_SECONDS
    tool_seconds: Mapping[str, float] = field(default_factory=dict)
    start_seconds: float = START_SECONDS

    @property
    def kind(self) -> str:
        """Which transport it has."""
        return "http" if self.url else "stdio"

    @property
    def list_seconds(self) -> float:
        """The limit of asking a server what it offers: no more than a start may take."""
        return min(self.call_seconds, self.start_seconds)

    def same_connection(self, other: ServerSettings) -> bool:
        """Whether a client of one serves the other: values of variables and headers count."""
        return self._connection == other._connection

    def without_secrets(self, text: str) -> str:
        """Return a message without words of the values of variables and headers."""
        values = " ".join([*self.env.values(), *self.headers.values()])
        words = {word for word in values.split() if len(word) >= SHORTEST_SECRET}
        for word in sorted(words, key=len, reverse=True):
            text = text.replace(word, "…")
        return text

    @property
    def _connection(self) -> tuple[Any, ...]:
        variables, headers = dict(self.env), dict(self.headers)
        return (self.command, self.args, variables, self.cwd, self.url, headers)


def cache_key(name: str, settings: ServerSettings) -> str:
    """Return the key of a server's schemas: of its variables and headers the names alone."""
    parts = [
        name,
        settings.kind,
        settings.command,
        settings.url,
        settings.cwd or "",
        list(settings.args),
        sorted(settings.env),
        sorted(settings.headers),
    ]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


class _Told(msgspec.Struct, frozen=True):
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = {}


class _File(msgspec.Struct, frozen=True):
    mcpServers: dict[str, _Told]  # noqa: N815  # the name of the key in everybody's files


def read_servers(text: str | bytes, *, authorized: bool) -> dict[str, ServerSettings]:
    """Read the servers of an `mcpServers` file; who gave it says whether the user approved them.

    Raises:
        ServerSettingsError: it is no such file, or a server has neither command nor URL.
    """
    try:
        told = msgspec.json.decode(text, type=_File).mcpServers
    except msgspec.MsgspecError as error:
        raise ServerSettingsError(f"no file of servers: {error}") from None
    found = {}
    for name, server in told.items():
        if bool(server.command) == bool(server.url):
            raise ServerSettingsError(f"the server {name} needs either a command or a url")
        found[name] = ServerSettings(authorized=authorized, **msgspec.structs.asdict(server))
    return found
