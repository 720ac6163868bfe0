"""The questions that gates ask of the ledger (EL-11 to EL-15)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from reasonix_runtime.evidence.citing.cited_paths import was_mentioned, was_touched, was_written
from reasonix_runtime.evidence.content_seen import content_coverage, content_seen
from reasonix_runtime.evidence.latest import Doubt
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CLASSIC_LEDGER, CONTRACT_LEDGER, LedgerRules
from reasonix_runtime.evidence.looked_after import light_inspection, verified_signoff
from reasonix_runtime.evidence.receipts import Receipt, receipt_of
from reasonix_runtime.evidence.runs_against import failure_of


class Turn:
    """A ledger that is filled call by call."""

    def __init__(self, rules: LedgerRules = CLASSIC_LEDGER, workspace: str = "") -> None:
        self.ledger = Ledger(rules, workspace=workspace)

    def call(self, tool: str, *, outcome: str = "ok", output: str = "x", **args: Any) -> Turn:
        exit_code = args.pop("exit_code", None)
        self.ledger.record(
            receipt_of(
                tool,
                args,
                rules=self.ledger.rules,
                outcome=outcome,
                output=output,
                exit_code=exit_code,
            )
        )
        return self

    def run(self, command: str, **more: Any) -> Turn:
        return self.call("bash", command=command, **more)

    def edit(self, path: str, **more: Any) -> Turn:
        return self.call("edit_file", path=path, **more)

    def read(self, path: str, **more: Any) -> Turn:
        return self.call("read_file", path=path, **more)

    def signoff(self, *commands: str) -> Turn:
        evidence = [{"kind": "verification", "summary": "s", "command": c} for c in commands]
        return self.call("complete_step", step="1", result="r", evidence=evidence)


def test_an_empty_ledger_answers_no_to_everything() -> None:
    """What never happened proves nothing."""
    ledger = Turn().ledger

    assert (-1, -1) == (ledger.latest_mutation, ledger.latest_write)
    assert not any(
        (
            ledger.work,
            ledger.progress,
            ledger.criteria,
            ledger.verification_ran,
            ledger.command_ran("ls"),
            was_written(ledger, "a"),
            content_coverage(ledger, -1, []),
        )
    )


@pytest.mark.parametrize("proves", [was_written, was_touched, was_mentioned])
@pytest.mark.parametrize("path", ["", " "])
def test_a_blank_path_is_never_proved(proves: Callable[[Ledger, str], bool], path: str) -> None:
    """EL-12: nothing wanted is a fault of the caller, not a success."""
    assert not proves(Turn().edit(".").read(".").run("echo a").ledger, path)


@pytest.mark.parametrize(
    ("path", "proved"),
    [
        ("a.py", (True, True, False)),
        ("b.py", (True, True, False)),
        ("c.py", (False, True, False)),
        ("d.py", (False, False, True)),
        ("e.py", (False, False, False)),
    ],
)
def test_a_path_is_written_read_or_named(path: str, proved: tuple[bool, bool, bool]) -> None:
    """EL-12: each in a call of its own; what is written counts as touched."""
    ledger = Turn().edit("a.py").edit("./b.py").read("c.py").run("cat d.py").ledger

    assert proved == (
        was_written(ledger, path),
        was_touched(ledger, path),
        was_mentioned(ledger, path),
    )


def test_failed_calls_prove_nothing() -> None:
    """No successful query accepts a failed receipt (EL-03)."""
    ledger = Turn().edit("a", outcome="error").run("make", outcome="error").ledger

    assert not was_written(ledger, "a")
    assert not ledger.command_ran("make")
    assert -1 == ledger.latest_mutation
    assert failure_of(ledger, "make")


def test_after_means_a_greater_index() -> None:
    """The one convention of all queries."""
    ledger = Turn().run("make lint").edit("a").ledger

    assert ledger.command_ran("make lint", -1)
    assert not ledger.command_ran("make lint", 0)


def test_a_job_that_ends_late_does_not_hide_a_newer_run() -> None:
    """A run is as old as its start: the job began before the change, the run after it."""
    turn = Turn(CONTRACT_LEDGER).run("make test", outcome="running").edit("a").run("make test")
    start = turn.ledger[0]

    turn.ledger.record(Receipt(tool="bash", args={}, success=True, command="make test", began=0))

    assert not start.settled
    assert [2] == [run.began for run in turn.ledger.runs("make test")]


def test_the_latest_run_of_a_command_is_what_counts() -> None:
    """A run before and one after a change: the later one is found."""
    ledger = Turn().run("make lint").edit("a").run("make lint").ledger

    assert [2] == [run.index for run in ledger.runs("make lint")]


@pytest.mark.parametrize(
    ("tool", "args", "work", "progress"),
    [
        ("read_file", {"path": "a"}, True, False),
        ("ask", {}, False, False),
        ("todo_write", {"todos": []}, False, False),
        ("complete_step", {"step": "1"}, False, True),
        ("bash", {"command": "ls"}, True, True),
        ("task", {"prompt": "x"}, True, True),
    ],
)
def test_work_and_progress_leave_bookkeeping_out(
    tool: str, args: dict[str, Any], work: bool, progress: bool
) -> None:
    """EL-12 "work" and "progress"."""
    ledger = Turn().call(tool, **args).ledger

    assert (work, progress) == (ledger.work, ledger.progress)


def test_a_list_is_a_criterion_once_it_has_items() -> None:
    """EL-12 "criteria"; the latest list may be empty all the same."""
    turn = Turn().call("todo_write", todos=[])
    assert not turn.ledger.criteria

    turn.call("todo_write", todos=[{"content": "a", "status": "in_progress"}])
    turn.call("todo_write", todos=[])

    assert turn.ledger.criteria
    assert () == turn.ledger.todos
    assert 1 == turn.ledger.latest_list


def test_a_child_hands_over_everything_but_its_bookkeeping() -> None:
    """EL-15: a delegate's sign-offs and lists are its own; its failures count."""
    child = Turn().edit("a").call("todo_write", todos=[]).run("make", outcome="error")
    child.call("ask").signoff("make").call("review_report", kind="review")
    parent = Turn().read("b").ledger

    parent.merge_child(child.ledger)

    assert ["read_file", "edit_file", "bash", "review_report"] == [r.tool for r in parent]
    assert 1 == parent.latest_mutation
    assert failure_of(parent, "make")


