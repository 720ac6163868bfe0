"""The readers by the name of their format, and the one way to open a recording."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.detection.first_bytes import look
from reasonix_conformance.readers.detection.refused import REFUSED
from reasonix_conformance.readers.files.laid_out import records_in
from reasonix_conformance.readers.files.neighbours import neighbour, unpacked
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_runtime.trace.events import Diag, Event, Session

Read = Callable[[Recording], Iterator[Event]]

# Format -> (module of this package, function in it).
_READERS: Mapping[str, tuple[str, str]] = {
    "acp": ("acp", "read"),
    "anthropic-messages": ("model_apis.anthropic", "read"),
    "atif": ("atif", "read"),
    "chat-completions": ("model_apis.chat", "read_lines"),
    "chat-completions-document": ("model_apis.chat", "read_document"),
    "chat-requests": ("model_apis.chat", "read_requests"),
    "claude-code": ("claude.sessions", "read"),
    "claude-stream": ("claude.stream", "read"),
    "codex": ("codex.rollouts", "read"),
    "codex-exec-stream": ("codex.run_output", "read"),
    "inspect": ("inspect_logs", "read"),
    "neutral": ("neutral", "read"),
    "openai-responses": ("model_apis.responses", "read"),
    "otel": ("otel", "read"),
    "reasonix-log-1": ("reasonix.logs", "read_log_1"),
    "reasonix-log-2": ("reasonix.logs", "read_log_2"),
    "reasonix-messages": ("reasonix.message_files", "read"),
    "reasonix-stream": ("reasonix.wire", "read"),
    "reasonix-trajectory": ("reasonix.wire", "read"),
    "reasonix-v4": ("reasonix.frames", "read"),
}

FORMATS = tuple(_READERS)
"""The names that `--format-in` takes."""


NAME_IT = f"name the format with --format-in (one of {', '.join(FORMATS)}, transcript)"
"""What the user of a command can do about a text of an unknown format."""


class UnknownFormatError(ReadError):
    """A file has none of the known formats.

    `what` says which file and what it looks like, `remedy` what the user of a command can do.
    """

    def __init__(self, what: str, remedy: str = NAME_IT) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy = self.args

    def __str__(self) -> str:
        """Return what and remedy as one sentence."""
        return f"{self.what}; {self.remedy}"


class ProseError(UnknownFormatError):
    """A file holds some records and is no trace: a source or a document with examples."""


def events(recording: Recording, *, format_in: str | None = None) -> Iterator[Event]:
    """Yield the neutral events of a recording; each session in it begins with a `Session`.

    Raises:
        UnknownFormatError: the file is of no known format, or `format_in` names none.
        ReadError: the file cannot be read.
    """
    return events_as(format_in or detect(recording.head()), recording)


def events_as(name: str | None, recording: Recording) -> Iterator[Event]:
    """Yield the events of a recording whose format was told; None is none of the known ones.

    Raises:
        UnknownFormatError: the name is None, or that of no format.
        ReadError: the file cannot be read.
    """
    if name in REFUSED:
        return _refused(recording, str(name))
    if name is None:
        if not recording.head().strip():
            return _empty(recording)
        seen = look(recording.head())
        raise UnknownFormatError(
            f"{recording.shown}: not a trace of a known format: {seen.what}", seen.remedy or NAME_IT
        )
    recording.laid_out = records_in(recording.head()).are_of(name)
    return reader(name)(recording)


def reader(name: str) -> Read:
    """Return the reader of a format.

    Raises:
        UnknownFormatError: no reader has that name; the nearest one is named.
    """
    if name not in _READERS:
        near = difflib.get_close_matches(name, FORMATS, n=1)
        known = f"expected one of {', '.join(FORMATS)}"
        raise UnknownFormatError(
            f"unknown format {name!r}", f"did you mean {near[0]!r}?" if near else known
        )
    module, function = _READERS[name]
    read: Read = getattr(import_module(f"{__package__}.{module}"), function)
    return read


def _refused(recording: Recording, name: str) -> Iterator[Event]:
    yield Session(sid=recording.sid, format=name)
    code = "redacted_trace" if name == "redacted-events" else "unknown_record"
    yield Diag(code=code, where=recording.shown, text=REFUSED[name])


def _empty(recording: Recording) -> Iterator[Event]:
    yield Session(sid=recording.sid, format="empty")
    for _ in recording.blocks():  # blank lines; what is damaged shows behind them
        pass
    text = recording.damage or "the file is empty"
    path = unpacked(recording.path)
    log = neighbour(path.with_name(f"{path.name.removesuffix('.jsonl')}.events.jsonl"))
    if log not in (None, recording.path):
        text = f"the file is empty; what happened is in {log.name} beside it"
    yield Diag(code="truncated_tail", where=recording.shown, text=text)
