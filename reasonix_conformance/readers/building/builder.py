"""The builder that every reader tells what it sees, in the order of the file.

It makes neutral events of that: turns and what is said in them (`turns.py`), and here calls, which
it numbers and binds results to (`pairing.py`), and the conversations of sub-agents. What did not
fit it says in diagnostics. The reader takes the events with `drain`. Nothing that is kept here
grows with the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from hashlib import blake2b
from typing import Any, TypeAlias

import msgspec

from reasonix_conformance.readers.building.argument_pool import ArgumentPool
from reasonix_conformance.readers.building.arguments import (
    NOT_READ,
    in_role,
    inner_object,
    parse_args,
    resolved,
)
from reasonix_conformance.readers.building.pairing import Scope
from reasonix_conformance.readers.building.scopes import Scopes
from reasonix_conformance.readers.building.turns import Turns
from reasonix_conformance.readers.hosts.host_facts import JUDGED, told_by
from reasonix_conformance.readers.hosts.outcomes import Grade
from reasonix_conformance.readers.hosts.roles import Role, role_of
from reasonix_runtime.trace.events import (
    MAIN,
    Assistant,
    CallOrigin,
    Source,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    Truncated,
    scope_of,
)
from reasonix_runtime.trace.host_events import PLAN_MODE

LONGEST_NAME = 1024
"""Longest name of a tool that is kept as it is, in characters; interfaces allow 64 or 128."""
MOST_OF_A_REFUSAL = 8192
"""Characters of a refusal that are searched for what they tell of the run."""

# Outcome and basis that a host gives its open calls when it is started again after it was killed.
_CUT_OFF = ("unknown", "state")


AnsweredCall: TypeAlias = tuple[str, str, Any, str, str, Grade]
"""A call whose result is the next record: id, tool, arguments, what the model said with it, and the
text and grade of the result. A tuple, as there is one for nearly every call of a long file."""


class Builder(Turns):
    """Makes the events of one trace; `line` is set by the reader before each record."""

    def __init__(
        self, file: str, roles: Mapping[str, Any] | None = None, *, of_anyone: bool = False
    ) -> None:
        """Take the file's name and, for another agent's tools, the table of their roles.

        `of_anyone` says that nobody knows whose agent it is: it may be that of a host of the
        contract, whose refusals tell of it.
        """
        super().__init__(file)
        self._roles = roles
        self._of_anyone = of_anyone
        self._pool = ArgumentPool()
        self._scopes = Scopes()
        self._open = self._scopes.open
        self._unread: set[str] = set()
        """The calls of this turn whose arguments are no JSON."""

    def successor(self) -> Builder:
        """Return the builder of the session that follows in the same file.

        It knows no call of this session; the events that were not taken yet come first from it.
        """
        following = Builder(self.file, self._roles, of_anyone=self._of_anyone)
        following.line = self.line
        following.out += self.drain()
        return following

    # -- calls and results

    def call(
        self,
        ids: str | Iterable[str],
        name: str,
        args: Any,
        *,
        step: str,
        scope: str = MAIN,
        origin: CallOrigin = "model",
        read_only: bool | None = None,
        target: str | None = None,
        role: Role | None = None,
        folder: str | None = None,
    ) -> str:
        """Register a call and return its uid.

        `args` is JSON text or any JSON value; `target` is the tool that a proxy call reached,
        `role` what a foreign call is where its name does not tell, `folder` where it runs.
        """
        if not self.in_turn:
            self.start_turn(by="inferred")
        self.quiet = False
        if len(name) > LONGEST_NAME:
            name = self._shortened(name)
        state = self._open[scope]
        names = (ids,) if ids and isinstance(ids, str) else tuple(filter(None, ids))
        value, raw, ok = parse_args(args, name, self._pool, of_contract=self._roles is None)
        self._seq += 1
        event = ToolCall(
            seq=self._seq,
            src=Source(self.file, self.line),
            uid=state.next_uid(origin),
            name=name,
            turn=self.turn,
            step=step,
            args=value,
            args_raw=raw,
            args_ok=ok,
            origin=origin,
            native_id=names[0] if names else None,
            read_only=read_only,
        )
        if target or role is not None or self._roles is not None:
            event = self._as_meant(event, target, role, folder)
        repeated = state.add(event, names)
        self.calls += 1
        self._put(event)
        if repeated is not None or not ok or not name or not name.isprintable():
            self._remark_on(event, repeated)
        return event.uid

    def _shortened(self, name: str) -> str:
        """Return what stands for the name of a tool that is no name: its beginning and a digest."""
        self.note("bad_name", f"the name of a tool has {len(name)} characters")
        digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        return f"{name[:64]}…{digest}"

    def _as_meant(
        self, call: ToolCall, target: str | None, role: Role | None, folder: str | None
    ) -> ToolCall:
        """Return a call with the tool that it means: by its role, or that a proxy reached."""
        if role is None and self._roles is not None:
            args = call.args if type(call.args) is not str else inner_object(call.args)
            role = role_of(self._roles, call.name, args)
            if role is None and args is not call.args:
                role = Role(call.name, args)
        if role is not None or self._roles is not None:
            return in_role(call, self._placed(role, folder))
        return msgspec.structs.replace(
            call, **resolved(call.name, call.args, target, call.read_only)
        )

    def _placed(self, role: Role | None, folder: str | None = None) -> Role | None:
        if role is None or not (folder or role.folder):
            return role
        return role.placed(folder, self.folder)

    def answered_calls(self, calls: Iterable[AnsweredCall], *, line: int, steps: int) -> int:
        """Tell calls of the main conversation that are each answered by the next record.

        This is the quick way for long files: it tells exactly what `assistant`, `call` and `result`
        would, and stops before the first call that needs a remark or a search. `line` is that of
        the first call, `steps` the number of responses before it.

        Returns:
            How many calls were told; the caller tells the rest one by one.
        """
        if not self.in_turn:
            return 0
        state, put, file, turn, told = self._open[MAIN], self._put, self.file, self.turn, 0
        for key, name, given, said, text, (outcome, basis, exit_code, error) in calls:
            args, _, ok = parse_args(given, name, self._pool, of_contract=True)
            if not (
                ok and type(given) is str and 0 < len(name) <= LONGEST_NAME and state.passes(key)
            ):
                break
            told += 1
            seq, src = self._seq, Source(file, line)
            self._said_at = src
            uid, step = f"{MAIN}#{state.calls}", f"r{steps + told}"
            put(Assistant(seq=seq + 1, src=src, turn=turn, step=step, text=said))
            seq += 2
            call = ToolCall(
                seq=seq, src=src, uid=uid, name=name, turn=turn, step=step, args=args, native_id=key
            )
            put(call)
            self._seq = seq
            self.line = line + 1
            if error:
                self._learn(name, outcome, error, text)
            self._seq += 1
            put(
                ToolResult(
                    seq=self._seq,
                    src=Source(file, line + 1),
                    uid=uid,
                    outcome=outcome,
                    basis=basis,
                    text=text,
                    exit_code=exit_code,
                    error=error,
                )
            )
            line += 2
        self.calls += told
        self.quiet = self.quiet and not told
        return told

    def _remark_on(self, call: ToolCall, repeated: str | None) -> None:
        """Say what is odd about a call: an id that was used before, its arguments, its name."""
        if repeated is not None:
            self.count("repeated_call_id", f"the call id {repeated!r} is used again")
        if not call.name:
            # It may have been a call of any tool.
            self.note("bad_line", "a call without the name of its tool")
        if not call.args_ok:
            self._unread.add(call.uid)
            self.note("bad_args", f"the arguments of {call.name} are no JSON")
        if not call.name.isprintable():
            text = f"the name of a tool holds control characters: {call.name!r}"
            self.note("bad_name", text)

    def find(self, native_id: str, *, scope: str = MAIN, name: str = "") -> str | None:
        """Return the uid of the open call that a result with this id belongs to."""
        state = self._open.get(scope)
        return state.find(native_id, name) if state is not None else None

    def answered(self, native_id: str) -> bool:
        """Whether a call of the main conversation with this id was answered not long ago."""
        return self._open[MAIN].has_answered(native_id)

    def unanswered(self, scope: str = MAIN) -> list[ToolCall]:
        """Return the open calls of a scope."""
        return [call for call, _ in self._open[scope].open.values()]

    def is_open(self, uid: str) -> bool:
        """Whether a call has no result yet."""
        state = self._open.get(scope_of(uid))
        return state is not None and uid in state.open

    def opened(self, uid: str) -> ToolCall:
        """Return the event of an open call."""
        return self._open[scope_of(uid)].open[uid][0]

    def compare_name(self, uid: str | None, name: str) -> None:
        """Say that a result names another tool than its call, if it names one and has a call."""
        if uid is None or not 0 < len(name) <= LONGEST_NAME:  # a longer one is kept as a digest
            return
        if name != self.opened(uid).name:
            self.note("bad_line", f"a result of {name} for a call of another tool")

    def result(
        self,
        native_id: str,
        grade: Grade,
        text: str,
        *,
        scope: str = MAIN,
        name: str = "",
        truncated: Truncated | None = None,
        read_only: bool | None = None,
        target: str | None = None,
        uid: str | None = None,
        in_place: bool = False,
    ) -> str | None:
        """Bind a result to its call; one without an open call is reported and is no evidence.

        `uid` is the open call, `read_only` and `target` the last word on it, each where known;
        `in_place` says that in this format a result stands behind its call and no later one.
        """
        state = self._open.get(scope)
        if state is not None and uid is None:
            uid = state.find(native_id, name)
        if state is None or uid is None:
            self._not_bound(state, native_id, in_place=in_place)
            return None
        if target or (read_only is not None and read_only is not state.open[uid][0].read_only):
            self.refresh(uid, read_only=read_only, target=target)
        outcome, basis, exit_code, error = grade
        if len(self._open) > 1:
            self._end_started_by(uid, outcome, basis)
        if error or self._unread:
            self._mind_end(state.open[uid][0], grade, text)
        state.close(uid)
        self._seq += 1
        self._put(
            ToolResult(
                seq=self._seq,
                src=Source(self.file, self.line),
                uid=uid,
                outcome=outcome,
                basis=basis,
                text=text,
                exit_code=exit_code,
                error=error,
                truncated=truncated,
            )
        )
        if truncated is not None:
            self.note("truncated_result", "a result was cut; what it lacks proves nothing")
        return uid

    def _mind_end(self, call: ToolCall, grade: Grade, text: str) -> None:
        """Say what a result tells beside itself: of the run, or of a call that nobody can read."""
        if grade.error:
            self._learn(call.name, grade.outcome, grade.error, text)
        elif call.uid in self._unread and grade.outcome == "ok":
            self.note("bad_args", NOT_READ)

    def _not_bound(self, state: Scope | None, native_id: str, *, in_place: bool) -> None:
        """Say why a result belongs to no open call.

        Ids repeat: the second one of an id may be that of a later call, which is lost.
        """
        if state is not None and (
            state.surely_answered(native_id) if in_place else state.has_answered(native_id)
        ):
            self.note("duplicate_result", f"a second result for {native_id!r} is left out")
        else:
            self.note("orphan_result", f"no call is open for the result of {native_id!r}")

    def refresh(self, uid: str, *, read_only: bool | None, target: str | None) -> None:
        """Say more about an open call; if that is news, the call is given again."""
        opened = self._open[scope_of(uid)].open
        call, ids = opened[uid]
        facts = resolved(call.name, call.args, target, read_only)
        if read_only is not None:
            facts["read_only"] = read_only
        if any(getattr(call, name) != value for name, value in facts.items()):
            call = msgspec.structs.replace(call, **facts, **self._stamp())
            opened[uid] = (call, ids)
            self._put(call)

    def given(self, uid: str, args: Any, role: Role | None = None) -> None:
        """Say what an open call was really run with; if that is news, the call is given again.

        `role` is what it is by that, where its name does not tell.
        """
        opened = self._open[scope_of(uid)].open
        call, ids = opened[uid]
        if args != call.args or (role is not None and role.args != call.resolved_args):
            role = role or role_of(self._roles or {}, call.name, args) or Role(call.name, args)
            call = in_role(msgspec.structs.replace(call, **self._stamp()), self._placed(role))
            opened[uid] = (call, ids)
            self._put(call)

    def _learn(self, tool: str, outcome: str, error: str, text: str) -> None:
        """Pass on what a refusal tells about the run, before the result that it stands in.

        A refusal is the host's: what a tool that ran says of its failure may be any text.
        """
        refused = outcome == "blocked" or (outcome == "error" and tool in JUDGED)
        if not refused or (self._roles is not None and not self._of_anyone):
            return
        for name, data in told_by(f"{error}\n{text[:MOST_OF_A_REFUSAL]}"):
            self._planning = self._planning or name == PLAN_MODE
            self.host(name, data)

    # -- sub-agents

    def child(self, native: str, parent_uid: str, **facts: Any) -> str:
        """Open a scope for a sub-agent started by `parent_uid` and return its name."""
        name = self._scopes.begin(native, parent_uid)
        self._put(SubStart(scope=name, parent_uid=parent_uid, **facts, **self._stamp()))
        return name

    def end_child(self, scope: str, *, status: str | None = None) -> None:
        """Close a sub-agent's scope; its open calls are unanswered."""
        state = self._open.get(scope)
        if state is None or state.parent_uid is None:
            return
        for inner in self._scopes.inside(scope):
            self.end_child(inner)
        self._unanswered(state)
        self._scopes.end(scope, state.parent_uid)
        self._put(SubEnd(scope=scope, parent_uid=state.parent_uid, status=status, **self._stamp()))

    def _end_started_by(self, uid: str, outcome: str, basis: str) -> None:
        """End the sub-agents of a call that ended, unless they go on.

        One in the background does when its call is answered; of one that was cut off with its call
        the host tells afterwards.
        """
        if outcome == "running" or (outcome, basis) == _CUT_OFF:
            return
        for scope in self._scopes.started_by(uid):
            self.end_child(scope)

    def newest(self, names: Collection[str], *, prompt: str | None = None) -> str | None:
        """Return the newest open call of the main conversation with such a name (and prompt)."""
        for uid, (call, _) in reversed(self._open[MAIN].open.items()):
            args = call.args if isinstance(call.args, dict) else {}
            if call.name in names and (prompt is None or args.get("prompt") == prompt):
                return uid
        return None

    def calls_in(self, scope: str) -> int:
        """Return how many calls of the model an open scope has had."""
        return self._open[scope].calls

    def has_scope(self, scope: str) -> bool:
        """Whether a scope is open."""
        return scope in self._open

    # -- inside

    def _unanswered(self, state: Scope) -> None:
        for uid, (call, _) in list(state.open.items()):
            state.close(uid)
            where = call.src.line if call.src else None
            at = f" of line {where}" if where else ""
            self.note("unanswered_call", f"the call of {call.name}{at} has no result")
            self._put(ToolResult(uid=uid, outcome="none", **self._stamp()))

    def close_calls(self) -> None:
        """Close what is open at the end of a turn: sub-agents, and calls without a result."""
        self._unread.clear()
        for name in [name for name in reversed(self._open) if name != MAIN]:
            self.end_child(name)
        self._unanswered(self._open[MAIN])
