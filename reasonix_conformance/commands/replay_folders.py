"""The folders of a command line in which no trace was found: a wrong path must not stay unseen."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reasonix_conformance.replay.results import Judged, TraceResult
from reasonix_conformance.traces.files import mode_of
from reasonix_conformance.traces.left_out import without_trace
from reasonix_conformance.traces.sessions import Unreadable


class Folders:
    """Hears the traces of a run, and knows the folders that none of them came from."""

    def __init__(self, paths: Iterable[Path | str]) -> None:
        """Take the paths of the command line; of files and addresses nothing is said."""
        places = [path for path in paths if isinstance(path, Path)]
        self._left = [path for path in places if stat.S_ISDIR(mode_of(path) or 0)]

    def begin(self, result: TraceResult) -> None:
        """Hear where a trace lies."""
        self._hear(Path(result.path))

    def verdict(self, judged: Judged) -> None:
        """Hear a verdict; it tells nothing about folders."""

    def end(self, result: TraceResult) -> None:
        """Hear that a trace has ended; where it lies was told."""

    def remarks(self, unreadable: Sequence[Unreadable]) -> Iterator[str]:
        """Yield what to say of folders without a trace; files that were left out are told of."""
        for item in unreadable:
            self._hear(item.path)
        for folder in self._left:
            yield without_trace(folder)

    def _hear(self, path: Path) -> None:
        if self._left:
            self._left = [folder for folder in self._left if not path.is_relative_to(folder)]
