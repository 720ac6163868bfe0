"""Traces that are written in neutral form: the same events, the same verdicts, no secrets."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from places import CLASSIC, RECENT, TRACES
from replayed import CHAT, found
from runs import replay

from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.files import files
from reasonix_conformance.traces.sessions import Options, events_of, results


@pytest.mark.parametrize(
    "path",
    [
        CLASSIC / "subagent-task" / "1.trajectory.jsonl",
        CLASSIC / "step-command-failed" / "1.trajectory.jsonl",
        RECENT / "goal-user-turns" / "1.served.jsonl",
    ],
    ids=lambda path: path.parent.name,
)
def test_neutral_events_that_were_written_give_the_same_verdicts(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one machine format carries what gates ask for."""
    file = tmp_path / "events.jsonl"
    (first,) = found(path)

    assert 0 == replay(capsys, path, "--format", "neutral", "--output", file)[0]
    (again,) = found(file, rules=first.rules)

    assert [(one.name, one.verdict, one.host) for one in first.verdicts] == [
        (one.name, one.verdict, one.host) for one in again.verdicts
    ]


@pytest.mark.parametrize(
    ("trust", "outcome"), [((), "unknown"), (("--min-basis", "absence"), "ok")]
)
def test_neutral_events_trust_a_recording_as_the_verdicts_do(
    trust: tuple[str, ...], outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a chat does not tell is success only for who asks for it."""
    call = '{"id": "1", "function": {"name": "ls", "arguments": "{}"}}'
    file = tmp_path / "t.jsonl"
    file.write_text(
        f'{CHAT}{{"role": "assistant", "tool_calls": [{call}]}}\n'
        '{"role": "tool", "tool_call_id": "1", "content": "x"}\n'
    )

    _, out, _ = replay(capsys, file, "--format", "neutral", *trust)

    told = [event for event in map(json.loads, out.splitlines()) if event["ev"] == "tool.result"]
    assert [outcome] == [event["outcome"] for event in told]


def test_neutral_events_that_are_written_again_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The format is read and written alike: a second pass changes only where an event stands."""
    once, twice = tmp_path / "events.jsonl", tmp_path / "again.jsonl"
    path = CLASSIC / "subagent-task" / "1.trajectory.jsonl"

    assert 0 == replay(capsys, path, "--format", "neutral", "--output", once)[0]
    assert 0 == replay(capsys, once, "--format", "neutral", "--output", twice)[0]

    assert _unplaced(once) == _unplaced(twice)


def _unplaced(path: Path) -> list[dict[str, object]]:
    events = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [{name: event[name] for name in event if name != "src"} for event in events]


def test_neutral_events_are_written_without_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A trace that is passed on must not pass on a key."""
    file = tmp_path / "log"
    file.write_text(CHAT.replace("go", "use sk-" + "a" * 30 + " in /Users/alice/x"))

    _, out, _ = replay(capsys, file, "--format", "neutral")

    assert "[secret] in /Users/[user]/x" in out


@pytest.mark.parametrize("folder", sorted(path.name for path in TRACES.iterdir() if path.is_dir()))
def test_a_trace_in_neutral_form_is_judged_as_it_was(folder: str, tmp_path: Path) -> None:
    """It is how a trace is passed on: what is lost on the way may make nothing look better."""
    kept = tmp_path / "kept.jsonl"
    for file, _, _ in files([TRACES / folder]):
        recording = list(results([file], Options(rules="contract"), []))
        if not recording:
            continue
        encoded = map(msgspec.json.encode, events_of([file], Options()))
        kept.write_bytes(b"".join(line + b"\n" for line in encoded))
        again = found(kept, rules="contract")

        begins_late = b'"mid_chain_start"' in kept.read_bytes()
        pairs = zip(decisions(recording), decisions(again), strict=True)
        assert [] == [
            (file.name, one, other)
            for one, other in pairs
            if one != other and not (begins_late and other != "accept")
        ]


@pytest.mark.parametrize("scenario", ["goal-acp/1.acp.jsonl", "goal-acp/chat.jsonl"])
def test_a_trace_in_neutral_form_names_the_rules_of_its_host(scenario: str, tmp_path: Path) -> None:
    """Its own marks are gone there; by other rules each of its goal calls would be wrong."""
    file = RECENT / scenario
    kept = tmp_path / "kept.jsonl"
    encoded = map(msgspec.json.encode, events_of([file], Options()))
    kept.write_bytes(b"".join(line + b"\n" for line in encoded))

    assert ["ungated"] == [trace.rules for trace in found(kept)]


def decisions(traces: list[TraceResult]) -> list[str]:
    return [str(judged.verdict.decision) for trace in traces for judged in trace.verdicts]


def test_how_surely_an_outcome_is_known_stays_with_a_trace_in_neutral_form(tmp_path: Path) -> None:
    """A format without a sign of success is believed; its events are, wherever they are kept."""
    block = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "rm a.py"}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": ""}
    lines = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {"type": "assistant", "message": {"role": "assistant", "id": "m", "content": [block]}},
        {"type": "user", "message": {"role": "user", "content": [answer]}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}]},
        },
    ]
    session, kept = tmp_path / "s.jsonl", tmp_path / "kept.jsonl"
    texts = (
        json.dumps({"uuid": str(at), "sessionId": "s", **line}) for at, line in enumerate(lines)
    )
    session.write_text("\n".join(texts) + "\n")
    encoded = map(msgspec.json.encode, events_of([session], Options()))
    kept.write_bytes(b"".join(line + b"\n" for line in encoded))

    assert ["reject"] == decisions(found(session)) == decisions(found(kept))
