"""Inspect logs as the program keeps them (`.eval`): a zip file with a member for each sample.

The header is written when the run has ended; before that a journal tells how it began.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from reasonix_conformance.readers.files.json_values import at
from reasonix_conformance.readers.files.lines import ANYTHING, Broken
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.zipped import Zipped, members

_HEADERS = ("header.json", "_journal/start.json")
_SAMPLE = re.compile(r"samples/.+\.json")
_SUMMARIES = "summaries.json"


class ZippedLog(NamedTuple):
    """A log: what its header tells, and its samples one by one, `Broken` where one is lost."""

    header: Any
    """`Broken` where it cannot be read."""
    ended: bool
    """Whether the run has ended, as far as its log tells."""
    size: int
    """How many samples there are, or should be."""
    samples: Iterator[Any]


@contextmanager
def zipped_log(recording: Recording) -> Iterator[ZippedLog | Broken]:
    """Open a log; `Broken` where nothing in it can be read.

    Raises:
        ReadError: the file cannot be read.
    """
    with members(recording.path, recording.shown, recording.cap) as archive:
        yield archive if isinstance(archive, Broken) else _log(archive)


def _log(archive: Zipped) -> ZippedLog | Broken:
    names = archive.names
    told = next((name for name in _HEADERS if name in names), None)
    if told is None:
        return Broken("the zip file holds no header of a log", torn=True)
    header = _value(archive, told)
    samples = [name for name in names if _SAMPLE.fullmatch(name)]
    lost = sorted(_summed_up(archive) - set(samples))
    told_samples = (_value(archive, name) for name in samples)
    return ZippedLog(
        header=header,
        ended=told == _HEADERS[0],
        size=len(samples) + len(lost),
        samples=_chained(told_samples, (Broken(f"{name} is not there") for name in lost)),
    )


def _chained(told: Iterator[Any], lost: Iterator[Broken]) -> Iterator[Any]:
    yield from told
    yield from lost


def _value(archive: Zipped, name: str) -> Any:
    data = archive.member(name)
    if isinstance(data, Broken):
        return data
    value = ANYTHING(data)
    return Broken(f"{name}: {value.text}") if isinstance(value, Broken) else value


def _summed_up(archive: Zipped) -> set[str]:
    """Return the names of the samples that the log says it holds."""
    told = _value(archive, _SUMMARIES) if _SUMMARIES in archive.names else None
    rows = told if isinstance(told, list) else []
    return {f"samples/{at(row, 'id')}_epoch_{at(row, 'epoch')}.json" for row in rows}
