"""Transcripts written: records to a file of format 1, and a run's events to a transcript.

What is written is read back as the same record. A live run that is saved gives the same verdicts
when it is replayed: each call carries the outcome that it had.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
    scope_of,
)
from reasonix_runtime.trace.host_events import SETUP
from reasonix_runtime.trace.transcript import (
    DEFAULT_RULES,
    Call,
    End,
    Expectation,
    HostStep,
    Transcript,
    Turn,
)

# Characters that PyYAML would write raw and read back as something else.
_AWKWARD = frozenset("\x85\u2028\u2029\ufeff")


def save(path: Path | str, transcripts: Sequence[Transcript]) -> None:
    """Write transcripts to a file: JSON where its name ends in `.json`, else YAML."""
    path = Path(path)
    form = [_as_data(transcript) for transcript in transcripts]
    if path.suffix == ".json":
        text = json.dumps(form, indent=1, ensure_ascii=True) + "\n"
    else:
        text = dump_yaml(form)
    path.write_text(text, encoding="utf-8", newline="\n")


def dump_yaml(value: Any) -> str:
    """Return a JSON value as YAML that our loader, and any of YAML 1.1, read back as it is."""
    text: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False
    )
    return text


class _Dumper(yaml.SafeDumper):
    """Writes texts so that they stay texts, and repeats values in place of aliases."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write every value where it stands: nobody should have to look an alias up."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None
    if _AWKWARD.intersection(text) or any(ord(char) < 32 and char != "\n" for char in text):
        style = '"'
    elif "\n" in text and not text.startswith((" ", "\n")) and " \n" not in text:
        style = "|"
    elif not _stays_text(text):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _stays_text(text: str) -> bool:
    try:
        return yaml12.resolve(text) == text
    except ValueError:
        return False


_Dumper.add_representer(str, _text)


def _as_data(transcript: Transcript) -> dict[str, Any]:
    """Return a transcript in the keys of format 1; what is at its default is left out."""
    rules = transcript.rules
    return _without_nothing(
        {
            "id": transcript.id,
            "title": transcript.title or None,
            "rule": transcript.rule,
            "rules": _rules(rules) if transcript.rules_given or rules != (DEFAULT_RULES,) else None,
            "confidence": transcript.confidence,
            "source": transcript.origin,
            "setup": dict(transcript.setup) or None,
            "turns": [_turn(turn) for turn in transcript.turns],
        }
    )


def _rules(rules: tuple[str, ...]) -> str | list[str]:
    return rules[0] if len(rules) == 1 else list(rules)


def _turn(turn: Turn) -> dict[str, Any]:
    end = turn.end
    return _without_nothing(
        {
            "user": turn.user,
            "events": [_step(step) for step in turn.steps] or None,
            "end": None
            if end is None
            else _without_nothing(
                {
                    "attempts": end.attempts if end.attempts != 1 else None,
                    "answer": end.answer,
                    "expect": _expect(end.expect),
                }
            ),
        }
    )


def _step(step: Call | HostStep) -> dict[str, Any]:
    if isinstance(step, HostStep):
        form = {"host": step.name, **step.data}
        return form if step.expect is None else {**form, "expect": _expect(step.expect)}
    return _call(step)


def _call(call: Call) -> dict[str, Any]:
    return _without_nothing(
        {
            "call": call.name,
            "id": call.id,
            "args": call.args if call.args != {} else None,
            "ok": call.ok,
            "outcome": call.outcome,
            "output": call.output,
            "exit_code": call.exit_code,
            "read_only": call.read_only,
            "batch": call.batch,
            "plan_replacement": call.plan_replacement or None,
            "child": [_call(child) for child in call.children] or None,
            "target": None if call.target is None else _call(call.target),
            "expect": _expect(call.expect),
        }
    )


def _expect(expect: Expectation | None) -> dict[str, Any] | None:
    if expect is None:
        return None
    form = {
        "verdict": expect.verdict,
        "reason": expect.reason,
        "reason_in": list(expect.reason_in) or None,
    }
    return {**_without_nothing(form), **expect.facts}


