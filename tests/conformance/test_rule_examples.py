"""The examples that are shipped with the rule catalogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import rule_examples
from reasonix_conformance.commands.rules import examples_text
from reasonix_conformance.replay.replay import replay_transcript
from reasonix_conformance.rule_examples import Example, accepted_by, of_reason, shipped
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.trace.transcript import loads

FOUND: list[tuple[str, str, dict[str, Any]]] = [
    (kind, name, dict(example))
    for kind, examples in shipped().items()
    for name, example in examples.items()
]


def decided(example: Example) -> set[tuple[str, str | None, bool]]:
    """Replay an example from its own text; it must hold."""
    (transcript,) = loads(example.as_yaml(), "example.yaml")
    result = replay_transcript(transcript, rule_set(example.rules))
    assert () == tuple(result.failures)
    return {(j.verdict.gate, j.verdict.reason, j.verdict.accepted) for j in result.verdicts}


@pytest.mark.parametrize(("kind", "name", "found"), FOUND, ids=lambda part: str(part)[:40])
def test_a_shipped_example_still_says_what_it_stands_for(
    kind: str, name: str, found: dict[str, Any]
) -> None:
    """An example that no longer holds would teach the wrong rule."""
    example = Example(**found)
    verdicts = decided(example)

    if kind == "reasons":
        assert any((example.gate, name) == verdict[:2] for verdict in verdicts)
    else:
        assert any((name, True) == (verdict[0], verdict[2]) for verdict in verdicts)


def test_most_rules_have_an_example() -> None:
    """A catalogue without examples is a list of sentences."""
    without = [
        rule.id for rule in RULES.values() if rule.reasons and not any(map(of_reason, rule.reasons))
    ]

    assert len(without) * 20 < len(RULES), without


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        # A boundary is shorter than what is usual, as are files of odd cases.
        (
            {"contract-steps": ["usual-and-longer", "odd"], "contract-pitfalls": ["pit"]},
            "usual-and-longer",
        ),
        ({"contract-pitfalls": ["pit-and-longer", "pit"]}, "pit"),
        ({"contract-steps": ["in-contract"], "a-steps": ["of-others classic"]}, "in-contract"),
        ({"contract-steps": ["two-things twice", "one-thing"]}, "one-thing"),
    ],
)
def test_an_example_is_the_plainest_transcript(
    files: dict[str, list[str]], chosen: str, tmp_path: Path
) -> None:
    """The shortest of all is most often a boundary: it was the tool's own name cited as a check."""
    for name, ids in files.items():
        text = json.dumps([_signs_off(*one.split()) for one in ids])
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")

    found = rule_examples.collect(sorted(tmp_path.iterdir()))

    assert chosen == found["reasons"]["step.missing"]["transcript"]["id"]


def _signs_off(ident: str, how: str = "") -> dict[str, Any]:
    """Return a transcript in which a sign-off names no step, once or twice."""
    call = {
        "call": "complete_step",
        "args": {"step": "", "result": "done", "evidence": [{"kind": "manual", "summary": "seen"}]},
        "expect": {"verdict": "reject", "reason": "step.missing"},
    }
    return {
        "id": ident,
        "rules": "classic" if how == "classic" else "contract",
        "turns": [{"events": [call] * (2 if how == "twice" else 1)}],
    }


def test_the_text_shows_both_sides() -> None:
    """One learns a rule from what it lets pass as well."""
    text = examples_text(RULES["GC-06"], "goal.stale")

    assert "Decided by goal.stale:" in text
    assert "Accepted by the same gate (update_goal):" in text
    assert accepted_by("update_goal") is not None
    json.dumps(shipped())


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "no transcript that decides anything: no path was given"),
        (("nowhere",), "no transcript that decides anything: "),
        (("README.md",), "README.md:1: the list is empty"),
    ],
)
def test_examples_are_not_replaced_by_none(
    given: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong path must not empty what is shipped."""
    kept = tmp_path / "examples.json"
    monkeypatch.setattr(rule_examples, "FILE", str(kept))
    (tmp_path / "README.md").write_text("[]\n")

    assert 2 == rule_examples.main([str(tmp_path / name) for name in given])

    assert said in capsys.readouterr().err
    assert not kept.exists()


def test_examples_are_taken_from_files_as_from_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shell that writes the pattern out gives files."""
    monkeypatch.setattr(rule_examples, "FILE", str(tmp_path / "examples.json"))

    assert 0 == rule_examples.main(["fixtures/transcripts/todo.yaml"])

    assert json.loads((tmp_path / "examples.json").read_text())["reasons"]
