"""`compress`: which part of a conversation is folded, and when it stays as it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support import compression
from reasonix_runtime.tools.support.compression import Compressor, Message


class Talk:
    """A conversation for a test: `replace` works unless somebody changed it."""

    def __init__(self, messages: Sequence[Message], active: int) -> None:
        self.messages = list(messages)
        self.active = active
        self.version = 1

    def snapshot(self) -> tuple[int, Sequence[Message], int]:
        return self.version, tuple(self.messages), self.active

    def replace(self, version: int, messages: Sequence[Message]) -> bool:
        if version != self.version:
            return False
        self.messages, self.version = list(messages), version + 1
        return True


def user(text: str, **more: Any) -> Message:
    return Message(role="user", text=text, **more)


def said(text: str) -> Message:
    return Message(role="assistant", text=text)


HISTORY = [
    Message(role="system", text="rules", origin="host"),
    user("first task " * 20),
    said("did it " * 20),
    user("second task"),
    said("did that too"),
    user("third task"),
    user("steer left", origin="host"),
    said("working " * 30),
    user("compress it, please"),
    said("…"),
]


def fold(
    bench: Bench, talk: Talk, *, summary: str = "in short", **arguments: str
) -> tuple[dict[str, Any], list[tuple[list[str], str]]]:
    """Compress a conversation; return the answer and what the summariser was asked."""
    asked: list[tuple[list[str], str]] = []

    def summarise(messages: Sequence[Message], focus: str) -> str:
        asked.append(([message.text.split()[0] for message in messages], focus))
        return summary

    compressor = Compressor(conversation=talk, summarise=summarise)
    box = Toolbox(replace(bench.context, compressor=compressor), state=bench.state)
    result = box.call("compress", arguments)
    assert result.ok, result.text
    answer: dict[str, Any] = json.loads(result.text)
    return answer, asked


def test_before_folds_what_precedes_the_anchor_s_turn(bench: Bench) -> None:
    """The system message, the anchor's turn and everything after it stay."""
    talk = Talk(HISTORY, 8)

    answer, asked = fold(bench, talk, direction="before", anchor=" third task ", focus=" names ")

    assert asked == [(["first", "did", "second", "did"], "names")]
    assert [m.text for m in talk.messages] == [
        "rules",
        "<compaction-summary>\nin short\n</compaction-summary>",
        *(m.text for m in HISTORY[5:]),
    ]
    summary = talk.messages[1]
    assert (summary.role, summary.origin) == ("user", "summary")
    assert list(answer) == [
        "status", "direction", "anchor", "messages", "source_tokens", "projection_tokens",
        "mode", "reason",
    ]  # fmt: skip
    source = sum(4 + len(m.text) for m in HISTORY[1:5])
    assert answer == {
        "status": "ok",
        "direction": "before",
        "anchor": "third task",
        "messages": 4,
        "source_tokens": source,
        "projection_tokens": 4 + len(summary.text),
        "mode": "summarized",
        "reason": "",
    }


def test_after_folds_from_the_anchor_s_turn_to_the_active_one(bench: Bench) -> None:
    """The active turn always stays."""
    talk = Talk(HISTORY, 8)

    answer, asked = fold(bench, talk, direction="after", anchor="second task")

    assert asked == [(["second", "did", "third", "steer", "working"], "")]
    assert answer["messages"] == 5
    assert talk.messages[:3] == HISTORY[:3]
    assert talk.messages[3].origin == "summary"
    assert talk.messages[4:] == HISTORY[8:]


def test_earlier_summaries_are_merged_in(bench: Bench) -> None:
    """One summary remains, and it is no anchor."""
    talk = Talk(HISTORY, 8)
    fold(bench, talk, direction="before", anchor="second task")
    talk.active = 7
    answer, asked = fold(bench, talk, direction="after", anchor="third task")

    assert asked[0][0] == ["<compaction-summary>", "third", "steer", "working"]
    assert [m.origin for m in talk.messages].count("summary") == 1
    assert talk.messages[1].origin == "summary"
    assert answer["messages"] == 4


@pytest.mark.parametrize(
    ("says", "arguments"),
    [
        ("nothing before the first turn", {"direction": "before", "anchor": "first task"}),
        ("nothing between the active turn and itself", {"direction": "after", "anchor": "please"}),
    ],
)
def test_an_empty_range_is_a_noop(bench: Bench, says: str, arguments: dict[str, str]) -> None:
    """A success that changed nothing, and says so."""
    history = [HISTORY[0], user("first task"), *HISTORY[2:]]
    talk = Talk(history, 8)

    answer, asked = fold(bench, talk, **arguments)

    assert (answer["status"], answer["messages"], asked) == ("noop", 0, []), says
    assert talk.messages == history


