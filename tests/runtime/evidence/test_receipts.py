"""What one call leaves in the ledger (EL-01 to EL-08)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reasonix_runtime.evidence.arguments import MOST_PATHS, paths_of
from reasonix_runtime.evidence.ledger_rules import (
    CLASSIC_LEDGER,
    CONTRACT_LEDGER,
    FACTS_LEDGER,
    LedgerRules,
)
from reasonix_runtime.evidence.paths import PathStyle
from reasonix_runtime.evidence.receipts import Receipt, mutates, receipt_of
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.evidence.tool_kinds import READ_ONLY_TOOLS
from reasonix_runtime.tools.registry import default_registry

MANY = [f"f{at}.py" for at in range(MOST_PATHS + 1)]


def left(tool: str, args: Any = None, rules: LedgerRules = CLASSIC_LEDGER, **more: Any) -> Receipt:
    return receipt_of(tool, {} if args is None else args, rules=rules, **more)


@pytest.mark.parametrize(
    ("tool", "args", "flags"),
    [
        ("read_file", {"path": "src/a.py"}, "r"),
        ("ls", {"path": "."}, "r"),
        ("glob", {"pattern": "*.py"}, "r"),
        ("ask", {}, "r"),
        ("bash_output", {"job_id": "bash-1"}, "r"),
        ("review_report", {}, "r"),
        ("read_only_task", {}, "r"),
        ("edit_file", {"path": "src/a.py"}, "wm"),
        ("move_file", {"source_path": "a", "destination_path": "b"}, "wm"),
        ("bash", {"command": "pytest -q"}, ""),
        ("bash", {"command": "ls"}, ""),
        ("bash", {"command": "sed -i s/a/b/ x"}, "m"),
        ("bash", {}, "m"),
        ("bash", {"command": "   "}, "m"),
        ("bash", "not an object", "m"),
        ("todo_write", {"todos": []}, ""),
        ("complete_step", {"step": "1"}, ""),
        ("task", {"prompt": "x"}, ""),
        ("review", {"task": "x"}, ""),
        ("remember", {}, "m"),
        ("kill_shell", {"job_id": "bash-1"}, "m"),
        ("mcp__fs__write", {"path": "a"}, "m"),
        ("no_such_tool", {}, "m"),
    ],
)
def test_a_typical_call_leaves_its_flags(tool: str, args: Any, flags: str) -> None:
    """The table of EL-02: everything else is built on these three flags."""
    receipt = left(tool, args)

    found = ("r" if receipt.read else "") + ("w" if receipt.write else "")
    assert flags == found + ("m" if receipt.mutation else "")


def test_the_registry_flag_of_the_call_wins_over_the_table() -> None:
    """An MCP tool may be declared read-only at run time."""
    receipt = left("mcp__fs__read", {"path": "a"}, read_only=True)

    assert (True, False) == (receipt.read, receipt.mutation)


def test_the_shell_of_a_read_only_agent_reads_and_changes_nothing() -> None:
    """There the shell is a wrapper that is registered read-only (EL-06)."""
    receipt = left("bash", {"command": "rm x"}, read_only=True)

    assert (True, False) == (receipt.read, receipt.mutation)


@pytest.mark.parametrize(
    ("args", "paths"),
    [
        ({"path": " ./src//a.py "}, ("src/a.py",)),
        ({"path": "src\\a.py"}, ("src/a.py",)),
        ({"path": "//repo/a"}, ("/repo/a",)),
        ({"path": ""}, ()),
        ({"Path": "a"}, ()),
        ({"path": 7}, ()),
        ({"file_path": "b", "path": "a"}, ("a", "b")),
        ({"destination_path": "b", "source_path": "a"}, ("a", "b")),
        ({"paths": ["a", "", "b"]}, ("a", "b")),
        ({"paths": ["a", 1]}, ()),
        ({"file_paths": ["b"], "paths": ["a"], "notebook_path": "n"}, ("n", "a", "b")),
    ],
)
def test_paths_come_from_the_path_keys_in_order(
    args: dict[str, Any], paths: tuple[str, ...]
) -> None:
    """EL-04: keys are case-sensitive, a list with one wrong element counts as absent."""
    assert paths == paths_of(args)


def test_paths_fold_case_under_windows_rules_only() -> None:
    """Whose path rules hold is a setting, not the machine (PATH-5)."""
    args = {"path": "C:\\W\\A.py"}

    assert ("c:/w/a.py",) == paths_of(args, PathStyle.WINDOWS)
    assert ("C:/W/A.py",) == paths_of(args, PathStyle.POSIX)


@pytest.mark.parametrize(
    ("output", "says"),
    [("", False), (" \n ", False), ("\u3000", False), (" ok\n", True), ("\ud800", True)],
)
def test_output_counts_when_it_is_more_than_white_space(output: str, says: bool) -> None:
    """Nothing of it is kept; a lone surrogate must not break the look at it."""
    assert says == left("read_file", {"path": "a"}, output=output).has_output


def test_a_sign_off_has_no_output_of_its_own() -> None:
    """EL-01: its text is the host's, not evidence."""
    assert not left("complete_step", {"step": "1"}, output="accepted").has_output


@pytest.mark.parametrize(
    ("args", "step"),
    [
        ({"step_index": 2, "step": "x"}, "2"),
        ({"step_index": 0, "step": " x "}, "x"),
        ({"step_index": "2"}, ""),
        ({"step_index": True, "step": "x"}, "x"),
    ],
)
def test_the_step_is_its_positive_number_or_its_title(args: dict[str, Any], step: str) -> None:
    """EL-01 `step`."""
    assert step == left("complete_step", args).step


