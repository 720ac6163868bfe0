"""Rollout files of Codex: outputs, events that say more, prompts, ends of turns, threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from codex_records import (
    BEGIN,
    META,
    Record,
    call,
    done,
    event,
    item,
    output,
    record,
    said,
    typed,
)
from read_records import notes, read

from reasonix_runtime.trace.events import (
    Assistant,
    Diag,
    Event,
    Session,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
)


def results(stream: list[Event]) -> list[tuple[str, str, str]]:
    return [(e.outcome, e.basis, e.text) for e in stream if isinstance(e, ToolResult)]


ASKS = {"type": "function_call", "name": "shell", "arguments": '{"command":["ls"]}', "call_id": "1"}
ANSWERS = {"type": "function_call_output", "call_id": "1", "output": "x"}


@pytest.mark.parametrize(
    ("ends", "outcome", "basis"),
    [
        (event("exec_command_end", call_id="1", exit_code=0), "ok", "exit_code"),
        (event("exec_command_end", call_id="1", exit_code=2), "error", "exit_code"),
        (event("exec_command_end", call_id="1", exit_code="2"), "error", "exit_code"),
        (
            event("exec_command_end", call_id="1", exit_code="0", status="completed"),
            "ok",
            "exit_code",
        ),
        (
            event("exec_command_end", call_id="1", exit_code=[], status="completed"),
            "unknown",
            "none",
        ),
        (
            event("exec_command_end", call_id="1", exit_code=-1, status="declined"),
            "blocked",
            "state",
        ),
        (event("patch_apply_end", call_id="1", success=False), "error", "flag"),
        (event("mcp_tool_call_end", call_id="1", result={"Err": "no"}), "error", "flag"),
        (event("mcp_tool_call_end", call_id="1", result={"Ok": {}}), "ok", "flag"),
        (
            event("mcp_tool_call_end", call_id="1", result={"Ok": {"is_error": True}}),
            "error",
            "flag",
        ),
        (event("exec_command_end", call_id="2", exit_code=0), "unknown", "none"),
        (done("CommandExecution", "1", status="completed", exit_code=0), "ok", "exit_code"),
        (done("CommandExecution", "1", status="failed", exit_code=3), "error", "exit_code"),
        (done("CommandExecution", "1", status="declined"), "blocked", "state"),
        (done("CommandExecution", "2", status="completed", exit_code=0), "unknown", "none"),
        (done("FileChange", "1", changes={}, status="completed"), "ok", "state"),
        (done("FileChange", "1", changes={}, status="failed"), "error", "state"),
        (done("McpToolCall", "1", status="completed", result={"content": []}), "ok", "flag"),
        (
            done("McpToolCall", "1", status="failed", result={"content": [], "isError": True}),
            "error",
            "flag",
        ),
        (done("McpToolCall", "1", status="failed", error={"message": "no"}), "error", "flag"),
        (done("McpToolCall", "1", status="news"), "unknown", "none"),
    ],
)
def test_an_event_says_how_a_call_ended(
    ends: Record, outcome: str, basis: str, tmp_path: Path
) -> None:
    """It comes before the output, and is of the call with its id."""
    asks, answers = record("response_item", **ASKS), record("response_item", **ANSWERS)
    stream = read(tmp_path, META, event("task_started"), asks, ends, answers)

    assert [(outcome, basis)] == [(e.outcome, e.basis) for e in stream if isinstance(e, ToolResult)]


@pytest.mark.parametrize("kind", ["function_call", "custom_tool_call", "local_shell_call"])
def test_an_output_of_each_kind_ends_its_call(kind: str, tmp_path: Path) -> None:
    """An output that is not read leaves a call that nobody answered."""
    asks = record("response_item", **{**ASKS, "type": kind})
    answers = record("response_item", type=f"{kind}_output", call_id="1", output="x")

    stream = read(tmp_path, META, event("task_started"), asks, answers)

    assert ["x"] == [text for _, _, text in results(stream)]


@pytest.mark.parametrize(
    ("text", "outcome", "basis"),
    [
        ("Exit code: 1\nOutput:\nx", "error", "envelope"),
        ("Exit code: 0\nOutput:\nx", "ok", "flag"),
        ("the exit code: 1", "ok", "flag"),
    ],
)
def test_a_success_whose_text_tells_a_failing_exit_is_none(
    text: str, outcome: str, basis: str, tmp_path: Path
) -> None:
    """Whether an event or the output itself says that it went well."""
    asks = record("response_item", **ASKS)
    by_event = event("mcp_tool_call_end", call_id="1", result={"Ok": {}})
    answers = record("response_item", **ANSWERS | {"output": text})
    by_output = record("response_item", **ANSWERS | {"output": {"content": text, "success": True}})

    for ends in ((by_event, answers), (by_output,)):
        stream = read(tmp_path, META, event("task_started"), asks, *ends)
        ended = [e for e in stream if isinstance(e, ToolResult)]
        assert [(outcome, basis)] == [(e.outcome, e.basis) for e in ended]


CHUNK = "Chunk ID: 1f\nWall time: 0.1 seconds\n"


@pytest.mark.parametrize(
    ("value", "outcome", "text"),
    [
        (
            CHUNK + "Process exited with code 0\nOriginal token count: 1\nOutput:\nhi\n",
            "ok",
            "hi\n",
        ),
        (CHUNK + "Process exited with code 2\nOutput:\n", "error", ""),
        (CHUNK + "Process exited with code 5\nOutput:\nExit code: 0\n", "error", "Exit code: 0\n"),
        (CHUNK + "Process running with session ID 7\nOutput:\n..", "running", ".."),
        ("Exit code: 0\nWall time: 0 seconds\nOutput:\nM a.py\n", "ok", "M a.py\n"),
        ('{"output":"","metadata":{"exit_code":0,"duration_seconds":0.0}}', "ok", ""),
        ('{"output":"x","metadata":{"exit_code":1}}', "error", "x"),
        (
            '{"output":"command timed out after 7 milliseconds\\n","metadata":{"exit_code":124}}',
            "cancelled",
            "command timed out after 7 milliseconds\n",
        ),
        ('{"output":"slow\\n","metadata":{"exit_code":124}}', "error", "slow\n"),
        (
            "Exit code: 124\nOutput:\ncommand timed out after 7 milliseconds\n",
            "cancelled",
            "command timed out after 7 milliseconds\n",
        ),
        ('{"output":"x","metadata":{"exit_code":"1"}}', "error", "x"),
        ('{"output":"x","metadata":{"exit_code":"?"}}', "unknown", "x"),
        (
            {"content": '{"output":"x","metadata":{"exit_code":1}}', "success": None},
            "error",
            "x",
        ),
        ([{"text": "Wall time: 0.1 seconds\nOutput:"}, {"text": "seven"}], "unknown", "seven"),
        ('{"success":true}', "unknown", '{"success":true}'),
        *(
            (words, outcome, words)
            for words, outcome in (
                ("unsupported call: nope", "not_run"),
                ("unsupported custom tool call: nope", "not_run"),
                ("failed to parse function arguments: missing field `cmd`", "not_run"),
                ("patch rejected: outside of the project", "blocked"),
                ("approval policy is Never; reject command", "blocked"),
                ("exec command rejected by user", "blocked"),
                ("write_stdin rejected: too large to review", "blocked"),
                ("Command blocked by PreToolUse hook: no. Command: x", "blocked"),
                ("Tool call blocked by PreToolUse hook: no. Tool: x", "blocked"),
                ("This action was rejected due to unacceptable risk.\nReason: x", "blocked"),
                ("user rejected MCP tool call", "blocked"),
                ("user cancelled MCP tool call", "blocked"),
                ("MCP tool call cancelled before approval", "blocked"),
                (
                    "exec_command failed for `x`: CreateProcess "
                    '{ message: "Rejected(\\"by policy\\")" }',
                    "blocked",
                ),
                ("exec_command failed: no such shell", "error"),
                ("write_stdin failed: Unknown process id 7", "error"),
                ("failed in sandbox None with execution error: command timed out", "cancelled"),
                ("failed in sandbox None with execution error: command was killed", "error"),
                ("error: invalid patch", "error"),
                ("tool call error: no such desk", "error"),
                ("unable to locate image at `x.png`", "error"),
                ("aborted by user after 2.7s", "unknown"),
                ("aborted before dispatch", "not_run"),
                ("Plan updated", "unknown"),
            )
        ),
        ("Wall time: 2.3 seconds\naborted by user", "unknown", None),
    ],
)
def test_an_output_says_how_a_call_ended_and_the_text_is_what_the_tool_gave(
    value: Any, outcome: str, text: str | None, tmp_path: Path
) -> None:
    """The envelope is the program's: an empty output in it says nothing."""
    stream = read(tmp_path, META, BEGIN, call("exec_command", "1"), output("1", value))
    ((told, _, given),) = results(stream)

    assert outcome == told
    assert text is None or text == given


