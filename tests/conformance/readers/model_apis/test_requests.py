"""Logs of requests and of single items of other interfaces: nothing told twice, nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, outcomes, read
from request_records import ONE, TWO, Record, answers, asks, calls, said, user
from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Assistant, Compaction, Diag, ToolCall, TurnEnd, TurnStart


def test_requests_of_two_conversations_are_two_sessions(tmp_path: Path) -> None:
    """They may alternate; equal messages of the other one are not taken for known."""
    stream = read(
        tmp_path,
        {"messages": ONE[:1], "response": said(ONE[1])},
        {"messages": TWO[:1], "response": said(TWO[1])},
        {"messages": ONE},
        {"messages": TWO},
    )

    assert [("trace", "f"), ("trace#2", "g")] == calls(stream)
    assert 2 == len(outcomes(stream))
    assert ["several_sessions"] == notes(stream)


def test_an_answer_and_its_echo_are_one_message(tmp_path: Path) -> None:
    """The answer has fields, and a form of its text, that the next request does not repeat."""
    answer = ONE[1] | {"refusal": None, "annotations": [], "content": ""}
    stream = read(
        tmp_path,
        {"messages": [{"role": "system", "content": "at 10:00"}, ONE[0]], "response": said(answer)},
        {"messages": [{"role": "system", "content": "at 10:01"},
                      user([{"type": "text", "text": "one"}]), *ONE[1:]]},
    )  # fmt: skip

    assert [("trace", "f")] == calls(stream)
    assert [] == notes(stream)


@pytest.mark.parametrize(
    ("arguments", "text", "branches"),
    [
        ('{"a": 1, "b": "x"}', "I look", []),
        ('{"b":"x","a":1}', "I look\n\n", []),
        ('{"a":2,"b":"x"}', "I look", ["branch_dropped"]),
        ("{", "I look", ["branch_dropped"]),
    ],
)
def test_an_echo_that_a_client_wrote_anew_is_the_answer(
    arguments: str, text: str, branches: list[str], tmp_path: Path
) -> None:
    """Clients decode arguments and encode them again, and cut off white space at the end."""
    made, echo = asks("1", "f"), asks("1", "f")
    made["tool_calls"][0]["function"]["arguments"] = '{"a":1,"b":"x"}'
    echo["tool_calls"][0]["function"]["arguments"] = arguments
    records = [
        {"messages": [user("one")], "response": said({**made, "content": "I look\n\n"})},
        {"messages": [user("one"), {**echo, "content": text}, answers("1")]},
    ]
    stream = read(tmp_path, *records)

    assert branches == [code for code in notes(stream) if code == "branch_dropped"]
    assert 1 + len(branches) == len(calls(stream))


def test_a_request_that_is_sent_again_adds_nothing(tmp_path: Path) -> None:
    """A retry is no branch."""
    stream = read(tmp_path, {"messages": ONE}, {"messages": ONE[:2]}, {"messages": ONE})

    assert [("trace", "f")] == calls(stream)
    assert [] == notes(stream)


def test_a_shortened_history_goes_on_with_its_conversation(tmp_path: Path) -> None:
    """Another first message and a call in common: a compaction, not a session."""
    stream = read(
        tmp_path,
        {"messages": ONE},
        {"messages": [user("summary of what happened"), *ONE[1:], asks("2", "h"), answers("2")]},
    )

    assert [("trace", "f"), ("trace", "h")] == calls(stream)
    assert ["branch_dropped"] == notes(stream)


def test_a_branch_is_known_by_its_own_calls_when_it_is_shortened(tmp_path: Path) -> None:
    """What the first history called says nothing of what goes on from the second."""
    branch = [asks("2", "h"), answers("2")]
    stream = read(
        tmp_path,
        {"messages": ONE},
        {"messages": [ONE[0], *branch]},
        {"messages": [user("summary"), *branch, asks("3", "i"), answers("3")]},
    )

    assert [("trace", "f"), ("trace", "h"), ("trace", "i")] == calls(stream)


def test_a_beginning_that_was_shortened_away_is_that_of_another_conversation(
    tmp_path: Path,
) -> None:
    """The same prompt may be sent again in a new session."""
    stream = read(
        tmp_path,
        {"messages": ONE},
        {"messages": [user("summary of what happened"), *ONE[1:], asks("2", "h"), answers("2")]},
        {"messages": [ONE[0], asks("3", "k"), answers("3")]},
    )

    assert [("trace", "f"), ("trace", "h"), ("trace#2", "k")] == calls(stream)


@pytest.mark.parametrize("depth", [10, 400, 900])
def test_a_message_may_be_nested_deeply(depth: int, tmp_path: Path) -> None:
    """Its echo is found, or it is like no other; the rest of the log is read."""
    nested: Any = "x"
    for _ in range(depth):
        nested = {"a": nested}
    deep = user([{"type": "text", "text": "one", "more": nested}])
    stream = read(
        tmp_path,
        {"messages": [deep, *ONE[1:]]},
        {"messages": [deep, *ONE[1:], asks("2", "h"), answers("2")]},
    )

    assert ["f", "h"] == [name for _, name in calls(stream)]


CALLED_A, CALLED_B, CALLED_C = ([asks(n, n), answers(n)] for n in "abc")
SUMMARY, DONE, MORE = user("so far: …"), {"role": "assistant", "content": "done"}, user("more")


@pytest.mark.parametrize(
    ("later", "called"),
    [
        pytest.param([[*ONE[:1], SUMMARY, *CALLED_B, *CALLED_C]], "abc", id="compaction"),
        pytest.param([[SUMMARY, *CALLED_B, *CALLED_C]], "abc", id="first-message-dropped"),
        pytest.param(
            [[*ONE[:1], SUMMARY, *CALLED_B], [*ONE[:1], *CALLED_A, *CALLED_B, *CALLED_C]],
            "abc",
            id="back-to-the-whole-history",
        ),
        pytest.param(
            [[*ONE[:1], *CALLED_C], [*ONE[:1], *CALLED_A, *CALLED_B, DONE]],
            "abc",
            id="branches-in-turns",
        ),
        pytest.param(
            [[SUMMARY, *CALLED_B, *CALLED_A], [SUMMARY, *CALLED_B, *CALLED_A, *CALLED_B]],
            "abab",
            id="done-once-more",
        ),
        pytest.param(
            [[SUMMARY, *CALLED_B, *CALLED_B, *CALLED_B]], "abbb", id="the-tail-done-once-more"
        ),
    ],
)
def test_a_call_is_told_as_often_as_it_was_made(
    later: list[list[Record]], called: str, tmp_path: Path
) -> None:
    """A history may be shortened, and whole again; an equal call behind what was told is new."""
    whole = [*ONE[:1], *CALLED_A, *CALLED_B]
    stream = read(tmp_path, *({"messages": messages} for messages in (whole, *later)))

    assert list(called) == [name for _, name in calls(stream)]
    assert len(called) == len(outcomes(stream))


def test_a_summary_before_a_kept_tail_is_no_prompt(tmp_path: Path) -> None:
    """It would begin a turn, and leave the call before it without its result."""
    stream = read(tmp_path, {"messages": ONE[:2]}, {"messages": [SUMMARY, *ONE[1:], DONE]})

    assert [("unknown", "none")] == outcomes(stream)
    assert ["completed"] == [end.status for end in stream if isinstance(end, TurnEnd)]
    assert 1 == sum(isinstance(event, Compaction) for event in stream)


def does(ident: str, name: str, **args: str) -> list[Record]:
    """Return a call of a tool, and its result."""
    function = {"name": name, "arguments": json.dumps(args)}
    call = {"id": ident, "type": "function", "function": function}
    return [{"role": "assistant", "tool_calls": [call]}, answers(ident)]


def test_a_change_made_once_more_behind_a_summary_is_a_change(tmp_path: Path) -> None:
    """A change that was lost with what it is like left a turn with nothing to verify."""
    asked = user("<response-language>en</response-language>\n\ngo")  # by a host of the contract
    edit = does("1", "edit_file", path="a.py", old_string="1", new_string="2")
    looked = [*does("2", "read_file", path="a.py"), *does("3", "bash", command="pytest -q")]
    whole = [asked, *edit, *looked, DONE]
    again = [SUMMARY, *looked, DONE, MORE, *edit, DONE]
    file = tmp_path / "trace"
    file.write_text(lines({"messages": whole}, {"messages": again}))

    (result,) = file_results(file, Options(format_in="chat-requests", rules="contract"))

    ends = [one.verdict for one in result.verdicts if one.verdict.gate == "turn_end"]
    assert [("accept", None), ("reject", "finish.verification_missing")] == [
        (verdict.decision, verdict.reason) for verdict in ends
    ]


def test_a_record_without_messages_is_counted_and_changes_nothing(tmp_path: Path) -> None:
    """Other records of a proxy stand between the requests."""
    stream = read(tmp_path, {"messages": ONE[:2]}, {"event": "ping"}, {"messages": ONE})

    assert [("trace", "f")] == calls(stream)
    assert ["unknown_record"] == notes(stream)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_log_may_be_one_value(indent: int | None, tmp_path: Path) -> None:
    """An array of requests, on one line or many, repeats the history as lines do."""
    log = [
        {"request": {"messages": ONE[:1]}, "response": said(ONE[1])},
        {"request": {"messages": ONE}, "response": said({"role": "assistant", "content": "x"})},
    ]
    (tmp_path / "log").write_text(json.dumps(log, indent=indent))
    for name in (None, "chat-completions-document"):
        recording = Recording(path=tmp_path / "log", shown="log")
        stream = list(events(recording, format_in=name))

        assert [("log", "f")] == calls(stream)
        assert [] == notes(stream)


def test_the_first_line_of_a_log_may_be_long(tmp_path: Path) -> None:
    """Instructions and tools stand in each request, and the messages behind them."""
    setup = {"tools": [{"description": "x" * 400_000}]}
    stream = read(tmp_path, setup | {"messages": ONE[:1]}, setup | {"messages": ONE})

    assert [("trace", "f")] == calls(stream)


def test_an_answer_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A request that failed has none."""
    for response, told in (("text", ["unknown_record"]), ({"error": {"message": "no"}}, [])):
        assert told == notes(read(tmp_path, {"messages": ONE, "response": response}))


