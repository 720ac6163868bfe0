"""Hosts with a proxy, whose servers end with the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from front_bench import Front, Told

from reasonix_runtime.capabilities.settings import ServerSettings
from reasonix_runtime.gates.proxy.world import Flags


@pytest.fixture
def make_front(tmp_path: Path) -> Iterator[Callable[..., Front]]:
    """Make hosts in one folder."""
    made: list[Front] = []

    def make(servers: Any = None, **more: Any) -> Front:
        front = Front(tmp_path, servers or {}, **more)
        made.append(front)
        return front

    yield make
    for front in made:
        front.connections.close()


@pytest.fixture
def told() -> Told:
    """Make a conversation without a server."""
    return Told(
        {
            "read": Flags(read_only=True),
            "write": Flags(),
            "wipe": Flags(destructive=True),
            "fail": Flags(),
        }
    )


@pytest.fixture
def front(make_front: Callable[..., Front], told: Told) -> Front:
    """Make a host with one authorized server that is no process."""
    settings = ServerSettings(command="none", authorized=True)
    return make_front({"docs": settings}, opener=told.open)
