"""The workspace: every path that a tool names is resolved, judged and opened here.

A path is joined to the workspace directory, resolved with all its links, and must then be one of
the roots or lie below one. The file itself is opened from the root's directory handle, one
component at a time, never following a link: whatever is swapped between the check and the use, the
handle stays inside. Writes go through `atomic.replace`.
"""

from __future__ import annotations

import errno
import fnmatch
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from reasonix_runtime.tools.errors import (
    ChangedError,
    NotRegularError,
    OutsideWorkspaceError,
    PathError,
    os_reason,
)
from reasonix_runtime.tools.support import atomic, handles
from reasonix_runtime.tools.support.text_files import UTF8, Text, decode, encode

NEW_DIRECTORY_MODE = 0o755

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes of a file that tools take into memory."""

SENSITIVE_NAMES = (".env", ".git-credentials", ".netrc", "*.pem", "*.key", "*.p12", "*.pfx")
"""Files with credentials; hidden when the workspace protects them, like everything in `~/.ssh`."""

_MISSING = "no such file or directory"


@dataclass(frozen=True, slots=True)
class Root:
    """A directory below which paths are allowed, by its real path and its identity."""

    path: str
    device: int
    inode: int


@dataclass(frozen=True, slots=True)
class Place:
    """A path that was judged.

    `shown` is the path joined to the workspace, for messages. `real` is free of links. `inside`
    are the components below `root`.
    """

    shown: str
    real: str
    root: Root
    inside: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read: what a later write is checked against."""

    place: Place
    data: bytes
    mode: int


@dataclass(frozen=True, slots=True)
class TextSnapshot:
    """A text file as it was read, decoded."""

    snapshot: Snapshot
    content: Text

    @property
    def text(self) -> str:
        """The decoded text, without a byte order mark."""
        return self.content.text


