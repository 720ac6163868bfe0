"""Calls of one response of another agent: a change counts as the last of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_conformance.traces.unordered import changes_last
from reasonix_runtime.trace.events import (
    Event,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

EDIT = ("edit_file", {"path": "a.md"})
READ = ("read_file", {"path": "a.md"})
CHECK = ("bash", {"command": "pytest -q"})
CHANGE = ("bash", {"command": "sed -i s/a/b/ a.md"})
OTHER = ("mystery", {})


def call(number: int, tool: tuple[str, Any], step: str = "s", scope: str = "main") -> ToolCall:
    return ToolCall(uid=f"{scope}#{number}", name=tool[0], args=tool[1], step=step)


def result(number: int, scope: str = "main") -> ToolResult:
    return ToolResult(uid=f"{scope}#{number}", outcome="ok")


def order(*events: Event) -> list[str]:
    """Return the uids of the results in the order in which they come out; nothing is lost."""
    out = list(changes_last(events))
    assert sorted(map(repr, events)) == sorted(map(repr, out))
    return [event.uid for event in out if isinstance(event, ToolResult)]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (EDIT, READ, ["main#2", "main#1"]),
        (READ, EDIT, ["main#1", "main#2"]),
        (EDIT, CHECK, ["main#2", "main#1"]),
        (CHANGE, READ, ["main#2", "main#1"]),
        (OTHER, READ, ["main#2", "main#1"]),
        (READ, CHECK, ["main#1", "main#2"]),
        (EDIT, CHANGE, ["main#2", "main#1"]),
    ],
)
def test_a_change_is_the_last_of_its_response(
    first: tuple[str, Any], second: tuple[str, Any], expected: list[str]
) -> None:
    """Whatever the order in which the results were written down."""
    assert expected == order(call(1, first), call(2, second), result(1), result(2), TurnEnd(turn=1))


def test_a_change_waits_for_all_calls_of_its_response() -> None:
    """The first of the others to end says nothing of those that still run."""
    called = (call(1, EDIT), call(2, READ), call(3, READ))

    assert ["main#2", "main#3", "main#1"] == order(*called, result(1), result(2), result(3))


def test_a_target_is_what_a_call_does() -> None:
    """A foreign tool has the role of one of the contract."""
    edit = ToolCall(uid="main#1", name="Edit", step="s", resolved_name="edit_file")
    read = ToolCall(
        uid="main#2", name="Read", step="s", resolved_name="read_file", resolved_read_only=True
    )

    assert ["main#2", "main#1"] == order(edit, read, result(1), result(2))


@pytest.mark.parametrize(
    "events",
    [
        [call(1, EDIT), result(1), call(2, READ), result(2)],
        [call(1, EDIT, "s1"), result(1), call(2, READ, "s2"), result(2)],
        [call(1, EDIT, "s1"), call(2, READ, "s2"), result(1), result(2)],
        [call(1, EDIT, ""), call(2, READ, ""), result(1), result(2)],
        [call(1, EDIT), call(1, READ, scope="sub"), result(1), result(1, "sub")],
    ],
    ids=["answered before", "two responses", "of a later one", "no responses told", "two scopes"],
)
def test_where_the_order_is_known_it_stays(events: Sequence[Event]) -> None:
    """A result that came before the next call was made is earlier."""
    told = [event.uid for event in events if isinstance(event, ToolResult)]

    assert told == order(*events)


@pytest.mark.parametrize(
    "end",
    [TurnEnd(turn=1), call(3, READ, "next"), SubEnd(scope="main", parent_uid="x#1")],
    ids=["turn", "response", "scope"],
)
def test_nothing_waits_for_a_call_that_is_never_answered(end: Event) -> None:
    """The change is told before the end of what it belongs to."""
    out = list(changes_last([call(1, EDIT), call(2, READ), result(1), end]))

    assert out.index(result(1)) < out.index(end)


def test_what_waits_at_the_end_of_the_file_is_told() -> None:
    """A torn recording keeps what it holds."""
    assert ["main#1"] == order(call(1, EDIT), call(2, READ), result(1))


def test_a_result_without_its_call_is_passed_on() -> None:
    """Whose it is, others say."""
    assert ["main#9"] == order(result(9))


def _claude(kind: str, content: Any, number: int) -> str:
    record = {
        "type": kind,
        "uuid": f"u{number}",
        "parentUuid": f"u{number - 1}" if number else None,
        "sessionId": "s",
        "message": {"role": kind, "id": f"m{number}", "content": content},
    }
    return json.dumps(record) + "\n"


def _use(ident: str, name: str, **args: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": ident, "name": name, "input": args}


def _done(ident: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": ident, "content": "x"}


@pytest.mark.parametrize("parallel", [True, False])
def test_a_read_beside_an_edit_is_no_look_at_its_result(tmp_path: Path, parallel: bool) -> None:
    """The same two calls, in one response and in two."""
    edit = _use("a", "Edit", file_path="/w/a.md", old_string="x", new_string="y")
    read = _use("b", "Read", file_path="/w/a.md")
    if parallel:
        middle = [("assistant", [edit, read]), ("user", [_done("a"), _done("b")])]
    else:
        middle = [
            ("assistant", [edit]),
            ("user", [_done("a")]),
            ("assistant", [read]),
            ("user", [_done("b")]),
        ]
    said = [("user", "fix it"), *middle, ("assistant", [{"type": "text", "text": "done"}])]
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(_claude(kind, what, n) for n, (kind, what) in enumerate(said)))

    (found,) = file_results(path, Options())

    reason = "finish.inspection_missing" if parallel else None
    assert [reason] == [one.verdict.reason for one in found.verdicts]


@pytest.mark.parametrize("own", [True, False])
def test_the_form_of_a_message_tells_whose_host_wrote_it(tmp_path: Path, own: bool) -> None:
    """A Reasonix host writes its calls flat, whatever else its file shows of it."""
    args = json.dumps({"path": "a.md"})
    calls: list[Any] = [
        {"id": ident, "name": ident, "arguments": args} for ident in (EDIT[0], READ[0])
    ]
    nested = [{"id": call.pop("id"), "function": call} for call in [{**call} for call in calls]]
    said = [
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "tool_calls": calls if own else nested},
        *({"role": "tool", "tool_call_id": ident, "content": "x"} for ident in (EDIT[0], READ[0])),
        {"role": "assistant", "content": "done"},
    ]
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(f"{json.dumps(message)}\n" for message in said))

    (found,) = file_results(path, Options(basis="absence"))

    reason = None if own else "finish.inspection_missing"
    assert [reason] == [one.verdict.reason for one in found.verdicts]


@pytest.mark.parametrize("end", [TurnEnd(turn=1), TurnStart(turn=2), Session(sid="t", format="x")])
def test_a_change_does_not_leave_its_turn(end: Event) -> None:
    """Also where the end of the turn is not told: the next one takes no result of the last."""
    out = list(changes_last([call(1, EDIT), call(2, READ), result(1), end]))

    assert [result(1), end] == out[-2:]


@pytest.mark.parametrize("end", [TurnEnd(turn=1), TurnStart(turn=2), Session(sid="t", format="x")])
def test_a_call_that_was_never_answered_holds_nothing_in_a_later_turn(end: Event) -> None:
    """A host may use the name of a response again."""
    later = [call(2, EDIT), result(2), call(3, READ), result(3)]

    assert later == list(changes_last([call(1, READ), end, *later]))[-4:]


TASK = ("task", {"prompt": "help"})
BEGIN, OVER = (kind(scope="sub", parent_uid="main#1") for kind in (SubStart, SubEnd))
BESIDE = (call(1, TASK), call(2, READ), BEGIN)


@pytest.mark.parametrize(
    ("tool", "last"),
    [
        (EDIT, [result(2), OVER, result(1)]),
        (READ, [OVER, result(1), result(2)]),
    ],
)
def test_what_a_sub_agent_changed_is_the_last_of_its_response(
    tool: tuple[str, Any], last: list[Event]
) -> None:
    """A read beside it may have been before it, also where its result stands behind."""
    inside = (call(1, tool, "i", "sub"), result(1, "sub"))

    assert last == list(changes_last([*BESIDE, *inside, OVER, result(1), result(2)]))[-3:]


def test_a_sub_agent_ends_before_its_result_and_in_its_turn() -> None:
    """Whichever of the calls beside it has its result last, or has none."""
    inside = (call(1, EDIT, "i", "sub"), result(1, "sub"), OVER)
    behind, never = (
        list(changes_last([*BESIDE, *inside, *rest, TurnEnd(turn=1)]))
        for rest in ((result(2), result(1)), (result(1),))
    )

    assert [result(2), OVER, result(1), TurnEnd(turn=1)] == behind[-4:]
    assert [OVER, result(1), TurnEnd(turn=1)] == never[-3:]


def test_what_is_changed_deeper_is_a_change_of_the_outer_sub_agent() -> None:
    """A sub-agent may start others."""
    deeper = [call(1, TASK, "i", "sub"), SubStart(scope="in", parent_uid="sub#1")]
    deeper += [call(1, EDIT, "j", "in"), result(1, "in"), SubEnd(scope="in", parent_uid="sub#1")]
    told = [*BESIDE, *deeper, result(1, "sub"), OVER, result(1), result(2)]

    assert [result(2), OVER, result(1)] == list(changes_last(told))[-3:]
