"""From a call to its result: arguments at the door, the tool, the bound, the receipt.

Whatever happens inside a tool, a call comes back with a result: an error of ours or of the tool is
told to the model and recorded with the host, it never ends the loop.
"""

from __future__ import annotations

import itertools
import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.errors import did_you_mean
from reasonix_runtime.evidence.result_text import Bounded, bound
from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.behaviours import built_in_behaviours
from reasonix_runtime.tools.context import Behaviour, Context, Output
from reasonix_runtime.tools.errors import (
    BlockedError,
    CommandError,
    InvalidCallError,
    ToolError,
    UnknownToolError,
)
from reasonix_runtime.tools.proxy_door import Crossing, Door, Passing
from reasonix_runtime.tools.registry import Registry, default_registry
from reasonix_runtime.tools.support.arguments import json_value, read_arguments
from reasonix_runtime.trace.events import (
    MAIN,
    Basis,
    Event,
    Host,
    Outcome,
    ToolCall,
    ToolResult,
    Truncated,
)
from reasonix_runtime.trace.host_events import CAPABILITY

if TYPE_CHECKING:
    from threading import RLock

LOG = logging.getLogger(__name__)

_MARKS = {
    "guard.repeat_failure": "[loop guard] ",
    "guard.repeat_success": "[loop guard] ",
    "guard.stale_anchor": "[fresh read required] ",
}
"""What readers of a conversation know the refusals of a guard by."""

EXTRA = "reasonix-conformance[host]"
"""The extra with the packages that some tools work with; grammars tell theirs themselves."""

CANCELLED = "cancelled: context cancelled before execution"


