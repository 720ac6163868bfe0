"""Live sessions that end with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from run_bench import Live

from reasonix_runtime.agents.script import ScriptedAnswer


@pytest.fixture
def make_live(tmp_path: Path) -> Iterator[Callable[..., Live]]:
    """Make sessions, each in a folder of its own."""
    made: list[Live] = []

    def make(*answers: ScriptedAnswer, **settings: Any) -> Live:
        folder = tmp_path / str(len(made))
        folder.mkdir()
        made.append(Live(folder, *answers, **settings))
        return made[-1]

    yield make
    for live in made:
        live.close()


@pytest.fixture
def chat_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """Serve answers on loopback, past any proxy of the surrounding."""
    monkeypatch.setenv("NO_PROXY", "*")
    server = ChatServer()
    yield server
    server.close()
