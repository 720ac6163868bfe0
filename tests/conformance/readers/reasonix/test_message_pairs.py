"""Calls that are told together with their results are told as they are message by message."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutations import BASES, KINDS

from reasonix_conformance.readers.building import pairing
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.lines import Decoder
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.messages import LOCAL_TOOL, Message
from reasonix_conformance.readers.reasonix import message_files
from reasonix_conformance.readers.reasonix.message_pairs import pairs_from
from reasonix_runtime.trace.events import Event

CALL = {"id": "c1", "name": "bash", "arguments": '{"command": "ls"}'}
MADE = {"role": "assistant", "content": "Now.", "tool_calls": [CALL]}
ANSWER = {"role": "tool", "tool_call_id": "c1", "name": "bash", "content": "x.py"}
DONE = {"role": "assistant", "content": "Done."}
USER = {"role": "user", "content": "Go."}
CUT_OFF = {"role": "assistant", "local_only": True, "interrupted_turn": {"reason": "user"}}
EXECUTION = {"state": "completed", "exitCode": 3}

TEXTS = (
    *("a.py", "", " ", "\u00e9", "error: x", "error:", "Error", "blocked: no", "e", "b"),
    *("Started background job 3", "[interrupted]", "Interrupted", "tool_retired: x", "[1, 2]"),
    *("[snipped tool result 4]", "[elided tool result]", "error: unknown tool x"),
    *("[tool result elided to fit: 4]", "a\n[... tool result middle pruned ...]\nb"),
    *("a\u2026[truncated 5 of 900 bytes", "[truncated 5 of 9 bytes", "\u2026", "a [receipt r1]"),
    *("a\n[receipt r1]\n[source_token s-2]\n", "]", "error: x\n[receipt r1]"),
    'blocked: project check "make \\"x\\"" from AGENTS.md',
    "error: complete_step is only available after plan approval",
)
ODD = (None, 5, True, False, "", " ", "c1", "bash", "task", LOCAL_TOOL, [], ["x"], {}, {"a": 1})
FIELDS = (
    *("role", "content", "raw_content", "local_only", "tool_calls", "tool_call_id", "call_id"),
    *("name", "function_call", "tool_execution", "tool_run_state", "interrupted_turn", "origin"),
)
CALL_FIELDS = (
    *("id", "call_id", "name", "arguments", "function", "custom", "resolved_name"),
    "resolved_read_only",
)

_decode = Decoder[Message](Message)


def found(*messages: Any) -> list[Any]:
    """Return the pairs at the start of messages."""
    return list(pairs_from([_decode(json.dumps(message).encode()) for message in messages], 0))


def with_call(**facts: Any) -> dict[str, Any]:
    return {**MADE, "tool_calls": [{**CALL, **facts}]}


# -- what is a pair


def test_an_ordinary_call_and_its_result_are_a_pair() -> None:
    ((native, name, args, said, text, grade),) = found(MADE, ANSWER)

    assert ("c1", "bash", CALL["arguments"]) == (native, name, args)
    assert ("Now.", "x.py") == (said, text)
    assert ("ok", "host_rule", None, None) == grade


@pytest.mark.parametrize(
    ("facts", "grade"),
    [
        ({"content": "error: no"}, ("error", "host_rule", None, "no")),
        ({"content": "blocked: no"}, ("blocked", "host_rule", None, "blocked: no")),
        ({"content": "Started background job 1"}, ("running", "host_rule", None, None)),
        ({"tool_execution": EXECUTION}, ("error", "exit_code", 3, None)),
        ({"tool_run_state": "cancelled"}, ("cancelled", "state", None, None)),
        ({"tool_run_state": "completed", "content": "error: x"}, ("ok", "state", None, None)),
    ],
)
def test_a_pair_has_the_grade_of_its_result(facts: dict[str, Any], grade: Any) -> None:
    assert [grade] == [pair[-1] for pair in found(MADE, {**ANSWER, **facts})]


def test_pairs_end_where_something_else_stands() -> None:
    other = [with_call(id="c2"), {**ANSWER, "tool_call_id": "c2"}]

    assert ["c1", "c2"] == [pair[0] for pair in found(MADE, ANSWER, *other)]
    assert ["c1"] == [pair[0] for pair in found(MADE, ANSWER, {"role": "user"}, *other)]
    assert [] == found(MADE)
    assert [] == found(ANSWER, MADE)


@pytest.mark.parametrize(
    ("made", "answer"),
    [
        ({**MADE, "role": "user"}, ANSWER),
        ({**MADE, "tool_calls": [CALL, CALL]}, ANSWER),
        ({**MADE, "tool_calls": []}, ANSWER),
        ({**MADE, "content": ["x"]}, ANSWER),
        ({**MADE, "function_call": {"name": "bash"}}, ANSWER),
        ({**MADE, "local_only": True}, ANSWER),
        (with_call(id=5), ANSWER),
        (with_call(id=["c1"]), {**ANSWER, "tool_call_id": ["c1"]}),
        (with_call(name=5), {**ANSWER, "name": 5}),
        (with_call(call_id="c1"), ANSWER),
        (with_call(function={"name": "ls"}), ANSWER),
        (with_call(custom={"name": "ls"}), ANSWER),
        (with_call(resolved_name="ls"), ANSWER),
        (with_call(resolved_read_only=True), ANSWER),
        (with_call(name="a\x07"), {**ANSWER, "name": "a\x07"}),
        (with_call(name="task"), {**ANSWER, "name": "task"}),
        (with_call(name=LOCAL_TOOL), {**ANSWER, "name": LOCAL_TOOL}),
        (with_call(id=""), {**ANSWER, "tool_call_id": ""}),
        (MADE, {**ANSWER, "role": "function"}),
        (MADE, {**ANSWER, "local_only": True}),
        (MADE, {**ANSWER, "tool_call_id": "c2"}),
        (MADE, {**ANSWER, "name": "ls"}),
        (MADE, {**ANSWER, "name": None}),
        (MADE, {**ANSWER, "content": ["a.py"]}),
        (MADE, {**ANSWER, "content": None}),
        (MADE, {**ANSWER, "raw_content": "a.py"}),
        (MADE, {**ANSWER, "content": "a\u2026[truncated 5 of 900 bytes"}),
        (MADE, {**ANSWER, "content": "a [receipt r1]"}),
        (MADE, {**ANSWER, "content": "[snipped tool result 4]"}),
        (MADE, {**ANSWER, "content": "a\n[... tool result middle pruned ...]\nb"}),
        (MADE, {**ANSWER, "content": "[elided tool result]", "tool_run_state": "completed"}),
    ],
)
def test_what_could_be_more_than_a_pair_is_left_to_the_reader(made: Any, answer: Any) -> None:
    assert [] == found(made, answer)


# -- both ways


def told(path: Path, *, tries: int = 8) -> list[tuple[type, Event]]:
    """Return the events of a message file; without `tries`, no pairs are looked for."""
    with patch.object(message_files, "_TRIES", tries):
        events = list(message_files.read(Recording(path=path, shown="t")))
    return [(type(event), event) for event in events]


def agree(data: bytes, path: Path) -> None:
    path.write_bytes(data)

    assert told(path, tries=0) == told(path)


def lines_of(messages: Sequence[Any], *, ascii_only: bool = True) -> bytes:
    lines = (json.dumps(message, ensure_ascii=ascii_only) for message in messages)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


texts = st.sampled_from(TEXTS) | st.text(max_size=8)
values = st.sampled_from((*ODD, EXECUTION)) | texts
ids = st.sampled_from(["c1", "c2", "c3", ""])
names = st.sampled_from(["bash", "ls", "task", "a\x07"])
arguments = st.sampled_from(['{"command": "ls"}', "{}", "", "{", "[1]", None, {"a": 1}])
calls = st.builds(
    lambda ident, name, args, odd: {"id": ident, "name": name, "arguments": args, **odd},
    ids, names, arguments,
    st.just({}) | st.dictionaries(st.sampled_from(CALL_FIELDS), values, max_size=1),
)  # fmt: skip
changes = st.just({}) | st.dictionaries(st.sampled_from(FIELDS), values, max_size=2)


@st.composite
def steps(draw: st.DrawFn) -> list[Any]:
    """Draw a call and its result with something odd about them, or not."""
    made = draw(st.lists(calls, min_size=1, max_size=2) | calls.map(lambda call: [call]))
    message = {"role": "assistant", "content": draw(texts), "tool_calls": made, **draw(changes)}
    answers = [
        {
            "role": "tool",
            "content": draw(texts),
            "tool_call_id": draw(st.just(call["id"]) | ids),
            "name": draw(st.just(call["name"]) | names),
            **draw(changes),
        }
        for call in made
    ]
    return [message, *answers]


others = st.sampled_from(
    [
        USER,
        {**USER, "raw_content": "Go."},
        DONE,
        {"role": "system", "content": "You are."},
        {"role": "narrator"},
        CUT_OFF,
        [],
    ]
).map(lambda message: [message])


@given(st.lists(steps() | others, max_size=8), st.booleans())
def test_any_session_is_told_alike(stretches: list[list[Any]], ascii_only: bool) -> None:
    messages = [USER, *(message for stretch in stretches for message in stretch)]
    with TemporaryDirectory() as folder:
        agree(lines_of(messages, ascii_only=ascii_only), Path(folder, "t.jsonl"))


@pytest.mark.parametrize(
    "messages",
    [
        [MADE, ANSWER],
        [USER, MADE, ANSWER, USER],
        [USER, MADE, ANSWER, {**USER, "raw_content": "Go."}, DONE],
        [USER, DONE, MADE, ANSWER, USER, DONE],
        [USER, DONE, CUT_OFF, MADE, ANSWER, DONE],
        [USER, with_call(arguments="{"), {**ANSWER, "content": "error: invalid args"}, DONE],
    ],
)
def test_turns_are_told_alike(messages: list[Any], tmp_path: Path) -> None:
    agree(lines_of(messages), tmp_path / "t.jsonl")


def test_a_call_that_started_a_sub_agent_is_told_alike(tmp_path: Path) -> None:
    """Whatever the tool is called: what the sub-agent did stands before its result."""
    folder = tmp_path / "subagents"
    folder.mkdir()
    (folder / "one.meta.json").write_text(json.dumps({"parentToolCallId": "c1"}))
    (folder / "one.jsonl").write_bytes(lines_of([USER, MADE, ANSWER, DONE]))

    agree(lines_of([USER, MADE, ANSWER, DONE]), tmp_path / "t.jsonl")
    kinds = [kind.__name__ for kind, _ in told(tmp_path / "t.jsonl")]
    assert kinds.index("SubEnd") < len(kinds) - 1 - kinds[::-1].index("ToolResult")


def test_damaged_sessions_are_told_alike(tmp_path: Path) -> None:
    rng, whole = random.Random(3), BASES["reasonix-messages"]
    for number in range(40 * len(KINDS)):
        agree(KINDS[number % len(KINDS)](whole, rng), tmp_path / "t.jsonl")


def test_an_id_that_is_used_again_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is that of an open call, or of one that was answered not long ago."""
    monkeypatch.setattr(pairing, "REMEMBERED", 3)
    pairs = [
        message
        for number in (1, 2, 1, 3, 4, 5, 2, 6, 7, 8, 9, 1, 9)
        for message in (with_call(id=f"c{number}"), {**ANSWER, "tool_call_id": f"c{number}"})
    ]
    agree(lines_of([USER, *pairs]), tmp_path / "t.jsonl")
    agree(lines_of([USER, with_call(id="c5"), *pairs]), tmp_path / "t.jsonl")


def test_pairs_of_a_session_are_told_at_once(tmp_path: Path) -> None:
    """Otherwise these tests would hold a way to itself."""
    path = tmp_path / "t.jsonl"
    pairs = [
        message
        for number in range(20)
        for message in (with_call(id=f"c{number}"), {**ANSWER, "tool_call_id": f"c{number}"})
    ]
    path.write_bytes(lines_of([USER, *pairs]))

    with patch.object(Builder, "call", side_effect=AssertionError):
        assert 20 * 3 < len(told(path))
