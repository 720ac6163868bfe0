"""One run at a time on a file: a lock beside it, which ends with the process that holds it.

The file itself is put in place anew at every write, so that a lock on it would be one on a file
that nobody reads any more.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from reasonix_runtime.errors import ReasonixError

_UNLOCKABLE = frozenset({errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL})


class HeldError(ReasonixError):
    """Another process works on a file; `path` names it, `holder` the process, empty if unknown."""

    def __init__(self, path: Path, holder: str) -> None:
        who = f"another run (process {holder})" if holder else "another run"
        super().__init__(
            f"{path}: {who} works on this goal: wait until it has ended, or interrupt it; for "
            "another goal name another file"
        )
        self.path = path
        self.holder = holder


def lock_of(path: Path) -> Path:
    """Return the file whose lock keeps others from a file."""
    return path.parent / f".{path.name}.lock"


@contextlib.contextmanager
def held(path: Path) -> Iterator[None]:
    """Keep other processes from a file until the block is left.

    Where no file can be made, or the system has no such locks, nothing is kept from anybody.

    Raises:
        HeldError: another process holds it.
    """
    lock = lock_of(path)
    handle = _taken(path, lock)
    try:
        yield
    finally:
        if handle is not None:
            with contextlib.suppress(OSError):
                lock.unlink()
            os.close(handle)


def _taken(path: Path, lock: Path) -> int | None:
    """Return the locked handle, None where there are no locks."""
    try:
        import fcntl
    except ImportError:
        return None
    while True:
        try:
            handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return None
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_there(handle, lock):
                os.ftruncate(handle, 0)
                os.write(handle, f"{os.getpid()}\n".encode())
                return handle
        except BlockingIOError:
            holder = os.read(handle, 32).decode("ascii", "replace").strip()
            os.close(handle)
            raise HeldError(path, holder) from None
        except OSError as error:
            os.close(handle)
            if error.errno in _UNLOCKABLE:
                return None
            raise
        os.close(handle)


def _is_there(handle: int, lock: Path) -> bool:
    """Whether a file that was locked is still the one of that name: its holder takes it away."""
    try:
        return os.path.samestat(os.fstat(handle), lock.stat())
    except FileNotFoundError:
        return False
