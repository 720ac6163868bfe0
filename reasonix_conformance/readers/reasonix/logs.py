"""The two event logs of a Reasonix session; their messages are those of message files."""

from __future__ import annotations

from collections.abc import Iterator

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.messages import REASONIX
from reasonix_conformance.readers.model_apis.chat import closing, conversation
from reasonix_conformance.readers.reasonix.log_records import LOG_1, LOG_2, STEPS
from reasonix_conformance.readers.reasonix.message_files import Children
from reasonix_conformance.readers.reasonix.side_files import folder_of
from reasonix_runtime.trace.events import Event


def read_log_1(recording: Recording) -> Iterator[Event]:
    """Yield the events of a log of `replace` and `append` records."""
    return _read(recording, LOG_1)


def read_log_2(recording: Recording) -> Iterator[Event]:
    """Yield the events of a branching log: the live head, with its turns."""
    return _read(recording, LOG_2)


def _read(recording: Recording, name: str) -> Iterator[Event]:
    build = Builder(recording.shown)
    reader = conversation(build, recording, name, REASONIX, cwd=folder_of(recording.path))
    children = Children(recording, build)
    empty = True
    for step in STEPS[name](recording, build):
        empty = False
        if step.turn is not None:
            reader.open_turn(step.turn, ended=step.ended)
        for message in step.messages:
            for made in children.before(message):
                yield from made
            reader.feed(message)
        yield from build.drain()
    yield from closing(build, reader, recording, empty=empty)
