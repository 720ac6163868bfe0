"""Session files of Claude Code: what its records say beside calls and results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from claude_records import Record, answers, asks, notes, read, record, says
from read_records import ends

from reasonix_conformance.readers.claude.results import given
from reasonix_conformance.readers.hosts.roles import CODEX, role_of
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.trace.events import (
    Assistant,
    Diag,
    Session,
    ToolCall,
    ToolResult,
    Truncated,
    TurnEnd,
    TurnStart,
    User,
)


@pytest.mark.parametrize(
    ("text", "extra", "said"),
    [
        ("(Bash completed with no output)", {"stdout": ""}, ""),
        ("<system>Tool ran without output</system>", None, ""),
        ("<system-reminder>the file is shorter</system-reminder>", None, ""),
        ("1 x\n<system-reminder>mind</system-reminder>\n", None, "1 x\n"),
        ("1 <system-reminder>a</system-reminder> x", None, None),
        ("x", {"returnCodeInterpretation": "Files differ"}, None),
    ],
)
def test_the_words_of_the_program_are_not_what_a_call_gave_back(
    text: str, extra: Any, said: str | None, tmp_path: Path
) -> None:
    """A diff without output shows nothing, whatever is put in its place."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="git diff"),
        answers("3", "2", text, toolUseResult=extra),
    )

    assert [text if said is None else said] == [
        event.text for event in stream if isinstance(event, ToolResult)
    ]


@pytest.mark.parametrize(
    ("diff", "decision"), [("(Bash completed with no output)", "reject"), ("+x", "accept")]
)
def test_an_empty_diff_looks_at_nothing(diff: str, decision: str, tmp_path: Path) -> None:
    """Its stand-in text would have counted as a look at the change."""
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Edit", file_path="a.py", new_string="x"),
        answers("3", "2", "written"),
        asks("4", "Bash", command="pytest -q"),
        answers("5", "4", "1 passed"),
        asks("6", "Bash", command="git diff"),
        answers("7", "6", diff),
        record("assistant", "8", [{"type": "text", "text": "done"}]),
    )
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]


def test_a_status_that_is_not_zero_is_no_success(tmp_path: Path) -> None:
    """The program flags none where `diff`, `grep` or `test` says no; a success it is not."""
    extra = {"stdout": "1c1", "returnCodeInterpretation": "Files differ"}
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="diff a b"),
        answers("3", "2", "1c1", toolUseResult=extra),
    )

    assert [("error", "flag", "Files differ")] == [
        (event.outcome, event.basis, event.error)
        for event in stream
        if isinstance(event, ToolResult)
    ]


def test_a_result_that_was_put_into_a_file_is_cut(tmp_path: Path) -> None:
    """Its record holds the beginning."""
    extra = {"persistedOutputPath": "/w/out.txt", "persistedOutputSize": 9000}
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="make"),
        answers("3", "2", "first lines", toolUseResult=extra),
    )

    assert [Truncated(kept=11, original=9000, ref="/w/out.txt")] == [
        event.truncated for event in stream if isinstance(event, ToolResult)
    ]
    assert ["truncated_result"] == notes(stream)


def test_arguments_that_were_no_json_are_told_as_they_were(tmp_path: Path) -> None:
    """Newer records wrap their text; an object it never was."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", __unparsedToolInput={"raw": '{"command": "ec', "len": 15}),
        answers("3", "2", "<tool_use_error>InputValidationError</tool_use_error>", error=True),
    )

    assert [(False, '{"command": "ec')] == [
        (event.args_ok, event.args_raw) for event in stream if isinstance(event, ToolCall)
    ]
    assert ["bad_args"] == notes(stream)


@pytest.mark.parametrize(
    "extra",
    [
        {"backgroundTaskId": "b1"},
        {"isAsync": True},
        {"status": "async_launched", "taskId": "w1"},
        {"taskId": "m1", "timeoutMs": 5000},
        {"resumedAgentId": "x"},
    ],
)
def test_what_goes_on_in_the_background_is_running(extra: Record, tmp_path: Path) -> None:
    """Commands and sub-agents alike."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="x"),
        answers("3", "2", "launched", toolUseResult=extra),
    )

    assert ["running"] == [event.outcome for event in stream if isinstance(event, ToolResult)]


