"""Session files of Claude Code: sub-agents in files of their own, and background jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from claude_records import Record, agents, answers, asks, notes, read, record, says
from read_records import acted, ended
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.trace.events import Diag, Host, SubStart

# A turn that only asks a sub-agent, whose own file names it `x`.
DELEGATED = (
    record("user", "1", "go"),
    asks("2", "Agent", prompt="look"),
    answers("3", "2", "found", toolUseResult={"agentId": "x"}),
    record("assistant", "4", [{"type": "text", "text": "done"}]),
)


@pytest.mark.parametrize("folder", ["s/subagents", "."])
def test_a_folder_holds_a_sub_agent_once(folder: str, tmp_path: Path) -> None:
    """Its file is read with the session, in either place, and not as a session of its own."""
    child = [
        record("user", "c1", "look", isSidechain=True, agentId="x"),
        asks("c2", "Read", file_path="a") | {"isSidechain": True, "agentId": "x"},
        answers("c3", "c2", "x", isSidechain=True, agentId="x"),
    ]
    place = tmp_path / folder / "agent-x.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(lines(*child))
    stream = read(tmp_path, *DELEGATED)

    assert ["x"] == [event.scope for event in stream if isinstance(event, SubStart)]
    assert [] == notes(stream)
    assert 1 == len(list(results([tmp_path], Options(), [])))


def test_what_an_unknown_sub_agent_did_lets_no_turn_end_well(tmp_path: Path) -> None:
    """A file that no call names, or a call whose file is gone, hides changes."""
    lonely = tmp_path / "s" / "subagents" / "agent-y.jsonl"
    lonely.parent.mkdir(parents=True)
    lonely.write_text(lines(record("user", "c1", "look", isSidechain=True)))
    stream = read(tmp_path, *DELEGATED)
    (result,) = results([tmp_path], Options(), [])

    assert ["missing_child", "missing_child"] == [
        event.code for event in stream if isinstance(event, Diag) and event.code != "turn_inferred"
    ]
    assert ["not_assessable"] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(
    "left", ["", "\n\n", lines({"type": "summary"}), lines(record("user", "c1", "look"))]
)
def test_a_file_of_a_sub_agent_that_was_cut_before_it_acted_lets_no_turn_end_well(
    left: str, tmp_path: Path
) -> None:
    """An empty file was a sub-agent that had done nothing."""
    agents(tmp_path, **{"agent-x": []})
    (tmp_path / "s" / "subagents" / "agent-x.jsonl").write_text(left)

    assert ["missing_child"] == notes(read(tmp_path, *DELEGATED))
    (result,) = results([tmp_path], Options(), [])
    assert ["not_assessable"] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(("tool", "decision"), [("Task", "not_assessable"), ("Read", "accept")])
def test_a_sub_agent_of_which_nothing_is_told_lets_no_turn_end_well(
    tool: str, decision: str, tmp_path: Path
) -> None:
    """Older files tell neither its calls nor its id; it may have changed anything."""
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", tool, prompt="mend it", file_path="a.py"),
        answers("3", "2", "mended"),
        record("assistant", "4", [{"type": "text", "text": "done"}]),
    )
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]


ORDER = record("user", "c1", "look")
LOOKS = [ORDER, asks("c2", "Read", file_path="a"), answers("c3", "c2", "x"), says("c4", "seen")]


@pytest.mark.parametrize(
    ("told", "codes"), [(1, []), (0, []), ("2", []), (2, ["missing_child"])], ids=str
)
def test_a_file_with_fewer_calls_than_its_sub_agent_made_lets_no_turn_end_well(
    told: Any, codes: list[str], tmp_path: Path
) -> None:
    """The result of its call counts them; a file that was cut lacks the last, maybe a change."""
    agents(tmp_path, **{"agent-x": LOOKS})
    extra = {"agentId": "x", "totalToolUseCount": told}
    stream = read(
        tmp_path,
        *DELEGATED[:2],
        answers("3", "2", "found", toolUseResult=extra),
        DELEGATED[-1],
    )
    (result,) = results([tmp_path], Options(), [])

    assert codes == notes(stream)
    decision = "not_assessable" if codes else "accept"
    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(
    ("made", "codes"),
    [
        (("1", "1"), []),
        (("2", "1"), ["missing_child"]),
        (("1", "2"), ["missing_child"]),
        (("1", "9" * 5000), ["missing_child"]),
    ],
)
def test_a_file_with_fewer_calls_than_a_job_of_its_sub_agent_made_is_a_loss(
    made: tuple[str, str], codes: list[str], tmp_path: Path
) -> None:
    """The end of one in the background counts them, anew for each time that it was called."""
    looks_again = [
        record("user", "c5", "again"),
        asks("c6", "Read", file_path="a"),
        answers("c7", "c6", "x"),
    ]
    agents(tmp_path, **{"agent-x": [*LOOKS, *looks_again]})
    jobs = [
        f"<task-notification>\n<task-id>x</task-id>\n<status>completed</status>\n"
        f"<result>seen</result>\n<usage><subagent_tokens>15</subagent_tokens>"
        f"<tool_uses>{count}</tool_uses><duration_ms>7</duration_ms></usage>\n</task-notification>"
        for count in made
    ]
    stream = read(
        tmp_path,
        *DELEGATED[:2],
        answers("3", "2", "launched", toolUseResult={"agentId": "x", "isAsync": True}),
        {"type": "queue-operation", "operation": "enqueue", "content": jobs[0]},
        {"type": "queue-operation", "operation": "remove", "content": jobs[0]},
        asks("5", "SendMessage", to="x", message="again"),
        answers("6", "5", "sent", toolUseResult={"resumedAgentId": "x"}),
        record("user", "7", jobs[1]),
        DELEGATED[-1],
    )

    assert 2 == len([event for event in stream if isinstance(event, SubStart)])
    assert codes == notes(stream)


@pytest.mark.parametrize("folder", ["", "agent-outer/subagents/"])
@pytest.mark.parametrize("extra", [{"agentId": "inner"}, {}], ids=["named", "by its prompt"])
def test_a_sub_agent_inside_another_is_told_inside_it(
    extra: dict[str, str], folder: str, tmp_path: Path
) -> None:
    """Its file lies beside that of its parent or below, its changes are of the same session."""
    agents(
        tmp_path,
        **{
            "agent-outer": [
                ORDER,
                asks("c2", "Agent", prompt="mend"),
                answers("c3", "c2", "mended", toolUseResult=extra),
                says("c4", "done"),
            ],
            f"{folder}agent-inner": [
                record("user", "d1", "mend") | {"sessionId": "s"},
                asks("d2", "Edit", file_path="a"),
                answers("d3", "d2", "x"),
            ],
        },
    )
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look"),
        answers("3", "2", "found", toolUseResult={"agentId": "outer"}),
        says("4", "done"),
    )

    assert [("main#1", "Agent"), ("outer#1", "Agent"), ("inner#1", "Edit")] == acted(stream)
    assert [] == notes(stream)


@pytest.mark.parametrize(
    "result",
    [
        [answers("3", "2", "Agent terminated early", error=True)],
        [],
    ],
    ids=["failed", "killed"],
)
@pytest.mark.parametrize("named", [True, False], ids=["by its call", "by its prompt"])
def test_a_sub_agent_that_did_not_come_back_is_told(
    result: list[Record], named: bool, tmp_path: Path
) -> None:
    """No result names it; the file beside its own names the call, and else its prompt does."""
    agents(tmp_path, **{"agent-x": [ORDER | {"sessionId": "s"}, *LOOKS[1:]]})
    if named:
        meta = tmp_path / "s" / "subagents" / "agent-x.meta.json"
        meta.write_text('{"toolUseId": "t-2"}')
    prompt = "another" if named else "look"
    stream = read(tmp_path, record("user", "1", "go"), asks("2", "Agent", prompt=prompt), *result)

    assert [("main#1", "Agent"), ("x#1", "Read")] == acted(stream)
    assert "missing_child" not in notes(stream)


def test_what_the_program_asks_itself_is_no_sub_agent(tmp_path: Path) -> None:
    """It keeps such a conversation as it does those of sub-agents; no call starts one."""
    agents(tmp_path, **{"agent-acompact-0a1b2c3d": LOOKS, "agent-aside_question-0a1b": LOOKS})

    assert [] == notes(read(tmp_path, record("user", "1", "go"), says("2", "done")))


def test_a_call_that_started_no_sub_agent_has_none(tmp_path: Path) -> None:
    """The one that was asked the same afterwards is that of the next call."""
    agents(tmp_path, **{"agent-x": [ORDER | {"sessionId": "s"}, *LOOKS[1:]]})
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look", subagent_type="none"),
        answers("3", "2", "Agent type 'none' not found", error=True),
        asks("4", "Agent", prompt="look"),
        answers("5", "4", "Agent terminated early", error=True),
        says("6", "done"),
    )

    assert ["main#2"] == [event.parent_uid for event in stream if isinstance(event, SubStart)]
    (result,) = results([tmp_path], Options(), [])
    assert ["accept"] == [verdict.verdict.decision for verdict in result.verdicts]


def test_a_sub_agent_that_is_called_again_is_told_in_parts(tmp_path: Path) -> None:
    """What it does later must not stand before what its caller did between."""
    again = [
        record("user", "d1", "go on", isMeta=True, origin={"kind": "coordinator"}),
        asks("d2", "Edit", file_path="a"),
        answers("d3", "d2", "x"),
    ]
    agents(tmp_path, **{"agent-x": [*LOOKS, *again]})
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look"),
        answers("3", "2", "found", toolUseResult={"agentId": "x"}),
        asks("4", "Bash", command="make test"),
        answers("5", "4", "ok"),
        asks("6", "SendMessage", to="x"),
        answers("7", "6", "resumed", toolUseResult={"resumedAgentId": "x"}),
        says("8", "done"),
    )

    assert [
        ("main#1", "Agent"),
        ("x#1", "Read"),
        ("main#2", "Bash"),
        ("main#3", "SendMessage"),
        ("x~2#1", "Edit"),
    ] == acted(stream)
    assert [] == notes(stream)


def test_a_part_that_no_call_asked_for_is_missing(tmp_path: Path) -> None:
    """Somebody set the sub-agent going again, and when is not known."""
    agents(tmp_path, **{"agent-x": [*LOOKS, record("user", "d1", "go on")]})
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look"),
        answers("3", "2", "found", toolUseResult={"agentId": "x"}),
        says("4", "done"),
    )

    assert ["missing_child"] == notes(stream)


def test_the_sub_agents_of_a_workflow_are_told_in_its_call(tmp_path: Path) -> None:
    """They lie in a folder of the run; what else is in it is no trace."""
    agents(tmp_path, **{"workflows/run_1/agent-x": LOOKS})
    (tmp_path / "s" / "subagents" / "workflows" / "run_1" / "journal.jsonl").write_text("{}\n")
    (tmp_path / "s" / "tool-results").mkdir()
    (tmp_path / "s" / "tool-results" / "x.json").write_text('[{"role": "user", "content": "x"}]')
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Workflow", script="x"),
        answers(
            "3",
            "2",
            "launched",
            toolUseResult={"status": "async_launched", "taskId": "w", "runId": "run_1"},
        ),
        says("4", "done"),
    )
    unreadable: list[Any] = []

    assert [("main#1", "Workflow"), ("x#1", "Read")] == acted(stream)
    assert [] == notes(stream)
    assert 1 == len(list(results([tmp_path], Options(), unreadable)))
    assert [] == unreadable


NEWS = (
    "<task-notification>\n<task-id>{job}</task-id>\n<tool-use-id>t</tool-use-id>\n"
    "<status>{status}</status>\n<summary>x</summary>\n</task-notification>"
)


def news(job: str, status: str) -> Record:
    return record("user", "9", NEWS.format(job=job, status=status))


def interim() -> Record:
    """Return the news of a sub-agent that waits for what it started itself."""
    said = 'Agent "x" is waiting on its own background work (the result may be interim)'
    return record("user", "9i", NEWS.format(job="j", status="completed").replace("x<", f"{said}<"))


def headed(begin: str, status: str) -> Record:
    """Return news as the newest versions begin them."""
    head = "[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated event.\n"
    return record("user", "9", begin + head + NEWS.format(job="j", status=status))


def attached(job: str, status: str) -> Record:
    queued = {
        "type": "queued_command",
        "commandMode": "task-notification",
        "prompt": NEWS.format(job=job, status=status),
    }
    return {"type": "attachment", "uuid": "9", "attachment": queued}


def queued(job: str, status: str) -> Record:
    content = NEWS.format(job=job, status=status)
    return {"type": "queue-operation", "operation": "enqueue", "content": content}


def by_tag(of: str, tag: str, status: str) -> Record:
    """Return news as other versions name them."""
    told = f"<{of}-id>j</{of}-id>\n<output-file>o</output-file>\n<status>{status}</status>"
    return record("user", "9", f"<{tag}-notification>\n{told}\n</{tag}-notification>")


def stands(job: str, status: str) -> Record:
    told = {"type": "task_status", "taskId": job, "status": status}
    return {"type": "attachment", "uuid": "9", "attachment": told}


def asked(**extra: Any) -> list[Record]:
    return [asks("8", "BashOutput", bash_id="j"), answers("9", "8", "x", toolUseResult=extra)]


@pytest.mark.parametrize(
    ("told", "outcomes"),
    [
        ([news("j", "completed")], ["ok"]),
        ([news("j", "failed")], ["error"]),
        ([news("j", "killed")], ["cancelled"]),
        ([news("k", "completed")], []),
        ([interim(), news("j", "failed")], ["error"]),
        ([headed("", "failed")], ["error"]),
        ([headed("<system-reminder>\n", "completed")], ["ok"]),
        ([attached("j", "completed")], ["ok"]),
        ([queued("j", "failed"), attached("j", "failed")], ["error"]),
        ([by_tag("shell", "bash", "failed")], ["error"]),
        ([by_tag("agent", "agent", "completed")], ["ok"]),
        ([stands("j", "completed")], ["ok"]),
        ([stands("j", "running")], []),
        ([stands("k", "completed")], []),
        ([attached("j", "completed"), *asked(shellId="j", status="completed")], ["ok"]),
        (asked(shellId="j", status="completed", exitCode=0), ["ok"]),
        (asked(shellId="j", status="completed", exitCode=2), ["error"]),
        (asked(shellId="j", status="failed", exitCode=3), ["error"]),
        (asked(shellId="j", status="running"), []),
        (asked(task={"task_id": "j", "status": "completed", "exitCode": 0}), ["ok"]),
        (asked(message="stopped", task_id="j"), ["cancelled"]),
        (asked(message="killed", shell_id="j"), ["cancelled"]),
        (
            [record("user", "9", "<task-notification>\n<task-id>j</task-id>\n<summary>x</summary>"
                    "\n<event><status>completed</status></event>\n</task-notification>")],
            [],
        ),
    ],
)  # fmt: skip
def test_the_end_of_a_job_is_told_once(
    told: list[Record], outcomes: list[str], tmp_path: Path
) -> None:
    """By a notification, or by the answer to who asks for it or stops it; never by output."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="make test", run_in_background=True),
        answers("3", "2", "running", toolUseResult={"backgroundTaskId": "j"}),
        *told,
    )

    assert [{"uid": "main#1", "outcome": outcome} for outcome in outcomes] == [
        event.data for event in stream if isinstance(event, Host)
    ]


