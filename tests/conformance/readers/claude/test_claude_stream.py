"""Outputs of Claude Code runs: turns, outcomes, sub-agents and what is missing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from output_records import (
    Record,
    answers,
    asks,
    edited,
    init,
    jobs,
    judged,
    prompt,
    ran,
    read,
    result,
    says,
    spoken,
    system,
)
from read_records import acted, codes, ends, outcomes
from trace_samples import lines

from reasonix_conformance.readers.claude.words import may_hide_failure
from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.lines import NO_RECORD
from reasonix_conformance.readers.files.recording import HEAD, Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import Compaction, Diag, Session, ToolCall, User

FOUND = (*edited("1"), *ran("2", "pytest -q", "1 passed"), *ran("3", "git diff", "+x"))


@pytest.mark.parametrize(
    ("last", "end"),
    [
        ([says("9", "done"), result()], ("completed", True)),
        ([says("9", "done"), result(terminal_reason="completed")], ("completed", True)),
        ([result(terminal_reason="completed")], ("completed", True)),
        ([result()], ("unknown", False)),
        ([says("9", "do"), result(stop_reason="max_tokens")], ("unknown", False)),
        ([says("9", "do"), result(stop_reason="refusal")], ("unknown", False)),
        ([says("9", "oops", is_api_error_message=True), result()], ("failed", False)),
        ([says("9", "oops", error="server_error"), result()], ("failed", False)),
        ([says("9", "done", error=None), result()], ("completed", True)),
        ([says("9", "oops"), result(is_error=True)], ("failed", False)),
        ([says("9", "done"), result("error_max_turns")], ("interrupted", False)),
        ([result("error_max_budget_usd")], ("interrupted", False)),
        ([result("error_during_execution")], ("failed", False)),
        ([result("error_of_another_kind")], ("failed", False)),
        ([prompt("9", "[Request interrupted by user]"), result("error_during_execution")],
         ("interrupted", False)),
        ([says("9", "done")], ("unknown", False)),
    ],
)  # fmt: skip
def test_a_run_ends_as_its_result_tells(
    last: list[Record], end: tuple[str, bool], tmp_path: Path
) -> None:
    """A run that was cut off, stopped or failed is not judged by what it had done so far."""
    stream = read(tmp_path, init(), *ran("1", "ls"), *last)

    assert [end] == ends(stream)
    assert (["truncated_tail"] if last[-1]["type"] != "result" else []) == codes(stream)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (answers("1", "x", tool_use_result={"stdout": "x"}), ("ok", "absence")),
        (answers("1", "Exit code 3\nx", error=True), ("error", "flag")),
        (answers("1", "x", tool_use_result={"interrupted": True}), ("cancelled", "flag")),
        (answers("1", "x", tool_use_result={"returnCodeInterpretation": "no"}), ("error", "flag")),
        (answers("1", "x", tool_use_result={"backgroundTaskId": "b"}), ("running", "state")),
        (answers("1", "Command running in background with ID: b"), ("running", "state")),
        (answers("1", "not today", error=True,
                 tool_result_meta=[{"id": "t-1", "non_execution_kind": "permission-rule"}]),
         ("blocked", "flag")),
        (answers("1", "not today", error=True,
                 tool_result_meta=[{"id": "t-0", "non_execution_kind": "permission-rule"}]),
         ("error", "flag")),
        (answers("1", "not today", error=True,
                 tool_result_meta=[{"id": "t-1", "call_ended": "not_started"}]),
         ("not_run", "flag")),
        (answers("1", "This command requires approval", error=True), ("blocked", "flag")),
    ],
)  # fmt: skip
def test_a_result_is_told_by_its_flag_its_facts_and_its_words(
    answer: Record, outcome: tuple[str, str], tmp_path: Path
) -> None:
    """Facts stand beside results of newer versions, of the main conversation only."""
    stream = read(tmp_path, init(), asks("1", "Bash", command="make"), answer, result())

    assert [outcome] == outcomes(stream)


def test_a_call_that_the_program_says_it_denied_did_not_fail(tmp_path: Path) -> None:
    """A command that failed may have changed something, one that was denied has not."""
    denied = system("permission_denied", tool_use_id="t-1", tool_name="Bash", message="no")
    stream = read(
        tmp_path,
        init(),
        asks("1", "Bash", command="rm a"),
        denied,
        answers("1", "not today", error=True),
        result(permission_denials=[{"tool_name": "Bash", "tool_use_id": "t-1"}]),
    )

    assert [("blocked", "flag")] == outcomes(stream)


@pytest.mark.parametrize(
    ("line", "text", "hidden"),
    [
        ("grep x a.py", "", True),
        ("grep x a.py", "1: x", False),
        ("grep -c x a.py", "0", True),
        ("grep --count x a.py", "0", True),
        ("rg -q x && egrep y b", "(Bash completed with no output)", True),
        ("diff a b", "< x", True),
        ("test -f a", "", True),
        ("[ -f a ]", "", True),
        ("find . -name a", "a", True),
        ("pytest -q | grep passed", "", True),
        ("grep x a.py; pytest -q", "1 passed", False),
        ("echo 'a; grep x'", "", False),
        ("git diff", "", False),
        ("git diff --exit-code", "", True),
        ("git -C d diff --quiet", "", True),
        ("git grep x", "a", True),
        ("for a in b; do diff a b; done", "", True),
        ("pytest -q", "1 passed", False),
        ("", "", False),
    ],
)
def test_a_status_of_one_may_hide_where_no_fact_is_told(line: str, text: str, hidden: bool) -> None:
    """Of some programs a status of one is no failure to Claude Code, and no word tells it."""
    call = ToolCall(uid="main#1", name="Bash", args={"command": line}, turn=1, step="1")

    assert hidden is may_hide_failure(text, call)


def test_a_success_that_may_hide_a_failure_is_unknown(tmp_path: Path) -> None:
    """Unknown is never a success; with the facts beside it, it is known."""
    stream = read(
        tmp_path,
        init(),
        *[asks("1", "Bash", command="test -f a"), answers("1", "")],
        *ran("2", "test -f a", ""),
        result(),
    )

    assert [("unknown", "none"), ("ok", "absence")] == outcomes(stream)


@pytest.mark.parametrize(
    ("tool", "args", "text", "ended"),
    [
        ("BashOutput", {"bash_id": "b"}, "<status>running</status>", None),
        ("BashOutput", {"bash_id": "b"}, "<status>completed</status>\n<exit_code>0</exit_code>",
         "ok"),
        ("BashOutput", {"bash_id": "b"}, "<status>completed</status>\n<exit_code>3</exit_code>",
         "error"),
        ("BashOutput", {"bash_id": "b"},
         f"<status>completed</status>\n<exit_code>{'9' * 5_000}</exit_code>", "error"),
        ("BashOutput", {"bash_id": "c"}, "<status>failed</status>", None),
        ("TaskOutput", {"task_id": "b"},
         "<retrieval_status>success</retrieval_status>\n<task_id>b</task_id>\n"
         "<status>failed</status>", "error"),
        ("Read", {"file_path": "b"}, "<status>completed</status>", None),
        ("KillShell", {"shell_id": "b"}, '{"message":"killed","shell_id":"b"}', "cancelled"),
        ("KillShell", {"shell_id": "b"}, "no JSON", None),
    ],
)  # fmt: skip
def test_the_end_of_a_job_is_told_by_the_words_of_who_asks(
    tool: str, args: Record, text: str, ended: str | None, tmp_path: Path
) -> None:
    """Older versions tell it nowhere else."""
    stream = read(
        tmp_path,
        init(),
        asks("1", "Bash", command="make", run_in_background=True),
        answers("1", "Command running in background with ID: b"),
        asks("2", tool, **args),
        answers("2", text),
        result(),
    )

    assert ([] if ended is None else [("main#1", ended)]) == jobs(stream)


@pytest.mark.parametrize(
    "words",
    [
        "Command running in background with ID: b",
        "1 passed\nCommand running in background with ID: b. Output is being written to: o",
        "1\nCommand was manually backgrounded by user with ID: b. Output is being written to: o",
        "1\nCommand did not complete within its 9s timeout and was moved to the background (ID: b)."
        " Output is being written to: o",
        "Command was moved to the background (ID: b) so that a message can reach you",
        "1\nCommand exceeded the blocking budget (15s) and was moved to the background with ID: b.",
    ],
)
def test_a_command_that_was_moved_to_the_background_has_not_ended(
    words: str, tmp_path: Path
) -> None:
    """What it had said until then stands first."""
    stream = read(
        tmp_path, init(), asks("1", "Bash", command="pytest -q"), answers("1", words), result()
    )

    assert [("running", "state")] == outcomes(stream)


@pytest.mark.parametrize(
    ("news", "ended"),
    [
        ([system("task_notification", task_id="b", status="completed")], ["ok"]),
        ([system("task_updated", task_id="b", patch={"status": "failed"})], ["error"]),
        ([system("task_updated", task_id="b", patch={"status": "killed"}),
          system("task_notification", task_id="b", status="stopped")], ["cancelled"]),
        ([system("task_notification", task_id="other", status="completed")], []),
        ([system("task_notification", task_id="b", status="completed", waiting_on_agents=True),
          system("task_notification", task_id="b", status="failed")], ["error"]),
        ([system("task_updated", task_id="b", patch={"status": "running"})], []),
    ],
)  # fmt: skip
def test_the_end_of_a_job_is_told_once_by_its_news(
    news: list[Record], ended: list[str], tmp_path: Path
) -> None:
    """Newer versions tell it twice: a change of its state, and what the model is shown."""
    started = answers("1", "started", tool_use_result={"backgroundTaskId": "b"})
    stream = read(
        tmp_path, init(), asks("1", "Bash", command="make"), started, *news, says("2", "x")
    )

    assert [("main#1", one) for one in ended] == jobs(stream)


@pytest.mark.parametrize(
    "words",
    [
        'MCP tool "y" was moved to the background as task m1 so that a message can reach you',
        'MCP tool "y" is still running after 120s. It was moved to the background as task m1 and',
    ],
)
def test_a_call_of_a_server_that_was_moved_to_the_background_has_not_ended(
    words: str, tmp_path: Path
) -> None:
    """What the server gave so far stands beside it, and no job."""
    ended = system("task_notification", task_id="m1", status="failed")
    stream = read(
        tmp_path, init(), asks("1", "mcp__x__y"), answers("1", words, tool_use_result=words), ended
    )

    assert [("running", "state")] == outcomes(stream)
    assert [("main#1", "error")] == jobs(stream)


def test_runs_of_one_session_are_its_turns(tmp_path: Path) -> None:
    """`--continue` goes on with the session; a file may hold several runs."""
    again = [init(), says("8", "more"), result()]
    stream = read(tmp_path, init(), says("1", "one"), result(), *again)

    assert [("completed", True)] * 2 == ends(stream)
    assert [] == codes(stream)


def test_a_run_that_was_killed_ends_where_the_next_begins(tmp_path: Path) -> None:
    """What it had begun has no result."""
    killed = asks("1", "Bash", command="make")
    stream = read(tmp_path, init(), killed, init(), says("8", "more"), result())

    assert [("unknown", False), ("completed", True)] == ends(stream)
    assert ["unanswered_call"] == codes(stream)


def test_sessions_in_one_file_are_told_one_after_the_other(tmp_path: Path) -> None:
    """A call of one is none of another, whatever its id."""
    other = [one | {"session_id": "o"} for one in (*ran("1", "ls"), says("2", "done"), result())]
    stream = read(tmp_path, init(), *ran("1", "ls"), says("2", "x"), result(), init("o"), *other)

    assert ["s", "o"] == [event.sid for event in stream if isinstance(event, Session)]
    assert [("main#1", "Bash")] * 2 == acted(stream)
    assert ["several_sessions"] == codes(stream)


def test_the_prompts_of_a_run_are_told_where_it_repeats_them(tmp_path: Path) -> None:
    """With `--replay-user-messages`; one that was typed meanwhile begins no turn."""
    stream = read(
        tmp_path,
        init(),
        prompt("1", "one", isReplay=True),
        asks("2", "Bash", command="ls"),
        prompt("3", "two", isReplay=True),
        answers("2", "x"),
        says("4", "done"),
        result(),
        init(),
        prompt("5", "three", isReplay=True),
        prompt("6", "Stop hook feedback:\n- no", isSynthetic=True),
        prompt("7", "<local-command-stdout>x</local-command-stdout>", isReplay=True),
        says("8", "done"),
        result(),
    )

    assert [
        (1, "one", "user"),
        (1, "two", "user"),
        (2, "three", "user"),
        (2, "Stop hook feedback:\n- no", "host"),
        (2, "<local-command-stdout>x</local-command-stdout>", "host"),
    ] == [(event.turn, event.text, event.origin) for event in stream if isinstance(event, User)]
    assert [("completed", True)] * 2 == ends(stream)


NEWS = system("task_notification", task_id="b", status="completed")
STARTED = (
    asks("1", "Bash", command="make"),
    answers("1", "Command running in background with ID: b"),
)


@pytest.mark.parametrize(
    ("records", "told"),
    [
        ([NEWS, init(), says("3", "b"), result(), result()], [("completed", True)]),
        ([NEWS, init(), says("3", "b"), result(), result("error_max_turns")],
         [("interrupted", False)]),
        ([result(), NEWS, init(), says("3", "b"), result()], [("completed", True)]),
        ([result(), NEWS, init(), prompt("3", "b"), says("4", "c"), result()],
         [("completed", True)] * 2),
        ([result(), NEWS], [("completed", True)]),
    ],
)  # fmt: skip
def test_a_turn_goes_on_for_a_job_that_has_ended(
    records: list[Record], told: list[tuple[str, bool]], tmp_path: Path
) -> None:
    """The model is called again; the results come at once, or each where it belongs."""
    stream = read(tmp_path, init(), *STARTED, says("2", "a"), *records)

    assert told == ends(stream)


def test_a_command_of_the_program_is_no_turn(tmp_path: Path) -> None:
    """Nothing was asked of the model."""
    shown = prompt("1", "<local-command-stdout>x</local-command-stdout>", isReplay=True)
    compacted = system("compact_boundary", compact_metadata={"trigger": "manual"})
    stream = read(tmp_path, init(), compacted, shown, result(num_turns=0))

    assert [] == ends(stream)
    assert ["manual"] == [event.kind for event in stream if isinstance(event, Compaction)]


def test_pieces_of_messages_and_records_of_no_interest_are_left_out(tmp_path: Path) -> None:
    """`--include-partial-messages` tells everything twice; other kinds are named."""
    piece = {"type": "stream_event", "event": {"type": "message_stop"}, "session_id": "s"}
    stream = read(tmp_path, piece, init(), piece, says("1", "x"), {"type": "new_kind"}, result())

    assert [("completed", True)] == ends(stream)
    assert ["unknown_record"] == codes(stream)


@pytest.mark.parametrize(
    "records",
    [[*ran("1", "ls"), says("2", "done"), result()], [result(result="done")]],
)
def test_an_output_without_its_beginning_says_so(records: list[Record], tmp_path: Path) -> None:
    """`--output-format json` alone leaves nothing but the result."""
    stream = read(tmp_path, *records)

    assert ["mid_chain_start"] == codes(stream)
    assert [] == [one for one, _ in judged(tmp_path, *records) if one != "not_assessable"]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("long", [0, HEAD])
def test_all_messages_as_one_array_are_the_same_run(
    indent: int | None, long: int, tmp_path: Path
) -> None:
    """`--output-format json --verbose` writes them so, and who runs it in a pipeline, too."""
    path = tmp_path / "out.json"
    records: list[Any] = [init(), *FOUND[:1], answers("1", "x" * long), *FOUND[2:]]
    path.write_text(json.dumps([*records, says("4", "done"), result()], indent=indent))
    stream = list(events(Recording(path=path, shown="out.json")))

    assert [("completed", True)] == ends(stream)
    assert 3 == len(acted(stream))


def test_the_log_of_a_pipeline_is_read(tmp_path: Path) -> None:
    """It puts the time before each line; what other programs wrote there is no rest of a record."""
    told = [json.dumps(one) for one in (init(), *FOUND, says("4", "done"), result())]
    told[3:3] = ['##[group]with {"a": 1}', 'ERROR host: new servers: {"demo": 1}']
    stamp = "2026-03-01T10:00:00.1234567Z "
    path = tmp_path / "job.log"
    path.write_text("\ufeff" + "".join(f"{stamp}{line}\r\n" for line in told))

    assert "claude-stream" == detect(Recording(path=path, shown="job.log").head())
    stream = list(events(Recording(path=path, shown="job.log")))
    assert [("completed", True)] == ends(stream)
    assert [NO_RECORD] * 2 == [event.text for event in stream if isinstance(event, Diag)]


def test_what_a_terminal_and_other_programs_put_between_is_no_loss(tmp_path: Path) -> None:
    """Captured output has colours, cursor codes, carriage returns and lines of other programs."""
    text = lines(init(), *FOUND, says("4", "done"), result())
    told = text.replace("\n", "\r\nwarning: no config\r\n", 1)
    path = tmp_path / "out.log"
    path.write_bytes(b"\xef\xbb\xbf\x1b[?25l" + told.replace("\n", "\n\x1b[?25h", 2).encode())

    stream = list(events(Recording(path=path, shown="out.log")))

    assert [("completed", True)] == ends(stream)
    assert ["bad_line"] == codes(stream)


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", "\x1b[0m"), ("", "\x1b[?25h\x1b[K\r"), ("\x1b]0;run\x07", ""),
        ("\x1b]2;run {1}\x1b\\\x1b[32m", "\x1b[0m \x1b]0;\x07"),
    ],
)  # fmt: skip
def test_codes_of_a_terminal_around_a_record_do_no_harm(
    before: str, behind: str, tmp_path: Path
) -> None:
    """Colours, cursor codes and the titles of windows stand before and behind it."""
    text = lines(init(), *FOUND, says("4", "done"), result())
    path = tmp_path / "out.log"
    path.write_text("".join(f"{before}{line}{behind}\n" for line in text.splitlines()))

    recording = Recording(path=path, shown="out.log")

    assert "claude-stream" == detect(recording.head())
    assert [] == codes(list(events(recording)))


def test_a_torn_record_with_a_colour_behind_it_is_lost(tmp_path: Path) -> None:
    """Codes are taken off its end, and nothing is put in their place."""
    text = lines(init(), *FOUND, says("4", "done"), result())
    path = tmp_path / "out.log"
    path.write_text(text.replace("}\n", "\x1b[0m\n", 2))

    stream = list(events(Recording(path=path, shown="out.log")))

    assert 2 == len([one for one in stream if isinstance(one, Diag) and one.code == "bad_line"])


@pytest.mark.parametrize(
    ("records", "verdict"),
    [
        ([*FOUND, says("4", "done"), result()], ("accept", "")),
        ([*FOUND[:2], *FOUND[4:], says("4", "done"), result()],
         ("reject", "finish.verification_missing")),
        ([*FOUND[:4], says("4", "done"), result()], ("reject", "finish.inspection_missing")),
        ([*FOUND, asks("4", "Task", prompt="x"), answers("4", "x"), says("5", "done"), result()],
         ("not_assessable", "")),
    ],
)  # fmt: skip
def test_an_output_is_judged_as_its_session_is(
    records: list[Record], verdict: tuple[str, str], tmp_path: Path
) -> None:
    """What sub-agents of old versions did is not in it."""
    assert [verdict] == judged(tmp_path, init(), *records)


@pytest.mark.parametrize("times", [1, 2])
def test_a_call_without_a_result_may_have_run_whatever_was_denied_around_it(
    times: int, tmp_path: Path
) -> None:
    """No gate of the kit kept it from running, nor did it bring the end nearer as a refusal."""
    refused = "This command requires approval"
    before = [asks("0", "TodoWrite", todos=[]), answers("0", refused, error=True)]
    lost = asks("1", "Edit", file_path="/w/a.py")
    denied = [
        record
        for number in range(2, 2 + times)
        for record in (
            asks(str(number), "Edit", file_path=f"/w/{number}.py"),
            answers(str(number), refused, error=True),
        )
    ]

    verdicts = judged(tmp_path, init(), *before, lost, *denied, says("9", "done"), result())

    assert [("not_assessable", "")] == verdicts


def test_a_result_of_a_hidden_check_is_no_evidence(tmp_path: Path) -> None:
    """A search ends the command, and nobody knows how."""
    check = [asks("2", "Bash", command="pytest -q && grep -q x a"), answers("2", "")]

    verdicts = judged(tmp_path, init(), *FOUND[:2], *check, *FOUND[4:], says("4", "x"), result())

    assert [("not_assessable", "")] == verdicts


@pytest.mark.parametrize(
    "text",
    [
        lines({"content": [{"text": "x"}], "model": "m", "parent_tool_use_id": None}),
        lines({"subtype": "init", "data": {"session_id": "s"}}),
        lines({"subtype": "success", "duration_ms": 1, "num_turns": 1, "session_id": "s"}),
        lines({"type": "AssistantMessage", "content": []}),
        json.dumps([{"content": "x", "uuid": None, "parent_tool_use_id": None}], indent=1),
    ],
)
def test_objects_of_the_sdk_for_python_are_another_format(text: str) -> None:
    """They have no types, so that nobody can tell a call from a result for sure."""
    assert "claude-sdk-objects" == detect(text.encode())


def test_a_record_of_the_oldest_outputs_is_one(tmp_path: Path) -> None:
    """They name neither the run nor the call that a message belongs to."""
    old = spoken("assistant", "1", [{"type": "text", "text": "x"}])
    del old["parent_tool_use_id"], old["uuid"]

    assert "claude-stream" == detect(lines(old).encode())
    assert [("completed", True)] == ends(read(tmp_path, init(), old, result()))