@pytest.mark.parametrize(
    ("content", "typed"),
    [
        ("go", "go"),
        ([{"type": "text", "text": "go"}, {"type": "image", "source": {}}], "go[image]"),
        ([{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"},
          {"type": "text", "text": "go"}], "go"),
        ("<task-notification>job ended</task-notification>", None),
        ("<agent-notification>job ended</agent-notification>", None),
        ("[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated event.", None),
        ("<bash-input>ls</bash-input>", None),
        ("<command-name>/clear</command-name>", None),
        ("<local-command-caveat>Caveat</local-command-caveat>", None),
        ("<system-reminder>x</system-reminder>", None),
        ("<session-start-hook>x</session-start-hook>", None),
        ("Stop hook feedback:\n- run the tests", None),
        ("Write operation feedback:\n- no", None),
    ],
)  # fmt: skip
def test_a_turn_begins_with_what_the_user_typed(
    content: Any, typed: str | None, tmp_path: Path
) -> None:
    """What the program puts in is the host's, alone or beside the prompt."""
    stream = read(tmp_path, record("user", "1", content))

    assert typed == next(
        (event.text for event in stream if isinstance(event, User) and event.origin == "user"),
        None,
    )


def test_a_turn_that_the_provider_ended_has_failed(tmp_path: Path) -> None:
    """The program writes the failure as if the model had said it."""
    said = [{"type": "text", "text": "API Error: 500"}]
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        record("assistant", "2", said, isApiErrorMessage=True),
        record("user", "3", "again"),
        record("assistant", "4", [{"type": "text", "text": "done"}]),
    )

    assert [("failed", False), ("completed", True)] == [
        (event.status, event.judge) for event in stream if isinstance(event, TurnEnd)
    ]


def test_a_history_that_is_repeated_counts_once(tmp_path: Path) -> None:
    """A resumed session may hold the records of the first one again."""
    first = [record("user", "1", "go"), asks("2", "Read", file_path="a"), answers("3", "2", "x")]
    stream = read(tmp_path, *first, *first, record("user", "4", "more"))

    assert 1 == sum(isinstance(event, ToolCall) for event in stream)
    assert ["duplicate_result"] == notes(stream)


COMMAND = "<command-message>tidy</command-message>\n<command-name>/tidy</command-name>"
PENDING = record("assistant", "2", [{"type": "thinking", "thinking": "x"}])


@pytest.mark.parametrize(
    ("records", "turns"),
    [
        # The program fills in a response when it goes on with a session that was killed.
        (
            [
                asks("2", "Bash", command="make"),
                answers("3", "2", "[Tool call interrupted: the session ended", error=True),
                says("4", "No response.", model="<synthetic>"),
                record("user", "5", "go on"),
                says("6", "done"),
            ],
            [("unknown", False), ("completed", True)],
        ),
        # The word that a response was cut stands before it.
        (
            [
                says("2", "API Error: cut", model="<synthetic>") | {"isApiErrorMessage": True},
                says("3", "once upon", stop_reason="max_tokens"),
            ],
            [("failed", False)],
        ),
        ([says("2", "once upon", stop_reason="max_tokens")], [("unknown", False)]),
        ([says("2", "", stop_reason="end_turn")], [("completed", True)]),
        ([says("2", "I look", stop_reason="tool_use")], [("unknown", False)]),
        ([PENDING], [("unknown", False)]),
        (
            [asks("2", "Bash", command="make"), says("3", "done"), answers("4", "2", "x")],
            [("unknown", False)],
        ),
        # A command in place of a prompt begins a turn, that of a skill inside one does not.
        (
            [says("2", "done"), record("user", "3", COMMAND), says("4", "tidy now")],
            [("completed", True), ("completed", True)],
        ),
        (
            [
                asks("2", "Skill", skill="tidy"),
                answers("3", "2", "launching"),
                record("user", "4", COMMAND),
                says("5", "tidy now"),
            ],
            [("completed", True)],
        ),
        (
            [
                asks("2", "Bash", command="make"),
                answers("3", "2", "x"),
                {"type": "attachment", "uuid": "4", "attachment": {"type": "max_turns_reached"}},
                record("user", "5", "go on"),
                says("6", "done"),
            ],
            [("interrupted", False), ("completed", True)],
        ),
    ],
    ids=[
        "killed", "cut and told", "cut", "without a word", "before a call", "only thought",
        "result last", "command", "skill", "stopped",
    ],
)  # fmt: skip
def test_a_turn_ends_as_it_did(
    records: list[Record], turns: list[tuple[str, bool]], tmp_path: Path
) -> None:
    """What the program wrote in the name of the model is no answer, and silence may be one."""
    assert turns == ends(read(tmp_path, record("user", "1", "go"), *records))


