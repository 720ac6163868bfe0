"""A server process that does not outlive its host, whatever ends the host.

The library starts the process and tells nobody its number, so a shell in front of it does: through
a named pipe it tells the number of the group and at last the exit status. It starts the server only
when the watchdog knows the group.
"""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from reasonix_runtime.tools.support.watchdog import WATCHDOG

AVAILABLE = hasattr(os, "mkfifo")

_FRONT = (
    "-c",
    'exec 4<"$1" 3<>"$0"; shift; echo $$ >&3; read -r go <&4 || exit 125; exec 4<&-; '
    '"$@" 3>&-; status=$?; echo $status >&3; exit $status',
)


class Guard:
    """What is known of one process: the command to start it by, its group and its exit status."""

    def __init__(self, folder: Path, argv: Sequence[str]) -> None:
        self._folder = folder
        told, gate = folder / "told", folder / "gate"
        # Both for both: a pipe that lost its writer would be ready without end, and one that has no
        # reader yet cannot be opened.
        self._file, self._gate = map(_new_pipe, (told, gate))
        self._told = b""
        self._group: int | None = None
        self.command = "/bin/sh"
        self.args = [*_FRONT, str(told), str(gate), *argv]

    @property
    def file(self) -> int:
        """The file descriptor that is ready when there is something to hear."""
        return self._file

    @property
    def status(self) -> int | None:
        """The exit status, None while the process runs."""
        self.hear()
        lines = self._told.split()
        return int(lines[1]) if len(lines) > 1 and self._told.endswith(b"\n") else None

    def hear(self) -> None:
        """Take in what was told; the group is the watchdog's from then on."""
        with suppress(BlockingIOError):
            self._told += os.read(self._file, 64)
        if self._group is None and b"\n" in self._told:
            self._group = int(self._told.split()[0])
            WATCHDOG.add(self._group)
            # The process has opened its pipes: removed before the server starts, the folder does
            # not stay where the host is killed as soon as it runs.
            shutil.rmtree(self._folder, ignore_errors=True)
            os.write(self._gate, b"\n")

    def close(self) -> None:
        """Forget a process that has ended."""
        self.hear()
        os.close(self._file)
        os.close(self._gate)
        if self._group is not None:
            WATCHDOG.remove(self._group)
        shutil.rmtree(self._folder, ignore_errors=True)


def _new_pipe(path: Path) -> int:
    os.mkfifo(path)
    return os.open(path, os.O_RDWR | os.O_NONBLOCK)


@contextmanager
def guarded(argv: Sequence[str], cwd: str | None, env: Mapping[str, str]) -> Iterator[Guard]:
    """Watch over a process that is started within; raises OSError for a program there is not."""
    _require_program(argv[0], cwd, env)
    guard = Guard(Path(tempfile.mkdtemp(prefix="reasonix-server-")), argv)
    loop = asyncio.get_running_loop()
    loop.add_reader(guard.file, guard.hear)
    try:
        yield guard
    finally:
        loop.remove_reader(guard.file)
        guard.close()


def _require_program(program: str, cwd: str | None, env: Mapping[str, str]) -> None:
    """Raise what starting it without a shell would raise."""
    place = str(Path(cwd or "") / program) if "/" in program else program
    if shutil.which(place, path=env.get("PATH")) is None:
        number = errno.EACCES if Path(place).exists() else errno.ENOENT
        raise OSError(number, os.strerror(number), program)
