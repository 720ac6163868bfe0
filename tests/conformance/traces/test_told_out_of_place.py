"""What a neutral trace tells too late, twice, or in words that nobody knows loosens no gate."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from replayed import found

from reasonix_conformance.traces.sessions import Options, Unreadable, results

Line = dict[str, Any]

SESSION: Line = {"ev": "session", "sid": "s", "format": "neutral/1"}
EDIT = ("edit_file", {"path": "src/auth.py"})
READ = ("read_file", {"path": "src/auth.py"})


def call(number: int, made: tuple[str, Line], scope: str = "main") -> Line:
    uid = f"{scope}#{number}"
    return {"ev": "tool.call", "uid": uid, "name": made[0], "step": uid, "args": made[1]}


def ok(number: int, scope: str = "main", outcome: str = "ok") -> Line:
    return {"ev": "tool.result", "uid": f"{scope}#{number}", "outcome": outcome, "basis": "state"}


def host(name: str, **data: Any) -> Line:
    return {"ev": "host", "name": name, "data": data}


def start(turn: int) -> Line:
    return {"ev": "turn.start", "turn": turn}


def end(turn: int, status: str = "completed") -> Line:
    return {"ev": "turn.end", "turn": turn, "status": status, "answer": "Done."}


def written(tmp_path: Path, *lines: Line) -> Path:
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def ends(tmp_path: Path, *lines: Line) -> list[str]:
    """Return the decisions of a trace that can be read."""
    path = written(tmp_path, *lines)
    return [
        judged.verdict.decision.value
        for result in found(path, rules="contract")
        for judged in result.verdicts
    ]


@pytest.mark.parametrize(
    ("late", "said"),
    [
        (host("setup"), "comes after it began"),
        (host("setup", workspace="/w"), "comes after it began"),
        (host("profile", profile="Delivery"), "'Delivery': expected 'ordinary' or 'delivery'"),
        (host("profile"), "None: expected 'ordinary' or 'delivery'"),
    ],
)
def test_what_the_host_tells_too_late_or_in_other_words_ends_the_trace(
    late: Line, said: str, tmp_path: Path
) -> None:
    """A setup in the middle forgot what was owed, and a misspelt profile was the lax one.

    The traces beside it are judged.
    """
    path = written(tmp_path, SESSION, start(1), call(1, EDIT), ok(1), late, end(1))
    beside = tmp_path / "u.jsonl"
    beside.write_text("".join(f"{json.dumps(line)}\n" for line in (SESSION, start(1), end(1))))
    unreadable: list[Unreadable] = []

    got = list(results([tmp_path], Options(), unreadable))

    assert [(str(path), 0), (str(beside), 1)] == [(r.path, len(r.verdicts)) for r in got]
    (lost,) = unreadable
    assert (path, True) == (lost.path, lost.lost)
    assert re.search(rf"t\.jsonl:5: host event '{late['name']}' .*{said}", lost.text)


def test_the_other_sessions_of_the_file_are_judged(tmp_path: Path) -> None:
    """They were left out with it, those that nobody took up again as well."""
    odd, other = host("profile", profile="Delivery"), {"resumed_from": "s"}
    sessions = [
        {**SESSION, "sid": "a"}, start(1), odd, end(1),
        {**SESSION, "sid": "a2", **other}, start(2), end(2),
        {**SESSION, "sid": "b"}, start(1), call(1, EDIT), ok(1), end(1),
        {**SESSION, "sid": "c"}, start(1), odd, end(1),
    ]  # fmt: skip
    unreadable: list[Unreadable] = []

    got = list(results([written(tmp_path, *sessions)], Options(rules="contract"), unreadable))

    assert [("a", []), ("b", ["reject"]), ("c", [])] == [
        (r.id, [one.verdict.decision for one in r.verdicts]) for r in got
    ]
    (lost,) = unreadable
    assert ["t.jsonl:3", "t.jsonl:15"] == re.findall(r"t\.jsonl:\d+", lost.text)


def test_a_setup_before_the_first_turn_and_a_known_profile_are_taken(tmp_path: Path) -> None:
    """That is where and how they are told."""
    setup = host("setup", profile="delivery", tasks=[{"content": "A", "status": "completed"}])
    lines = [SESSION, setup, start(1), host("profile", profile="ordinary"), call(1, READ), ok(1)]

    assert ["accept"] == ends(tmp_path, *lines, end(1))


def test_a_session_of_the_same_name_goes_on(tmp_path: Path) -> None:
    """Told again, it began with nothing, and what its agent had changed was forgotten."""
    lines = [SESSION, start(1), call(1, EDIT), ok(1), end(1, "failed"), SESSION, start(2)]

    assert ["reject"] == ends(tmp_path, *lines, end(2))


def test_a_session_of_another_name_begins_with_nothing(tmp_path: Path) -> None:
    """Nobody is held to what another session owed, unless it goes on from that."""
    other = {**SESSION, "sid": "t"}
    lines = [SESSION, start(1), call(1, EDIT), ok(1), end(1, "failed")]

    assert ["accept"] == ends(tmp_path, *lines, other, start(1), end(1))
    assert ["reject"] == ends(tmp_path, *lines, {**other, "resumed_from": "s"}, start(2), end(2))


def test_a_call_that_hides_an_open_one_leaves_the_turn_open(tmp_path: Path) -> None:
    """Nobody knows what came of the first one."""
    lines = [SESSION, start(1), call(1, EDIT), call(1, READ), ok(1)]

    assert ["not_assessable"] == ends(tmp_path, *lines, end(1))


@pytest.mark.parametrize("more", [{}, {"read_only": True, "native_id": "c1"}])
def test_a_call_may_be_told_again(more: Line, tmp_path: Path) -> None:
    """More is known of it then, and nothing of another one."""
    lines = [SESSION, start(1), call(1, READ), {**call(1, READ), **more}, ok(1)]

    assert ["accept"] == ends(tmp_path, *lines, end(1))


def test_a_scope_that_is_open_cannot_start_again(tmp_path: Path) -> None:
    """The second start took the evidence of the first one away."""
    sub = {"ev": "sub.start", "scope": "a", "parent_uid": "main#1"}
    over = {"ev": "sub.end", "scope": "a", "parent_uid": "main#1"}
    task = call(1, ("task", {"prompt": "x"}))
    inner = [sub, call(1, EDIT, "a"), ok(1, "a")]

    assert "accept" not in ends(tmp_path, SESSION, start(1), task, *inner, sub, over, ok(1), end(1))


def test_a_sub_agent_below_one_that_has_ended_is_still_waited_for(tmp_path: Path) -> None:
    """What it changes belongs to the turn all the same."""
    task, above = ("task", {"prompt": "x"}), {"ev": "sub.start", "scope": "a"}
    below = {"ev": "sub.start", "scope": "b", "parent_uid": "a#1", "background": True}
    lines = [
        SESSION, start(1), call(1, task), {**above, "parent_uid": "main#1"},
        call(1, task, "a"), below, ok(1, "a", "running"), call(1, EDIT, "b"), ok(1, "b"),
        {"ev": "sub.end", "scope": "a", "parent_uid": "main#1"}, ok(1),
    ]  # fmt: skip
    ended = {"ev": "sub.end", "scope": "b", "parent_uid": "a#1"}

    assert ["not_assessable"] == ends(tmp_path, *lines, end(1))
    assert "accept" not in ends(tmp_path, *lines, ended, end(1))


def test_the_end_of_a_turn_that_never_began_is_not_judged(tmp_path: Path) -> None:
    """What was done in it stands nowhere: it was taken for a turn that changed nothing."""
    assert ["not_assessable"] == ends(tmp_path, SESSION, end(1), call(1, EDIT), ok(1), start(1))
    assert ["accept"] == ends(tmp_path, SESSION, start(1), end(1))