@pytest.mark.parametrize(
    "text",
    [
        "Total output lines: 9\n\n1\n2",
        "Warning: truncated output (original token count: 9)\n1",
        "1…9 tokens truncated…3",
        "1\n[... omitted 7 of 9 lines ...]\n\n9",
    ],
)
def test_a_cut_output_says_so(text: str, tmp_path: Path) -> None:
    value = f"Process exited with code 0\nOutput:\n{text}"
    stream = read(tmp_path, META, BEGIN, call("exec_command", "1"), output("1", value))

    assert "truncated_result" in notes(stream)


def test_an_end_without_a_begin_is_told_as_such(tmp_path: Path) -> None:
    """The file may have its beginning: what it lacks is the mark of the turn."""
    stream = read(tmp_path, META, said("done"), event("task_complete"))

    assert {
        "mid_chain_start": "a turn ends (`task_complete`) that nothing began: no `task_started` "
        "stands before it"
    }.items() <= {one.code: one.text for one in stream if isinstance(one, Diag)}.items()


@pytest.mark.parametrize(
    ("more", "status", "judged"),
    [
        ([said("done"), event("task_complete", last_agent_message="done")], "completed", True),
        ([said("done"), event("task_complete")], "completed", True),
        ([said(""), event("task_complete", last_agent_message=None)], "completed", True),
        ([event("task_complete", last_agent_message=None)], "unknown", False),
        ([said("half a"), event("task_complete", last_agent_message=None)], "unknown", False),
        (
            [said("half a"), event("task_complete", error={"message": "the stream ended"})],
            "failed",
            False,
        ),
        (
            [
                event("entered_review_mode"),
                said("two findings"),
                event("task_complete", last_agent_message=None),
            ],
            "completed",
            True,
        ),
        ([said("half a"), event("turn_aborted", reason="interrupted")], "interrupted", False),
        ([call("shell", "1"), BEGIN, event("turn_aborted")], "unknown", False),
    ],
)
def test_a_turn_without_an_answer_did_not_end_well(
    more: list[Record], status: str, judged: bool, tmp_path: Path
) -> None:
    """The provider failed, or the program was killed: nobody claims that anything is done."""
    stream = read(tmp_path, META, BEGIN, *more)
    first = next(e for e in stream if isinstance(e, TurnEnd))

    assert (status, judged) == (first.status, first.judge)


