"""Sessions of Codex as a replay judges them."""

from __future__ import annotations

from pathlib import Path

import pytest
from codex_records import BEGIN, META, Record, call, done, event, item, output, record, said, typed
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, file_results

ENDS = (said("done"), event("task_complete", last_agent_message="done"))
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"
OVER = "Script completed\nWall time 0.1 seconds\nOutput:\n"


def judged(folder: Path, *records: Record) -> list[tuple[str, str]]:
    """Return the gate and the decision of each verdict on a session."""
    file = folder / "rollout.jsonl"
    file.write_text(lines(META, BEGIN, *records))
    found = [one for result in file_results(file, Options()) for one in result.verdicts]
    return [(one.verdict.gate, one.verdict.decision) for one in found]


def ran(ident: str, command: str, code: int = 0) -> tuple[Record, Record]:
    """Return a command with its output."""
    ended = f"Process exited with code {code}\nOutput:\nx"
    return call("exec_command", ident, arguments={"cmd": command}), output(ident, ended)


def begun(ident: str, command: str, session: int) -> tuple[Record, Record]:
    """Return a command that goes on running."""
    running = f"Process running with session ID {session}\nOutput:\n"
    return call("exec_command", ident, arguments={"cmd": command}), output(ident, running)


def waited(ident: str, session: int) -> tuple[Record, Record]:
    """Return the call that waits for such a command, to its end."""
    asks = call("write_stdin", ident, arguments={"session_id": session, "chars": ""})
    return asks, output(ident, "Process exited with code 0\nOutput:\n9 passed")


def patched(ident: str, patch: str = PATCH) -> tuple[Record, Record]:
    made = "Exit code: 0\nWall time: 0 seconds\nOutput:\nM a.py\n"
    asks = item("custom_tool_call", call_id=ident, name="apply_patch", input=patch)
    return asks, item("custom_tool_call_output", call_id=ident, output=made)


def scripted(ident: str, text: str, *work: Record) -> tuple[Record, ...]:
    asks = item("custom_tool_call", call_id=ident, name="exec", namespace="functions", input=text)
    return asks, *work, item("custom_tool_call_output", call_id=ident, output=OVER)


def at(time: int, made: Record) -> Record:
    """Return a completed item with its times."""
    times = {"started_at_ms": time, "completed_at_ms": time + 1}
    return {**made, "payload": {**made["payload"], **times}}


def inner(ident: str, command: str, says: str = "x") -> Record:
    """Return a command that a script ran."""
    facts = {"command": ["/bin/bash", "-lc", command], "exit_code": 0, "aggregated_output": says}
    return done("CommandExecution", ident, **facts)


CHANGED = done("FileChange", "exec-1", changes={"/w/a.py": {}}, status="completed")
READ, CHECKED = inner("exec-2", "cat a.py"), inner("exec-3", "pytest -q")
READ_NOTHING = inner("exec-4", "cat a.py", "")


@pytest.mark.parametrize(
    ("records", "decision"),
    [
        ((*patched("1"), *ran("2", "cat a.py"), *ran("3", "pytest -q")), "accept"),
        ((*patched("1"), *ran("2", "cat a.py"), *ran("3", "pytest -q", 1)), "reject"),
        (
            (
                *patched("1"),
                *ran("2", "cat a.py"),
                *begun("3", "pytest -q", 7),
                *waited("4", 7),
            ),
            "accept",
        ),
        (
            (
                *begun("3", "pytest -q", 7),
                *patched("1"),
                *waited("4", 7),
                *ran("2", "cat a.py"),
            ),
            "reject",
        ),
        ((*patched("1"), *ran("2", "cat a.py"), *begun("3", "pytest -q", 7)), "reject"),
        (scripted("1", "await tools.apply_patch(p)", at(1, CHANGED)), "reject"),
        (scripted("1", "x", at(1, CHANGED), at(3, READ), at(5, CHECKED)), "accept"),
        (scripted("1", "x", at(1, CHANGED), at(3, READ_NOTHING), at(5, CHECKED)), "reject"),
        (scripted("1", "x", at(1, CHECKED), at(3, CHANGED), at(5, READ)), "reject"),
        (scripted("1", "x", at(1, CHANGED), at(2, READ), at(2, CHECKED)), "not_assessable"),
        (scripted("1", "await tools.apply_patch(p)"), "not_assessable"),
        (scripted("1", "text(1)"), "accept"),
    ],
)
def test_a_session_ends_as_what_it_did_deserves(
    records: tuple[Record, ...], decision: str, tmp_path: Path
) -> None:
    """Checks count that began after the last change and ended well; scripts hide nothing."""
    assert [("turn_end", decision)] == judged(tmp_path, *records, *ENDS)


