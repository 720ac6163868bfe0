"""OpenTelemetry spans: calls and agents in order, requests by their history, what lacks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import acted, ended, notes, read
from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import (
    Diag,
    Session,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)

Record = dict[str, Any]


def span(ident: str, operation: str, parent: str = "", trace: str = "t", **told: Any) -> Record:
    values = {"gen_ai.operation.name": operation} | told
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]
    start = 1_790_000_000 + ord(ident[-1])
    return {
        "traceId": trace,
        "spanId": ident,
        "parentSpanId": parent,
        "name": operation,
        "startTimeUnixNano": str(start * 10**9),
        "endTimeUnixNano": str((start + 1) * 10**9),
        "attributes": pairs,
    }


def tool(ident: str, parent: str, name: str = "bash", **more: Any) -> Record:
    told = {"gen_ai.tool.name": name, "gen_ai.tool.call.arguments": "{}"}
    return span(ident, "execute_tool", parent, **more, **told)


def export(*spans: Record) -> Record:
    return {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}


def test_an_agent_inside_a_call_has_a_scope_and_no_turn(tmp_path: Path) -> None:
    """Nesting is told by the parent span."""
    inside = (span("c", "invoke_agent", "b"), tool("d", "c"))
    stream = read(tmp_path, export(*inside, span("a", "invoke_agent"), tool("b", "a", "task")))

    assert [("b", "main#1")] == [(e.scope, e.parent_uid) for e in stream if isinstance(e, SubStart)]
    assert [("b#1", "ok"), ("main#1", "ok")] == ended(stream)
    assert 1 == sum(isinstance(e, TurnStart) for e in stream)


def test_a_span_with_the_id_of_a_call_is_one_without_the_name_of_an_operation(
    tmp_path: Path,
) -> None:
    """An agent library of 2025 names its spans in words, and what they hold by names of its own."""
    told = {"gen_ai.tool.name": "bash", "gen_ai.tool.call.id": "c1", "gen_ai.operation.name": None}
    own = {"tool_arguments": '{"command": "ls"}', "tool_response": "a.py"}
    running = span("b", "running tool", "a", **told, **own)
    running["attributes"] = [
        pair for pair in running["attributes"] if pair["value"]["stringValue"] is not None
    ]
    stream = read(tmp_path, export(span("a", "invoke_agent"), running))

    assert [("bash", {"command": "ls"})] == [
        (event.name, event.args) for event in stream if isinstance(event, ToolCall)
    ]
    assert ["a.py"] == [event.text for event in stream if isinstance(event, ToolResult)]
    assert [("main#1", "ok")] == ended(stream)
    assert [] == notes(stream)


def test_a_conversation_may_have_several_traces(tmp_path: Path) -> None:
    """Each run of its agent is a turn; another conversation is another session."""
    named = "gen_ai.conversation.id"
    stream = read(
        tmp_path,
        export(
            span("a", "invoke_agent", trace="1", **{named: "x"}),
            span("b", "invoke_agent", trace="2", **{named: "y"}),
            span("c", "invoke_agent", trace="3", **{named: "x"}),
        ),
    )

    assert ["x", "y"] == [e.sid for e in stream if isinstance(e, Session)]
    assert [1, 2, 1] == [e.turn for e in stream if isinstance(e, TurnStart)]
    assert 1 == notes(stream).count("several_sessions")


@pytest.mark.parametrize("key", ["response", "result"])
def test_calls_that_stand_in_messages_alone_are_told(key: str, tmp_path: Path) -> None:
    """Instrumentation of the model's client has no spans for tools."""
    asked = {"role": "assistant", "parts": [
        {"type": "tool_call", "id": "1", "name": "ls", "arguments": {"path": "."}}]}  # fmt: skip
    given = {"role": "user", "parts": [{"type": "text", "content": "go"}]}
    came = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "1", key: "x"}]}
    ways = {"in": "gen_ai.input.messages", "out": "gen_ai.output.messages"}
    stream = read(
        tmp_path,
        export(
            span(
                "a", "chat", **{ways["in"]: json.dumps([given]), ways["out"]: json.dumps([asked])}
            ),
            span("b", "chat", **{ways["in"]: json.dumps([given, asked, came])}),
        ),
    )

    assert [("ls", {"path": "."})] == [(e.name, e.args) for e in stream if isinstance(e, ToolCall)]
    assert [("main#1", "unknown")] == ended(stream)
    assert ["x"] == [e.text for e in stream if isinstance(e, ToolResult)]


