"""Traces that a test replays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.sessions import Options, Unreadable, results

CHAT = '{"role": "user", "content": "go"}\n'


def found(*paths: Path, **options: Any) -> list[TraceResult]:
    """Replay files that can all be read."""
    unreadable: list[Unreadable] = []
    got = list(results(paths, Options(**options), unreadable))
    assert [] == unreadable
    return got