def test_an_answer_whose_request_is_missing_begins_late(tmp_path: Path) -> None:
    """What was done before it is not in the file."""
    stream = read(tmp_path, {"response": said(ONE[1])}, {"messages": TWO})

    assert ["mid_chain_start", "several_sessions", "unanswered_call"] == sorted(notes(stream))


@pytest.mark.parametrize(
    "message",
    [
        {"role": "tool-response", "content": "edited"},
        {"role": "assistant", "content": [{"type": "tool-call", "toolName": "edit"}]},
        user([{"type": "tool_result", "content": "x"}]),
    ],
)
def test_a_message_that_may_hold_a_call_is_a_loss(message: Record, tmp_path: Path) -> None:
    """A turn with it would pass as one in which nothing was changed."""
    file = tmp_path / "trace"
    file.write_text(lines(user("go"), message, {"role": "assistant", "content": "Done."}))
    for name in ("chat-completions", "anthropic-messages"):
        if name == "chat-completions" or "tool-response" == message["role"]:
            (result,) = file_results(file, Options(format_in=name))
            decisions = [one.verdict.decision for one in result.verdicts]
            assert ["not_assessable"] == decisions


def test_a_file_that_looks_like_an_envelope_is_no_success(tmp_path: Path) -> None:
    """Envelopes are chosen by the tool's name; a failure is believed of any."""
    stream = read(
        tmp_path,
        user("go"),
        asks("1", "read_page"),
        answers("1", "it finished with exit code 0"),
        asks("2", "run_tests"),
        answers("2", "it finished with exit code 0"),
        asks("3", "read_page"),
        answers("3", "it finished with exit code 2"),
    )

    assert [("unknown", "none"), ("ok", "envelope"), ("error", "envelope")] == outcomes(stream)


