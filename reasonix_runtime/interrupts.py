"""An interrupt while a command is still being loaded ends it at once, and without a word.

Python would show where in its imports it was, and some extension modules crash when one is raised
in the middle of their own.
"""

from __future__ import annotations

import signal


def end_at_once() -> None:
    """Let an interrupt end the process; one that is ignored, as behind `nohup`, stays so."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def raise_from_now_on() -> None:
    """Let an interrupt raise `KeyboardInterrupt` again: now there is something to tidy up."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
