"""A folder of traces by two worker processes against one, as whole commands.

The size of the folder is `REASONIX_BENCHMARK_MB` megabytes in all (default 200; the goal is meant
for 1000). The commands write the same report, which is compared, too.

A machine on which others work has no two processors to spare, so beside the clock stands what the
command would take with two of its own: the processor time of the main process, and half of that of
its workers, an upper bound because they work at the same time. The goal is held against the lower.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks import recordings
from benchmarks.timing import Goal, Ratio

MEGABYTES = int(os.environ.get("REASONIX_BENCHMARK_MB", "200"))
FILES = 40
GOAL = Goal(limit=0.70)
START = """
import resource, sys
from reasonix_conformance.cli import main
code = main()
for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
    used = resource.getrusage(who)
    print(used.ru_utime + used.ru_stime)
sys.exit(code)
"""


def run(rounds: int) -> list[Ratio]:
    """Return the ratio of this suite; one round in seven, for each takes long."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "traces"
        folder.mkdir()
        first = recordings.write(
            folder / "session-000.jsonl", recordings.stream(10**9), MEGABYTES * 10**6 // FILES
        )
        for number in range(1, FILES):
            shutil.copy(first, folder / f"session-{number:03}.jsonl")
        pairs = [_pair(folder, Path(name)) for _ in range(max(1, rounds // 7))]
    return [_ratio([pair[0] for pair in pairs], [pair[1] for pair in pairs])]


def _ratio(ones: list[Took], twos: list[Took]) -> Ratio:
    ratios = sorted(two.clock / one.clock for one, two in zip(ones, twos, strict=True))
    projected = [two.projected / one.main for one, two in zip(ones, twos, strict=True)]
    return Ratio(
        name=f"two workers on {FILES} traces, {MEGABYTES} MB",
        base="one worker",
        median=statistics.median(ratios),
        low=ratios[0],
        high=ratios[-1],
        seconds=statistics.median(two.clock for two in twos),
        base_seconds=statistics.median(one.clock for one in ones),
        goal=GOAL,
        cpu=min(statistics.median(projected), statistics.median(ratios)),
    )


class Took(NamedTuple):
    """What a command took: seconds of the clock, and of the processor in itself and its workers."""

    clock: float
    main: float
    workers: float

    @property
    def projected(self) -> float:
        """Seconds that it would take with two processors of its own, at most."""
        return self.main + self.workers / 2


def _pair(folder: Path, out: Path) -> tuple[Took, Took]:
    one, two = _timed(folder, out / "1.json", 1), _timed(folder, out / "2.json", 2)
    if not filecmp.cmp(out / "1.json", out / "2.json", shallow=False):
        raise AssertionError("two workers wrote another report than one")
    return one, two


def _timed(folder: Path, report: Path, jobs: int) -> Took:
    command = [
        *(sys.executable, "-c", START, "replay", str(folder)),
        *("--rules", "classic", "--format", "json", "--output", str(report)),
        *("--fail-on", "none", "--jobs", str(jobs)),
    ]
    start = time.perf_counter()
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    took = time.perf_counter() - start
    main, workers = map(float, said.split()[-2:])
    return Took(took, main, workers)
