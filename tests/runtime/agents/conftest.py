"""Live sessions that end with the test."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from child_bench import join_children
from run_bench import Live

from reasonix_runtime.agents.model import Answer, Request
from reasonix_runtime.agents.script import ScriptedAnswer, ScriptedModel


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


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """Return what any model is asked, in order."""
    asked: list[Request] = []
    answer = ScriptedModel.answer

    def listening(model: ScriptedModel, request: Request) -> Answer:
        asked.append(request)
        return answer(model, request)

    monkeypatch.setattr(ScriptedModel, "answer", listening)
    return asked


class Stuck(ScriptedModel):
    """A model that does not answer before somebody lets it."""

    asked = threading.Event()
    free = threading.Event()

    def answer(self, request: Request) -> Answer:
        """Wait, then answer."""
        self.asked.set()
        self.free.wait(60)
        return super().answer(request)


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Stuck]]:
    """Let every child wait for its model; none of them outlives the test."""
    Stuck.asked, Stuck.free = threading.Event(), threading.Event()
    usual = ScriptedModel.for_child

    def child(model: ScriptedModel, wanted: Any) -> ScriptedModel:
        found = usual(model, wanted)
        found.__class__ = Stuck
        return found

    monkeypatch.setattr(ScriptedModel, "for_child", child)
    yield Stuck
    Stuck.free.set()
    join_children()
