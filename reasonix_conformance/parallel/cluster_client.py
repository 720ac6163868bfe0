"""A Dask cluster to send work to: one that is there, or one of local processes.

What a user can do about a cluster that does not answer, or that breaks down, is told in a sentence.
Nothing here waits without an end.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Final

from reasonix_conformance.errors import ConformanceError

MISSING: Final = "--engine dask needs more packages: pip install 'reasonix-conformance[dask]'"
PATIENCE: Final = 10
"""Seconds until a scheduler has to have answered, and then until it has to have a worker."""

ALONE: Final = {
    "host": "127.0.0.1",
    "dashboard_address": "127.0.0.1:0",
    "worker_dashboard_address": "127.0.0.1:0",
    "scheduler_kwargs": {"dashboard": False},
}
"""A local cluster that is reached from this machine only, whatever other clusters run on it."""


@contextmanager
def connected(scheduler: str | None, jobs: int) -> Iterator[Any]:
    """Give the client of a scheduler; without an address, of a cluster of `jobs` local processes.

    Raises:
        ConformanceError: Dask is missing, the cluster cannot be reached, or it lost the work.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise ConformanceError(MISSING) from None
    if scheduler is not None:
        with _client_of(scheduler) as client, _telling(f"--scheduler {scheduler}"):
            yield client
        return
    with (
        LocalCluster(n_workers=jobs, threads_per_worker=1, processes=True, **ALONE) as cluster,
        Client(cluster) as client,
        _telling("--engine dask"),
    ):
        yield client


def _client_of(scheduler: str) -> Any:
    """Return a client of the scheduler at an address, which has a worker at least.

    Raises:
        ConformanceError: nothing answers there in time, or what answers is no scheduler.
    """
    from distributed import Client

    try:
        # Asked first in a way that ends: the client waits for a greeting as long as it takes.
        kind = asyncio.run(asyncio.wait_for(_kind(scheduler), PATIENCE))
        if kind != "Scheduler":
            raise ConformanceError(f"--scheduler {scheduler}: that is a {kind}, and no scheduler")
        client = Client(scheduler, timeout=PATIENCE)
    except ConformanceError:
        raise
    except ValueError as error:
        raise ConformanceError(
            f"--scheduler {scheduler}: {error}; give an address such as tcp://host:8786"
        ) from None
    except OSError:
        raise ConformanceError(
            f"--scheduler {scheduler}: no scheduler answered within {PATIENCE} seconds; start one "
            "with `dask scheduler`, or leave --scheduler for a cluster of --jobs local processes"
        ) from None
    except Exception as error:  # unpickling and greeting fail in any way on a stranger's bytes
        raise ConformanceError(
            f"--scheduler {scheduler}: what answers there is no Dask scheduler of a version that "
            f"fits ({type(error).__name__})"
        ) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError:
        client.close()
        raise ConformanceError(
            f"--scheduler {scheduler}: the cluster has had no worker for {PATIENCE} seconds; start "
            f"one with `dask worker {scheduler}`"
        ) from None
    return client


def awaited(client: Any, future: Any) -> Any:
    """Return what a unit of work came to, however long it takes while there is a worker.

    Raises:
        ConformanceError: the last worker is gone, and none has come back.
    """
    while True:
        try:
            return future.result(timeout=PATIENCE)
        except TimeoutError:
            if not client.scheduler_info()["workers"]:
                _need_worker(client)


def _need_worker(client: Any) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError:
        raise ConformanceError(
            f"--engine dask: the cluster has lost its last worker, and had none for {PATIENCE} "
            "seconds"
        ) from None


async def _kind(address: str) -> str:
    """Return what a part of a Dask cluster calls itself."""
    from distributed import Security
    from distributed.core import rpc

    secured = Security().get_connection_args("client")
    remote = rpc(address, timeout=PATIENCE, connection_args=secured)
    try:
        return str((await remote.identity())["type"])
    finally:
        await remote.close_rpc()


@contextmanager
def _telling(option: str) -> Iterator[None]:
    """Tell a cluster that breaks down under the work as what it is.

    Raises:
        ConformanceError: workers died of the work or went away, or cannot import this package.
    """
    from distributed import KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        yield
    except (KilledWorker, CommClosedError, CancelledError) as error:
        raise ConformanceError(
            f"{option}: the cluster lost the work ({type(error).__name__})"
        ) from None
    except ModuleNotFoundError as error:
        raise ConformanceError(
            f"{option}: a worker lacks {error.name}; install "
            "'reasonix-conformance[dask]' in the same version there"
        ) from None
