"""Reading and replay of large recordings, against parsing their lines with orjson."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import orjson

from benchmarks import recordings
from benchmarks.timing import Goal, Ratio, paired
from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.results import Tally
from reasonix_conformance.traces import Options, results

SIZE = 20_000_000
"""Bytes of each recording; ratios do not depend on it."""

GOAL = Goal(limit=2.0)


def run(rounds: int) -> list[Ratio]:
    """Return the ratios of this suite."""
    ratios: list[Ratio] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("stream", "messages"):
            lines = getattr(recordings, name)(10**9)
            path = recordings.write(Path(folder) / f"{name}.jsonl", lines, SIZE)
            ratios += _ratios(path, max(3, rounds // 4))
    return ratios


def _ratios(path: Path, rounds: int) -> list[Ratio]:
    name = path.stem
    base = f"orjson on each line of a {name} file"

    def floor() -> None:
        with path.open("rb", buffering=1 << 20) as stream:
            for line in stream:
                orjson.loads(line)

    def reading() -> None:
        for _ in events(Recording(path=path, shown=name)):
            pass

    def replaying() -> None:
        for _ in results([path], Options(rules="classic"), [], listener=Tally()):
            pass

    cases: dict[str, Callable[[], object]] = {
        f"read {name}": reading,
        f"read and replay {name}": replaying,
        base: floor,
    }
    return paired(cases, base, rounds=rounds, goals={f"read and replay {name}": GOAL})
