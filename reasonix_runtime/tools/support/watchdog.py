"""No command outlives its host, also when the host is killed.

A small process reads from a pipe which groups are running. The pipe ends when the host does, in
whatever way, and the watchdog then kills the groups that were not reported as ended.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import threading
from contextlib import suppress

_SCRIPT = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    groups.add(int(line[1:])) if line[0] == "+" else groups.discard(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class Watchdog:
    """Started with the first command; one serves the whole process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._groups: set[int] = set()
        self._child: subprocess.Popen[bytes] | None = None
        self._host = 0

    def add(self, group: int) -> None:
        """Have the group killed if the host ends before `remove` is called."""
        with self._lock:
            self._groups.add(group)
            self._tell(f"+{group}\n")

    def remove(self, group: int) -> None:
        """Forget a group that has ended by itself."""
        with self._lock:
            self._groups.discard(group)
            self._tell(f"-{group}\n")

    def close(self) -> None:
        """Let the watchdog do its work now: the host is about to end."""
        with self._lock:
            if self._child is not None and self._host == os.getpid():
                self._child.communicate()
            self._child = None

    def _tell(self, line: str) -> None:
        # A forked child of the host is a host of its own.
        if self._child is None or self._host != os.getpid() or self._child.poll() is not None:
            self._child = self._start()
            self._host = os.getpid()
            line = "".join(f"+{group}\n" for group in sorted(self._groups))
        pipe = self._child.stdin
        assert pipe is not None  # noqa: S101 -- a pipe was asked for
        with suppress(BrokenPipeError):
            pipe.write(line.encode())
            pipe.flush()

    @staticmethod
    def _start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _SCRIPT],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


WATCHDOG = Watchdog()
atexit.register(WATCHDOG.close)
