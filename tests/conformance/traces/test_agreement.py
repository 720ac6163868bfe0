"""What a replay says about the host's own decisions, and where it says that nobody can know."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from places import CLASSIC, RECENT, TRACES

from reasonix_conformance.replay.results import Agreement, Judged, TraceResult
from reasonix_conformance.traces.sequences import carried, earlier_runs
from reasonix_conformance.traces.sessions import Options, Unreadable, results
from reasonix_runtime.trace.events import ToolCall


def replay(*paths: Path, **options: Any) -> list[TraceResult]:
    unreadable: list[Unreadable] = []
    found = list(results(paths, Options(**options), unreadable))
    assert [] == [problem for problem in unreadable if problem.lost]
    return found


def judged(*paths: Path, **options: Any) -> list[Judged]:
    return [one for result in replay(*paths, **options) for one in result.verdicts]


def wire(path: Path, events: Sequence[dict[str, Any]]) -> Path:
    """Write a recording of the wire: a turn around these events."""
    whole = [{"kind": "turn_started"}, *events, {"kind": "turn_done"}]
    path.write_text("".join(f"{json.dumps(event)}\n" for event in whole))
    return path


def called(ident: str, name: str, args: Any, output: str, err: str | None = None) -> list[Any]:
    tool = {"id": ident, "name": name, "args": json.dumps(args)}
    answer = {**tool, "output": output, **({"err": err} if err else {})}
    return [{"kind": "tool_dispatch", "tool": tool}, {"kind": "tool_result", "tool": answer}]


def todos(*items: tuple[str, str]) -> dict[str, Any]:
    return {"todos": [{"content": content, "status": status} for content, status in items]}


def signed(command: str) -> dict[str, Any]:
    evidence = [{"kind": "verification", "summary": "green", "command": command}]
    return {"step_index": 1, "result": "done", "evidence": evidence}


def changed(path: str) -> dict[str, Any]:
    evidence = [{"kind": "diff", "summary": "changed", "paths": [path]}]
    return {"step_index": 1, "result": "done", "evidence": evidence}


SIGNED = 'Step "1" signed off with 1 evidence item(s). Todo step: todo-matched 1 ("Fix it").'
LISTED = "Todos updated: 1 total — 0 completed, 1 in progress, 0 pending."


def test_no_recording_of_an_honest_host_is_accused() -> None:
    """Its own rule set is what it follows, so each disagreement would be a fault of ours."""
    wrong = [
        f"{result.path} {one.name}: {one.agreement} {one.verdict.reason}"
        for result in replay(TRACES)
        for one in result.verdicts
        if one.agreement in (Agreement.HOST_LENIENT, Agreement.HOST_STRICT)
    ]

    assert [] == wrong


def test_the_decisions_of_recorded_hosts_are_compared_and_not_waved_through() -> None:
    """Not accusing anybody is easy for who never compares."""
    counts = Counter(one.agreement for one in judged(CLASSIC))

    assert counts[Agreement.AGREE] > 850


def test_a_host_that_takes_a_citation_of_nothing_is_lenient(tmp_path: Path) -> None:
    """The accusation that the tool exists for."""
    events = [
        *called("a", "todo_write", todos(("Fix it", "in_progress")), LISTED),
        *called("b", "complete_step", signed("pytest -q"), SIGNED),
    ]

    found = {one.name: one for one in judged(wire(tmp_path / "run.jsonl", events))}

    step = found["turn-1/1-complete_step"]
    assert "verification.command_not_run" == step.verdict.reason
    assert Agreement.HOST_LENIENT is step.agreement


def test_a_run_that_shows_a_list_from_before_is_not_accused(tmp_path: Path) -> None:
    """The command may have run before the recording began; the host says which item it found."""
    events = called("b", "complete_step", signed("pytest -q"), SIGNED)

    (step, _) = judged(wire(tmp_path / "run.jsonl", events))

    assert Agreement.UNKNOWN is step.agreement
    assert "goes on with work from before" in step.verdict.message
    assert "verification.command_not_run" in step.verdict.message


def test_a_host_that_calls_an_open_list_done_contradicts_itself(tmp_path: Path) -> None:
    """PERSIST-3, where the trace itself shows the list; the 1.2x line holds nobody to its words."""
    listed = todos(("Fix it", "in_progress"), ("Ship it", "pending"))
    said = f"{SIGNED} The host advanced the task list: all steps are completed."
    by_hand = {"kind": "manual", "summary": "looked"}
    args = {"step_index": 1, "result": "done", "evidence": [by_hand]}
    events = [
        *called("a", "todo_write", listed, LISTED.replace("1 total", "2 total")),
        *called("b", "complete_step", args, said),
    ]
    path = wire(tmp_path / "run.jsonl", events)

    contract = {one.name: one for one in judged(path, rules="contract")}
    classic = {one.name: one for one in judged(path)}

    step = contract["turn-1/1-complete_step"]
    assert "todo.told_otherwise" == step.verdict.reason
    assert Agreement.HOST_LENIENT is step.agreement
    assert Agreement.AGREE is classic["turn-1/1-complete_step"].agreement


@pytest.mark.parametrize("before", ["earlier list", "taken back"])
def test_words_about_a_list_that_may_be_another_accuse_nobody(tmp_path: Path, before: str) -> None:
    """The host may hold an older list, or one that it took back, which the trace does not show."""
    listed = todos(("Fix it", "in_progress"), ("Ship it", "pending"))
    starts = {
        "earlier list": called("a", "complete_step", signed("pytest -q"), SIGNED),
        "taken back": [{"kind": "notice", "text": "rewound conversation to turn 1"}],
    }
    told = called("b", "todo_write", listed, "Todos updated: 1 total — 0 completed")

    found = judged(wire(tmp_path / "run.jsonl", [*starts[before], *told]), rules="contract")

    step = next(one for one in found if one.subject == "todo_write")
    assert "not_assessable" == step.verdict.decision.value
    assert Agreement.UNKNOWN is step.agreement


@pytest.mark.parametrize("kind", ["stream", "trajectory"])
def test_a_later_run_begins_with_what_the_earlier_ones_left(tmp_path: Path, kind: str) -> None:
    """A list and a command of an earlier process count in the next one, as they did there."""
    scenario = CLASSIC / "step-earlier-turn"
    for number in (1, 2):
        shutil.copy(scenario / f"{number}.{kind}.jsonl", tmp_path)

    alone = judged(Path(shutil.copy(scenario / f"2.{kind}.jsonl", tmp_path / "other.jsonl")))
    after = judged(tmp_path / f"2.{kind}.jsonl")

    reasons = [one.verdict.reason for one in alone if one.subject == "complete_step"]
    assert ["verification.command_not_run", "verification.command_not_run"] == reasons
    assert {Agreement.AGREE} == {one.agreement for one in after}
    assert ["reject", "accept"] == [
        one.verdict.decision.value for one in after if one.subject == "complete_step"
    ]


def test_a_sequence_with_a_gap_carries_nothing(tmp_path: Path) -> None:
    """What the missing run did is not known."""
    for name in ("1.stream.jsonl", "3.stream.jsonl", "2.trajectory.jsonl"):
        (tmp_path / name).touch()

    assert () == earlier_runs(tmp_path / "3.stream.jsonl")
    assert () == earlier_runs(tmp_path / "2.trajectory.jsonl")
    assert () == earlier_runs(tmp_path / "1.stream.jsonl")


def test_a_turn_that_was_killed_leaves_nothing_to_the_next_run(tmp_path: Path) -> None:
    """Such a host stores a turn when it has ended."""
    listed = called("a", "todo_write", todos(("Fix it", "in_progress")), LISTED)
    ran = called("b", "bash", {"command": "pytest -q"}, "2 passed")
    first = [{"kind": "turn_started"}, *listed, *ran]
    (tmp_path / "1.stream.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in first))
    refused = "error: evidence 1: no matching receipt"
    again = called("c", "todo_write", todos(("Fix it", "in_progress")), LISTED)
    step = called("d", "complete_step", signed("pytest -q"), refused, refused)

    found = judged(wire(tmp_path / "2.stream.jsonl", [*again, *step]))

    assert "verification.command_not_run" == found[1].verdict.reason


def test_a_check_that_the_host_names_is_asked_from_then_on(tmp_path: Path) -> None:
    """A project's checks stand in no recording but in the refusals of the host."""
    refusal = 'error: project check "make lint" from /w/AGENTS.md:7 has no matching receipt'
    events = [
        *called("a", "todo_write", todos(("Fix it", "in_progress")), LISTED),
        *called("b", "write_file", {"path": "a.py", "content": "x"}, "wrote 1 bytes"),
        *called("c", "complete_step", changed("a.py"), refusal, refusal),
    ]

    found = {one.name: one for one in judged(wire(tmp_path / "run.jsonl", events))}

    assert "project_check.not_run" == found["turn-1/2-complete_step"].verdict.reason
    assert Agreement.AGREE is found["turn-1/2-complete_step"].agreement