def test_only_the_last_record_of_a_response_is_final(tmp_path: Path) -> None:
    """One that a call follows in a record of its own says why it stopped."""
    first, last = says("2", "I look", stop_reason="tool_use"), says("5", "done")
    stream = read(tmp_path, record("user", "1", "go"), first, asks("3", "Bash", command="ls"), last)

    assert [("I look", False), ("", False), ("done", True)] == [
        (event.text, event.final) for event in stream if isinstance(event, Assistant)
    ]


@pytest.mark.parametrize(
    ("text", "end"),
    [("mind b.py", "completed"), ("[Request interrupted by user for tool use]", "interrupted")],
)
def test_what_stands_beside_a_result_is_told(text: str, end: str, tmp_path: Path) -> None:
    """It may be the word that the user stopped the model."""
    answer = answers("3", "2", "a.py")
    answer["message"]["content"].append({"type": "text", "text": text})
    stream = read(
        tmp_path, record("user", "1", "go"), asks("2", "Bash", command="ls"), answer,
        says("4", "done"),
    )  # fmt: skip

    assert (text, "host") == [(e.text, e.origin) for e in stream if isinstance(e, User)][1]
    assert end == next(event.status for event in stream if isinstance(event, TurnEnd))


def test_a_prompt_that_came_in_on_the_way_is_told(tmp_path: Path) -> None:
    """It stands in an attachment, and begins no turn."""
    queued = {"type": "queued_command", "commandMode": "prompt", "prompt": "and tests"}
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        {"type": "attachment", "uuid": "2", "attachment": queued},
        says("3", "done"),
    )

    assert [("go", "user"), ("and tests", "user")] == [
        (event.text, event.origin) for event in stream if isinstance(event, User)
    ]
    assert 1 == sum(isinstance(event, TurnStart) for event in stream)


def test_what_the_program_notes_for_itself_is_no_remark(tmp_path: Path) -> None:
    """Only a kind of record that nobody knows is one, by its name."""
    stamp = "2026-02-01T10:00:0"
    stream = read(
        tmp_path,
        {"type": "mode", "mode": "normal", "sessionId": "s"},
        {"type": "progress", "uuid": "p", "parentUuid": None, "sessionId": "s"},
        record("user", "1", "go", parentUuid="p", timestamp=f"{stamp}2.000Z"),
        {"type": "attachment", "uuid": "2", "attachment": {"type": "date"},
         "timestamp": f"{stamp}1.000Z"},
        {"type": "api-request-shape", "sessionId": "s", "shape": {}},
        {"type": "memory", "uuid": "3"},
        {"type": "memory", "uuid": "4"},
        {"type": "dream", "uuid": "5"},
    )  # fmt: skip

    assert [
        "a record of type 'dream' is not read",
        "a record of type 'memory' is not read (2 times)",
    ] == [event.text for event in stream if isinstance(event, Diag) and event.code in notes(stream)]


@pytest.mark.parametrize("kind", ["tool_call", "call-result"])
def test_a_record_of_an_unknown_type_that_tells_of_a_call_is_missing(
    kind: str, tmp_path: Path
) -> None:
    """Another program writes its calls so, and all else as this one does: its runs passed."""
    told = [record("user", "1", "go"), {"type": kind, "uuid": "2"}]
    stream = read(tmp_path, *told, record("assistant", "3", [{"type": "text", "text": "done"}]))
    (result,) = results([tmp_path], Options(), [])

    assert ["bad_line"] == notes(stream)
    assert ["not_assessable"] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("aside", ("unknown_record", "a part of type 'aside' is not read")),
        ("call_made", ("bad_line", "a call in a part of type 'call_made' is not read")),
    ],
)
def test_a_part_of_a_response_that_nobody_knows_is_told(
    kind: str, said: tuple[str, str], tmp_path: Path
) -> None:
    """It was dropped without a word; one that is named as a call may be an act."""
    parts = [{"type": "text", "text": "done"}, {"type": kind, "name": "x"}]
    stream = read(tmp_path, record("user", "1", "go"), record("assistant", "2", parts))

    assert said in [(event.code, event.text) for event in stream if isinstance(event, Diag)]


