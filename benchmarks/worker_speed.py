"""A folder of traces by two worker processes against one, as whole commands.

The size of the folder is `REASONIX_BENCHMARK_MB` megabytes in all (default 200; the goal is meant
for 1000). The commands write the same report, which is compared, too.
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

from benchmarks import recordings
from benchmarks.timing import Goal, Ratio

MEGABYTES = int(os.environ.get("REASONIX_BENCHMARK_MB", "200"))
FILES = 40
GOAL = Goal(limit=0.70)
START = "import sys; from reasonix_conformance.cli import main; sys.exit(main())"


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
    ratios = sorted(two / one for one, two in pairs)
    return [
        Ratio(
            name=f"two workers on {FILES} traces, {MEGABYTES} MB",
            base="one worker",
            median=statistics.median(ratios),
            low=ratios[0],
            high=ratios[-1],
            seconds=statistics.median(two for _, two in pairs),
            base_seconds=statistics.median(one for one, _ in pairs),
            goal=GOAL,
        )
    ]


def _pair(folder: Path, out: Path) -> tuple[float, float]:
    one, two = _timed(folder, out / "1.json", 1), _timed(folder, out / "2.json", 2)
    if not filecmp.cmp(out / "1.json", out / "2.json", shallow=False):
        raise AssertionError("two workers wrote another report than one")
    return one, two


def _timed(folder: Path, report: Path, jobs: int) -> float:
    command = [
        *(sys.executable, "-c", START, "replay", str(folder)),
        *("--rules", "classic", "--format", "json", "--output", str(report)),
        *("--fail-on", "none", "--jobs", str(jobs)),
    ]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start
