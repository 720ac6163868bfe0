"""`python -m benchmarks`: print what was promised as ratios, measured in one run.

Each module of `SUITES` has `run(rounds)`, which returns ratios. The exit code is 1 if a goal is
missed.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from importlib import metadata

SUITES = {
    "page": "benchmarks.page_load",
    "plugin": "benchmarks.plugin_cost",
    "memory": "benchmarks.replay_memory",
    "replay": "benchmarks.replay_speed",
    "tools": "benchmarks.tool_growth",
    "transcripts": "benchmarks.transcript_load",
    "workers": "benchmarks.worker_speed",
}
"""The suites by name; a suite is a module with `run(rounds) -> list[Ratio]`."""

LIBRARIES = ("pytest", "jsonschema-rs", "msgspec", "PyYAML")


def main() -> int:
    """Run the suites that were asked for and print their ratios."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Prints ratios measured in one run.",
        allow_abbrev=False,
    )
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}")
    parser.add_argument("--rounds", type=int, default=21, help="default: %(default)s")
    args = parser.parse_args()
    unknown = [name for name in args.suites if name not in SUITES]
    if unknown:
        parser.error(f"no suite is called {unknown[0]!r}: choose from {', '.join(SUITES)}")
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in LIBRARIES)
    print(f"Python {platform.python_version()}, {versions}; {args.rounds} rounds")
    missed = 0
    for name in args.suites or SUITES:
        print(f"\n{name}")
        for ratio in importlib.import_module(SUITES[name]).run(args.rounds):
            print(f"  {ratio.line()}", flush=True)
            missed += not ratio.held
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
