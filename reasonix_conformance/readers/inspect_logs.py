"""Inspect logs, as JSON or zipped: samples with messages and events, and the best error model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from typing import Any

import msgspec

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.json_values import (
    as_text,
    at,
    json_in,
    list_at,
    name_at,
    text_at,
)
from reasonix_conformance.readers.files.lines import NO_PARTS, Broken, Decoder, Parts, Scalar
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ZIP
from reasonix_conformance.readers.hosts.frames import believed, by_frame, runs_commands
from reasonix_conformance.readers.hosts.outcomes import Grade, by_exit
from reasonix_conformance.readers.hosts.result_facts import by_error, words_of
from reasonix_conformance.readers.hosts.roles import DELEGATED, INSPECT, made_by_provider
from reasonix_conformance.readers.inspect_spans import Spans
from reasonix_conformance.readers.inspect_zip import zipped_log
from reasonix_runtime.trace.events import MAIN, Event, Truncated, scope_of
from reasonix_runtime.trace.host_events import JOB_ENDED

FORMAT = "inspect"

_REFUSALS = ("reject", "terminate")
"""What an approver decides of a call that is not run."""
_ANSWERS = "submit"
"""The tool by which an agent hands in its answer; the program then asks it no more."""
_CUT_OFF = ("content_filter", "max_tokens", "model_length")
"""Why a response stopped before its end."""
_ATTACHMENT = "attachment://"
_MOST_LEVELS = 64
"""How deep inside a value texts are looked for that are kept as attachments."""


class _Log(msgspec.Struct):
    """A log; its samples are decoded one by one, since together they are the file."""

    status: Any = None
    """How the run ended, `Broken` where the header of a zipped log cannot be read."""
    eval: Any = None
    samples: msgspec.Raw = NO_PARTS


_EMPTY = Broken("the log holds no samples", torn=True)
_log = Decoder[Any](_Log | list[msgspec.Raw] | Scalar)


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of each sample, every one a session of its own."""
    if recording.head().startswith(ZIP):
        yield from _read_zipped(recording)
        return
    log = recording.document(_log)
    samples = Parts(log.samples if isinstance(log, _Log) else NO_PARTS)
    if not samples:
        told = log if isinstance(log, Broken) else _EMPTY
        yield from _lost(recording, recording.sid, told)
        return
    log.samples = NO_PARTS
    yield from _told(recording, log, samples, many=len(samples) > 1)


def _read_zipped(recording: Recording) -> Iterator[Event]:
    """Yield the events of a log that is a zip file."""
    with zipped_log(recording) as found:
        if isinstance(found, Broken) or not found.size:
            yield from _lost(
                recording, recording.sid, found if isinstance(found, Broken) else _EMPTY
            )
            return
        status = at(found.header, "status") if found.ended else "started"
        log = _Log(status=_lost_of(found.header) or status, eval=at(found.header, "eval"))
        yield from _told(recording, log, found.samples, many=found.size > 1)


def _lost_of(header: Any) -> Broken | None:
    """Return why a header tells nothing of its run, None where it tells."""
    if isinstance(header, Broken):
        return header
    return None if isinstance(at(header, "eval"), dict) else Broken("the header of the log is none")


def _told(
    recording: Recording, log: _Log, samples: Iterable[Any], *, many: bool
) -> Iterator[Event]:
    """Yield the events of the samples, which are decoded one by one."""
    for index, sample in enumerate(samples, 1):
        if isinstance(sample, Broken):
            yield from _lost(recording, f"{recording.sid}#{index}.1", sample)
        else:
            first_of_many = many and index == 1
            yield from _Sample(recording, log, sample, index, many=first_of_many).events()


def _lost(recording: Recording, sid: str, why: Broken) -> Iterator[Event]:
    """Tell a session of which nothing can be read, and why."""
    build = Builder(recording.shown)
    build.session(sid, FORMAT)
    build.note(why.code, why.text)
    yield from build.drain()


