"""ACP captures: who did what, and in which session."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from read_records import ended, notes, read
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import (
    Host,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    User,
)

Record = dict[str, Any]


def rpc(method: str, sid: str, **params: Any) -> Record:
    return {"jsonrpc": "2.0", "method": method, "params": {"sessionId": sid, **params}}


def update(sid: str, what: str, **more: Any) -> Record:
    return rpc("session/update", sid, update={"sessionUpdate": what, **more})


def test_sessions_of_one_connection_are_told_apart(tmp_path: Path) -> None:
    """Their records alternate; an answer belongs to the session that asked."""
    call = {"toolCallId": "1", "title": "ls", "status": "completed", "rawInput": {}}
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        rpc("session/prompt", "B", prompt=[]) | {"id": 2},
        update("B", "tool_call", **call),
        update("A", "tool_call", **call),
        {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "cancelled"}},
        {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}},
    )

    assert ["A", "B"] == [e.sid for e in stream if isinstance(e, Session)]
    assert ["completed", "interrupted"] == [e.status for e in stream if isinstance(e, TurnEnd)]
    assert ["several_sessions"] == notes(stream)


def opens(method: str, ident: int, folder: str, **params: Any) -> Record:
    params |= {"cwd": folder, "mcpServers": []}
    return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params}


def named(ident: int, sid: str) -> Record:
    return {"jsonrpc": "2.0", "id": ident, "result": {"sessionId": sid}}


ENDED = {"jsonrpc": "2.0", "id": 8, "result": {"stopReason": "end_turn"}}
SAYS = update("A", "agent_message_chunk", content={"type": "text", "text": "done"})


@pytest.mark.parametrize(
    ("opening", "said", "decisions"),
    [
        ((opens("session/new", 1, "/w"), named(1, "A")), (SAYS,), ["accept"]),
        ((opens("session/new", 1, "/w"), named(1, "B")), (SAYS,), ["not_assessable"]),
        ((opens("session/load", 1, "/w", sessionId="B"),), (SAYS,), ["not_assessable"]),
        ((opens("session/load", 1, "/w", sessionId="A"),), (SAYS,), ["accept"]),
        ((named(1, "B"), named(2, "A")), (SAYS,), ["accept"]),
        ((opens("session/new", 1, "/w"),), (SAYS,), ["accept"]),
        ((), (SAYS,), ["accept"]),
        # The answer alone tells of no turn.
        ((), (), []),
    ],
)
def test_no_turn_is_good_of_a_session_that_nothing_opened(
    opening: tuple[Record, ...], said: tuple[Record, ...], decisions: list[str], tmp_path: Path
) -> None:
    """Its work may stand under the name of another one."""
    file = tmp_path / "trace"
    prompt = rpc("session/prompt", "A", prompt=[]) | {"id": 8}
    file.write_text(lines(*opening, prompt, *said, ENDED))

    got = [
        one.verdict.decision for trace in file_results(file, Options()) for one in trace.verdicts
    ]

    assert decisions == got


PROMPTS = (
    rpc("session/prompt", "A", prompt=[]) | {"id": 8},
    rpc("session/prompt", "B", prompt=[]) | {"id": 9},
)
NEW_A, NEW_B = opens("session/new", 1, "/a"), opens("session/new", 2, "/b")
EARLY = update("A", "available_commands_update")


@pytest.mark.parametrize(
    ("records", "folders"),
    [
        ((NEW_A, named(1, "A"), *PROMPTS), ["/a", None]),
        ((NEW_A, EARLY, named(1, "A"), *PROMPTS), ["/a", None]),
        ((NEW_A, NEW_B, named(2, "B"), EARLY, named(1, "A"), *PROMPTS), ["/a", "/b"]),
        ((opens("session/load", 1, "/b", sessionId="B"), *PROMPTS), [None, "/b"]),
        # One direction alone does not tell whose a folder is, unless there is one session only.
        ((NEW_A, PROMPTS[0]), ["/a"]),
        ((NEW_A, NEW_B, *PROMPTS), [None, None]),
        (PROMPTS, [None, None]),
    ],
)
def test_the_request_that_opens_a_session_tells_its_folder(
    records: tuple[Record, ...], folders: list[str | None], tmp_path: Path
) -> None:
    """Relative looks are assessable with it, and wrong with that of another session."""
    found = {e.sid: e.cwd for e in read(tmp_path, *records) if isinstance(e, Session)}

    assert folders == [found[sid] for sid in sorted(found)]


def test_another_agents_stop_is_no_judgement(tmp_path: Path) -> None:
    """Only a host with the gates of the rules says by `end_turn` that the turn was good."""
    args = {"path": "a.py", "content": "x"}
    call = {"toolCallId": "1", "title": "write_file", "status": "completed", "rawInput": args}
    file = tmp_path / "trace"
    for mark, host in (({}, None), ({"x": "_reasonix.io/session/status"}, "accept")):
        file.write_text(
            lines(
                rpc("session/prompt", "A", prompt=[]) | {"id": 1} | mark,
                update("A", "tool_call", **call),
                update("A", "agent_message_chunk", content={"type": "text", "text": "done"}),
                {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}},
            )
        )
        (result,) = file_results(file, Options())
        assert [host] == [verdict.host for verdict in result.verdicts]


def said(kind: str, text: str) -> Record:
    return update("A", f"{kind}_message_chunk", content={"type": "text", "text": text})


def test_a_session_that_is_loaded_tells_its_earlier_turns(tmp_path: Path) -> None:
    """How they ended is not told, so nobody judges it; a call has its result in an update."""
    call = {"toolCallId": "1", "title": "bash", "status": "failed", "rawInput": {"command": "x"}}
    told = {"content": [{"content": {"type": "text", "text": "exit status 1"}}]}
    stream = read(
        tmp_path,
        rpc("session/load", "A") | {"id": 1},
        said("user", '<session-context version="1">facts</session-context>'),
        said("user", "test it"),
        update("A", "tool_call", **call),
        update("A", "tool_call_update", **call | told),
        said("agent", "It fails."),
        said("user", "thanks"),
        said("agent", "Welcome."),
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        update("A", "config_option_update", configOptions=[]),
        rpc("session/prompt", "A", prompt=[{"type": "text", "text": "mend it"}]) | {"id": 2},
        said("agent", "Done."),
        {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_turn"}},
    )

    assert ["test it", "thanks", "mend it"] == [e.text for e in stream if isinstance(e, User)]
    assert [("main#1", "error")] == ended(stream)
    assert [("unknown", False), ("unknown", False), ("completed", True)] == [
        (e.status, e.judge) for e in stream if isinstance(e, TurnEnd)
    ]
    assert [] == notes(stream)


EDIT = {"title": "edit_file", "rawInput": {"path": "a.py"}}
OTHER = {"title": "edit_file", "rawInput": {"path": "b.py"}}
READ = {"title": "read_file", "rawInput": {"path": "a.py"}}
BARE = {"title": "edit_file"}


@pytest.mark.parametrize(
    ("first", "second", "third", "told"),
    [
        (EDIT, EDIT, {}, [("edit_file", "a.py")]),
        (BARE, EDIT, {}, [("edit_file", "a.py")]),
        (BARE, {"title": "edit_file"}, {"rawInput": {"path": "a.py"}}, [("edit_file", "a.py")]),
        (EDIT, OTHER, {}, [("edit_file", "a.py"), ("edit_file", "b.py")]),
        (EDIT, READ, {}, [("edit_file", "a.py"), ("read_file", "a.py")]),
    ],
    ids=["again", "with arguments", "in the result", "another file", "another tool"],
)
def test_a_call_is_told_again_unless_it_is_another_one(
    first: Record, second: Record, third: Record, told: list[tuple[str, str]], tmp_path: Path
) -> None:
    """Two calls of one id were one: the change of the second was lost."""
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        update("A", "tool_call", toolCallId="1", status="pending", **first),
        update("A", "tool_call", toolCallId="1", status="pending", **second),
        update("A", "tool_call_update", toolCallId="1", status="completed", **third),
        {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}},
    )

    calls = {e.uid: (e.target, e.target_args) for e in stream if isinstance(e, ToolCall)}
    assert told == [(name, args["path"]) for name, args in calls.values()]


def test_a_session_that_goes_on_untold_begins_in_the_middle(tmp_path: Path) -> None:
    """What was done before may be what a verdict rests on."""
    stream = read(
        tmp_path,
        rpc("session/resume", "A") | {"id": 1},
        rpc("session/prompt", "A", prompt=[]) | {"id": 2},
        said("agent", "Done."),
        {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_turn"}},
    )

    assert ["mid_chain_start"] == notes(stream)


@pytest.mark.parametrize(
    ("kind", "told"),
    [("current_mode_update", [("plan_mode", True)]), ("of_tomorrow", []), ("plan", [])],
)
def test_the_mode_of_a_session_is_told_and_what_is_not_known_is_counted(
    kind: str, told: list[tuple[str, bool]], tmp_path: Path
) -> None:
    """While planning nothing has to be delivered; an update of another kind may have said so."""
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        update("A", kind, currentModeId="plan"),
        {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}},
    )

    assert told == [(e.name, e.data["on"]) for e in stream if isinstance(e, Host)]
    assert (kind == "of_tomorrow") is ("unknown_record" in notes(stream))


def told_call(ident: str, title: str, kind: str, at: str = "", **more: Any) -> list[Record]:
    """Return a call of an agent that puts a sentence where another has the tool's name."""
    told = {"title": title, "kind": kind, "status": "pending"}
    if at:
        told["locations"] = [{"path": at}]
    return [
        update("A", "tool_call", toolCallId=ident, **told),
        update("A", "tool_call_update", toolCallId=ident, **more),
        update("A", "tool_call_update", toolCallId=ident, status="completed"),
    ]


