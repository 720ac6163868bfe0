"""Frame stores of a Reasonix host of the newest line, as tests write them."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
from typing import Any

import zstandard


def frame(record: object, *, packed: int | None = None, raw: int | None = None) -> bytes:
    """Write one frame; `packed` and `raw` are lengths that it claims."""
    data = record if isinstance(record, bytes) else json.dumps(record).encode()
    body = zstandard.compress(data)
    head = struct.pack(">4sII", b"RX4F", packed or len(body), len(data) if raw is None else raw)
    return head + body


def batch(*told: dict[str, Any]) -> bytes:
    """Write one whole batch of events."""
    records: list[dict[str, Any]] = [{"recordType": "batch/begin"}]
    records += [{"recordType": "batch/event", "event": event} for event in told]
    digest = hashlib.sha256(b"".join(json.dumps(one).encode() + b"\0" for one in records))
    end = {"recordType": "batch/end", "sha256": digest.hexdigest()}
    return b"".join(map(frame, [*records, end]))


def event(kind: str, payload: object) -> dict[str, Any]:
    """Return an event without a number."""
    return {"kind": kind, "payload": base64.b64encode(json.dumps(payload).encode()).decode()}


def numbered(number: int, kind: str, payload: object) -> bytes:
    """Write a batch of one event with its number."""
    return batch({"id": f"e{number}", "seq": number, **event(kind, payload)})
