"""Arguments that calls share: the same text for the same tool is decoded once.

An agent repeats itself, so most calls of a long trace have arguments that were met before. The
texts that are remembered are bounded, one by one and in all.
"""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_runtime.trace.events import SharedArguments

LONGEST = 4096
"""Longest text that is remembered, in bytes or characters; what is longer hardly ever repeats."""
MOST = 1024 * 1024
"""How much text is remembered in all; then everything is forgotten."""

_decode = msgspec.json.Decoder().decode


class ArgumentPool:
    """The arguments that were met so far, by tool and text."""

    def __init__(self) -> None:
        self._known: dict[str, dict[bytes | str, SharedArguments]] = {}
        self._size = 0

    def arguments(self, tool: str, text: bytes | str) -> Any:
        """Return the arguments that a text holds; equal texts give the same object.

        Raises:
            msgspec.DecodeError: the text is no JSON.

        """
        known = self._known.get(tool)
        if known is not None and (found := known.get(text)) is not None:
            return found
        value = _decode(text)
        if type(value) is not dict or len(text) > LONGEST:
            return value
        return self._keep(tool, text, value)

    def _keep(self, tool: str, text: bytes | str, value: dict[str, Any]) -> SharedArguments:
        self._size += len(text)
        if self._size > MOST:
            self._known.clear()
            self._size = len(text)
        shared = self._known.setdefault(tool, {})[text] = SharedArguments(value)
        return shared