PROMPT = event("user_message", message="go")
PROMPT_ON = event("user_message", message="on")
CALLED = (call("shell", "1"), output("1", '{"output":"x","metadata":{"exit_code":0}}'))


@pytest.mark.parametrize(
    ("records", "origins", "turns"),
    [
        ([typed("<environment_context>"), typed("go")], ["host", "user"], 1),
        (
            [typed("go"), PROMPT, *CALLED, typed("Warning: use the tool"), *CALLED],
            ["user", "host"],
            1,
        ),
        ([typed("go"), PROMPT, said("ok"), typed("go"), PROMPT], ["user", "user"], 2),
        ([typed("<b>go</b>"), event("user_message", message="<b>go</b>")], ["user"], 1),
        (
            [typed("go"), done("UserMessage", "u", content=[{"type": "text", "text": "go"}])],
            ["user"],
            1,
        ),
        ([typed("<environment_context>"), event("entered_review_mode"), PROMPT], ["host"], 0),
        ([BEGIN, typed("go"), PROMPT, said("ok"), typed("on"), PROMPT_ON], ["user", "user"], 1),
        ([typed("go"), PROMPT, said("ok"), typed("a hint"), PROMPT], ["user", "host"], 1),
        (
            [
                typed("go"),
                PROMPT,
                *CALLED,
                typed(""),
                event("user_message", message=""),
                said("ok"),
            ],
            ["user", "host"],
            1,
        ),
    ],
)
def test_a_prompt_is_what_an_event_tells_to_be_one(
    records: list[Record], origins: list[str], turns: int, tmp_path: Path
) -> None:
    """The program writes user items of its own, in the middle of a turn too."""
    stream = read(tmp_path, META, *records)

    assert origins == [e.origin for e in stream if isinstance(e, User)]
    assert turns == sum(isinstance(e, TurnStart) for e in stream)
    assert not {"orphan_result", "unanswered_call"} & set(notes(stream))


