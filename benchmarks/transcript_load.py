"""Transcripts: 1,000 files of about 5 KB loaded and validated, against PyYAML's C loader alone."""

from __future__ import annotations

import random

import yaml

from benchmarks.timing import Goal, Ratio, paired
from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.transcript import loads

FILES = 1000
GOAL = Goal(limit=1.0, moonshot=0.5)


def transcripts(count: int, seed: int = 3) -> list[bytes]:
    """Return `count` transcript files of about 5 KB; the same every time."""
    rng = random.Random(seed)
    return [_file(rng, number).encode() for number in range(count)]


def _file(rng: random.Random, number: int) -> str:
    events: list[dict[str, object]] = []
    for step in range(rng.randint(16, 20)):
        path = f"src/module_{rng.randint(1, 40)}.py"
        events += [
            {"call": "read_file", "args": {"path": path, "offset": step}, "output": "1 x = 1"},
            {
                "call": "edit_file",
                "args": {"path": path, "old_string": "value = no", "new_string": "value = 'on'"},
                "ok": rng.random() < 0.9,
            },
        ]
    evidence = [{"kind": "verification", "summary": "tests pass", "command": "pytest -q"}]
    events.append(
        {
            "call": "complete_step",
            "args": {"step": "Fix it", "result": "done", "evidence": evidence},
            "expect": {"verdict": "reject", "reason": "verification.command_not_run"},
        }
    )
    end = {"expect": {"verdict": "reject", "missing": ["todo", "verification"]}}
    text: str = yaml.safe_dump(
        {
            "id": f"case-{number}",
            "title": "a cited command that never ran is refused",
            "rules": "classic",
            "setup": {"profile": "delivery", "tasks": [{"content": "Fix it"}]},
            "turns": [{"user": "make it work", "events": events, "end": end}],
        },
        sort_keys=False,
        allow_unicode=True,
    )
    return text


def run(rounds: int) -> list[Ratio]:
    """Return the ratios of this suite."""
    files = transcripts(FILES)

    def c_loader() -> None:
        for data in files:
            yaml.load(data, yaml.CSafeLoader)

    def parsed() -> None:
        for data in files:
            yaml12.load(data, "f")

    def loaded() -> None:
        for data in files:
            loads(data, "f")

    size = sum(map(len, files)) / len(files)
    cases = {
        f"load and validate ({size:.0f} bytes a file)": loaded,
        "values with lines": parsed,
        "CSafeLoader": c_loader,
    }
    goals = dict.fromkeys(list(cases)[:2], GOAL)
    return paired(cases, "CSafeLoader", rounds=max(3, rounds // 4), goals=goals)
