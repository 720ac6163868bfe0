"""What a command wrote: one stream, in order, bounded, never lost in silence."""

from __future__ import annotations

import codecs
import logging
import tempfile
import threading
from collections.abc import Callable

FOREGROUND_LIMIT = 16 * 1024 * 1024
BACKGROUND_LIMIT = 256 * 1024 * 1024
"""How many bytes of a command are kept; of what comes after, only the tail."""

TAIL = 64 * 1024
"""Bytes of the tail."""

LOG = logging.getLogger(__name__)

_IN_MEMORY = 1024 * 1024


class Capture:
    """The bytes that a command wrote to its two streams.

    Kept in memory up to 1 MiB, then in an unnamed file that nobody else can open. Bytes beyond
    `limit` are counted and only the last `TAIL` of them are kept. `listener` is told every piece
    as it comes. Safe for one writer and any readers.
    """

    def __init__(
        self,
        *,
        limit: int = FOREGROUND_LIMIT,
        listener: Callable[[bytes], None] | None = None,
    ) -> None:
        self._lock = threading.Lock()
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 -- lives as long as the capture
        self._limit = limit
        self._listener = listener
        self._kept = 0
        self._beyond = 0
        self._tail = b""
        self._closed = False

    def write(self, data: bytes) -> None:
        """Append what the command wrote; ignored after `close`."""
        with self._lock:
            if self._closed:
                return
            head = data[: max(0, self._limit - self._kept)]
            if head:
                self._file.seek(self._kept)
                self._file.write(head)
                self._kept += len(head)
            rest = data[len(head) :]
            self._beyond += len(rest)
            self._tail = (self._tail + rest)[-TAIL:]
        if self._listener is not None:
            self._tell(self._listener, data)

    def _tell(self, listener: Callable[[bytes], None], data: bytes) -> None:
        """Pass a piece on; a listener that fails must not stop the draining of the pipe."""
        try:
            listener(data)
        except Exception:
            LOG.exception("a listener of command output failed and is not told any more")
            self._listener = None

    def close(self) -> None:
        """Give the storage back."""
        with self._lock:
            self._closed = True
            self._file.close()

    @property
    def lost(self) -> int:
        """How many bytes were written and are neither in the kept part nor in the tail."""
        return self._beyond - len(self._tail)

    def read(self, start: int = 0) -> bytes:
        """Return the kept bytes from `start` on."""
        with self._lock:
            self._file.seek(start)
            return self._file.read()

    def tail(self) -> bytes:
        """Return the last bytes written beyond the limit."""
        return self._tail


def decode_output(data: bytes, code_page: str | None = None) -> str:
    """Return command output as text: UTF-8, else the set code page, else UTF-8 with escapes.

    An escape shows a byte that is no UTF-8 in hexadecimal, so that nothing written is lost.
    """
    for codec in ("utf-8", code_page):
        if codec is None:
            continue
        try:
            return data.decode(codec)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", errors="backslashreplace")


def whole_characters(data: bytes, code_page: str | None = None) -> int:
    """Return how many leading bytes end at a character: what may be shown while more may come."""
    for codec in ("utf-8", code_page):
        if codec is None:
            continue
        decoder = codecs.getincrementaldecoder(codec)()
        try:
            decoder.decode(data, final=False)
        except UnicodeDecodeError:
            continue
        state = decoder.getstate()[0]
        return len(data) - len(state)
    return len(data)


def full_text(capture: Capture, code_page: str | None = None) -> str:
    """Return everything that is kept; a gap says how many bytes are missing there."""
    head = decode_output(capture.read(), code_page)
    tail = capture.tail()
    if not tail:
        return head
    gap = f"\n[{capture.lost} bytes of output were not kept]\n" if capture.lost else ""
    return head + gap + decode_output(tail, code_page)
