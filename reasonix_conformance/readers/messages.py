"""Conversations as lists of messages: Reasonix message files and Chat Completions.

Both have roles, calls and tool messages; they differ in where a call's name stands (flat or under
`function`) and in what tells success: a Reasonix host marks failures by a text prefix or in fields
of their own, a Chat Completions log says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import msgspec

from reasonix_conformance.readers.building.builder import AnsweredCall, Builder
from reasonix_conformance.readers.files.acts_in_text import TextActs
from reasonix_conformance.readers.files.json_values import at
from reasonix_conformance.readers.files.message_content import flat_text, words_in
from reasonix_conformance.readers.hosts.frames import believed, by_frame
from reasonix_conformance.readers.hosts.host_texts import (
    REWRITTEN,
    TRAILED,
    cut_of,
    split_host_blocks,
    strip_trailers,
)
from reasonix_conformance.readers.hosts.outcomes import UNKNOWN, Grade, Told, of_message
from reasonix_conformance.readers.hosts.result_facts import ResultFacts, by_facts
from reasonix_runtime.trace.events import MAIN, KnownBy, TextOrigin, Truncated


class MessageCall(msgspec.Struct, gc=False):
    """One call of an assistant message; flat, or nested under `function`."""

    id: Any = None
    call_id: Any = None
    name: Any = None
    arguments: Any = None
    function: Any = None
    custom: Any = None
    resolved_name: Any = None
    resolved_read_only: Any = None


class Message(msgspec.Struct, gc=False):
    """One message; the fields are Any because a recording may hold anything."""

    role: Any = None
    content: Any = None
    raw_content: Any = None
    refusal: Any = None
    origin: Any = None
    local_only: Any = None
    tool_calls: list[MessageCall] | None = None
    tool_call_id: Any = None
    tool_call_ids: Any = None
    call_id: Any = None
    name: Any = None
    function_call: Any = None
    finish_reason: Any = None
    tool_execution: Told = None
    tool_run_state: Any = None
    interrupted_turn: Any = None
    extra: Any = None


class LoggedMessage(Message, gc=False):
    """A message that whoever calls a model has logged, with what it knew of a result."""

    error: Any = None
    is_error: Any = None
    failed: Any = msgspec.field(default=None, name="isError")
    success: Any = None
    status: Any = None
    exit_code: Any = None

    def facts(self) -> ResultFacts:
        """Return what is kept of a result beside its content."""
        failed = self.failed if self.is_error is None else self.is_error
        return ResultFacts(self.error, failed, self.success, self.status, self.exit_code)


class Grading(NamedTuple):
    """How the results of a format are graded."""

    host: bool
    """Whether the recording program is a Reasonix host, which marks failures by a prefix."""
    trusting: bool = False
    """Whether a result without any sign is taken as a success (basis `absence`)."""


UNENDED = "unended"
"""The reason that is put to an answer which was streamed and whose end is not in the log."""
CUT_OFF = ("length", "content_filter", UNENDED)
"""Why an answer of Chat Completions stopped before its end, where a log tells it."""
_EXIT = "exit"
_HANDED_IN = "Submitted"
"""How mini-swe-agent calls the end of a run that did not break off."""
REASONIX = Grading(host=True)
PLAIN = Grading(host=False)

_DELEGATION = "subagent-context"
"""The host's block in each prompt of a sub-agent."""
_AROUND_PROMPTS = frozenset({"active-goal", "response-language"})
"""The host's blocks that stand in prompts alone."""
_RECOVERY = "interrupted-turn-recovery"
"""The host's block in the prompt behind a turn that was cut off."""
LOCAL_TOOL = "__reasonix_local_only__"


