"""OpenTelemetry GenAI spans as OTLP JSON: calls below agents, sorted by time.

Spans are unordered, so order by start time is the exception to the rule that file order counts.
Calls whose spans overlap ran beside each other: as those of one response, they have no order.
Without content capture there are no arguments; gates that need them are not assessable.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasonix_conformance.readers.building.arguments import NOT_TOLD
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.json_values import as_text, at, name_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.frames import believed, by_frame, runs_commands
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_conformance.readers.messages import Grading, MessageReader
from reasonix_conformance.readers.model_apis.chat import typed
from reasonix_conformance.readers.model_apis.conversations import Conversations, Request
from reasonix_conformance.readers.model_apis.requests import UNREAD_ANSWER, Requests, Talk, told
from reasonix_conformance.readers.otel_asked import lost_calls
from reasonix_conformance.readers.otel_spans import (
    AGENT,
    ARGUMENTS,
    CALLS,
    TOOL,
    Span,
    messages_of,
    result_of,
    spans_of,
)
from reasonix_runtime.trace.events import MAIN, Event, Outcome, ToolCall

FORMAT = "otel"
# The status of a failed span: its number, or its name as some exporters write it.
_FAILED = (2, "STATUS_CODE_ERROR")
# How errors are called, without their module, that mean: it was stopped.
_STOPPED = ("timeout", "timeouterror", "cancelled", "cancellederror")
_MOST_LEVELS = 256
"""How far up the spans around a span are looked for."""
_CUT = "the messages of a span are no JSON: a limit may have cut them off"
_UNREAD_PART = "a part of a message is of a kind that is not read: it may be a call or a result"
_READ = (
    "only these are read: record with an instrumentation that follows them, or log the requests to "
    "the model and its answers"
)
_SEVERAL = "each conversation is a session of its own"


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of the spans of a file, one session a conversation or trace.

    Calls of a model in traces of their own are a log of requests, told by their history.
    """
    file = _File(recording)
    conversations, requests = file.sorted()
    yield from file.conversations(conversations, several=len(conversations) + bool(requests) > 1)
    if requests or not conversations:
        yield from file.requests(requests, several=bool(conversations))