@pytest.mark.parametrize(
    ("status", "decision"),
    [("completed", "accept"), ("failed", "reject"), (None, "reject")],
)
def test_a_check_in_the_background_counts_when_it_has_ended(
    status: str | None, decision: str, tmp_path: Path
) -> None:
    """Not from its start on, and not never."""
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Write", file_path="a.py", content="x"),
        answers("3", "2", "written"),
        asks("4", "Read", file_path="a.py"),
        answers("5", "4", "x"),
        asks("6", "Bash", command="pytest -q", run_in_background=True),
        answers("7", "6", "running", toolUseResult={"backgroundTaskId": "j"}),
        *([news("j", status)] if status else []),
        says("8", "done"),
    )
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(("ended", "decision"), [(True, "reject"), (False, "not_assessable")])
def test_a_sub_agent_in_the_background_changes_things_until_its_end(
    ended: bool, decision: str, tmp_path: Path
) -> None:
    """A check beside it does not cover what it did, though its file is read at its start."""
    agents(
        tmp_path,
        **{"agent-j": [ORDER, asks("c2", "Edit", file_path="a.py"), answers("c3", "c2", "x")]},
    )
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look"),
        answers("3", "2", "launched", toolUseResult={"isAsync": True, "agentId": "j"}),
        asks("4", "Read", file_path="a.py"),
        answers("5", "4", "x"),
        asks("6", "Bash", command="pytest -q"),
        answers("7", "6", "1 passed"),
        *([news("j", "completed")] if ended else []),
        says("8", "done"),
    )
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]


