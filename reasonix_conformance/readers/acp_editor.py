"""What an agent asks of its editor: to run commands in terminals, and whether a call may run.

The state of a call says that its tool ran, not how a command ended that ran in a terminal, and of a
call that was refused that it failed. The editor's answers tell more; some agents tell in updates,
under `_meta`, what a terminal says.
"""

from __future__ import annotations

from typing import Any, Final

from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, by_code

MOST_REMEMBERED: Final = 1 << 8
"""How many terminals, refusals and open requests are surely known."""

_OF_TERMINALS: Final = ("terminal/wait_for_exit", "terminal/output")
_PERMISSION: Final = "session/request_permission"


class Editor:
    """The editor of a connection: what it answered, by the ids of terminals and calls."""

    def __init__(self) -> None:
        self._asked: Lately[int | str, Any] = Lately(MOST_REMEMBERED)
        """The requests of the agent by their ids."""
        self._ended: Lately[str, Grade] = Lately(MOST_REMEMBERED)
        self._said: Lately[str, str] = Lately(MOST_REMEMBERED)
        self._calls_in: Lately[str, None] = Lately(MOST_REMEMBERED)
        """The terminals that calls were told to run in."""
        self._loose: dict[str, str] = {}
        """The sessions of the others, of each those since the last command that told none."""
        self._refused: Lately[str, bool] = Lately(MOST_REMEMBERED)

    def take(self, record: Any) -> None:
        """Take in a record, whichever side sent it."""
        method, ident = text_at(record, "method"), at(record, "id")
        if method == "session/update":
            self._told(at(record, "params", "update", "_meta"))
        elif not isinstance(ident, int | str):
            return
        elif method in _OF_TERMINALS or method == _PERMISSION:
            self._asks(ident, at(record, "params"))
        elif not method and (asked := self._asked.get(ident)) is not None:
            self._answered(asked, at(record, "result"))

    def _asks(self, ident: int | str, asked: Any) -> None:
        self._asked.put(ident, asked)
        terminal = name_at(asked, "terminalId")
        if terminal is not None and terminal not in self._calls_in:
            self._loose[terminal] = text_at(asked, "sessionId")
            if len(self._loose) > MOST_REMEMBERED:
                del self._loose[next(iter(self._loose))]

    def _answered(self, asked: Any, result: Any) -> None:
        """Take in an answer; both sides count their requests, so it may be that of another one."""
        terminal, call = name_at(asked, "terminalId"), name_at(asked, "toolCall", "toolCallId")
        if terminal is not None:
            self._stands(terminal, at(result, "exitStatus") or result, "exitCode")
            self._says(terminal, name_at(result, "output"))
        elif call is not None and _refuses(asked, at(result, "outcome")):
            self._refused.put(call, True)

    def _told(self, meta: Any) -> None:
        """Take in what an agent tells of a terminal beside an update."""
        output, ended = at(meta, "terminal_output"), at(meta, "terminal_exit")
        self._says(text_at(output, "terminal_id"), name_at(output, "data"))
        self._stands(text_at(ended, "terminal_id"), ended, "exit_code")

    def _says(self, terminal: str, text: str | None) -> None:
        if text is not None:
            self._said.put(terminal, text)

    def _stands(self, terminal: str, status: Any, key: str) -> None:
        grade = by_code(at(status, key))
        if grade is None and name_at(status, "signal") is not None:
            grade = Grade("cancelled", "state", None, text_at(status, "signal"))
        if grade is not None:
            self._ended.put(terminal, grade)

    def ended(self, terminal: str) -> Grade | None:
        """Grade by how the command of a terminal ended; None where that was not told."""
        return self._ended.get(terminal)

    def said(self, terminal: str) -> str:
        """Return what the command of a terminal said, as far as that was told."""
        return self._said.get(terminal) or ""

    def is_of_a_call(self, terminal: str) -> None:
        """Take in that a call was told to run in a terminal."""
        self._calls_in.put(terminal, None)
        self._loose.pop(terminal, None)

    def doubt(self, session: str) -> Grade | None:
        """Grade a command that tells no terminal; None where none failed that it may have had."""
        loose = [terminal for terminal, of in self._loose.items() if of == session]
        for terminal in loose:
            del self._loose[terminal]
        good = all((ended := self.ended(one)) and ended.outcome == "ok" for one in loose)
        return None if good else UNKNOWN

    def refused(self, call: str) -> bool:
        """Whether the user refused a call that has ended; asked once, as ids are used again."""
        found = self._refused.get(call) is True
        if found:
            self._refused.put(call, False)
        return found


def _refuses(asked: Any, outcome: Any) -> bool:
    """Whether an answer chooses none of the options by which a call may run."""
    if text_at(outcome, "outcome") == "cancelled":
        return True
    chosen = name_at(outcome, "optionId")
    options = (one for one in list_at(asked, "options") if name_at(one, "optionId") == chosen)
    return chosen is not None and text_at(next(options, None), "kind").startswith("reject")


def terminal_in(update: Any) -> str | None:
    """Return the terminal in which an update says that the command of its call runs."""
    told = (name_at(part, "terminalId") for part in list_at(update, "content"))
    return next(filter(None, told), None)
