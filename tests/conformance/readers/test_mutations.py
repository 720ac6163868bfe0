"""Damaged traces: never a traceback, never a hang, never more proof than there was."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from recorded_rows import TRACES, sort
from trace_samples import SAMPLES

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.traces.sessions import Options, file_results

CLASSIC = TRACES / "classic-2026-08"


def _bases() -> dict[str, bytes]:
    """Return one trace of each format: a real one where there is one, else an invented one."""
    bases = {sample.format_name: sample.text.encode() for sample in SAMPLES}
    real = {
        "reasonix-trajectory": CLASSIC / "subagent-task" / "1.trajectory.jsonl",
        "reasonix-stream": CLASSIC / "goal-conflicting" / "1.served.jsonl",
        "acp": CLASSIC / "acp-cancelled" / "1.acp.jsonl",
        "chat-completions": CLASSIC / "step-earlier-turn" / "chat.jsonl",
    }
    for name, path in real.items():
        bases[name] = path.read_bytes()
    logs = CLASSIC / "step-earlier-turn" / "session"
    bases["reasonix-log-1"] = next(logs.glob("*.events.jsonl")).read_bytes()
    bases["reasonix-messages"] = next(logs.glob("*scripted-1.jsonl")).read_bytes()
    frames = TRACES / "reasonix-1.38.11" / "killed-resumed"
    bases["reasonix-v4"] = next(frames.glob("sessions-v4/*/events.frames")).read_bytes()
    return bases


BASES = _bases()


def cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def flip(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def remove(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    return data[:start] + data[start + rng.randrange(200) :]


def swap(data: bytes, rng: random.Random) -> bytes:
    parts = data.split(b"\n")
    one, other = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[one], parts[other] = parts[other], parts[one]
    return b"\n".join(parts)


def double(data: bytes, rng: random.Random) -> bytes:
    parts = data.split(b"\n")
    at = rng.randrange(len(parts))
    return b"\n".join([*parts[:at], *[parts[at]] * rng.randrange(2, 4), *parts[at:]])


def drop(data: bytes, rng: random.Random) -> bytes:
    parts = data.split(b"\n")
    del parts[rng.randrange(len(parts))]
    return b"\n".join(parts)


def encode(data: bytes, rng: random.Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(rng.choice(["utf-16", "latin-1", "utf-8-sig", "utf-32"]), "replace")


def insert(data: bytes, rng: random.Random) -> bytes:
    at = data.find(b'"', rng.randrange(len(data))) + 1
    what = ["\u2028", "\\ud83d", "\\u0000", "\x00", '\\"', "[" * 5000, "}", "\n", "9" * 5000]
    return data[:at] + rng.choice(what).encode() + data[at:]


def widen(data: bytes, rng: random.Random) -> bytes:
    at = data.find(b'"', rng.randrange(len(data))) + 1
    return data[:at] + b"x" * 5_000_000 + data[at:]


def retype(data: bytes, rng: random.Random) -> bytes:
    """Put a value of another type where a value stands."""
    at = data.find(b":", rng.randrange(len(data))) + 1
    end = min(
        (found for mark in (b",", b"}", b"]") if (found := data.find(mark, at)) >= 0),
        default=len(data),
    )
    value = rng.choice([b"null", b"1", b"true", b"[]", b"{}", b'""', b'[{"a":1}]', b"1e400"])
    return data[:at] + value + data[end:]


KINDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    cut,
    flip,
    remove,
    swap,
    double,
    drop,
    encode,
    insert,
    retype,
)


def judge(data: bytes, folder: Path) -> None:
    """Read and replay; the events must be well formed, and refusals the kit's own."""
    path = folder / "trace"
    path.write_bytes(data)
    with contextlib.suppress(ConformanceError):
        sort(events(Recording(path=path, shown="trace")))
        list(file_results(path, Options()))


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
    judge(widen(BASES[name], random.Random(1)), tmp_path)


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
