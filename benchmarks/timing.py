"""Paired timing: every case once a round, the rounds interleaved, ratios taken inside a round.

A machine whose speed drifts moves both sides of a ratio alike, so ratios are good to a few percent
where times are not.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A ratio that was promised: at most `limit`, hoped for `moonshot`."""

    limit: float
    moonshot: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratio:
    """A measured ratio of one case to its base: median, quartiles, and the base's median time."""

    name: str
    base: str
    median: float
    low: float
    high: float
    seconds: float
    base_seconds: float
    goal: Goal | None = None
    cpu: float | None = None
    """The same ratio in processor time, for whole processes: other work on the machine that slows
    both sides unevenly does not enter it, so a goal is held against this one where it is known."""

    @property
    def held(self) -> bool:
        """Whether the goal is met; a ratio without one is only reported."""
        measured = self.median if self.cpu is None else self.cpu
        return self.goal is None or measured <= self.goal.limit

    def line(self) -> str:
        """Return the ratio as one line for people."""
        goal = ""
        if self.goal:
            hoped = f", moonshot {self.goal.moonshot:.2f}x" if self.goal.moonshot else ""
            verdict = "held" if self.held else "MISSED"
            goal = f"  goal {self.goal.limit:.2f}x{hoped}: {verdict}"
        return (
            f"{self.median:6.3f}x  ({self.low:.3f} to {self.high:.3f})  {self.name} / {self.base}"
            f"  [{self.seconds * 1e3:.1f} / {self.base_seconds * 1e3:.1f} ms]"
            f"{'' if self.cpu is None else f'  cpu {self.cpu:.3f}x'}{goal}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A process to time: what is run, where, and the exit codes that are right."""

    argv: Sequence[str]
    folder: Path
    codes: tuple[int, ...] = (0,)

    def __call__(self) -> float:
        """Run the process once and return the processor time that it took, in seconds.

        Raises:
            SystemExit: it ended with another code; its output says why.
        """
        keep = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "PYTHON"))}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = subprocess.run(
            self.argv,
            cwd=self.folder,
            env=keep,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        if run.returncode not in self.codes:
            sys.stderr.write(run.stdout.decode("utf-8", "replace")[-3000:])
            raise SystemExit(f"ended with {run.returncode}: {' '.join(self.argv)}")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def paired(
    cases: Mapping[str, Callable[[], object]],
    base: str,
    *,
    rounds: int,
    goals: Mapping[str, Goal] | None = None,
    warm_up: int = 1,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Ratio]:
    """Time callables in interleaved rounds and return the ratio of each to the base.

    `clock` is what is read before and after a case; `time.process_time` for work in this process.
    What a callable returns is ignored, except for the processor time of a `Command`.

    The order alternates from round to round, so that no case always runs after the same other one.
    """
    times: dict[str, list[float]] = {name: [] for name in cases}
    cpu: dict[str, list[float]] = {name: [] for name in cases}
    names = list(cases)
    for number in range(warm_up + rounds):
        for name in names if number % 2 else reversed(names):
            start = clock()
            used = cases[name]()
            took = clock() - start
            if number >= warm_up:
                times[name].append(took)
                if isinstance(used, float) and isinstance(cases[name], Command):
                    cpu[name].append(used)
    return [
        replace(
            _ratio(name, base, times, (goals or {}).get(name)), cpu=_median_ratio(name, base, cpu)
        )
        for name in names
        if name != base
    ]


def _ratio(name: str, base: str, times: Mapping[str, list[float]], goal: Goal | None) -> Ratio:
    ratios = _ratios(name, base, times)
    quartiles = statistics.quantiles(ratios, n=4) if len(ratios) > 1 else [ratios[0]] * 3
    return Ratio(
        name=name,
        base=base,
        median=statistics.median(ratios),
        low=quartiles[0],
        high=quartiles[2],
        seconds=statistics.median(times[name]),
        base_seconds=statistics.median(times[base]),
        goal=goal,
    )


def _median_ratio(name: str, base: str, times: Mapping[str, list[float]]) -> float | None:
    """Return the median ratio, or None if one of the two was not measured."""
    if not times[name] or not times[base]:
        return None
    return statistics.median(_ratios(name, base, times))


def _ratios(name: str, base: str, times: Mapping[str, list[float]]) -> list[float]:
    return [one / other for one, other in zip(times[name], times[base], strict=True)]