def test_a_cleared_ledger_remembers_how_much_stood_before_it() -> None:
    """Ages of background jobs are counted over the whole session."""
    turn = Turn().edit("a").run("ls")

    turn.ledger.clear()

    assert (0, 2, -1) == (len(turn.ledger), turn.ledger.base, turn.ledger.latest_mutation)
    assert not turn.ledger.command_ran("ls")


# -- EL-13 light inspection, verified sign-off ---------------------------------------------------


@pytest.mark.parametrize(
    ("command", "inspects"),
    [
        ("git diff", True),
        ("git status", True),
        ("cat src/a.py", True),
        ("grep x src/a.py", True),
        ("cat src/b.py", False),
        ("rm src/a.py", False),
        ("git -C x diff", False),
        ("ls", False),
    ],
)
def test_a_command_inspects_a_change(command: str, inspects: bool) -> None:
    """EL-13 a and b."""
    assert inspects is light_inspection(Turn().edit("src/a.py").run(command).ledger, 0)


def test_a_read_inspects_the_path_it_reads() -> None:
    """EL-13 d; of a change without paths any read does (c)."""
    assert light_inspection(Turn().edit("a").read("a").ledger, 0)
    assert not light_inspection(Turn().edit("a").read("b").ledger, 0)
    assert light_inspection(Turn().run("rm x").read("b").ledger, 0)


def test_the_shell_of_a_read_only_agent_inspects_a_change_without_paths() -> None:
    """EL-13 c: its receipts are reads (EL-06), whatever the command looks at."""
    turn = Turn().run("rm x")
    look = receipt_of("bash", {"command": "ls"}, rules=CLASSIC_LEDGER, read_only=True)
    turn.ledger.record(look)

    assert light_inspection(turn.ledger, 0)
    assert not light_inspection(Turn().run("rm x").run("ls").ledger, 0)


def test_an_inspection_before_the_change_is_none() -> None:
    """Only what stands after the change can have seen it."""
    assert not light_inspection(Turn().read("a").edit("a").ledger, 1)


def test_a_verified_sign_off_has_inspection_and_check_before_it() -> None:
    """EL-13: change, inspect, verify, sign off."""
    good = Turn().edit("a").read("a").run("pytest -q").signoff("pytest -q").ledger
    late = Turn().edit("a").run("pytest -q").signoff("pytest -q").read("a").ledger
    other = Turn().edit("a").read("a").run("ls").signoff("ls").ledger
    early = Turn().run("pytest -q").edit("a").read("a").signoff("pytest -q").ledger

    assert verified_signoff(good, 0)
    assert not verified_signoff(late, 0)
    assert not verified_signoff(other, 0)
    assert not verified_signoff(early, 1)


