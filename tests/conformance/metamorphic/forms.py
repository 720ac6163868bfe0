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
from told import Call, Files, Session, changed
from told_by_agents import claude_output, claude_session, codex_output, codex_rollout
from told_by_hosts import (
    acp,
    frames,
    log_1,
    log_2,
    messages,
    neutral,
    otel,
    stream,
    trajectory,
)
from told_by_messages import (
    anthropic,
    anthropic_requests,
    atif,
    chat,
    chat_document,
    chat_requests,
    inspect_events,
    responses,
)

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

    def fit(self, session: Session) -> Session:
        """Return a session with what the form cannot tell left out."""
        return changed(session[: self.turns], lambda _, call: (self._fit(call),))

    def _fit(self, call: Call) -> Call:
        if call.kind == "sign" and self.tools != "own":
            call = replace(call, kind="read", what="a.py")
        if call.kind == "read" and self.tools == "codex":
            call = replace(call, kind="run", what=f"cat {call.what}")
        if call.kind != "run" and not self.failures:
            call = replace(call, ok=True)
        if self.words and call.kind == "run" and call.changes:
            call = replace(call, ok=True)
        return call


_TRUSTED = (("basis", "absence"),)
FORMS = (
    Form("neutral", neutral, "neutral/1"),
    Form("chat", chat, "chat-completions", options=_TRUSTED, failures=False, words=True),
    Form(
        *("chat-document", chat_document, "chat-completions"),
        options=_TRUSTED,
        failures=False,
        rows=False,
        words=True,
    ),
    Form(
        *("chat-requests", chat_requests, "chat-completions"),
        options=_TRUSTED,
        failures=False,
        words=True,
    ),
    Form("anthropic", anthropic, "anthropic-messages", rows=False),
    Form("anthropic-requests", anthropic_requests, "anthropic-messages"),
    Form("responses", responses, "openai-responses", options=_TRUSTED, failures=False),
    Form("claude-code", claude_session, "claude-code", tools="claude"),
    Form("claude-stream", claude_output, "claude-stream", tools="claude"),
    Form("codex", codex_rollout, "codex", tools="codex"),
    Form("codex-exec-stream", codex_output, "codex-exec-stream", tools="codex", apart=False),
    Form("inspect", inspect_events, "inspect", apart=False, rows=False, turns=1),
    Form("atif", atif, "atif", rows=False),
    Form("otel", otel, "otel", options=_TRUSTED, apart=False, rows=False),
    Form("acp", acp, "acp", host="accept"),
    Form("stream", stream, "reasonix-stream", host="accept"),
    Form("trajectory", trajectory, "reasonix-trajectory", host="accept"),
    Form("v4", frames, "reasonix-v4", host="accept", rows=False),
    Form("messages", messages, "reasonix-messages", words=True),
    Form("log-1", log_1, "reasonix-log-1", words=True),
    Form("log-2", log_2, "reasonix-log-2", words=True),
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


def signature(found: list[TraceResult]) -> Signature:
    """Return everything that is said of a recording, but for the texts."""
    return [
        (
            result.format,
            result.rules,
            result.calls,
            sorted(diag.code for diag in result.diagnostics),
            [
                (one.name, one.verdict.decision.value, one.verdict.reason, one.agreement.value)
                for one in result.verdicts
            ],
        )
        for result in found
    ]


def decisions(found: list[TraceResult]) -> dict[tuple[str, Any], str]:
    """Return the decision on each end of a turn and each sign-off, by what does not move."""
    told: dict[tuple[str, Any], str] = {}
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

FEW, MANY = 60, 100
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
