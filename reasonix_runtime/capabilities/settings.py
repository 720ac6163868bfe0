"""How a server is configured: what is started or called, and what the user said of it."""

from __future__ import annotations

import hashlib
import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import unquote_plus, urlsplit

import msgspec

from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.gates.proxy.revalidation import START_SECONDS
from reasonix_runtime.masking import MASK, hidden, mask
from reasonix_runtime.masking.named import looks_random

CALL_SECONDS = 300.0
"""Seconds that a call of a tool may take where its server says nothing."""
SHORTEST_SECRET = 4
"""Values below that many characters occur in messages by chance."""


class ServerSettingsError(ReasonixError):
    """A file of server settings cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """One server: a `command` that speaks over its pipes, or the `url` of one that runs.

    `authorized` says that the user installed or approved it, `destructive` names tools that destroy
    although the server does not say so. `call_seconds` is the limit of one call, `tool_seconds`
    that of single tools, `start_seconds` that of a start. A `disabled` one is switched off until
    the session switches it on.
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
    disabled: bool = False

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
        """Return a message without words of values of variables and headers, or secrets of others.

        Arguments and addresses hold some, too; a server knows them, and may repeat them anywhere.
        """
        values = (*self.env.values(), *self.headers.values(), *_told_by(self.args, self.url))
        words = {word for word in " ".join(values).split() if len(word) >= SHORTEST_SECRET}
        for word in sorted(words, key=len, reverse=True):
            text = text.replace(word, MASK)
        return mask(text)

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


def _told_by(args: Sequence[str], url: str) -> Iterator[str]:
    """Yield the secrets in the arguments and the address of a server, decoded ones as well."""
    yield from hidden(json.dumps(args, ensure_ascii=False))
    yield from hidden(url)
    parts = urlsplit(url)
    yield from filter(looks_random, parts.path.split("/"))
    for pair in parts.query.split("&"):
        value = pair.partition("=")[2]
        yield from (value, unquote_plus(value))


class _Told(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str | None = None
    url: str = ""
    headers: dict[str, str] = {}
    type: Literal["stdio", "http", "streamable-http", "streamableHttp", ""] = ""
    disabled: bool = False

    def settings(self, *, authorized: bool) -> ServerSettings:
        """Return the settings; raises ServerSettingsError for keys that do not go together."""
        if bool(self.command) == bool(self.url):
            raise ServerSettingsError("needs either a command or a url")
        if self.type and (self.type == "stdio") != bool(self.command):
            raise ServerSettingsError(f"has the type {self.type} and no {self._wanted}")
        unused = [name for name in self._of_the_other if getattr(self, name)]
        if unused:
            raise ServerSettingsError(f"has a {self._own}, so {unused[0]} would do nothing")
        return ServerSettings(
            command=self.command,
            args=self.args,
            env=self.env,
            cwd=self.cwd,
            url=self.url,
            headers=self.headers,
            authorized=authorized,
            disabled=self.disabled,
        )

    @property
    def _own(self) -> str:
        return "command" if self.command else "url"

    @property
    def _wanted(self) -> str:
        return "command" if self.type == "stdio" else "url"

    @property
    def _of_the_other(self) -> tuple[str, ...]:
        return ("headers",) if self.command else ("args", "env", "cwd")


class _File(msgspec.Struct, frozen=True):
    mcpServers: dict[str, msgspec.Raw]  # noqa: N815  # the name of the key in everybody's files


def read_servers(text: str | bytes, *, authorized: bool) -> dict[str, ServerSettings]:
    """Read the servers of an `mcpServers` file; who gave it says whether the user approved them.

    Raises:
        ServerSettingsError: it is no such file, or a server has neither command nor URL, or keys
            that mean nothing; nothing that was written is left out silently.
    """
    data = text.encode() if isinstance(text, str) else text
    try:
        told = msgspec.json.decode(data.removeprefix(BOM_UTF8), type=_File).mcpServers
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ServerSettingsError(f"no file of servers: {error}") from None
    found = {}
    for name, entry in told.items():
        try:
            server = msgspec.json.decode(entry, type=_Told)
            found[name] = server.settings(authorized=authorized)
        except (msgspec.MsgspecError, ServerSettingsError, RecursionError) as error:
            raise ServerSettingsError(f"the server {name} cannot be read: {error}") from None
    return found
