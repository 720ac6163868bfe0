"""The event vocabulary: what a host writes, what readers produce, what the state machine eats.

One event is one line of a neutral trace (JSON, `"ev"` names the kind). Order is file order; `seq`
is our own order key. `uid` names a call as `<scope>#<n>`, n counting the calls of that scope from
1; the scope is `main` or that of a sub-agent. Fields that are absent have their default, so a
written line holds only what says something.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

import msgspec

Outcome: TypeAlias = Literal[
    "ok", "error", "blocked", "cancelled", "not_run", "running", "unknown", "none"
]
"""How a call ended; only `ok` is evidence, `none` means that no result was recorded."""

UNTOLD: Final[frozenset[str]] = frozenset({"none", "unknown"})
"""Outcomes that do not tell whether the call did what it wanted."""

NEVER_RAN: Final[frozenset[str]] = frozenset({"blocked", "not_run"})
"""Outcomes of calls that did not even begin."""

FAILURE_MARKS: Final = ("error:", "blocked:")
"""How the result of a call begins in a conversation if the call failed, or was refused."""

Basis: TypeAlias = Literal["exit_code", "state", "flag", "host_rule", "envelope", "absence", "none"]
"""How the outcome is known, strongest first."""

BASES: tuple[Basis, ...] = (
    "exit_code",
    "state",
    "flag",
    "host_rule",
    "envelope",
    "absence",
    "none",
)

KnownBy: TypeAlias = Literal["explicit", "inferred"]
"""Whether the recording marks the boundary of a turn, or a reader reads it off what happened."""

TextOrigin: TypeAlias = Literal["user", "host", "parent"]
CallOrigin: TypeAlias = Literal["model", "host"]
Judgement: TypeAlias = Literal["accept", "reject", "unknown"]

TurnStatus: TypeAlias = Literal["completed", "interrupted", "failed", "unknown"]

MAIN = "main"
"""The scope of the main conversation."""

IN_MAIN = f"{MAIN}#"
"""How the uids of its calls begin."""


class Source(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where an event was read: file as given, line from 1, and the record's own kind."""

    file: str
    line: int | None = None
    raw_kind: str | None = None


class _Event(
    msgspec.Struct, frozen=True, gc=False, tag_field="ev", omit_defaults=True, kw_only=True
):
    """Fields that every event has."""

    seq: int = 0
    src: Source | None = None
    at: str | None = None


class Session(_Event, tag="session", frozen=True, kw_only=True):
    """One run of a host; several may stand in one file."""

    sid: str
    format: str
    profile: str | None = None
    cwd: str | None = None
    model: str | None = None
    tool_version: str | None = None
    started_at: str | None = None
    resumed_from: str | None = None


class TurnStart(_Event, tag="turn.start", frozen=True, kw_only=True):
    """A turn begins; `turn` counts from 1, `native` is the id that the recording gives it."""

    turn: int
    by: KnownBy = "explicit"
    native: str | None = None


class User(_Event, tag="user", frozen=True, kw_only=True):
    """Text that came in: from the user, from the host, or from a parent agent."""

    turn: int
    text: str = ""
    origin: TextOrigin = "user"
    raw_text: str | None = None


class Assistant(_Event, tag="assistant", frozen=True, kw_only=True):
    """One model response; calls with the same `step` belong to it."""

    turn: int
    step: str
    text: str = ""
    final: bool = False
    scope: str = MAIN


class ToolCall(_Event, tag="tool.call", frozen=True, kw_only=True):
    """A tool was called.

    `args` are the arguments as they came (any JSON value), `args_raw` the text when it was no
    JSON (`args_ok` is then false). `resolved_*` tell the real target of a proxy call. `read_only`
    is the registry flag at the time of the call where the recording knows it.
    """

    uid: str
    name: str
    turn: int = 0
    step: str = ""
    args: Any = None
    args_raw: str | None = None
    args_ok: bool = True
    origin: CallOrigin = "model"
    native_id: str | None = None
    resolved_name: str | None = None
    resolved_args: Any = None
    resolved_read_only: bool | None = None
    parent_uid: str | None = None
    read_only: bool | None = None
    preview: bool = False
    plan_replacement: bool = False

    @property
    def target(self) -> str:
        """The tool that it reached: that of a proxy call, else its own."""
        return self.resolved_name or self.name

    @property
    def given(self) -> Any:
        """What the tool was given: its arguments, or the text of them when that is no JSON."""
        return self.args if self.args_ok else self.args_raw

    @property
    def target_args(self) -> Any:
        """The arguments of the target, where they are known."""
        return self.args if self.resolved_name is None else self.resolved_args

    @property
    def target_read_only(self) -> bool | None:
        """The registry flag of the target, None where it is not told."""
        return self.read_only if self.resolved_name is None else self.resolved_read_only

    @property
    def target_given(self) -> Any:
        """What the target was given."""
        return self.given if self.resolved_name is None else self.resolved_args


class SharedArguments(dict[str, Any]):
    """The arguments of equal calls of one tool: a reader gives the same object for equal text.

    Nobody changes it, so what follows from it can be worked out once and found by its identity.
    """

    __slots__ = ()


