"""Peak memory of `reasonix-conformance replay`, in a process of its own: flat in the trace's size.

* the peak at 200 MB and at 1 GB, each against 64 MiB;
* the peak at 1 GB against that at 200 MB, and by no more than 8 MiB above it;
* the peak at 600 texts of 64 KB in one turn, against 64 MiB: in files, by here-documents and by a
  tool, in claims, task lists and goal reports, in errors, in paths, and in names and ids of calls.

The traces are written to a temporary folder and need 1.2 GB there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import trace_data
from benchmarks.timing import Goal, Ratio

BOUND = 64.0
"""Most memory that a replay may need, in MiB."""
MORE = 8.0
"""By how much the peak at 1 GB may exceed that at 200 MB, in MiB: bounded memories fill."""
SMALL, LARGE = 200_000, 1_050_000
"""Events of the two traces, about 1 KB each."""
LARGE_TEXTS, LARGE_TEXT = 600, 1 << 16
"""Texts that calls hold whole, and the bytes of each."""


class Large(NamedTuple):
    """A call that holds a large text: its tool, its arguments, its error and its id."""

    tool: str
    args: dict[str, Any]
    err: str = ""
    ident: str = ""


def _ran(content: str) -> dict[str, str]:
    return {"kind": "verification", "summary": content, "command": content}


def _signed(content: str) -> dict[str, Any]:
    return {"step": content, "result": content, "evidence": [_ran(content)]}


def _named(path: str, content: str) -> str:
    """Return a path of many folders that is not in its normal form, nor in lower case."""
    return f"./W/{content}".replace("\n", "//") + path


LARGE_CALLS: dict[str, Callable[[str, str], Large]] = {
    "here-documents": lambda path, content: Large(
        "bash", {"command": f"cat > {path} <<'EOF'\n{content}EOF"}
    ),
    "written files": lambda path, content: Large("write_file", {"path": path, "content": content}),
    "signed steps": lambda _, content: Large("complete_step", _signed(content)),
    "task lists": lambda _, content: Large(
        "todo_write", {"todos": [{"content": content, "status": "in_progress"}]}
    ),
    "goal reports": lambda _, content: Large(
        "update_goal", {"status": "continue", "summary": content, "next_action": content}
    ),
    "errors": lambda path, content: Large("bash", {"command": path}, err=content),
    "names of tools": lambda _, content: Large(content, {}),
    "commands in claims": lambda path, content: Large(
        "complete_step", {"step": path, "result": path, "evidence": [_ran(content)]}
    ),
    "read paths": lambda path, content: Large("read_file", {"path": _named(path, content)}),
    "changed paths": lambda path, content: Large(
        "write_file", {"path": _named(path, content), "content": path}
    ),
    "reviewed paths": lambda path, content: Large(
        "review_report",
        {
            "kind": "review",
            "verdict": "pass",
            "reviewed_paths": [_named(path, content)],
            "findings": [],
        },
    ),
    "ids of calls": lambda path, content: Large("bash", {"command": path}, ident=content),
}
"""How calls hold them, by path and content."""

# A process counts the peak of the one that started it as its own, so a small one starts it: this
# one has read and written other traces.
_MEASURED = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[1:])
_, status, usage = os.wait4(process.pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def run(rounds: int) -> list[Ratio]:
    """Measure each peak once; it hardly differs from run to run."""
    del rounds
    ratios = []
    with tempfile.TemporaryDirectory(prefix="bench-memory-") as name:
        small = trace_data.write(Path(name) / "small.jsonl", SMALL)
        large = trace_data.write(Path(name) / "large.jsonl", LARGE)
        for rules in ("classic", "contract"):
            at_small, at_large = peak(small, rules), peak(large, rules)
            flat = 1 + MORE / at_small
            ratios += [
                _ratio(f"peak at 200 MB by {rules}", at_small, "64 MiB", BOUND, 1.0),
                _ratio(f"peak at 1 GB by {rules}", at_large, "64 MiB", BOUND, 1.0),
                _ratio(f"peak at 1 GB by {rules}", at_large, "at 200 MB", at_small, flat),
            ]
        for kind in LARGE_CALLS:
            path = large_calls(Path(name) / f"{kind}.jsonl", kind)
            for rules in ("classic", "contract"):
                peak_at = peak(path, rules)
                ratios.append(_ratio(f"{kind} by {rules}", peak_at, "64 MiB", BOUND, 1.0))
    return ratios


def large_calls(path: Path, kind: str) -> Path:
    """Write a stream of one turn whose calls each hold a large text, and return its path."""
    with path.open("w") as out:
        out.write('{"kind": "turn_started"}\n')
        for number in range(LARGE_TEXTS):
            content = f"x{number} = {number}\n" * (LARGE_TEXT // 11)
            large = LARGE_CALLS[kind](f"f{number}.py", content)
            tool = {"id": large.ident or f"c{number}", "name": large.tool}
            call = {"kind": "tool_dispatch", "tool": {**tool, "args": json.dumps(large.args)}}
            result = {"kind": "tool_result", "tool": {**tool, "output": "ok", "err": large.err}}
            out.write(f"{json.dumps(call)}\n{json.dumps(result)}\n")
        out.write('{"kind": "message", "text": "done"}\n{"kind": "turn_done"}\n')
    return path


def peak(path: Path, rules: str) -> float:
    """Return the peak memory of one replay in MiB.

    Raises:
        SystemExit: the replay could not read the trace.
    """
    # A traceback would end as a run does that has something to report.
    program = "import os, sys; sys.excepthook = lambda *told: os._exit(70)\n"
    program += "from reasonix_conformance.cli import main; sys.exit(main())"
    argv = [sys.executable, "-c", program, "replay", str(path), "--rules", rules]
    argv = [sys.executable, "-c", _MEASURED, *argv, "--output", os.devnull]
    told = subprocess.run(argv, stdout=subprocess.PIPE, check=True, text=True).stdout
    status, kilobytes = map(int, told.split())
    if status not in (0, 1):
        raise SystemExit(f"could not replay {path}")
    return kilobytes / 1024


def _ratio(name: str, value: float, base: str, base_value: float, limit: float) -> Ratio:
    ratio = value / base_value
    return Ratio(
        name=f"{name} ({value:.1f} MiB)",
        base=f"{base} ({base_value:.1f} MiB)",
        median=ratio,
        low=ratio,
        high=ratio,
        seconds=0.0,
        base_seconds=0.0,
        goal=Goal(limit=limit),
    )