def test_a_result_that_stands_before_its_call_is_its_result(tmp_path: Path) -> None:
    """Some versions write a fast answer first; one whose call never comes is nobody's."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        answers("3", "2", "x"),
        asks("2", "Read", file_path="a"),
        answers("4", "9", "y"),
        answers("5", "9", "z"),
        says("6", "done"),
    )

    assert [("main#1", "ok", "x")] == [
        (event.uid, event.outcome, event.text) for event in stream if isinstance(event, ToolResult)
    ]
    assert ["s.jsonl:4", "s.jsonl:5"] == sorted(
        event.where for event in stream if isinstance(event, Diag) and event.code == "orphan_result"
    )


def test_long_hostile_texts_are_read_in_linear_time() -> None:
    """Each reminder at the end copied the text before it; each run of blanks was tried anew."""
    text, _ = given("x" + "<system-reminder>y</system-reminder>\n" * 50_000, None)
    role = role_of(CODEX, "apply_patch", {"input": "*** Add File: a" + " " * 200_000 + "b  "})

    assert "x" == text
    assert role is not None
    assert ["a" + " " * 200_000 + "b"] == role.args["paths"]


@pytest.mark.parametrize(("tool", "end"), [("StructuredOutput", "completed"), ("Bash", "unknown")])
def test_an_answer_with_a_schema_is_the_last_word(tool: str, end: str, tmp_path: Path) -> None:
    """It is given by a tool, behind which the model may say nothing."""
    stream = read(tmp_path, record("user", "1", "go"), asks("2", tool), answers("3", "2", "ok"))

    assert [(end, end == "completed")] == ends(stream)


def of(sid: str, *records: Record, parent: str | None = None) -> list[Record]:
    """Return records as those of a session: each goes on from the one before it."""
    told = []
    for made in records:
        uuid = f"{sid}{made['uuid']}"
        told.append(made | {"uuid": uuid, "sessionId": sid, "parentUuid": parent, "cwd": f"/{sid}"})
        parent = uuid
    return told


EDITED = (
    record("user", "1", "go"),
    asks("2", "Edit", file_path="a.py", old_string="a", new_string="b"),
    answers("3", "2", "ok"),
    says("4", "done"),
)
ASKED = (record("user", "1", "what is it?"), says("2", "a program"))
HOOK = record("progress", "0", "")


@pytest.mark.parametrize("begin", [ASKED, (HOOK, *ASKED)], ids=["a-prompt", "a-hook-before-it"])
def test_session_files_that_were_put_into_one_are_several_sessions(
    begin: tuple[Record, ...], tmp_path: Path
) -> None:
    """`cat *.jsonl`: what one of them owes accused the other, by relative names of its folder."""
    stream = read(tmp_path, *of("A", *EDITED), *of("B", *begin))

    sessions = [(e.sid, e.cwd) for e in stream if isinstance(e, Session)]
    assert [("A", "/A"), ("B", "/B")] == sessions
    assert ["several_sessions"] == notes(stream)
    told = results([tmp_path], Options(), [])
    assert ["reject", "accept"] == [one.verdict.decision for t in told for one in t.verdicts]


@pytest.mark.parametrize("repeats", [False, True])
def test_a_session_that_is_resumed_under_another_id_is_one(repeats: bool, tmp_path: Path) -> None:
    """It goes on from a record of the earlier one, whether that stands there again or not."""
    first = of("A", *EDITED)
    again = [record | {"sessionId": "B"} for record in first] if repeats else []
    stream = read(tmp_path, *first, *again, *of("B", *ASKED, parent="A4"))

    assert ["A"] == [e.sid for e in stream if isinstance(e, Session)]
