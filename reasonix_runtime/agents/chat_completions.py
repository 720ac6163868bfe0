"""A model behind an OpenAI-compatible endpoint for Chat Completions, over httpx.

The key comes from an environment variable that the settings name, and goes nowhere but into the
header of a request. An attempt is bounded in time and size; what may pass by itself (no connection,
too many requests, an overloaded server) is tried again a few times, as late as the provider asks.
"""

from __future__ import annotations

import email.utils
import ipaddress
import itertools
import time
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import ModuleType
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from reasonix_runtime.agents.chat_wire import answer_of, error_text, request_bytes
from reasonix_runtime.agents.errors import (
    MalformedError,
    ModelError,
    ModelSettingsError,
    StatusError,
    UnreachableError,
)
from reasonix_runtime.agents.model import Answer, Request, Wanted
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.masking import MASK

if TYPE_CHECKING:
    import httpx

DEFAULT_URL = "https://api.openai.com/v1"
DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"

MOST_BYTES = 16 * 1024 * 1024
"""Bytes of an answer that are read; a longer one is an error."""

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""States of a provider that may be over a moment later."""

_TOLD = 300
"""Characters of a provider's own words in a message of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """Where a model is and how patiently it is asked.

    `effort` is how hard the model is to think, empty for its own default. `key_variable` names the
    environment variable with the key, None for an endpoint without one. `timeout` bounds an attempt
    and `longest_wait` the pause before the next, in seconds; `attempts` is how often a request is
    sent at most.
    """

    model: str
    url: str = DEFAULT_URL
    key_variable: str | None = None
    effort: str = ""
    timeout: float = 300.0
    attempts: int = 4
    longest_wait: float = 60.0


def _ignore(_text: str) -> None:
    """Tell nobody."""


class _Key:
    """A key that no description shows."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return MASK