@pytest.mark.parametrize(
    ("item", "shaped"),
    [
        ({"kind": "manual", "summary": "x"}, True),
        ({"kind": "verification", "summary": "x", "command": "make"}, True),
        ({"kind": "verification", "summary": "x"}, False),
        ({"kind": "diff", "summary": "x", "paths": ["", "a"]}, True),
        ({"kind": "files", "summary": "x", "paths": [" "]}, False),
        ({"kind": "review", "summary": "x"}, False),
        ({"kind": "manual", "summary": " "}, False),
        ("manual", False),
    ],
)
def test_a_proof_has_the_shape_of_its_kind(item: Any, shaped: bool) -> None:
    """TW-07 b: only such a refused sign-off opens the recovery."""
    args = {"step": "1", "result": "done", "evidence": [item]}

    assert shaped is left("complete_step", args).step_proof


def test_the_match_of_a_sign_off_is_that_of_its_moment() -> None:
    """A later list must not change what was signed off."""
    tasks = (Task(content="Add parser"), Task(content="Add docs"))

    receipt = left("complete_step", {"step": "2"}, tasks=tasks)

    assert receipt.todo_step is not None
    assert (1, "Add docs") == (receipt.todo_step.index, receipt.todo_step.task.content)


@pytest.mark.parametrize(
    ("outcome", "success"),
    [("ok", True), ("error", False), ("cancelled", False), ("unknown", False), ("none", False)],
)
def test_only_ok_is_a_success(outcome: str, success: bool) -> None:
    """Unknown is never a pass."""
    assert success is left("bash", {"command": "make"}, outcome=outcome).success


@pytest.mark.parametrize(
    ("rules", "settled"), [(CLASSIC_LEDGER, True), (FACTS_LEDGER, True), (CONTRACT_LEDGER, False)]
)
@pytest.mark.parametrize("started", [{"outcome": "running"}, {"outcome": "ok"}])
def test_a_background_start_proves_something_only_where_the_rules_say_so(
    rules: LedgerRules, settled: bool, started: dict[str, str]
) -> None:
    """EL-16: a start is a success everywhere, evidence only under `background_from_start`."""
    args = {"command": "npm test", "run_in_background": True}

    receipt = left("bash", args, rules, **started)

    assert (True, True, settled) == (receipt.success, receipt.background, receipt.settled)


@pytest.mark.parametrize(
    ("rules", "tool", "changes"),
    [
        (CLASSIC_LEDGER, "remember", True),
        (CONTRACT_LEDGER, "remember", False),
        (CONTRACT_LEDGER, "kill_shell", True),
        (FACTS_LEDGER, "remember", False),
        (FACTS_LEDGER, "edit_file", True),
        (CLASSIC_LEDGER, "fleet", True),
        (CONTRACT_LEDGER, "fleet", False),
    ],
)
def test_what_changes_no_file_itself_is_a_change_where_the_rules_say_so(
    rules: LedgerRules, tool: str, changes: bool
) -> None:
    """`host_state_changes`, `notes_change` (EL-20), `fleet_changes`: a note changes no file."""
    assert changes is left(tool, {}, rules).mutation


@pytest.mark.parametrize(
    ("rules", "jobs", "changes"),
    [
        (CLASSIC_LEDGER, frozenset(), True),
        (CONTRACT_LEDGER, frozenset(), False),
        (CONTRACT_LEDGER, frozenset({"bash-1"}), True),
        (CONTRACT_LEDGER, None, True),
    ],
)
def test_killing_an_unknown_job_changes_nothing_where_the_rules_say_so(
    rules: LedgerRules, jobs: frozenset[str] | None, changes: bool
) -> None:
    """`unknown_kill_changes`; where nobody counts jobs the call is taken for a change."""
    receipt = left("kill_shell", {"job_id": "bash-1"}, rules, running_jobs=jobs)

    assert changes is receipt.mutation


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("read_file", {"paths": MANY}),
        ("delete_file", {"paths": MANY}),
        ("bash", {"command": f"sed -i s/a/b/ {' '.join(MANY)}"}),
    ],
)
def test_of_a_call_that_names_too_many_paths_none_is_kept(tool: str, args: Any) -> None:
    """It shows nothing, and may have changed anything: hundreds of them took 350 MiB."""
    few = json.loads(json.dumps(args).replace(MANY[-1], ""))

    assert left(tool, args, CONTRACT_LEDGER).paths == ()
    assert len(left(tool, few, CONTRACT_LEDGER).paths) == MOST_PATHS


def test_what_only_reads_is_what_the_contract_says() -> None:
    """The list of names agrees with the declaration of every tool that there is."""
    declared = {tool.name: bool(tool.read_only) for tool in default_registry(review=True)}

    assert {name: name in READ_ONLY_TOOLS for name in declared} == declared


@pytest.mark.parametrize("args", [None, {}, [], "x", 7, {"command": "ls"}, {"path": "a"}])
@pytest.mark.parametrize("tool", ["bash", "edit_file", "read_file", "remember", "task"])
@pytest.mark.parametrize("read_only", [None, True, False])
def test_the_forecast_of_a_change_equals_the_receipt(
    tool: str, args: Any, read_only: bool | None
) -> None:
    """Preflight asks before the call, the ledger after it: one answer."""
    receipt = receipt_of(tool, args, rules=CLASSIC_LEDGER, read_only=read_only)

    forecast = mutates(tool, args, rules=CLASSIC_LEDGER, read_only=read_only)

    assert receipt.mutation is forecast


def test_where_a_trace_tells_no_flag_the_contract_does() -> None:
    """A tool that only reads would otherwise owe a check and a review."""
    flags = {entry.name: entry.read_only for entry in default_registry(review=True).entries()}

    assert {name for name, reads in flags.items() if reads} == READ_ONLY_TOOLS & flags.keys()
