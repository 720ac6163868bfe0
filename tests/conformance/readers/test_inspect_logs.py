"""Inspect logs: who did what, how it ended, and whether the agent was done."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from read_records import ended, notes, outcomes, read

from reasonix_conformance.readers.files import lines as reading
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import (
    Assistant,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    User,
)

Record = dict[str, Any]


def log(**sample: Any) -> Record:
    return {"version": 2, "eval": {"model": "m"}, "samples": [{"id": "1", "epoch": 1, **sample}]}


def done(ident: str, **more: Any) -> Record:
    return {"event": "tool", "id": ident, "function": "bash", "arguments": {}, **more}


def model(text: str, *calls: str) -> Record:
    asked = [{"id": ident, "function": "bash", "arguments": {}} for ident in calls]
    message = {"role": "assistant", "content": text, "tool_calls": asked}
    return {"event": "model", "output": {"choices": [{"message": message}]}}


GO = {"role": "user", "content": "go"}


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        ("parsing", "not_run"),
        ("timeout", "cancelled"),
        ("cancelled", "cancelled"),
        ("limit", "cancelled"),
        ("permission", "blocked"),
        ("approval", "blocked"),
        ("file_not_found", "error"),
        ("unknown", "error"),
        ("a_new_one", "error"),
    ],
)
def test_an_event_of_no_message_is_told(error: str, outcome: str, tmp_path: Path) -> None:
    """Messages are what the model saw last; calls may stand in events alone."""
    stream = read(tmp_path, log(messages=[GO], events=[done("1", error={"type": error})]))

    assert [("main#1", outcome)] == ended(stream)


def test_events_are_told_before_messages_and_end_the_turn(tmp_path: Path) -> None:
    """A history that was cut short for the model hides nothing."""
    told = [model("look", "1", "2"), done("2", result="b"), done("1", failed=True), model("done")]
    stream = read(tmp_path, log(messages=[GO], events=told))

    assert [("main#2", "ok"), ("main#1", "error")] == ended(stream)
    assert ["completed"] == [e.status for e in stream if isinstance(e, TurnEnd)]


@pytest.mark.parametrize("name", ["bash", None, 7])
def test_an_event_without_the_name_of_its_tool_is_of_the_tool_that_was_called(
    name: Any, tmp_path: Path
) -> None:
    """That a command ran says nothing of how it ended, whatever its event is called."""
    told = [model("", "1"), done("1", result="x") | {"function": name}]
    stream = read(tmp_path, log(messages=[GO], events=told))

    assert [("ok", "absence")] == outcomes(stream)


@pytest.mark.parametrize("lost", [7, None, "x"])
def test_what_stands_in_the_place_of_an_event_is_a_loss(lost: Any, tmp_path: Path) -> None:
    for sample in (
        {"messages": [GO], "events": [done("1", events=[lost], result="x")]},
        {"messages": [GO], "events": [lost, done("1", result="x")]},
        {"messages": [GO, lost], "events": [done("1", result="x")]},
    ):
        stream = read(tmp_path, log(**sample))

        assert [("main#1", "ok")] == ended(stream)
        assert "bad_line" in notes(stream)


def test_a_call_that_is_pending_has_no_result(tmp_path: Path) -> None:
    """A log may be read while it is written."""
    stream = read(tmp_path, log(events=[model("", "1"), done("1", pending=True)]))

    assert [("main#1", "none")] == ended(stream)


@pytest.mark.parametrize("nested", [True, False])
def test_what_an_agent_did_inside_a_call_has_a_scope(nested: bool, tmp_path: Path) -> None:
    """Newer logs name the span of the agent, older ones hold its events inside."""
    own = done("2")
    if nested:
        told = [model("", "1"), done("1", agent="sub", events=[own])]
    else:
        told = [
            model("", "1"),
            done("1", agent="sub", agent_span_id="A"),
            {"event": "span_begin", "id": "B", "parent_id": "A"},
            own | {"span_id": "B"},
        ]
    stream = read(tmp_path, log(messages=[GO], events=told))

    (start,) = [e for e in stream if isinstance(e, SubStart)]
    assert ("main#1", "sub") == (start.parent_uid, start.kind)
    assert [(f"{start.scope}#1", "ok"), ("main#1", "ok")] == ended(stream)


# -- spans


def begin(ident: str, kind: str, *, of: str | None = None, name: str = "bash") -> Record:
    span = {"event": "span_begin", "id": ident, "type": kind, "name": name}
    return {**span, "parent_id": of, "span_id": ident}


def end(ident: str) -> Record:
    return {"event": "span_end", "id": ident, "span_id": ident}


def ran(span: str, code: int, command: str = "", **more: Any) -> Record:
    told = {"event": "sandbox", "action": "exec", "span_id": span, "result": code}
    return {**told, "cmd": f"bash --login -c {shlex.quote(command)}", **more}


def call(ident: str, name: str = "bash", **args: Any) -> Record:
    return {"id": ident, "function": name, "arguments": args}


def response(text: str | list[Record], *calls: Record, **more: Any) -> Record:
    message = {"id": text, "role": "assistant", "content": text, "tool_calls": list(calls)}
    return {"event": "model", "output": {"choices": [{"message": message}]}, **more}


def cut_off(text: str) -> Record:
    told = response(text)
    told["output"]["choices"][0]["stop_reason"] = "max_tokens"
    return told


LONG = "import sys\n" + 30 * "# it's long\n" + "sys.exit(4)\n"
SHOWN = "\n".join(LONG.splitlines()[:20]) + "\n\nand so on"


@pytest.mark.parametrize(
    ("name", "args", "runs", "graded"),
    [
        ("bash", {"command": "exit 3"}, [ran("T", 3, "exit 3")], ("error", "exit_code", 3)),
        ("bash", {"cmd": "it's"}, [ran("T", 0, "it's")], ("ok", "exit_code", 0)),
        ("python", {"code": LONG}, [ran("T", 4, "python3 -", input=SHOWN)],
         ("error", "exit_code", 4)),
        # A tool may look round before it runs what it was given, and behind it.
        ("bash", {"command": "a"}, [ran("T", 1, "b"), ran("T", 0, "a"), ran("T", 1, "c")],
         ("ok", "exit_code", 0)),
        # A server in the sandbox answers well whatever the command came to.
        ("bash_session", {"input": "a"}, [ran("T", 0, "serve", input="{}")],
         ("ok", "absence", None)),
        ("bash", {"command": "a"}, [], ("ok", "absence", None)),
        ("run_tests", {}, [], ("ok", "absence", None)),
        ("read_file", {"file_path": "a"}, [ran("T", 1, "cat a")], ("ok", "flag", None)),
    ],
)  # fmt: skip
def test_a_command_ended_as_its_run_did(
    name: str, args: Record, runs: list[Record], graded: tuple[Any, ...], tmp_path: Path
) -> None:
    """A tool that runs commands reports no error when a command fails."""
    tool = {"event": "tool", "id": "1", "function": name, "arguments": args, "result": "x"}
    told = [response("", call("1", name, **args)), begin("T", "tool", name=name), tool]
    stream = read(tmp_path, log(events=[*told, *runs, end("T"), response("done")]))

    (result,) = [e for e in stream if isinstance(e, ToolResult)]
    assert graded == (result.outcome, result.basis, result.exit_code)


def test_calls_are_over_when_their_spans_end(tmp_path: Path) -> None:
    """The event of a call stands where it began; two calls of one id are two calls."""
    asked = response("", call("1", command="a"), call("1", command="b"))
    told = [asked, begin("S", "tool"), done("1", arguments={"command": "a"}), begin("T", "tool")]
    told += [done("1", arguments={"command": "b"}), ran("T", 2, "b"), end("T")]
    stream = read(tmp_path, log(events=[*told, ran("S", 0, "a"), end("S")]))

    assert [("main#2", "error"), ("main#1", "ok")] == ended(stream)


DELEGATES = done("1", function="helper")


@pytest.mark.parametrize(
    ("around", "inside", "kind"),
    [
        ([begin("T", "tool", name="helper")], "A", "helper"),
        ([begin("H", "handoff"), begin("T", "tool", of="H", name="helper")], "A", "boss"),
        ([begin("T", "tool", name="helper")], "T", "helper"),
    ],
    ids=["as a tool", "handed over", "by the tool itself"],
)
def test_an_agent_in_the_span_of_a_call_has_a_scope(
    around: list[Record], inside: str, kind: str, tmp_path: Path
) -> None:
    """Most logs do not name the agent's span in the event of the call."""
    caller = DELEGATES | ({"agent": "boss"} if kind == "boss" else {})
    agent = [begin("A", "agent", of="T")] if inside == "A" else []
    own = [response("", call("2", command="b"), span_id=inside), begin("U", "tool", of=inside)]
    own += [done("2", span_id=inside), end("U"), response("sub", span_id=inside)]
    told = [response("", call("1", "helper")), *around, caller, *agent, *own, end("T")]
    stream = read(tmp_path, log(events=[*told, response("done")]))

    (start,) = [e for e in stream if isinstance(e, SubStart)]
    assert ("main#1", kind) == (start.parent_uid, start.kind)
    assert [(f"{start.scope}#1", "ok"), ("main#1", "ok")] == ended(stream)
    assert [start.scope, start.scope] == [
        e.scope for e in stream if isinstance(e, Assistant) and e.scope != "main"
    ]