AT = {"locations": [{"path": "/w/a.py"}]}
DIFF = {"content": [{"type": "diff", "path": "/w/a.py", "oldText": "x", "newText": "y"}]}
RUNS = {"rawInput": {"command": "pytest -q"}}
OWN = {"_meta": {"claudeCode": {"toolName": "mcp__acp__Edit"}}}
EDITS = told_call("1", "Edit `a.py`", "edit", **DIFF)
READS = told_call("2", "Read a.py (1 - 50)", "read", **AT)
TESTS = told_call("3", "`pytest -q`", "execute", **RUNS)


@pytest.mark.parametrize(
    ("calls", "decision"),
    [
        ((*EDITS, *READS, *TESTS), "accept"),
        ((*EDITS, *told_call("2", "a.py", "read", **AT), *TESTS), "accept"),
        ((*EDITS, *told_call("2", "Makefile", "read", "/w/Makefile"), *TESTS), "reject"),
        ((*told_call("1", "Makefile", "read", "/w/Makefile"),), "accept"),
        ((*EDITS, *TESTS), "reject"),
        ((*EDITS, *READS), "reject"),
        ((*told_call("1", "Thinking about it", "think"),), "accept"),
        ((*told_call("1", "Searching for x", "search"),), "accept"),
        # What was run is not told: it may have been the check.
        ((*EDITS, *READS, *told_call("3", "Run the tests", "execute")), "not_assessable"),
        ((*told_call("1", "Do as you please", "other"),), "reject"),
    ],
    ids=[
        "honest",
        "a-file",
        "another-file",
        "only-a-file",
        "not-looked-at",
        "not-checked",
        "thought",
        "search",
        "untold-command",
        "other",
    ],
)
def test_calls_of_an_agent_that_tells_no_tools_are_known_by_their_kind(
    calls: tuple[Record, ...], decision: str, tmp_path: Path
) -> None:
    """Their titles are sentences: each call may have changed anything, by its name."""
    file = tmp_path / "trace"
    said = update("A", "agent_message_chunk", content={"type": "text", "text": "done"})
    prompt = rpc("session/prompt", "A", prompt=[]) | {"id": 1}
    end = {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "end_turn"}}
    file.write_text(lines(prompt, *calls, said, end))
    (trace,) = file_results(file, Options())

    assert [decision] == [one.verdict.decision for one in trace.verdicts]


