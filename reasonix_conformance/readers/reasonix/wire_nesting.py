"""Calls of sub-agents in wire events: the id of a call names the calls that it is inside."""

from __future__ import annotations

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.reasonix.wire_records import Tool
from reasonix_runtime.trace.events import MAIN


class Nesting:
    """The sub-agents of one session: which call started each, and the scope it has."""

    def __init__(self) -> None:
        self._scopes: dict[str, str] = {}
        self._running: dict[str, tuple[str, str]] = {}
        """By id the calls that went on in the background: their uid and their tool."""

    def turn_ended(self) -> None:
        """Forget the scopes; what went on in the background may still tell of itself."""
        self._scopes.clear()

    def goes_on(self, tool: Tool, uid: str) -> None:
        """Remember a call that was answered and goes on in the background."""
        self._running[tool.id or ""] = (uid, tool.name)

    def told(self, ident: str) -> tuple[str, str]:
        """Return the scope that an id tells, as far as it is known, and the call's own id."""
        path, _, native = ident.rpartition("/")
        return self._scopes.get(path, MAIN), native

    def place(self, build: Builder, tool: Tool) -> tuple[str, str] | None:
        """Return the scope of a call and its own id.

        None where the call that started a sub-agent is gone: what the sub-agent did is then no act
        of anyone else. An id may hold a slash without any sub-agent.
        """
        ident = tool.id or ""
        path, _, native = ident.rpartition("/")
        scope = self._scope(build, path, tool.parent_id or path)
        if scope is not None:
            return scope, native
        if not tool.parent_id:
            return MAIN, ident
        build.note("missing_child", f"the call {path!r} that started a sub-agent is gone")
        return None

    def _scope(self, build: Builder, path: str, parent: str) -> str | None:
        """Return the scope of a sub-agent; its first call opens it. None if nothing started it.

        Several sub-agents of one call have their own calls' ids behind the id of the parent twice,
        and a provider's id may hold a slash: what started one is the `parent`, where that is told.
        """
        scope = self._scopes.get(parent) or self._scopes.get(path)
        if scope is None or not build.has_scope(scope):
            started = self._started(build, parent) or self._started(build, path)
            if started is None:
                return None
            uid, kind = started
            scope = self._scopes[parent] = build.child(path, uid, kind=kind)
        self._scopes[path] = scope
        return scope

    def _started(self, build: Builder, ident: str) -> tuple[str, str] | None:
        """Return the uid and the tool of a call that is open, or that goes on."""
        scope, native = self.told(ident)
        uid = build.find(native, scope=scope)
        if uid is not None:
            return uid, build.opened(uid).name
        return self._running.get(ident)
