"""Items, answers and logs of the Responses interface."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, outcomes, read, read_text
from request_records import calls, user

from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Assistant, Event, Session, ToolCall, ToolResult, TurnEnd

Record = dict[str, Any]
GO = {"role": "user", "content": "go"}


def said(text: str, **more: Any) -> Record:
    return {"type": "message", "role": "assistant", "content": [{"text": text}], **more}


def called(kind: str, **facts: Any) -> Record:
    return {"type": f"{kind}_call", "id": "i1", "status": "completed", **facts}


def answer(*output: Record, **facts: Any) -> Record:
    return {"id": "r1", "object": "response", "status": "completed", "output": output, **facts}


def asked(ident: str) -> Record:
    return {"type": "function_call", "call_id": ident, "name": "f", "arguments": "{}"}


def gave(ident: str) -> Record:
    return {"type": "function_call_output", "call_id": ident, "output": "x"}


def exit_of(code: int, says: str = "x") -> Record:
    return {"stdout": says, "stderr": "", "outcome": {"type": "exit", "exit_code": code}}


def told(stream: list[Event]) -> list[tuple[str, str, str, str]]:
    """Return each answered call by the tool that it is, its outcome, basis and text."""
    calls = {e.uid: e for e in stream if isinstance(e, ToolCall)}
    ended = [e for e in stream if isinstance(e, ToolResult)]
    return [(calls[e.uid].target, e.outcome, e.basis, e.text) for e in ended]


@pytest.mark.parametrize(
    ("item", "call"),
    [
        (called("code_interpreter", code="1/0"), ("code_interpreter", "unknown", "none", "")),
        (
            called("code_interpreter", code="1/0", status="failed"),
            ("code_interpreter", "error", "state", ""),
        ),
        (called("web_search", action={"query": "q"}), ("web_search", "unknown", "none", "")),
        (
            called("mcp", server_label="desk", name="bash", arguments="{}", output="7"),
            ("mcp__desk__bash", "ok", "flag", "7"),
        ),
        (
            called("mcp", server_label="desk", name="bash", error={"message": "no"}),
            ("mcp__desk__bash", "error", "flag", ""),
        ),
    ],
)
def test_a_call_that_the_interface_made_holds_its_end(
    item: Record, call: tuple[str, ...], tmp_path: Path
) -> None:
    """Code is no JSON and need not be; a tool of a server is none of the contract."""
    stream = read(tmp_path, GO, item, said("done"))

    assert [call] == told(stream)
    assert [] == notes(stream)


@pytest.mark.parametrize(
    ("item", "output", "call"),
    [
        (
            called("shell", call_id="1", action={"commands": ["pytest -q", "ls"]}),
            {"type": "shell_call_output", "output": [exit_of(0, "a"), exit_of(0, "b")]},
            ("bash", "ok", "exit_code", "ab"),
        ),
        (
            called("shell", call_id="1", action={"commands": ["pytest -q", "ls"]}),
            {"type": "shell_call_output", "output": [exit_of(2, "a"), exit_of(0, "b")]},
            ("bash", "error", "exit_code", "ab"),
        ),
        (
            called("shell", call_id="1", action={"commands": ["sleep 9"]}),
            {"type": "shell_call_output", "output": [{"outcome": {"type": "timeout"}}]},
            ("bash", "cancelled", "state", ""),
        ),
        (
            called("shell", call_id="1", action={"commands": ["ls", "ls"]}),
            {"type": "shell_call_output", "output": [exit_of(0), {"stdout": "x"}]},
            ("bash", "unknown", "none", "xx"),
        ),
        (
            called("local_shell", call_id="1", action={"command": ["bash", "-lc", "ls"]}),
            {"type": "local_shell_call_output", "output": "x"},
            ("bash", "unknown", "none", "x"),
        ),
        (
            called("apply_patch", call_id="1", operation={"type": "update_file", "path": "a.py"}),
            {"type": "apply_patch_call_output", "status": "failed", "output": "no"},
            ("edit_file", "error", "state", "no"),
        ),
        (
            called("function", call_id="1", name="read_log", arguments="{}"),
            {"type": "function_call_output", "output": "Exit code: 0\nlog"},
            ("read_log", "unknown", "none", "Exit code: 0\nlog"),
        ),
        (
            called("function", call_id="1", name="run", arguments="{}"),
            {"type": "function_call_output", "output": "Exit code: 0\nlog"},
            ("run", "ok", "envelope", "Exit code: 0\nlog"),
        ),
        (
            called("function", call_id="1", name="bash", arguments="{}"),
            {"type": "function_call_output", "output": "1 failed\nExit code: 1"},
            ("bash", "error", "envelope", "1 failed\nExit code: 1"),
        ),
        (
            called("function", call_id="1", name="bash", arguments="{}"),
            {"type": "function_call_output", "output": '{"returncode": 1, "output": "x"}'},
            ("bash", "error", "envelope", '{"returncode": 1, "output": "x"}'),
        ),
    ],
)
def test_an_output_says_how_a_call_of_the_client_ended(
    item: Record, output: Record, call: tuple[str, ...], tmp_path: Path
) -> None:
    """Only what runs commands may say so in its text: a file that is read may look the same."""
    assert [call] == told(read(tmp_path, GO, item, {**output, "call_id": "1"}, said("done")))


@pytest.mark.parametrize(
    ("record", "status"),
    [
        ({"input": "go", **answer(said("done"))}, "completed"),
        ({"input": "go", **answer(said("half"), status="incomplete")}, "unknown"),
        ({"input": "go", **answer(said("half"), status="cancelled")}, "unknown"),
        ({"input": "go", **answer(said("half", status="incomplete"))}, "unknown"),
        ({"input": "go", **answer(said("I look", phase="commentary"))}, "unknown"),
        ({"input": "go", **answer(said("done", phase="final_answer"))}, "completed"),
        ({"request": {"input": "go"}, "response": answer(said("x"), status="failed")}, "unknown"),
    ],
)
def test_an_answer_that_was_cut_off_is_no_last_word(
    record: Record, status: str, tmp_path: Path
) -> None:
    stream = read(tmp_path, record)
    (end,) = [e for e in stream if isinstance(e, TurnEnd)]

    assert (status, status == "completed") == (end.status, end.judge)


def test_an_answer_alone_goes_on_from_what_is_not_there(tmp_path: Path) -> None:
    """What the model was given may hold any work."""
    assert ["mid_chain_start"] == notes(read(tmp_path, answer(said("done"))))


def test_of_a_streamed_answer_only_the_whole_is_told(tmp_path: Path) -> None:
    whole = answer(called("function", call_id="1", name="f", arguments="{}"))
    piece = {"type": "response.output_item.done", "sequence_number": 1, "item": whole["output"][0]}
    last = {"type": "response.completed", "sequence_number": 2, "response": whole}
    stream = read(tmp_path, piece, last)

    assert ["f"] == [e.name for e in stream if isinstance(e, ToolCall)]


@pytest.mark.parametrize(
    "records",
    [
        [answer(said("a")), answer(said("b"))],
        [{"output": [said("a")], "usage": {}}, {"output": [said("b")], "usage": {}}],
        [GO, called("web_search"), said("a")],
        [{"request": {"input": []}, "response": answer(called("web_search"))}] * 2,
        [{"custom_id": "1", "response": {"status_code": 200, "body": answer(said("a"))}}] * 2,
        [{"type": "response.created", "sequence_number": 0, "response": answer()}],
        [answer(status="failed")],
    ],
)
def test_whatever_holds_answers_or_calls_of_the_interface_is_known(
    records: list[Record], tmp_path: Path
) -> None:
    """Read as something else its calls would be lost, and its session would pass."""
    assert detect(lines(records)) == "openai-responses"
    stream = read(tmp_path, *records)
    assert "openai-responses" == next(e.format for e in stream if isinstance(e, Session))


@pytest.mark.parametrize("key", ["body", "params"])
def test_a_request_may_stand_below_what_it_was_sent_with(key: str, tmp_path: Path) -> None:
    """Files of a batch and logs of proxies keep an address beside it."""
    record = {"url": "/v1/responses", key: {"input": [GO, called("web_search"), said("a")]}}
    stream = read(tmp_path, record)

    assert detect(lines([record])) == "openai-responses"
    assert ["web_search"] == [e.name for e in stream if isinstance(e, ToolCall)]


def lines(records: list[Record]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@pytest.mark.parametrize("trusting", [False, True])
@pytest.mark.parametrize(
    ("output", "outcome"),
    [
        (5, "unknown"),
        (True, "unknown"),
        ([exit_of(0), {"outcome": {"type": "news"}}], "unknown"),
        ([exit_of(2), {"outcome": {"type": "news"}}], "error"),
    ],
)
def test_commands_whose_ends_are_not_all_told_did_not_end_well(
    output: Any, outcome: str, trusting: bool, tmp_path: Path
) -> None:
    """Who trusts results without a sign does not trust those with one that nobody knows."""
    item = called("shell", call_id="1", action={"commands": ["ls"]})
    ends = {"type": "shell_call_output", "call_id": "1", "output": output}
    (tmp_path / "trace").write_bytes(lines([GO, item, ends]))
    recording = Recording(path=tmp_path / "trace", shown="trace", trusting=trusting)

    assert [outcome] == [call[1] for call in told(list(events(recording)))]


@pytest.mark.parametrize("behind", [[], [{"type": "response.created", "sequence_number": 0}]])
def test_a_streamed_answer_without_an_end_is_a_loss(behind: list[Record], tmp_path: Path) -> None:
    """Its calls stand in the end alone."""
    piece = {"type": "response.output_item.done", "item": called("function", call_id="1")}
    begins = {"type": "response.created", "sequence_number": 0}
    stream = read(tmp_path, {"input": "go", "model": "m"}, begins, piece, *behind)

    assert {"bad_line"} == set(notes(stream))


def test_the_history_of_an_sdk_is_read_as_the_items_that_it_means(tmp_path: Path) -> None:
    """That for JavaScript names ids and outputs in its own way; no call had a result."""
    call = {"type": "function_call", "callId": "1", "name": "bash", "arguments": "{}"}
    output = {"type": "text", "text": "Exit code: 0\nOutput:\nx"}
    gives = {"type": "function_call_result", "callId": "1", "name": "bash", "output": output}
    stream = read(tmp_path, {"type": "message", "role": "user", "content": "go"}, call, gives)

    assert [("bash", "ok", "envelope", "Exit code: 0\nOutput:\nx")] == told(stream)


@pytest.mark.parametrize("kind", ["tool_use", "tool_result", "init"])
def test_an_item_of_an_unknown_type_is_missing(kind: str, tmp_path: Path) -> None:
    """It may be an act: runs of another program passed whose calls were all left out."""
    stream = read(tmp_path, said("go", role="user"), asked("1"), gave("1"), {"type": kind})

    assert ["bad_line"] == sorted(set(notes(stream)))


def test_a_message_of_an_unknown_role_is_told(tmp_path: Path) -> None:
    """It may be what the user said."""
    assert ["bad_line"] == notes(read(tmp_path, GO, {"type": "message", "role": "critic"}))


def test_calls_in_a_row_are_of_one_response(tmp_path: Path) -> None:
    """Nobody knows the order of calls of one response; those behind a result are of the next."""
    stream = read(tmp_path, GO, *(asked(n) for n in "12"), *(gave(n) for n in "12"), asked("3"))

    assert ["r1", "r1", "r2"] == [e.step for e in stream if isinstance(e, ToolCall)]
    assert ["r1", "r2"] == [e.step for e in stream if isinstance(e, Assistant)]


@pytest.mark.parametrize(("kind", "read_only"), [("web_search", True), ("shell", None)])
def test_a_tool_of_the_providers_side_changes_nothing_here(
    kind: str, read_only: bool | None, tmp_path: Path
) -> None:
    """It runs with the provider; of one that nobody knows nothing is known."""
    stream = read(tmp_path, GO, called(kind, call_id="1"))

    assert [read_only] == [e.read_only for e in stream if isinstance(e, ToolCall)]


def item(kind: str, **more: Any) -> Record:
    return {"type": kind, **more}


def test_requests_of_the_responses_interface_are_told_once(tmp_path: Path) -> None:
    """Either the whole history is sent again, or the id of the answer that it goes on from."""
    call = item("function_call", call_id="1", name="f", arguments="{}")
    output = item("function_call_output", call_id="1", output="x")
    thought = item("reasoning", summary=[])
    whole = read(
        tmp_path,
        {"input": "go", "response": {"id": "r1", "output": [thought, call]}},
        {"input": [user("go"), call, output], "response": {"id": "r2", "output": []}},
    )
    linked = read(
        tmp_path,
        {"input": "go", "response": {"id": "r1", "output": [call]}},
        {"input": [output], "previous_response_id": "r1", "response": {"id": "r2", "output": []}},
    )

    for stream in (whole, linked):
        assert [("trace", "f")] == calls(stream)
        assert [("unknown", "none")] == outcomes(stream)
        assert [] == notes(stream)


@pytest.mark.parametrize(
    ("made", "args", "resolved"),
    [
        (item("function_call", name="f", arguments='{"a": 1}'), {"a": 1}, None),
        (item("custom_tool_call", name="f", input="text"), {"input": "text"}, None),
        (item("code_interpreter_call", code="1+1"), {"code": "1+1"}, None),
        (item("web_search_call", action={"query": "q"}), {"query": "q"}, None),
        (item("file_search_call", queries=["q"]), ["q"], None),
        (item("shell_call", action={"commands": ["ls"]}), {"commands": ["ls"]}, {"command": "ls"}),
        (
            item("apply_patch_call", operation={"type": "update_file", "path": "a.py"}),
            {"type": "update_file", "path": "a.py"},
            {"path": "a.py"},
        ),
    ],
    ids=lambda value: value.get("type") if isinstance(value, dict) else None,
)
def test_each_kind_of_call_has_its_arguments_in_a_member_of_its_own(
    made: Record, args: Any, resolved: Any, tmp_path: Path
) -> None:
    """What is looked for under another name is a call that did nothing anybody knows of."""
    stream = read(tmp_path, item("message", role="user", content="go"), {"call_id": "1", **made})

    (call,) = [event for event in stream if isinstance(event, ToolCall)]
    assert (args, resolved) == (call.args, call.resolved_args)


def test_tools_of_the_interface_itself_are_calls(tmp_path: Path) -> None:
    """Without a call id an item holds its own end; the status of an item proves nothing."""
    stream = read(
        tmp_path,
        item("message", role="user", content="go"),
        item("mcp_call", id="1", name="ask", arguments="{}", output="x", error=None),
        item("mcp_call", id="2", name="ask", arguments="{}", output=None, error="no"),
        item("web_search_call", id="3", status="completed"),
        item("computer_call", call_id="4", action={}),
        item("computer_call_output", call_id="4", output={}),
        item("function_call_output", call_id="5", output="x"),
    )

    assert ["ask", "ask", "web_search", "computer"] == [name for _, name in calls(stream)]
    assert [("ok", "flag"), ("error", "flag"), ("unknown", "none"), ("unknown", "none")] == (
        outcomes(stream)
    )
    assert ["orphan_result"] == notes(stream)


@pytest.mark.parametrize("lost", [None, 7, {"id": "m", "name": "f", "output": "x"}])
def test_what_stands_among_items_and_is_none_is_a_loss(lost: Any, tmp_path: Path) -> None:
    """It may have been a call; a line alone may be that of another program."""
    go = {"type": "message", "role": "user", "content": "go"}

    assert ["bad_line"] == notes(read_text(tmp_path, json.dumps([go, lost, said("done")])))
    (result,) = file_results(tmp_path / "trace", Options())
    assert ["not_assessable"] == [one.verdict.decision for one in result.verdicts]
