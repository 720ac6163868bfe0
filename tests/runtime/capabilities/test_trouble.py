"""Servers in trouble: slow, changed, broken or talkative; what a user and a model then see."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from front_bench import Front, Told, not_at_all, until_done

from reasonix_runtime.capabilities.connections import Connections, Start, wait_for
from reasonix_runtime.capabilities.mcp_client import McpSession
from reasonix_runtime.capabilities.session import (
    Answer,
    CallFailedError,
    CapabilityError,
    ConnectionLostError,
)
from reasonix_runtime.capabilities.settings import ServerSettings
from reasonix_runtime.commands import host_options
from reasonix_runtime.gates.proxy.world import Flags

MakeFront = Callable[..., Front]
READER = {"read": Flags(read_only=True)}
DOCS = ServerSettings(command="none", headers={"Authorization": "Bearer s3cret\n"}, authorized=True)


@dataclass
class Broken(Told):
    """A conversation that fails with `error`, in what `breaks` names."""

    breaks: str = ""
    error: Exception = field(default_factory=Exception)

    @asynccontextmanager
    async def open(self, settings: ServerSettings) -> AsyncIterator[Told]:
        if self.breaks == "open":
            raise self.error
        async with super().open(settings) as session:
            yield session

    async def tools(self) -> dict[str, Flags]:
        if self.breaks == "tools":
            raise self.error
        return await super().tools()

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        if self.breaks == "call":
            raise self.error
        return await super().call(tool, arguments)


def test_a_start_of_an_old_configuration_serves_no_call(make_front: MakeFront) -> None:
    """It is still on its way when the server is configured anew, and ends while a call waits."""
    let_go, sessions = asyncio.Event(), {"old": Told(READER), "new": Told(READER)}

    @asynccontextmanager
    async def opener(settings: ServerSettings) -> AsyncIterator[Told]:
        if settings.command == "old":
            await let_go.wait()
        yield sessions[settings.command]

    def let_the_old_one_go(future: Future[Any], seconds: float) -> bool:
        front.connections._running().call_soon_threadsafe(let_go.set)
        return until_done(future, seconds)

    front = make_front({"docs": replace(DOCS, command="old")}, opener=opener, wait=not_at_all)
    front.call("mcp-tool:docs/read")
    (old,) = front.connections._starts.values()
    front.connections.configure("docs", replace(DOCS, command="new"))
    front.connections._wait = let_the_old_one_go

    results = [front.call("mcp-tool:docs/read").text for _ in range(2)]

    assert results == ["read done", "read done"]
    assert [] == sessions["old"].called
    assert isinstance(old.result.exception(), ConnectionLostError)


def test_what_a_start_failed_of_is_not_told_of_the_next(make_front: MakeFront) -> None:
    """A time limit is told as one; a start that goes on has not failed."""

    @asynccontextmanager
    async def opener(_settings: ServerSettings) -> AsyncIterator[Told]:
        await asyncio.Event().wait()
        yield Told({})

    front = make_front({"docs": replace(DOCS, start_seconds=0)}, opener=opener)
    failed = front.ask("call", "mcp-server:docs").text
    front.connections._wait = not_at_all
    goes_on = front.ask("call", "mcp-server:docs").text

    assert failed.endswith("(it was not ready within 0 s)")
    assert "still initializing" in goes_on
    assert "not ready" not in goes_on


@pytest.mark.parametrize(
    "error", [CallFailedError("Session terminated"), CapabilityError("closed"), OSError("broken")]
)
def test_a_server_that_cannot_list_its_tools_is_started_again(
    make_front: MakeFront, error: Exception
) -> None:
    """As the answer says: nothing else would ever mend a connection that has gone stale."""
    server = Broken(READER, error=error)
    front = make_front({"docs": DOCS}, opener=server.open)
    front.ask("call", "mcp-server:docs")

    server.breaks = "tools"
    stale = front.call("mcp-tool:docs/read").text
    server.breaks = ""
    again = front.call("mcp-tool:docs/read").text

    assert stale.endswith("call it again to start the server")
    assert (again, server.opened) == ("read done", 2)


def test_listing_waits_no_longer_than_a_start() -> None:
    """A server that hangs does not hold the next call for the minutes that a tool may take."""
    assert DOCS.list_seconds == 30
    assert replace(DOCS, call_seconds=2).list_seconds == 2


@pytest.mark.parametrize("breaks", ["open", "call"])
def test_no_secret_is_told_with_an_error(make_front: MakeFront, breaks: str) -> None:
    """Libraries quote what they could not send."""
    error = ValueError("Illegal header value b'Bearer s3cret\\n'")
    server = Broken(READER, breaks=breaks, error=error)
    front = make_front({"docs": DOCS}, opener=server.open)

    text = front.call("mcp-tool:docs/read").text

    assert "Illegal header value" in text
    assert "s3cret" not in text
    assert "s3cret" not in repr(DOCS)


def test_closing_ends_a_call_that_waits(make_front: MakeFront) -> None:
    """The call is told as an error, and nobody sees a trace."""
    waits = threading.Event()

    class Silent(Told):
        async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
            waits.set()
            await asyncio.Event().wait()
            raise AssertionError

    front = make_front({"docs": DOCS}, opener=Silent(READER).open, wait=wait_for)
    told: list[str] = []
    caller = threading.Thread(target=lambda: told.append(front.call("mcp-tool:docs/read").text))
    caller.start()
    waits.wait()

    front.connections.close()
    caller.join()

    assert told == ["error: the session ended before the server answered\n"]


def test_a_server_that_is_disabled_in_its_settings_is_not_started(make_front: MakeFront) -> None:
    """Until the session switches it on, also where it is configured so later."""
    server = Told(READER)
    off = replace(DOCS, disabled=True)
    front = make_front({"docs": off}, opener=server.open)

    refused = front.ask("call", "mcp-server:docs").text
    front.connections.enable("docs", on=True)
    started = front.ask("call", "mcp-server:docs").ok
    front.connections.configure("docs", off)

    assert refused.endswith("the server docs is not enabled in this session")
    assert (started, server.opened) == (True, 1)
    assert not front.connections.servers()["docs"].enabled


def test_a_new_configuration_has_not_failed(make_front: MakeFront) -> None:
    """What the old one failed of is told of the old one alone."""
    front = make_front({"docs": DOCS}, opener=Broken(READER, breaks="open").open)
    front.ask("call", "mcp-server:docs")
    failed = front.connections.servers()["docs"].failed

    front.connections.configure("docs", replace(DOCS, command="good"))

    assert (failed, front.connections.servers()["docs"].failed) == (True, False)
    assert front.connections.failure("docs") == ""


def test_a_server_that_is_removed_ends(make_front: MakeFront) -> None:
    """Nobody could end it any more, and it would run as long as the session."""
    ended = threading.Event()

    class Ending(Told):
        @asynccontextmanager
        async def open(self, settings: ServerSettings) -> AsyncIterator[Told]:
            async with super().open(settings) as session:
                yield session
            ended.set()

    front = make_front({"docs": DOCS}, opener=Ending(READER).open)
    front.ask("call", "mcp-server:docs")

    front.connections.configure("docs", None)

    assert ended.wait(30)
    assert front.connections.start("docs") is Start.FAILED
    assert front.connections.failure("docs") == "no such server is configured"


def test_a_host_without_later_calls_waits_for_what_comes_of_a_start() -> None:
    """From a shell every run starts its servers anew: what it does not wait for serves nobody."""
    waited: list[float | None] = []

    def wait(future: Future[Any], seconds: float | None) -> bool:
        waited.append(seconds)
        return until_done(future, 0)

    for more in ({}, {"patience": None}):
        found = Connections({"docs": DOCS}, opener=Told(READER).open, wait=wait, **more)  # type: ignore[arg-type]  # of a table
        assert found.start("docs") is Start.READY
        found.close()

    assert waited == [5.0, None]
    assert host_options.open_connections(None)._patience is None


def test_arguments_that_are_nested_too_deeply_are_an_error(make_front: MakeFront) -> None:
    """No parser of theirs ends the loop."""
    front = make_front()

    result = front.ask("call", "tool:grep", arguments="[" * 100_000)

    assert (result.outcome, result.text[:6]) == ("error", "error:")
    assert "must be a JSON object" in result.text


def test_a_door_that_does_not_open_is_an_error(
    make_front: MakeFront, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever happens, a call that was made has a result and an end in the log."""
    front = make_front()

    def fail(_args: Any) -> Any:
        raise RuntimeError

    monkeypatch.setattr(front.door, "enter", fail)

    assert front.ask("list").text == "error: internal error in use_capability: RuntimeError\n"
    assert [type(event).__name__ for event in front.events] == ["ToolCall", "ToolResult"]