def test_what_follows_a_call_that_was_cut_off_is_a_response_of_its_own(tmp_path: Path) -> None:
    """Calls of one response have no order: that of the turn before is none of this one's."""
    stream = read(tmp_path, META, typed("go"), call("shell", "1"), typed("on"), call("shell", "2"))

    assert ["s1", "s2"] == [e.step for e in stream if isinstance(e, ToolCall)]
    assert ["s1", "s2"] == [e.step for e in stream if isinstance(e, Assistant)]


@pytest.mark.parametrize(
    ("space", "name", "resolved"),
    [
        ("functions", "exec_command", "bash"),
        ("mcp__desk", "mcp__desk__exec_command", None),
        ("mcp__desk__", "mcp__desk__exec_command", None),
        ("others", "others__exec_command", None),
    ],
)
def test_a_tool_of_another_namespace_is_none_of_the_programs(
    space: str, name: str, resolved: str | None, tmp_path: Path
) -> None:
    given = call("exec_command", "1", namespace=space, arguments='{"cmd":"ls"}')
    stream = read(tmp_path, META, BEGIN, given)

    assert [(name, resolved)] == [
        (e.name, e.resolved_name) for e in stream if isinstance(e, ToolCall)
    ]


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
LIB = {"paths": ["lib/a.py"]}


@pytest.mark.parametrize(
    ("command", "tool", "args"),
    [
        (["apply_patch", PATCH], "edit_file", {"paths": ["a.py"]}),
        (f"apply_patch <<'EOF'\n{PATCH}\nEOF\n", "edit_file", {"paths": ["a.py"]}),
        (["bash", "-lc", f"apply_patch <<EOF\n{PATCH}\nEOF"], "edit_file", {"paths": ["a.py"]}),
        (f"cd lib && apply_patch <<'EOF'\n{PATCH}\nEOF", "edit_file", LIB),
        *(
            ({"command": f"apply_patch <<'EOF'\n{PATCH}\nEOF", key: "lib"}, "edit_file", LIB)
            for key in ("workdir", "cwd", "directory", "dir_path")
        ),
        ({"command": ["apply_patch", PATCH], "workdir": "", "cwd": "lib"}, "edit_file", LIB),
        ({"command": ["apply_patch", PATCH], "workdir": "."}, "edit_file", {"paths": ["a.py"]}),
        (["/usr/bin/zsh", "-lc", "ls"], "bash", {"command": "ls"}),
        (["git", "commit", "-m", "a; b"], "bash", {"command": "git commit -m 'a; b'"}),
        (
            [r"C:\W\pwsh.exe", "-NoProfile", "-Command", "Get-Content a"],
            "bash",
            {"command": "Get-Content a"},
        ),
        (["cmd.exe", "/d", "/c", "type a"], "bash", {"command": "cmd /c 'type a'"}),
        (["powershell", "-File", "a.ps1"], "bash", {"command": "powershell -File a.ps1"}),
        ("apply_patch <<'EOF'\nx\nEOF\nrm b", "bash", None),
    ],
)
def test_a_patch_that_is_given_to_the_shell_changes_its_files(
    command: Any, tool: str, args: Any, tmp_path: Path
) -> None:
    """The program makes such a patch itself."""
    arguments = command if isinstance(command, dict) else {"command": command}
    stream = read(tmp_path, META, BEGIN, call("shell", "1", arguments=arguments))
    (event,) = [e for e in stream if isinstance(e, ToolCall)]

    assert tool == event.resolved_name
    assert args is None or args == event.resolved_args


