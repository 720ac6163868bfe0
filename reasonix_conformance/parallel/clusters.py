"""Many traces by a Dask cluster: the work units of `workers`, sent somewhere else.

Results come back in the order of the paths, whatever the cluster. A path may be an address of any
file system that fsspec knows; then a worker fetches the file and what belongs to it, and reads it
there. Local paths have to be readable on every worker under the same name.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from reasonix_conformance.parallel import remote_files
from reasonix_conformance.parallel.cluster_client import awaited, connected
from reasonix_conformance.parallel.workers import Found, one
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.files import FoundFile, files
from reasonix_conformance.traces.sessions import Options, Unreadable

AHEAD: Final = 8
"""How many units of work are under way for each worker."""


def results(
    paths: Sequence[Path | str],
    options: Options,
    unreadable: list[Unreadable],
    *,
    jobs: int = 1,
    scheduler: str | None = None,
) -> Iterator[TraceResult]:
    """Yield the result of each trace; without a scheduler, by `jobs` local processes.

    Raises:
        ConformanceError: Dask is missing, the cluster cannot be reached, or a path does not exist.
    """
    with connected(scheduler, jobs) as client:
        yield from gather(client, list(work_of(paths)), options, unreadable)


def work_of(paths: Sequence[Path | str]) -> Iterator[Callable[[Options], Found]]:
    """Yield a unit of work for each file, in the order of the paths and by name in a folder.

    Raises:
        ConformanceError: a path does not exist, or nobody knows how to reach it.
    """
    for path in paths:
        if isinstance(path, str) and remote_files.MARK in path:
            yield from (partial(remote_files.replayed, remote) for remote in remote_files.at(path))
        else:
            yield from (partial(_local, file) for file in files([Path(path)]))


def gather(
    client: Any,
    work: Sequence[Callable[[Options], Found]],
    options: Options,
    unreadable: list[Unreadable],
) -> Iterator[TraceResult]:
    """Send work to a client's workers, some of it ahead, and yield results in its order."""
    most = AHEAD * max(1, len(client.scheduler_info()["workers"]))
    waiting: deque[Any] = deque()
    rest = iter(work)
    while True:
        while len(waiting) < most and (unit := next(rest, None)) is not None:
            waiting.append(client.submit(unit, options, pure=False))
        if not waiting:
            return
        found, problem = awaited(client, waiting.popleft())
        yield from found
        if problem is not None:
            unreadable.append(problem)


def _local(file: FoundFile, options: Options) -> Found:
    return one(options, file)