class _Sample:
    """One sample of a log: a session of one turn."""

    def __init__(
        self, recording: Recording, log: _Log, sample: Any, index: int, *, many: bool
    ) -> None:
        self._build = Builder(recording.shown, INSPECT)
        self._sample = sample
        self._attachments = at(sample, "attachments")
        self._spans = Spans(list_at(sample, "events"))
        self._steps = 0
        name = at(sample, "id")
        sid = f"{recording.sid}#{index if name is None else name}.{at(sample, 'epoch') or 1}"
        self._build.session(
            sid,
            FORMAT,
            model=name_at(log.eval, "model"),
            tool_version=name_at(log.eval, "packages", "inspect_ai"),
        )
        if many:
            self._build.count("several_sessions", "each sample is a session of its own")
        if isinstance(log.status, Broken):
            self._build.note("bad_line", log.status.text)
        if log.status == "started":
            self._build.note("truncated_tail", "the log was still being written")
        self._scopes: dict[str, str] = {}
        """The conversations of sub-agents, by their spans."""
        self._asked: dict[tuple[str, str], list[str]] = {}
        """The calls that no event has told yet, by their scope and id; few at a time."""
        self._uids: dict[int, str] = {}
        """The calls by the identity of their events."""
        self._given: dict[int, Any] = {}
        """What they were really run with."""
        self._decided: dict[str, Any] = {}
        """What an approver decided last of a call, by its id."""
        self._decisions: dict[int, Any] = {}
        """The same for a call that an event has told, by the identity of the event."""
        self._unread = Counter(text_at(call, "id") for call in self._spans.calls)
        """How many events are still to come for the calls of an id."""
        self._messages: dict[str, list[Any]] = {}
        """The messages that answer calls, by the id of the call."""
        self._texts: dict[str, list[list[Any]]] = {}
        """The user's messages that follow each response of a name, in order."""
        self._due: list[Any] = []
        """Those that follow the latest response."""

    def events(self) -> Iterator[Event]:
        """Yield the events of the sample; without any of the model, what its messages tell."""
        build, sample = self._build, self._sample
        build.start_turn(native=as_text(at(sample, "id")))
        messages = list_at(sample, "messages")
        if self._spans.lack_one or not all(isinstance(one, dict) for one in messages):
            build.note("bad_line", "an event or a message that cannot be read")
        if self._spans.tell_responses:
            answered = yield from self._by_events()
        else:
            answered = yield from self._by_messages()
        if failed := words_of(at(sample, "error")):
            build.end_turn("failed", error=failed, judge=False)
        elif answered:
            build.end_turn("completed")
        else:
            cut_off = name_at(sample, "limit", "type") is not None
            build.end_turn("interrupted" if cut_off else "unknown", judge=False)
        build.finish()
        yield from build.drain()

    # -- a log without responses among its events

    def _by_messages(self) -> Generator[Event, None, bool]:
        """Tell the messages, each result with its event; events of no message come last."""
        calls: dict[str, list[Any]] = {}
        for event in self._spans.calls:
            calls.setdefault(text_at(event, "id"), []).append(event)
        answered = responded = False
        for message in list_at(self._sample, "messages"):
            role, native = text_at(message, "role"), text_at(message, "tool_call_id")
            if role == "assistant":
                answered = self._assistant(message, MAIN)
                responded = True
            elif role == "tool":
                event = calls[native].pop(0) if calls.get(native) else None
                uid = self._build.find(native, name=text_at(message, "function"))
                answered = self._result(uid, message, event)
            elif role == "user":
                self._user(message, later=responded)
            yield from self._build.drain()
        for event in (event for events in calls.values() for event in events):
            self._call(event, MAIN)
            self._over(event)
        yield from self._build.drain()
        return answered

    # -- events

    def _by_events(self) -> Generator[Event, None, bool]:
        """Tell the events: messages are only what the model saw last."""
        self._read_messages()
        answered = False
        for event, agent, over, gone in self._spans.steps():
            kind, scope = text_at(event, "event"), self._scope(agent)
            if kind == "model":
                done = self._response(event, scope)
                answered = answered if done is None or scope != MAIN else done
            elif kind == "approval":
                self._decided[text_at(event, "call", "id")] = event
            elif kind == "tool":
                self._call(event, scope)
            for call in over:
                answered = self._over(call) or answered
            if gone is not None:
                self._agent_ended(gone)
            yield from self._build.drain()
        self._settle(MAIN)
        for texts in (self._due, *(one for named in self._texts.values() for one in named)):
            self._users(texts)
        return answered

    def _read_messages(self) -> None:
        """Put the user's texts and the answers to calls where the events will ask for them."""
        texts = self._due
        for message in list_at(self._sample, "messages"):
            role = text_at(message, "role")
            if role == "assistant" and text_at(message, "source") != "input":
                texts = []
                self._texts.setdefault(_name(message), []).append(texts)
            elif role == "user":
                texts.append(message)
            elif role == "tool":
                native = text_at(message, "tool_call_id")
                self._messages.setdefault(native, []).append(message)

    def _scope(self, agent: str | None) -> str:
        """Return the conversation of a sub-agent; it begins with what is told first of it."""
        uid = self._uids.get(id(self._spans.callers[agent])) if agent is not None else None
        if agent is None or uid is None:
            return MAIN
        if not self._build.has_scope(self._scopes.get(agent, "")):
            caller = self._spans.callers[agent]
            kind = name_at(caller, "agent") or name_at(caller, "function")
            self._scopes[agent] = self._build.child(agent, uid, kind=kind)
        return self._scopes[agent]

    def _agent_ended(self, agent: str) -> None:
        """End a sub-agent that went on when its call was answered; how it ended nobody tells."""
        scope = self._scopes.get(agent, "")
        if self._build.has_scope(scope):
            self._build.end_child(scope)
            uid = self._uids[id(self._spans.callers[agent])]
            self._build.host(JOB_ENDED, {"uid": uid, "outcome": "unknown"})

    def _response(self, event: Any, scope: str) -> bool | None:
        """Tell a response; return whether it is the last one, None for an attempt that failed."""
        choice = at(event, "output", "choices", 0)
        message = at(choice, "message")
        if message is None or at(event, "error") or at(event, "pending") is True:
            return None
        self._settle(scope)
        if scope == MAIN:
            self._users(self._due)
            named = self._texts.get(_name(message))
            self._due = named.pop(0) if named else []
        whole = at(choice, "stop_reason") not in _CUT_OFF
        return self._assistant(message, scope) and whole

    def _call(self, event: Any, scope: str) -> None:
        """Bind the event of a call to the call that the model made, or tell the call, too."""
        build, native = self._build, text_at(event, "id")
        decision = self._decisions[id(event)] = self._decided.pop(native, None)
        args = self._whole(at(decision, "modified", "arguments") or at(event, "arguments"))
        self._unread[native] -= 1
        open_ones = self._asked.get((scope, native))
        if open_ones:
            name = text_at(event, "function")
            uid = next((one for one in open_ones if build.opened(one).name == name), open_ones[0])
            open_ones.remove(uid)
            if not open_ones:
                del self._asked[scope, native]
            build.given(uid, args)
        else:
            self._steps += 1
            step = f"r{self._steps}"
            uid = build.call(native, text_at(event, "function"), args, step=step, scope=scope)
        if self._spans.starts_agent(event):
            build.refresh(uid, read_only=None, target=DELEGATED)
        self._uids[id(event)] = uid
        self._given[id(event)] = build.opened(uid).target_args
        if scope == MAIN and self._messages.get(native):
            self._messages[native].pop(0)

    def _over(self, event: Any) -> bool:
        """Answer a call by its event; return whether it handed in what was asked for."""
        uid = self._uids.get(id(event))
        if uid is None or at(event, "pending") is True:
            return False
        said = {"function": at(event, "function"), "content": at(event, "result")}
        return self._result(uid, said, event)

    def _settle(self, scope: str) -> None:
        """Answer the calls that no event tells: they were refused, or run by another program."""
        for where, native in list(self._asked):
            if where != scope or self._unread[native] > 0:
                continue
            uids = self._asked.pop((where, native))
            answers = self._messages.get(native) if scope == MAIN else None
            while uids and answers:
                self._result(uids.pop(0), answers.pop(0), None)
            decision = at(self._decided.get(native), "decision")
            while uids and decision in _REFUSALS:
                self._build.result(native, Grade("blocked", "flag"), "", uid=uids.pop(0))

    # -- what both have

    def _user(self, message: Any, *, later: bool) -> None:
        """Tell a text of the user, or one that the program puts in to keep the model going."""
        own = not later or text_at(message, "source") == "input"
        text = flat_text(self._whole(at(message, "content")))
        self._build.user(text, origin="user" if own else "host")

    def _users(self, messages: list[Any]) -> None:
        for message in messages:
            self._user(message, later=self._steps > 0)

    def _assistant(self, message: Any, scope: str) -> bool:
        """Tell a response; return whether it asks for no more."""
        self._steps += 1
        step = f"r{self._steps}"
        calls = list_at(message, "tool_calls")
        text = flat_text(self._whole(at(message, "content")))
        self._build.assistant(text, step=step, scope=scope, final=not calls)
        for block in list_at(message, "content"):
            if text_at(block, "type") == "tool_use":
                self._by_provider(block, step, scope)
        for call in calls:
            native = text_at(call, "id")
            args = self._whole(at(call, "arguments"))
            name = text_at(call, "function")
            uid = self._build.call(native, name, args, step=step, scope=scope)
            self._asked.setdefault((scope, native), []).append(uid)
            if name_at(call, "parse_error"):
                self._build.note("bad_args", text_at(call, "parse_error"))
        return not calls

    def _by_provider(self, block: Any, step: str, scope: str) -> None:
        """Tell a call that the provider ran itself, or by a server; its result stands with it."""
        server = name_at(block, "context")
        kind = "server_tool_use" if server is None else "mcp_tool_use"
        name, role = made_by_provider({**block, "type": kind, "server_name": server})
        whole = self._whole(block)
        given = text_at(whole, "arguments")
        args = json_in(given)
        args = args if isinstance(args, dict) else {"input": given}
        native, error = text_at(block, "id"), name_at(block, "error")
        uid = self._build.call(native, name, args, step=step, scope=scope, role=role)
        grade = Grade("ok", "flag") if error is None else Grade("error", "flag", None, error)
        self._build.result(native, grade, text_at(whole, "result"), scope=scope, uid=uid)

    def _result(self, uid: str | None, said: Any, event: Any) -> bool:
        """Answer a call; return whether by that the main agent handed in what was asked for."""
        content = self._whole(at(said, "content"))
        text = flat_text(content) if isinstance(content, list) else as_text(content)
        if text.startswith(_ATTACHMENT):
            text = ""
        cut = at(event, "truncated")
        truncated = None
        if isinstance(cut, list) and len(cut) == 2 and all(isinstance(n, int) for n in cut):
            truncated = Truncated(original=cut[0], kept=cut[1])
        name = text_at(said, "function") if uid is None else self._build.opened(uid).name
        grade = self._grade(said, event, text, name)
        self._build.result(
            text_at(said, "tool_call_id"),
            grade,
            text,
            scope=MAIN if uid is None else scope_of(uid),
            name=name,
            truncated=truncated,
            uid=uid,
        )
        return (
            name == _ANSWERS and grade.outcome == "ok" and uid is not None and scope_of(uid) == MAIN
        )

    def _grade(self, said: Any, event: Any, text: str, tool: str) -> Grade:
        """Grade a result: the event knows more than the message, where there is one.

        That a tool reports no error says nothing of the command that it ran.
        """
        error, decision = at(event, "error") or at(said, "error"), self._decisions.get(id(event))
        if error is not None:
            return by_error(error)
        if at(decision, "decision") in _REFUSALS:
            return Grade("blocked", "flag", None, name_at(decision, "explanation"))
        if at(event, "failed") is True:
            return Grade("error", "flag")
        if self._spans.goes_on(event):
            return Grade("running", "state")
        code = self._spans.exit_code_of(event, self._given.get(id(event)), self._whole)
        if code is not None:
            return by_exit(code)
        if runs_commands(tool):
            envelope = by_frame(text)
            if envelope is not None and believed(envelope, tool, self._given.get(id(event)), text):
                return envelope
            return Grade("ok", "absence")
        return Grade("ok", "absence" if event is None else "flag")

    def _whole(self, value: Any, levels: int = _MOST_LEVELS) -> Any:
        """Return a value with the long texts in it that are kept as attachments."""
        if isinstance(value, str):
            if not value.startswith(_ATTACHMENT):
                return value
            found = at(self._attachments, value[len(_ATTACHMENT) :].strip())
            if isinstance(found, str):
                return found
            self._build.note("missing_blob", "a long text is not among the attachments")
            return value
        if levels and isinstance(value, dict):
            return {key: self._whole(inner, levels - 1) for key, inner in value.items()}
        if levels and isinstance(value, list):
            return [self._whole(inner, levels - 1) for inner in value]
        return value


def _name(response: Any) -> str:
    """Return what a response is known by; older versions give it no id."""
    calls = [text_at(call, "id") for call in list_at(response, "tool_calls")]
    said = flat_text(at(response, "content"))
    return text_at(response, "id") or "\n".join(calls) or said
