"""A workspace on disk and the toolbox that works on it, for the tests of the tools."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.context import Context, ToolSettings
from reasonix_runtime.tools.dispatch import CallResult, Toolbox
from reasonix_runtime.tools.support.jobs import Jobs
from reasonix_runtime.tools.support.workspace import Workspace
from reasonix_runtime.trace.events import Event, TurnStart


def allowed(mode: int) -> int:
    """Return what the umask of whoever runs the tests leaves of a mode."""
    umask = os.umask(0)
    os.umask(umask)
    return mode & ~umask


@dataclass
class Bench:
    """A workspace `root` with a toolbox; `events` is what the toolbox told its listener."""

    root: Path
    jobs: Jobs
    settings: ToolSettings = field(default_factory=ToolSettings)
    workspace: Workspace = None  # type: ignore[assignment]  # else that of `root`
    events: list[Event] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self.workspace = self.workspace or Workspace(self.root)
        self.state = HostState(CONTRACT)
        self.context = Context(workspace=self.workspace, settings=self.settings, jobs=self.jobs)
        self.box = Toolbox(self.context, state=self.state, listener=self.events.append)

    def begin_turn(self) -> None:
        """Begin a new turn: the loop guards of the host count calls within one."""
        self.state.apply(TurnStart(turn=self.state.turn + 1))

    def put(self, path: str, content: str | bytes) -> Path:
        """Create a file with its folders."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        return file

    def get(self, path: str) -> bytes:
        """Return the bytes of a file."""
        return (self.root / path).read_bytes()

    def call(self, tool: str, **arguments: Any) -> CallResult:
        """Call a tool; the answer may be an error."""
        return self.box.call(tool, arguments)

    def ok(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must succeed and return its text, `<ws>` for the workspace."""
        result = self.call(tool, **arguments)
        assert result.ok, result.text
        return self.short(result.text)

    def fails(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail and return the message, `<ws>` for the workspace."""
        result = self.call(tool, **arguments)
        assert not result.ok, result.text
        return self.short(result.text).removeprefix("error: ")

    def short(self, text: str) -> str:
        """Put `<ws>` in place of the path of the workspace."""
        return text.replace(str(self.root), "<ws>")


MakeBench = Callable[..., Bench]