AGENT = span("a", "invoke_agent")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(lines(export(AGENT, tool("b", "a", "read"))) + '{"resourceSp', id="torn"),
        pytest.param(lines(export(AGENT, tool("b", "gone", "read"))), id="parent gone"),
    ],
)
def test_an_export_with_a_part_missing_ends_no_turn_well(text: str, tmp_path: Path) -> None:
    """Remarks on the file stand before the verdicts that they bear on."""
    (tmp_path / "trace").write_text(text)
    (result,) = file_results(tmp_path / "trace", Options())

    assert ["not_assessable"] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (None, "ok"),
        ({}, "ok"),
        ({"code": 0}, "ok"),
        ({"code": 1}, "ok"),
        ({"code": "STATUS_CODE_OK"}, "ok"),
        ({"code": 2}, "error"),
        ({"code": "STATUS_CODE_ERROR"}, "error"),
        ({"code": "?"}, "unknown"),
    ],
)
def test_the_status_of_a_span_is_a_number_or_its_name(
    status: Record | None, outcome: str, tmp_path: Path
) -> None:
    """Exporters differ; what is neither proves nothing."""
    stream = read(tmp_path, export(AGENT, tool("b", "a") | {"status": status}))

    assert [("main#1", outcome)] == ended(stream)


# -- order


def during(record: Record, start: int, end: int) -> Record:
    return record | {"startTimeUnixNano": str(start), "endTimeUnixNano": str(end)}


@pytest.mark.parametrize(
    ("times", "steps", "results"),
    [
        ([(1, 2), (2, 3)], ["b", "c"], ["main#1", "main#2"]),
        ([(1, 4), (2, 3)], ["b", "b"], ["main#2", "main#1"]),
        ([(1, 1), (1, 1)], ["b", "b"], ["main#1", "main#2"]),
    ],
)
def test_calls_whose_spans_overlap_are_of_one_step(
    times: list[tuple[int, int]], steps: list[str], results: list[str], tmp_path: Path
) -> None:
    """They ran at once: a check that began after an edit may not have seen what it left."""
    told = [during(tool(i, "a"), *when) for i, when in zip("bc", times, strict=True)]
    stream = read(tmp_path, export(during(AGENT, 0, 9), *told))

    assert steps == [e.step for e in stream if isinstance(e, ToolCall)]
    assert results == [uid for uid, _ in ended(stream)]


def test_agents_beside_each_other_share_a_turn(tmp_path: Path) -> None:
    """Their calls alternate; the turn is over when both have ended."""
    stream = read(
        tmp_path,
        export(
            during(span("a", "invoke_agent"), 1, 9),
            during(span("b", "invoke_agent"), 2, 5),
            during(tool("c", "b"), 3, 4),
            during(tool("d", "a"), 6, 7),
            during(span("e", "invoke_agent"), 9, 10),
        ),
    )

    assert [1, 1] == [e.turn for e in stream if isinstance(e, ToolCall)]
    assert ["completed", "completed"] == [e.status for e in stream if isinstance(e, TurnEnd)]


def test_an_agent_that_failed_at_once_ends_its_turn_so(tmp_path: Path) -> None:
    """Nothing was called, and nothing said."""
    stream = read(tmp_path, export(AGENT | {"status": {"code": 2}}))

    assert [("failed", False)] == [(e.status, e.judge) for e in stream if isinstance(e, TurnEnd)]


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        ("timeout", "cancelled"),
        ("TimeoutError", "cancelled"),
        ("asyncio.exceptions.CancelledError", "cancelled"),
        ("ValueError", "error"),
        ("500", "error"),
    ],
)
def test_an_error_tells_whether_a_call_was_stopped(
    error: str, outcome: str, tmp_path: Path
) -> None:
    """Its kind is the name of a class, or a word of the conventions."""
    stream = read(tmp_path, export(AGENT, tool("b", "a", **{"error.type": error})))

    assert [("main#1", outcome)] == ended(stream)


