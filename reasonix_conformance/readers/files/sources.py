"""Opening a recording: plain, gzip or zstandard, as a stream that is read forward once."""

from __future__ import annotations

import io
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import reason_of
from reasonix_runtime.plain import plain

BUFFER = 1 << 20
"""Bytes that are read at a time."""

DEFAULT_EXPANDED = 16 * 2**30
"""Most bytes that a compressed recording may expand to."""

_PIECE = 1 << 16
_ZSTD_PIECE = 1 << 10
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
PACKED = (_GZIP, _ZSTD)
"""The first bytes of compressed data."""
ZIP = b"PK\x03\x04"
"""The first bytes of a zip file that has members."""


class ReadError(ConformanceError):
    """A recording cannot be read; the text says which, why, and what to do.

    It is one line: a line end in the name of a file would begin a second one.
    """

    def __init__(self, *texts: str) -> None:
        super().__init__(*map(plain, texts))


def expands_beyond(limit: int, shown: str) -> ReadError:
    """Return the refusal of a file whose compressed data expand to more than a limit."""
    return ReadError(f"{shown}: expands to more than {limit} bytes; expand it first")


@contextmanager
def opened(
    path: Path, *, shown: str | None = None, expanded: int = DEFAULT_EXPANDED
) -> Iterator[io.BufferedReader[Any]]:
    """Open a file for reading forward; compressed ones, told by their first bytes, are expanded.

    `shown` is what messages call it.

    Raises:
        ReadError: the file cannot be opened, or expands beyond `expanded` bytes.
    """
    shown = shown or str(path)
    try:
        with io.BufferedReader(_UpToNow(path), BUFFER) as raw:
            head = raw.peek(4)[:4]
            if head.startswith(_GZIP):
                yield _bounded(_Gunzip(raw), shown, expanded)
            elif head == _ZSTD:
                yield _bounded(_Unzstd(raw, zstandard(shown)), shown, expanded)
            else:
                yield raw
    except OSError as error:
        raise ReadError(f"{shown}: {reason_of(error)}") from None


def zstandard(shown: str) -> Any:
    """Return the zstandard module, to read a file with such data; `shown` is its name.

    Raises:
        ReadError: it is not installed; the text names the file and the extra.
    """
    try:
        import zstandard as module
    except ImportError:
        raise ReadError(
            f"{shown}: reading zstandard data needs the extra: "
            "pip install 'reasonix-conformance[zstd]'"
        ) from None
    return module


class _UpToNow(io.FileIO):
    """A file up to the size that it has when it is opened: its writer may still append.

    What is no regular file has no size and is read to its end. `damage` says that a file became
    shorter: what was there is gone.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        found = os.fstat(self.fileno())
        self._sized = stat.S_ISREG(found.st_mode)
        self._left = found.st_size if self._sized else sys.maxsize
        self.damage: str | None = None

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer as `io.RawIOBase` does; 0 at the size that the file had."""
        count = super().readinto(memoryview(buffer)[: self._left]) or 0
        self._left -= count
        if not count and self._left and self._sized:
            self.damage = "the file became shorter while it was read"
        return count

    def readall(self) -> bytes:
        """Read what is left of the size that the file had."""
        pieces = []
        while piece := self.read(min(self._left, BUFFER)):
            self._left -= len(piece)
            pieces.append(piece)
        return b"".join(pieces)


class _Gunzip:
    """Expands gzip data member by member; all that was whole is given before damage is told."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self._unpack = zlib.decompressobj(31)
        self._rest = b""

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end; EOFError where more should come."""
        while True:
            if self._unpack.eof:
                self._rest = self._unpack.unused_data or self._raw.read(_PIECE)
                if not self._rest.strip(b"\0"):
                    return b""
                self._unpack = zlib.decompressobj(31)
            packed = self._rest or self._unpack.unconsumed_tail or self._raw.read(_PIECE)
            self._rest = b""
            if not packed:
                raise EOFError
            data = self._unpack.decompress(packed, size)
            if data:
                return data


class _Unzstd:
    """Expands zstandard data frame by frame, and tells of one that has no end.

    The library's own reader takes a frame that stops between two blocks for a whole one. Little is
    expanded at a time, because a byte may become thirty thousand.
    """

    def __init__(self, raw: IO[bytes], module: Any) -> None:
        self._raw = raw
        self._begin = module.ZstdDecompressor().decompressobj
        self._unpack = self._begin()
        self._ready = memoryview(b"")

    def read(self, size: int) -> memoryview:
        """Return up to `size` bytes, none at the end; EOFError where more should come."""
        while not self._ready:
            ended = self._unpack.eof
            packed = (self._unpack.unused_data if ended else b"") or self._raw.read(_ZSTD_PIECE)
            if not packed:
                if ended:
                    break
                raise EOFError
            if ended:
                self._unpack = self._begin()
            self._ready = memoryview(self._unpack.decompress(packed))
        data, self._ready = self._ready[:size], self._ready[size:]
        return data


class _Bounded(io.RawIOBase):
    """Reads from `inner` up to where it is damaged, and refuses to expand beyond a limit."""

    def __init__(self, inner: _Gunzip | _Unzstd, shown: str, limit: int) -> None:
        self._inner = inner
        self._shown = shown
        self._limit = self._left = limit
        self.damage: str | None = None

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer as `io.RawIOBase` does; damaged data end the file and set `damage`.

        Raises ReadError once more bytes came out than the limit allows.
        """
        try:
            data = self._inner.read(len(buffer))
        except MemoryError:
            raise
        except EOFError:
            self.damage = "the compressed data ends too early"
            return 0
        except Exception as error:  # each library has its own class for damaged data
            self.damage = f"the compressed data is damaged: {error}"
            return 0
        self._left -= len(data)
        if self._left < 0:
            raise expands_beyond(self._limit, self._shown)
        buffer[: len(data)] = data
        return len(data)


def _bounded(inner: _Gunzip | _Unzstd, shown: str, limit: int) -> io.BufferedReader[Any]:
    return io.BufferedReader(_Bounded(inner, shown, limit), BUFFER)


def damage_of(stream: IO[bytes]) -> str | None:
    """Return why a stream ended early: damaged compressed data, or a file that was cut; or None."""
    return getattr(getattr(stream, "raw", None), "damage", None)
