"""A host with a proxy, for the tests: a workspace, servers, and what the host recorded."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reasonix_runtime.capabilities.connections import Connections
from reasonix_runtime.capabilities.front_end import FrontEnd
from reasonix_runtime.capabilities.mcp_client import open_session
from reasonix_runtime.capabilities.schema_cache import SchemaCache
from reasonix_runtime.capabilities.session import Answer, Opener
from reasonix_runtime.capabilities.settings import ServerSettings
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.gates.proxy.world import Flags
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.context import Context
from reasonix_runtime.tools.dispatch import CallResult, Toolbox
from reasonix_runtime.tools.registry import default_registry
from reasonix_runtime.tools.support.workspace import Workspace
from reasonix_runtime.trace.events import Event

SERVER = Path(__file__).parent / "tool_server.py"
READ = {"read": {"read_only": True}}


def until_done(future: Future[Any], _seconds: float) -> bool:
    """Wait as long as it takes: no test depends on how fast a process starts."""
    future.exception()
    return True


def not_at_all(_future: Future[Any], _seconds: float) -> bool:
    """Be out of patience at once."""
    return False


@dataclass
class Told:
    """A conversation without a server: what it offers, and what it was asked."""

    offers: dict[str, Flags]
    called: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    during: Callable[[], None] = lambda: None
    opened: int = 0

    @asynccontextmanager
    async def open(self, _settings: ServerSettings) -> AsyncIterator[Told]:
        self.opened += 1
        yield self

    async def tools(self) -> dict[str, Flags]:
        return dict(self.offers)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        self.called.append((tool, dict(arguments)))
        self.during()
        return Answer(text=f"{tool} done", failed=tool == "fail")


@dataclass
class Front:
    """A host whose toolbox has a door."""

    folder: Path
    servers: Mapping[str, ServerSettings]
    opener: Opener = open_session
    wait: Callable[[Future[Any], float], bool] = until_done
    options: Mapping[str, Any] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.cache = SchemaCache(self.folder / "schemas")
        self.state = HostState(CONTRACT)
        self.connections = Connections(
            self.servers, opener=self.opener, cache=self.cache, wait=self.wait
        )
        registry = default_registry()
        self.door = FrontEnd(
            registry=registry, state=self.state, connections=self.connections, **self.options
        )
        root = self.folder / "ws"
        root.mkdir(exist_ok=True)
        self.root = root
        context = Context(workspace=Workspace(root))
        self.box = Toolbox(
            context,
            state=self.state,
            registry=registry,
            door=self.door,
            listener=self.events.append,
        )

    def ask(self, action: str, capability: str = "", **more: Any) -> CallResult:
        """Make one call of the proxy."""
        given = {"action": action, **({"capability_id": capability} if capability else {}), **more}
        return self.box.call("use_capability", given)

    def call(self, capability: str, **arguments: Any) -> CallResult:
        """Call a capability."""
        return self.ask("call", capability, arguments=arguments)

    def answer(self, action: str, capability: str = "") -> Any:
        """Return the JSON of an answer that must succeed."""
        result = self.ask(action, capability)
        assert result.ok, result.text
        return json.loads(result.text)

    def outcomes(self) -> dict[str, str]:
        """Return what became of the capabilities."""
        return {route.id: str(route.outcome) for route in self.state.main.gates.routes}

    def receipts(self) -> list[tuple[str, bool, bool]]:
        """Return the receipts of the turn: tool, success, mutation."""
        return [(r.tool, r.success, r.mutation) for r in self.state.main.ledger.receipts]


def real_server(folder: Path, tools: Mapping[str, Any], **more: Any) -> ServerSettings:
    """Return the settings of a real server process that offers these tools."""
    folder.mkdir(exist_ok=True)
    (folder / "tools.json").write_text(json.dumps(tools))
    return ServerSettings(
        command=sys.executable, args=(str(SERVER), str(folder)), authorized=True, **more
    )


def dispatched(folder: Path) -> list[str]:
    """Return the calls that a real server got."""
    file = folder / "called"
    return file.read_text().splitlines() if file.exists() else []