class MessageReader:
    """Turns messages into events; one per conversation (a file, or one scope of it)."""

    def __init__(self, build: Builder, *, grading: Grading, scope: str = MAIN) -> None:
        self.build = build
        self.scope = scope
        self.grading = grading
        self.begin: Callable[[str], None] | None = None
        """Begins the session: called once with the text of the first message if a user wrote it."""
        self.delegated = False
        """Whether this is the conversation of a sub-agent: its prompts have a block of their own,
        and a text without one is the host's."""
        self._acts = TextActs()
        self._responses = 0
        self._answered = False
        """Whether the model's last word was an answer without calls, which may end the turn."""
        self._asked_unseen = False
        """Whether it was told of this turn that a prompt in it is missing."""
        self._marked: bool | None = None
        """Whether the recording marks the end of the open turn; None if not even its beginning."""

    @property
    def has_answered(self) -> bool:
        """Whether the model's last word is an answer without calls, behind which is nothing."""
        return self._answered

    # -- one message

    def feed(self, message: Message) -> None:
        """Take the next message of the conversation."""
        role = message.role
        if role == "tool" or role == "function":
            self._tool(message)
        elif role == "assistant":
            self._assistant(message)
        elif role == "user":
            self._user(message)
        elif role == _EXIT:
            self._exit(message)
        elif role not in ("system", "developer"):
            # It may be a call, or its result.
            self.build.note("bad_line", f"a message of role {role!r} is not read")

    def take_answered(self, calls: Iterable[AnsweredCall], line: int) -> int:
        """Take calls that are answered at once, the first in `line`; return how many are taken."""
        if self._answered:
            return 0  # the first of them stands behind an answer
        taken = self.build.answered_calls(calls, line=line, steps=self._responses)
        self._responses += taken
        return taken

    def finish(self) -> None:
        """Close what is open at the end of the conversation."""
        self._start("")
        self._end_turn()

    def open_turn(self, native: str, *, ended: bool) -> None:
        """Begin the turn `native` that the recording marks, `ended` if it marks its end, too."""
        self._end_turn()
        self.build.start_turn(native=native)
        self._marked = ended
        self._answered = False

    def _start(self, text: str) -> None:
        begin, self.begin = self.begin, None
        if begin is not None:
            begin(text)

    def _user(self, message: Message) -> None:
        text = flat_text(message.content)
        self._start(text)
        self._mind_parts(message.content)
        if message.content is None and not (self.grading.host and message.raw_content is None):
            self.build.note("bad_line", "a message without content that can be read")
        self._mind_text(text, "user")
        if message.local_only is True:
            self._local(message)
            return
        own, blocks = split_host_blocks(text)
        typed = message.raw_content if isinstance(message.raw_content, str) else None
        if "compaction-summary" in blocks:
            self.build.compaction("summary")
        if self.scope != MAIN:
            origin: TextOrigin = "host" if self.build.in_turn and self._responses else "parent"
            self.build.user(typed or own or text, origin=origin)
        elif self._is_prompt(message, own, blocks):
            if self._marked is None or not self.build.quiet:
                self._end_turn(interrupted=_RECOVERY in blocks)
                self.build.start_turn(by="inferred")
            self.build.user(own or text if typed is None else typed, raw=text if blocks else None)
            self._answered = False
        else:
            self.build.user(own or text, origin="host")

    def _is_prompt(self, message: Message, own: str, blocks: tuple[str, ...]) -> bool:
        """Whether a text in the user's role is a prompt; the host puts texts of its own there.

        `own` is the text without the host's blocks, `blocks` are the names of these.
        """
        typed = isinstance(message.raw_content, str)
        if message.origin == "host" or not (typed or own):
            return False
        if self.delegated and self.build.in_turn and _DELEGATION not in blocks:
            return False
        # A text that arrives while calls have just been answered is the host's, not a new prompt.
        unasked = not typed or self._marked is not None
        told = _RECOVERY in blocks or not _AROUND_PROMPTS.isdisjoint(blocks)
        inside = self.build.in_turn and not self._answered and unasked and not told
        return not inside or self.build.quiet

    def _exit(self, message: Message) -> None:
        """Take the record by which mini-swe-agent ends a run: why it ended, and what it handed in.

        That is what its last command printed, which ended well and has no other result.
        """
        self._answered = at(message.extra, "exit_status") == _HANDED_IN
        calls = self.build.unanswered(self.scope) if self._answered else ()
        if len(calls) == 1:
            text = flat_text(message.content)
            self.build.result("", Grade("ok", "state"), text, scope=self.scope, uid=calls[0].uid)
        self._end_turn()
        self._answered = False

    def _end_turn(self, *, interrupted: bool = False) -> None:
        """Close the turn as the messages show it: answered, cut off, or just stopping."""
        if not self.build.in_turn or self.scope != MAIN:
            return
        lost = self._acts.lost_in_turn()
        if lost is not None:
            self.build.note("bad_line", lost)
        by: KnownBy = "explicit" if self._marked else "inferred"
        self._marked = None
        self._asked_unseen = False
        if interrupted:
            self.build.end_turn("interrupted", by=by, judge=False)
        elif self._answered:
            self.build.end_turn("completed", by=by)
        else:
            self.build.end_turn("unknown", by=by, judge=False)

    def _assistant(self, message: Message) -> None:
        if self.begin is not None:
            self._start("")
        if message.local_only is True:
            self._local(message)
            return
        self._responses += 1
        step = f"r{self._responses}" if self.scope == MAIN else f"{self.scope}-r{self._responses}"
        calls = message.tool_calls or ()
        legacy = message.function_call
        if self.scope == MAIN:
            self._mind_prompt(calls=bool(calls or legacy))
        self._answered = not calls and not legacy and message.finish_reason not in CUT_OFF
        text = flat_text(message.content) or words_in(message.refusal)
        self._mind_parts(message.content)
        if calls or legacy:
            self._acts.called()
        elif self._answered:
            self._mind_text(text, "assistant")
        self.build.assistant(text, step=step, scope=self.scope, final=self._answered)
        for call in calls:
            self._call(call, step)
        if isinstance(legacy, dict):
            self._call(MessageCall(function=legacy), step)

    def _mind_prompt(self, *, calls: bool) -> None:
        """Say that what the model works on now is not told, if that is so.

        An answer may follow another one: a host asks for a better one in words that it keeps back.
        """
        build = self.build
        if not build.in_turn and not build.turn and not build.remarked:
            build.note("mid_chain_start", "the conversation begins without a prompt")
        elif self._answered and calls and not self._asked_unseen:
            self._asked_unseen = True
            build.note("missing_prompt", "calls stand behind an answer, without a prompt between")

    def _mind_parts(self, content: Any) -> None:
        """Say which parts of a message are calls, or results, in a form that is not read."""
        for part in content if isinstance(content, list) else ():
            if isinstance(part, str):
                continue
            kind = part.get("type") if isinstance(part, dict) else None
            if isinstance(kind, str) and kind:
                if "tool" in kind or "call" in kind:
                    self.build.note("bad_line", f"a part of type {kind!r} is not read")
            elif not isinstance(at(part, "text"), str):
                self.build.note("bad_line", "a part without a type is not read")

    def _mind_text(self, text: str, role: str) -> None:
        """Say that a text is a call, or a result; a Reasonix host runs none that stands there."""
        lost = None if self.grading.host else self._acts.lost_in(text, role)
        if lost is not None:
            self.build.note("bad_line", lost)

    def _local(self, message: Message) -> None:
        """Take what the host keeps for itself: only that the turn was cut off matters."""
        if isinstance(message.interrupted_turn, dict):
            self._end_turn(interrupted=True)

    def _call(self, call: MessageCall, step: str) -> None:
        if call.function is not None or call.custom is not None:
            call = _flat(call)
        name, read_only, target = call.name, call.resolved_read_only, call.resolved_name
        if name == LOCAL_TOOL:
            return
        self.build.call(
            call.id if type(call.id) is str and call.call_id is None else _call_ids(call),
            name if type(name) is str else "",
            call.arguments,
            step=step,
            scope=self.scope,
            read_only=read_only if type(read_only) is bool else None,
            target=target if type(target) is str else None,
        )

    def _tool(self, message: Message) -> None:
        if self.begin is not None:
            self._start("")
        name, shown, raw = message.name, message.content, message.raw_content
        if message.local_only is True or name == LOCAL_TOOL:
            self._local(message)
            return
        self._answered = False
        if type(shown) is not str:
            shown = flat_text(shown)
        text = raw if type(raw) is str else shown
        truncated = cut_of(shown) if raw is None else None
        grade = self._grade(message, shown)
        if message.content is not shown and not isinstance(message.content, list | None):
            self.build.note("bad_line", "a result whose content is neither text nor parts")
        if shown.startswith(REWRITTEN):
            self.build.note("rewritten_result", "the host replaced an old result; its text is gone")
            text, truncated = "", Truncated()
            if grade.basis == "host_rule":
                grade = UNKNOWN
        elif text.endswith(TRAILED) and self.grading.host:
            text = strip_trailers(text)
        uid = self.build.find(_result_id(message), scope=self.scope)
        self.build.compare_name(uid, name if type(name) is str else "")
        self.build.result(
            _result_id(message),
            grade,
            text,
            scope=self.scope,
            name=name if type(name) is str else "",
            truncated=truncated,
            in_place=True,
        )

    def _is_believed(self, envelope: Grade, message: Message, text: str) -> bool:
        """Whether an envelope is one for the tool that a result names, else that of its call."""
        uid = self.build.find(_result_id(message), scope=self.scope)
        call = self.build.opened(uid) if uid is not None else None
        tool = call.name if call is not None else ""
        if isinstance(message.name, str) and message.name:
            tool = message.name
        return believed(envelope, tool, call.args if call is not None else None, text)

    def _grade(self, message: Message, text: str) -> Grade:
        """Grade a result: by the host's rule, or by what a log without one tells of it."""
        if self.grading.host:
            return of_message(text, message.tool_run_state, message.tool_execution)
        kept = by_facts(message.facts(), text) if isinstance(message, LoggedMessage) else None
        if kept is not None and kept.outcome != "ok":
            return kept
        frame = by_frame(text)
        if frame is not None and self._is_believed(frame, message, text):
            return frame
        return kept or (Grade("ok", "absence") if self.grading.trusting else UNKNOWN)


