"""Files and folders of traces, and what a replay of them says of a host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import CLASSIC, RECENT, TRANSCRIPTS
from replayed import CHAT, found
from runs import written_json

from reasonix_conformance.replay.results import Agreement, summarise
from reasonix_conformance.reports import json_report, text_report
from reasonix_conformance.traces.sessions import Options, Unreadable, WhyUnread, results
from reasonix_runtime.gates.verdict import switched_off
from reasonix_runtime.trace import yaml12


@pytest.mark.parametrize("form", ["trajectory", "stream"])
@pytest.mark.parametrize(
    "scenario",
    [
        "step-accepted-verification",
        "step-missing-evidence",
        "step-command-failed",
        "step-stale-todo",
        "step-faults-js",
        "todo-recovery",
        "subagent-task",
        "review-report-path-not-read",
        "text-cjk-emoji",
    ],
)
def test_the_rules_and_a_real_host_agree(scenario: str, form: str) -> None:
    """The classic rules are verdict for verdict those of the recorded host."""
    (result,) = found(CLASSIC / scenario / f"1.{form}.jsonl")
    said = {judged.agreement for judged in result.verdicts}

    assert "classic" == result.rules
    assert Agreement.AGREE in said
    assert not said & {Agreement.HOST_LENIENT, Agreement.HOST_STRICT}


def test_a_rule_that_is_off_makes_the_host_look_strict() -> None:
    """Agreement is measured, not assumed."""
    with switched_off("evidence.missing"):
        (result,) = found(CLASSIC / "step-missing-evidence" / "1.trajectory.jsonl")

    assert Agreement.HOST_STRICT in {judged.agreement for judged in result.verdicts}


def test_a_retired_gate_is_not_assessable_in_a_trace_of_the_newest_line() -> None:
    """What a host no longer has cannot be failed."""
    (result,) = found(RECENT / "retired-step" / "1.trajectory.jsonl")
    steps = [one for one in result.verdicts if one.subject == "complete_step"]

    assert "ungated" == result.rules
    assert steps
    assert {"not_assessable"} == {one.verdict.decision.value for one in steps}


def test_another_rule_set_than_the_hosts_is_said() -> None:
    """A refused `complete_step` of the newest line is no fail of the evidence gate."""
    (result,) = found(RECENT / "retired-step" / "1.trajectory.jsonl", rules="classic")

    assert "profile_mismatch" in {diag.code for diag in result.diagnostics}


def test_an_outcome_that_is_not_known_surely_enough_proves_nothing(tmp_path: Path) -> None:
    """In a chat log the user chooses whether silence is success."""
    call = {"id": "a", "function": {"name": "bash", "arguments": '{"command": "make test"}'}}
    step = {
        "step": "x",
        "result": "y",
        "evidence": [{"kind": "verification", "summary": "z", "command": "make test"}],
    }
    sign = {"id": "b", "function": {"name": "complete_step", "arguments": json.dumps(step)}}
    file = tmp_path / "log"
    file.write_text(
        CHAT
        + "".join(
            json.dumps(message) + "\n"
            for message in [
                {"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "a", "content": "fine"},
                {"role": "assistant", "tool_calls": [sign]},
            ]
        )
    )
    doubted = found(file, rules="contract", basis="exit_code")
    trusted = found(file, rules="contract", basis="absence")

    assert ["reject"] == [one.verdict.decision for one in doubted[0].verdicts]
    assert ["accept"] == [one.verdict.decision for one in trusted[0].verdicts]


def test_a_folder_is_walked_in_the_order_of_names_without_side_files() -> None:
    """The same folder gives the same report on every machine."""
    got = found(CLASSIC / "subagent-task")
    names = [Path(result.path).name for result in got]

    assert names[:3] == ["1.events.jsonl", "1.stream.jsonl", "1.trajectory.jsonl"]
    assert not [name for name in names if name.startswith("sa_") or name.endswith(".json")]
    assert 1 == sum(name.endswith("scripted-1.events.jsonl") for name in names)
    assert 0 == sum(name.endswith("scripted-1.jsonl") for name in names)


def test_a_link_that_leaves_the_folder_is_not_followed(tmp_path: Path) -> None:
    """A trace folder from somebody else must not reach into one's own files."""
    outside = tmp_path / "outside.jsonl"
    outside.write_text(CHAT)
    inside = tmp_path / "traces"
    inside.mkdir()
    (inside / "link.jsonl").symlink_to(outside)
    (inside / "real.jsonl").write_text(CHAT)

    left: list[Unreadable] = []
    read = [Path(result.path).name for result in results([inside], Options(), left)]

    assert (["real.jsonl"], [WhyUnread.LEADS_OUT]) == (read, [item.why for item in left])