def test_an_agent_in_the_span_of_a_call_that_is_not_told_is_read(tmp_path: Path) -> None:
    """A log that was cut off may lack the event of the call."""
    told = [begin("T", "tool", name="helper"), begin("A", "agent", of="T")]
    told += [response("", call("2"), span_id="A"), done("2", span_id="A"), end("A"), end("T")]
    stream = read(tmp_path, log(events=[*told, response("done")]))

    assert ["ok"] == [outcome for _, outcome in ended(stream)]


def test_an_agent_that_outlives_its_call_runs_on(tmp_path: Path) -> None:
    """What it does in the background happens when it happens, not before the next response."""
    told = [response("", call("1", "helper")), begin("T", "tool", name="helper"), DELEGATES]
    told += [begin("A", "agent", of="T"), end("T"), response("", call("2"))]
    told += [response("", call("3"), span_id="A"), done("2"), done("3", span_id="A")]
    stream = read(tmp_path, log(events=[*told, response("done")]))

    assert [("main#1", "running"), ("main#2", "ok"), ("A#1", "ok")] == ended(stream)
    assert 1 == sum(isinstance(e, SubEnd) for e in stream)


def test_an_agent_in_the_background_ends_with_its_span(tmp_path: Path) -> None:
    """Whoever waited for it and checks what it changed has checked that."""
    told = [response("", call("1", "helper")), begin("T", "tool", name="helper"), DELEGATES]
    told += [begin("A", "agent", of="T"), end("T"), response("", call("2"))]
    told += [response("", call("3"), span_id="A"), done("3", span_id="A"), end("A"), done("2")]
    stream = read(tmp_path, log(events=[*told, response("done")]))

    (gone,) = [index for index, e in enumerate(stream) if isinstance(e, SubEnd)]
    assert ("job_ended", "main#1") == (stream[gone + 1].name, stream[gone + 1].data["uid"])
    assert [("main#2", "ok")] == ended(stream[gone:])


