"""Arguments that calls share: the same text for the same tool is decoded once.

An agent repeats itself, so most calls of a long trace have arguments that were met before. The
texts that are remembered are bounded, one by one and in all.
"""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_runtime.evidence.recent import Recent
from reasonix_runtime.trace.events import SharedArguments

LONGEST = 2048
"""Longest text that is remembered, in bytes or characters; what is longer hardly ever repeats."""
MOST = 512 * 1024
"""How much text is remembered, twice over (:class:`Recent`)."""

_decode = msgspec.json.Decoder().decode


class ArgumentPool:
    """The arguments that were met lately, by tool and text."""

    def __init__(self) -> None:
        self._known: Recent[tuple[str, bytes | str], SharedArguments] = Recent(MOST)

    def arguments(self, tool: str, text: bytes | str) -> Any:
        """Return the arguments that a text holds; equal texts give the same object.

        Raises:
            msgspec.DecodeError: the text is no JSON.

        """
        known, key = self._known, (tool, text)
        found = known.now.get(key) or known.find(key, len(text))
        if found is not None:
            return found
        value = _decode(text)
        if type(value) is not dict or len(text) > LONGEST:
            return value
        shared = SharedArguments(value)
        known.keep(key, shared, len(text))
        return shared
