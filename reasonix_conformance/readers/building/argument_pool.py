"""Arguments that calls share: from the second call on, the same text for the same tool is the same.

An agent repeats itself, so most calls of a long trace have arguments that were met before. What was
met once only is not kept: most of that, edits above all, never comes again. The texts that are
remembered are bounded, one by one and in all.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from reasonix_conformance.readers.files.json_values import NOT_JSON, decoded
from reasonix_runtime.trace.events import SharedArguments

LONGEST = 2048
"""Longest text that is remembered, in bytes or characters; what is longer hardly ever repeats."""
MOST = 512 * 1024
"""How much text is remembered; then all is forgotten, and what still repeats soon known again."""
MOST_MET = 16 * 1024
"""How many texts are known to have been met, by their hashes; then these are forgotten."""

_decode = msgspec.json.Decoder().decode
_NOTHING: Mapping[bytes | str, SharedArguments] = {}


class ArgumentPool:
    """The arguments that were met lately more than once, by tool and text."""

    def __init__(self) -> None:
        self._known: dict[str, dict[bytes | str, SharedArguments]] = {}
        self._size = 0
        self._met: set[int] = set()

    def arguments(self, tool: str, text: bytes | str) -> Any:
        """Return the arguments that a text holds.

        Raises:
            msgspec.DecodeError: the text is no JSON.
        """
        found = self._known.get(tool, _NOTHING).get(text)
        if found is not None:
            return found
        try:
            value = _decode(text)
        except NOT_JSON:
            value = decoded(text)
        if type(value) is not dict or len(text) > LONGEST or self._is_new(text):
            return value
        return self._keep(tool, text, SharedArguments(value))

    def _is_new(self, text: bytes | str) -> bool:
        """Whether no call had this text, as far as is known; two texts of one hash do no harm."""
        met, mark = self._met, hash(text)
        if mark in met:
            return False
        if len(met) >= MOST_MET:
            met.clear()
        met.add(mark)
        return True

    def _keep(self, tool: str, text: bytes | str, shared: SharedArguments) -> SharedArguments:
        self._size += len(text)
        if self._size > MOST:
            self._known, self._size = {}, len(text)
        self._known.setdefault(tool, {})[text] = shared
        return shared