NO_ARGUMENTS: Final[dict[str, Any]] = {}
"""The arguments of a call for which a recording tells none: known by identity, never changed."""


class Truncated(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A result was cut: bytes kept, bytes before the cut, and where the rest is."""

    kept: int | None = None
    original: int | None = None
    ref: str | None = None


class ToolResult(_Event, tag="tool.result", frozen=True, kw_only=True):
    """What came back from a call; `text` never holds what the host added behind it."""

    uid: str
    outcome: Outcome
    basis: Basis = "none"
    text: str = ""
    exit_code: int | None = None
    error: str | None = None
    truncated: Truncated | None = None
    changed_paths: tuple[str, ...] | None = None

    @property
    def says_something(self) -> bool:
        """Whether the text is more than white space; a reader may know it without the text."""
        return has_text(self.text)

    @property
    def reads_as_failure(self) -> bool:
        """Whether the text begins as that of a call that failed or was refused."""
        return self.text.startswith(FAILURE_MARKS)

    @property
    def weight(self) -> int:
        """About how much memory the text takes: its characters, or the bytes of its JSON."""
        return len(self.text)


class SubStart(_Event, tag="sub.start", frozen=True, kw_only=True):
    """A sub-agent starts in a scope of its own, inside the call `parent_uid`.

    One in the `background` goes on when that call is answered; None leaves it to the call's
    arguments.
    """

    scope: str
    parent_uid: str
    ref: str | None = None
    kind: str | None = None
    name: str | None = None
    background: bool | None = None


class SubEnd(_Event, tag="sub.end", frozen=True, kw_only=True):
    """A sub-agent ended; its evidence goes to its parent now."""

    scope: str
    parent_uid: str
    status: str | None = None


class Notice(_Event, tag="notice", frozen=True, kw_only=True):
    """News of the host: approvals, retries, audits."""

    text: str = ""
    code: str | None = None
    level: str | None = None
    source: str = "host"


class HostVerdict(_Event, tag="verdict", frozen=True, kw_only=True):
    """The host's own judgement, where the recording carries it."""

    gate: str
    result: Judgement
    turn: int = 0
    uid: str | None = None
    details: dict[str, Any] = msgspec.field(default_factory=dict)


class Compaction(_Event, tag="compaction", frozen=True, kw_only=True):
    """The model's view was shortened; what happened before still happened."""

    turn: int = 0
    kind: str | None = None
    dropped: int | None = None
    summary: str | None = None


class TurnEnd(_Event, tag="turn.end", frozen=True, kw_only=True):
    """A turn ended, or wants to.

    `judge` is true where the end-of-turn gate is asked. `attempts` is how often the model came
    with its final answer; the last one is judged.
    """

    turn: int
    status: TurnStatus = "unknown"
    by: KnownBy = "explicit"
    error: str | None = None
    answer: str | None = None
    attempts: int = 1
    judge: bool = True


class Diag(_Event, tag="diag", frozen=True, kw_only=True):
    """A remark of the reader; `code` is one of `DIAGNOSTICS`."""

    code: str
    where: str = ""
    text: str = ""


class Host(_Event, tag="host", frozen=True, kw_only=True):
    """Something the host did or started from: `setup`, a goal command, a loop guard."""

    name: str
    turn: int = 0
    data: dict[str, Any] = msgspec.field(default_factory=dict)


Event: TypeAlias = (
    Session
    | TurnStart
    | User
    | Assistant
    | ToolCall
    | ToolResult
    | SubStart
    | SubEnd
    | Notice
    | HostVerdict
    | Compaction
    | TurnEnd
    | Diag
    | Host
)

DIAGNOSTICS: frozenset[str] = frozenset(
    {
        "bad_args",
        "bad_checksum",
        "bad_line",
        "bad_name",
        "branch_dropped",
        "clock_disorder",
        "duplicate_result",
        "mid_chain_start",
        "missing_blob",
        "missing_child",
        "missing_prompt",
        "orphan_result",
        "profile_mismatch",
        "redacted_trace",
        "repeated_call_id",
        "rewritten_result",
        "several_sessions",
        "torn_frame",
        "truncated_result",
        "truncated_tail",
        "turn_inferred",
        "unanswered_call",
        "unknown_key",
        "unknown_record",
    }
)
"""The closed list of diagnostic codes (`docs/trace-formats.md`)."""


class Handlers(dict[type, Any]):
    """What handles an event, by its kind; a kind that is not listed is handled as its base is."""

    def __missing__(self, kind: type) -> Any:
        """Look a kind up by its bases, and remember it; None when nothing handles it."""
        found = next((self[base] for base in kind.__mro__[1:] if base in self), None)
        self[kind] = found
        return found


def has_text(output: str) -> bool:
    """Whether a result is more than white space: all that a gate asks of its length (EL-01)."""
    return bool(output) and not output.isspace()


def scope_of(uid: str) -> str:
    """Return the scope part of a call's uid."""
    return uid.rpartition("#")[0]