class ChatCompletions:
    """A model of a provider.

    Args:
        settings: where it is.
        environment: where the key is looked up.
        sleep: waits for a number of seconds.
        tell: is told why an answer is waited for once more.
        now: the time, for a provider that names a date to come back at.

    Raises:
        ModelSettingsError: the URL, the key or a package is not there or cannot be used.
    """

    def __init__(
        self,
        settings: ChatSettings,
        *,
        environment: Mapping[str, str],
        sleep: Callable[[float], None] = time.sleep,
        tell: Callable[[str], None] = _ignore,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._httpx = _httpx()
        self._settings = settings
        self._key = _key(settings, environment)
        _require_url(settings.url, secret=self._key is not None)
        self._sleep = sleep
        self._tell = tell
        self._now = now

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._settings.model

    def for_child(self, wanted: Wanted) -> ChatCompletions:
        """Return the same provider, with the model and effort that a child wants."""
        child = copy(self)
        child._settings = replace(
            self._settings,
            model=wanted.name or self._settings.model,
            effort=wanted.effort or self._settings.effort,
        )
        return child

    def answer(self, request: Request) -> Answer:
        """Ask the provider, again where that may help; raises ModelError."""
        if request.bounds is not None:
            return self._within(request.bounds.seconds)._ask(request)
        return self._ask(request)

    def _within(self, seconds: float) -> ChatCompletions:
        """Return the same provider, with less time for an answer."""
        hasty = copy(self)
        hasty._settings = replace(self._settings, timeout=min(seconds, self._settings.timeout))
        return hasty

    def _ask(self, request: Request) -> Answer:
        settings = self._settings
        body = request_bytes(request, model=settings.model, effort=settings.effort)
        for attempt in itertools.count(1):
            try:
                return self._answer(self._exchange(body))
            except (UnreachableError, StatusError) as error:
                pause = self._pause(error, attempt)
                if pause is None:
                    raise
                self._tell(f"{error}; asking again in {pause:g} s")
            self._sleep(pause)
        raise AssertionError("the attempts are counted without end")

    def _answer(self, data: bytes) -> Answer:
        """Read a good answer; what a provider says of an error in it may name the key."""
        try:
            return answer_of(data)
        except MalformedError as error:
            raise MalformedError(f"{self._settings.url}: {self._told(str(error))}") from None

    def _pause(self, error: UnreachableError | StatusError, attempt: int) -> float | None:
        """Return how long to wait before the next attempt; None where none would help."""
        if attempt >= self._settings.attempts:
            return None
        asked = None
        if isinstance(error, StatusError):
            if error.status not in _PASSING:
                return None
            asked = error.retry_after
        pause = 2.0 ** (attempt - 1) if asked is None else asked
        return pause if pause <= self._settings.longest_wait else None

    def _exchange(self, body: bytes) -> bytes:
        """Send a request and return the body of a good answer; raises ModelError."""
        httpx, settings = self._httpx, self._settings
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key.value}"
        limits = httpx.Timeout(settings.timeout, connect=min(10.0, settings.timeout))
        url = f"{settings.url.rstrip('/')}/chat/completions"
        try:
            with httpx.stream(
                "POST", url, content=body, headers=headers, timeout=limits
            ) as response:
                data = self._read(response)
        except httpx.TimeoutException:
            raise self._too_late() from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            why = self._told(str(error) or type(error).__name__)
            raise UnreachableError(f"{settings.url} cannot be reached: {why}") from None
        if not response.is_success:
            raise self._refused(response, data)
        return data

    def _read(self, response: httpx.Response) -> bytes:
        """Read a body; a server that sends it byte by byte has no longer than any other."""
        end = time.monotonic() + self._settings.timeout
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > MOST_BYTES:
                raise MalformedError(f"the answer is longer than {MOST_BYTES} bytes")
            if time.monotonic() > end:
                raise self._too_late()
        return bytes(data)

    def _too_late(self) -> UnreachableError:
        settings = self._settings
        return UnreachableError(f"{settings.url} gave no answer within {settings.timeout:g} s")

    def _refused(self, response: httpx.Response, data: bytes) -> ModelError:
        """Return the error of an answer that is none, with what the provider says of it."""
        says = error_text(data) or data.decode("utf-8", "replace") or response.reason_phrase
        told = f"{self._settings.url} answered {response.status_code}: {self._told(says)}"
        after = _seconds(response.headers.get("Retry-After"), self._now)
        if after is not None and after > self._settings.longest_wait:
            told = f"{told} (it asks to come back in {after:.0f} s)"
        return StatusError(told, status=response.status_code, retry_after=after)

    def _told(self, text: str) -> str:
        """Return a provider's words for a message: short, and never with the key in them."""
        if self._key is not None:
            text = text.replace(self._key.value, MASK)
        return shown(text, _TOLD)


def _httpx() -> ModuleType:
    try:
        import httpx
    except ImportError:
        raise ModelSettingsError(
            "a model of a provider needs httpx: pip install 'reasonix-conformance[host]'"
        ) from None
    return httpx


def _key(settings: ChatSettings, environment: Mapping[str, str]) -> _Key | None:
    name = settings.key_variable
    if name is None:
        return None
    key = environment.get(name, "").strip()
    if not key:
        raise ModelSettingsError(f"the variable {name} with the key of the provider is not set")
    if not (key.isascii() and key.isprintable()):
        raise ModelSettingsError(f"the variable {name} holds no key: a key is one line of ASCII")
    return _Key(key)


def _require_url(url: str, *, secret: bool) -> None:
    """Refuse what is no address of an endpoint, and one over which a key could be read."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ModelSettingsError(f"{shown(url)!r} is no URL of a provider, such as {DEFAULT_URL}")
    if secret and parts.scheme == "http" and not _is_own(parts.hostname):
        raise ModelSettingsError(
            f"{shown(url)} is not encrypted: a key goes over https, or stays on this machine"
        )


def _is_own(host: str) -> bool:
    """Whether a host is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _seconds(text: str | None, now: Callable[[], datetime]) -> float | None:
    """Return the seconds of a `Retry-After`, which names them or a date; None for neither."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        date = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (date - now()).total_seconds()) if date.tzinfo else None
