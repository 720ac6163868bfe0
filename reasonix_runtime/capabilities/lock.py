"""A lock for many readers and one writer: calls read, changes of a server's life write."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class CallLock:
    """Calls hold it together; a change waits for them, and calls that come later wait for it."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._calls = 0
        self._changes = 0

    @contextmanager
    def calling(self) -> Iterator[None]:
        """Hold it for one call."""
        with self._condition:
            self._condition.wait_for(lambda: self._changes == 0)
            self._calls += 1
        try:
            yield
        finally:
            with self._condition:
                self._calls -= 1
                self._condition.notify_all()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Hold it alone."""
        with self._condition:
            self._changes += 1
            try:
                self._condition.wait_for(lambda: self._calls == 0)
                yield
            finally:
                self._changes -= 1
                self._condition.notify_all()