WRITES = "sleep 9; echo x > a.py"
WRITTEN = done("CommandExecution", "1", command=["bash", "-lc", WRITES], exit_code=0)
SEEN = (*ran("8", "cat a.py"), *ran("9", "pytest -q"))


def waiting(ident: str, session: int, text: str) -> tuple[Record, Record]:
    """Return a call that waits for a command, and what it was told."""
    asks = call("write_stdin", ident, arguments={"session_id": session, "chars": ""})
    return asks, output(ident, text)


@pytest.mark.parametrize(
    ("records", "decision"),
    [
        ((*begun("1", WRITES, 7), *waited("2", 7), *SEEN), "accept"),
        ((*begun("1", WRITES, 7), WRITTEN, *SEEN), "accept"),
        ((*begun("1", WRITES, 7), WRITTEN, *waited("2", 7), *SEEN), "accept"),
        (
            (
                *begun("1", WRITES, 7),
                *waiting("2", 7, "Process running with session ID 7\nOutput:\n"),
                *waited("3", 7),
                *SEEN,
            ),
            "accept",
        ),
        ((*begun("1", WRITES, 7), *SEEN, WRITTEN), "reject"),
        ((*begun("1", WRITES, 7), *SEEN), "not_assessable"),
        (
            (
                *begun("1", WRITES, 7),
                *waiting("2", 7, "write_stdin failed: Unknown process"),
                *SEEN,
            ),
            "not_assessable",
        ),
        ((*patched("1"), *ran("2", "cat a.py"), *begun("3", "pytest -q", 7), CHECKED), "reject"),
        (
            (
                *patched("1"),
                *ran("2", "cat a.py"),
                *begun("exec-3", "pytest -q", 7),
                CHECKED,
            ),
            "accept",
        ),
        ((*begun("exec-3", "pytest -q", 7), *patched("1"), CHECKED), "reject"),
    ],
)
def test_a_command_that_goes_on_counts_from_its_end(
    records: tuple[Record, ...], decision: str, tmp_path: Path
) -> None:
    """What waits for it tells the end, and so does an event; before that it may still write."""
    assert [("turn_end", decision)] == judged(tmp_path, *records, *ENDS)


ABORTED = "Wall time: 4.2 seconds\naborted by user"


def stopped(ident: str, command: str, *between: Record) -> tuple[Record, ...]:
    """Return a command of a turn that the user stopped, the end of that turn, and the next one."""
    asks = call("exec_command", ident, arguments={"cmd": command})
    return asks, *between, output(ident, ABORTED), event("turn_aborted"), BEGIN


@pytest.mark.parametrize(
    ("records", "decision"),
    [
        (stopped("1", "touch b.txt"), "not_assessable"),
        (
            (
                *stopped("1", "sleep 40; echo x > a.py"),
                *patched("2"),
                *ran("3", "cat a.py"),
                *ran("4", "pytest -q"),
            ),
            "not_assessable",
        ),
        (
            (
                *patched("1"),
                *stopped("2", "cat a.py", inner("2", "cat a.py")),
                *ran("3", "pytest -q"),
            ),
            "not_assessable",
        ),
        ((*stopped("1", "cat a.py"), *patched("2"), *ran("3", "pytest -q")), "reject"),
    ],
)
def test_what_the_user_stopped_may_not_have_begun_or_may_go_on_and_was_seen_by_nobody(
    records: tuple[Record, ...], decision: str, tmp_path: Path
) -> None:
    """The program says the same of what it asked about, of what ended and of what still runs."""
    assert [("turn_end", decision)] == judged(tmp_path, *records, *ENDS)


def test_goals_of_codex_are_none_of_the_contract(tmp_path: Path) -> None:
    """Its tools have the names of ours and other rules."""
    made = (call("create_goal", "1"), output("1", "{}"))
    moved = (call("update_goal", "2", arguments={"status": "complete"}), output("2", "{}"))

    assert [("turn_end", "accept")] == judged(tmp_path, *made, *moved, *ENDS)


def test_a_turn_that_failed_is_not_held_to_have_ended(tmp_path: Path) -> None:
    ends = event("task_complete", error={"message": "the stream ended"})

    assert [] == judged(tmp_path, *patched("1"), ends)