@pytest.mark.parametrize("refusal", ["blocked: hook [x] y", "blocked: plan mode forbids it"])
def test_a_refusal_by_no_gate_is_no_decision_of_one(refusal: str, tmp_path: Path) -> None:
    """A hook or a permission keeps calls back that every gate would let pass."""
    events = called("a", "todo_write", todos(("Fix it", "in_progress")), refusal, refusal)

    found = {one.name: one for one in judged(wire(tmp_path / "run.jsonl", events))}

    assert "accept" == found["turn-1/0-todo_write"].verdict.decision.value
    assert Agreement.UNKNOWN is found["turn-1/0-todo_write"].agreement


AT_THE_DOOR = ["invalid args for todo_write: todos[0].level", 'unknown tool "todo_write"']


@pytest.mark.parametrize("refusal", AT_THE_DOOR)
@pytest.mark.parametrize(
    ("status", "agreement"),
    [("in_progress", Agreement.UNKNOWN), ("odd", Agreement.AGREE)],
)
def test_a_call_that_failed_at_the_door_met_no_gate(
    refusal: str, status: str, agreement: Agreement, tmp_path: Path
) -> None:
    """What its gate would have said is not told; where the gate refuses it too, both agree."""
    events = called("a", "todo_write", todos(("Fix it", status)), "", refusal)

    (found, _end) = judged(wire(tmp_path / "run.jsonl", events))

    assert "todo_write" == found.verdict.gate
    assert agreement is found.agreement


