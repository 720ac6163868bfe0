"""The forms in which a session is told, and what comes out when a file of one is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from told import SID, Call, Files, Record, Response, Session, Turn, changed, ended_jobs
from told_by_agents import codex_output, codex_rollout
from told_by_claude import claude_output, claude_session
from told_by_hosts import acp, frames, log_1, log_2, messages, neutral, stream, trajectory
from told_by_inspect import inspect_events
from told_by_messages import (
    anthropic,
    anthropic_requests,
    atif,
    chat,
    chat_document,
    chat_requests,
    responses,
    waits_for,
)
from told_by_spans import otel
from told_drawn import features

from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.gates.delivery.turn_end import STOPPED


@dataclass(frozen=True)
class Form:
    """A form of recordings.

    `format` is what a session of it is called, `host` what its host says of each end that it
    tells, `tools` whose tools are called. `options` say how it is judged where it tells little.
    `apart` is true where results stand apart from their calls, `failures` where it tells that an
    edit failed, `rows` where its records stand one a line. `words` is true where nothing but the
    text of a result tells that a command failed: a changing one may have printed it, and is none
    that changed nothing.

    `stop` is the outcome of a call that the user stopped, empty where no stop is told; `denied`
    says whether it tells that a call never ran, and `jobs` how the end of a job is told: by `news`,
    by a call that `asks`, or not at all. Of a session that holds what it `lacks` it may be said
    that it does not tell enough.
    """

    name: str
    write: Callable[[Session], Files]
    format: str
    tools: str = "own"
    host: str | None = None
    options: tuple[tuple[str, Any], ...] = ()
    apart: bool = True
    failures: bool = True
    rows: bool = True
    words: bool = False
    turns: int = 9
    stop: str = ""
    denied: bool = False
    jobs: str = ""
    lacks: frozenset[str] = frozenset()

    @property
    def ordered(self) -> bool:
        """Whether its host may be one that runs what changes something in order."""
        return self.tools == "own"

    @property
    def unknown(self) -> Record:
        """A record of a kind that is not known, with the keys that tell kinds in the form."""
        return _UNKNOWN.get(self.format, {"type": "brand_new", "brand_new": 1})

    def fit(self, session: Session) -> Session:
        """Return a session with what the form cannot tell left out."""
        told = changed(session[: self.turns], lambda _, call: (self._fit(call),))
        if not self.stop:
            told = tuple(replace(turn, stopped=False) for turn in told)
        return tuple(map(_asked, told)) if self.jobs == "asks" else told

    def twin(self, session: Session) -> Files:
        """Return the same session as neutral events."""
        return neutral(session, format_name=self.format, host=self.host, stop=self.stop)

    def tells_all(self, session: Session) -> bool:
        """Whether the form tells all that happened in a session that was made to fit."""
        return not (features(session) | {"folder"}) & self.lacks

    def _fit(self, call: Call) -> Call:
        if call.kind in ("sign", "list") and self.tools != "own":
            kept = {"sign": ("read", "a.py"), "list": ("note", call.what)}
            call = replace(call, kind=kept[call.kind][0], what=kept[call.kind][1])
        if call.kind == "read" and self.tools == "codex":
            call = replace(call, kind="run", what=f"cat {call.what}")
        call = self._fit_end(call)
        if call.kind != "run" and not call.ended and not self.failures:
            call = replace(call, ok=True)
        if self.words and call.kind == "run" and call.changes and call.ended != "job":
            call = replace(call, ok=True, ended="")
        return call

    def _fit_end(self, call: Call) -> Call:
        if call.ended == "stopped" and not self.stop:
            unbegun = {"kind": "read", "what": "a.py"} if call.kind == "task" else {}
            return replace(call, ended="", **unbegun)
        if call.ended == "denied" and not self.denied:
            return replace(call, ended="")
        if call.ended == "job" and not self.jobs:
            return replace(call, ended="", job="")
        return call


_UNKNOWN: dict[str, Record] = {
    "neutral/1": {"ev": "brand.new"},
    "chat-completions": {"role": "brand_new", "content": "x"},
    "reasonix-messages": {"role": "brand_new", "content": "x"},
    "reasonix-stream": {"kind": "brand_new"},
    "reasonix-trajectory": {"schema_version": 1, "brand_new": {"a": 1}},
    "acp": {"jsonrpc": "2.0", "method": "session/update",
            "params": {"sessionId": SID, "update": {"sessionUpdate": "brand_new"}}},
}  # fmt: skip


def _asked(turn: Turn) -> Turn:
    """Return a turn in which the model asks for the jobs that have ended."""
    told: list[Response] = []
    for at in range(len(turn.responses) + 1):
        if jobs := ended_jobs(turn.responses, at):
            last = at == len(turn.responses) and turn.stopped
            told += [] if last else [Response(waits_for(jobs))]
        told += turn.responses[at : at + 1]
    return replace(turn, responses=tuple(told))


_TRUSTED = (("basis", "absence"),)
_SILENT: dict[str, Any] = {"options": _TRUSTED, "failures": False, "lacks": frozenset({"task"})}
_CHAT: dict[str, Any] = {**_SILENT, "words": True}
_OWN: dict[str, Any] = {"stop": "cancelled", "denied": True, "jobs": "asks"}
_WIRE: dict[str, Any] = {**_OWN, "host": "accept"}
_KEPT: dict[str, Any] = {**_OWN, "words": True, "lacks": frozenset({"deep task"})}
_CLAUDE: dict[str, Any] = {"tools": "claude", "stop": "unknown", "denied": True, "jobs": "news"}
_CODEX: dict[str, Any] = {"tools": "codex", "stop": "unknown", "denied": True}
_TASK = frozenset({"task"})
FORMS = (
    Form("neutral", neutral, "neutral/1", stop="cancelled", denied=True, jobs="news"),
    Form("chat", chat, "chat-completions", **_CHAT),
    Form("chat-document", chat_document, "chat-completions", rows=False, **_CHAT),
    Form("chat-requests", chat_requests, "chat-completions", **_CHAT),
    Form("anthropic", anthropic, "anthropic-messages", rows=False, lacks=_TASK),
    Form("anthropic-requests", anthropic_requests, "anthropic-messages", lacks=_TASK),
    Form("responses", responses, "openai-responses", **_SILENT),
    Form("claude-code", claude_session, "claude-code", **_CLAUDE),
    Form("claude-stream", claude_output, "claude-stream", lacks=_TASK, **_CLAUDE),
    Form("codex", codex_rollout, "codex", jobs="news", lacks=_TASK, **_CODEX),
    Form(
        *("codex-exec-stream", codex_output, "codex-exec-stream"),
        apart=False,
        lacks=frozenset({"task", "stopped", "folder"}),
        **_CODEX,
    ),
    Form("inspect", inspect_events, "inspect", apart=False, rows=False, turns=1, denied=True),
    Form("atif", atif, "atif", rows=False),
    Form("otel", otel, "otel", options=_TRUSTED, apart=False, rows=False),
    Form("acp", acp, "acp", lacks=_TASK, **_WIRE),
    Form("stream", stream, "reasonix-stream", **_WIRE),
    Form("trajectory", trajectory, "reasonix-trajectory", **_WIRE),
    Form("v4", frames, "reasonix-v4", rows=False, **_WIRE),
    Form("messages", messages, "reasonix-messages", **_KEPT),
    Form("log-1", log_1, "reasonix-log-1", **_KEPT),
    Form("log-2", log_2, "reasonix-log-2", **_KEPT),
)
ROWS = tuple(form for form in FORMS if form.rows)


# -- what comes out


@contextmanager
def recording(files: Files) -> Iterator[Path]:
    """Write the files of a recording and give the path of the first one."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in files]
        for path, data in zip(paths, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        yield paths[0]


def results(form: Form, files: Files, rules: str | None = "contract") -> list[TraceResult]:
    """Judge a recording."""
    with recording(files) as path:
        return list(file_results(path, Options(rules=rules, **dict(form.options))))


Signature = list[tuple[Any, ...]]


def signature(found: list[TraceResult], *, named: bool = True) -> Signature:
    """Return everything that is said of a recording, but for the texts, and names of verdicts."""
    return [
        (
            result.format,
            result.rules,
            result.calls,
            sorted(diag.code for diag in result.diagnostics),
            [
                (
                    one.name if named else one.subject,
                    one.verdict.decision.value,
                    one.verdict.reason,
                    one.agreement.value,
                )
                for one in result.verdicts
            ],
        )
        for result in found
    ]


Told = dict[tuple[str, Any], str]


def decisions(found: list[TraceResult]) -> Told:
    """Return the decision on each end of a turn and each sign-off, by what does not move."""
    told: Told = {}
    for one in (verdict for result in found for verdict in result.verdicts):
        # A run that a loop guard stopped for its failures is not one that owes something.
        stopped = one.verdict.facts.get("stood_down") or one.verdict.reason == STOPPED
        decision = "stopped" if stopped else one.verdict.decision.value
        if one.subject == "end":
            told["end", one.turn] = decision
        elif one.subject == "complete_step":
            told["sign-off", one.native_id] = decision
    return told


def gained(form: Form, before: Session, after: Session) -> list[tuple[str, Any]]:
    """Return what was not accepted of a session, and is accepted of another one."""
    was = decisions(results(form, form.write(form.fit(before))))
    now = decisions(results(form, form.write(form.fit(after))))
    judged = {key: told for key, told in was.items() if told not in ("accept", "stopped")}
    return [key for key, told in now.items() if told == "accept" and key in judged]


# -- properties of all forms

FEW, MANY = 40, 60
"""Examples of all forms together, and of each of them."""


def few_and_many(
    check: Callable[..., None], *strategies: st.SearchStrategy[Any], of: tuple[Form, ...] = FORMS
) -> tuple[Any, Any]:
    """Return a property of forms as a test of a few examples, and as a slow one of many."""
    names = check.__code__.co_varnames[1 : 1 + len(strategies)]
    drawn = dict(zip(names, strategies, strict=True))
    few = settings(max_examples=FEW)(given(form=st.sampled_from(of), **drawn)(check))
    each = pytest.mark.parametrize("form", of, ids=[form.name for form in of])
    many = each(settings(max_examples=MANY)(given(**drawn)(check)))
    return few, pytest.mark.slow(many)
