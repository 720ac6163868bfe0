"""A request to stop, which a running tool is told about at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Cancellation:
    """Starts as not requested; `cancel` requests it once and for good, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requested = False
        self._listeners: list[Callable[[], None]] = []

    @property
    def requested(self) -> bool:
        """Whether somebody asked to stop."""
        return self._requested

    def cancel(self) -> None:
        """Ask whatever runs under this cancellation to stop."""
        with self._lock:
            listeners, self._listeners = self._listeners, []
            self._requested = True
        for listener in listeners:
            listener()

    @contextmanager
    def calling(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` when the request comes while inside; at once if it came before."""
        with self._lock:
            if not self._requested:
                self._listeners.append(listener)
        if self._requested:
            listener()
        try:
            yield
        finally:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)