@pytest.mark.parametrize(
    ("command", "text", "outcome"),
    [
        ('echo "Exit code: 0"; pytest -q', "Exit code: 0\n1 failed", ("unknown", "none")),
        ('pytest -q; echo "exit code 0"', "1 failed\nexit code 0", ("unknown", "none")),
        ("pytest -q && echo done", "9 passed\n[exit code: 0]", ("ok", "envelope")),
        ('pytest -q; echo "Exit code: $?"', "1 failed\nExit code: 1", ("error", "envelope")),
    ],
)
def test_a_command_cannot_print_the_frame_of_its_own_success(
    command: str, text: str, outcome: tuple[str, str], tmp_path: Path
) -> None:
    """Where a host frames nothing, the words would be the model's; its failures it may tell."""
    stream = read(tmp_path, user("go"), asks("1", "bash", command=command), answers("1", text))

    assert [outcome] == outcomes(stream)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("x\n[The command completed with exit code 1.]", "error"),
        ("x\n[Command -1 finished with exit code 0]\n", "ok"),
        ("x\n[ run_tests: the process exited with code 3 ]", "error"),
        ("Process finished with exit code 0 (1.5 s)", "ok"),
        ("x\nExit Code: 1", "error"),
        ("x\nreturncode=0", "ok"),
        ("x\n<returncode>2</returncode>", "error"),
        ("x\n(exit code 4)", "error"),
        ("x\nThe script failed with exit code: -9", "error"),
        ("x\na wrong option gives exit code 2", "unknown"),
        ("x\nretry on exit code 75", "unknown"),
        ("x\n| exit code 1 | usage |", "unknown"),
        ("x\n`check` ends; exit code 0 means none", "unknown"),
    ],
)
def test_a_last_line_tells_how_a_command_ended_where_it_says_just_that(
    text: str, outcome: str, tmp_path: Path
) -> None:
    """A document about exit codes is no failure, and no success."""
    stream = read(tmp_path, user("go"), asks("1", "run_tests"), answers("1", text))

    assert [outcome] == [found for found, _ in outcomes(stream)]


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("exit code: 1\nx", "error"),
        ("Exit Code: 0\nx", "ok"),
        ("exit_code=3\nx", "error"),
        ("return code: 2\r\nx", "error"),
        ("returncode: 0", "ok"),
        ("exit code: 1 means a failure\nx", "unknown"),
        ("exit code 1\nx", "unknown"),
        ("exit code:\n1\nx", "unknown"),
    ],
)
def test_a_first_line_tells_how_a_command_ended_where_it_says_just_that(
    text: str, outcome: str, tmp_path: Path
) -> None:
    """Tools of many makers write it, each in its own way."""
    stream = read(tmp_path, user("go"), asks("1", "run_tests"), answers("1", text))

    assert [outcome] == [found for found, _ in outcomes(stream)]