def test_side_chains_of_parallel_sub_agents_are_told_apart_by_their_prompts(
    tmp_path: Path,
) -> None:
    """Both run at once, and their records alternate."""
    both = asks("1", "Task", prompt="one")
    both["message"]["content"] += asks("2", "Task", prompt="two")["message"]["content"]
    side = {"isSidechain": True}
    stream = read(
        tmp_path,
        record("user", "u0", "go"),
        both,
        record("user", "a0", "one", **side),
        record("user", "b0", "two", **side),
        asks("a1", "Read", file_path="/w/a") | {"parentUuid": "a0"} | side,
        asks("b1", "Bash", command="ls") | {"parentUuid": "b0"} | side,
        answers("a2", "a1", "x", parentUuid="a1", **side),
        answers("b2", "b1", "x", parentUuid="b1", **side),
        answers("u2", "1", "x"),
        answers("u3", "2", "x"),
    )

    assert [
        ("main#1", "Task"),
        ("main#2", "Task"),
        ("side#1", "Read"),
        ("side~2#1", "Bash"),
    ] == acted(stream)
    assert {"side": "main#1", "side~2": "main#2"} == {
        event.scope: event.parent_uid for event in stream if isinstance(event, SubStart)
    }


def test_a_sub_agents_own_file_is_read_with_the_session(tmp_path: Path) -> None:
    """Newer sessions keep sub-agents beside the file."""
    own = [
        record("user", "a0", "look"),
        asks("a1", "Read", file_path="/w/a"),
        answers("a2", "a1", "x"),
    ]
    agents(tmp_path, **{"agent-7f": own})
    stream = read(
        tmp_path,
        record("user", "u0", "go"),
        asks("u1", "Agent", prompt="look"),
        answers("u2", "u1", "x", toolUseResult={"agentId": "7f"}),
    )

    assert [("main#1", "Agent"), ("7f#1", "Read")] == acted(stream)
    assert [("7f#1", "ok"), ("main#1", "ok")] == ended(stream)
