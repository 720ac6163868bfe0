"""Calls bound to their results: by scope, id and occurrence.

A native id is never a key: ids repeat in real recordings, and some are missing.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

from reasonix_conformance.readers.building.lately import Lately
from reasonix_runtime.trace.events import CallOrigin, ToolCall

REMEMBERED = 4096
"""Answered ids that are surely remembered per scope, to tell a second result from an orphan."""

LONGEST_ID = 512
"""Longest id that is remembered as it is; of a longer one it is a digest."""

Open = tuple[ToolCall, tuple[str, ...]]
"""A call without a result yet, and the ids that its result may carry."""


class Alike:
    """Open calls of which any may be the one that a result belongs to, in their order.

    Nothing here looks at all of them: there may be very many.
    """

    def __init__(self, calls: Iterable[ToolCall] = ()) -> None:
        self._calls: OrderedDict[str, ToolCall] = OrderedDict()
        self._uids: dict[tuple[str, str | None], OrderedDict[str, None]] = {}
        """By step and name, and by step alone (None)."""
        for call in calls:
            self.add(call)

    def __bool__(self) -> bool:
        return bool(self._calls)

    def add(self, call: ToolCall) -> None:
        """Take in a call that was opened."""
        self._calls[call.uid] = call
        for name in (call.name, None):
            self._uids.setdefault((call.step, name), OrderedDict())[call.uid] = None

    def remove(self, uid: str) -> None:
        """Take out a call, if it is one of these."""
        call = self._calls.pop(uid, None)
        if call is None:
            return
        for name in (call.name, None):
            uids = self._uids[call.step, name]
            del uids[uid]
            if not uids:
                del self._uids[call.step, name]

    def find(self, name: str) -> str:
        """Return the first call of the latest step that has this name, else the first of it."""
        step = self._calls[next(reversed(self._calls))].step
        return next(iter(self._uids.get((step, name or None)) or self._uids[step, None]))


@dataclass(slots=True)
class Scope:
    """One conversation: its counters, its open calls by uid, and ids it has answered.

    Calls of the host are counted by themselves.
    """

    name: str
    parent_uid: str | None = None
    calls: int = 0
    host_calls: int = 0
    open: dict[str, Open] = field(default_factory=dict)
    _by_id: dict[str, str | Alike] = field(default_factory=dict)
    """The uid of the open call with an id, or the calls where several have had it."""
    _without_id: Alike = field(default_factory=Alike)
    _any: Alike | None = None
    """All open calls, once a result without an id could belong to any of them."""
    _answered: Lately[str, int] = field(default_factory=lambda: Lately(REMEMBERED))
    """Of an id that was answered, how many calls had been made by then."""
    _repeats: bool = False
    """Whether an id was used for more than one call."""

    def next_uid(self, origin: CallOrigin) -> str:
        """Count a call and return its uid."""
        if origin == "model":
            self.calls += 1
            return f"{self.name}#{self.calls}"
        self.host_calls += 1
        return f"{self.name}#h{self.host_calls}"

    def add(self, call: ToolCall, ids: tuple[str, ...]) -> str | None:
        """Open a call; return an id of it that was used before, if there is one."""
        repeated = None
        uid, by_id = call.uid, self._by_id
        self.open[uid] = (call, ids)
        for key in ids:
            others = by_id.get(key)
            if others is None:
                if (key if len(key) <= LONGEST_ID else _brief(key)) in self._answered:
                    repeated = key
                by_id[key] = uid
            else:
                repeated = key
                if isinstance(others, str):
                    others = by_id[key] = Alike((self.open[others][0],))
                others.add(call)
        self._repeats = self._repeats or repeated is not None
        if not ids:
            self._without_id.add(call)
        if self._any is not None:
            self._any.add(call)
        return repeated

    def passes(self, native_id: str) -> bool:
        """Count a call that its result follows at once; False, and nothing, if its id was used.

        Such a call never has to be found among the open ones.
        """
        long = len(native_id) > LONGEST_ID
        if long or native_id in self._by_id or native_id in self._answered:
            return False
        self.calls += 1
        self._answered.put(native_id, self.calls)
        return True

    def find(self, native_id: str, name: str) -> str | None:
        """Return the uid of the open call that a result with this id belongs to.

        Of several open calls with one id, those of the latest step count; the first of them that
        has the result's name, else the first. Without an id, calls without an id are answered in
        order.
        """
        found = self._by_id.get(native_id)
        if found is None:
            if native_id or not self.open:
                return None
            found = self._without_id or self._any_open()
        return found if isinstance(found, str) else found.find(name)

    def _any_open(self) -> Alike:
        if self._any is None:
            self._any = Alike(call for call, _ in self.open.values())
        return self._any

    def close(self, uid: str) -> None:
        """Take a call out of the open ones and remember its ids for a while."""
        _, ids = self.open.pop(uid)
        for key in ids:
            self._answered.put(key if len(key) <= LONGEST_ID else _brief(key), self.calls)
            found = self._by_id.get(key)
            if isinstance(found, Alike):
                found.remove(uid)
                if found:
                    continue
            self._by_id.pop(key, None)
        if not ids:
            self._without_id.remove(uid)
        if self._any is not None:
            self._any.remove(uid)

    def has_answered(self, native_id: str) -> bool:
        """Whether a call with this id was answered not long ago."""
        return _brief(native_id) in self._answered

    def surely_answered(self, native_id: str) -> bool:
        """Whether the call with this id that was answered is the only one that it may be of.

        Where a later call was made, or ids are used again, there may have been another one.
        """
        return not self._repeats and self._answered.get(_brief(native_id)) == self.calls


def _brief(ident: str) -> str:
    """Return an id as it is remembered."""
    if len(ident) <= LONGEST_ID:
        return ident
    return blake2b(ident.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