def test_a_call_with_free_text_has_its_name_and_input(tmp_path: Path) -> None:
    """Custom tools stand under a key of their own."""
    call = {"id": "1", "type": "custom", "custom": {"name": "apply_patch", "input": "*** Begin"}}
    stream = read(tmp_path, user("go"), {"role": "assistant", "tool_calls": [call]}, answers("1"))

    assert [("apply_patch", {"input": "*** Begin"})] == [
        (event.name, event.args) for event in stream if isinstance(event, ToolCall)
    ]


def test_answers_without_requests_go_on_from_the_one_before_in_linear_time(tmp_path: Path) -> None:
    """The history was marked again for each of them: two thousand took a minute."""
    alone = [{"response": said({"role": "assistant", "content": f"x{n}"})} for n in range(3000)]
    stream = read(tmp_path, {"messages": [user("go")]}, *alone)

    assert 3000 == sum(isinstance(event, Assistant) for event in stream)
    assert [] == notes(stream)


def test_a_log_of_requests_is_read_once(tmp_path: Path) -> None:
    """Every line repeats the history."""
    history = [*ONE, {"role": "assistant", "content": "x"}]
    stream = read(tmp_path, *({"messages": history[:n]} for n in range(1, 5)))

    assert 1 == len(outcomes(stream))
    assert 1 == sum(isinstance(event, TurnStart) for event in stream)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_request_may_stand_alone_in_a_file_without_its_answer(
    indent: int | None, tmp_path: Path
) -> None:
    """What is not there is no message."""
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}]
    (tmp_path / "trace").write_text(json.dumps({"messages": messages}, indent=indent))
    stream = list(events(Recording(path=tmp_path / "trace", shown="trace")))

    assert ["done"] == [event.text for event in stream if isinstance(event, Assistant)]
    assert {"turn_inferred"} >= {event.code for event in stream if isinstance(event, Diag)}
