"""A synthetic neutral trace with the commands, repetitions and turns of a working agent.

Deterministic: the same arguments give the same bytes, whatever the version of Python. About 1 KB an
event, a few hundred distinct commands and reads that repeat, edits that never do; what the calls
answer is that of `project`.
"""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks.project import Project
from benchmarks.source_text import Draw, sentence

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


def commands() -> list[str]:
    """Return the distinct shell commands that the trace draws from, common ones first."""
    found = ["pytest -q", "git status", "git diff", "ls", "make lint", "go test ./...", "npm test"]
    for path in MODULES:
        found += [f"cat {path}", f"git diff -- {path}", f"sed -n '1,80p' {path}", f"wc -l {path}"]
        found += [f"rg -n 'def ' {path} | head -20", f"sed -i 's/old/new/' {path}"]
    for path in TESTS:
        found += [f"pytest -q {path}", f"cd app && pytest -x {path} 2>&1 | tail -5"]
    return found


def events(count: int, *, seed: int = 7, log: str = "") -> Iterator[dict[str, Any]]:
    """Yield `count` neutral events: a session, then turns until the count is reached.

    What a command says begins with a `log`, if one is given.
    """
    session = _Session(seed, log)
    yield {"ev": "session", "seq": 1, "sid": "bench", "format": "neutral/1", "profile": "classic"}
    seq, turn = 1, 0
    while seq < count:
        turn += 1
        for event in session.turn(turn):
            seq += 1
            yield {**event, "seq": seq}
            if seq >= count:
                return


class _Session:
    """An agent at work on a project."""

    def __init__(self, seed: int, log: str) -> None:
        self._log = log
        self._draw = Draw(seed)
        self._project = Project(self._draw, (*MODULES, *TESTS))
        self._pool = commands()
        self._reached = list(accumulate(1 / (rank + 3) for rank in range(len(self._pool))))
        self._call = 0

    def turn(self, turn: int) -> Iterator[dict[str, Any]]:
        """Yield one turn: a task list, work in steps, a sign-off, the end."""
        yield {"ev": "turn.start", "turn": turn, "by": "explicit"}
        yield {"ev": "user", "turn": turn, "text": f"make item {turn} work", "origin": "user"}
        for name, args in self._calls(turn):
            self._call += 1
            step, uid = f"s{self._call}", f"main#{self._call}"
            said = sentence(self._draw, 12)
            yield {"ev": "assistant", "turn": turn, "step": step, "text": said}
            asked = {"uid": uid, "name": name, "args": args}
            yield {"ev": "tool.call", "turn": turn, "step": step, **asked}
            yield self._result(uid, name, args)
        yield {"ev": "turn.end", "turn": turn, "status": "completed", "by": "explicit"}

    def _calls(self, turn: int) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the calls of a turn; each is told when the one before it was answered."""
        draw = self._draw
        title = f"Repair item {turn}"
        yield "todo_write", {"todos": [{"content": title, "status": "in_progress"}]}
        path = draw.of(MODULES)
        test = f"pytest -q {draw.of(TESTS)}"
        for _ in range(draw.between(8, 24)):
            yield self._work()
        yield "edit_file", self._project.edit(path)
        yield "read_file", {"path": path}
        yield "bash", {"command": test}
        evidence = [{"kind": "verification", "summary": "the tests pass", "command": test}]
        yield "complete_step", {"step": title, "result": "works", "evidence": evidence}

    def _work(self) -> tuple[str, dict[str, Any]]:
        """Return one ordinary call: mostly shell and reading, some editing and searching."""
        draw, path = self._draw, self._draw.of(MODULES)
        if draw.holds(0.55):
            return "bash", {"command": self._command()}
        if draw.holds(0.55):
            part = {} if draw.holds(0.6) else {"offset": 50 * draw.between(0, 3), "limit": 100}
            return "read_file", {"path": path, **part}
        if draw.holds(0.5):
            return "grep", {"pattern": "def ", "path": path}
        return "edit_file", self._project.edit(path)

    def _command(self) -> str:
        """Return a command, a common one more often."""
        at = bisect(self._reached, self._draw.part() * self._reached[-1])
        return self._pool[at]

    def _result(self, uid: str, name: str, args: dict[str, Any]) -> dict[str, Any]:
        """Return the result of a call; one in sixteen fails."""
        ok = self._draw.holds(0.94)
        outcome = {"outcome": "ok" if ok else "error"}
        text = self._project.answer(name, args, ok=ok)
        if name == "bash":
            text = self._log + text
        known = (
            {"basis": "exit_code", "exit_code": int(not ok)}
            if name == "bash"
            else {"basis": "state"}
        )
        return {"ev": "tool.result", "uid": uid, **outcome, "text": text, **known}


def write(path: Path, count: int, *, log: str = "") -> Path:
    """Write a trace of `count` events to `path` as JSON lines and return the path."""
    with path.open("w", encoding="utf-8") as out:
        for event in events(count, log=log):
            out.write(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n")
    return path
