"""Writing a file so that at every moment the old or the new one stands there, whole.

The new bytes go to a temporary file in the same directory, are synced, get the mode and owner of
the old file and are renamed over it; the directory is synced last. All writers of a directory
take turns by a lock on it, so one fixed temporary name is enough, and one that is found there was
left by a writer that was killed: the next write removes it.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from reasonix_runtime.tools.support import handles

TEMPORARY = ".atomic-reasonix.tmp"
"""The name of the temporary file in the directory that is written to."""

NEW_FILE_MODE = 0o644

LOCK_WAIT_S = 10.0
"""How long a write waits for another process that writes in the same directory."""

_POLL_S = 0.01

# Where a file system has no flock, the writers of this process still take turns.
_threads = threading.Lock()


@contextmanager
def exclusive(directory: int) -> Iterator[None]:
    """Hold the right to write in an open directory; raises OSError after `LOCK_WAIT_S`."""
    with _threads:
        _lock(directory)
        try:
            yield
        finally:
            # Not left to closing the handle: a process that is just being started has it too.
            _unlock(directory)


def replace(directory: int, name: str, data: bytes, *, mode: int | None) -> None:
    """Put a file with those bytes at `name`; call it while holding `exclusive`.

    `mode` are the permission bits of the old file, None for a new one. Raises OSError; the old
    file then stands untouched and no temporary file is left.
    """
    with suppress(FileNotFoundError):
        os.unlink(TEMPORARY, dir_fd=directory)
    try:
        _write_temporary(directory, name, data, mode)
        os.replace(TEMPORARY, name, src_dir_fd=directory, dst_dir_fd=directory)
    except OSError:
        with suppress(FileNotFoundError):
            os.unlink(TEMPORARY, dir_fd=directory)
        raise
    _sync_directory(directory)


def _write_temporary(directory: int, name: str, data: bytes, mode: int | None) -> None:
    with os.fdopen(handles.create_file(TEMPORARY, within=directory), "wb") as file:
        file.write(data)
        file.flush()
        if mode is not None:
            _keep_owner(directory, name, file.fileno())
        # After the owner: changing it clears the set-user-id bits.
        os.fchmod(file.fileno(), NEW_FILE_MODE if mode is None else mode)
        os.fsync(file.fileno())


def _keep_owner(directory: int, name: str, file: int) -> None:
    """Give the new file the owner of the old one, where the process may do so."""
    old = os.stat(name, dir_fd=directory, follow_symlinks=False)
    new = os.fstat(file)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid) and stat.S_ISREG(old.st_mode):
        with suppress(PermissionError):
            os.fchown(file, old.st_uid, old.st_gid)


def _sync_directory(directory: int) -> None:
    """Make the rename itself durable; some file systems cannot sync a directory."""
    try:
        os.fsync(directory)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.EROFS}:
            raise


def _unlock(directory: int) -> None:
    import fcntl

    with suppress(OSError):
        fcntl.flock(directory, fcntl.LOCK_UN)


def _lock(directory: int) -> None:
    # Fetched here: tools are declared on systems without it, too.
    import fcntl

    deadline = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise OSError(errno.EBUSY, "another process is writing in this directory") from None
            time.sleep(_POLL_S)
        except OSError as error:
            if error.errno in {errno.ENOTSUP, errno.ENOLCK, errno.ENOSYS, errno.EINVAL}:
                return
            raise
        else:
            return