@pytest.mark.parametrize("stepped", [True, False])
def test_the_answer_of_a_scorer_is_none_of_the_agent(stepped: bool, tmp_path: Path) -> None:
    """A sample that was cut off is judged all the same, and a judge's word ends no turn."""
    scored = response("GRADE", span_id=None if stepped else "G")
    if stepped:
        step = {"event": "step", "type": "scorer", "name": "s"}
        around = [{**step, "action": "begin"}, scored, {**step, "action": "end"}]
    else:
        around = [begin("S", "scorers"), begin("G", "scorer", of="S"), scored, end("G"), end("S")]
    told = [response("", call("1")), done("1"), *around]
    stream = read(tmp_path, log(events=told, limit={"type": "message", "limit": 3}))

    assert [""] == [e.text for e in stream if isinstance(e, Assistant)]
    assert [("interrupted", False)] == [
        (e.status, e.judge) for e in stream if isinstance(e, TurnEnd)
    ]


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        ([response("", call("1", "submit")), done("1", function="submit")], "completed"),
        ([response("", call("1", "submit")), done("1", function="submit", error={"type": "x"})],
         "unknown"),
        ([response("", call("1")), done("1"), response("", error="refused")], "unknown"),
        ([response("", call("1")), done("1"), response("", pending=True)], "unknown"),
        ([response("", call("1")), done("1"), cut_off("so it is")], "unknown"),
    ],
    ids=["handed in", "refused", "failed attempt", "not there yet", "cut off"],
)  # fmt: skip
def test_an_agent_is_done_when_it_answers_or_hands_in(
    last: list[Record], ended: str, tmp_path: Path
) -> None:
    """Agents with a tool for it never end by an answer; an attempt that failed is no answer."""
    stream = read(tmp_path, log(messages=[GO], events=last))

    assert [(ended, ended == "completed")] == [
        (e.status, e.judge) for e in stream if isinstance(e, TurnEnd)
    ]


