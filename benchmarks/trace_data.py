"""A synthetic neutral trace with the commands, repetitions and turns of a working agent.

Deterministic: the same arguments give the same bytes. About 1 KB an event, a few hundred distinct
commands and reads that repeat, edits that never do, results that look like source code and test
output.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MODULES = [
    f"{a}/{b}.py"
    for a in ("src", "lib", "app", "core")
    for b in (
        "parser",
        "lexer",
        "items",
        "store",
        "views",
        "models",
        "utils",
        "client",
        "report",
        "auth",
    )
]
TESTS = [f"tests/test_{name.rpartition('/')[2]}" for name in MODULES[:10]]
CODE = "\n".join(
    f'    def step_{n}(self, value: int) -> int:\n        return value * {n} + len("a<b & c")'
    for n in range(12)
)


def commands() -> list[str]:
    """Return the distinct shell commands that the trace draws from, common ones first."""
    found = ["pytest -q", "git status", "git diff", "ls", "make lint", "go test ./...", "npm test"]
    for path in MODULES:
        found += [f"cat {path}", f"git diff -- {path}", f"sed -n '1,80p' {path}", f"wc -l {path}"]
        found += [f"rg -n 'def ' {path} | head -20", f"sed -i 's/old/new/' {path}"]
    for path in TESTS:
        found += [f"pytest -q {path}", f"cd app && pytest -x {path} 2>&1 | tail -5"]
    return found


def events(count: int, seed: int = 7) -> Iterator[dict[str, Any]]:
    """Yield `count` neutral events: a session, then turns until the count is reached."""
    rng = random.Random(seed)
    pool = commands()
    weights = [1 / (rank + 3) for rank in range(len(pool))]
    yield {"ev": "session", "seq": 1, "sid": "bench", "format": "neutral/1", "profile": "classic"}
    seq, turn, call = 1, 0, 0
    while seq < count:
        turn += 1
        for event in _turn(rng, pool, weights, turn, call):
            seq += 1
            if event["ev"] == "tool.call":
                call += 1
            yield {**event, "seq": seq}
            if seq >= count:
                return


def _turn(
    rng: random.Random, pool: list[str], weights: list[float], turn: int, call: int
) -> Iterator[dict[str, Any]]:
    """Yield one turn: a task list, work in steps, a sign-off, the end."""
    yield {"ev": "turn.start", "turn": turn, "by": "explicit"}
    yield {"ev": "user", "turn": turn, "text": f"make item {turn} work", "origin": "user"}
    title = f"Repair item {turn}"
    todo = {"todos": [{"content": title, "status": "in_progress"}]}
    path = rng.choice(MODULES)
    test = f"pytest -q {rng.choice(TESTS)}"
    plan: list[tuple[str, dict[str, Any]]] = [("todo_write", todo)]
    for _ in range(rng.randint(8, 24)):
        plan.append(_work(rng, pool, weights))
    plan += [
        _edit(rng, path),
        ("read_file", {"path": path}),
        ("bash", {"command": test}),
    ]
    evidence = [{"kind": "verification", "summary": "the tests pass", "command": test}]
    plan.append(("complete_step", {"step": title, "result": "works", "evidence": evidence}))
    for name, args in plan:
        call += 1
        step = f"s{call}"
        yield {"ev": "assistant", "turn": turn, "step": step, "text": f"Step {call}."}
        uid = f"main#{call}"
        yield {
            "ev": "tool.call",
            "turn": turn,
            "step": step,
            "uid": uid,
            "name": name,
            "args": args,
        }
        yield _result(rng, uid, name)
    yield {"ev": "turn.end", "turn": turn, "status": "completed", "by": "explicit"}


def _work(rng: random.Random, pool: list[str], weights: list[float]) -> tuple[str, dict[str, Any]]:
    """Return one ordinary call: mostly shell and reading, some editing and searching."""
    kind = rng.random()
    if kind < 0.55:
        return "bash", {"command": rng.choices(pool, weights)[0]}
    path = rng.choice(MODULES)
    if kind < 0.8:
        return "read_file", {"path": path, "offset": 40 * rng.randint(0, 5), "limit": 40}
    if kind < 0.9:
        return "grep", {"pattern": "def ", "path": path}
    return _edit(rng, path)


def _edit(rng: random.Random, path: str) -> tuple[str, dict[str, Any]]:
    """Return an edit: unlike a command, it hardly ever is the same as one before."""
    text = CODE[: rng.randint(100, 500)]
    return "edit_file", {
        "path": path,
        "old_string": f"value_{rng.randrange(10**6)} = {text[:60]}",
        "new_string": text,
    }


def _result(rng: random.Random, uid: str, name: str) -> dict[str, Any]:
    """Return the result of a call: bookkeeping is short, everything else looks like code."""
    text = (
        "done" if name in ("todo_write", "complete_step") else (CODE * 6)[: rng.randint(400, 5200)]
    )
    ok = rng.random() > 0.06
    basis = (
        {"basis": "exit_code", "exit_code": 0 if ok else 1}
        if name == "bash"
        else {"basis": "state"}
    )
    return {
        "ev": "tool.result",
        "uid": uid,
        "outcome": "ok" if ok else "error",
        "text": text,
        **basis,
    }


def write(path: Path, count: int) -> Path:
    """Write a trace of `count` events to `path` as JSON lines and return the path."""
    with path.open("w", encoding="utf-8") as out:
        for event in events(count):
            out.write(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n")
    return path
