"""Traces in another file system: any that fsspec knows, by addresses such as `s3://bucket/folder`.

A worker fetches a file and what belongs to it into a folder of its own, and reads it there.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.parallel.workers import Found
from reasonix_conformance.redact import redact
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.files import files_of
from reasonix_conformance.traces.sessions import Options, file_results, problem_of
from reasonix_runtime.trace.transcript import TranscriptError

MARK: Final = "://"
"""Stands in a path that is an address of a file system of its own (`s3://bucket/folder`)."""
MOST_SAID: Final = 200
"""How many characters of an error of a file system are shown."""


class _System(NamedTuple):
    """A file system: the package that reads it, and how it is told who asks."""

    package: str
    credentials: str


_S3 = _System(
    "s3fs",
    "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; for a public bucket "
    "FSSPEC_S3_ANON=true",
)
_GS = _System(
    "gcsfs",
    "set GOOGLE_APPLICATION_CREDENTIALS; for a public bucket FSSPEC_GCS_TOKEN=anon",
)
_SYSTEMS: Final = {"s3": _S3, "s3a": _S3, "gs": _GS, "gcs": _GS}
_CREDENTIALS: Final = ("Credential", "Token", "RefreshError", "Unauthorized", "Forbidden")
"""Parts of the names of errors about who asks."""


@dataclass(frozen=True, slots=True)
class Remote:
    """One file of a remote folder: its address, and those of the files that belong to it.

    `root` is the address of the folder, `named` tells whether the file was named itself.
    """

    root: str
    file: str
    beside: tuple[str, ...]
    named: bool


def at(address: str) -> Iterator[Remote]:
    """Yield the files at an address, each with those that its reader may ask for.

    Raises:
        ConformanceError: there is nothing, it may not be read, or nobody knows how to reach it.
    """
    with _told(address):
        system, root = _system(address)
        # `exists` takes a server that does not answer, or does not let us in, for a no.
        try:
            named = system.info(root)["type"] == "file"
        except FileNotFoundError:
            raise ConformanceError(f"{address}: no such file or folder") from None
        folder = str(PurePosixPath(root).parent) if named else root
        listed = sorted(str(path) for path in system.find(folder))
    full = [system.unstrip_protocol(path) for path in listed]
    base = system.unstrip_protocol(folder)
    asked = {system.unstrip_protocol(root)} if named else set(full)
    for path in full:
        if path in asked:
            yield Remote(base, path, tuple(_companions(path, full)), named)


def _companions(path: str, listed: Sequence[str]) -> Iterator[str]:
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
    import fsspec

    system, root = fsspec.core.url_to_fs(address)
    return system, str(root).rstrip("/")


@contextmanager
def _told(address: str) -> Iterator[None]:
    """Tell what a file system raises as what the user can do about it; no secret is shown.

    Each brings errors of its own, so all of them are taken.

    Raises:
        ConformanceError: something went wrong inside.
    """
    try:
        yield
    except ConformanceError:
        raise
    except Exception as error:  # of aiobotocore, google.auth, aiohttp, fsspec: no common class
        scheme = address.partition(MARK)[0]
        raise ConformanceError(f"{address}: {_why(error, _SYSTEMS.get(scheme))}") from None


def _why(error: Exception, system: _System | None) -> str:
    name = type(error).__name__
    if isinstance(error, ImportError):
        package = system.package if system else "'reasonix-conformance[dask]'"
        return f"one more package is needed to read it: pip install {package}"
    said = redact(str(error)).partition("\n")[0][:MOST_SAID] or name
    if isinstance(error, PermissionError) or any(word in name for word in _CREDENTIALS):
        hint = f"; {system.credentials}" if system else ""
        return f"it may not be read ({said}){hint}"
    return f"it cannot be read ({said})"


def replayed(remote: Remote, options: Options) -> Found:
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
            return found, problem_of(Path(remote.file), error, named=remote.named)
    return found, None


def _place(folder: Path, root: str, address: str) -> Path:
    """Return where a file is kept: below the folder as it lies below the root, never above it."""
    inside = PurePosixPath(address.removeprefix(root).lstrip("/"))
    if ".." in inside.parts:
        raise ConformanceError(f"{address}: lies outside of {root}")
    return folder / inside


def _fetch(address: str, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with _told(address):
        system, path = _system(address)
        system.get_file(path, str(place))
