"""Many traces by several processes: the same results in the same order, whatever their number."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context
from pathlib import Path

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.files import Aside, FoundFile, files
from reasonix_conformance.traces.sessions import (
    Options,
    Unreadable,
    file_results,
    problem_of,
    set_aside,
)
from reasonix_runtime.trace.transcript import TranscriptError

Found = tuple[list[TraceResult], Unreadable | None]
"""What became of a file: its results, and why it could not be read to its end."""


def results(
    paths: Sequence[Path], options: Options, unreadable: list[Unreadable], *, jobs: int
) -> Iterator[TraceResult]:
    """Yield the result of each trace, files shared out over `jobs` processes.

    Raises:
        ConformanceError: a path does not exist.
    """
    aside = Aside()
    work = list(files(paths, aside))
    unreadable += set_aside(aside)
    # Fresh processes: a fork of a process with threads may hang in it.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            with _no_interrupt():
                told = pool.map(partial(one, options), work, chunksize=_chunk(work, jobs))
            for found, problem in told:
                yield from found
                if problem is not None:
                    unreadable.append(problem)
        except BaseException:
            _give_up(pool)
            raise


def _give_up(pool: ProcessPoolExecutor) -> None:
    """End the processes: whoever stops a run does not want to wait for the traces that they read.

    One of them may be in the middle of a result. Its rest would be awaited for ever while somebody
    may still write it, and the pool keeps that end of its pipe open.
    """
    for process in active_children():
        process.terminate()
    pool._result_queue._writer.close()  # type: ignore[attr-defined]  # there is no public way


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: this one ends them, and says nothing else.

    Each of them would show where it was. What is pressed meanwhile arrives behind it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _chunk(work: Sequence[FoundFile], jobs: int) -> int:
    """Return how many files go to a process at once: few, so that a large one holds up little."""
    return max(1, min(32, len(work) // (jobs * 8)))


def one(options: Options, file: FoundFile) -> Found:
    """Return the results of one file, and why it could not be read to its end."""
    found: list[TraceResult] = []
    try:
        found.extend(file_results(file.path, options, own_from=file.own_from))
    except (ConformanceError, TranscriptError) as error:
        return found, problem_of(file.path, error, named=file.named)
    return found, None