class Workspace:
    """One directory, the roots beside it, and the only way that tools reach files.

    `roots` are further directories that may be read and written. `hidden` answers as if it did not
    exist, `guarded` may be read and never written. `encodings` declares the encoding of files by
    pattern of their name. With `sensitive_hidden`, files with credentials are hidden too.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        roots: Sequence[str | os.PathLike[str]] = (),
        hidden: Sequence[str | os.PathLike[str]] = (),
        guarded: Sequence[str | os.PathLike[str]] = (),
        encodings: Sequence[tuple[str, str]] = (),
        sensitive_hidden: bool = False,
    ) -> None:
        self.directory = os.path.abspath(directory)
        if not handles.SUPPORTED:
            raise PathError(
                "open workspace",
                self.directory,
                "this system has no directory handles, which keep a workspace closed; run the "
                "host on Linux or macOS",
            )
        self.roots = tuple(_root(path) for path in (self.directory, *roots))
        self.encodings = tuple(encodings)
        self.hidden = tuple(os.path.realpath(path) for path in hidden)
        self.guarded = tuple(os.path.realpath(path) for path in guarded)
        self._sensitive_hidden = sensitive_hidden

    def shown(self, path: str) -> str:
        """Return `path` joined to the workspace directory; no `~` or variable is expanded."""
        return os.path.normpath(os.path.join(self.directory, path))

    def locate(self, path: str) -> Place:
        """Resolve a path with its links; raises OutsideWorkspaceError and PathError."""
        if "\0" in path:
            raise PathError("open", repr(path), "a path cannot hold a NUL character")
        try:
            os.fsencode(path)
        except UnicodeEncodeError as error:
            raise PathError("open", ascii(path), "the path is not valid Unicode text") from error
        shown = self.shown(path)
        # Not `shown`: `..` is applied after the links before it, as the system does.
        try:
            real = os.path.realpath(os.path.join(self.directory, path))
        except OSError as error:
            # What was a link when it was looked at was none when it was read.
            raise PathError("open", shown, os_reason(error)) from error
        for root in self.roots:
            if _is_below(real, root.path):
                inside = tuple(part for part in real[len(root.path) :].split("/") if part)
                return Place(shown, real, root, inside)
        raise OutsideWorkspaceError(
            f"{path} is outside the workspace ({', '.join(root.path for root in self.roots)}); "
            "use a path below it, or ask the user to add the directory to the roots"
        )

    def locate_entry(self, path: str) -> Place:
        """Resolve a path up to its last part: a link there is itself what is meant.

        What the path leads to must be allowed as well.
        """
        place = self.locate(path)
        parent, name = os.path.split(os.path.join(self.directory, path).rstrip("/"))
        if name in {"", ".", ".."}:
            return place
        above = self.locate(parent)
        real = os.path.join(above.real, name)
        return Place(place.shown, real, above.root, (*above.inside, name))

    def is_hidden(self, real: str) -> bool:
        """Whether that resolved path is to be answered as if it did not exist."""
        if any(_is_below(real, hidden) for hidden in self.hidden):
            return True
        if not self._sensitive_hidden:
            return False
        name = os.path.basename(real)
        return _is_below(real, os.path.expanduser("~/.ssh")) or any(
            fnmatch.fnmatchcase(name, pattern) for pattern in SENSITIVE_NAMES
        )

    def visible(self, path: str, operation: str) -> Place:
        """Locate a path to be read; raises PathError, for a hidden one as if it were none."""
        place = self.locate(path)
        if self.is_hidden(place.real):
            raise PathError(operation, place.shown, _MISSING)
        return place

    def writable(self, path: str) -> Place:
        """Locate a path that is to be written; a guarded one is refused."""
        place = self.visible(path, "write")
        self.require_unguarded(place)
        return place

    def require_unguarded(self, place: Place) -> None:
        """Refuse a place that belongs to the host itself; raises PathError."""
        if any(_is_below(place.real, guarded) for guarded in self.guarded):
            raise PathError(
                "write", place.shown, "this belongs to the host's own state and is not written"
            )

    def stat(self, place: Place) -> os.stat_result | None:
        """Return what stands at the place, None for nothing; raises PathError if that is closed."""
        try:
            with self.parent(place) as (handle, name):
                return os.stat(name, dir_fd=handle, follow_symlinks=False)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise PathError("stat", place.shown, os_reason(error)) from error

    def read(self, place: Place, *, operation: str = "read") -> Snapshot:
        """Read a regular file whole; raises PathError and NotRegularError naming `operation`."""
        try:
            with self.parent(place) as (handle, name):
                return _read(place, handle, name, operation)
        except OSError as error:
            raise PathError(
                operation, place.shown, f"open {place.real}: {os_reason(error)}"
            ) from error

    def read_text(self, place: Place, *, operation: str = "read") -> TextSnapshot:
        """Read a text file; raises TextError for what cannot be decoded without loss."""
        snapshot = self.read(place, operation=operation)
        content = decode(snapshot.data, path=place.shown, declared=self.declared(place))
        return TextSnapshot(snapshot, content)

    def declared(self, place: Place) -> str | None:
        """Return the encoding that the host declares for that file, if any."""
        return self.declared_for(os.path.basename(place.real))

    def declared_for(self, name: str) -> str | None:
        """Return the encoding that the host declares for files of that name, if any."""
        for pattern, codec in self.encodings:
            if fnmatch.fnmatchcase(name, pattern):
                return codec
        return None

    def change_text(self, before: TextSnapshot, text: str) -> int:
        """Store a new text in place of the one that was read; return the bytes written.

        Encoding, mark and mode stay. Raises ChangedError when the file is another one by now.
        """
        place = before.snapshot.place
        data = encode(text, before.content.encoding, path=place.shown)
        self._replace(place, data, before.snapshot)
        return len(data)

    def create_text(self, place: Place, text: str) -> int:
        """Store a new file as UTF-8, with the directories it needs; return the bytes written."""
        data = encode(text, UTF8, path=place.shown)
        self.make_parents(place)
        self._replace(place, data, None)
        return len(data)

    def make_parents(self, place: Place) -> None:
        """Create the missing directories above a place, mode 0755; raises PathError."""
        try:
            with _open_root(place.root) as handle:
                _make_directories(handle, place.inside[:-1])
        except OSError as error:
            directory = os.path.dirname(place.shown)
            raise PathError("mkdir", directory, os_reason(error)) from error

    @contextmanager
    def parent(self, place: Place) -> Iterator[tuple[int, str]]:
        """Open the directory that holds a place; yield its handle and the name in it.

        The root itself is `.` of its own handle. Raises OSError.
        """
        with _open_root(place.root) as root, _walk(root, place.inside[:-1]) as handle:
            yield handle, place.inside[-1] if place.inside else "."

    def _replace(self, place: Place, data: bytes, before: Snapshot | None) -> None:
        try:
            with self.parent(place) as (handle, name), atomic.exclusive(handle):
                _check_unchanged(place, handle, name, before)
                atomic.replace(handle, name, data, mode=before.mode if before else None)
        except OSError as error:
            raise PathError("write", place.shown, os_reason(error)) from error


def _is_below(path: str, root: str) -> bool:
    """Whether a resolved path is `root` or lies below it, compared by component."""
    return path == root or path.startswith(root.rstrip("/") + "/")


def _root(path: str | os.PathLike[str]) -> Root:
    real = os.path.realpath(path)
    try:
        found = os.stat(real)
    except OSError as error:
        raise PathError("open workspace", real, os_reason(error)) from error
    if not stat.S_ISDIR(found.st_mode):
        raise PathError("open workspace", real, "not a directory")
    return Root(real, found.st_dev, found.st_ino)


@contextmanager
def _open_root(root: Root) -> Iterator[int]:
    """Open a root and make sure that it is still the directory that was configured."""
    handle = handles.open_directory(root.path)
    try:
        found = os.fstat(handle)
        if (found.st_dev, found.st_ino) != (root.device, root.inode):
            raise OSError(errno.ESTALE, "the workspace directory was replaced", root.path)
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _walk(root: int, parts: Sequence[str]) -> Iterator[int]:
    """Open a directory below `root`, one component at a time, never through a link."""
    handle = os.dup(root)
    try:
        for part in parts:
            below = handles.open_directory(part, within=handle)
            os.close(handle)
            handle = below
        yield handle
    finally:
        os.close(handle)


def _make_directories(root: int, parts: Sequence[str]) -> None:
    handle = os.dup(root)
    try:
        for part in parts:
            with suppress(FileExistsError):
                os.mkdir(part, NEW_DIRECTORY_MODE, dir_fd=handle)
            below = handles.open_directory(part, within=handle)
            os.close(handle)
            handle = below
    finally:
        os.close(handle)


def _read(place: Place, handle: int, name: str, operation: str) -> Snapshot:
    """Read a regular file through its directory handle; other kinds are never opened."""
    _require_regular(place, os.stat(name, dir_fd=handle, follow_symlinks=False), operation)
    with os.fdopen(handles.open_file(name, within=handle), "rb") as file:
        # Asked again of what was really opened: the name may have changed hands.
        found = os.fstat(file.fileno())
        _require_regular(place, found, operation)
        if found.st_size > LARGEST_FILE:
            raise PathError(
                operation,
                place.shown,
                f"{found.st_size} bytes are too many; use bash to take a part",
            )
        return Snapshot(place, file.read(), stat.S_IMODE(found.st_mode))


def _require_regular(place: Place, found: os.stat_result, operation: str) -> None:
    if stat.S_ISREG(found.st_mode):
        return
    if stat.S_ISDIR(found.st_mode):
        raise NotRegularError(operation, place.shown, "is a directory; list it with the ls tool")
    if stat.S_ISLNK(found.st_mode):
        raise ChangedError(
            operation, place.shown, "a link took its place while it was being opened"
        )
    raise NotRegularError(operation, place.shown, f"is {_kind(found.st_mode)}, not a regular file")


def _kind(mode: int) -> str:
    """Name a file type for a message."""
    for test, name in (
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a character device"),
        (stat.S_ISBLK, "a block device"),
    ):
        if test(mode):
            return name
    return "a special file"


def _check_unchanged(place: Place, handle: int, name: str, before: Snapshot | None) -> None:
    """Refuse to write over anything but the file that was read."""
    try:
        now = _read(place, handle, name, "write")
    except FileNotFoundError:
        if before is not None:
            raise ChangedError("write", place.shown, "the file is gone since it was read") from None
        return
    if before is None:
        raise ChangedError("write", place.shown, "a file appeared there meanwhile; read it first")
    if now.data != before.data:
        raise ChangedError(
            "write", place.shown, "the file changed since it was read; read it again and retry"
        )