@pytest.mark.parametrize(("status", "error"), [({"message": "no room"}, "no room"), ({}, "E")])
def test_an_error_is_told_in_the_words_of_its_span(
    status: dict[str, Any], error: str, tmp_path: Path
) -> None:
    """The kind alone says little; it stands in where nothing else is said."""
    failed = tool("b", "a", **{"error.type": "E"}) | {"status": status}
    stream = read(tmp_path, export(AGENT, failed))

    assert [error] == [event.error for event in stream if isinstance(event, ToolResult)]


def test_a_span_that_sums_up_calls_is_no_call(tmp_path: Path) -> None:
    """Each of them has its own; nobody knows a tool of that name."""
    stream = read(tmp_path, export(AGENT, tool("b", "a"), tool("c", "a", "(merged tools)")))

    assert ["bash"] == [e.name for e in stream if isinstance(e, ToolCall)]


def test_calls_without_arguments_accuse_nobody(tmp_path: Path) -> None:
    """What was called may have changed anything, or been the check that is missing."""
    bare = tool("b", "a", "edit") | {"status": {"code": 1}}
    bare["attributes"] = bare["attributes"][:-1]
    (tmp_path / "trace").write_text(lines(export(AGENT, bare)))
    (result,) = file_results(tmp_path / "trace", Options())

    (verdict,) = [one.verdict for one in result.verdicts]
    assert "not_assessable" == verdict.decision
    assert "arguments" in verdict.message


# -- messages


def says(role: str, *parts: Record, **more: Any) -> Record:
    return {"role": role, "parts": list(parts), **more}


def text(content: str) -> Record:
    return {"type": "text", "content": content}


def called(args: Any) -> Record:
    return {"type": "tool_call", "id": "1", "name": "ls", "arguments": args}


CAME = {"type": "tool_call_response", "id": "1", "response": "x"}
GIVEN, ASKED = says("user", text("go")), says("assistant", called({"path": "."}))
DONE = says("assistant", text("done"), finish_reason="stop")


def chat(ident: str, given: list[Record], answer: Record, trace: str) -> Record:
    told = {
        "gen_ai.input.messages": json.dumps(given),
        "gen_ai.output.messages": json.dumps([answer]),
    }
    return span(ident, "chat", trace=trace, **told)


REQUESTS = [
    chat("a", [GIVEN], ASKED, "1"),
    chat("b", [GIVEN, says("assistant", called('{"path": "."}')), says("tool", CAME)], DONE, "2"),
]


def logs(*spans: Record) -> Record:
    """Write spans as the log records that tell of their messages."""
    told = [
        {"timeUnixNano": one["endTimeUnixNano"], "attributes": one["attributes"],
         "traceId": one["traceId"], "spanId": one["spanId"]}
        for one in spans
    ]  # fmt: skip
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": told}]}]}


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([export(*REQUESTS)], id="spans"),
        pytest.param([export(one) for one in reversed(REQUESTS)], id="a line each, unordered"),
        pytest.param([logs(*REQUESTS)], id="log records"),
        pytest.param([logs(*REQUESTS), export(*REQUESTS)], id="both"),
    ],
)
def test_requests_in_traces_of_their_own_are_one_conversation(
    records: list[Record], tmp_path: Path
) -> None:
    """Clients without an agent begin a trace for each request, and each repeats the history."""
    stream = read(tmp_path, *records)

    assert [("ls", {"path": "."})] == [(e.name, e.args) for e in stream if isinstance(e, ToolCall)]
    assert [("main#1", "unknown")] == ended(stream)
    assert ["go"] == [e.text for e in stream if isinstance(e, User)]
    assert ["completed"] == [e.status for e in stream if isinstance(e, TurnEnd)]
    assert [] == notes(stream)