def test_what_the_model_does_not_see_is_not_summarised(bench: Bench) -> None:
    """A range without visible messages is left alone."""
    talk = Talk([user("note", visible=False), user("anchor"), user("now")], 2)

    answer, asked = fold(bench, talk, direction="before", anchor="anchor")

    assert (answer["status"], asked) == ("noop", [])


def test_a_summary_that_is_not_shorter_is_not_used(bench: Bench) -> None:
    """Compression that lengthens is none."""
    talk = Talk(HISTORY, 8)

    answer, _ = fold(bench, talk, summary="x" * 5000, direction="before", anchor="third task")

    assert answer["status"] == "noop"
    assert answer["source_tokens"] == answer["projection_tokens"]
    assert talk.messages == HISTORY


def test_a_long_anchor_is_shown_in_short(bench: Bench) -> None:
    """At most eighty characters."""
    talk = Talk([user("x" * 200), said("y" * 200), user("z" * 100), user("now")], 3)

    short, _ = fold(bench, talk, direction="before", anchor="z" * 80)
    talk = Talk([user("x" * 200), said("y" * 200), user("z" * 100), user("now")], 3)
    long, _ = fold(bench, talk, direction="before", anchor="z" * 81)

    assert short["anchor"] == "z" * 80
    assert long["anchor"] == "z" * 77 + "…"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"direction": "around", "anchor": "x"}, "invalid args for compress:\n- direction: "),
        (
            {"direction": "before", "anchor": ""},
            "invalid args for compress:\n- anchor: expected at ",
        ),
        ({"direction": "before", "anchor": " "}, "anchor is required\n"),
        ({"direction": "before", "anchor": "中" * 171}, "anchor is longer than 512 bytes\n"),
        ({"direction": "before", "anchor": "x", "focus": "中" * 667}, "focus is longer than 2000"),
        (
            {"direction": "before", "anchor": "x", "more": 1},
            "invalid args for compress:\n- arguments: ",
        ),
        ({"direction": "before", "anchor": "x"}, "compress is unavailable"),
    ],
)
def test_compress_refuses(bench: Bench, arguments: dict[str, Any], message: str) -> None:
    """Nothing changes."""
    assert bench.fails("compress", **arguments).startswith(message)


@pytest.mark.parametrize(
    ("anchor", "message"),
    [
        ("nowhere", "anchor did not match any current user message"),
        ("Second task", "anchor did not match any current user message"),
        ("did that", "anchor did not match any current user message"),
        ("steer left", "anchor did not match any current user message"),
        ("task", "anchor matched 3 user messages; "),
    ],
)
def test_an_anchor_lies_in_exactly_one_message_of_the_user(anchor: str, message: str) -> None:
    """Not in what the model, the host or an earlier summary wrote."""
    compressor = Compressor(conversation=Talk(HISTORY, 8), summarise=lambda m, f: "x")

    with pytest.raises(ToolError, match=message):
        compression.compress(compressor, direction="before", anchor=anchor, focus="")


def test_a_conversation_that_changed_meanwhile_is_left_alone() -> None:
    """The summary was made from something else."""
    talk = Talk(HISTORY, 8)

    def summarise(messages: Sequence[Message], focus: str) -> str:
        talk.version += 1
        return "x"

    compressor = Compressor(conversation=talk, summarise=summarise)
    with pytest.raises(ToolError, match="conversation changed while compression was running"):
        compression.compress(compressor, direction="before", anchor="third task", focus="")
    assert talk.messages == HISTORY


@pytest.mark.parametrize("summary", ["", " \n"])
def test_an_empty_summary_changes_nothing(summary: str) -> None:
    """A model that says nothing must not erase the conversation."""
    talk = Talk(HISTORY, 8)
    compressor = Compressor(conversation=talk, summarise=lambda m, f: summary)

    with pytest.raises(ToolError, match="came back empty"):
        compression.compress(compressor, direction="before", anchor="third task", focus="")
    assert talk.messages == HISTORY


@given(
    turns=st.lists(
        st.lists(st.sampled_from(["user", "assistant"]), max_size=3), min_size=1, max_size=5
    ),
    target=st.integers(0, 4),
    direction=st.sampled_from(["before", "after"]),
)
def test_the_system_message_and_the_active_turn_always_stay(
    turns: list[list[Any]], target: int, direction: Any
) -> None:
    """Whatever is folded."""
    messages = [Message(role="system", text="rules", origin="host")]
    for number, replies in enumerate(turns):
        active = len(messages)
        messages.append(user(f"turn <{number}> " + "x" * 99))
        messages += [Message(role=role, text="y" * 99, origin="host") for role in replies]
    talk = Talk(messages, active)
    compressor = Compressor(conversation=talk, summarise=lambda m, f: "s")

    compression.compress(
        compressor, direction=direction, anchor=f"<{min(target, len(turns) - 1)}>", focus=""
    )

    tail = messages[active:]
    assert talk.messages[0] == messages[0]
    assert talk.messages[len(talk.messages) - len(tail) :] == tail