def test_a_thread_that_is_named_again_goes_on_and_still_owes_what_it_changed(
    tmp_path: Path,
) -> None:
    """Who resumes a thread may write its name again; what it owed was owed by nobody."""
    ended = (*patched("1"), *ENDS)
    again = [META, BEGIN, *ran("2", "ls"), *ENDS]

    assert ["reject", "reject"] == [end for _, end in judged(tmp_path, *ended, *again)]
    again[0] = {**META, "payload": {**META["payload"], "id": "another"}}
    assert ["reject", "accept"] == [end for _, end in judged(tmp_path, *ended, *again)]


@pytest.mark.parametrize(
    ("told", "turn", "decision"),
    [
        ({"workdir": "/w/sub"}, None, "accept"),
        ({"workdir": "sub"}, None, "accept"),
        ({"working_directory": "/w/sub"}, None, "accept"),
        ({}, "/w/sub", "accept"),
        ({"workdir": "/w/other"}, "/w/sub", "reject"),
        ({}, None, "reject"),
    ],
)
def test_a_look_is_told_from_the_folder_that_a_command_ran_in(
    told: Record, turn: str | None, decision: str, tmp_path: Path
) -> None:
    """A call names it, or the turn does, which may go on in another folder than the session."""
    context = [record("turn_context", cwd=turn)] if turn else []
    ended = "Process exited with code 0\nOutput:\nx"
    change = call("exec_command", "1", arguments={"cmd": "echo x > /w/sub/a.py"})
    look = call("exec_command", "2", arguments={"cmd": "cat a.py", **told})
    check = call("exec_command", "3", arguments={"cmd": "cd /w && pytest -q"})

    records = (
        *context, change, output("1", ended), look, output("2", ended), check, output("3", ended)
    )  # fmt: skip

    assert [("turn_end", decision)] == judged(tmp_path, *records, *ENDS)


@pytest.mark.parametrize(
    ("verb", "look", "decision"),
    [
        ("Update", "git diff", "accept"),
        ("Add", "git diff", "reject"),
        ("Add", "cat a.py", "accept"),
        ("Add", "git add -N a.py && git diff", "accept"),
    ],
)
def test_a_diff_shows_nothing_of_a_file_that_a_patch_adds(
    verb: str, look: str, decision: str, tmp_path: Path
) -> None:
    """Git has not met it; the patch says so itself."""
    records = (
        *patched("1", PATCH.replace("Update", verb)),
        *ran("2", look),
        *ran("3", "pytest -q"),
    )

    assert [decision] == [told for gate, told in judged(tmp_path, *records, *ENDS)]


@pytest.mark.parametrize(
    ("behind", "decisions"),
    [
        ((), ["accept"]),
        ((event("token_count"), *patched("1")), ["not_assessable"]),
        ((patched("1")[0],), ["not_assessable"]),
        ((said("more"), *patched("1")), ["not_assessable"]),
        ((typed("more"), *patched("1")), ["accept"]),
        ((event("task_started"), *patched("1"), *ENDS), ["accept", "reject"]),
    ],
    ids=["nothing", "a call with its output", "a call", "an answer", "a prompt", "a turn"],
)
def test_what_the_model_did_right_behind_the_end_of_a_turn_may_be_of_that_turn(
    behind: tuple[Record, ...], decisions: list[str], tmp_path: Path
) -> None:
    """The order is lost, and with it what the turn owed when it ended."""
    found = judged(tmp_path, *ran("2", "ls"), *ENDS, *behind)

    assert decisions == [end for gate, end in found if gate == "turn_end"]


def test_the_end_of_a_turn_stands_where_it_was_told(tmp_path: Path) -> None:
    file = tmp_path / "rollout.jsonl"
    file.write_text(lines(META, BEGIN, *ENDS, event("token_count"), BEGIN, *ENDS))

    found = [one for result in file_results(file, Options()) for one in result.verdicts]

    assert [4, 8] == [one.src.line for one in found]


@pytest.mark.parametrize(("undone", "decision"), [(True, "not_assessable"), (False, "reject")])
def test_files_that_the_user_had_put_back_may_owe_nothing(
    undone: bool, decision: str, tmp_path: Path
) -> None:
    """The program takes back what the turn changed, if it can."""
    undo = event("undo_completed", success=undone)
    later = (BEGIN, *ran("2", "ls"), *ENDS)

    assert ["reject", decision] == [
        end for _, end in judged(tmp_path, *patched("1"), *ENDS, undo, *later)
    ]