def _without_nothing(form: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in form.items() if value is not None}


# -- a run's events


def transcript_of(events: Iterable[Event], *, ident: str, title: str = "") -> Transcript:
    """Return the transcript of a run from its events; every call keeps its recorded outcome.

    Calls of one model response stay together as a batch. A call without a result has the outcome
    `none`, which a replay then takes from its verdict.
    """
    run = _Run()
    for event in events:
        run.take(event)
    return Transcript(
        id=ident,
        title=title,
        setup=run.setup,
        turns=tuple(run.turns) or (Turn(),),
        rules_given=False,
    )


class _Run:
    """Collects steps while events go by; sub-agents collect their own."""

    def __init__(self) -> None:
        self.setup: Mapping[str, Any] = {}
        self.turns: list[Turn] = []
        self._open = False
        self._user: str | None = None
        self._steps: list[Call | HostStep] = []
        self._calls: dict[str, ToolCall] = {}
        self._results: dict[str, ToolResult] = {}
        self._order: dict[str, list[str | HostStep]] = {"main": []}
        self._children: dict[str, list[str]] = {}

    def take(self, event: Event) -> None:
        """Take the next event in; what a transcript has no place for is passed over."""
        if isinstance(event, Session):
            return
        if isinstance(event, Host):
            if event.name == SETUP:
                self.setup = event.data
            else:
                self._order["main"].append(HostStep(name=event.name, data=event.data))
        elif isinstance(event, TurnStart):
            self._close(None)
            self._open = True
        elif isinstance(event, User) and event.origin == "user":
            self._user = event.text
        elif isinstance(event, ToolCall) and event.origin == "model":
            if event.uid not in self._calls:
                self._order.setdefault(scope_of(event.uid), []).append(event.uid)
            self._calls[event.uid] = event
        elif isinstance(event, ToolResult):
            self._results[event.uid] = event
        elif isinstance(event, SubStart):
            self._children.setdefault(event.parent_uid, []).append(event.scope)
        elif isinstance(event, TurnEnd):
            self._close(event)
        elif isinstance(event, SubEnd):
            return

    def _close(self, end: TurnEnd | None) -> None:
        if not self._open:
            return
        judged = end is not None and end.judge
        self.turns.append(
            Turn(
                user=self._user,
                steps=tuple(self._made(self._order["main"])),
                end=End(answer=end.answer, attempts=end.attempts) if judged and end else None,
            )
        )
        self._open = False
        self._user = None
        self._order["main"] = []

    def _made(self, order: Sequence[str | HostStep]) -> Iterable[Call | HostStep]:
        together = {
            self._calls[uid].step for uid in order if isinstance(uid, str)
        }  # steps that occur; those with one call need no batch
        sizes = {
            step: sum(self._calls[uid].step == step for uid in order if isinstance(uid, str))
            for step in together
        }
        for entry in order:
            if isinstance(entry, HostStep):
                yield entry
            else:
                step = self._calls[entry].step
                yield self._call(entry, batch=step if sizes[step] > 1 else None)

    def _call(self, uid: str, *, batch: str | None) -> Call:
        call = self._calls[uid]
        result = self._results.get(uid)
        outcome = result.outcome if result else "none"
        children = [
            child
            for scope in self._children.get(uid, ())
            for child in self._made(self._order.get(scope, []))
            if isinstance(child, Call)
        ]
        target = None
        if call.resolved_name is not None:
            target = Call(
                name=call.resolved_name,
                args=call.resolved_args if call.resolved_args is not None else {},
                read_only=call.resolved_read_only,
            )
        return Call(
            name=call.name,
            id=call.native_id,
            args=call.given,
            outcome=outcome if outcome != "ok" else None,
            ok=True if outcome == "ok" else None,
            output=result.text if result and result.text else ("" if outcome == "ok" else None),
            exit_code=result.exit_code if result else None,
            read_only=call.read_only,
            batch=batch,
            plan_replacement=call.plan_replacement,
            children=tuple(children),
            target=target,
        )
