"""Commands of a rollout that still run when their call is answered, and the calls that poll them.

The answer names a session; a `write_stdin` that names it waits for the same command, and tells how
that ended.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.codex.outputs import session_of, text_of
from reasonix_conformance.readers.files.json_values import at, json_in
from reasonix_conformance.readers.hosts.roles import Role
from reasonix_runtime.trace.events import ToolCall

POLL: Final = "write_stdin"
"""The tool that polls."""
MOST_RUNNING: Final = 64
"""How many commands that still run are surely known by their session."""


class _Running(NamedTuple):
    """A command that still runs: what it is as a tool of the contract, and the call before now.

    `answered` are the calls that were told that it runs: the one that began it, and polls.
    """

    role: Role
    call: int
    answered: tuple[str, ...]


class Polls:
    """The commands of one thread that still run, by their sessions."""

    def __init__(self) -> None:
        self._running: Lately[str, _Running] = Lately(MOST_RUNNING)
        self._sessions: Lately[str, str] = Lately(MOST_RUNNING)
        """The sessions of commands, by the ids of the calls that began them."""

    def role_of(self, args: Any, calls: int) -> Role | None:
        """Return what a call polls for: the command that runs, where nothing came between.

        `calls` were made before it. A check that ran while something was changed says nothing of
        the change.
        """
        session = _session_in(args)
        running = self._running.get(session) if session is not None else None
        if session is None or running is None or running.call != calls:
            return None
        self._running.put(session, running._replace(call=calls + 1))
        return running.role

    def goes_on(self, call: ToolCall, output: Any) -> None:
        """Remember the command of a call whose output gave back a session in which it goes on."""
        session = session_of(text_of(output))
        if session is None:
            return
        known = self._running.get(session)
        if known is not None and call.name == POLL:
            answered = (*known.answered, call.uid)[-MOST_RUNNING:]
            self._running.put(session, known._replace(answered=answered))
        elif call.resolved_name is not None:
            role = Role(call.resolved_name, call.resolved_args, call.resolved_read_only)
            begun = int(call.uid.rpartition("#")[2])
            self._running.put(session, _Running(role, begun, (call.uid,)))
            self._sessions.put(call.native_id or "", session)

    def polled(self, args: Any) -> tuple[str, ...]:
        """Return the calls whose command has ended, as a poll with these arguments was told."""
        return self._ended(_session_in(args))

    def ended(self, native: str) -> tuple[str, ...]:
        """Return the calls whose command has ended, by the id of the call that began it."""
        return self._ended(self._sessions.get(native))

    def _ended(self, session: str | None) -> tuple[str, ...]:
        running = None if session is None else self._running.get(session)
        if session is None or running is None:
            return ()
        self._running.put(session, running._replace(answered=()))
        return running.answered


def _session_in(args: Any) -> str | None:
    """Return the session that the arguments of a poll name."""
    session = at(json_in(args) if isinstance(args, str) else args, "session_id")
    return str(session) if isinstance(session, int | str) else None
