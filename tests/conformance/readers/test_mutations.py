"""Damaged traces: never a traceback, never a hang, never more proof than there was."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import pytest
from mutations import BASES, KINDS, cut, widen
from recorded_rows import sort

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, file_results


def judge(data: bytes, folder: Path) -> None:
    """Read and replay; the events must be well formed, and refusals the kit's own."""
    with contextlib.suppress(ConformanceError):
        read(data, folder)


def read(data: bytes, folder: Path) -> None:
    """Read and replay a recording; the events must be well formed."""
    path = folder / "trace"
    path.write_bytes(data)
    sort(events(Recording(path=path, shown="trace")))
    assert list(file_results(path, Options()))


@pytest.mark.parametrize("name", sorted(BASES))
def test_a_damaged_trace_never_raises(name: str, tmp_path: Path) -> None:
    """Thirty of each kind; the long run is marked slow."""
    _damage(name, tmp_path, rounds=27)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BASES))
def test_a_thousand_damaged_traces_never_raise(name: str, tmp_path: Path) -> None:
    """Rare faults show only in numbers."""
    _damage(name, tmp_path, rounds=1000)


def _damage(name: str, folder: Path, *, rounds: int) -> None:
    rng = random.Random(f"{name}-{rounds}")
    for number in range(rounds):
        kind = KINDS[number % len(KINDS)]
        data = kind(BASES[name], rng)
        if rng.random() < 0.3:
            data = rng.choice(KINDS)(data, rng) if data else data
        try:
            judge(data, folder)
        except Exception as error:
            error.add_note(f"{kind.__name__}, round {number}; kept in {folder / 'trace'}")
            raise


@pytest.mark.parametrize("name", sorted(BASES))
def test_a_line_of_five_megabytes_is_read(name: str, tmp_path: Path) -> None:
    """Outputs have no limit below the cap."""
    read(widen(BASES[name], random.Random(1)), tmp_path)


@pytest.mark.parametrize("name", sorted(set(BASES) - {"reasonix-v4"}))
def test_a_cut_trace_proves_no_more_than_the_whole(name: str, tmp_path: Path) -> None:
    """A lost tail may take evidence away and must never add any."""
    path = tmp_path / "trace"
    path.write_bytes(BASES[name])
    whole = sort(events(Recording(path=path, shown="trace")))
    good = {uid for uid, result in whole.results.items() if result.outcome == "ok"}
    rng = random.Random(name)

    for _ in range(12):
        path.write_bytes(cut(BASES[name], rng))
        try:
            part = sort(events(Recording(path=path, shown="trace")))
        except ConformanceError:
            continue
        assert {uid for uid, result in part.results.items() if result.outcome == "ok"} <= good
