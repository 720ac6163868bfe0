"""The frame store of newer Reasonix builds, sessions-v4.

A frame is a mark, two lengths and one zstandard frame with one JSON record. Events come in batches;
a batch counts only with its end record and the checksum in it. What a frame holds are the wire
events in other words, so they go through the reader of those.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

from reasonix_conformance.files import real
from reasonix_conformance.readers.files.json_values import NOT_JSON, at, decoded, name_at, text_at
from reasonix_conformance.readers.files.lines import ANYTHING, Broken
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.neighbours import json_beside, neighbour
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError, opened, zstandard
from reasonix_conformance.readers.hosts.outcomes import is_int
from reasonix_conformance.readers.reasonix.wire import WireReader
from reasonix_conformance.readers.reasonix.wire_records import Wire
from reasonix_runtime.trace.events import Event

FORMAT = "reasonix-v4"
BUDGET = 8 * 2**20
"""Most bytes of one frame, packed or not; a length beyond it is damage, not a wish."""
MOST_IN_BATCH = 100_000
"""Most records that one batch may hold."""

_NO_PAYLOAD = "the payload of an event cannot be read"
_MARK = b"RX4F"
_HEADER = struct.Struct(">4sII")
_DIGEST = re.compile(r"[0-9a-f]{64}\Z")

_KINDS = {
    "turn/start": "turn_started",
    "turn/end": "turn_done",
    "assistant/attempt": "stream_attempt",
    "tool/call": "tool_dispatch",
    "tool/result": "tool_result",
    "model/context-replace": "compaction_done",
}
_SKIPPED = frozenset(
    {
        "session/config", "session/title", "tool/start", "todo/write", "plan/state",
        "interaction/created", "interaction/resolved", "message/upsert",
    }
)  # fmt: skip


class Damage(NamedTuple):
    """Why a frame or batch cannot be read; `torn` for an end that was not written whole."""

    code: str
    text: str


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of a frame store; `recording` is its `events.frames`."""
    reader = _FrameReader(recording)
    yield from reader.events()


