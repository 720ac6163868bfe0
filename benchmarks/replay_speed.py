"""Reading and replay of large recordings, against parsing their lines with orjson.

The traces are those of `trace_data`, in the three forms that hosts write them. Ratios are of
processor time: a busy machine slows the clock, and not both sides alike.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import orjson

from benchmarks import recordings, trace_data
from benchmarks.bare_pairing import pairing
from benchmarks.timing import Goal, Ratio, paired
from reasonix_conformance.arguments import schemas
from reasonix_conformance.arguments.schemas import Schemas
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.replay.results import Tally
from reasonix_conformance.settings import DEFAULT_SUBJECT
from reasonix_conformance.traces.sessions import Options, results

EVENTS = 60_000
"""Events of the neutral trace, about 1 KB each: enough that most calls were made before."""
SIZE = 40_000_000
"""Bytes of the other recordings."""
LOG = "".join(
    f"tests/test_store.py::test_case_{at} {'SKIPPED' if at % 100 == 0 else 'PASSED'} [{at // 4}%]\n"
    for at in range(400)
)
"""What each command of another trace says before its own words: 20 KB with hints of idle tests."""
LOGGED = 2_000
"""Events of that trace."""

GOAL = Goal(limit=2.0, moonshot=1.5)
VALIDATING = Goal(limit=2.5)


def run(rounds: int) -> list[Ratio]:
    """Return the ratios of this suite."""
    rounds = max(3, rounds // 4)
    with tempfile.TemporaryDirectory(prefix="bench-replay-") as name:
        folder = Path(name)
        neutral = trace_data.write(folder / "neutral.jsonl", EVENTS)
        ratios = _ratios(neutral, ("classic", "contract"), rounds)
        for form in ("stream", "messages"):
            lines = getattr(recordings, form)(10**9)
            path = recordings.write(folder / f"{form}.jsonl", lines, SIZE)
            ratios += _ratios(path, ("classic",), rounds)
        return ratios + _of_logs(folder, rounds)


def _of_logs(folder: Path, rounds: int) -> list[Ratio]:
    """Return what the words of commands cost, which `contract` reads and the others do not."""
    path = trace_data.write(folder / "logs.jsonl", LOGGED, log=LOG)
    cases = {
        f"read and replay long logs by {name}": _replaying(path, name)
        for name in ("classic", "contract")
    }
    base = "orjson on each line of these logs"
    cases[base] = _floor(path)
    return paired(cases, base, rounds=rounds, clock=time.process_time)


def _ratios(path: Path, rules: tuple[str, ...], rounds: int) -> list[Ratio]:
    form = path.stem
    base = f"orjson on each line of a {form} file"

    def reading() -> None:
        for _ in events(Recording(path=path, shown=form, talk=False)):
            pass

    cases: dict[str, Callable[[], object]] = {
        f"pair the calls of {form}, and nothing else": pairing(path, form),
        f"read {form}": reading,
    }
    for name in rules:
        cases[f"read and replay {form} by {name}"] = _replaying(path, name)
    goals = {name: GOAL for name in cases if "replay" in name}
    validating = f"{next(iter(goals))}, every call validated"
    cases[validating] = _replaying(path, rules[0], schemas.load(DEFAULT_SUBJECT, path.parent))
    goals[validating] = VALIDATING
    cases[base] = _floor(path)
    return paired(cases, base, rounds=rounds, goals=goals, clock=time.process_time)


def _floor(path: Path) -> Callable[[], None]:
    def floor() -> None:
        with path.open("rb", buffering=1 << 20) as stream:
            for line in stream:
                orjson.loads(line)

    return floor


def _replaying(path: Path, rules: str, told: Schemas | None = None) -> Callable[[], None]:
    options = Options(rules=rules, schemas=told)

    def replay() -> None:
        for _ in results([path], options, [], listener=Tally()):
            pass

    return replay