def test_messages_are_trusted_where_the_user_says_so(tmp_path: Path) -> None:
    """They tell nothing about success."""
    (tmp_path / "trace").write_text(lines(export(*REQUESTS)))
    recording = Recording(path=tmp_path / "trace", shown="trace", trusting=True)

    assert [("main#1", "ok")] == ended(list(events(recording)))


def test_text_beside_a_response_is_told(tmp_path: Path) -> None:
    """A host adds it to what a call gave."""
    given = [GIVEN, ASKED, says("user", CAME, text("hurry"))]
    stream = read(tmp_path, export(chat("a", given, DONE, "1")))

    assert [("go", "user"), ("hurry", "host")] == [
        (e.text, e.origin) for e in stream if isinstance(e, User)
    ]


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        (DONE | {"finish_reason": "length"}, []),
        ("cut", ["bad_line"]),
    ],
)
def test_messages_that_were_cut_off_end_no_turn_well(
    answer: Any, note: list[str], tmp_path: Path
) -> None:
    """By the model's own limit, or by one of the attributes."""
    record = chat("b", [GIVEN], DONE, "1")
    if note:
        record["attributes"][-1]["value"]["stringValue"] = '[{"role":"assi'
    else:
        record = chat("b", [GIVEN], answer, "1")
    stream = read(tmp_path, export(record))

    assert "completed" not in [e.status for e in stream if isinstance(e, TurnEnd)]
    assert note == notes(stream)


@pytest.mark.parametrize(
    ("made", "note"),
    [
        ([{"finish_reason": "stop"}, {"finish_reason": "stop"}], ["unknown_record"]),
        ([{}, {"finish_reason": "stop"}], []),
        ([{"parts": [{"type": "server_tool_call", "id": "w"}]}], ["unknown_record"]),
        ([{"parts": [{"type": "some_tool", "id": "w"}]}], ["bad_line"]),
        ([{"parts": [{"content": "?"}]}], ["bad_line"]),
        ([{"parts": [{"type": ["?"]}]}], ["bad_line"]),
        ([{"parts": ["?", {"type": "reasoning", "content": "?"}]}], []),
    ],
)
@pytest.mark.parametrize("named", [{}, {"gen_ai.conversation.id": "x"}], ids=["request", "named"])
def test_what_is_not_read_of_an_answer_is_told(
    made: list[Record], note: list[str], named: Record, tmp_path: Path
) -> None:
    """Another choice was told to nobody; what ran at the provider changed nothing here."""
    answers = [{"role": "assistant", "parts": [{"type": "text", "content": "a"}]} | m for m in made]
    told = {"gen_ai.input.messages": [GIVEN], "gen_ai.output.messages": answers}
    texts = {key: json.dumps(messages) for key, messages in told.items()}
    stream = read(tmp_path, export(span("a", "chat", **texts, **named)))

    assert note == notes(stream)


# -- files


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda one: json.dumps([one, one]), id="an array"),
        pytest.param(lambda one: json.dumps([one, one], indent=1), id="an array of many lines"),
        pytest.param(lambda one: json.dumps(one).replace(",", ",\n"), id="a value of many lines"),
    ],
)
def test_exports_may_stand_in_one_value(write: Any, tmp_path: Path) -> None:
    """Nothing of them is lost, and not in silence."""
    (tmp_path / "trace").write_text(write(export(AGENT, tool("b", "a"))))
    stream = list(events(Recording(path=tmp_path / "trace", shown="trace")))

    assert {"main#1": "ok"}.items() <= dict(ended(stream)).items()


@pytest.mark.parametrize(
    ("record", "lack"),
    [
        (span("a", "chat"), "record with content capture"),
        (span("a", "chat", **{"gen_ai.conversation.id": "c"}), "record with content capture"),
        (span("a", "", **{"openinference.span.kind": "LLM"}), "OpenInference"),
        (span("a", "", **{"ai.operationId": "x", "gen_ai.system": "y"}), "the AI SDK"),
        (during(AGENT, 1, 2) | {"name": "GET", "attributes": []}, "no span follows"),
    ],
)
def test_spans_that_tell_of_no_call_say_what_they_lack(
    record: Record, lack: str, tmp_path: Path
) -> None:
    """An empty session would look as if nothing had been done."""
    stream = read(tmp_path, export(record))

    assert [True] == [lack in e.text for e in stream if isinstance(e, Diag)]
    assert [] == ended(stream)