def test_the_name_of_a_tool_that_stands_beside_the_title_counts(tmp_path: Path) -> None:
    """It says more than a kind."""
    call = {"toolCallId": "1", "title": "Edit", "kind": "other", "rawInput": {"file_path": "a"}}
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        update("A", "tool_call", status="completed", **call, **OWN),
    )

    (made,) = [event for event in stream if isinstance(event, ToolCall)]
    assert ("Edit", "edit_file") == (made.name, made.resolved_name)


def said_in(text: str) -> Record:
    return {"type": "content", "content": {"type": "text", "text": text}}


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ({"rawOutput": {"exit_code": 1, "stdout": "no"}}, ("error", 1, "no")),
        ({"rawOutput": {"exitCode": 0, "formatted_output": "yes"}}, ("ok", 0, "yes")),
        ({"rawOutput": {"metadata": {"exit": 2}, "output": "no"}}, ("error", 2, "no")),
        ({"_meta": {"terminal_exit": {"exit_code": 3}}}, ("error", 3, "")),
        ({"rawOutput": "all of it"}, ("ok", None, "all of it")),
        (
            {"content": [said_in("Exited with code 1.Final output:\n\nno")]},
            ("error", 1, "Exited with code 1.Final output:\n\nno"),
        ),
        (
            {"content": [said_in("Tool cancelled by user")]},
            ("cancelled", None, "Tool cancelled by user"),
        ),
        ({"rawOutput": {"kept": [1]}}, ("ok", None, '{"kept":[1]}')),
        ({"rawOutput": {"exit_code": "1"}}, ("error", 1, '{"exit_code":"1"}')),
        ({"rawOutput": {"exit_code": "one"}}, ("unknown", None, '{"exit_code":"one"}')),
        ({"rawOutput": {"exit_code": 1}, "content": [said_in("no")]}, ("error", 1, "no")),
        (
            {"rawOutput": {"exit_code": 0}, "content": [said_in("late")], "status": "failed"},
            ("error", None, "late"),
        ),
    ],
    ids=str,
)
def test_what_an_agent_tells_of_a_command_beside_the_protocol_counts(
    told: Record, found: tuple[str, int | None, str], tmp_path: Path
) -> None:
    """Some call a command completed that failed, and give its output in no part of the content."""
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        update("A", "tool_call", toolCallId="1", title="bash", rawInput={"command": "make"}),
        update("A", "tool_call_update", toolCallId="1", **{"status": "completed", **told}),
    )

    (result,) = [event for event in stream if isinstance(event, ToolResult)]
    assert (result.outcome, result.exit_code, str(result.text)) == found


