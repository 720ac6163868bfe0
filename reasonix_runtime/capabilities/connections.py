"""The connections of a session: servers are started in its context and outlive the calls.

One thread runs all conversations. A call waits for a start as long as it may, and the start goes on
without it. What connected servers offer is a snapshot that is renewed before each call; their tools
are never registered. Front ends share the connections and have their own ledgers.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, TypeVar

from reasonix_runtime.capabilities.lock import CallLock
from reasonix_runtime.capabilities.schema_cache import SchemaCache
from reasonix_runtime.capabilities.session import (
    Answer,
    CallTimeoutError,
    CapabilityError,
    ConnectionLostError,
    Opener,
    Session,
)
from reasonix_runtime.capabilities.settings import ServerSettings, cache_key
from reasonix_runtime.gates.proxy.revalidation import WAIT_SECONDS
from reasonix_runtime.gates.proxy.world import SAME, Flags, Server

T = TypeVar("T")

Wait = Callable[["Future[Any]", float | None], bool]
"""Waits for a future at most so many seconds, None for its end, and says whether it is done."""


class Start(Enum):
    """What came of waiting for a start."""

    READY = "ready"
    SLOW = "slow"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Live:
    """A connected server: the settings it was started with, what it reports, how to end it."""

    settings: ServerSettings
    session: Session
    stop: asyncio.Event
    tools: dict[str, Flags]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Starting:
    """A start that goes on: the settings it was begun with, and what comes of it."""

    settings: ServerSettings
    result: Future[_Live] = field(default_factory=Future)


def wait_for(future: Future[Any], seconds: float | None) -> bool:
    """Wait by the clock; what was cancelled is done."""
    try:
        future.exception(seconds)
    except TimeoutError:
        return False
    except CancelledError:
        return True
    return True


class Connections:
    """The servers of a session by name; safe for calls from several threads.

    `opener` starts a server, `wait` is how a call waits for a start or an answer, `patience` how
    long for a start: None waits for what comes of it, where no later call could find it.
    """

    def __init__(
        self,
        servers: Mapping[str, ServerSettings],
        *,
        opener: Opener,
        cache: SchemaCache | None = None,
        wait: Wait = wait_for,
        patience: float | None = WAIT_SECONDS,
    ) -> None:
        self._settings = dict(servers)
        self._revisions: dict[str, int] = {}
        self._disabled = {name for name, given in servers.items() if given.disabled}
        self._opener = opener
        self._cache = cache
        self._wait = wait
        self._patience = patience
        self._live: dict[str, _Live] = {}
        self._starts: dict[str, _Starting] = {}
        self._failed: dict[str, str] = {}
        self._tasks: set[Future[None]] = set()
        self._lock = threading.Lock()
        self._calls = CallLock()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    # -- what there is -----------------------------------------------------------------------

    def servers(self) -> dict[str, Server]:
        """Return what is known of each server now, without asking any."""
        with self._lock:
            return {name: self._server(name, given) for name, given in self._settings.items()}

    def _server(self, name: str, given: ServerSettings) -> Server:
        live = self._live.get(name)
        same = live is None or live.settings.same_connection(given)
        known = None
        if self._cache is not None and (live is None or not same):
            known = self._cache.get(cache_key(name, given))
        return Server(
            enabled=name not in self._disabled,
            authorized=given.authorized,
            connected=live is not None,
            identity=SAME if same else "another configuration",
            cache=known,
            live={} if live is None else live.tools,
            catalogue={tool: Flags(destructive=True) for tool in given.destructive},
            failed=name in self._failed,
        )

    def revisions(self) -> dict[str, int]:
        """Return how often each server was configured anew; none is 0."""
        with self._lock:
            return dict(self._revisions)

    def failure(self, name: str) -> str:
        """Return why the latest start of a server failed, empty where it did not."""
        with self._lock:
            return self._failed.get(name, "")

    # -- its life ----------------------------------------------------------------------------

    def calling(self) -> AbstractContextManager[None]:
        """Hold off changes of the configuration for one call."""
        return self._calls.calling()

    def enable(self, name: str, *, on: bool) -> None:
        """Switch a server on or off in this session; waits for calls that run."""
        with self._calls.changing(), self._lock:
            (self._disabled.discard if on else self._disabled.add)(name)

    def configure(self, name: str, settings: ServerSettings | None) -> None:
        """Configure a server anew, or remove it; waits for calls that run.

        A client of the old configuration stays connected until the next start, and is not used;
        that of a server that is removed is ended.
        """
        with self._calls.changing(), self._lock:
            self._revisions[name] = self._revisions.get(name, 0) + 1
            # What the old configuration failed of says nothing about the new one.
            self._failed.pop(name, None)
            if settings is None:
                self._settings.pop(name, None)
                self._disabled.discard(name)
                self._starts.pop(name, None)
                self._end(name)
            else:
                self._settings[name] = settings
                if settings.disabled:
                    self._disabled.add(name)

    def start(self, name: str) -> Start:
        """Start a server and wait for it a while; the start goes on in the background."""
        with self._lock:
            if self._closed:
                self._failed[name] = "the session has ended"
                return Start.FAILED
            if name not in self._settings:
                self._failed[name] = "no such server is configured"
                return Start.FAILED
            settings, live = self._settings[name], self._live.get(name)
            if live is not None and live.settings.same_connection(settings):
                return Start.READY
            starting = self._starts.get(name)
            if starting is None or not starting.settings.same_connection(settings):
                starting = self._starts[name] = _Starting(settings=settings)
                self._begin(name, starting)
        if not self._wait(starting.result, self._patience):
            return Start.SLOW
        return Start.READY if starting.result.exception() is None else Start.FAILED

    def _begin(self, name: str, starting: _Starting) -> None:
        """Let the loop serve a server; the lock is held."""
        self._end(name)
        task = asyncio.run_coroutine_threadsafe(self._serve(name, starting), self._running())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _end(self, name: str) -> None:
        """Have the client of a server end; the lock is held."""
        old = self._live.pop(name, None)
        if old is not None:
            self._running().call_soon_threadsafe(old.stop.set)

    async def _serve(self, name: str, starting: _Starting) -> None:
        """Hold a conversation from its start to its end."""
        stop, settings = asyncio.Event(), starting.settings
        try:
            async with asyncio.timeout(settings.start_seconds) as limit:
                async with self._opener(settings) as session:
                    tools = await session.tools()
                    limit.reschedule(None)
                    live = _Live(settings=settings, session=session, stop=stop, tools=tools)
                    self._connected(name, live, starting)
                    await stop.wait()
        except BaseException as error:
            self._start_failed(name, starting, error)
            if not isinstance(error, Exception):
                raise
        finally:
            self._ended(name, stop)

    def _connected(self, name: str, live: _Live, starting: _Starting) -> None:
        with self._lock:
            if self._starts.get(name) is not starting:
                raise ConnectionLostError("the server was configured anew while it started")
            self._live[name] = live
            self._starts.pop(name, None)
            self._failed.pop(name, None)
        self._remember(name, live)
        starting.result.set_result(live)

    def _start_failed(self, name: str, starting: _Starting, error: BaseException) -> None:
        if starting.result.done():
            return  # It failed later: whoever calls next finds no connection.
        cause = starting.settings.without_secrets(_cause(error))
        if isinstance(error, TimeoutError):
            cause = f"it was not ready within {starting.settings.start_seconds:g} s"
        with self._lock:
            if self._starts.get(name) is starting:
                del self._starts[name]
                self._failed[name] = cause
        starting.result.set_exception(ConnectionLostError(cause))

    def _ended(self, name: str, stop: asyncio.Event) -> None:
        with self._lock:
            live = self._live.get(name)
            if live is not None and live.stop is stop:
                del self._live[name]

    def _remember(self, name: str, live: _Live) -> None:
        if self._cache is not None:
            self._cache.put(cache_key(name, live.settings), live.tools)

    # -- calls -------------------------------------------------------------------------------

    def refresh(self, name: str) -> None:
        """Ask a connected server what it offers now.

        A server that cannot say so is as good as gone: it is ended, and the next call starts it.

        Raises:
            CapabilityError: it did not say.
        """
        live = self._connection(name)
        try:
            tools = self._answer(name, live, live.session.tools(), live.settings.list_seconds)
        except CapabilityError:
            self._drop(name, live)
            raise
        fresh = replace(live, tools=tools)
        with self._lock:
            if self._live.get(name) is live:
                self._live[name] = fresh
        self._remember(name, fresh)

    def call(self, name: str, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool of a connected server; raises CapabilityError."""
        live = self._connection(name)
        seconds = live.settings.tool_seconds.get(tool, live.settings.call_seconds)
        return self._answer(name, live, live.session.call(tool, arguments), seconds)

    def _connection(self, name: str) -> _Live:
        with self._lock:
            live = self._live.get(name)
        if live is None:
            raise ConnectionLostError(f"the server {name} is not connected any more")
        return live

    def _answer(self, name: str, live: _Live, request: Coroutine[Any, Any, T], seconds: float) -> T:
        future = asyncio.run_coroutine_threadsafe(request, self._running())
        if not self._wait(future, seconds):
            future.cancel()
            raise CallTimeoutError(f"the server {name} did not answer within {seconds:g} s")
        try:
            return future.result()
        except CancelledError as error:
            raise ConnectionLostError("the session ended before the server answered") from error
        except ConnectionLostError:
            self._drop(name, live)
            raise
        except CapabilityError:
            raise
        except Exception as error:  # of the library or of its transports: no common class
            raise CapabilityError(live.settings.without_secrets(_cause(error))) from error

    def _drop(self, name: str, live: _Live) -> None:
        """End a conversation whose server is gone, so that the next call starts it again."""
        self._ended(name, live.stop)
        self._running().call_soon_threadsafe(live.stop.set)

    # -- the thread --------------------------------------------------------------------------

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            if self._closed:
                raise ConnectionLostError("the session has ended")
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(
                target=self._loop.run_forever, name="tool servers", daemon=True
            )
            self._thread.start()
        return self._loop

    def close(self) -> None:
        """End every server; nothing is started afterwards."""
        with self._lock:
            self._closed = True
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(_end_all(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        self._loop = self._thread = None


async def _end_all() -> None:
    """Cancel whatever the loop still does, and see it end."""
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _cause(error: BaseException) -> str:
    """Return why something failed, without a trace: of a group of causes the first one."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, ModuleNotFoundError):
        return f"the package {error.name} is missing; install reasonix-conformance[host]"
    return str(error) or type(error).__name__
