"""The memory of the loop guards within one turn."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.kept import LONGEST_WHOLE
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import Task, TaskMatch
from reasonix_runtime.gates.loop_guards import (
    STALL_NUDGE,
    Ended,
    LoopGuards,
    repeats_writes,
    stands_down,
)
from reasonix_runtime.gates.same_calls import intent_key, write_key
from reasonix_runtime.gates.verdict import text_of

WRITE = {"path": "a.go", "content": "x"}
LONG = f"make {'x' * LONGEST_WHOLE}"


def refused(guards: LoopGuards, tool: str = "write_file", args: Any = WRITE) -> list[str]:
    """Return what the guards say to one more try."""
    return [item.reason for item in guards.before(tool, args, writing=True, paths=("a.go",))]


def message(guards: LoopGuards, *receipts: Receipt, error: str = "", **more: Any) -> None:
    """Let one message of one call end; with an error it failed, or was refused."""
    settings = {"position": 0, "done": 0, "unfinished": True} | more
    was_refused = settings.pop("refused", False)
    call = Ended(tool="x", ok=not error, refused=was_refused, error=error)
    guards.message_ended([call], receipts, **settings)


def read(*paths: str, has_output: bool = True, **args: Any) -> Receipt:
    """Return the receipt of a read."""
    return Receipt(
        tool="read_file",
        args={"path": paths[0], **args},
        success=True,
        paths=paths,
        read=True,
        has_output=has_output,
    )


def bash(command: str, *, success: bool = True, **args: Any) -> Receipt:
    """Return the receipt of a command."""
    args["command"] = command
    return Receipt(tool="bash", args=args, success=success, command=command)


def signed(*, proof: bool = False, matched: bool = False) -> Receipt:
    """Return the receipt of a sign-off."""
    task = TaskMatch(0, Task(content="x", status="in_progress")) if matched else None
    return Receipt(tool="complete_step", args={}, success=True, step_proof=proof, todo_step=task)


def listed(*contents: str) -> Receipt:
    """Return the receipt of a task list."""
    todos = tuple(Task(content=content, status="pending") for content in contents)
    return Receipt(tool="todo_write", args=[*contents], success=True, todos=todos)


def test_asking_twice_changes_nothing() -> None:
    """A verdict that depended on how often it was asked for could not be replayed."""
    guards = LoopGuards()
    for _ in range(2):
        guards.after("write_file", WRITE, ok=True, error="")

    assert ["guard.repeat_success"] == refused(guards) == refused(guards)
    assert guards.pass_from is None


def test_a_call_that_is_no_repeatable_write_is_not_held_against_those() -> None:
    """A start in the background has the words of the run in the foreground (DL-10)."""
    guards = LoopGuards()
    for _ in range(2):
        guards.after("bash", {"command": "x > y"}, ok=True, error="")
    again = guards.before("bash", {"command": "x > y"}, writing=False)

    assert [] == [*again]


def test_the_tool_is_a_part_of_the_write() -> None:
    """Equal arguments of two tools are two writes, also where they are one object."""
    guards = LoopGuards()
    for _ in range(2):
        guards.after("write_file", WRITE, ok=True, error="")

    assert [] == refused(guards, "edit_file")


@pytest.mark.parametrize(
    ("later", "stale"),
    [
        ((), ["guard.stale_anchor"]),
        ((read("a.go"),), []),
        ((read("a.go", offset=0, limit=0),), []),
        ((read("a.go", offset=9),), ["guard.stale_anchor"]),
        ((read("a.go", limit=9),), ["guard.stale_anchor"]),
        ((Receipt(tool="read_file", args=[], success=True, paths=("a.go",)),), []),
        (
            (Receipt(tool="grep", args={}, success=True, paths=("a.go",), read=True),),
            ["guard.stale_anchor"],
        ),
    ],
)
def test_a_range_is_deleted_from_what_was_read_as_a_whole(
    later: tuple[Receipt, ...], stale: list[str]
) -> None:
    """Of what was written in this turn; other tools name no anchors."""
    guards = LoopGuards()
    write = Receipt(tool="edit_file", args={}, success=True, paths=("a.go",), write=True)
    for receipt in (write, *later):
        guards.receipt(receipt)

    assert [] == refused(guards)
    assert stale == refused(guards, "delete_range")


def test_another_error_line_starts_a_new_count() -> None:
    """Two different errors are two findings, not a loop."""
    guards = LoopGuards()
    counts = []
    for line in ("full", "locked", "locked"):
        guards.after("write_file", WRITE, ok=False, error=line, paths=("a.go",))
        counts.append(refused(guards))

    (told,) = guards.before("write_file", WRITE, writing=True)
    assert [[], [], ["guard.repeat_failure"]] == counts
    assert "failed 2 times with the same error ('locked')" in text_of(told.message)


@pytest.mark.parametrize(("paths", "cleared"), [(("a.go",), True), (("b.go",), False), ((), True)])
def test_a_change_of_the_file_or_of_unknown_files_clears_its_failures(
    paths: tuple[str, ...], *, cleared: bool
) -> None:
    """What failed may work on the new content."""
    guards = LoopGuards()
    for _ in range(2):
        guards.after("write_file", WRITE, ok=False, error="full", paths=("a.go",))

    guards.receipt(Receipt(tool="x", args={}, success=True, mutation=True, paths=paths))

    assert ([] if cleared else ["guard.repeat_failure"]) == refused(guards)


def test_a_look_at_the_file_clears_no_failure() -> None:
    """Nothing has changed, so what failed fails again."""
    guards = LoopGuards()
    for _ in range(2):
        guards.after("write_file", WRITE, ok=False, error="full", paths=("a.go",))
    guards.receipt(read("a.go"))

    assert ["guard.repeat_failure"] == refused(guards)


@pytest.mark.parametrize(
    ("messages", "fires"),
    [
        ("rrr", True),
        ("rrorr", False),
        ("rfrr", False),
        ("frr", False),
        ("aaa", True),
        ("aaoaa", False),
        ("aoaa", False),
    ],
)
def test_a_row_of_refusals_or_of_failures_is_broken_by_what_is_none(
    messages: str, *, fires: bool
) -> None:
    """Refused with lines of their own (r), failed with one (f) or alike (a), or ended well (o)."""
    guards = LoopGuards()
    for number, kind in enumerate(messages):
        error = {"o": "", "a": "no"}.get(kind, f"error {number}")
        message(guards, error=error, refused=kind == "r")

    assert (fires, 0 if fires else None) == (guards.fired, guards.pass_from)


def test_a_call_that_a_guard_refused_opens_the_pass_from_its_message_on() -> None:
    """The last one does; nothing that was done before it ends the pass."""
    guards = LoopGuards()
    for position in (0, 1):
        guards.grant_pass(position)

    assert guards.fired
    assert stands_down(guards, [bash("ls"), read("a.go")])


def test_advice_leaves_the_pass_as_it_is() -> None:
    """A stall that is told beside it takes back nothing (DL-10)."""
    guards = LoopGuards()
    for number in range(STALL_NUDGE):
        message(guards, error="no", position=number)

    assert ("identical_responses", "todo_stall") == guards.advice
    assert STALL_NUDGE - 1 == guards.pass_from


def test_the_row_of_messages_without_gain_nudges_and_then_stops() -> None:
    """Two, four, six: advice, a change of strategy, the stop."""
    guards, fired = LoopGuards(), []
    for number in range(8):
        message(guards, read("a.go"), position=number)
        fired.append((bool(guards.advice), guards.pass_from))
        assert guards.fired is any(told for told, _ in fired)

    assert [
        (False, None),
        (False, None),
        (True, None),
        (False, None),
        (True, None),
        (False, None),
        (True, 6),
        (True, 7),
    ] == fired


@pytest.mark.parametrize(
    ("runs", "gains"),
    [
        ([True, True], [1, 0]),
        ([False, False], [2, -2]),
        ([False, True, True], [2, 2, 0]),
        ([False, True, False, False], [2, 2, 2, -2]),
    ],
)
def test_a_command_gains_by_what_is_new_about_its_result(
    runs: list[bool], gains: list[int]
) -> None:
    """A first failure and its end say much, a repetition nothing (DL-10)."""
    guards = LoopGuards()

    assert gains == [guards._gain(bash("make", success=run)) for run in runs]


@pytest.mark.parametrize(
    ("receipt", "gains"),
    [
        (read("a.go"), [1, 0]),
        (
            Receipt(tool="grep", args={"pattern": "x"}, success=True, read=True, has_output=True),
            [1, 0],
        ),
        (Receipt(tool="read_file", args={}, success=True, read=True, paths=("a.go",)), [1, 0]),
        (Receipt(tool="read_file", args={}, success=False, read=True, paths=("a.go",)), [0, 0]),
        (Receipt(tool="task", args={}, success=True), [2, 2]),
        (Receipt(tool="parallel_tasks", args={}, success=True, read=True), [2, 2]),
        (Receipt(tool="review", args={}, success=True), [1, 0]),
        (Receipt(tool="edit_file", args={}, success=True, write=True, mutation=True), [3, 3]),
        (Receipt(tool="edit_file", args={}, success=True, write=True), [3, 3]),
        (Receipt(tool="kill_shell", args={}, success=True, mutation=True), [3, 3]),
        (read("a.go", "b.go"), [2, 0]),
        (read("a.go", "b.go", has_output=False), [1, 0]),
        (Receipt(tool="x", args={}, success=True, paths=("a", "b"), has_output=True), [1, 0]),
        (signed(), [0, 0]),
        (signed(proof=True), [1, 1]),
        (signed(matched=True), [1, 1]),
        (listed("x"), [1, 1]),
        (listed(), [0, 0]),
    ],
    ids=lambda value: value.tool if isinstance(value, Receipt) else "",
)
def test_what_is_made_again_gains_by_its_kind(receipt: Receipt, gains: list[int]) -> None:
    """Work and delegation always move a run on, a look only when it is the first (DL-10)."""
    guards = LoopGuards()

    assert gains == [guards._gain(receipt) for _ in range(2)]


def test_another_part_of_a_file_is_not_another_file() -> None:
    """Read with output, a path counts once (DL-10)."""
    guards = LoopGuards()

    assert [1, 0] == [guards._gain(read("a.go", offset=at)) for at in (0, 9)]


def test_the_list_stalls_after_eight_messages_and_pauses_after_sixteen() -> None:
    """The stall is about the list, so a list without open items cannot stall."""
    guards, other = LoopGuards(), LoopGuards()
    for number in range(16):
        message(guards, error=f"error {number}")
        message(other, error=f"error {number}", unfinished=False)

    assert guards.paused
    assert guards.pass_from is None
    assert not other.fired


def test_what_was_seen_in_the_turn_is_never_new_again() -> None:
    """Beside other news of one message, or before there was a list, a read is seen all the same."""
    guards = LoopGuards()
    message(guards, read("a.go"), unfinished=False)
    message(guards, read("b.go"), read("c.go"))
    for seen in ("a.go", "c.go", "a.go", "c.go", "a.go", "c.go", "a.go"):
        message(guards, read(seen), error="x")
    assert "todo_stall" not in guards.advice

    message(guards, read("c.go"), error="x")
    assert "todo_stall" in guards.advice


@pytest.mark.parametrize(
    ("receipts", "stalls"),
    [
        ([bash(f"make {n}") for n in range(STALL_NUDGE)], False),
        ([bash(f"make {n}", success=False) for n in range(STALL_NUDGE)], True),
        ([bash("make", timeout=n) for n in range(STALL_NUDGE + 1)], True),
        ([bash(LONG, timeout=n) for n in range(STALL_NUDGE + 1)], True),
        ([bash(f"{LONG} {n}") for n in range(STALL_NUDGE)], False),
        ([read("a.go", offset=n) for n in range(STALL_NUDGE)], False),
        ([listed(str(n)) for n in range(STALL_NUDGE)], True),
    ],
)
def test_what_is_new_and_succeeded_ends_the_stall(receipts: list[Receipt], *, stalls: bool) -> None:
    """Reads, commands and changes do; lists and failures do not, however they differ (DL-10)."""
    guards = LoopGuards()
    for number, receipt in enumerate(receipts):
        message(guards, receipt, error=f"error {number}")

    assert stalls is ("todo_stall" in guards.advice)


def test_a_completed_task_ends_the_stall() -> None:
    """Progress on the list is progress; what was completed long ago is none."""
    guards = LoopGuards()
    for number in range(15):
        message(guards, error=f"error {number}", done=int(number >= 7))
    assert not guards.fired

    message(guards, error="x", done=1)
    assert ("todo_stall",) == guards.advice


@pytest.mark.parametrize(
    ("later", "holds"),
    [
        (read("a.go"), True),
        (bash("ls"), False),
        (bash("ls", success=False), True),
        (Receipt(tool="edit_file", args={}, success=True, write=True, mutation=True), False),
        (Receipt(tool="edit_file", args={}, success=True, write=True), False),
        (Receipt(tool="todo_write", args={}, success=True), True),
    ],
)
def test_the_pass_lasts_until_something_was_done(later: Receipt, *, holds: bool) -> None:
    """Reads and bookkeeping are how a blocker is reported; work is how it is overcome."""
    guards = LoopGuards(pass_from=1)

    assert holds == stands_down(guards, [bash("ls"), later])


def test_a_memory_is_no_work_where_it_is_no_change() -> None:
    """Otherwise one `remember` would lift the stop of a run that is stuck."""
    guards = LoopGuards(pass_from=0)
    saved = [Receipt(tool="remember", args={}, success=True, mutation=True)]

    assert not stands_down(guards, saved)
    assert stands_down(guards, saved, host_state_counts=False)


@pytest.mark.parametrize(
    ("tool", "command", "redirects", "background", "expected"),
    [
        ("write_file", "", False, False, True),
        ("delete_range", "", False, False, False),
        ("bash", "sed -i s/a/b/ x", False, False, True),
        ("bash", "SED -I s/a/b/ x", False, False, True),
        ("bash", "echo x > y", True, False, True),
        ("bash", "echo x > y", True, True, False),
        ("bash", "python -c \"open('x', 'w')\"", False, False, True),
        ("bash", "python -c \"open('x').write('y')\"", False, False, True),
        ("bash", "python -c \"open('x').read()\"", False, False, False),
        ("bash", "open('x', 'w').close()", False, False, True),
        ("bash", "echo 1, 'x'", False, False, False),
        ("bash", "pytest", False, False, False),
        ("web_fetch", "sed -i s/a/b/ x", False, False, False),
    ],
)
def test_the_guards_look_at_writes(
    tool: str, command: str, *, redirects: bool, background: bool, expected: bool
) -> None:
    """A repeated read or check is no loop."""
    assert expected == repeats_writes(tool, command, redirects=redirects, background=background)


def test_equal_writes_have_equal_keys_whatever_the_order_or_the_blanks() -> None:
    """A model that shuffles its keys is still going in circles."""
    assert write_key("write_file", {"a": 1, "b": 2}) == write_key("write_file", {"b": 2, "a": 1})
    assert write_key("bash", {"command": "a  b"}) == write_key("bash", {"command": " a b "})
    assert write_key("bash", {"command": "a b"}) != write_key("bash", {"command": "ab"})


def test_an_edit_is_known_by_what_it_replaces() -> None:
    """Trying another replacement for a text that is not there is the same failure."""
    one = {"path": "a", "old_string": "x", "new_string": "y"}

    assert intent_key("edit_file", one) == intent_key("edit_file", one | {"new_string": "z"})
    assert intent_key("edit_file", one) != intent_key("edit_file", one | {"old_string": "z"})
    assert intent_key("write_file", one) != intent_key("write_file", one | {"new_string": "z"})


def test_steps_of_an_edit_are_known_by_what_they_replace_and_where() -> None:
    """A text that stands in several places fails for one of them and works for all."""

    def key(**more: Any) -> Any:
        return intent_key("multi_edit", {"path": "a", "edits": [{"old_string": "x", **more}]})

    assert key() == key(new_string="y") == key(replace_all=False)
    assert key() != key(replace_all=True)
    assert key(old_string="z") not in (key(), key(replace_all=True))


def test_the_content_of_a_file_is_not_kept() -> None:
    """A run that writes a thousand large files must not hold them all (equal ones are found)."""
    large = {"path": "a", "content": "x" * 100_000}

    key = write_key("write_file", large)

    assert isinstance(key, bytes)
    assert len(key) < 100
    assert write_key("write_file", large) == write_key("write_file", dict(large))
    assert write_key("write_file", large) != write_key("write_file", large | {"path": "b"})


def test_the_words_of_a_long_command_are_not_kept() -> None:
    """A here-document is a file as well: its words took ten times the memory of its text."""
    blanks = " " * 10_000
    long = "cat > a.py <<'EOF'\n" + "x = 1\n" * 10_000 + "EOF\n"

    key = write_key("bash", {"command": long})

    assert isinstance(key, bytes)
    assert len(key) < 100
    assert key == write_key("bash", {"command": f" {long.replace(' ', blanks[:2])}"})
    assert key != write_key("bash", {"command": f"{long} b"})
    assert write_key("bash", {"command": "a b"}) == write_key("bash", {"command": f"a{blanks}b"})


@pytest.mark.parametrize("value", ["\ud800", 10**30, None, [1, {"b": 1, "a": 2}]])
def test_every_json_value_has_a_key(value: Any) -> None:
    """A trace may hold half a surrogate pair or a number of any size (JSONL-3)."""
    assert write_key("write_file", {"a": value}) == write_key("write_file", {"a": value})
