"""Neutral events as lines of a file: how a host appends them."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from reasonix_runtime.trace.events import Event

FORMAT: Final = "neutral/1"
"""The name of the form, as a session tells it."""


def line_of(event: Event) -> bytes:
    """Return an event as one line with its end; what UTF-8 cannot hold in it is escaped."""
    try:
        return msgspec.json.encode(event) + b"\n"
    except UnicodeEncodeError:
        return msgspec.json.encode(_writable(msgspec.to_builtins(event))) + b"\n"


def _writable(value: Any) -> Any:
    """Return a JSON value with every text escaped that UTF-8 cannot hold."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    return [_writable(item) for item in value] if isinstance(value, list) else value
