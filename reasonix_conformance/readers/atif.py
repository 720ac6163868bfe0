"""ATIF, the exchange format of the Harbor harness: steps, calls and observations.

The format has no place for how a call ended. Converters keep what the agent's own log says of it in
`extra`, each under its own names; without any of these an outcome is known by absence at best, and
that of a command not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from reasonix_conformance.files import real
from reasonix_conformance.readers.atif_agents import (
    LOGS,
    AgentLog,
    folder_of,
    hands_in,
)
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.scopes import MOST_NESTED
from reasonix_conformance.readers.files.acts_in_text import TextActs
from reasonix_conformance.readers.files.json_values import as_text, at, list_at, name_at, text_at
from reasonix_conformance.readers.files.lines import Broken
from reasonix_conformance.readers.files.message_content import flat_text
from reasonix_conformance.readers.files.neighbours import neighbour
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.hosts.frames import believed, by_frame, runs_commands
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, by_code, first_line, is_int
from reasonix_conformance.readers.hosts.roles import DELEGATED
from reasonix_conformance.readers.hosts.widely_given import ANYONES
from reasonix_runtime.trace.events import MAIN, Event, ToolCall, TurnStatus

FORMAT = "atif"

_MARKED = "[error] tool reported failure"
"""How the mark of an error is kept by a converter that has no other place for it."""
_EXIT_CODES = ("exit_code", "exitCode")
_ERROR_FLAGS = ("is_error", "tool_result_is_error")
_DETAILS = ("metadata", "tool_metadata", "tool_result_metadata", "tool_use_result")
"""Where converters keep what an agent's log says of a result."""


def read(recording: Recording) -> Iterator[Event]:
    """Yield the events of each trajectory, with those of its sub-agents that are at hand."""
    value, index = None, 0
    # One is told when the next is there: what the file lacks at its end is known with the last.
    for index, following in enumerate(_trajectories(recording)):
        if index:
            yield from _Trajectory(recording, value, index - 1).events()
        value = following
    yield from _Trajectory(recording, value, index).events()


def _trajectories(recording: Recording) -> Iterator[Any]:
    """Yield the trajectories of a file: one a line, one value, or a list of them.

    One a line are given as they are read: such a file may be of any size.
    """
    lines = (record for _, record in recording.records())
    first = next(lines, None)
    value = first if _is_one(first) else recording.document()
    if value is first or isinstance(value, Broken):
        before = [] if first is None else [first]
        found = int(_is_one(first))
        for record in lines:
            before.append(record)
            found += _is_one(record)
            if found > 1:
                yield from before
                yield from lines
                return
        if value is first and len(before) > 1:
            value = recording.document()
    yield from value if isinstance(value, list) else [value]


def _is_one(record: Any) -> bool:
    return name_at(record, "schema_version") is not None


class _Inside(NamedTuple):
    """The conversation that a step belongs to, its trajectory, and how deep that is nested."""

    scope: str
    value: Any
    depth: int