@pytest.mark.parametrize(
    ("between", "tool"),
    [
        ([], "bash"),
        ([call("write_stdin", "p", arguments='{"session_id":7}'), output("p", "")], "bash"),
        ([call("apply_patch", "p"), output("p", "")], None),
    ],
)
def test_a_call_that_waits_for_a_command_is_that_command_where_nothing_came_between(
    between: list[Record], tool: str | None, tmp_path: Path
) -> None:
    """A check that ran while something was changed says nothing of the change."""
    runs = "Process running with session ID 7\nOutput:\n"
    stream = read(
        tmp_path,
        META,
        BEGIN,
        call("exec_command", "1", arguments='{"cmd":"pytest -q"}'),
        output("1", runs),
        *between,
        call("write_stdin", "2", arguments='{"session_id":7,"chars":""}'),
        output("2", "Process exited with code 0\nOutput:\n9 passed"),
    )
    last = [e for e in stream if isinstance(e, ToolCall)][-1]

    assert ("write_stdin", tool) == (last.name, last.resolved_name)
    assert ("ok", "envelope", "9 passed") == results(stream)[-1]


@pytest.mark.parametrize(
    ("records", "codes"),
    [
        (
            [record("session_meta", id="two", history_base={"thread_id": "one"})],
            ["mid_chain_start"],
        ),
        ([META, record("compacted", message="so far")], ["mid_chain_start"]),
        ([META, BEGIN, record("compacted", message="so far"), event("task_complete")], []),
        ([META, done("EnteredReviewMode", "r")], ["missing_child"]),
        (
            [
                META,
                BEGIN,
                item("additional_tools", tools=[]),
                item("function_call_output", name="goal_objective", output="mend it"),
                record("token_usage_record"),
                record("inter_agent_communication_metadata"),
                event("thread_settings_applied"),
                event("exited_review_mode"),
                item("image_generation_call", id="i", status="completed", result="AA"),
                item("ghost_snapshot", ghost_commit={}),
                item("compaction", encrypted_content="x"),
                event("agent_reasoning_raw_content", text="x"),
                event("view_image_tool_call", call_id="1", path="/w/a.png"),
                done("AgentMessage", "m"),
                done("ContextCompaction", "c"),
                done("CollabAgentToolCall", "s", tool="wait"),
                event("task_complete"),
            ],
            [],
        ),
        ([META, BEGIN, done("Novelty", "n"), event("task_complete")], ["unknown_record"]),
        (
            [META, BEGIN, event("task_complete"), event("thread_rolled_back", num_turns=1)],
            ["branch_dropped"],
        ),
        ([META, event("undo_completed", success=True)], ["branch_dropped"]),
        ([META, event("undo_completed", success=False)], []),
        ([META, event("turn_started"), said("done"), event("turn_complete")], []),
        ([META, BEGIN, item("novelty"), event("task_complete")], ["unknown_record"]),
        ([META, BEGIN, item("novel_call"), event("task_complete")], ["bad_line"]),
        ([{**META, "ordinal": 0}, {**BEGIN, "ordinal": 2}, event("task_complete")], ["bad_line"]),
        ([{**META, "ordinal": 4}, {**BEGIN, "ordinal": 5}, event("task_complete")], []),
        ([META, BEGIN, item("tool_search_call"), event("task_complete")], []),
    ],
)
def test_what_holds_no_call_is_passed_over_and_what_lacks_something_says_so(
    records: list[Record], codes: list[str], tmp_path: Path
) -> None:
    assert codes == notes(read(tmp_path, *records))


