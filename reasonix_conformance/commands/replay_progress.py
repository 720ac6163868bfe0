"""How far a run is, on a terminal: one line that is written over, and gone at the end."""

from __future__ import annotations

import shutil
from typing import TextIO

from reasonix_conformance.replay.results import Judged, TraceResult
from reasonix_conformance.words import count
from reasonix_runtime.plain import plain

EVERY = 2048
"""Verdicts after which the line is written anew within one trace."""


class Progress:
    """Writes to a terminal; to anything else it writes nothing.

    Args:
        out: where to write.
        alone: whether the report goes elsewhere; lines of both would run into each other.
    """

    def __init__(self, out: TextIO, *, alone: bool) -> None:
        self._out = out
        self._shown = alone and out.isatty()
        self._traces = 0
        self._verdicts = 0
        self._width = 0

    def begin(self, result: TraceResult) -> None:
        """Count a trace and show its name."""
        self._traces += 1
        self._show(result.path)

    def verdict(self, judged: Judged) -> None:
        """Count a verdict."""
        self._verdicts += 1
        if self._verdicts % EVERY == 0:
            self._show("")

    def end(self, result: TraceResult) -> None:
        """Hear that a trace has ended; the next one shows it."""

    def close(self) -> None:
        """Take the line away."""
        if self._shown and self._width:
            self._out.write(f"\r{'':<{self._width}}\r")
            self._out.flush()

    def _show(self, path: str) -> None:
        if not self._shown:
            return
        traces, verdicts = count(self._traces, "trace"), count(self._verdicts, "verdict")
        # One character less than fits: at the edge a terminal would begin another line.
        columns = shutil.get_terminal_size().columns
        line = plain(f"{traces}, {verdicts}  {path[-48:]}")[: columns - 1]
        self._out.write(f"\r{line:<{self._width}}")
        self._out.flush()
        self._width = len(line)