def _flat(call: MessageCall) -> MessageCall:
    """Return a call whose name and arguments stand in an object of it as one that has them itself.

    Free text for the input of a call is its one argument.
    """
    name, arguments = call.name, call.arguments
    inner = call.custom if isinstance(call.custom, dict) else call.function
    if isinstance(inner, dict):
        found = {"input": inner.get("input")} if inner is call.custom else inner.get("arguments")
        name = name if isinstance(name, str) else inner.get("name")
        arguments = found if arguments is None else arguments
    elif isinstance(inner, str) and not isinstance(name, str):
        name = inner
    return MessageCall(
        id=call.id,
        call_id=call.call_id,
        name=name,
        arguments=arguments,
        resolved_name=call.resolved_name,
        resolved_read_only=call.resolved_read_only,
    )


def _call_ids(call: MessageCall) -> str | list[str]:
    """Return the id of a call, or the ids that its result may carry."""
    if call.call_id is None and isinstance(call.id, str):
        return call.id
    return [key for key in (call.id, call.call_id) if isinstance(key, str)]


def _result_id(message: Message) -> str:
    ident = message.tool_call_id
    if isinstance(ident, str) and ident:
        return ident
    ident, ids = message.call_id, message.tool_call_ids
    if isinstance(ident, str) and ident:
        return ident
    return ids[0] if isinstance(ids, list) and ids and isinstance(ids[0], str) else ""
