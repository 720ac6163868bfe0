"""Who did what in a sample of an Inspect log: its events by conversation, in their order.

Each event names the span that it stands in. A call runs in a span of its own, which begins right
before the event of the call; that event holds the result, although the call ends with its span.
Whoever acts inside that span is a sub-agent of the call. Logs that have no spans yet hold the
events of a call inside its own event.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any, NamedTuple

from reasonix_conformance.readers.building.scopes import MOST_NESTED
from reasonix_conformance.readers.files.json_values import at, list_at, name_at, text_at
from reasonix_conformance.readers.hosts.outcomes import is_int

_OF_THE_HOST = ("init", "scorer", "scorers")
"""Kinds of spans in which the program prepares a sample or judges it: no act of the agent."""
_ACTS = ("model", "tool", "approval")
_RUN_BY = (" -c ", " -lc ")
"""What stands before a script in the command of a shell."""
_SHOWN_LINES = 20
"""Lines of an input that an event of the sandbox keeps."""


class Step(NamedTuple):
    """What happened: an act, if the event is one, and the calls that are over behind it."""

    event: Any
    """None where only calls are over."""
    agent: str | None
    """The span of the sub-agent that acted; None for the main one."""
    over: list[Any]
    """The events of these calls."""
    gone: str | None = None
    """The span of a sub-agent that ends here, of one that went on behind its call."""


class Spans:
    """The events of a sample with the calls and sub-agents that they belong to."""

    def __init__(self, told: Iterable[Any]) -> None:
        self.callers: dict[str, Any] = {}
        """The event of the call in which a sub-agent acted, by the span of the sub-agent."""
        self._told = list(_without_scoring(_flat(told, count(1))))
        self._kinds: dict[str, str] = {}
        self._parents: dict[str, str | None] = {}
        self._own: dict[int, str] = {}
        """The span of a call, by the identity of its event."""
        self._runs: dict[str, list[Any]] = {}
        """What the sandbox ran, by span."""
        self._outlived: set[int] = set()
        """The calls whose sub-agents went on behind them, by the identity of their events."""
        self._delegates: set[int] = set()
        """The calls that start agents, by the identity of their events."""
        self._read_spans()
        self._find_agents()

    def steps(self) -> Iterator[Step]:
        """Yield the acts of the agents in their order; those of the program are left out."""
        places = [self._place(event) for event in self._told]
        over = self._over(places)
        for index, (event, place) in enumerate(zip(self._told, places, strict=True)):
            if not isinstance(place, bool) and text_at(event, "event") in _ACTS:
                yield Step(event, place, over.get(index, []))
                continue
            gone = self._ended_late(event)
            if index in over or gone is not None:
                yield Step(None, None, over.get(index, []), gone)

    @property
    def calls(self) -> list[Any]:
        """The events of calls, but for those of the program itself."""
        return [
            event
            for event in self._told
            if text_at(event, "event") == "tool" and self._place(event) is not False
        ]

    @property
    def lack_one(self) -> bool:
        """Whether something stands in the place of an event that is none."""
        return not all(isinstance(event, dict) for event in self._told)

    @property
    def tell_responses(self) -> bool:
        """Whether what the models answered is among the events."""
        return any(text_at(event, "event") == "model" for event in self._told)

    def starts_agent(self, call: Any) -> bool:
        """Whether a call did nothing but start an agent."""
        return id(call) in self._delegates

    def goes_on(self, call: Any) -> bool:
        """Whether a sub-agent acted when the call that started it was over."""
        return id(call) in self._outlived

    def exit_code_of(self, call: Any, args: Any, whole: Callable[[Any], Any]) -> int | None:
        """Return how the script ended that a call was given; None where nobody tells.

        A tool may run more than that. `whole` puts back what stands elsewhere in the sample.
        """
        given = args.values() if isinstance(args, dict) else ()
        scripts = [text for text in given if isinstance(text, str) and text]
        code = None
        for run in self._runs.get(self._own.get(id(call), ""), ()):
            if is_int(at(run, "result")) and _is_run_of(run, scripts, whole):
                code = run["result"]
        return code

    # -- inside

    def _read_spans(self) -> None:
        waiting: dict[str, list[str]] = {}
        for event in self._told:
            kind = text_at(event, "event")
            if kind == "span_begin":
                span = text_at(event, "id")
                self._kinds[span] = text_at(event, "type")
                self._parents[span] = name_at(event, "parent_id")
                if self._kinds[span] == "tool":
                    waiting.setdefault(text_at(event, "name"), []).append(span)
            elif kind == "tool" and (spans := waiting.get(text_at(event, "function"))):
                self._own[id(event)] = own = spans.pop()
                self.callers[own] = event
            elif kind == "sandbox":
                self._runs.setdefault(text_at(event, "span_id"), []).append(event)

    def _find_agents(self) -> None:
        """Find the spans of sub-agents: inside the span of a call, else as a call names them."""
        for span in [span for span, kind in self._kinds.items() if kind == "agent"]:
            around = self._around(self._parents[span])
            outer = next((one for one in around if self._kinds.get(one) in ("agent", "tool")), "")
            if self._kinds.get(outer) == "tool" and outer in self.callers:
                self.callers[span] = self.callers[outer]
                self._delegates.add(id(self.callers[span]))
        for event in self._told:
            agent = name_at(event, "agent_span_id")
            if agent is not None and text_at(event, "event") == "tool":
                self.callers.setdefault(agent, event)
                self._delegates.add(id(event))

    def _around(self, span: str | None) -> Iterator[str]:
        """Yield a span and those around it, the innermost first."""
        seen = set[str]()
        while span is not None and span not in seen:
            seen.add(span)
            yield span
            span = self._parents.get(span)

    def _ended_late(self, event: Any) -> str | None:
        """Return the span that an event ends, if it is of a sub-agent that went on behind its call.

        None for any other event.
        """
        if text_at(event, "event") != "span_end":
            return None
        span = text_at(event, "id")
        return span if self.goes_on(self.callers.get(span)) else None

    def _place(self, event: Any) -> str | bool | None:
        """Return the sub-agent that an event belongs to; None: the main one, False: the host."""
        own = self._own.get(id(event))
        place: str | None = None
        for span in self._around(name_at(event, "span_id")):
            if self._kinds.get(span) in _OF_THE_HOST:
                return False
            if place is None and span in self.callers and span != own:
                place = span
        return place

    def _over(self, places: list[str | bool | None]) -> dict[int, list[Any]]:
        """Return the calls that are over behind an event, by its index."""
        last: dict[str, int] = {}
        acts = [text_at(event, "event") in _ACTS for event in self._told]
        for index, (event, place) in enumerate(zip(self._told, places, strict=True)):
            last[text_at(event, "span_id")] = index
            if acts[index] and isinstance(place, str):
                last[place] = index
        over: dict[int, list[Any]] = {}
        ends: dict[int, int] = {}
        for index, event in enumerate(self._told):
            if text_at(event, "event") == "tool" and places[index] is not False:
                span = self._own.get(id(event)) or text_at(event, "agent_span_id")
                ends[id(event)] = end = max(index, last.get(span, 0) if span else 0)
                over.setdefault(end, []).insert(0, event)
        for index, place in enumerate(places):
            if acts[index] and isinstance(place, str):
                caller = id(self.callers[place])
                if index > ends.get(caller, index):
                    self._outlived.add(caller)
        return over


def _is_run_of(run: Any, scripts: list[str], whole: Callable[[Any], Any]) -> bool:
    """Whether what the sandbox ran is one of the scripts, given to a shell or as its input."""
    command, shown = whole(at(run, "cmd")), whole(at(run, "input"))
    for script in scripts:
        if isinstance(command, str) and command.endswith(quoted := shlex.quote(script)):
            return command.removesuffix(quoted).endswith(_RUN_BY)
        if isinstance(shown, str) and _head(shown) == _head(script):
            return True
    return False


def _head(text: str) -> list[str]:
    return text.splitlines()[:_SHOWN_LINES]


def _flat(told: Iterable[Any], numbers: Iterator[int], depth: int = MOST_NESTED) -> Iterator[Any]:
    """Yield events and those inside them, the latter in a span, as newer logs have it."""
    for event in told:
        inner = list_at(event, "events") if depth else []
        if text_at(event, "event") != "tool" or not inner:
            yield event
            yield from _flat(inner, numbers, depth - 1)
            continue
        span = f"inside-{next(numbers)}"
        outer, name = name_at(event, "span_id"), text_at(event, "function")
        begin = {"event": "span_begin", "id": span, "type": "tool", "name": name}
        yield {**begin, "parent_id": outer, "span_id": span}
        yield event
        for own in _flat(inner, numbers, depth - 1):
            placed = name_at(own, "span_id") or not isinstance(own, dict)
            yield own if placed else {**own, "span_id": span}
        yield {"event": "span_end", "id": span, "span_id": span}


def _without_scoring(told: Iterable[Any]) -> Iterator[Any]:
    """Yield events but for those of a scorer, where the log marks it by steps."""
    scoring = False
    for event in told:
        if text_at(event, "event") == "step" and text_at(event, "type") == "scorer":
            scoring = text_at(event, "action") == "begin"
        elif not scoring:
            yield event
