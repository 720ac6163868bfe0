"""Processes that share out the traces: they go when the run goes, and say nothing."""

from __future__ import annotations

import signal
import subprocess
import sys
from multiprocessing import active_children

from places import CLASSIC

from reasonix_conformance.parallel import workers
from reasonix_conformance.traces.sessions import Options

ASKS = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, set()))"


def test_ctrl_c_does_not_reach_a_worker() -> None:
    """Each would show where it was; whoever stops the run is told once, by the run."""
    with workers._no_interrupt():
        told = subprocess.run(
            [sys.executable, "-c", ASKS], check=True, capture_output=True, text=True
        ).stdout

    assert "True\n" == told
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, set())


def test_a_run_that_is_given_up_leaves_no_worker() -> None:
    """A worker may be in the middle of a trace that takes minutes."""
    running = workers.results([CLASSIC], Options(), [], jobs=2)

    next(running)
    running.close()  # type: ignore[attr-defined]  # it is a generator

    assert [] == active_children()