def answer(ident: int, **result: Any) -> Record:
    return {"jsonrpc": "2.0", "id": ident, "result": result}


IN_TERMINAL = {"content": [{"type": "terminal", "terminalId": "t"}]}
WAITS = (rpc("terminal/wait_for_exit", "A", terminalId="t") | {"id": 7},)
SHOWS = (rpc("terminal/output", "A", terminalId="t") | {"id": 7},)


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ((*WAITS, answer(7, exitCode=1)), ("error", 1, "")),
        ((*WAITS, answer(7, exitCode=0, signal=None)), ("ok", 0, "")),
        ((*WAITS, answer(7, exitCode=None, signal="SIGKILL")), ("cancelled", None, "")),
        ((*SHOWS, answer(7, output="no", exitStatus={"exitCode": 2})), ("error", 2, "no")),
        ((*SHOWS, answer(7, output="yes", exitStatus=None)), ("unknown", None, "yes")),
        ((*WAITS, answer(8, exitCode=0)), ("unknown", None, "")),
        ((answer(7, exitCode=0),), ("unknown", None, "")),
        ((rpc("terminal/wait_for_exit", "A", terminalId="u") | {"id": 7}, answer(7, exitCode=0)),
         ("unknown", None, "")),
        ((update("A", "tool_call_update", toolCallId="1",
                 _meta={"terminal_output": {"terminal_id": "t", "data": "no"},
                        "terminal_exit": {"terminal_id": "t", "exit_code": 3}}),),
         ("error", 3, "no")),
    ],
)  # fmt: skip
def test_a_command_in_a_terminal_ended_as_the_editor_told(
    records: tuple[Record, ...], found: tuple[str, int | None, str], tmp_path: Path
) -> None:
    """The call is completed however its command ended."""
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        update("A", "tool_call", toolCallId="1", title="bash", rawInput={"command": "make"}),
        update("A", "tool_call_update", toolCallId="1", **IN_TERMINAL),
        *records,
        update("A", "tool_call_update", toolCallId="1", status="completed"),
    )

    (result,) = [event for event in stream if isinstance(event, ToolResult)]
    assert (result.outcome, result.exit_code, str(result.text)) == found


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        ({"outcome": "selected", "optionId": "no"}, ["blocked", "error"]),
        ({"outcome": "selected", "optionId": "yes"}, ["error", "error"]),
        ({"outcome": "cancelled"}, ["blocked", "error"]),
    ],
)
def test_a_call_that_the_user_refused_did_not_run(
    outcome: Record, told: list[str], tmp_path: Path
) -> None:
    """It failed, by its state; another one with its id was asked for by nobody."""
    options = [{"optionId": "yes", "kind": "allow_once"}, {"optionId": "no", "kind": "reject_once"}]
    asks = rpc("session/request_permission", "A", toolCall={"toolCallId": "1"}, options=options)
    begins = update("A", "tool_call", toolCallId="1", title="bash", rawInput={"command": "make"})
    fails = update("A", "tool_call_update", toolCallId="1", status="failed")
    begun = rpc("session/prompt", "A", prompt=[]) | {"id": 1}
    asked = (asks | {"id": 7}, answer(7, outcome=outcome))
    stream = read(tmp_path, begun, begins, *asked, fails, begins, fails)

    assert told == [outcome for _, outcome in ended(stream)]