class _Trajectory:
    """One trajectory of a file, as a session."""

    def __init__(self, recording: Recording, value: Any, index: int) -> None:
        self._recording = recording
        self._value = value
        log = LOGS.get(text_at(value, "agent", "name"), AgentLog)
        self._build = build = Builder(recording.shown, log.roles, of_anyone=log.roles is ANYONES)
        self._log = log(build)
        self._acts = TextActs()
        self._answered = False
        self._number: Any = None
        """The number of the last step, where it has one."""
        self._told: dict[int | PurePath, Any] = {}
        """The trajectories of sub-agents that a result has named: by identity, or by their file.

        Each is told once: they may name each other, and themselves.
        """
        build.session(
            name_at(value, "session_id") or recording.sid_of(index),
            FORMAT,
            cwd=folder_of(value),
            model=name_at(value, "agent", "model_name"),
            tool_version=name_at(value, "agent", "version"),
        )
        if index == 1:
            build.count("several_sessions", "each trajectory is a session of its own")
        if isinstance(value, Broken):
            build.note(value.code, value.text)
        if any(at(step, "is_copied_context") is True for step in list_at(value, "steps")):
            build.note("mid_chain_start", "the trajectory goes on from another one")

    def events(self) -> Iterator[Event]:
        """Yield the events of the trajectory, and those of the sub-agents that it holds."""
        build, value = self._build, self._value
        for number, step in enumerate(list_at(value, "steps"), 1):
            source = text_at(step, "source")
            if source == "user" and not self._hands_back(step):
                self._prompt(flat_text(at(step, "message")))
            self._mind_step(step)
            if source == "agent":
                self._answered = self._act(step, f"r{number}", _Inside(MAIN, value, 0))
            elif source in ("system", "user"):
                self._observe(step, [], _Inside(MAIN, value, 0))
            yield from build.drain()
        for child in list_at(value, "subagent_trajectories"):
            if id(child) not in self._told and _has_calls(child):
                build.note("missing_child", "no result tells which call started a sub-agent")
        further = name_at(value, "continued_trajectory_ref")
        if further is not None:
            build.note("truncated_tail", f"the trajectory goes on in {further}")
            self._answered = False
        build.file_ended(empty=False, damage=self._recording.damage)
        self._end()
        build.finish()
        yield from build.drain()

    def _mind_step(self, step: Any) -> None:
        """Say what of a step is not read."""
        source = text_at(step, "source")
        if not _can_be_read(step):
            self._build.note("bad_line", "calls or results of a step that cannot be read")
        if not source:
            self._build.note("bad_line", "a step without a source that can be read")
        elif source not in ("agent", "system", "user"):
            told = f"a step of source {source!r} is not read"
            if at(step, "tool_calls") or at(step, "observation"):
                self._build.note("bad_line", told)
            else:
                self._build.count("unknown_record", told)
        self._mind_number(at(step, "step_id"))

    def _mind_number(self, number: Any) -> None:
        """Say that steps before one are missing, by the numbers that they have."""
        last, self._number = self._number, number
        if is_int(number) and is_int(last) and number != last + 1:
            self._build.note("bad_line", f"step {number} stands after step {last}")

    def _mind_text(self, text: str, role: str) -> None:
        """Say that a text is a call, or a result, of an agent that has no others."""
        lost = self._acts.lost_in(text, role)
        if lost is not None:
            self._build.note("bad_line", lost)

    def _hands_back(self, step: Any) -> bool:
        """Whether a step of the user is what stands for results in some logs, without a word."""
        message = at(step, "message")
        blank = isinstance(message, str) and not message.strip()
        return blank and self._build.in_turn and not self._answered

    def _prompt(self, text: str) -> None:
        self._mind_text(text, "user")
        if self._log.heard(text):
            self._build.user(text, origin="host")
            return
        self._end()
        self._build.start_turn(by="inferred")
        self._build.user(text)
        self._answered = False

    def _end(self) -> None:
        build, answered = self._build, self._answered
        lost = self._acts.lost_in_turn()
        if lost is not None:
            build.note("bad_line", lost)
        if build.in_turn:
            status: TurnStatus = "completed" if answered else "unknown"
            build.end_turn(status, by="inferred", judge=answered)

    def _act(self, step: Any, name: str, inside: _Inside) -> bool:
        """Tell a step of an agent; return whether it asks for no more.

        A step in which no model took part is the harness's own.
        """
        calls = list_at(step, "tool_calls")
        by_model = at(step, "llm_call_count") != 0
        text = flat_text(at(step, "message"))
        final = by_model and (not calls or hands_in(calls))
        if calls:
            self._acts.called()
        elif by_model:
            self._mind_text(text, "assistant")
        if by_model:
            self._build.assistant(text, step=name, scope=inside.scope, final=final)
        uids = [
            self._build.call(
                text_at(call, "tool_call_id"),
                text_at(call, "function_name"),
                at(call, "arguments"),
                step=name,
                scope=inside.scope,
                origin="model" if by_model else "host",
                role=self._log.role_of(call),
                folder=name_at(step, "extra", "cwd"),
            )
            for call in calls
        ]
        self._observe(step, uids, inside)
        return final

    def _observe(self, step: Any, uids: list[str], inside: _Inside) -> None:
        """Tell the results of a step, each with what a sub-agent did for it.

        A result that names no call is that of the call at its place, and the only one of a step
        is that of all its calls.
        """
        results = list_at(step, "observation", "results")
        for index, result in enumerate(results):
            native = name_at(result, "source_call_id")
            if native is not None:
                found = self._build.find(native, scope=inside.scope)
                of = [] if found is None else [found]
            else:
                of = uids if len(results) == 1 else uids[index : index + 1]
                of = [uid for uid in of if self._build.is_open(uid)]
            self._sub_agents(result, of[0] if of else None, inside)
            text = _text_of(result)
            for uid in of:
                call = self._build.opened(uid)
                details = list(_details(step, result, call.native_id))
                grade = self._grade(details, call, text)
                said = self._log.said(text)
                self._build.result(native or "", grade, said, scope=inside.scope, uid=uid)
                self._log.ended(call, grade, details, text)
            if native is not None and not of:
                self._build.result(native, UNKNOWN, text, scope=inside.scope)
            elif not of and text:
                self._mind_text(text, "tool")
                self._build.notice(text)

    def _grade(self, details: list[Any], call: ToolCall, text: str) -> Grade:
        """Grade a result by what a converter kept, by an envelope, or by the absence of a sign."""
        in_log = self._log.grade(details, text)
        if in_log is not None and (self._log.flags_errors or _is_own(in_log, call, text)):
            return in_log
        codes = [by_code(at(one, key)) for one in details for key in _EXIT_CODES]
        ended = next(filter(None, codes), None)
        flags = [at(one, key) for one in details for key in _ERROR_FLAGS]
        failed = True in flags or any(_has_failed(one) for one in details)
        if failed and (ended is None or ended.outcome != "error"):
            return Grade("error", "flag", ended and ended.exit_code, first_line(text))
        if ended is not None and ended.outcome == "error":
            return ended._replace(error=first_line(text))
        if any(at(one, "interrupted") is True for one in details):
            return Grade("cancelled", "flag")
        if ended is not None:
            return ended
        if False in flags:
            return Grade("ok", "flag")
        envelope = by_frame(text)
        if envelope is not None and believed(envelope, call.name, call.args, text):
            return envelope
        if self._log.flags_errors and text.endswith(_MARKED):
            return Grade("error", "envelope", None, first_line(text))
        known = self._recording.trusting or self._log.flags_errors
        return UNKNOWN if runs_commands(call.name) and not known else Grade("ok", "absence")

    def _sub_agents(self, result: Any, uid: str | None, inside: _Inside) -> None:
        """Tell what the sub-agents did that a result names."""
        refs = at(result, "subagent_trajectory_ref")
        for ref in refs if isinstance(refs, list) else [] if refs is None else [refs]:
            child = self._child(ref, inside) if inside.depth < MOST_NESTED else None
            if child is None:
                self._build.note("missing_child", "what a sub-agent did is not here")
            elif uid is not None:
                self._tell_child(child, ref, uid, inside)
            elif _has_calls(child):
                self._build.note("missing_child", "no call tells of a sub-agent that it started it")

    def _tell_child(self, child: Any, ref: Any, uid: str, inside: _Inside) -> None:
        build = self._build
        name = name_at(ref, "trajectory_id") or PurePath(text_at(ref, "trajectory_path")).stem
        build.refresh(uid, read_only=None, target=DELEGATED)
        scope = build.child(name, uid, kind=name_at(child, "agent", "name"))
        own = _Inside(scope, child, inside.depth + 1)
        acted = False
        for number, step in enumerate(list_at(child, "steps"), 1):
            self._mind_step(step)
            if text_at(step, "source") == "agent":
                acted = True
                self._act(step, f"{scope}-r{number}", own)
                continue
            if text_at(step, "source") == "user":
                build.user(flat_text(at(step, "message")), origin="parent")
            self._observe(step, [], own)
        if not acted or name_at(child, "continued_trajectory_ref") is not None:
            build.note("missing_child", "a trajectory of a sub-agent does not tell what it did")
        build.end_child(scope)

    def _child(self, ref: Any, inside: _Inside) -> Any:
        """Return the trajectory that a reference names, the first time it is named.

        It is embedded, or in a file beside this one.
        """
        ident = name_at(ref, "trajectory_id")
        for value in (inside.value, self._value):
            for child in list_at(value, "subagent_trajectories"):
                if ident is not None and name_at(child, "trajectory_id") == ident:
                    return self._once(id(child), child)
        folder = real(self._recording.path.parent)
        named = real(folder / text_at(ref, "trajectory_path"))
        path = neighbour(named) if named.is_relative_to(folder) and named.name else None
        if path is None:
            return None
        if path == real(self._recording.path) or path in self._told:
            return None
        try:
            found = Recording(path=path, cap=self._recording.cap).document()
        except ReadError:
            return None
        return self._once(path, found) if _is_one(found) else None

    def _once(self, key: int | PurePath, child: Any) -> Any:
        """Return a trajectory that was not told yet; None for one that was."""
        if key in self._told:
            return None
        self._told[key] = child
        return child


