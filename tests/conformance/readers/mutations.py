"""Traces of every format, and what damages one."""

from __future__ import annotations

import random
from collections.abc import Callable

from places import CLASSIC, RECENT
from trace_samples import SAMPLES


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
    frames = RECENT / "killed-resumed"
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
