"""Opening things by a directory handle and a name, and never through a link.

The flags are read when something is opened, so that the tools can be declared on systems that have
no such handles; there no workspace is opened.
"""

from __future__ import annotations

import os

SUPPORTED = os.open in os.supports_dir_fd
"""Whether the system opens files relative to a directory handle."""


def open_directory(name: str, *, within: int | None = None) -> int:
    """Return a handle of a directory; raises OSError, also for a link to one."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(name, flags, dir_fd=within)


def open_file(name: str, *, within: int) -> int:
    """Return a handle for reading a file; raises OSError, also for a link to one.

    It does not block: opening a FIFO that was swapped in would wait for a writer for ever.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    return os.open(name, flags, dir_fd=within)


def create_file(name: str, *, within: int) -> int:
    """Return a handle for writing a file that did not exist, private to its owner."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(name, flags, 0o600, dir_fd=within)
