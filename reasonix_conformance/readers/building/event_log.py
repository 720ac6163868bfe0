"""The events of one trace in their order, numbered and placed, with the remarks on the file.

Before a session has begun, nothing is given: what is told before it comes right after its event.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from reasonix_conformance.readers.files.lines import NOTHING_READ
from reasonix_runtime.trace.events import Diag, Event, Session, Source

MOST_OF_A_KIND = 50
"""Diagnostics of one code that are given one by one; the rest is counted."""


class EventLog:
    """Numbers and keeps events until they are taken; `line` is that of the record they are from."""

    def __init__(self, file: str) -> None:
        """Take the name of the file as messages show it."""
        self.file = file
        self.line: int | None = None
        self.out: list[Event] = []
        """The events that were made and not yet taken; whoever takes them clears the list."""
        self._seq = 0
        self._early: list[Event] = []
        self.folder: str | None = None
        """The folder that the session runs in, None where that is not told."""
        self._put = self._early.append
        self._given: Counter[str] = Counter()
        self._counted: dict[tuple[str, str], tuple[int, str, str]] = {}

    @property
    def remarked(self) -> bool:
        """Whether anything was remarked on the trace so far."""
        return bool(self._given or self._counted)

    def session(self, sid: str, format_name: str, **facts: Any) -> None:
        """Begin a session; facts are the further fields of `Session`.

        What was told before it (a first line that is broken, say) comes right after it.
        """
        early, self._early = self._early, []
        self.folder = facts.get("cwd")
        self._put = self.out.append
        self._put(Session(sid=sid, format=format_name, **facts, **self._stamp()))
        for event in early:
            self._seq += 1
            self._put(msgspec.structs.replace(event, seq=self._seq))

    def retell(self, event: Event) -> None:
        """Give an event that was read elsewhere: its place stays, its number is of this trace."""
        self._seq += 1
        self._put(msgspec.structs.replace(event, seq=self._seq))

    def drain(self) -> list[Event]:
        """Return the events that were made since the last call."""
        made = self.out.copy()
        self.out.clear()
        return made

    def note(self, code: str, text: str) -> None:
        """Give a diagnostic; from the fifty-first of a code on they are only counted."""
        self._given[code] += 1
        if self._given[code] <= MOST_OF_A_KIND:
            self._put(Diag(code=code, where=self._where(), text=text, **self._stamp()))

    def count(self, code: str, text: str) -> None:
        """Count a diagnostic that is given once, at the end, with where it was seen first.

        Of `unknown_record` each text is counted by itself, as it names the kind of the record;
        those beyond a certain number of kinds are counted together.
        """
        of = text if code == "unknown_record" else ""
        if (code, of) not in self._counted and len(self._counted) >= MOST_OF_A_KIND:
            of = ""
        seen, where, first = self._counted.get((code, of), (0, self._where(), text))
        self._counted[code, of] = (seen + 1, where, first)

    def file_ended(self, *, empty: bool, damage: str | None) -> None:
        """Say what the file lacks: any record at all, or what damage took off its end."""
        if damage:
            self.note("truncated_tail", damage)
        elif empty:
            self.note("truncated_tail", NOTHING_READ)

    def finish(self) -> None:
        """Give the diagnostics that were only counted."""
        for (code, _), (seen, where, text) in sorted(self._counted.items()):
            more = f" ({seen} times)" if seen > 1 else ""
            self._put(Diag(code=code, where=where, text=f"{text}{more}", **self._stamp()))
        for code, seen in sorted(self._given.items()):
            if seen > MOST_OF_A_KIND:
                text = f"{seen - MOST_OF_A_KIND} more of these were not listed"
                self._put(Diag(code=code, where=self.file, text=text, **self._stamp()))

    def _stamp(self) -> dict[str, Any]:
        self._seq += 1
        return {"seq": self._seq, "src": Source(self.file, self.line)}

    def _where(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file