def test_the_oldest_files_have_no_wrapper(tmp_path: Path) -> None:
    """Their first line is the session, the others are items."""
    stream = read(
        tmp_path,
        {"id": "old", "timestamp": "2025-06-01T00:00:00Z", "instructions": None},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        ASKS,
        ANSWERS,
    )

    assert ["old"] == [e.sid for e in stream if isinstance(e, Session)]
    assert [("shell", "bash")] == [
        (e.name, e.resolved_name) for e in stream if isinstance(e, ToolCall)
    ]
    assert [] == notes(stream)


def test_a_thread_that_goes_on_from_another_begins_with_that_ones_history(tmp_path: Path) -> None:
    """Both sessions are named before any turn: one trace. After a turn another thread begins."""
    other = record("session_meta", id="two")
    turn = (event("task_started"), event("task_complete"))
    forked = read(tmp_path, META, other, *turn, *turn)
    joined = read(tmp_path, META, *turn, other, *turn)

    assert ["one"] == [e.sid for e in forked if isinstance(e, Session)]
    assert [1, 2] == [e.turn for e in forked if isinstance(e, TurnStart)]
    assert ["one", "two"] == [e.sid for e in joined if isinstance(e, Session)]
    assert [1, 1] == [e.turn for e in joined if isinstance(e, TurnStart)]
    assert ["several_sessions"] == notes(forked) == notes(joined)


def test_a_sub_agent_has_a_rollout_of_its_own(tmp_path: Path) -> None:
    """What it did is not here."""
    asks = record("response_item", **ASKS | {"name": "spawn_agent"})
    answers = record("response_item", **ANSWERS)
    stream = read(tmp_path, META, event("task_started"), asks, answers, event("task_complete"))

    assert ["missing_child"] == notes(stream)


def test_a_sub_agent_that_was_not_started_did_nothing(tmp_path: Path) -> None:
    """Versions without sub-agents say that they have no such tool."""
    asks = record("response_item", **ASKS | {"name": "spawn_agent"})
    answers = record("response_item", **ANSWERS | {"output": "unsupported call: spawn_agent"})
    stream = read(tmp_path, META, event("task_started"), asks, answers, event("task_complete"))

    assert [] == notes(stream)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Exit code: 0\nx", "unknown"),
        ('{"metadata":{"exit_code":0},"output":"x"}', "unknown"),
        ([{"type": "input_text", "text": "Script completed\nx"}], "unknown"),
        ([{"type": "input_text", "text": "error: a document about errors"}], "unknown"),
        ("tool call error: the server is gone", "error"),
        ({"content": "x", "success": True}, "ok"),
    ],
)
def test_what_the_tool_of_a_server_gives_back_is_no_envelope(
    said: Any, outcome: str, tmp_path: Path
) -> None:
    """It may be the text of a file; only the program itself says as bare text that it failed."""
    stream = read(tmp_path, META, BEGIN, call("mcp__files__read", "1"), output("1", said))

    assert [outcome] == [result[0] for result in results(stream)]


def test_a_message_of_an_unknown_role_is_counted(tmp_path: Path) -> None:
    """It may be what the user said."""
    stream = read(tmp_path, META, BEGIN, item("message", role="critic", content=[]))

    assert "unknown_record" in notes(stream)


@pytest.mark.parametrize(("source", "origin"), [(None, "host"), ({"subagent": "review"}, "parent")])
def test_a_message_of_another_agent_is_that_of_whoever_delegated(
    source: Any, origin: str, tmp_path: Path
) -> None:
    """In the main thread the program passes it on; in a sub-agent's it is the order."""
    meta = record("session_meta", id="one", cwd="/w", source=source)
    told = item("agent_message", content=[{"type": "input_text", "text": "look"}])
    stream = read(tmp_path, meta, BEGIN, told)

    assert [("look", origin)] == [(e.text, e.origin) for e in stream if isinstance(e, User)]
