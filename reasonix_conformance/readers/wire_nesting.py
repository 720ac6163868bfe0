"""Calls of sub-agents in wire events: the id of a call names the calls that it is inside."""

from __future__ import annotations

from reasonix_conformance.readers.building import Builder
from reasonix_conformance.readers.wire_records import Tool
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

    def place(self, build: Builder, tool: Tool) -> tuple[str, str] | None:
        """Return the scope of a call and its own id.

        None where the call that started a sub-agent is gone: what the sub-agent did is then no act
        of anyone else. An id may hold a slash without any sub-agent.
        """
        ident = tool.id or ""
        path, _, native = ident.rpartition("/")
        scope = self._scope(build, path)
        if scope is not None:
            return scope, native
        if not tool.parent_id:
            return MAIN, ident
        build.note("missing_child", f"the call {path!r} that started a sub-agent is gone")
        return None

    def _scope(self, build: Builder, path: str) -> str | None:
        """Return the scope of a sub-agent; its first call opens it. None if nothing started it."""
        scope = self._scopes.get(path)
        if scope is not None and build.has_scope(scope):
            return scope
        outer, _, parent = path.rpartition("/")
        parent_uid = build.find(parent, scope=self._scopes.get(outer, MAIN))
        if parent_uid is not None:
            kind = build.opened(parent_uid).name
        elif path in self._running:
            parent_uid, kind = self._running[path]
        else:
            return None
        scope = self._scopes[path] = build.child(path, parent_uid, kind=kind)
        return scope
