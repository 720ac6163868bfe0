"""Transcripts written to a file of format 1, so that tests can ask what loading them loses."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.transcript import (
    DEFAULT_RULES,
    Call,
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