def _is_own(grade: Grade, call: ToolCall, text: str) -> bool:
    return grade.outcome == "running" or believed(grade, call.name, call.args, text)


def _can_be_read(step: Any) -> bool:
    """Whether what stands where a step keeps its calls and results is what the format says."""
    told, calls = at(step, "observation"), at(step, "tool_calls")
    results = at(told, "results")
    return (
        (told is None or isinstance(told, dict))
        and all(isinstance(one, (list, type(None))) for one in (calls, results))
        and all(isinstance(one, dict) for one in (*(calls or ()), *(results or ())))
    )


def _text_of(result: Any) -> str:
    content = at(result, "content")
    return flat_text(content) or as_text(content if isinstance(content, dict) else None)


def _has_calls(trajectory: Any) -> bool:
    return any(list_at(step, "tool_calls") for step in list_at(trajectory, "steps"))


def _has_failed(details: Any) -> bool:
    """Whether a converter kept an error, or the word that there was no success."""
    return bool(at(details, "error")) or at(details, "success") is False


def _details(step: Any, result: Any, native: str | None) -> Iterator[Any]:
    """Yield the objects in which converters keep what an agent's log says of a result."""
    found = [at(result, "extra"), at(step, "extra", "tool_call_details", native or "")]
    if len(list_at(step, "tool_calls")) == 1:
        found.append(at(step, "extra"))
    while found:
        details = found.pop(0)
        if isinstance(details, dict):
            yield details
            found += [details.get(key) for key in _DETAILS]
