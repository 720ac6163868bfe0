"""Outputs of `codex exec --json`: what was done, in which order, and what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from output_records import (
    BANNER,
    DONE,
    THREAD,
    TURN,
    Record,
    begun,
    changed,
    command,
    completed,
    event,
    jobs,
    judged,
    message,
    read,
)
from read_records import acted, codes, ends, outcomes

from reasonix_runtime.trace.events import Diag, Event, Notice, Session, ToolCall, User


def calls(stream: list[Event]) -> list[tuple[str, str | None, object]]:
    return [(e.name, e.resolved_name, e.resolved_args) for e in stream if isinstance(e, ToolCall)]


SHELL = "command_execution"
MCP = "mcp_tool_call"


@pytest.mark.parametrize(
    ("item", "outcome"),
    [
        (completed("i", SHELL, command="x", exit_code=0, status="completed"), ("ok", "exit_code")),
        (completed("i", SHELL, command="x", exit_code=2, status="failed"), ("error", "exit_code")),
        (completed("i", SHELL, command="x", exit_code=None, status="completed"),
         ("running", "state")),
        (completed("i", SHELL, command="x", exit_code=None, status="failed"), ("error", "state")),
        (completed("i", SHELL, command="x", exit_code=None, status="declined"),
         ("blocked", "state")),
        (completed("i", SHELL, command="x"), ("unknown", "none")),
        (changed("i"), ("ok", "state")),
        (changed("i", status="failed"), ("error", "state")),
        (changed("i", status="of another kind"), ("unknown", "none")),
        (completed("i", MCP, server="s", tool="t", status="completed", result={"content": []}),
         ("ok", "flag")),
        (completed("i", MCP, server="s", tool="t", status="failed", result={"content": []}),
         ("error", "state")),
        (completed("i", MCP, server="s", tool="t", status="failed", error={"message": "no"}),
         ("error", "flag")),
        (completed("i", "collab_tool_call", tool="send_input", status="completed"),
         ("ok", "state")),
        (completed("i", "a_later_kind", status="completed"), ("ok", "state")),
    ],
)  # fmt: skip
def test_an_item_is_graded_by_its_facts(
    item: Record, outcome: tuple[str, str], tmp_path: Path
) -> None:
    """A command that runs when its turn is over is shown as completed, and has no exit code."""
    stream = read(tmp_path, THREAD, TURN, item, message("m"), DONE)

    assert [outcome] == outcomes(stream)


def test_a_list_of_steps_is_a_call_with_the_steps(tmp_path: Path) -> None:
    """What is planned and done is what a plan tells."""
    steps = [{"text": "Fix add", "completed": False}]
    begun = {"type": "item.started", "item": {"id": "1", "type": "todo_list", "items": steps}}

    (made,) = [
        event for event in read(tmp_path, THREAD, TURN, begun, DONE) if isinstance(event, ToolCall)
    ]

    assert ("update_plan", {"plan": steps}) == (made.name, made.args)


def test_items_are_calls_of_the_tools_that_they_are(tmp_path: Path) -> None:
    """A shell or quotes around a command are taken off; an unknown kind may be anything."""
    stream = read(
        tmp_path,
        THREAD,
        TURN,
        *command("1", "pytest -q"),
        completed("2", SHELL, command="git diff", exit_code=0),
        completed("3", SHELL, command="bash -lc 'a' b c", exit_code=0),
        completed("4", SHELL, command="echo it's", exit_code=0),
        completed("4b", SHELL, command="'make; echo x'", exit_code=0),
        completed("4c", SHELL, command=r"'C:\W\pwsh.exe' -Command 'Get-Item a'", exit_code=0),
        changed("5", "/w/b.py"),
        completed("6", MCP, server="s", tool="t", arguments={"a": 1}, status="completed"),
        completed("7", "a_later_kind", status="completed"),
        completed("8", "reasoning", text="hm"),
        completed("9", "web_search", query="x"),
        completed("10", "error", message="mind"),
        {"type": "item.started", "item": {"id": "11", "type": "todo_list", "items": []}},
        {"type": "item.updated", "item": {"id": "11", "type": "todo_list", "items": []}},
        completed("11", "todo_list", items=[]),
        completed("12", "without_a_state"),
        DONE,
    )

    assert [
        ("exec_command", "bash", {"command": "pytest -q"}),
        ("exec_command", "bash", {"command": "git diff"}),
        ("exec_command", "bash", {"command": "bash -lc 'a' b c"}),
        ("exec_command", "bash", {"command": "echo it's"}),
        ("exec_command", "bash", {"command": "make; echo x"}),
        ("exec_command", "bash", {"command": "Get-Item a"}),
        ("apply_patch", "edit_file", {"paths": ["/w/b.py"]}),
        ("mcp__s__t", None, None),
        ("a_later_kind", None, None),
        ("update_plan", None, None),
        ("update_plan", None, None),
    ] == calls(stream)
    assert ["mind"] == [event.text for event in stream if isinstance(event, Notice)]
    assert ["an item of type 'without_a_state' without a state is not read"] == [
        event.text for event in stream if isinstance(event, Diag)
    ]


@pytest.mark.parametrize(
    ("last", "end"),
    [
        ([message("m"), DONE], ("completed", True)),
        ([DONE], ("unknown", False)),
        ([message("m"), *command("c", "ls"), DONE], ("unknown", False)),
        ([{"type": "turn.failed", "error": {"message": "no"}}], ("failed", False)),
        ([message("m"), {"type": "error", "message": "trying again"}, DONE],
         ("completed", True)),
        ([message("m")], ("unknown", False)),
        ([begun("c", SHELL, command="make")], ("unknown", False)),
    ],
)  # fmt: skip
def test_a_turn_ends_as_it_is_told(
    last: list[Record], end: tuple[str, bool], tmp_path: Path
) -> None:
    """One that was cut off, or that the model did not answer, is not judged."""
    stream = read(tmp_path, THREAD, TURN, changed("1"), *last)

    assert [end] == ends(stream)
    assert (last[-1]["type"].startswith("item")) is ("truncated_tail" in codes(stream))


def test_what_goes_on_behind_the_answer_does_not_take_it_back(tmp_path: Path) -> None:
    """Open commands are shown as completed when their turn is over."""
    start, end = command("1", "serve", None)
    stream = read(tmp_path, THREAD, TURN, start, *command("2", "ls"), message("m"), end, DONE)

    assert [("completed", True)] == ends(stream)
    assert [("ok", "exit_code"), ("running", "state")] == outcomes(stream)
    assert [] == codes(stream)


def test_what_is_open_at_the_end_of_its_turn_goes_on(tmp_path: Path) -> None:
    """Newer versions do not show it as completed."""
    start = begun("1", SHELL, command="serve")
    stream = read(tmp_path, THREAD, TURN, start, message("m"), DONE)

    assert [("running", "state")] == outcomes(stream)


def steps(stream: list[Event]) -> list[str]:
    names: dict[str, str] = {}
    order = [e.step for e in stream if isinstance(e, ToolCall)]
    return [names.setdefault(step, "abcdef"[len(names)]) for step in order]


A, B, C = (command(name, f"cat {name}.py") for name in "123")


@pytest.mark.parametrize(
    ("records", "groups"),
    [
        ([*A, *B, *C], ["a", "b", "c"]),
        ([A[0], B[0], A[1], B[1], *C], ["a", "a", "b"]),
        ([A[0], B[0], B[1], A[1], *C], ["a", "a", "b"]),
        ([A[0], B[0], A[1], C[0], B[1], C[1]], ["a", "a", "a"]),
        ([A[0], changed("2"), A[1], *C], ["a", "a", "b"]),
        ([changed("1"), changed("2")], ["a", "b"]),
    ],
)
def test_work_that_overlaps_is_told_as_that_of_one_response(
    records: list[Record], groups: list[str], tmp_path: Path
) -> None:
    """Nobody knows which saw what; what came behind the end of another saw it."""
    stream = read(tmp_path, THREAD, TURN, *records, message("m"), DONE)

    assert groups == steps(stream)
    assert [] == jobs(stream)


def test_work_that_nothing_waits_for_runs_in_the_background(tmp_path: Path) -> None:
    """Something else began and ended, and more begins: then its own end is that of a job."""
    stream = read(tmp_path, THREAD, TURN, A[0], *B, C[0], C[1], A[1], message("m"), DONE)

    assert ["a", "a", "b"] == steps(stream)
    assert [("ok", "exit_code"), ("running", "state"), ("ok", "exit_code")] == outcomes(stream)
    assert [("main#1", "ok")] == jobs(stream)


TESTS = command("t", "pytest -q")
DIFF = command("d", "git diff", output="+x")


@pytest.mark.parametrize(
    ("records", "verdict"),
    [
        ([changed("1"), *TESTS, *DIFF], ("accept", "")),
        ([changed("1"), *DIFF], ("reject", "finish.verification_missing")),
        ([*TESTS, changed("1"), *DIFF], ("reject", "finish.verification_missing")),
        ([TESTS[0], changed("1"), TESTS[1], *DIFF], ("reject", "finish.verification_missing")),
        ([begun("1", "file_change"), TESTS[0], changed("1"), TESTS[1], *DIFF],
         ("reject", "finish.verification_missing")),
        ([changed("1"), TESTS[0], DIFF[0], TESTS[1], DIFF[1]], ("accept", "")),
        ([changed("1"), TESTS[0], *DIFF, *A, TESTS[1]], ("accept", "")),
        ([changed("1"), TESTS[0], *DIFF], ("reject", "finish.verification_missing")),
        ([changed("1"), *command("t", "pytest -q", None), *DIFF],
         ("reject", "finish.verification_missing")),
        ([changed("1"), *TESTS], ("reject", "finish.inspection_missing")),
        ([changed("1"), *TESTS, *command("d", "git diff", output="")],
         ("reject", "review.medium_unproven")),
    ],
)  # fmt: skip
def test_an_output_is_judged_by_the_order_of_what_was_done(
    records: list[Record], verdict: tuple[str, str], tmp_path: Path
) -> None:
    """A check that ran beside a change, or had not ended, says nothing of it."""
    assert [verdict] == judged(tmp_path, THREAD, TURN, *records, message("m"), DONE)


@pytest.mark.parametrize(
    ("look", "verdict"),
    [
        ("cat src/a.py", ("not_assessable", "")),
        ("cat ./src/*.py", ("not_assessable", "")),
        ("git diff src", ("not_assessable", "")),
        ("cat src/b.py", ("reject", "finish.inspection_missing")),
        ("cat /w/src/a.py", ("accept", "")),
    ],
)
def test_a_look_from_a_folder_that_is_not_told_proves_nothing_either_way(
    look: str, verdict: tuple[str, str], tmp_path: Path
) -> None:
    """A change is told by its whole path, and the folder of commands is not told."""
    records = [changed("1", "/w/src/a.py"), *TESTS, *command("2", look)]

    assert [verdict] == judged(tmp_path, THREAD, TURN, *records, message("m"), DONE)


def test_a_look_before_the_change_is_no_look_at_it(tmp_path: Path) -> None:
    """Then the folder makes no difference, and none was told in the turn before either."""
    first = [changed("1"), *TESTS, *DIFF, *command("2", "cat a.py"), message("m"), DONE]
    later = [*command("3", "cat b.py"), changed("4", "/w/b.py"), *command("5", "pytest -q")]

    verdicts = judged(tmp_path, THREAD, TURN, *first, THREAD, TURN, *later, message("6"), DONE)

    assert [("accept", ""), ("reject", "finish.inspection_missing")] == verdicts


@pytest.mark.parametrize("look_in", [1, 2, 3])
def test_what_a_turn_left_may_be_looked_at_in_a_later_one(look_in: int, tmp_path: Path) -> None:
    """The change is owed until an end has passed, and so long nobody knows of the look."""
    look, records = command("9", "cat a.py"), [THREAD, TURN, changed("1"), *TESTS]
    for turn in (1, 2, 3):
        records += [*look] if turn == look_in else []
        records += [message("m"), DONE, THREAD, TURN]

    refused = ("reject", "finish.inspection_missing")
    untold = ("not_assessable", "")

    assert [refused, refused, refused][: look_in - 1] + [untold] * (4 - look_in) == judged(
        tmp_path, *records[:-2]
    )


SPAWN = {"tool": "spawn_agent", "status": "completed"}


@pytest.mark.parametrize("told", [True, False])
def test_what_a_sub_agent_does_is_elsewhere_or_unmarked(told: bool, tmp_path: Path) -> None:
    """Some versions show its items between the others, with a turn of its own."""
    end = [completed("1", "collab_tool_call", **SPAWN)] if told else []
    spawn = [begun("1", "collab_tool_call", **SPAWN), TURN, *end]
    records = [THREAD, TURN, *spawn, changed("2"), *TESTS, *DIFF, message("m"), DONE]
    stream = read(tmp_path, *records)

    assert [("completed", True)] == ends(stream)
    assert ["missing_child", *([] if told else ["unanswered_call"])] == codes(stream)
    assert ["not_assessable"] == [decision for decision, _ in judged(tmp_path, *records)]


def test_a_thread_that_is_resumed_goes_on(tmp_path: Path) -> None:
    """Its runs count their items anew."""
    run = [THREAD, TURN, *command("1", "ls"), message("2"), DONE]
    stream = read(tmp_path, *run, *run)

    assert [("completed", True)] * 2 == ends(stream)
    assert ["main#1", "main#2"] == [uid for uid, _ in acted(stream)]
    assert [] == codes(stream)


def test_a_run_that_was_killed_ends_where_the_next_begins(tmp_path: Path) -> None:
    """What it had begun has no result, and its ids are free."""
    start, end = command("1", "make")
    stream = read(tmp_path, THREAD, TURN, start, THREAD, TURN, start, end, message("2"), DONE)

    assert [("unknown", False), ("completed", True)] == ends(stream)
    assert [("none", "none"), ("ok", "exit_code")] == outcomes(stream)


def test_threads_in_one_file_are_told_one_after_the_other(tmp_path: Path) -> None:
    """Each has its own calls."""
    run = [TURN, *command("1", "ls"), message("2"), DONE]
    stream = read(tmp_path, THREAD, *run, THREAD | {"thread_id": "other"}, *run)

    assert ["th", "other"] == [event.sid for event in stream if isinstance(event, Session)]
    assert ["main#1", "main#1"] == [uid for uid, _ in acted(stream)]
    assert ["several_sessions"] == codes(stream)


def test_an_output_without_its_beginning_says_so(tmp_path: Path) -> None:
    """What was done before may explain anything."""
    stream = read(tmp_path, *command("1", "ls"), message("2"), DONE)

    assert ["mid_chain_start", "turn_inferred"] == codes(stream)


def test_the_first_items_had_other_names_and_no_turns(tmp_path: Path) -> None:
    """Without its end a turn is not judged: what was cut off looks the same."""
    item = {"id": "1", "item_type": "command_execution", "command": "ls", "exit_code": 0}
    last = {"id": "2", "item_type": "assistant_message", "text": "done"}
    stream = read(
        tmp_path,
        {"type": "session.created", "session_id": "th"},
        {"type": "item.completed", "item": item},
        {"type": "item.completed", "item": last},
    )

    assert ["th"] == [event.sid for event in stream if isinstance(event, Session)]
    assert [("ok", "exit_code")] == outcomes(stream)
    assert [("unknown", False)] == ends(stream)
    assert ["truncated_tail", "turn_inferred"] == codes(stream)


# -- the older shape

PROMPT: Record = {"prompt": "mend it"}
STARTED = event("task_started")
OVER = event("token_count", info=None)


def old(*records: Record) -> tuple[Record, ...]:
    return BANNER, PROMPT, STARTED, *records


def old_command(ident: str, text: str, code: int = 0, output: str = "x") -> tuple[Record, Record]:
    words = ["bash", "-lc", text]
    return event("exec_command_begin", call_id=ident, command=words, cwd="/w"), event(
        "exec_command_end", call_id=ident, aggregated_output=output, exit_code=code
    )


def old_patch(ident: str, *, success: bool = True) -> tuple[Record, Record]:
    made = {"/w/a.py": {"update": {"unified_diff": "x", "move_path": "/w/b.py"}}}
    return event("patch_apply_begin", call_id=ident, changes=made), event(
        "patch_apply_end", call_id=ident, success=success
    )


@pytest.mark.parametrize("kinds", [["add"], ["update"], ["add", "update"], ["add", "delete"]])
@pytest.mark.parametrize("older", [True, False])
def test_what_only_adds_files_writes_them(older: bool, kinds: list[str], tmp_path: Path) -> None:
    """Of several kinds of changes it is an edit."""
    paths = [f"/w/{number}.py" for number in range(len(kinds))]
    made = {path: {kind: {}} for path, kind in zip(paths, kinds, strict=True)}
    told = [{"path": path, "kind": kind} for path, kind in zip(paths, kinds, strict=True)]
    newer = [THREAD, TURN, changed("i", changes=told), message("m"), DONE]
    stream = read(
        tmp_path,
        *(old(event("patch_apply_begin", call_id="1", changes=made)) if older else newer),
    )

    tool = "write_file" if kinds == ["add"] else "edit_file"
    assert [("apply_patch", tool, {"paths": paths})] == calls(stream)


def test_the_older_shape_tells_the_same(tmp_path: Path) -> None:
    """And more: the prompt, the folder, where a file went."""
    invocation = {"server": "s", "tool": "t", "arguments": {"a": 1}}
    stream = read(
        tmp_path,
        *old(
            *old_command("1", "cat a.py"),
            *old_patch("2"),
            *old_patch("3", success=False),
            event("mcp_tool_call_begin", call_id="4", invocation=invocation),
            event("mcp_tool_call_end", call_id="4", invocation=invocation, result={"Err": "no"}),
            event("plan_update", plan=[]),
            event("turn_diff", unified_diff="x"),
            event("agent_message", message="done"),
            OVER,
        ),
    )

    assert ["/w"] == [event.cwd for event in stream if isinstance(event, Session)]
    assert ["mend it"] == [event.text for event in stream if isinstance(event, User)]
    assert [
        ("exec_command", "bash", {"command": "cat a.py"}),
        ("apply_patch", "edit_file", {"paths": ["/w/a.py", "/w/b.py"]}),
        ("apply_patch", "edit_file", {"paths": ["/w/a.py", "/w/b.py"]}),
        ("mcp__s__t", None, None),
        ("update_plan", None, None),
    ] == calls(stream)
    assert [
        ("ok", "exit_code"),
        ("ok", "flag"),
        ("error", "flag"),
        ("error", "flag"),
        ("ok", "absence"),
    ] == outcomes(stream)
    assert [("completed", True)] == ends(stream)
    assert [] == codes(stream)


SAID = event("agent_message", message="done")


@pytest.mark.parametrize(
    ("last", "end"),
    [
        ([SAID, OVER], ("completed", True)),
        ([SAID, event("task_complete")], ("completed", True)),
        ([SAID], ("unknown", False)),
        ([OVER], ("unknown", False)),
        ([SAID, OVER, old_command("1", "ls")[0]], ("unknown", False)),
        ([event("error", message="no")], ("failed", False)),
        ([event("turn_aborted", reason="interrupted")], ("interrupted", False)),
        ([event("agent_message", "auto-compact-0", message="Compacted"), OVER],
         ("unknown", False)),
    ],
)  # fmt: skip
def test_a_run_of_the_older_shape_ends_with_the_response_of_its_answer(
    last: list[Record], end: tuple[str, bool], tmp_path: Path
) -> None:
    """Its end is told by nothing else; a word that nothing follows may be one on the way."""
    stream = read(tmp_path, *old(*old_command("0", "ls"), *last))

    assert [end] == ends(stream)


def test_runs_of_the_older_shape_are_sessions_of_their_own(tmp_path: Path) -> None:
    """They have no names."""
    run = old(*old_command("1", "ls"), SAID, OVER)
    stream = read(tmp_path, *run, *run)

    assert [("completed", True)] * 2 == ends(stream)
    assert ["several_sessions"] == codes(stream)


def test_an_end_without_its_begin_is_nobodys(tmp_path: Path) -> None:
    """What was done stands at the begin."""
    stream = read(tmp_path, *old(old_command("1", "pytest -q")[1], SAID, OVER))

    assert [] == acted(stream)
    assert ["orphan_result"] == codes(stream)


@pytest.mark.parametrize(
    ("look", "decision"), [("cat b.py", "reject"), ("cat a.py b.py", "accept")]
)
def test_the_older_shape_is_judged_in_its_folder(look: str, decision: str, tmp_path: Path) -> None:
    """A file that was moved is two that changed."""
    records = old(
        *old_patch("1"), *old_command("2", "pytest -q"), *old_command("3", look), SAID, OVER
    )

    assert [decision] == [one for one, _ in judged(tmp_path, *records)]


@pytest.mark.parametrize(
    ("idents", "gap"),
    [
        (("item_0", "item_1", "item_2"), False),
        (("item_0", "item_2", "item_3"), True),
        (("item_1", "item_2"), True),
        (("item_0", "ws_1", "item_2"), False),
        (("item_0", "ws_1", "ws_1", "item_3"), True),
        (("one", "two"), False),
    ],
)
def test_a_gap_between_the_numbers_of_items_is_a_loss(
    idents: tuple[str, ...], gap: bool, tmp_path: Path
) -> None:
    """What is missing may have been a change; an item of a search hides its number."""
    items = [completed(ident, "reasoning", text="x") for ident in idents]
    records = [THREAD, TURN, *items, message(idents[-1]), DONE]

    assert (["bad_line"] if gap else []) == codes(read(tmp_path, *records))
    assert ["not_assessable" if gap else "accept"] == [one for one, _ in judged(tmp_path, *records)]


@pytest.mark.parametrize("kind", ["file_change", "mcp_tool_call"])
def test_a_change_whose_end_is_not_told_may_have_been_made(kind: str, tmp_path: Path) -> None:
    """Only a command goes on behind its turn."""
    change = {"changes": [{"path": "/w/a.py"}], "server": "s", "tool": "t"}
    records = [THREAD, TURN, begun("1", kind, **change), *command("2", "ls"), *command("3", "ls")]
    stream = read(tmp_path, *records, message("m"), DONE)

    assert [("ok", "exit_code"), ("ok", "exit_code"), ("none", "none")] == outcomes(stream)
    assert ["not_assessable"] == [
        decision for decision, _ in judged(tmp_path, *records, message("m"), DONE)
    ]


ITEMS: list[object] = [
    None, 5, {}, [], {"type": None}, {"type": 7, "changes": [{"path": "a.py"}]},
    {"type": "a_later_kind"}, {"type": "file_change", "id": None, "changes": []},
]  # fmt: skip


@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("gap", [False, True])
def test_an_item_that_cannot_be_read_is_a_loss(item: object, gap: bool, tmp_path: Path) -> None:
    """It may have been a change; what has no id is not counted as the one that is missing."""
    if isinstance(item, dict) and item and not gap:
        item = {"id": "item_1", "status": "completed" if "changes" in item else None} | item
    records = [THREAD, TURN, completed("item_0", "reasoning"), {"type": "item.completed"}]
    records[-1] |= {"item": item}

    told = [*records, message("item_2"), DONE]

    assert ["bad_line"] == codes(read(tmp_path, *told))
    assert ["not_assessable"] == [decision for decision, _ in judged(tmp_path, *told)]


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({"type": None, "item": {}}, "bad_line"),
        ({"item": {"id": "item_0", "type": "reasoning"}}, "bad_line"),
        ({"type": "item.done", "item": {"id": "item_0", "type": "reasoning"}}, "bad_line"),
        ({"type": "item.completed", "item": {"id": [], "type": "reasoning"}}, "bad_line"),
        ({"id": "0", "msg": {"type": "exec_command_begin", "command": ["ls"]}}, "bad_line"),
        ({"id": "0", "msg": {"type": "exec_command_end", "exit_code": 0}}, "bad_line"),
        ({"id": "0", "msg": None}, "bad_line"),
        ({"id": "0", "msg": {"type": 5}}, "bad_line"),
        ({"level": "info", "msg": "of another program"}, "unknown_record"),
        ({"role": "user", "content": "of another format"}, "unknown_record"),
        ([1], "unknown_record"),
    ],
)
def test_a_record_without_a_type_is_not_passed_over_in_silence(
    record: Record, code: str, tmp_path: Path
) -> None:
    """One of the run is a loss; one of another program is none."""
    told = [THREAD, TURN, record, message("item_0"), DONE]
    decision = "not_assessable" if code == "bad_line" else "accept"

    assert [code] == codes(read(tmp_path, *told))
    assert [decision] == [found for found, _ in judged(tmp_path, *told)]