# -- EL-14 content coverage ----------------------------------------------------------------------


def test_content_is_covered_by_a_whole_diff_or_path_by_path() -> None:
    """EL-14; without required paths only the whole diff counts."""
    diff = Turn().edit("a").run("git diff").ledger
    reads = Turn().edit("a").edit("b").read("a").run("cat b").ledger
    half = Turn().edit("a").edit("b").read("a").ledger

    assert content_coverage(diff, 0, ["a"])
    assert content_coverage(diff, 0, [])
    assert content_coverage(reads, 1, ["a", "b"])
    assert not content_coverage(half, 1, ["a", "b"])
    assert not content_coverage(half, 1, [])


def test_a_blank_diff_covers_nothing() -> None:
    """B3: what printed nothing showed nothing."""
    blank = Turn().edit("a").run("git diff", output=" \n").ledger

    assert not content_coverage(blank, 0, ["a"])


# -- policy points -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("observed", "wanted", "classic", "contract"),
    [
        ("/repo/src/a.py", "src/a.py", True, True),
        ("/other/src/a.py", "src/a.py", True, False),
        ("other/src/a.py", "src/a.py", True, False),
        ("src/A.py", "src/a.py", True, False),
        ("src/a.py", "/repo/src/a.py", False, True),
        ("src/a.py", "src/a.py", True, True),
        ("a.py", "src/a.py", False, False),
    ],
)
def test_an_observed_path_fits_by_suffix_or_by_place(
    observed: str, wanted: str, classic: bool, contract: bool
) -> None:
    """`suffix_paths`: by trailing components in any case, or the same file of the workspace."""
    found = [
        content_seen(Turn(rules, workspace="/repo").read(observed).ledger, wanted) is not None
        for rules in (CLASSIC_LEDGER, CONTRACT_LEDGER)
    ]

    assert [classic, contract] == found


@pytest.mark.parametrize(("code", "failed"), [(1, True), (2, True), (124, False), (127, False)])
def test_a_run_that_could_not_end_is_no_failure_where_the_rules_say_so(
    code: int, failed: bool
) -> None:
    """`inconclusive_exits` (MASK-3)."""
    contract = Turn(CONTRACT_LEDGER).run("make test", outcome="error", exit_code=code).ledger
    classic = Turn(CLASSIC_LEDGER).run("make test", outcome="error", exit_code=code).ledger

    assert failed is (failure_of(contract, "make test") is not None)
    assert failure_of(classic, "make test")


def test_a_failed_run_of_no_test_is_stopped_and_no_failure() -> None:
    """It found nothing to check, so it says nothing against what was checked before."""
    turn = Turn(CONTRACT_LEDGER).run("pytest -q", outcome="error", exit_code=5)
    turn.ledger.receipts[0] = structs.replace(turn.ledger.receipts[0], ran_nothing=True)

    assert ({}, ["pytest -q"]) == (turn.ledger.latest.failed, list(turn.ledger.latest.stopped))


def test_only_what_is_no_change_and_has_no_begin_is_dated_back() -> None:
    """A change stays where it is, and what began earlier saw no more than it did then."""
    turn = Turn().read("a.py").read("b.py").edit("a.py").read("c.py")
    turn.ledger.receipts[1] = structs.replace(turn.ledger.receipts[1], began=1)
    turn.ledger.date_back(1, 2)

    assert [None, 1, None, 2] == [receipt.began for receipt in turn.ledger.receipts]


@pytest.mark.parametrize(
    ("told", "kept"),
    [((1, 2), "1"), ((2, 1), "0"), ((1, 1), "1")],
    ids=["later", "earlier", "same"],
)
def test_the_latest_call_that_may_have_changed_something_is_remembered(
    told: tuple[int, int], kept: str
) -> None:
    """A check has to stand behind all of them; of two at one place the last one told is named."""
    ledger = Turn().ledger
    for call, at in enumerate(told):
        ledger.doubt(Doubt("bash", str(call), at))

    assert ledger.doubted is not None
    assert kept == ledger.doubted.call


def test_a_change_without_paths_may_have_changed_any_path() -> None:
    """A read before a script may be old, whatever the command names."""
    turn = Turn(CONTRACT_LEDGER).read("a").run("sh codemod.sh b")

    assert 1 == turn.ledger.last_change_of("a")


def test_what_the_host_alone_holds_changes_no_path() -> None:
    """Remembering something does not make a read file old."""
    turn = Turn(CONTRACT_LEDGER).read("a").call("remember", text="x")

    assert -1 == turn.ledger.last_change_of("a")
