"""Many traces by a Dask cluster: the work units of `workers`, sent somewhere else.

Results come back in the order of the paths, whatever the cluster. A path may be an address of any
file system that fsspec knows; then a worker fetches the file and what belongs to it, and reads it
there. Local paths have to be readable on every worker under the same name.
"""

from __future__ import annotations

import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any, Final

from reasonix_conformance.cluster_client import MISSING, awaited, connected
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.formats import UnknownFormatError
from reasonix_conformance.results import TraceResult
from reasonix_conformance.traces import Options, Unreadable, file_results, files, files_of
from reasonix_conformance.workers import Found, one
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace.transcript import TranscriptError

REMOTE: Final = "://"
"""Stands in a path that is an address of a file system of its own (`s3://bucket/folder`)."""
AHEAD: Final = 8
"""How many units of work are under way for each worker."""


@dataclass(frozen=True, slots=True)
class Remote:
    """One file of a remote folder: its address, and those of the files that belong to it.

    `root` is the address of the folder, `named` tells whether the file was named itself.
    """

    root: str
    file: str
    beside: tuple[str, ...]
    named: bool


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
        ConformanceError: Dask is missing, the cluster cannot be reached, a path does not exist,
            or the rule set has no such name.

    """
    if options.rules is not None:
        rule_set(options.rules)
    with connected(scheduler, jobs) as client:
        yield from gather(client, list(work_of(paths)), options, unreadable)


def work_of(paths: Sequence[Path | str]) -> Iterator[Callable[[Options], Found]]:
    """Yield a unit of work for each file, in the order of the paths and by name in a folder.

    Raises:
        ConformanceError: a path does not exist, or nobody knows how to reach it.

    """
    for path in paths:
        if isinstance(path, str) and REMOTE in path:
            yield from (partial(_fetched, remote) for remote in _remote_files(path))
        else:
            yield from (partial(_local, work) for work in files([Path(path)]))


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


def _local(work: tuple[Path, bool], options: Options) -> Found:
    return one(options, work)


# -- files that are somewhere else ---------------------------------------------------------------


def _remote_files(address: str) -> Iterator[Remote]:
    """Yield the files at an address, each with those that its reader may ask for."""
    system, root = _system(address)
    try:
        if not system.exists(root):
            raise ConformanceError(f"{address}: no such file or folder")
        named = not system.isdir(root)
        folder = str(PurePosixPath(root).parent) if named else root
        listed = sorted(str(path) for path in system.find(folder))
    except (OSError, ImportError) as error:
        raise ConformanceError(f"{address}: {error}") from None
    full = [system.unstrip_protocol(path) for path in listed]
    base = system.unstrip_protocol(folder)
    asked = {system.unstrip_protocol(root)} if named else set(full)
    for path in full:
        if path in asked:
            yield Remote(base, path, tuple(companions(path, full)), named)


def companions(path: str, listed: Sequence[str]) -> Iterator[str]:
    """Yield the files that belong to a file: those of the same session, runs before it, stores."""
    folder, _, name = path.rpartition("/")
    stem = name.partition(".")[0]
    above = folder.rpartition("/")[0]
    inner = folder.endswith("/subagents")
    for other in listed:
        if other == path:
            continue
        same = other.rpartition("/")[0] == folder and (
            other.startswith(f"{folder}/{stem}.") or (stem.isdecimal() and _is_run(other))
        )
        below = other.startswith((f"{folder}/subagents/", f"{folder}/{stem}/"))
        store = name.endswith(".frames") and other.startswith((f"{folder}/", f"{above}/.content"))
        parent = inner and other.rpartition("/")[0] in (folder, above)
        if same or below or store or parent:
            yield other


def _is_run(address: str) -> bool:
    return address.rpartition("/")[2].partition(".")[0].isdecimal()


def _system(address: str) -> tuple[Any, str]:
    try:
        import fsspec
    except ImportError:
        raise ConformanceError(MISSING) from None
    try:
        system, root = fsspec.core.url_to_fs(address)
    except (ValueError, ImportError) as error:
        raise ConformanceError(f"{address}: {error}") from None
    return system, str(root).rstrip("/")


def _fetched(remote: Remote, options: Options) -> Found:
    """Fetch a file and what belongs to it into a folder of its own, and replay it there."""
    found: list[TraceResult] = []
    with tempfile.TemporaryDirectory(prefix="reasonix-") as name:
        folder = Path(name)
        try:
            for address in (remote.file, *remote.beside):
                _fetch(address, _place(folder, remote.root, address))
            path = _place(folder, remote.root, remote.file)
            if not remote.named and path not in set(files_of(folder)):
                return found, None
            found.extend(file_results(path, options, shown=remote.file))
        except (ConformanceError, TranscriptError) as error:
            if remote.named or not isinstance(error, UnknownFormatError):
                return found, Unreadable(Path(remote.file), str(error))
        except OSError as error:
            return found, Unreadable(Path(remote.file), f"{remote.file}: {error}")
    return found, None


def _place(folder: Path, root: str, address: str) -> Path:
    """Return where a file is kept: below the folder as it lies below the root, never above it."""
    inside = PurePosixPath(address.removeprefix(root).lstrip("/"))
    if ".." in inside.parts:
        raise ConformanceError(f"{address}: lies outside of {root}")
    return folder / inside


def _fetch(address: str, place: Path) -> None:
    system, path = _system(address)
    place.parent.mkdir(parents=True, exist_ok=True)
    system.get_file(path, str(place))
