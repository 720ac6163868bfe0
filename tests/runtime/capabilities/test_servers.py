"""Real server processes: started on demand, held to what they say, never trusted beyond it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from front_bench import READ, Front, dispatched, not_at_all, real_server, until_done

from reasonix_runtime.capabilities.connections import Start
from reasonix_runtime.capabilities.schema_cache import SchemaCache
from reasonix_runtime.capabilities.settings import ServerSettings, cache_key

pytest.importorskip("mcp", reason="the extra `host` is not installed")
MakeFront = Callable[..., Front]
CONNECT = {"action": "call", "capability_id": "mcp-server:docs"}


def test_a_server_is_found_started_and_called(make_front: MakeFront, tmp_path: Path) -> None:
    """Its variables reach it; the cache keeps their names and never a value."""
    server = real_server(tmp_path / "docs", READ, env={"TOKEN": "s3cret"})
    front = make_front({"docs": server})
    assert front.answer("inspect", "mcp-server:docs")["tools"] == []

    (tool,) = front.answer("call", "mcp-server:docs")["tools"]
    result = front.call("mcp-tool:docs/read", page=1)

    assert (tool["name"], tool["read_only"]) == ("mcp__docs__read", True)
    assert result.text == "s3cret"
    assert ['read {"page": 1}'] == dispatched(tmp_path / "docs")
    assert ("mcp__docs__read", True, False) in front.receipts()
    (file,) = (tmp_path / "schemas").iterdir()
    assert b"s3cret" not in file.read_bytes()
    assert file.name == f"{cache_key('docs', server)}.json"


def test_a_cached_reader_is_started_by_its_call(make_front: MakeFront, tmp_path: Path) -> None:
    """Another host of the same configuration knows the tools without starting anything."""
    server = real_server(tmp_path / "docs", READ)
    make_front({"docs": server}).ask("call", "mcp-server:docs")
    front = make_front({"docs": server})

    (tool,) = front.answer("inspect", "mcp-server:docs")["tools"]
    assert tool["description"] == "Does read."
    assert front.call("mcp-tool:docs/read", text="汉").text == "汉"


def test_a_server_that_lies_to_its_cache_gets_no_call(
    make_front: MakeFront, tmp_path: Path
) -> None:
    """It said reader when it was listed, and says writer once it is started again."""
    server = real_server(tmp_path / "docs", READ)
    make_front({"docs": server}).ask("call", "mcp-server:docs")
    front = make_front({"docs": real_server(tmp_path / "docs", {"read": {}})})

    result = front.call("mcp-tool:docs/read")

    assert "does not declare read read-only any more" in result.text
    assert [] == dispatched(tmp_path / "docs")
    assert front.outcomes() == {"mcp-tool:docs/read": "failed"}


def test_a_server_that_dies_in_a_call_is_started_again(
    make_front: MakeFront, tmp_path: Path
) -> None:
    """What it did is not known, so the call is an error; the next one finds a new process."""
    tools = {"die": {}, **READ}
    front = make_front({"docs": real_server(tmp_path / "docs", tools)})

    died = front.call("mcp-tool:docs/die")
    again = front.call("mcp-tool:docs/read")

    assert died.text.startswith("error: the server closed the connection")
    assert ("mcp__docs__die", False, True) in front.receipts()
    assert again.text == "read"


def test_what_a_server_calls_a_failure_is_one(make_front: MakeFront, tmp_path: Path) -> None:
    """It answered, and says that it did not do what it was asked."""
    front = make_front({"docs": real_server(tmp_path / "docs", {"fail": {}})})

    assert not front.call("mcp-tool:docs/fail").ok
    assert ("mcp__docs__fail", False, True) in front.receipts()


def test_a_server_that_cannot_start_is_told_and_listed(
    make_front: MakeFront, tmp_path: Path
) -> None:
    """With the cause, and as `failed` from then on."""
    server = real_server(tmp_path / "docs", READ)
    (tmp_path / "docs" / "dead").touch()
    front = make_front({"docs": server, "gone": replace(server, command="/no/such/program")})

    dead, gone = (front.ask("call", f"mcp-server:{name}") for name in ("docs", "gone"))

    assert "run its command by hand" in dead.text
    assert "call it again" not in dead.text
    assert dead.text.endswith("(it ended with exit status 2)")
    assert "No such file" in gone.text
    assert {row["status"] for row in front.answer("list")["servers"]} == {"failed"}


def test_a_call_that_is_never_answered_ends(make_front: MakeFront, tmp_path: Path) -> None:
    """The server stays, and so does its connection."""
    front = make_front({"docs": real_server(tmp_path / "docs", {"hang": {}, **READ})})
    front.ask("call", "mcp-server:docs")
    front.connections._wait = lambda future, seconds: seconds != 7 and until_done(future, seconds)
    settings = real_server(tmp_path / "docs", {"hang": {}, **READ}, tool_seconds={"hang": 7})
    front.connections._live["docs"] = replace(front.connections._live["docs"], settings=settings)
    front.connections._settings["docs"] = settings

    hung = front.call("mcp-tool:docs/hang")

    assert hung.text.startswith("error: the server docs did not answer within 7 s")
    assert front.call("mcp-tool:docs/read").text == "read"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_a_slow_server_goes_on_starting(make_front: MakeFront, tmp_path: Path) -> None:
    """It holds its answer until the test lets it go; the second call finds it."""
    server = real_server(tmp_path / "docs", READ)
    os.mkfifo(tmp_path / "docs" / "wait")
    front = make_front({"docs": server}, wait=not_at_all)

    slow = front.call("mcp-tool:docs/read")
    with (tmp_path / "docs" / "wait").open("w"):
        front.connections._wait = until_done
        assert front.connections.start("docs") is Start.READY

    assert "still initializing" in slow.text
    assert [] == dispatched(tmp_path / "docs")
    assert front.call("mcp-tool:docs/read").text == "read"


class Announcing:
    """Runs a web server in a thread, and says where once it listens."""

    def __init__(self, app: Any) -> None:
        import uvicorn

        listens = self.listens = threading.Event()

        class Server(uvicorn.Server):
            async def startup(self, sockets: Any = None) -> None:
                await super().startup(sockets)
                listens.set()

        config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none")
        self.server = Server(config)
        self.thread = threading.Thread(target=self.server.run)

    def __enter__(self) -> int:
        self.thread.start()
        self.listens.wait()
        port: int = self.server.servers[0].sockets[0].getsockname()[1]
        return port

    def __exit__(self, *_: object) -> None:
        self.server.should_exit = True
        self.thread.join()


def test_a_server_that_runs_is_reached_by_its_url(make_front: MakeFront) -> None:
    """Over HTTP it is listed and called like any other, with its headers."""
    from mcp import types
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("web")
    hints = types.ToolAnnotations(read_only_hint=True)

    @server.tool(annotations=hints)
    def double(n: int) -> str:
        return str(2 * n)

    with Announcing(server.streamable_http_app()) as port:
        settings = ServerSettings(
            url=f"http://127.0.0.1:{port}/mcp", headers={"X-Token": "t"}, authorized=True
        )
        front = make_front({"web": settings})
        (tool,) = front.answer("call", "mcp-server:web")["tools"]
        result = front.call("mcp-tool:web/double", n=21)
        front.connections.close()

    assert (tool["id"], tool["read_only"]) == ("mcp-tool:web/double", True)
    assert result.text == "42"


@pytest.mark.slow
def test_a_server_of_the_library_is_reached_by_its_pipes(make_front: MakeFront) -> None:
    """Most servers are made with it; that of the other tests speaks the protocol by itself."""
    program = (
        "from mcp.server.mcpserver import MCPServer\n"
        "server = MCPServer('docs')\n"
        "@server.tool()\n"
        "def double(n: int) -> str: return str(2 * n)\n"
        "server.run()\n"
    )
    settings = ServerSettings(command=sys.executable, args=("-c", program), authorized=True)
    front = make_front({"docs": settings})
    front.ask("call", "mcp-server:docs")

    assert front.call("mcp-tool:docs/double", n=21).text == "42"


def test_servers_end_with_the_session(make_front: MakeFront, tmp_path: Path) -> None:
    """No process is left behind."""
    front = make_front({"docs": real_server(tmp_path / "docs", READ)})
    front.ask("call", "mcp-server:docs")

    front.connections.close()

    assert front.connections._live == {}
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "docs" / "pid").read_text()), 0)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_host_that_is_killed_leaves_no_server(tmp_path: Path, number: int) -> None:
    """While the server starts, which is when a user loses patience."""
    os.mkfifo(tmp_path / "pid")
    command = ["-c", f"echo $$ >{tmp_path}/pid; exec sleep 99"]
    servers = {"mcpServers": {"docs": {"command": "sh", "args": command}}}
    (tmp_path / "servers.json").write_text(json.dumps(servers))
    call = ["call", "use_capability", json.dumps(CONNECT), "--servers", "servers.json"]
    host = subprocess.Popen(
        [sys.executable, "-m", "reasonix_runtime.cli", *call],
        cwd=tmp_path,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    pid = int((tmp_path / "pid").read_text())

    host.send_signal(number)
    host.wait()

    until = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists() and time.monotonic() < until:
        threading.Event().wait(0.01)
    assert not Path(f"/proc/{pid}").exists()
    assert {"pid", "servers.json"} == {path.name for path in tmp_path.iterdir()}


def test_the_library_is_imported_only_for_a_start() -> None:
    """A host without servers needs no such package, and does not wait for it."""
    program = (
        "import sys, reasonix_runtime.capabilities.front_end, "
        "reasonix_runtime.capabilities.mcp_client; print('mcp' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)

    assert found.stdout == "False\n"


def test_what_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    """Not under its own name, and not under that of the file it was to become."""
    (tmp_path / "k.json").mkdir()

    SchemaCache(tmp_path).put("k", {})

    assert [tmp_path / "k.json"] == list(tmp_path.iterdir())


def test_another_version_or_key_is_a_miss(tmp_path: Path) -> None:
    """And so is a file that is no cache."""
    cache = SchemaCache(tmp_path)
    cache.put("k", {})
    assert cache.get("k") == {}

    for text in ('{"version":1,"key":"k","tools":{}}', '{"version":2,"key":"x","tools":{}}', "{"):
        (tmp_path / "k.json").write_text(text)
        assert cache.get("k") is None
    (tmp_path / "k.json").write_text('{"tools": {"a": {"input_schema": ' + '{"a": ' * 100_000)
    assert cache.get("k") is None
    assert cache.get("other") is None