class _File:
    """The spans of a file, and what is to be said of the file in each of its sessions."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._grading = Grading(host=False, trusting=recording.trusting)
        self._spans: list[Span] = []
        self._remarks: list[tuple[int, Broken]] = []
        self._records = 0
        for line, found in spans_of(recording):
            self._records = max(self._records, line)
            if isinstance(found, Span):
                self._spans.append(found)
                if found.operation == TOOL and not found.start:
                    self._remarks.append((line, _TIMELESS))
                placed = found.trace and (found.operation in CALLS or not found.is_call)
                if (found.is_call or found.is_response) and not placed:
                    self._remarks.append((line, _PLACELESS))
                if found.cut and found.is_genai:
                    self._remarks.append((line, _DROPPED))
            elif found is not None:
                self._remarks.append((line, found))

    def sorted(self) -> tuple[dict[str, list[Span]], list[Span]]:
        """Return the spans of each conversation by its name, and the requests that name none."""
        self._mind_parents()
        named: dict[str, str] = {}
        calling, running, talking = set(), set(), set()
        for span in self._spans:
            name = span.attributes.get("gen_ai.conversation.id")
            if isinstance(name, str):
                named.setdefault(span.trace, name)
            if span.operation == TOOL:
                calling.add(span.trace)
            elif span.operation == AGENT:
                running.add(span.trace)
            if span.has_messages:
                talking.add(span.trace)
        own = calling | named.keys() | (running - talking)
        conversations: dict[str, list[Span]] = {}
        for span in self._spans:
            if span.trace in own:
                conversations.setdefault(named.get(span.trace, span.trace), []).append(span)
        requests = [s for s in self._spans if s.trace not in own and s.has_messages]
        for spans in (*conversations.values(), requests):
            spans.sort(key=lambda span: span.time)
        return conversations, requests

    def _mind_parents(self) -> None:
        """Say which calls belong to a span of another trace: there they are missing."""
        places = {(span.trace, span.ident) for span in self._spans}
        idents = {span.ident for span in self._spans}
        self._remarks += [
            (span.line, _ASTRAY)
            for span in self._spans
            if (span.operation == TOOL or span.is_response)
            and span.parent in idents
            and (span.trace, span.parent) not in places
        ]

    def conversations(
        self, conversations: dict[str, list[Span]], *, several: bool
    ) -> Iterator[Event]:
        """Tell each conversation as a session of its own."""
        for index, (sid, spans) in enumerate(conversations.items()):
            build = self._begun(sid)
            if several and index == 0:
                build.count("several_sessions", _SEVERAL)
            if any(span.operation == TOOL for span in spans) or not _talks(spans):
                for line, lost in lost_calls(spans):
                    build.line = line
                    build.note("bad_line", lost)
                yield from _acts(build, spans)
            else:
                yield from _says(build, spans, self._grading)
            if not build.turn:
                build.note("unknown_record", _lack(spans))
            build.finish()
            yield from build.drain()

    def requests(self, spans: list[Span], *, several: bool) -> Iterator[Event]:
        """Tell requests by their history, or say what the file has instead of any."""

        def begin(number: int) -> Talk:
            """Begin a conversation; `number` counts those of the file."""
            build = self._begun(self._recording.sid_of(number))
            if several and number == 0:
                build.count("several_sessions", _SEVERAL)
            if not spans and self._spans:
                build.note("unknown_record", _lack(self._spans))
            return _Requests(build, self._grading)

        yield from told(_requests(spans), begin)

    def _begun(self, sid: str) -> Builder:
        build = Builder(self._recording.shown, ANYONES, of_anyone=True)
        build.session(sid, FORMAT)
        for line, remark in self._remarks:
            build.line = line
            build.note(remark.code, remark.text)
        build.line = None
        build.file_ended(empty=self._records == 0, damage=self._recording.damage)
        return build


def _talks(spans: Iterable[Span]) -> bool:
    return any(span.has_messages for span in spans)


def _lack(spans: Iterable[Span]) -> str:
    """Say what spans lack that tell of no call, no agent and no message."""
    if any("openinference.span.kind" in span.attributes for span in spans):
        return f"the spans follow OpenInference, not the GenAI conventions; {_READ}"
    if any("ai.operationId" in span.attributes for span in spans):
        return (
            "the spans have the AI SDK's own attributes, not those of the GenAI conventions; "
            f"{_READ}"
        )
    if any(span.is_genai for span in spans):
        return (
            "the spans hold no calls of tools and no messages; record with content capture, "
            "messages in gen_ai.input.messages and gen_ai.output.messages"
        )
    return f"no span follows the GenAI conventions; {_READ}"


# -- conversations as requests


def _requests(spans: Iterable[Span]) -> Requests:
    """Yield (line, request) of spans; of one whose messages were cut off, that they were."""
    for span in spans:
        spoken = messages_of(span)
        if spoken is None:
            yield span.line, Broken(_CUT)
            continue
        if spoken.lost:
            yield span.line, Broken(_UNREAD_PART)
        yield span.line, Request(spoken.messages, unread=spoken.unread)


_TIMELESS = Broken("a call does not tell when it began: what it came after is not known")


_PLACELESS = Broken("a call, or a response, in a span whose trace or operation cannot be read")
_DROPPED = Broken("a span lost attributes or events at a limit")
_ASTRAY = Broken("a call, or a response, belongs to a span that is of another trace")


class _Requests:
    """One conversation that is told by its messages."""

    def __init__(self, build: Builder, grading: Grading) -> None:
        self.build = build
        self._reader = MessageReader(build, grading=grading)

    def take(self, message: object) -> None:
        """Take the next message in; one that is none is a diagnostic."""
        for one in typed([message], self.build):
            self._reader.feed(one)

    def close(self) -> None:
        """End the conversation; what it still had to tell stands in `build.out`."""
        self._reader.finish()
        self.build.finish()


def _says(build: Builder, spans: Iterable[Span], grading: Grading) -> Iterator[Event]:
    """Tell the messages of a conversation whose calls have no spans of their own."""
    known = Conversations()
    reader = MessageReader(build, grading=grading)
    for line, request in _requests(spans):
        build.line = line
        if isinstance(request, Broken):
            build.note(request.code, request.text)
        elif request is not None:
            if request.unread:
                build.count("unknown_record", UNREAD_ANSWER)
            for message in typed(known.add(request).fresh, build):
                reader.feed(message)
        yield from build.drain()
    reader.finish()


# -- conversations as spans


def _acts(build: Builder, spans: list[Span]) -> Iterator[Event]:
    """Tell the runs of agents as turns, and the calls in them."""
    tree = _Tree(spans)
    agents: list[Span] = []
    until = 0
    """The end of the last of them."""
    for beside in _beside(spans, tree):
        first = beside[0]
        build.line = first.line
        if first.operation == TOOL:
            yield from tree.told(build, beside)
        elif agents and first.start < until:
            agents.append(first)  # beside the one whose turn it is
            until = max(until, first.end)
        else:
            _end(build, agents)
            build.start_turn(native=first.ident)
            agents, until = [first], first.end
        yield from build.drain()
    _end(build, agents)
    if build.in_turn:
        build.end_turn("unknown", by="inferred", judge=False)


def _beside(spans: Iterable[Span], tree: _Tree) -> Iterator[list[Span]]:
    """Yield the outermost agents, each alone, and the calls that no call contains, as they ran."""
    calls: list[Span] = []
    for span in spans:
        if span.operation == AGENT and not tree.inside(span):
            yield from _together(calls)
            calls = []
            yield [span]
        elif span.operation == TOOL and tree.outer(span) is None:
            calls.append(span)
    yield from _together(calls)


def _together(calls: Iterable[Span]) -> Iterator[list[Span]]:
    """Yield calls, sorted by their start, with those that they overlap."""
    group: list[Span] = []
    end = 0
    for span in calls:
        if group and span.start >= end and span.start > group[-1].start:
            yield group
            group = []
        end = max(end, span.end) if group else span.end
        group.append(span)
    if group:
        yield group


class _Tree:
    """How the spans of a conversation lie inside each other."""

    def __init__(self, spans: list[Span]) -> None:
        self._spans = {span.ident: span for span in spans if span.ident}
        self._inside: dict[str, list[Span]] = {}
        self._wordless = False
        """Whether a call without arguments was told of."""
        for span in spans:
            outer = self.outer(span) if span.operation == TOOL else None
            if outer is not None:
                self._inside.setdefault(outer.ident, []).append(span)

    def _above(self, span: Span) -> Iterator[Span]:
        here = self._spans.get(span.parent)
        for _ in range(_MOST_LEVELS):
            if here is None or here is span:
                return
            yield here
            here = self._spans.get(here.parent)

    def outer(self, span: Span) -> Span | None:
        """Return the call that a span belongs to: what a sub-agent did in it."""
        return next((s for s in self._above(span) if s.operation == TOOL), None)

    def inside(self, span: Span) -> bool:
        """Whether a run of an agent is part of another one's, or of a call."""
        return any(s.operation in (AGENT, TOOL) for s in self._above(span))

    def told(
        self, build: Builder, calls: list[Span], scope: str = MAIN, levels: int = 32
    ) -> Iterator[Event]:
        """Tell calls that ran beside each other, what was done inside them, and their ends."""
        step = calls[0].ident
        build.assistant("", step=step, scope=scope)
        uids = [self._call(build, span, step, scope) for span in calls]
        for span, uid in sorted(zip(calls, uids, strict=True), key=lambda pair: pair[0].end):
            build.line = span.line
            inside = self._inside.pop(span.ident, ())
            if inside and not levels:
                build.note("missing_child", "the calls of sub-agents are nested too deeply")
            elif inside:
                inner = build.child(span.ident, uid, kind=build.opened(uid).name)
                for own in _together(inside):
                    yield from self.told(build, own, inner, levels - 1)
                build.end_child(inner)
            build.line = span.line
            text = result_of(span)
            build.result("", _grade_of(span, build.opened(uid), text), text, scope=scope, uid=uid)
            yield from build.drain()

    def _call(self, build: Builder, span: Span, step: str, scope: str) -> str:
        build.line = span.line
        if span.parent and span.parent not in self._spans:
            build.note("mid_chain_start", "the span that a call belongs to is not here")
        attributes = span.attributes
        name = attributes.get("gen_ai.tool.name")
        tool = name if isinstance(name, str) else span.name.removeprefix(f"{TOOL} ")
        args = span.first_of(ARGUMENTS)
        if args is None and not self._wordless:
            build.note("unknown_record", NOT_TOLD)
            self._wordless = True
        native = attributes.get("gen_ai.tool.call.id")
        native = native if isinstance(native, str) else span.ident
        return build.call(native, tool, args, step=step, scope=scope)