@pytest.mark.parametrize(
    ("text", "outcome"), [("no such desk", "cancelled"), ("blocked: no", "blocked")]
)
def test_a_call_that_fails_once_the_prompt_was_taken_back_was_cancelled(
    text: str, outcome: str, tmp_path: Path
) -> None:
    """The protocol has no other state for it; in the next prompt it is a failure again."""
    call = {"toolCallId": "1", "title": "bash", "rawInput": {"command": "make"}}
    fails = [
        update("A", "tool_call", **call),
        update("A", "tool_call_update", toolCallId="1", status="failed", content=[said_in(text)]),
    ]
    begin = rpc("session/prompt", "A", prompt=[])
    stream = read(
        tmp_path,
        begin | {"id": 1},
        rpc("session/cancel", "A"),
        *fails,
        {"jsonrpc": "2.0", "id": 1, "result": {"stopReason": "cancelled"}},
        begin | {"id": 2},
        *fails,
    )

    assert [outcome, outcome.replace("cancelled", "error")] == [how for _, how in ended(stream)]


@pytest.mark.parametrize(
    ("records", "outcome"),
    [
        ((*WAITS, answer(7, exitCode=1)), "unknown"),
        ((*WAITS, answer(7, exitCode=0)), "ok"),
        (WAITS, "unknown"),
        ((rpc("terminal/wait_for_exit", "B", terminalId="t") | {"id": 7},), "ok"),
    ],
    ids=["failed", "ended well", "goes on", "of another session"],
)
def test_a_command_that_tells_no_terminal_may_have_run_in_one_that_nobody_told(
    records: tuple[Record, ...], outcome: str, tmp_path: Path
) -> None:
    """How it ended is not known then, unless all of them ended well."""
    make = {"title": "bash", "rawInput": {"command": "make"}}
    done = update("A", "tool_call_update", toolCallId="1", status="completed")
    stream = read(
        tmp_path,
        rpc("session/prompt", "A", prompt=[]) | {"id": 1},
        update("A", "tool_call", toolCallId="1", **make),
        *records,
        done,
        update("A", "tool_call", toolCallId="1", **make),
        done,
    )

    assert [outcome, "ok"] == [told for _, told in ended(stream)]


@pytest.mark.parametrize(
    "record",
    [
        True,
        {"jsonrpc": "2.0", "id": 7},
        rpc("session/update", "A", update=None),
        update("A", "novel_tool_call", toolCallId="2"),
    ],
    ids=["no object", "no message", "no update", "another call"],
)
def test_a_record_that_may_have_been_a_call_is_a_loss(record: Any, tmp_path: Path) -> None:
    stream = read(tmp_path, rpc("session/prompt", "A", prompt=[]) | {"id": 1}, record)

    assert "bad_line" in notes(stream)
