"""An end of a turn names the receipts that it rests on, where somebody reads them."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from places import TRACES

from reasonix_conformance.replay.replay import Replay
from reasonix_conformance.replay.results import Ground, Judged
from reasonix_conformance.reports import json_report
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.evidence.owed.bearings import MOST_NAMED
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace.events import (
    Event,
    Host,
    Outcome,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

SESSION = Session(sid="s", format="neutral/1")
EDIT = ("edit_file", {"path": "src/a.py"})
READ = ("read_file", {"path": "src/a.py"})
TEST = ("bash", {"command": "pytest -q"})
LIST = (
    "todo_write",
    {"todos": [{"content": "Fix add", "status": "in_progress", "activeForm": "Fixing add"}]},
)
DONE = (
    "complete_step",
    {
        "step": "Fix add",
        "result": "done",
        "evidence": [{"kind": "verification", "summary": "green", "command": "pytest -q"}],
    },
)
WIDER = ("bash", {"command": "pytest -q tests"})
NEXT_DONE = (
    "complete_step",
    {
        "step": "Write docs",
        "result": "done",
        "evidence": [{"kind": "verification", "summary": "green", "command": "pytest -q tests"}],
    },
)
REPORT = ("review_report", {"kind": "review", "verdict": "pass", "reviewed_paths": ["src/a.py"]})

Call = tuple[str, dict[str, Any]]


class Turns:
    """Events of a session, call by call."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._calls = 0

    def turn(self, number: int, *calls: Call, outcome: Outcome = "ok", end: bool = True) -> Turns:
        """Add a turn."""
        self.events.append(TurnStart(turn=number))
        for name, args in calls:
            self._calls += 1
            uid = f"main#{self._calls}"
            self.events += [
                ToolCall(uid=uid, name=name, step=uid, args=args),
                ToolResult(uid=uid, outcome=outcome, text="+x", basis="exit_code", exit_code=0),
            ]
        if end:
            self.events.append(TurnEnd(turn=number))
        return self


def replay_of(rules: str = "contract") -> Replay:
    return Replay(
        rule_set(rules), path="a", trace_id="a", format_name="neutral/1", keep_receipts=True
    )


def judged(turns: Turns, rules: str = "contract") -> list[Judged]:
    """Return the verdicts on ends of turns."""
    replay = replay_of(rules)
    replay.feed([SESSION, *turns.events])
    return [one for one in replay.result().verdicts if one.verdict.gate == "turn_end"]


def named(one: Judged) -> list[tuple[str | None, int, int | None]]:
    return [(ground.role, ground.turn, ground.event) for ground in one.grounds.named]


def test_an_end_names_the_calls_behind_it_by_what_they_did() -> None:
    """An agent without sign-offs has no other verdicts: the reader would find no receipt at all."""
    (end,) = judged(Turns().turn(1, EDIT, READ, TEST))

    assert "accept" == end.verdict.decision
    assert (
        Ground(turn=1, event=0, tool="edit_file", text="src/a.py", outcome="ok", role="change"),
        Ground(turn=1, event=1, tool="read_file", text="src/a.py", outcome="ok", role="look"),
        Ground(turn=1, event=2, tool="bash", text="pytest -q", outcome="ok", role="check"),
    ) == end.grounds.named


def test_an_end_names_the_report_that_decides_about_its_change() -> None:
    """Whoever doubts the end wants to see who reviewed the change."""
    (end,) = judged(Turns().turn(1, EDIT, READ, TEST, REPORT), "classic")

    assert ("review", 1, 3) in named(end)


def test_a_list_is_named_by_how_far_it_is() -> None:
    """It has neither command nor path, and is why the turn may not end."""
    (end,) = judged(Turns().turn(1, EDIT, LIST))

    assert [("list", "0 of 1 done, next: Fix add")] == [
        (ground.role, ground.text) for ground in end.grounds.named if ground.role == "list"
    ]


def test_what_an_earlier_turn_still_owes_is_named_with_its_place_there() -> None:
    """A change outlives the turn that made it; so does its receipt, and no other one."""
    refused, passed, after = judged(Turns().turn(1, TEST, EDIT).turn(2, READ, TEST).turn(3))

    assert [("check", 1, 0), ("change", 1, 1)] == named(refused)
    assert [("change", 1, 1), ("look", 2, 0), ("check", 2, 1)] == named(passed)
    assert [] == named(after)


def test_an_answer_that_was_held_back_rests_on_receipts_too() -> None:
    """It is an end that was asked for; the next one may rest on more."""
    turns = Turns().turn(1, EDIT, end=False)
    turns.events.append(Host(name="held_back", data={"answer": "done"}))
    turns.events.append(TurnEnd(turn=1))
    held, end = judged(turns)

    assert "held_back" == held.subject
    assert [("change", 1, 0)] == named(held) == named(end)