def test_secrets_and_home_folders_are_not_shown(tmp_path: Path) -> None:
    """Real public traces contain live keys."""
    command = "curl -H 'Authorization: Bearer abcdefghijklmnop1234' /home/alice/x sk-" + "a" * 30
    step = {
        "step": "x",
        "result": "y",
        "evidence": [{"kind": "verification", "summary": "z", "command": command}],
    }
    sign = {"id": "b", "function": {"name": "complete_step", "arguments": json.dumps(step)}}
    file = tmp_path / "log"
    file.write_text(CHAT + json.dumps({"role": "assistant", "tool_calls": [sign]}) + "\n")

    got = found(file, rules="classic", receipts=True, timeline=True)
    shown = text_report.render(got) + written_json(got, receipts=True)

    assert "curl" in shown
    assert "[secret]" in shown
    for secret in ("abcdefghijklmnop1234", "alice", "aaaaaaaaaaaa"):
        assert secret not in shown


def test_the_corpus_holds_where_its_floor_is_built() -> None:
    """The same loader and machine as in the contract suite."""
    got = found(TRANSCRIPTS / "todo.yaml", TRANSCRIPTS / "complete-step-args.yaml")
    summary = summarise(got)

    assert 0 == summary.failed
    assert summary.held > 80


def test_what_is_written_along_is_what_is_written_at_the_end() -> None:
    """The report of a large trace must not be another one."""
    got = found(CLASSIC / "step-command-failed", CLASSIC / "args-malformed")

    assert json_report.document(got) == json.loads(written_json(got))


@pytest.mark.parametrize(
    ("scenario", "reason"),
    [
        ("review-block-verdict", "review.blocking"),
        ("delivery-missing-verification", "finish.verification_missing"),
        ("delivery-high-risk", "review.high_missing_review"),
        ("todo-open-at-end", "finish.todos_incomplete"),
    ],
)
def test_an_answer_that_the_host_refused_is_judged_in_the_profile_that_it_shows(
    scenario: str, reason: str
) -> None:
    """A wire recording does not name its profile, but the host asks for what only one asks for."""
    (result,) = found(CLASSIC / scenario / "1.trajectory.jsonl")
    end = result.verdicts[-1]

    assert ("turn-1/end", reason, Agreement.AGREE) == (end.name, end.verdict.reason, end.agreement)


def test_what_was_read_before_a_reader_stopped_is_counted(tmp_path: Path) -> None:
    """Calls that were held to be taken in many at once are found where the file is cut off, too."""
    call = {"ev": "tool.call", "uid": "main#1", "name": "ls", "turn": 1, "args": {}}
    answer = {"ev": "tool.result", "uid": "main#1", "outcome": "ok", "basis": "state"}
    lines = [
        {"ev": "session", "sid": "s", "format": "neutral/1"},
        {"ev": "turn.start", "turn": 1},
        call,
        answer,
        {**call, "uid": "main#2"},
        {"ev": "notice", "kind": "x", "text": "x" * 3000},
    ]
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps({"seq": n, **line}) + "\n" for n, line in enumerate(lines)))

    (result,) = results([path], Options(cap=2048), [])

    assert (2, {"preflight": 1}) == (result.calls, result.let_pass)


@pytest.mark.parametrize(
    ("several", "indent"), [(True, None), (True, 2), (False, None), (False, 2)], ids=str
)
def test_transcripts_in_json_are_told_by_what_they_hold(
    several: bool, indent: int | None, tmp_path: Path
) -> None:
    """A format is known by content; of a long document only the head is at hand."""
    written = yaml12.load((TRANSCRIPTS / "turn-boundary.yaml").read_bytes(), "x").value
    file = tmp_path / "told.json"
    file.write_text(json.dumps(written if several else written[0], indent=indent))

    found = list(results([tmp_path], Options(), []))

    assert [item["id"] for item in (written if several else written[:1])] == [
        result.id for result in found
    ]
    assert all(result.verdicts for result in found)


@pytest.mark.parametrize("several", [True, False], ids=str)
def test_transcripts_are_told_whose_first_turn_holds_no_events(
    several: bool, tmp_path: Path
) -> None:
    """A turn may end at once, or only be told; both parts of it are optional."""
    turns = [{"user": "Look."}, {"end": {"answer": "I know it.", "expect": {"verdict": "accept"}}}]
    written = {"id": "at-once", "turns": turns}
    file = tmp_path / "told.json"
    file.write_text(json.dumps([written] if several else written))

    (found,) = results([file], Options(), [])

    assert ("at-once", 1) == (found.id, len(found.verdicts))
