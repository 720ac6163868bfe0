"""Processes that commands of a test have started: whether they run, and when they are gone."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

from tool_bench import Bench

from reasonix_runtime.tools.support import process_tree


def alive(pid: int) -> bool:
    """Tell whether a process runs; a dead one that nobody has reaped does not."""
    return (
        pid in process_tree.group_members(os.getpgid(pid))
        if Path(f"/proc/{pid}").exists()
        else False
    )


def gone(pid: int) -> bool:
    """Wait a moment until a process is gone; tell whether it is."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            if not alive(pid):
                return True
        except ProcessLookupError:
            return True
        threading.Event().wait(0.01)
    return False


def runs(pid: int, program: bytes) -> bool:
    """Wait a moment until a process has become a program; tell whether it is that now."""
    deadline = time.monotonic() + 60
    line = Path(f"/proc/{pid}/cmdline")
    # Between its fork and the start of its program, and once it is dead, it has no command line.
    while time.monotonic() < deadline and line.exists():
        if program in line.read_bytes():
            return True
        threading.Event().wait(0.01)
    return False


def started(bench: Bench, file: str) -> int:
    """Return the process number that a command wrote to a file, once it is there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        path = bench.root / file
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        threading.Event().wait(0.01)
    raise AssertionError(f"{file} was not written")