def test_a_change_of_an_earlier_file_is_named_without_a_place() -> None:
    """It stands in no row of this trace, and without it the refusal rests on nothing."""
    replay = replay_of()
    earlier = [event for event in Turns().turn(1, EDIT).events if not isinstance(event, TurnEnd)]
    replay.carry(SESSION, earlier)
    replay.feed([SESSION, *Turns().turn(1, TEST).events])
    (end,) = replay.result().verdicts

    assert "reject" == end.verdict.decision
    assert [("change", 0, None), ("check", 1, 0)] == named(end)


def test_of_thousands_of_receipts_the_latest_are_named_and_the_others_counted() -> None:
    """Each end of a long session would list every file that is still owed."""
    calls = [("edit_file", {"path": f"src/m{number}.py"}) for number in range(100)]
    (end,) = judged(Turns().turn(1, *calls, TEST))

    numbers = [ground.event for ground in end.grounds.named if ground.role == "change"]
    assert list(range(100 - MOST_NAMED, 100)) == numbers
    assert 100 - MOST_NAMED == end.grounds.more
    assert "check" == end.grounds.named[-1].role


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        (
            "classic",
            [("change", 1), ("look", 2), ("check", 3), ("sign_off", 4), ("list", 4)],
        ),
        ("facts", [("change", 1), ("look", 2), ("check", 3)]),
    ],
)
def test_every_judge_of_ends_names_its_receipts(rules: str, expected: list[Any]) -> None:
    """By the latest change or by duties: an end names what it counts, a list as it became."""
    later = [{**LIST[1]["todos"][0], "content": "Write docs", "status": "pending"}]
    tasks = ("todo_write", {"todos": [*LIST[1]["todos"], *later]})
    (end,) = judged(Turns().turn(1, tasks, EDIT, READ, TEST, DONE), rules)

    assert expected == [(role, event) for role, _, event in named(end)]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ((EDIT, READ, TEST, WIDER), [("change", 1), ("look", 2), ("check", 4)]),
        (
            (EDIT, READ, TEST, DONE, WIDER),
            [("change", 1), ("look", 2), ("check", 3), ("sign_off", 4), ("list", 4)],
        ),
        (
            (EDIT, READ, TEST, DONE, WIDER, NEXT_DONE),
            [("change", 1), ("look", 2), ("check", 5), ("sign_off", 6)],
        ),
    ],
    ids=["checks-that-nobody-signed-off", "a-check-that-was-signed-off", "sign-offs"],
)
def test_an_end_by_the_latest_change_names_the_latest_of_each(
    calls: tuple[Call, ...], expected: list[tuple[str, int]]
) -> None:
    """The check that decides is the one that was signed off, whatever ran after it."""
    later = [{**LIST[1]["todos"][0], "content": "Write docs", "status": "pending"}]
    tasks = ("todo_write", {"todos": [*LIST[1]["todos"], *later]})
    (end,) = judged(Turns().turn(1, tasks, *calls), "classic")

    assert expected == [(role, event) for role, _, event in named(end) if event or role != "list"]


@pytest.mark.parametrize("kinds", [(), ("review",), ("review", "security")])
def test_an_end_by_the_latest_change_names_the_reports_that_decide(kinds: tuple[str, ...]) -> None:
    """One report of each kind decides (RV-12), and a kind without any has none to name."""
    reports = [
        ("review_report", {"kind": kind, "verdict": "pass", "reviewed_paths": ["src/a.py"]})
        for kind in kinds
    ]
    (end,) = judged(Turns().turn(1, EDIT, READ, TEST, *reports), "classic")

    found = [event for role, _, event in named(end) if role == "review"]
    assert list(range(3, 3 + len(kinds))) == found


def test_naming_receipts_changes_no_verdict() -> None:
    """What is kept for people may not move what is judged."""
    paths: list[str | Path] = [TRACES / "classic-2026-08"]
    plain = list(results(paths, Options(), []))
    told = list(results(paths, Options(receipts=True), []))

    def verdicts(found: Any) -> list[Any]:
        return [[(one.name, one.verdict) for one in trace.verdicts] for trace in found]

    assert verdicts(plain) == verdicts(told)
    named_in = [one for trace in told for one in trace.verdicts if one.grounds.named]
    assert {"complete_step", "turn_end"} <= {one.verdict.gate for one in named_in}


def test_receipts_of_ends_fit_the_published_schema() -> None:
    """Role, place and count are part of the form."""
    calls = [("edit_file", {"path": f"src/m{number}.py"}) for number in range(100)]
    replay = replay_of()
    replay.feed([SESSION, *Turns().turn(1, *calls, TEST).events])
    document = json_report.document([replay.result()], receipts=True)
    schema = files("reasonix_conformance.schemas") / "replay-1.schema.json"

    jsonschema.validate(document, json.loads(schema.read_text("utf-8")))
    (end,) = document["traces"][0]["verdicts"]
    assert 100 - MOST_NAMED == end["more_receipts"]
    assert {
        "turn": 1, "event": 100, "tool": "bash", "text": "pytest -q", "outcome": "ok",
        "role": "check",
    } == end["receipts"][-1]  # fmt: skip
