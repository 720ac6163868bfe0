"""The open conversations of a session: the main one, and those of sub-agents inside others."""

from __future__ import annotations

from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.building.pairing import Scope
from reasonix_runtime.trace.events import MAIN, scope_of

MOST_NESTED = 16
"""How many sub-agents may stand inside each other; what is deeper is told as missing."""
MOST_REMEMBERED = 1 << 14
"""How many ids of sub-agents are surely remembered.

A sub-agent whose id was used before gets a number behind it. When more than twice as many have
begun, one whose id is not remembered gets the number of the sub-agent in the session.
"""


class Scopes:
    """Open conversations by name, and which call started each; names are used once."""

    def __init__(self) -> None:
        self.open: dict[str, Scope] = {MAIN: Scope(MAIN)}
        self._by_call: dict[str, dict[str, None]] = {}
        """The open scopes that a call started, in their order."""
        self._by_scope: dict[str, dict[str, None]] = {}
        """The same by the scope of that call."""
        self._begun = 0
        self._used: Lately[str, int] = Lately(MOST_REMEMBERED)
        """How often an id was used lately."""

    def begin(self, native: str, parent_uid: str) -> str:
        """Open the conversation of a sub-agent and return its name."""
        forgets = self._begun > 2 * MOST_REMEMBERED
        number = (self._used.get(native) or (self._begun if forgets else 0)) + 1
        while (name := _numbered(native, number)) in self.open:
            number += 1
        self._used.put(native, number)
        self._begun += 1
        self.open[name] = Scope(name, parent_uid)
        self._by_call.setdefault(parent_uid, {})[name] = None
        self._by_scope.setdefault(scope_of(parent_uid), {})[name] = None
        return name

    def end(self, name: str, parent_uid: str) -> None:
        """Close the conversation of a sub-agent that a call started."""
        del self.open[name]
        _take(self._by_call, parent_uid, name)
        _take(self._by_scope, scope_of(parent_uid), name)

    def started_by(self, uid: str) -> list[str]:
        """Return the open conversations that a call started."""
        return list(self._by_call.get(uid, ()))

    def inside(self, scope: str) -> list[str]:
        """Return the open conversations that the calls of a conversation started."""
        return list(self._by_scope.get(scope, ()))


def _numbered(native: str, number: int) -> str:
    return native if number == 1 else f"{native}~{number}"


def _take(inside: dict[str, dict[str, None]], key: str, name: str) -> None:
    names = inside[key]
    del names[name]
    if not names:
        del inside[key]
