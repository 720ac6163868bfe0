"""An interrupt while a command is still being loaded ends it at once, and without a word.

Python would show where in its imports it was, and some extension modules crash when one is raised
in the middle of their own.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_ENDS: Final = ("SIGTERM", "SIGHUP")
"""By what a supervisor or a closed terminal ends a process, where the system has it."""


def end_at_once() -> None:
    """Let an interrupt end the process; one that is ignored, as behind `nohup`, stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_from_now_on() -> None:
    """Let an interrupt raise `KeyboardInterrupt` again: now there is something to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def also_by_the_system() -> Iterator[None]:
    """Let what ends a process interrupt it inside, so that it tidies up; what is ignored stays so.

    Only a main thread hears signals; in any other nothing changes.
    """
    heard = []
    if threading.current_thread() is threading.main_thread():
        known = [getattr(signal, name) for name in _ENDS if hasattr(signal, name)]
        heard = [one for one in known if signal.getsignal(one) is signal.SIG_DFL]
    for one in heard:
        signal.signal(one, signal.default_int_handler)
    try:
        yield
    finally:
        for one in heard:
            signal.signal(one, signal.SIG_DFL)
