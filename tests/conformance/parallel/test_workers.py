"""Processes that share out the traces: they go when the run goes, and say nothing."""

from __future__ import annotations

import os
import signal
import struct
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, get_context

from places import CLASSIC

from reasonix_conformance.parallel import workers
from reasonix_conformance.traces.sessions import Options

BEGUN = struct.pack("!i", 1000)
"""The length of a result of which nothing follows."""

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


def test_a_process_that_ends_in_the_middle_of_a_result_holds_up_nobody() -> None:
    """The pool waited for the rest for ever, and so did whoever had pressed Ctrl-C."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert 3 == pool.submit(max, 2, 3).result()
        # No public way leads to the pipe that a process died over.
        os.write(pool._result_queue._writer.fileno(), BEGUN)  # type: ignore[attr-defined]

        workers._give_up(pool)

    assert [] == active_children()