class _FrameReader:
    """One frame store: its batches in order, and the contents that lie beside them."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._wire = WireReader(recording)
        self._build = self._wire.build
        folder = recording.path.parent
        manifest = json_beside(folder / "manifest.json")
        self._wire.sid = name_at(manifest, "sessionId") or folder.name
        root = name_at(manifest, "contentRoot") or "../.content-v1"
        self._content = _content_root(folder, root)
        self._number = 0

    def events(self) -> Iterator[Event]:
        """Yield the events of the whole batches; what does not count is a diagnostic."""
        self._wire.begin(FORMAT, profile="ungated")
        batches = 0
        for batch in self._batches():
            if isinstance(batch, Damage):
                self._build.note(batch.code, batch.text)
                continue
            batches += 1
            for record in batch:
                event = at(record, "event")
                self._numbered(at(event, "seq"))
                self._event(event)
            yield from self._build.drain()
        self._wire.finish(batches)
        yield from self._build.drain()

    def _batches(self) -> Iterator[list[Any] | Damage]:
        """Yield the records of each whole batch, checked; what does not count is a `Damage`."""
        pending: list[Any] | None = None
        digest = hashlib.sha256()
        for raw in self._frames():
            if isinstance(raw, Damage):
                yield raw
                continue
            try:
                record = decoded(raw)
            except NOT_JSON as error:
                yield Damage("torn_frame", f"a frame holds no JSON record: {error}")
                continue
            kind = at(record, "recordType")
            if kind == "batch/begin":
                if pending is not None:
                    yield Damage("torn_frame", "a batch without its end does not count")
                pending, digest = [], hashlib.sha256(raw + b"\0")
            elif kind == "batch/event" and pending is not None and len(pending) < MOST_IN_BATCH:
                pending.append(record)
                digest.update(raw + b"\0")
            elif kind == "batch/end" and pending is not None:
                if text_at(record, "sha256") == digest.hexdigest():
                    yield pending
                else:
                    yield Damage("bad_checksum", "a batch does not fit its checksum")
                pending = None
            else:
                yield Damage("torn_frame", f"a record of type {kind!r} outside its batch")
        if pending is not None:
            yield Damage("truncated_tail", "the last batch was not committed; it does not count")

    def _frames(self) -> Iterator[bytes | Damage]:
        unpack = zstandard(self._recording.shown).ZstdDecompressor().decompress
        with opened(self._recording.path, shown=self._recording.shown) as stream:
            number = 0
            while head := stream.read(_HEADER.size):
                number += 1
                self._build.line = number
                frame = _frame(head, stream, unpack)
                yield frame
                if isinstance(frame, Damage):
                    return

    def _numbered(self, number: Any) -> None:
        """Hold an event against its number: a store has all events of its session."""
        if is_int(number):
            if number != self._number + 1:
                text = f"event {number} stands after event {self._number}"
                self._build.note("torn_frame", text)
            self._number = number

    def _event(self, event: Any) -> None:
        kind = text_at(event, "kind")
        payload = self._payload(event)
        if payload is None:
            return
        if kind == "message/complete":
            self._message(at(payload, "message"))
        elif kind == "goal/state":
            self._build.host("goal_state", payload if isinstance(payload, dict) else {})
        elif kind == "diagnostic":
            self._notice(at(payload, "displayRecord"))
        elif kind in _KINDS:
            if not self._is_of_no_call(payload):
                self._wire.take(_wire(_KINDS[kind], payload))
        elif kind in ("history/replace", "message/retract"):
            self._build.note("branch_dropped", "the host took messages back; they happened")
        elif kind not in _SKIPPED:
            self._build.count("unknown_record", f"an event of kind {kind!r} is not read")

    def _message(self, message: Any) -> None:
        role = at(message, "role")
        text = flat_text(at(message, "content"))
        if role == "user" and at(message, "origin") != "host":
            raw = at(message, "raw_content")
            self._build.user(raw if isinstance(raw, str) else text)
        elif role == "user":
            self._build.user(text, origin="host")
        elif role == "assistant" and not at(message, "tool_calls"):
            wire = Wire(kind="message", text=text, message_id=name_at(message, "id"))
            self._wire.take(wire)

    def _is_of_no_call(self, payload: Any) -> bool:
        """Whether a result was filled in for a call that never began, as the model took it back."""
        never_began = text_at(payload, "state") == "not_started"
        return never_began and not self._wire.awaits(text_at(payload, "id"))

    def _notice(self, record: Any) -> None:
        """Pass on news of the host that it shows to the user."""
        code, level = name_at(record, "code"), name_at(record, "level")
        self._build.notice(text_at(record, "content"), code=code, level=level)

    def _payload(self, event: Any) -> Any:
        encoded = name_at(event, "payload")
        try:
            if encoded is not None:
                data: bytes | None = base64.b64decode(encoded, validate=True)
            else:
                data = self._object(text_at(event, "payloadRef", "digest"))
        except (binascii.Error, ValueError) as error:
            self._build.note("bad_line", f"{_NO_PAYLOAD}: {error}")
            return None
        payload = None if data is None else ANYTHING(data)
        if isinstance(payload, Broken):
            self._build.note("bad_line", f"{_NO_PAYLOAD}: {payload.text}")
            return None
        return payload

    def _object(self, digest: str) -> bytes | None:
        """Return an object of the content store; only what lies inside it is looked at."""
        if self._content is not None and _DIGEST.match(digest):
            path = neighbour(self._content / "objects" / digest[:2] / digest[2:4] / digest)
            if path is not None and real(path).is_relative_to(real(self._content)):
                data = self._read(path)
                if hashlib.sha256(data).hexdigest() == digest:
                    return data
                self._build.note("missing_blob", f"the object {digest[:12]}… does not fit its name")
                return None
        self._build.note("missing_blob", f"the object {digest[:12]}… is not in the content store")
        return None

    def _read(self, path: Path) -> bytes:
        """Return an object, nothing of one that cannot be read: that does not fit its name."""
        try:
            with opened(path, expanded=self._recording.cap) as stream:
                return stream.read()
        except ReadError:
            return b""


def _frame(head: bytes, stream: IO[bytes], unpack: Any) -> bytes | Damage:
    if len(head) < _HEADER.size:
        return Damage("truncated_tail", "the file ends inside a frame")
    mark, packed, raw = _HEADER.unpack(head)
    if mark != _MARK:
        return Damage("torn_frame", "a frame does not begin with its mark; the rest is not read")
    if packed > BUDGET or raw > BUDGET:
        return Damage("torn_frame", "a frame claims more than 8 MiB; the rest is not read")
    data = stream.read(packed)
    if len(data) < packed:
        return Damage("truncated_tail", "the file ends inside a frame")
    try:
        unpacked: bytes = unpack(data, max_output_size=raw or 1)
    except Exception as error:  # the library's own class is known only when it is installed
        return Damage("torn_frame", f"a frame cannot be unpacked: {error}; the rest is not read")
    if len(unpacked) != raw:
        return Damage("torn_frame", "a frame is not as long as it says; the rest is not read")
    return unpacked


def _wire(kind: str, payload: Any) -> Wire:
    """Return the wire event that a frame's event stands for."""
    if kind in ("tool_dispatch", "tool_result"):
        return Wire(kind=kind, tool=_tool(payload))
    if kind == "stream_attempt":
        return Wire(kind=kind, stream_attempt=payload)
    if kind == "turn_done":
        status = at(payload, "status")
        error = name_at(payload, "error")
        if status == "failed" and error is None:
            error = "the turn failed"
        return Wire(kind=kind, status=status, err=error)
    return Wire(kind=kind)


def _tool(payload: Any) -> dict[str, Any]:
    """Return the `tool` object of the wire event; an empty name or state says nothing here."""
    told = payload if isinstance(payload, dict) else {}
    state = told.get("runState")
    if state == "not_started" and "state" in told and "/" in text_at(told, "id"):
        # Filled in for a lost call of a sub-agent, whose start no store holds: that is a guess.
        state = "unknown"
    return {
        **told,
        "id": told.get("id"),
        "err": told.get("error"),
        "runState": None if state == "" else state,
        "attemptId": name_at(told, "attemptId"),
    }


def _content_root(folder: Path, name: str) -> Path | None:
    """Return the content store: a sibling inside the sessions folder, never further away."""
    for candidate in (folder / name, folder.parent / Path(name).name):
        inside = real(candidate).is_relative_to(real(folder.parent))
        if inside and candidate.is_dir():
            return candidate
    return None
