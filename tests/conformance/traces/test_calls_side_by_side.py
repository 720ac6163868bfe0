"""What ran beside a change says nothing about it, and what goes on beside a turn leaves it open.

Calls of a neutral trace may be open at the same time. Each case is told in lines, as a host writes
them, with its nearest honest twin.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from replayed import found

Line = dict[str, Any]

PATH = {"path": "src/parser.py"}
EDIT = ("edit_file", PATH)
READ = ("read_file", PATH)
TEST = ("bash", {"command": "pytest -q"})
TASK = ("task", {"prompt": "Look at it"})
BESIDE = ("task", {"prompt": "Look at it", "run_in_background": True})
LOOKED = [{"ev": "sub.start", "scope": "s", "parent_uid": "main#1"}]
"""The sub-agent that the first call of a turn starts."""
ENDED = [{"ev": "sub.end", "scope": "s", "parent_uid": "main#1"}]


def call(number: int, made: tuple[str, Line], *, step: str = "", scope: str = "main") -> list[Line]:
    uid, name = f"{scope}#{number}", made[0]
    step = step or uid
    return [{"ev": "tool.call", "uid": uid, "name": name, "turn": 1, "step": step, "args": made[1]}]


def ok(number: int, scope: str = "main", outcome: str = "ok") -> list[Line]:
    uid = f"{scope}#{number}"
    return [{"ev": "tool.result", "uid": uid, "outcome": outcome, "basis": "state", "text": "x"}]


def did(number: int, made: tuple[str, Line], scope: str = "main") -> list[Line]:
    return [*call(number, made, scope=scope), *ok(number, scope)]


def end_of(tmp_path: Path, lines: list[Line]) -> tuple[str, str | None]:
    """Return decision and reason of the end of a turn of these lines."""
    path = tmp_path / "t.jsonl"
    said = [
        {"ev": "session", "sid": "s", "format": "neutral/1"},
        {"ev": "turn.start", "turn": 1},
        *lines,
        {"ev": "turn.end", "turn": 1, "status": "completed", "answer": "Done."},
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in said))
    (result,) = found(path, rules="contract")
    verdict = result.verdicts[-1].verdict
    return verdict.decision.value, verdict.reason


IN_PARENT = [*did(2, EDIT), *ENDED, *ok(1)]
"""A change beside the sub-agent, and the end of that."""
CHECK, LOOK = "finish.verification_missing", "finish.inspection_missing"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        pytest.param(
            [*call(1, TEST), *did(2, EDIT), *did(3, READ), *ok(1)], CHECK, id="a-check"
        ),
        pytest.param(
            [*call(1, TEST, step="r"), *call(2, EDIT, step="r"), *ok(2), *ok(1), *did(3, READ)],
            CHECK,
            id="a-check-of-one-response",
        ),
        pytest.param([*call(1, READ), *did(2, EDIT), *ok(1), *did(3, TEST)], LOOK, id="a-read"),
        pytest.param(
            [*call(1, TASK), *LOOKED, *did(1, TEST, "s"), *IN_PARENT, *did(3, READ)],
            CHECK,
            id="a-check-of-a-sub-agent",
        ),
        pytest.param(
            [*call(1, TASK), *LOOKED, *did(1, READ, "s"), *IN_PARENT, *did(3, TEST)],
            LOOK,
            id="a-read-of-a-sub-agent",
        ),
        pytest.param(
            [*call(1, BESIDE), *LOOKED, *did(1, TEST, "s"), *ok(1, outcome="running"),
             *did(2, EDIT), *did(3, READ), *ENDED,
             {"ev": "host", "name": "job_ended", "data": {"uid": "main#1", "outcome": "ok"}}],
            CHECK,
            id="a-check-of-a-sub-agent-in-the-background",
        ),
    ],
)  # fmt: skip
def test_what_began_before_a_change_and_ended_after_it_does_not_speak_for_it(
    lines: list[Line], reason: str, tmp_path: Path
) -> None:
    """It ran on what stood there before, wherever its result stands."""
    assert ("reject", reason) == end_of(tmp_path, lines)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([*did(1, EDIT), *did(2, READ), *did(3, TEST)], id="one-after-the-other"),
        pytest.param(
            [*call(1, EDIT, step="r"), *call(2, READ, step="r"), *call(3, TEST, step="r"),
             *ok(1), *ok(2), *ok(3)],
            id="announced-at-once",
        ),
        pytest.param(
            [*did(1, EDIT), *call(2, TEST), *call(3, READ), *ok(3), *ok(2)],
            id="a-check-overtaken-by-a-read",
        ),
        pytest.param(
            [*did(1, EDIT), *call(2, READ), *did(3, ("edit_file", {"path": "NOTES.md"})), *ok(2),
             *did(4, ("read_file", {"path": "NOTES.md"})), *did(5, TEST)],
            id="a-read-overtaken-by-another-change",
        ),
        pytest.param(
            [*call(1, TASK), *LOOKED, *did(1, EDIT, "s"), *did(2, READ, "s"), *did(3, TEST, "s"),
             *ENDED, *ok(1)],
            id="a-sub-agent-by-itself",
        ),
    ],
)  # fmt: skip
def test_what_began_after_the_change_speaks_for_it(lines: list[Line], tmp_path: Path) -> None:
    """The order of the calls counts, and what was not touched since is still there."""
    assert ("accept", None) == end_of(tmp_path, lines)


@pytest.mark.parametrize("made", [EDIT, ("bash", {"command": "python gen.py"})])
@pytest.mark.parametrize("scope", ["s", "deep"])
def test_a_sub_agent_that_changed_something_and_does_not_end_leaves_the_turn_open(
    made: tuple[str, Line], scope: str, tmp_path: Path
) -> None:
    """Its evidence never reached the parent, whose turn was accepted: nothing was changed."""
    inner = did(1, made, "s")
    if scope == "deep":
        below = {"ev": "sub.start", "scope": "deep", "parent_uid": "s#1"}
        inner = [*call(1, TASK, scope="s"), below, *did(1, made, "deep")]
    lines = [*call(1, TASK), *LOOKED, *inner, *ok(1)]

    assert ("not_assessable", None) == end_of(tmp_path, lines)


def test_a_sub_agent_that_only_reads_and_does_not_end_leaves_nothing_open(tmp_path: Path) -> None:
    """What it has not told yet is nothing that the turn owes."""
    lines = [*call(1, TASK), *LOOKED, *did(1, READ, "s"), *ok(1)]

    assert ("accept", None) == end_of(tmp_path, lines)


def test_a_reviewer_that_read_beside_its_own_change_did_not_see_it(tmp_path: Path) -> None:
    """A report on what the file was before is no report on what it is."""
    said = {"kind": "review", "verdict": "pass", "reviewed_paths": ["src/parser.py"]}
    report = ("review_report", said)
    inner = [*call(1, READ, scope="s"), *did(2, EDIT, "s"), *ok(1, "s"), *did(3, report, "s")]
    path = tmp_path / "t.jsonl"
    review = call(1, ("review", {"task": "x"}))
    begin = {"ev": "session", "sid": "s", "format": "neutral/1"}
    lines = [begin, {"ev": "turn.start", "turn": 1}, *review, *LOOKED, *inner, *ENDED, *ok(1)]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    (result,) = found(path, rules="contract")

    assert ["report.path_not_read"] == [judged.verdict.reason for judged in result.verdicts]