# -- what a server answers -----------------------------------------------------------------------


class Answering:
    """Stands for the library's conversation: every tool answers the same."""

    def __init__(self, result: Any) -> None:
        self.result = result

    async def call_tool(self, _tool: str, _arguments: Any) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"content": [], "structuredContent": {"n": "é"}}, '{"n": "é"}'),
        ({"content": [{"type": "text", "text": "a"}], "structuredContent": {"n": 1}}, "a"),
        ({"content": []}, ""),
        (
            {
                "content": [
                    {"type": "image", "data": "AAAA", "mimeType": "image/png"},
                    {"type": "resource", "resource": {"uri": "file:///a", "text": "inside"}},
                    {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAAA"}},
                    {"type": "resource_link", "uri": "file:///c", "name": "c"},
                ]
            },
            "[image image/png]\ninside\n[resource file:///b]\n[resource_link file:///c]",
        ),
    ],
)
def test_an_answer_is_told_as_text(result: Any, text: str) -> None:
    """What is no text is named, with where it is; structured content alone is its JSON."""
    types = pytest.importorskip("mcp.types", reason="the extra `host` is not installed")
    session = McpSession(Answering(types.CallToolResult.model_validate(result)))

    assert asyncio.run(session.call("any", {})).text == text


def test_an_answer_that_is_none_is_a_failed_call() -> None:
    """The library's own words about it are long, and quote what the server sent."""
    pytest.importorskip("mcp", reason="the extra `host` is not installed")
    session = McpSession(Answering(ValueError("13 validation errors")))

    with pytest.raises(CallFailedError, match="what is no such answer"):
        asyncio.run(session.call("any", {}))


def test_what_a_server_prints_beside_its_messages_is_nobodys(tmp_path: Path) -> None:
    """A line that is no message breaks nothing, and is not shown to the user of the host."""
    pytest.importorskip("mcp", reason="the extra `host` is not installed")
    server = Path(__file__).parent / "tool_server.py"
    (tmp_path / "tools.json").write_text('{"read": {}}')
    start = f"print('no message', flush=True); sys.argv[1:] = [{str(tmp_path)!r}]"
    program = f"import runpy, sys; {start}; runpy.run_path({str(server)!r})"
    call = (
        "from reasonix_runtime.capabilities.connections import Connections; "
        "from reasonix_runtime.capabilities.mcp_client import open_session; "
        "from reasonix_runtime.capabilities.settings import ServerSettings; import sys; "
        f"settings = ServerSettings(command=sys.executable, args=('-c', {program!r})); "
        "found = Connections({'docs': settings}, opener=open_session); "
        "found._wait = lambda future, _seconds: future.exception() is None or True; "
        "print(found.start('docs').value, [*found.servers()['docs'].live]); found.close()"
    )

    ran = subprocess.run([sys.executable, "-c", call], capture_output=True, text=True)

    assert (ran.stdout, ran.stderr) == ("ready ['read']\n", "")
