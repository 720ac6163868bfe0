"""Calls bound to their results: by scope, id and occurrence.

A native id is never a key: ids repeat in real recordings, and some are missing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from reasonix_runtime.trace.events import ToolCall

REMEMBERED = 4096
"""Answered ids that are surely remembered per scope, to tell a second result from an orphan."""

Open = tuple[ToolCall, tuple[str, ...]]
"""A call without a result yet, and the ids that its result may carry."""


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
    _by_id: dict[str, list[str]] = field(default_factory=dict)
    _answered: set[str] = field(default_factory=set)
    _answered_before: set[str] = field(default_factory=set)

    def add(self, call: ToolCall, ids: tuple[str, ...]) -> str | None:
        """Open a call; return an id of it that was used before, if there is one."""
        repeated = None
        by_id = self._by_id
        for key in ids:
            if key in by_id:
                repeated = key
                by_id[key].append(call.uid)
            else:
                if key in self._answered or key in self._answered_before:
                    repeated = key
                by_id[key] = [call.uid]
        self.open[call.uid] = (call, ids)
        return repeated

    def passes(self, native_id: str) -> bool:
        """Count a call that its result follows at once; False, and nothing, if its id was used.

        Such a call never has to be found among the open ones.
        """
        answered = self._answered
        if native_id in self._by_id or native_id in answered or native_id in self._answered_before:
            return False
        self.calls += 1
        answered.add(native_id)
        if len(answered) > REMEMBERED:
            self._forget()
        return True

    def find(self, native_id: str, name: str) -> str | None:
        """Return the uid of the open call that a result with this id belongs to.

        Of several open calls with one id, those of the latest step count; the first of them that
        has the result's name, else the first. Without an id, calls without an id are answered in
        order.
        """
        opened = self.open
        uids = self._by_id.get(native_id)
        if uids is None:
            if native_id or not opened:
                return None
            uids = [uid for uid, (_, ids) in opened.items() if not ids] or list(opened)
        if len(uids) == 1:
            return uids[0]
        step = opened[uids[-1]][0].step
        latest = [uid for uid in uids if opened[uid][0].step == step]
        named = [uid for uid in latest if name and opened[uid][0].name == name]
        return (named or latest)[0]

    def close(self, uid: str) -> None:
        """Take a call out of the open ones and remember its ids for a while."""
        _, ids = self.open.pop(uid)
        for key in ids:
            uids = self._by_id[key]
            if len(uids) == 1:
                del self._by_id[key]
            else:
                uids.remove(uid)
            self._answered.add(key)
        if len(self._answered) > REMEMBERED:
            self._forget()

    def _forget(self) -> None:
        self._answered_before, self._answered = self._answered, set()

    def has_answered(self, native_id: str) -> bool:
        """Whether a call with this id was answered not long ago."""
        return native_id in self._answered or native_id in self._answered_before