@pytest.mark.parametrize(
    ("status", "agreement"),
    [("in_progress", Agreement.UNKNOWN), ("odd", Agreement.AGREE)],
)
def test_a_call_that_never_ran_met_no_gate_of_its_own(
    status: str, agreement: Agreement, tmp_path: Path
) -> None:
    """Somebody in front of it refused it, for reasons that no table lists."""
    refusal = "blocked: rule 7 of this house"
    events = called("a", "todo_write", todos(("Fix it", status)), refusal, refusal)

    (found, _end) = judged(wire(tmp_path / "run.jsonl", events))

    assert "todo_write" == found.verdict.gate
    assert agreement is found.agreement


def test_plan_mode_is_known_from_the_refusal_for_the_rest_of_the_turn() -> None:
    """Only its own sentence tells that a run is planning; then its open list may end the turn."""
    found = {one.name: one for one in judged(CLASSIC / "plan-mode" / "1.served.jsonl")}

    assert "guard.planning" == found["turn-1/5-complete_step"].verdict.reason
    assert Agreement.AGREE is found["turn-1/end"].agreement
    assert Agreement.AGREE is found["turn-2/end"].agreement


def test_a_parent_that_cites_an_unseen_sub_agent_is_not_accused() -> None:
    """A conversation log holds the answer of a sub-agent and none of its calls."""
    found = judged(CLASSIC / "subagent-task" / "chat.jsonl")

    assert any("calls of a sub-agent" in one.verdict.message for one in found)
    assert Agreement.HOST_LENIENT not in {one.agreement for one in found}


def test_a_new_host_over_the_editor_protocol_is_known_by_what_it_offers() -> None:
    """Its goal tools name revisions; by other rules every one of its calls would be wrong."""
    (result,) = replay(RECENT / "goal-acp" / "1.acp.jsonl")

    assert "ungated" == result.rules


RECEIPT = "m.py\n[receipt r_0a1b2c3d]"
CONTEXT = '<session-context version="1">\nfacts\n</session-context>'
INBOX = {"agentCapabilities": {"_meta": {"sessionInbox": {}}}}


@pytest.mark.parametrize(
    "records",
    [
        [
            {"kind": "turn_started", "sessionId": "S"},
            {"kind": "tool_result", "tool": {"id": "a", "runState": "x", "output": RECEIPT}},
        ],
        [{"role": "user", "content": CONTEXT}, {"role": "tool", "content": RECEIPT}],
        [{"jsonrpc": "2.0", "result": INBOX}, {"jsonrpc": "2.0", "params": {"text": RECEIPT}}],
    ],
    ids=["stream", "messages", "editor"],
)
def test_a_receipt_line_in_a_text_makes_no_other_host(
    records: list[dict[str, Any]], tmp_path: Path
) -> None:
    """A file may hold such a line; by the rules of that host this one would be accused."""
    path = tmp_path / "run.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))

    assert ["ungated"] == [result.rules for result in replay(path)]