@dataclass(frozen=True, slots=True, kw_only=True)
class CallResult:
    """What came back from a call.

    `text` is what the model sees, `body` the complete text, which differs where `ref` is set (see
    `results.bound`). `verdicts` are those that the call asked the gates for.
    """

    uid: str
    name: str
    outcome: Outcome
    text: str
    body: str
    ref: str | None = None
    exit_code: int | None = None
    verdicts: tuple[Verdict, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the call did what it was asked, or started it."""
        return self.outcome in {"ok", "running"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ended:
    """How a call ended, before its text is bounded; `error` is why it met no gate of its own."""

    outcome: Outcome
    text: str
    basis: Basis = "flag"
    exit_code: int | None = None
    error: str | None = None


class Toolbox:
    """The tools of one agent.

    `door` is what `use_capability` opens, None where nothing stands behind it. `state` takes
    the call and result events, so every call leaves its receipt; `listener` is told the same
    events, for a log. A tool that is registered and has no behaviour here is answered with an
    error. Safe for calls from several threads; the toolboxes of agents that share a state share the
    `lock`, under which an event is judged and told.
    """

    def __init__(
        self,
        context: Context,
        *,
        state: HostState,
        registry: Registry | None = None,
        behaviours: Mapping[str, Behaviour] | None = None,
        scope: str = MAIN,
        listener: Callable[[Event], None] | None = None,
        door: Door | None = None,
        lock: RLock | None = None,
    ) -> None:
        self._door = door
        self.registry = registry or default_registry()
        self._entries = {entry.name: entry for entry in self.registry.entries()}
        self._behaviours = dict(behaviours or built_in_behaviours())
        self._context = context
        self._state = state
        self._scope = scope
        self._listener = listener
        self._numbers = itertools.count(1)
        self._lock = lock or threading.RLock()

    def call(
        self, name: str, arguments: Any = None, *, call_id: str | None = None, step: str = ""
    ) -> CallResult:
        """Run one call and return its result; `arguments` is JSON text or an object.

        `call_id` is the id that the model gave the call, `step` the model response it belongs to.
        """
        uid = f"{self._scope}#{next(self._numbers)}"
        given = _read(arguments)
        crossing = self._enter(name, given)
        call = self._announce(uid, name, given, call_id, step, crossing)
        verdicts: list[Verdict] = []
        judging = ExitStack()

        def judge() -> Verdict:
            """Return the verdict of the gate of this call, for the tool that shows it."""
            # Nothing is told between the verdict and the result that shows it.
            judging.enter_context(self._lock)
            verdicts.extend(self._apply(ToolResult(uid=uid, outcome="none")))
            own = [verdict for verdict in verdicts if verdict.gate != preflight.GATE]
            if not own:
                raise BlockedError(f"the rules of this host have no gate for {name}")
            return own[-1]

        ended = _Ended(outcome="cancelled", text=CANCELLED)
        try:
            if not self._context.cancellation.requested:
                context = replace(self._context, call=call, judge=judge)
                ended = self._run(call, arguments, context, crossing)
        finally:
            # Also on the way out of an interrupt: the call was announced, so it has a result.
            body = ended.text.encode("utf-8", "backslashreplace").decode()
            bounded = bound(body, tool=name, call_id=call_id or uid)
            result = _event(uid, ended, body, bounded)
            with judging, self._lock:
                if not verdicts:
                    verdicts.extend(self._apply(result))
                self._tell(result)
            if self._door is not None:
                self._door.keep(call_id or uid, body)
        return CallResult(
            uid=uid,
            name=name,
            outcome=ended.outcome,
            text=bounded.text,
            body=body,
            ref=bounded.ref,
            exit_code=ended.exit_code,
            verdicts=tuple(verdicts),
        )

    def _enter(self, name: str, given: _Given) -> Crossing | None:
        """Resolve a call of the proxy; what fails in that is the result of the call."""
        if self._door is None or name != PROXY:
            return None
        try:
            return self._door.enter(given.args)
        except Exception as error:  # a fault of ours must not end the loop of the host
            return _Closed(error)

    def _run(
        self, call: ToolCall, arguments: Any, context: Context, crossing: Crossing | None
    ) -> _Ended:
        """Run the tool and turn whatever it raises into a result."""
        try:
            if crossing is not None:
                output = crossing.carry_out(self._passing(call.uid, context))
            else:
                # Asked of every call, also of one that could not run: the gates judge it anyway.
                self._require_allowed(call.uid)
                if call.name not in self._entries:
                    raise _unknown(call.name, self.registry.names)
                values = read_arguments(arguments, self._entries[call.name])
                output = self._behaviour(call.name)(values, context)
        except BlockedError as error:
            return _Ended(outcome="blocked", text=f"blocked: {error.message}", basis="host_rule")
        except CommandError as error:
            return _Ended(
                outcome="cancelled" if error.cancelled else "error",
                text=_error_text(error.message, error.output),
                basis="state" if error.exit_code is None else "exit_code",
                exit_code=error.exit_code,
            )
        except (InvalidCallError, UnknownToolError) as error:
            text = _error_text(error.message, error.output)
            return _Ended(outcome="error", text=text, error=error.message)
        except ToolError as error:
            return _Ended(outcome="error", text=_error_text(error.message, error.output))
        except ModuleNotFoundError as error:
            text = f"{call.name} needs the package {error.name}; install {EXTRA}"
            return _Ended(outcome="error", text=_error_text(text, ""))
        except Exception as error:
            # A fault of the tool itself: told to the model in short, kept for us with its trace.
            LOG.exception("%s failed unexpectedly", call.name)
            return _Ended(
                outcome="error",
                text=_error_text(f"internal error in {call.name}: {type(error).__name__}", ""),
            )
        return _ended(output)

    def _passing(self, uid: str, context: Context) -> Passing:
        """Return what a call of the proxy may ask of the dispatcher."""

        def run(name: str, arguments: Mapping[str, Any]) -> Output:
            """Run another tool in the place of this call."""
            if name not in self._entries:
                raise _unknown(name, self.registry.names)
            values = read_arguments(dict(arguments), self._entries[name])
            return self._behaviour(name)(values, context)

        def note(capability: str, outcome: str) -> None:
            """Tell what came of a capability."""
            data = {"id": capability, "outcome": outcome}
            event = Host(name=CAPABILITY, turn=self._state.turn, data=data)
            with self._lock:
                self._apply(event)
                self._tell(event)

        return Passing(allowed=lambda: self._require_allowed(uid), run=run, note=note)

    def _require_allowed(self, uid: str) -> None:
        """Ask the host whether the call may run; raises BlockedError with its reason."""
        with self._lock:
            verdict = self._state.ask(uid)
        if verdict is not None and verdict.decision is Decision.REJECT:
            mark = _MARKS.get(verdict.reason or "", "")
            raise BlockedError(mark + verdict.message)

    def _behaviour(self, name: str) -> Behaviour:
        if name not in self._behaviours:
            raise ToolError(f"{name} is not available in this host")
        return self._behaviours[name]

    def _announce(
        self,
        uid: str,
        name: str,
        given: _Given,
        call_id: str | None,
        step: str,
        crossing: Crossing | None,
    ) -> ToolCall:
        """Record that the call appeared, with its arguments as they came."""
        entry = self._entries.get(name)
        target = None if crossing is None else crossing.target
        call = ToolCall(
            uid=uid,
            name=name,
            turn=self._state.turn,
            step=step or uid,
            args=given.args,
            args_raw=given.raw,
            args_ok=given.raw is None,
            native_id=call_id,
            read_only=entry.read_only if entry else None,
            resolved_name=target and target.name,
            resolved_args=target and dict(target.arguments),
            resolved_read_only=target and target.read_only,
        )
        with self._lock:
            self._apply(call)
            self._tell(call)
        return call

    def _apply(self, event: Event) -> Sequence[Verdict]:
        with self._lock:
            return self._state.apply(event)

    def _tell(self, event: Event) -> None:
        if self._listener is not None:
            self._listener(event)


class _Closed(NamedTuple):
    """A call of the proxy that could not be resolved."""

    fault: Exception
    target: None = None

    def carry_out(self, _passing: Passing) -> Output:
        """Raise why, where every fault of a tool is told."""
        raise self.fault


class _Given(NamedTuple):
    """The arguments of a call as they came: a value, or the text that is none."""

    args: Any
    raw: str | None = None


def _read(arguments: Any) -> _Given:
    """Read arguments; nothing at all is an empty object, and what is no JSON stays text."""
    text = arguments.decode("utf-8", "replace") if isinstance(arguments, bytes) else arguments
    try:
        value = json_value(text)
    except InvalidCallError:
        raw = text if isinstance(text, str) else json.dumps(text, default=str)
        return _Given(None, raw.encode("utf-8", "backslashreplace").decode())
    return _Given({} if value is None else value)


def _unknown(name: str, known: Sequence[str]) -> ToolError:
    return UnknownToolError(f'unknown tool "{name}"{did_you_mean(name, known)}')


def _first_line(text: str | None) -> str | None:
    if text is None:
        return None
    return text.encode("utf-8", "backslashreplace").decode().partition("\n")[0]


def _error_text(message: str, output: str) -> str:
    return f"error: {message}\n{output}"


def _ended(output: Output) -> _Ended:
    return _Ended(
        outcome=output.outcome,
        text=output.text,
        basis="flag" if output.exit_code is None else "exit_code",
        exit_code=output.exit_code,
    )


def _event(uid: str, ended: _Ended, body: str, bounded: Bounded) -> ToolResult:
    cut = None
    if bounded.ref is not None:
        cut = Truncated(kept=bounded.kept, original=bounded.original, ref=bounded.ref)
    return ToolResult(
        uid=uid,
        outcome=ended.outcome,
        basis=ended.basis,
        text=body,
        exit_code=ended.exit_code,
        # Who refused a call is told apart by the first words: a gate of the rules, or another.
        error=_first_line(body if ended.outcome == "blocked" else ended.error),
        truncated=cut,
    )