def _end(build: Builder, agents: Iterable[Span]) -> None:
    if build.in_turn and agents:
        failed = any(at(agent.status, "code") in _FAILED for agent in agents)
        build.end_turn("failed" if failed else "completed", judge=not failed)


def _grade_of(span: Span, call: ToolCall, text: str) -> Grade:
    """Grade a call: that its span ended well says of a command that it ran, not how it ended."""
    grade = _grade(span)
    if grade.outcome != "ok" or not runs_commands(call.name):
        return grade
    envelope = by_frame(text)
    if envelope is not None and believed(envelope, call.name, call.args, text):
        return envelope
    return Grade("ok", "absence")


def _grade(span: Span) -> Grade:
    error = span.attributes.get("error.type")
    code = at(span.status, "code")
    if not isinstance(span.status, dict | None):
        return UNKNOWN
    if error not in (None, ""):
        kind = as_text(error).rpartition(".")[2].lower()
        outcome: Outcome = "cancelled" if kind in _STOPPED else "error"
        return Grade(outcome, "flag", None, name_at(span.status, "message") or as_text(error))
    if code in _FAILED:
        return Grade("error", "state", None, name_at(span.status, "message"))
    if code in (1, "STATUS_CODE_OK"):
        return Grade("ok", "state")
    if code not in (None, 0, "STATUS_CODE_UNSET"):
        return UNKNOWN
    return Grade("ok", "absence") if span.end else UNKNOWN