@pytest.mark.parametrize("named", [False, True], ids=["printed", "named"])
def test_what_a_command_prints_and_a_model_names_chooses_no_rules(
    named: bool, tmp_path: Path
) -> None:
    """Who controls both would choose the rules by which a refusal becomes an acceptance."""
    path = tmp_path / "run.jsonl"
    args = json.dumps({"command": "make", **({"receipt_ids": ["r_1"]} if named else {})})
    call = {"id": "a", "name": "bash", "args": args}
    told = [
        {"kind": "turn_started"},
        {"kind": "tool_dispatch", "tool": call},
        {"kind": "tool_result", "tool": {**call, "output": RECEIPT, "execution": {"exitCode": 0}}},
        {"kind": "turn_done"},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    assert ["classic"] == [result.rules for result in replay(path)]


@pytest.mark.parametrize(
    ("quoted", "rules"),
    [
        ((RECEIPT, CONTEXT), "contract"),
        ((f'"role": "user", "content": "{CONTEXT}',), "contract"),
        (("1→tool_retired: gone",), "contract"),
        (("say 'argument validation failed for x'",), "contract"),
        (("a\ngoal tools require the current goal",), "contract"),
        (("x <response-language>en</response-language>",), "contract"),
        (("# <delivery-runtime>",), "contract"),
        (("see [receipt r_0a1b2c3d] there",), "contract"),
        (('{"receipt_ids": []}',), "contract"),
    ],
)
def test_what_a_file_quotes_makes_no_other_host(
    quoted: tuple[str, ...], rules: str, tmp_path: Path
) -> None:
    """Other hosts have fewer gates: a file that was read would have switched some off."""
    path = tmp_path / "run.jsonl"
    told = [{"role": "user", "content": "go"}, *({"role": "tool", "content": t} for t in quoted)]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    assert [rules] == [result.rules for result in replay(path)]


def test_a_context_after_a_compaction_tells_the_host(tmp_path: Path) -> None:
    """What stood before the first call may be gone."""
    path = tmp_path / "run.jsonl"
    call = {"id": "a", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
    told = [
        {"role": "user", "content": "summary"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "a.py"},
        {"role": "user", "content": CONTEXT},
        {"role": "user", "content": "go on"},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    assert ["ungated"] == [result.rules for result in replay(path)]


def test_a_reminder_to_a_reviewer_goes_on_with_its_run() -> None:
    """What it read before the reminder is still evidence for its report."""
    (result,) = replay(CLASSIC / "delivery-high-risk" / "chat.sub2.jsonl")

    assert ["accept", "accept"] == [
        one.verdict.decision.value for one in result.verdicts if one.subject == "review_report"
    ]


def test_a_cancelled_command_of_an_earlier_turn_proves_nothing() -> None:
    """The user stopped it; citing it in the next turn was refused by the host, too."""
    found = {one.name: one for one in judged(CLASSIC / "acp-cancelled" / "1.acp.jsonl")}

    assert "verification.command_not_run" == found["turn-3/0-complete_step"].verdict.reason


@pytest.mark.parametrize(
    ("scenario", "name"),
    [
        ("delivery-high-risk", "turn-2/end"),
        ("review-block-verdict", "turn-1/end"),
    ],
)
def test_an_end_that_rests_on_what_the_log_lacks_is_not_decided(scenario: str, name: str) -> None:
    """The host decided otherwise each time; the log tells neither that nor why."""
    found = {one.name: one for one in judged(CLASSIC / scenario / "chat.jsonl")}

    assert "not_assessable" == found[name].verdict.decision.value
    assert found[name].host is None


def test_a_turn_that_only_saved_a_note_is_not_refused_for_its_criteria() -> None:
    """Whether the user asked for it decides, and no recording tells what a text asks for."""
    (log,) = (CLASSIC / "delivery-memory" / "session").glob("*.events.jsonl")

    found = {one.name: one for one in judged(log)}

    assert "not_assessable" == found["turn-2/end"].verdict.decision.value


def test_a_sub_agent_without_calls_proves_nothing_where_calls_are_told(tmp_path: Path) -> None:
    """A wire recording tells what a sub-agent does; one that did nothing is no excuse."""
    events = [
        *called("a", "todo_write", todos(("Fix it", "in_progress")), LISTED),
        *called("b", "task", {"prompt": "test it"}, "All tests pass."),
        *called("c", "complete_step", signed("pytest -q"), SIGNED),
    ]

    found = {one.name: one for one in judged(wire(tmp_path / "run.jsonl", events))}

    assert Agreement.HOST_LENIENT is found["turn-1/2-complete_step"].agreement


def test_calls_of_earlier_runs_have_numbers_of_their_own() -> None:
    """Every run counts its calls from one, and a result must find its own call."""
    runs = [CLASSIC / "step-earlier-turn" / f"{number}.stream.jsonl" for number in (1, 2, 3)]

    uids = [
        event.uid
        for event in carried(runs, cap=2**20, keeps_broken_turns=False)
        if isinstance(event, ToolCall)
    ]

    assert len(uids) > 8
    first = [uid for uid in dict.fromkeys(uids) if uid.endswith(".1")]
    assert ["main#run1.1", "main#run2.1", "main#run3.1"] == first
