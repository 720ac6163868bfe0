"""One command as a process group: started, drained, and ended as a whole.

Standard input is empty and both outputs share one pipe, so their bytes keep the order in which
they were written. A thread drains the pipe without pause; a second one sees the command end, ends
what it left behind, and reaps it. A group is asked with TERM and, after a grace, made to with
KILL; on a time limit this includes descendants that left the group.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias

from reasonix_runtime.tools.errors import ToolError, os_reason
from reasonix_runtime.tools.support import process_tree
from reasonix_runtime.tools.support.capture import Capture
from reasonix_runtime.tools.support.watchdog import WATCHDOG

GRACE_S = 2.0
"""How long a group may take to obey TERM."""

PIPE_WAIT_S = 5.0
"""How long to wait for the end of the output when something outside the group holds the pipe."""

_GATE = ("/bin/sh", "-c", 'read -r go || exit 125; exec "$@" </dev/null', "sh")
"""Waits for a line on standard input, then becomes the command with an empty one.

Only when the watchdog knows the group is the line sent: a host that is killed in between leaves a
command that never ran.
"""

_CHUNK = 65536
_POLL_S = 0.005

State: TypeAlias = Literal["completed", "failed", "timed_out", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """How a command ended.

    `exit_code` is None when a signal ended it, which `signal` then names. `pipe_held` tells that a
    process outside the group kept the output open, so that its end was not seen.
    """

    state: State
    exit_code: int | None
    signal: int | None = None
    pipe_held: bool = False

    @property
    def status(self) -> str:
        """The exit in words, as `exit status 1` or `signal: killed`."""
        if self.signal is not None:
            return f"signal: {(signal.strsignal(self.signal) or str(self.signal)).lower()}"
        return f"exit status {self.exit_code}"


class Process:
    """A running command; `ending` is set once it and its group are gone.

    `keep_leftovers` spares processes of the group that outlive a normal exit. Raises ToolError
    when the command cannot be started at all.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        directory: str,
        environment: Mapping[str, str],
        capture: Capture,
        keep_leftovers: bool = False,
        on_end: Callable[[Ending], None] | None = None,
    ) -> None:
        if shutil.which(argv[0]) is None:
            raise ToolError(f"cannot start {argv[0]}: no such program")
        try:
            self._child = subprocess.Popen(
                [*_GATE, *argv],
                cwd=directory,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise ToolError(f"cannot start {argv[0]}: {os_reason(error)}") from error
        self._capture = capture
        self._keep_leftovers = keep_leftovers
        self._on_end = on_end
        self._stopped: State | None = None
        self._reading = threading.Lock()
        self._settled = False
        self._leader_gone = threading.Event()
        self._ended = threading.Event()
        self.ending: Ending | None = None
        self._reader = threading.Thread(target=self._drain, daemon=True)
        try:
            WATCHDOG.add(self._child.pid)
            self._reader.start()
            self._open_gate()
            threading.Thread(target=self._attend, daemon=True).start()
        except BaseException:
            # An interrupt of the host: nobody will have this object to stop it by.
            self._signal_group(signal.SIGKILL)
            self._child.wait()
            WATCHDOG.remove(self._child.pid)
            raise

    def _open_gate(self) -> None:
        assert self._child.stdin is not None  # noqa: S101 -- a pipe was asked for
        with suppress(BrokenPipeError), self._child.stdin as gate:
            gate.write(b"\n")

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end; tell whether it came."""
        return self._ended.wait(seconds)

    def run_out(self, seconds: float | None) -> Ending:
        """Wait for the end and return it; after `seconds` the command is ended as timed out."""
        try:
            if not self.wait(seconds):
                self.stop("timed_out")
        finally:
            # Only an interrupt of the host gets here before the end.
            if self.ending is None:
                self.stop("cancelled")
        ending = self.ending
        assert ending is not None  # noqa: S101 -- `stop` returns after the end
        return ending

    def cancel(self) -> None:
        """Have the command ended as cancelled, and do not wait for it."""
        threading.Thread(target=self.stop, args=("cancelled",), daemon=True).start()

    def stop(self, state: State) -> None:
        """End the command and everything it started; returns once that is done."""
        if not self._leader_gone.is_set():
            self._stopped = self._stopped or state
            tree = process_tree.descendants(self._child.pid)
            self._signal_group(signal.SIGTERM)
            _signal_each(tree, signal.SIGTERM)
            if not self._leader_gone.wait(GRACE_S):
                tree |= process_tree.descendants(self._child.pid)
                self._signal_group(signal.SIGKILL)
            _signal_each(tree, signal.SIGKILL)
        self._ended.wait()

    def _drain(self) -> None:
        assert self._child.stdout is not None  # noqa: S101 -- a pipe was asked for
        pipe = self._child.stdout.fileno()
        ready = select.poll()
        ready.register(pipe, select.POLLIN)
        with self._child.stdout:
            while True:
                ready.poll()
                # The lock is what tells `_settle_pipe` that nothing is on its way to the capture.
                with self._reading:
                    chunk = os.read(pipe, _CHUNK)
                    # What a left-over process writes later is drained and belongs to no result.
                    if not self._settled:
                        self._capture.write(chunk)
                if not chunk:
                    return

    def _attend(self) -> None:
        """See the command end, end its group, reap it, and tell the result."""
        try:
            if hasattr(os, "waitid"):
                # WNOWAIT: until it is reaped, the group's number cannot go to another process.
                os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOWAIT)
            else:
                self._child.wait()
        except ChildProcessError:
            # The interrupt came while this thread was being started: the command was ended there,
            # and nobody holds this object.
            return
        self._leader_gone.set()
        if self._keep_leftovers and self._stopped is None:
            code = self._child.wait()
        else:
            code = self._end_group()
        WATCHDOG.remove(self._child.pid)
        held = self._settle_pipe()
        with self._reading:
            self._settled = True
        self.ending = self._ending(code, pipe_held=held)
        try:
            if self._on_end is not None:
                self._on_end(self.ending)
        finally:
            self._ended.set()

    def _ending(self, code: int, *, pipe_held: bool) -> Ending:
        return Ending(
            state=self._stopped or ("failed" if code else "completed"),
            exit_code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            pipe_held=pipe_held,
        )

    def _end_group(self) -> int:
        """End what is left of the group and reap its leader; return the leader's code."""
        group = self._child.pid
        others = process_tree.group_members(group) - {group}
        if others or not process_tree.AVAILABLE:
            self._signal_group(signal.SIGTERM)
            deadline = time.monotonic() + GRACE_S
            while process_tree.group_members(group) - {group} and time.monotonic() < deadline:
                time.sleep(_POLL_S)
            self._signal_group(signal.SIGKILL)
        return self._child.wait()

    def _settle_pipe(self) -> bool:
        """Wait until all output is captured; tell whether somebody still holds the pipe."""
        if not self._keep_leftovers:
            self._reader.join(PIPE_WAIT_S)
            return self._reader.is_alive()
        # What is kept running may hold the pipe for ever, so only what is in it now is awaited.
        deadline = time.monotonic() + PIPE_WAIT_S
        while self._reader.is_alive() and time.monotonic() < deadline:
            with self._reading:
                if not self._unread():
                    break
            time.sleep(0)
        return self._reader.is_alive()

    def _unread(self) -> bool:
        """Whether the pipe holds bytes, or its end, that the reader has not taken yet."""
        assert self._child.stdout is not None  # noqa: S101 -- a pipe was asked for
        if self._child.stdout.closed:
            return False
        ready = select.poll()
        ready.register(self._child.stdout.fileno(), select.POLLIN)
        return bool(ready.poll(0))

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._child.pid, number)


def _signal_each(members: set[process_tree.Member], number: signal.Signals) -> None:
    for member in members:
        process_tree.send(member, number)