def approval(ident: str, decision: str, **more: Any) -> Record:
    return {"event": "approval", "call": call(ident), "decision": decision, **more}


GIVEN = {"arguments": {"command": "a"}}
REFUSED = {"role": "tool", "tool_call_id": "1", "error": {"type": "approval", "message": "no"}}


@pytest.mark.parametrize(
    ("events", "messages", "told"),
    [
        ([approval("1", "reject"), done("1", error={"type": "approval"}, **GIVEN)], [],
         ("blocked", "a")),
        # The program ends the sample, and tells no more than that the call failed.
        ([approval("1", "terminate"), done("1", failed=True, **GIVEN)], [], ("blocked", "a")),
        # Older versions have no event for a call that was refused.
        ([approval("1", "reject")], [REFUSED], ("blocked", "a")),
        ([approval("1", "terminate")], [], ("blocked", "a")),
        ([approval("1", "modify", modified=call("1", command="b")),
          done("1", arguments={"command": "a"})], [], ("ok", "b")),
        ([done("1", arguments={"command": "b"})], [], ("ok", "b")),
        # Another program ran it: nothing but its message tells of that.
        ([], [{"role": "tool", "tool_call_id": "1", "content": "x"}], ("ok", "a")),
        ([], [], ("none", "a")),
    ],
)  # fmt: skip
def test_a_call_is_what_was_made_of_it(
    events: list[Record], messages: list[Record], told: tuple[str, str], tmp_path: Path
) -> None:
    """An approver may refuse a call or change it; evidence is what was run."""
    asked = response("look", call("1", command="a"))
    stream = read(tmp_path, log(messages=[GO, *messages], events=[asked, *events, response("")]))

    calls = {e.uid: e for e in stream if isinstance(e, ToolCall)}
    assert [told] == [
        (e.outcome, calls[e.uid].target_args["command"])
        for e in stream
        if isinstance(e, ToolResult)
    ]


def test_long_texts_are_put_back_wherever_they_stood(tmp_path: Path) -> None:
    """Texts, arguments and results over a hundred characters are attachments of a sample."""
    kept = {"1": "a long answer", "2": "make test", "3": "all passed"}
    there = {number: f"attachment://{number}" for number in kept}
    told = [response(there["1"], call("1", command="make test")), begin("T", "tool")]
    told += [done("1", arguments={"command": there["2"]}, result=[{"text": there["3"]}])]
    told += [ran("T", 0, cmd="attachment://4"), end("T"), response("attachment://5")]
    kept["4"] = "bash -c 'make test'"
    stream = read(tmp_path, log(events=told, attachments=kept))

    (asked,) = [e for e in stream if isinstance(e, ToolCall)]
    (result,) = [e for e in stream if isinstance(e, ToolResult)]
    assert {"command": "make test"} == asked.args
    assert ("all passed", "exit_code") == (result.text, result.basis)
    assert "a long answer" == next(e.text for e in stream if isinstance(e, Assistant))
    assert ["missing_blob"] == notes(stream)