@pytest.mark.parametrize(
    ("name", "text", "outcome", "basis"),
    [
        ("bash", "Exit code: 1\nx", "error", "envelope"),
        ("bash", '[{"text": "Exit code: 1\\nx"}]', "error", "envelope"),
        ("bash", '[{"text": "x\\n"}, {"text": "exit code: 1"}]', "error", "envelope"),
        ("bash", "Exit code: 0\nx", "ok", "envelope"),
        ("bash", "x", "ok", "absence"),
        ("bash", '[{"a": 1}]', "ok", "absence"),
        ("read_file", "Exit code: 1\nx", "ok", "state"),
    ],
)
def test_how_a_command_ended_is_told_by_its_text_and_not_by_the_status_of_its_span(
    name: str, text: str, outcome: str, basis: str, tmp_path: Path
) -> None:
    """The status says that the tool ran, and of a file that it looks like that."""
    told = {"gen_ai.tool.name": name, "gen_ai.tool.call.result": text}
    ran = span("b", "execute_tool", "a", **told)
    stream = read(tmp_path, export(AGENT, ran | {"status": {"code": 1}}))

    assert [(outcome, basis)] == [(e.outcome, e.basis) for e in stream if isinstance(e, ToolResult)]


def test_a_resource_that_cannot_be_read_is_lost_alone(tmp_path: Path) -> None:
    """A number beyond all bounds is JSON, and no value; what stands beside it is told."""
    whole = export(span("a", "invoke_agent"), tool("b", "a"))
    broken = export(tool("c", "a", **{"x.y": "1e999"}))
    both = json.dumps({"resourceSpans": [*broken["resourceSpans"], *whole["resourceSpans"]]})
    file = tmp_path / "trace"
    file.write_text(both.replace('"1e999"', "1e999"))
    stream = list(events(Recording(path=file, shown="trace")))

    assert [("main#1", "ok")] == ended(stream)
    assert ["bad_line"] == notes(stream)


def test_a_line_that_cannot_be_read_between_others_is_told(tmp_path: Path) -> None:
    """It may have held a call."""
    whole = lines(export(AGENT, tool("b", "a", "read")))
    (tmp_path / "trace").write_text(whole + '{"resourceSp\n' + whole)
    recording = Recording(path=tmp_path / "trace", shown="trace")

    assert "bad_line" in notes(events(recording))


def test_a_call_that_does_not_tell_when_it_began_settles_no_order(tmp_path: Path) -> None:
    """It was taken to be the first of all, so a look before a change was a look at it."""
    path = {"gen_ai.tool.call.arguments": '{"path": "a.py"}'}
    change = tool("c", "a", "edit_file") | {"startTimeUnixNano": None}
    change["attributes"] += span("x", "", **path)["attributes"][1:]
    look = tool("b", "a", "read_file")
    look["attributes"] += span("x", "", **path)["attributes"][1:]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps(export(span("a", "invoke_agent"), look, change)))

    (found,) = file_results(trace, Options(rules="contract"))

    assert ["bad_line"] == [diag.code for diag in found.diagnostics if diag.code == "bad_line"]
    assert {"not_assessable"} == {
        one.verdict.decision.value for one in found.verdicts if one.subject == "end"
    }


@pytest.mark.parametrize(
    ("recorder", "name"),
    [("semantic_kernel.functions.kernel_function", "bash"), ("mine", "desk-bash")],
)
def test_a_plugin_is_no_part_of_the_name_of_its_tool(
    recorder: str, name: str, tmp_path: Path
) -> None:
    """Its user chose that name: reads and checks were calls that may have changed anything."""
    told = export(span("a", "invoke_agent"), tool("b", "a", name="desk-bash"))
    for scope in told["resourceSpans"][0]["scopeSpans"]:
        scope["scope"] = {"name": recorder}

    assert [("main#1", name)] == acted(read(tmp_path, told))
