"""Plugins that the tests of every floor may use, how examples are chosen, what children inherit."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

from hypothesis import settings

pytest_plugins = ["pytester"]

# The same examples on every machine and in every run; `--hypothesis-profile=exploring` has others.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("exploring", deadline=None)
settings.load_profile("repeatable")


# What tests share stands beside them, and is found there in any `--import-mode`.
_FOLDERS = {str(path.parent) for path in Path(__file__).parent.rglob("*.py")}
sys.path[:0] = sorted(_FOLDERS.difference(sys.path))

# Children keep what they compile: compiling all of it again takes each of them a second.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def _unheard(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing, as a signal that is ignored does; but a new program hears it again."""


# A suite in the background, or behind `nohup`, ignores these, and so would what it starts.
for one in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(one) is signal.SIG_IGN:
        signal.signal(one, _unheard)