def test_texts_that_keep_the_model_going_are_the_hosts(tmp_path: Path) -> None:
    """They stand behind the response that they follow."""
    nudge = {"role": "user", "content": "go on"}
    said = {"role": "assistant", "id": "hm"}
    stream = read(tmp_path, log(messages=[GO, said, nudge], events=[response("hm"), response("x")]))

    assert ["go", "hm", "go on", "x"] == [e.text for e in stream if isinstance(e, User | Assistant)]
    assert ["user", "host"] == [e.origin for e in stream if isinstance(e, User)]


@pytest.mark.parametrize(
    ("tool", "args", "target"),
    [
        ("bash", {"cmd": "ls"}, ("bash", {"command": "ls"})),
        ("read_file", {"file_path": "a"}, ("read_file", {"path": "a"})),
        ("list_files", {"path": "a"}, ("ls", {"path": "a"})),
        ("grep", {"path": "a", "pattern": "x"}, ("grep", {"path": "a"})),
        ("text_editor", {"command": "view", "path": "a"}, ("read_file", {"path": "a"})),
        ("text_editor", {"command": "create", "path": "a"}, ("write_file", {"path": "a"})),
        ("text_editor", {"command": "insert", "path": "a"}, ("edit_file", {"path": "a"})),
        ("python", {"code": "1"}, ("python", {"code": "1"})),
    ],
)
def test_standard_tools_have_the_roles_of_the_contract(
    tool: str, args: Record, target: tuple[str, Record], tmp_path: Path
) -> None:
    """What they change or read is known by path; a tool without a role stays unknown."""
    stream = read(tmp_path, log(events=[response("", call("1", tool, **args))]))

    (asked,) = [e for e in stream if isinstance(e, ToolCall)]
    assert target[0] == asked.target
    assert target[1].items() <= asked.target_args.items()
    reads = {"read_file": True, "ls": True, "grep": True, "write_file": False, "edit_file": False}
    assert reads.get(target[0]) is asked.resolved_read_only


def test_arguments_that_are_nested_deeply_are_read(tmp_path: Path) -> None:
    """JSON is read to more levels than a search in it can go down."""
    deep = "[" * 900 + "]" * 900
    text = json.dumps(log(events=[done("1", arguments={"x": 0})])).replace("0}", f"{deep}}}")
    (tmp_path / "trace").write_text(text)
    stream = list(events(Recording(path=tmp_path / "trace", shown="trace")))

    assert [("main#1", "ok")] == ended(stream)


# -- parts of a document


def three_samples() -> str:
    told = [{"id": f"s{n}", "messages": [GO], "events": [done("1"), model("ok")]} for n in range(3)]
    return json.dumps({"version": 2, "eval": {}, "samples": told})


def test_a_sample_is_decoded_when_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of many samples is longer than what one needs."""
    decoded = []
    decode = reading.ANYTHING

    def counted(part: bytes) -> Any:
        decoded.append(part)
        return decode(part)

    file = tmp_path / "trace"
    file.write_text(three_samples())
    monkeypatch.setattr(reading, "ANYTHING", counted)
    ends = (e for e in events(Recording(path=file, shown="trace")) if isinstance(e, TurnEnd))

    assert [1, 2, 3] == [len(decoded) for _ in ends]


def test_a_sample_that_cannot_be_read_is_lost_alone(tmp_path: Path) -> None:
    """A number beyond all bounds is JSON, and no value."""
    file = tmp_path / "trace"
    file.write_text(three_samples().replace('"s1"', "1e999"))
    stream = list(events(Recording(path=file, shown="trace")))

    assert ["trace#s0.1", "trace#2.1", "trace#s2.1"] == [
        event.sid for event in stream if isinstance(event, Session)
    ]
    assert ["several_sessions", "bad_line"] == notes(stream)


@pytest.mark.parametrize(
    ("tool", "read_only"),
    [
        ("think", True),
        ("submit", True),
        ("web_browser_go", True),
        ("memory", True),
        ("agent_wait", True),
        ("python", None),
    ],
)
def test_what_an_agent_notes_for_itself_changes_nothing(
    tool: str, read_only: bool | None, tmp_path: Path
) -> None:
    """Such a tool has no counterpart in the contract; of an unknown one nobody knows."""
    stream = read(tmp_path, log(events=[response("", call("1", tool))]))

    assert [(None, read_only)] == [
        (e.resolved_name, e.read_only) for e in stream if isinstance(e, ToolCall)
    ]


def test_a_list_of_the_program_is_none_of_the_contract(tmp_path: Path) -> None:
    """It takes any list, and no host let one pass that the contract refuses."""
    lists = {"todos": [{"content": "a", "status": "pending"}]}
    stream = read(tmp_path, log(events=[response("", call("1", "todo_write", **lists))]))

    assert [("agent_note", True)] == [
        (e.target, e.resolved_read_only) for e in stream if isinstance(e, ToolCall)
    ]


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ({"tool_type": "mcp_call", "name": "put", "context": "db", "arguments": '{"a": 1}'},
         ("mcp__db__put", {"a": 1}, None, "ok")),
        ({"tool_type": "code_execution", "name": "code_interpreter", "arguments": "1 / 0",
          "error": "division"}, ("code_interpreter", {"input": "1 / 0"}, True, "error")),
    ],
    ids=["by a server", "at the provider"],
)  # fmt: skip
def test_what_the_provider_ran_is_a_call_with_its_result(
    block: Record, told: tuple[Any, ...], tmp_path: Path
) -> None:
    """A server may have changed anything, and the log has no event of it."""
    said = response([{"type": "tool_use", "id": "p1", "result": "r", **block}])
    stream = read(tmp_path, log(events=[said]))

    (asked,) = [e for e in stream if isinstance(e, ToolCall)]
    (result,) = [e for e in stream if isinstance(e, ToolResult)]
    assert told == (asked.name, asked.args, asked.read_only, result.outcome)
    assert ["completed"] == [e.status for e in stream if isinstance(e, TurnEnd)]


def test_the_first_sample_tells_that_each_is_a_session_of_its_own(tmp_path: Path) -> None:
    """A log has hundreds; what was counted is given at the end of the sample, not lost with it."""
    answers = {"id": "1", "epoch": 1, "messages": [GO, {"role": "assistant", "content": "done"}]}
    whole = log() | {"samples": [answers, answers | {"id": "2"}]}

    assert ["several_sessions"] == notes(read(tmp_path, whole))


@pytest.mark.parametrize("ident", ["id", "nothing"])
def test_what_the_user_says_stands_behind_the_response_that_it_answers(
    ident: str, tmp_path: Path
) -> None:
    """Older versions give no message an id, and a model may say the same twice."""
    told = [model("", "1"), model("more?"), model("more?"), model("", "2")]
    responses = [event["output"]["choices"][0]["message"] for event in told]
    if ident == "id":
        for number, message in enumerate(responses):
            message["id"] = f"m{number}"
    said = [{"role": "user", "content": text} for text in ("yes", "no", "wrong")]
    messages = [GO, *responses[:2], said[0], responses[2], said[1], responses[3], said[2]]
    stream = read(tmp_path, log(messages=messages, events=told))

    order = [e.text or "call" for e in stream if isinstance(e, User | Assistant)]
    assert ["go", "call", "more?", "yes", "more?", "no", "call", "wrong"] == order


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ({"message": "it broke", "type": "timeout"}, "it broke"),
        ({"type": "timeout"}, "timeout"),
        ("it broke", "it broke"),
        ({"code": 5}, '{"code":5}'),
    ],
)
def test_what_an_error_says_is_told_in_whatever_form(
    error: Any, words: str, tmp_path: Path
) -> None:
    """The words of one that is a text alone were lost, and a sample with one ended well."""
    stream = read(tmp_path, log(messages=[GO], events=[done("1", error=error)], error=error))

    assert [words] == [event.error for event in stream if isinstance(event, ToolResult)]
    ends = [event for event in stream if isinstance(event, TurnEnd)]
    assert [("failed", words)] == [(event.status, event.error) for event in ends]
