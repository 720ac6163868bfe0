"""The sign-off gate: order of the checks, kinds of evidence, policy points, messages."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from step_turn import MANUAL, StepTurn, changed, touched, verified

from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.tasks import CURRENT, DONE, PENDING, Task
from reasonix_runtime.gates import found
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, Policy
from reasonix_runtime.gates.verdict import Decision, switched_off

REVIEWED = {"kind": "review", "summary": "reviewed"}
TASKS = (
    Task(content="Add parser", status=DONE),
    Task(content="Add docs", status=CURRENT),
    Task(content="Ship it", status=PENDING),
)

FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("args.invalid", {"notes": 7}),
    ("step.missing", {"step": " "}),
    ("result.missing", {"result": ""}),
    ("evidence.missing", {"evidence": []}),
]


@pytest.mark.parametrize("first", range(len(FAULTS)))
def test_the_first_fault_of_the_shape_decides(first: int) -> None:
    """CS-02: with all later faults present as well, the earliest one is the answer."""
    args: dict[str, Any] = {"step": "Step", "result": "done", "evidence": [MANUAL]}
    for _, fault in FAULTS[first:]:
        args |= fault

    assert FAULTS[first][0] == StepTurn().judge_step(args).reason


def test_a_switched_off_reason_lets_the_next_check_decide() -> None:
    """The mutation check of the catalogue rests on this."""
    args = {"step": "", "result": "", "evidence": [MANUAL]}

    with switched_off("step.missing"):
        assert "result.missing" == StepTurn().judge_step(args).reason


def test_a_negative_index_with_a_title_is_its_own_fault() -> None:
    """CS-03: without a title it is a missing step."""
    turn = StepTurn()

    assert "step_index.negative" == turn.sign(MANUAL, step_index=-1).reason
    assert "step.missing" == turn.sign(MANUAL, step="", step_index=-1).reason


@pytest.mark.parametrize(
    ("outcome", "exit_code", "said"),
    [
        ("error", 127, "ended with exit status 127: it was not started"),
        ("cancelled", None, "ended as cancelled: it was not started, was stopped or was killed"),
        ("unknown", 0, "ran, and nothing tells surely enough how it ended"),
    ],
)
def test_a_run_without_an_answer_is_told_by_what_is_known_of_it(
    outcome: str, exit_code: int | None, said: str
) -> None:
    """Nobody learns from being told that a run with exit status 0 was killed."""
    turn = StepTurn().run("pytest -q", outcome=outcome, exit_code=exit_code)
    verdict = turn.sign(verified("pytest -q"))

    assert "verification.inconclusive" == verdict.reason
    assert said in verdict.message


@pytest.mark.parametrize(("policy", "reason"), [(CLASSIC, None), (FACTS, "args.invalid")])
def test_a_key_that_the_rules_do_not_know_may_hold_anything(
    policy: Policy, reason: str | None
) -> None:
    """CS-01: further keys are ignored; `step_id` and `criterion_id` are keys of later rules."""
    evidence = {**MANUAL, "criterion_id": 5}

    assert reason == StepTurn(policy).sign(evidence, step_id=7).reason


@pytest.mark.parametrize("kind", ["Manual", " manual", "", "proof"])
def test_a_kind_is_one_of_the_five_exactly(kind: str) -> None:
    """CS-02 V6: no trimming, no folding."""
    assert "evidence.kind_invalid" == StepTurn().sign({"kind": kind, "summary": "s"}).reason


def test_the_list_is_looked_at_before_the_evidence() -> None:
    """V7 comes before V8: a wrong item is told first."""
    verdict = StepTurn(tasks=TASKS).sign(verified("make"), step="no such thing at all")

    assert "todo.step_unmatched" == verdict.reason


@pytest.mark.parametrize(
    ("step", "reason", "after"),
    [
        ("2", None, [DONE, DONE, CURRENT]),
        ("Add parser", None, [DONE, CURRENT, PENDING]),
        ("3", "todo.step_pending", [DONE, CURRENT, PENDING]),
        ("Paint it", "todo.step_unmatched", [DONE, CURRENT, PENDING]),
    ],
)
def test_an_item_is_signed_off_in_its_turn(step: str, reason: str | None, after: list[str]) -> None:
    """CS-06 and CS-15: the current item advances, a completed one is renewed."""
    verdict = StepTurn(tasks=TASKS).sign(MANUAL, step=step)

    assert (reason, after) == (verdict.reason, verdict.facts["todo_after"])


def test_without_a_ledger_no_evidence_is_counted() -> None:
    """CS-02: the gate outside a turn."""
    turn = StepTurn()
    turn.ledger = None  # type: ignore[assignment]  # the gate takes None

    verdict = turn.sign(verified("never ran"), MANUAL)

    assert (True, 0, 0) == (
        verdict.accepted,
        verdict.facts["host_verified"],
        verdict.facts["manual"],
    )


# -- four different answers ----------------------------------------------------------------------


def answers() -> dict[str, str]:
    """Return the messages of the ways in which one citation can fail, by reason."""
    cited = verified("pytest -q")
    verdicts = [
        StepTurn().run("make lint").sign(cited),
        StepTurn().run("pytest -q", outcome="error", exit_code=1).sign(cited),
        StepTurn().run("pytest -q").edit("a.py").sign(cited),
        StepTurn().edit("a.py").run("ls -la").sign(verified("ls -la"), closed_loop=True),
        StepTurn().run("pytest -q", outcome="error", exit_code=137).sign(cited),
        StepTurn().run("pytest -q", outcome="running").sign(cited),
    ]
    return {verdict.reason or "": verdict.message for verdict in verdicts}


def test_each_way_to_fail_has_a_reason_and_words_of_its_own() -> None:
    """Never happened, failed, too early, not recognised, killed, status unknown."""
    found_answers = answers()

    assert {
        "verification.command_not_run",
        "verification.command_failed",
        "verification.stale",
        "verification.not_recognized",
        "verification.inconclusive",
        "verification.exit_masked",
    } == set(found_answers)
    assert len(found_answers) == len(set(found_answers.values()))


def test_the_answer_names_what_was_looked_for_and_what_was_found() -> None:
    """CMD-6: without the real commands the model repeats its guess."""
    verdict = StepTurn().run("curl -s URL1").run("curl -s URL2").sign(verified("python3 -c 1"))

    assert "`python3 -c 1`" in verdict.message
    assert "`curl -s URL2`, `curl -s URL1`" in verdict.message


def test_the_answer_names_the_nearest_command() -> None:
    """A typing mistake is mended in one try."""
    verdict = StepTurn().run("pytest -q tests/unit").run("ls").sign(verified("pytest -q test/unit"))

    assert "nearest is `pytest -q tests/unit`" in verdict.message


@pytest.mark.parametrize("ran", ["pytest --collect-only -q", "echo pytest -q"])
def test_no_check_is_answered_with_a_command_that_is_none(ran: str) -> None:
    """Whoever looks for a test that ran is not told to cite a list of tests instead."""
    verdict = StepTurn().run(ran).sign(verified("pytest -q"))

    assert verdict.reason == "verification.command_not_run"
    assert "nearest" not in verdict.message
    assert f"`{ran}`" in verdict.message


@pytest.mark.parametrize(
    ("cited", "ran", "why"),
    [
        ("pytest -q", "pytest -q --collect-only", "'--collect-only' changes what the run checked"),
        ("go test ./...", "go test ./pkg", "'./...' is not part of what ran, in that order"),
        ("npm test", "npm test --dry-run", "'--dry-run' changes what the run checked"),
        ("pytest -q", "PATH=./fake:$PATH pytest -q", "what ran set PATH"),
    ],
)
def test_the_answer_tells_why_a_run_of_the_program_is_another_one(
    cited: str, ran: str, why: str
) -> None:
    """That it did not run is hard to believe where nearly the same did."""
    verdict = StepTurn().run(ran).run("ls").sign(verified(cited))

    assert f"`{ran}` ran, which is not the same: {why}." in verdict.message


def test_the_answer_hides_secrets() -> None:
    """What a refusal quotes goes to the model and into reports."""
    verdict = StepTurn().run("API_KEY=abc123xyz make x").sign(verified("make y"))

    assert "abc123xyz" not in verdict.message
    assert "API_KEY=[secret]" in verdict.message


def test_the_answer_is_bounded() -> None:
    """CS-17: eight commands of the turn, each cut."""
    turn = StepTurn()
    for number in range(50):
        turn.run(f"echo {number} " + "x" * 500)

    message = turn.sign(verified("make")).message

    assert len(message) < 2000
    assert 8 == message.count("`echo ")


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS])
@pytest.mark.parametrize("command", [*found.EXAMPLES.values(), found.ANY_EXAMPLE])
def test_every_example_of_an_answer_is_accepted(policy: Policy, command: str) -> None:
    """The text that explains a refusal uses the classifier that refused (VER)."""
    assert classify(command, policy.ledger.commands).verification


@pytest.mark.parametrize("command", found.WIDER_EXAMPLES.values())
def test_every_wider_example_is_accepted_where_it_is_given(command: str) -> None:
    """Rule sets with the short table of checks are given none of them."""
    assert classify(command, CONTRACT.ledger.commands).verification
    assert not classify(command, CLASSIC.ledger.commands).verification


@pytest.mark.parametrize(
    ("path", "ran", "policy", "example"),
    [
        ("A.java", "./gradlew build", CONTRACT, "./gradlew test"),
        ("A.java", "ls", CONTRACT, "mvn test"),
        ("a.cc", "bazel build //...", CONTRACT, "bazel test //..."),
        ("a.cc", "bazel build //...", CLASSIC, "make test"),
        ("a.py", "make build", CONTRACT, "pytest -q"),
        ("lib/a.ex", "mix compile", CONTRACT, "mix test"),
        ("lib/a.ex", "mix compile", CLASSIC, "make test"),
    ],
)
def test_the_example_is_one_of_the_project(
    path: str, ran: str, policy: Policy, example: str
) -> None:
    """Who builds by gradle has no use for Maven."""
    turn = StepTurn(policy=policy).edit(path).run(ran)

    assert f"`{example}`" in turn.sign(verified(ran), closed_loop=True).message


def test_the_example_is_in_the_language_of_the_change() -> None:
    """VER-5: name at least one accepted form for the language at hand."""
    verdict = StepTurn().edit("main.go").run("ls").sign(verified("ls"), closed_loop=True)

    assert "`go test ./...`" in verdict.message


# -- the list in words ---------------------------------------------------------------------------


def test_an_ambiguous_title_is_answered_with_all_that_fit() -> None:
    """TODO-2."""
    tasks = (Task(content="write parser", status=CURRENT), Task(content="write parser docs"))

    message = StepTurn(tasks=tasks).sign(MANUAL, step="parser").message

    assert '1 "write parser" and 2 "write parser docs"' in message


def test_when_all_is_done_the_answer_tells_the_renewal_form() -> None:
    """TODO-5."""
    tasks = (Task(content="Add parser", status=DONE), Task(content="Add docs", status=DONE))

    message = StepTurn(tasks=tasks).sign(MANUAL, step="tidy up").message

    assert "list is unchanged" in message
    assert '`step_index`; the last one is 2 "Add docs"' in message


def test_a_pending_phase_is_answered_with_its_current_sub_step() -> None:
    """TODO-12."""
    tasks = (
        Task(content="Phase one", status=PENDING),
        Task(content="step alpha", status=CURRENT, level=1),
    )

    message = StepTurn(tasks=tasks).sign(MANUAL, step="1").message

    assert "phase with an open sub-step" in message
    assert '2 "step alpha"' in message


def test_a_list_in_which_nothing_is_current_has_an_answer_for_a_phase_too() -> None:
    """A recording may begin with any list."""
    tasks = (Task(content="Phase one", status=PENDING), Task(content="a", status=PENDING, level=1))

    verdict = StepTurn(tasks=tasks).sign(MANUAL, step="1")

    assert "todo.step_pending" == verdict.reason
    assert '1 "Phase one" is still pending' in verdict.message


def test_the_last_sign_off_never_says_to_go_on() -> None:
    """TODO-6: no steps remain."""
    tasks = (Task(content="Add docs", status=CURRENT),)

    message = StepTurn(tasks=tasks).sign(MANUAL, step="1").message

    assert "none is left" in message
    assert "current item" not in message


def test_the_success_text_counts_evidence_and_names_the_next_item() -> None:
    """CS-17."""
    turn = StepTurn(tasks=TASKS).run("make lint")

    message = turn.sign(verified("make lint"), MANUAL, step="2").message

    assert "host-verified 1, manual/unverified 1" in message
    assert 'todo-matched 2 ("Add docs")' in message
    assert '3 "Ship it"' in message


# -- policy points, one test each way ------------------------------------------------------------


def with_steps(policy: Policy, **points: bool) -> Policy:
    return replace(policy, steps=replace(policy.steps, **points))


@pytest.mark.parametrize(("refused", "reason"), [(True, "verification.stale"), (False, None)])
def test_a_stale_verification_is_refused_where_the_rules_say_so(
    refused: bool, reason: str | None
) -> None:
    """`stale_verification_refused`; classic looks at order at the end of the turn only (C2)."""
    turn = StepTurn(with_steps(CONTRACT, stale_verification_refused=refused))

    assert reason == turn.run("pytest -q").edit("a.py").sign(verified("pytest -q")).reason


_EDIT = {"tool": "edit_file", "path": "a.py"}
_SCRIPT = {"tool": "bash", "command": "./migrate.sh"}
_LOOK = {"tool": "read_file", "path": "a.py"}


@pytest.mark.parametrize(
    ("behind", "decision"),
    [
        ([_EDIT | {"outcome": "unknown"}], Decision.NOT_ASSESSABLE),
        ([_SCRIPT | {"outcome": "unknown"}], Decision.NOT_ASSESSABLE),
        ([_LOOK | {"outcome": "unknown"}], Decision.ACCEPT),
        ([_EDIT | {"outcome": "error"}], Decision.ACCEPT),
        ([_EDIT | {"outcome": "unknown"}, _EDIT], Decision.REJECT),
        (
            [_EDIT | {"outcome": "unknown"}, {"tool": "bash", "command": "pytest -q"}],
            Decision.ACCEPT,
        ),
    ],
)
def test_nobody_judges_a_check_behind_which_something_may_have_changed(
    behind: list[dict[str, Any]], decision: Decision
) -> None:
    """FRESH: whether it is old rests on an outcome that nobody recorded."""
    turn = StepTurn().run("pytest -q")
    for call in behind:
        turn.call(**call)

    assert decision is turn.sign(verified("pytest -q")).decision


def test_a_change_of_unknown_outcome_makes_a_check_of_an_earlier_turn_doubtful() -> None:
    """The check stood before the turn; classic does not ask how old it is."""
    decided = {}
    for policy in (CONTRACT, CLASSIC):
        turn = StepTurn(policy).run("pytest -q")
        turn.history.called("c1", "bash", {"command": "pytest -q"})
        turn.history.message_ended()
        turn.history.turn_ended(turn.ledger)
        turn.ledger.clear()
        turn.edit("a.py", outcome="unknown")
        decided[policy.name] = turn.sign(verified("pytest -q")).decision

    assert {"contract": Decision.NOT_ASSESSABLE, "classic": Decision.ACCEPT} == decided


def test_the_doubt_about_a_check_names_the_change_and_leaves_the_list() -> None:
    """The reader sees whose outcome is missing; nothing is signed off by it."""
    turn = StepTurn(tasks=TASKS).run("pytest -q").edit("a.py", outcome="unknown")
    verdict = turn.sign(verified("pytest -q"), step="2")

    assert (
        "nobody knows what came of edit_file `a.py` after `pytest -q` ran: it may have changed "
        "something"
    ) == verdict.message
    assert [task.status for task in TASKS] == verdict.facts["todo_after"]


def next_turn(turn: StepTurn) -> StepTurn:
    """Begin another turn, with the memory of this one."""
    turn.history.turn_ended(turn.ledger)
    turn.ledger.clear()
    return turn


def test_a_masked_run_takes_nothing_from_a_check_that_passed_in_an_earlier_turn() -> None:
    """It may hide a failure, and nothing changed: within one turn the clean run counts as well."""
    turn = next_turn(StepTurn().run("pytest -q")).run("pytest -q | tail -3")

    assert turn.sign(verified("pytest -q")).accepted


@pytest.mark.parametrize("turns", [1, 2])
def test_a_check_that_is_old_is_told_with_the_change_and_what_hid_its_later_status(
    turns: int,
) -> None:
    """The change of an earlier turn is named as one of this turn is."""
    turn = StepTurn().run("pytest -q").edit("a.py")
    if turns == 2:
        next_turn(turn)
    verdict = turn.run("pytest -q | tail -3").sign(verified("pytest -q"))

    assert "verification.stale" == verdict.reason
    assert (
        "`pytest -q` did not surely run after the latest change: edit_file of a.py changed "
        "something after it or beside it, so it says nothing about what stands now. "
        "`pytest -q | tail -3` ran later and can hide that it failed. Run `pytest -q` again"
    ) in verdict.message


def test_a_change_that_the_old_check_made_itself_is_not_named_as_behind_it() -> None:
    """What makes it old then stands before that change, and is not kept."""
    turn = StepTurn().edit("a.py")
    turn.ledger.record(
        Receipt(tool="bash", args={}, success=True, command="./gen", mutation=True, began=-1)
    )
    verdict = next_turn(turn).sign(verified("./gen"))

    assert "verification.stale" == verdict.reason
    assert "latest change: something changed after it or beside it, so" in verdict.message


@pytest.mark.parametrize("passed_first", [True, False])
def test_a_check_that_failed_in_an_earlier_turn_is_told_as_one(passed_first: bool) -> None:
    """That it passed before is no news to whoever cites it; the latest failure is."""
    turn = next_turn(StepTurn().run("pytest -q")) if passed_first else StepTurn()
    next_turn(turn.run("pytest", outcome="error").run("CI=1 pytest -q", outcome="error"))
    verdict = turn.run("ls").sign(verified("pytest -q"))

    assert "verification.command_not_run" == verdict.reason
    assert (
        "No single call of this turn covers `pytest -q`, and `CI=1 pytest -q`, of an earlier turn, "
        "failed or told of failures. Mend what it found and run it until it passes."
    ) in verdict.message


def test_a_masked_run_of_an_earlier_turn_is_named_as_it_ran() -> None:
    """The reader looks for what stands behind the check, and in which command."""
    turn = StepTurn().run("pytest -q | tail -3")
    turn.history.called("c1", "bash", {"command": "pytest -q | tail -3"})
    turn.history.message_ended()
    turn.history.turn_ended(turn.ledger)
    turn.ledger.clear()

    verdict = turn.sign(verified("pytest -q"))

    assert "verification.exit_masked" == verdict.reason
    assert "`pytest -q | tail -3` succeeded, but its exit status" in verdict.message


@pytest.mark.parametrize(("mix", "reason"), [(True, None), (False, "diff.path_not_written")])
def test_sources_mix_where_the_rules_say_so(mix: bool, reason: str | None) -> None:
    """`sources_mix`: one path from an earlier turn, one from this (CS-10)."""
    turn = StepTurn(with_steps(CONTRACT, sources_mix=mix)).edit("a.py")
    turn.history.turn_ended(turn.ledger)
    turn.ledger.clear()

    assert reason == turn.edit("b.py").sign(changed("a.py", "b.py")).reason


@pytest.mark.parametrize(("ids", "reason"), [(True, None), (False, "step.missing")])
def test_an_id_names_an_item_where_the_rules_say_so(ids: bool, reason: str | None) -> None:
    """`step_ids` (CS-20)."""
    tasks = (Task(content="Add docs", status=CURRENT, step_id="s1"),)
    turn = StepTurn(with_steps(CONTRACT, step_ids=ids), tasks=tasks)

    assert reason == turn.sign(MANUAL, step="", step_id="s1").reason


@pytest.mark.parametrize(
    ("policy", "plan", "reason"),
    [
        (CONTRACT, ("c1",), "criterion.unknown"),
        (CONTRACT, ("c1", "c7"), None),
        (CONTRACT, (), None),
        (CLASSIC, ("c1",), None),
    ],
)
def test_criteria_are_those_of_the_plan_where_the_rules_say_so(
    policy: Policy, plan: tuple[str, ...], reason: str | None
) -> None:
    """`plan_criteria` (CS-20): where no plan was approved any name will do."""
    args = {"step": "Step", "result": "r", "evidence": [{**MANUAL, "criterion_id": "c7"}]}

    assert reason == StepTurn(policy).judge_step(args, plan_criteria=plan).reason


def test_evidence_need_not_cite_a_criterion_of_the_plan() -> None:
    """CS-20 asks which criteria are cited, not that one is."""
    args = {"step": "Step", "result": "r", "evidence": [MANUAL]}

    assert StepTurn().judge_step(args, plan_criteria=("c1",)).accepted


@pytest.mark.parametrize(
    ("policy", "reason"), [(CONTRACT, "verification.command_failed"), (CLASSIC, None)]
)
def test_the_latest_run_decides_where_the_rules_say_so(policy: Policy, reason: str | None) -> None:
    """`latest_run_decides`; classic takes any success of the turn."""
    turn = StepTurn(policy).run("pytest -q").run("pytest -q", outcome="error", exit_code=1)

    assert reason == turn.sign(verified("pytest -q")).reason


def test_another_form_of_the_check_that_passed_later_counts() -> None:
    """The latest run that covers the citation decides, not the latest of the same spelling."""
    turn = StepTurn().run("pytest -q").run("pytest -q", outcome="error", exit_code=1)

    assert turn.run("python -m pytest -q").sign(verified("pytest -q")).accepted


def test_the_check_of_a_folder_does_not_count_for_all_that_failed() -> None:
    """What it left out may be what failed."""
    turn = StepTurn().run("pytest -q", outcome="error", exit_code=1).run("cd app && pytest -q")

    assert "verification.command_failed" == turn.sign(verified("pytest -q")).reason


def test_a_failure_and_a_later_success_are_proof_in_every_rule_set() -> None:
    """A check that was mended passes."""
    for policy in (CONTRACT, CLASSIC, FACTS):
        turn = StepTurn(policy).run("pytest -q", outcome="error", exit_code=1).run("pytest -q")
        assert turn.sign(verified("pytest -q")).accepted


def test_blank_paths_are_not_written_paths() -> None:
    """CS-10: all entries blank is a path that nothing wrote."""
    turn = StepTurn().edit("a.py")

    assert "diff.path_not_written" == turn.sign(changed(" ")).reason
    assert "files.path_not_touched" == turn.sign(touched("")).reason


def test_the_answer_about_an_unknown_title_is_bounded() -> None:
    """Twelve items, each cut at sixty characters, are enough to choose from."""
    tasks = tuple(
        Task(content=f"item {number:02} " + "x" * 100, status=PENDING if number else CURRENT)
        for number in range(30)
    )

    message = StepTurn(tasks=tasks).sign(MANUAL, step="no such thing at all").message

    assert {f"{number:02}" for number in range(12)} == set(re.findall(r'"item (\d\d)', message))
    assert "x" * 53 not in message
    assert "x" * 40 in message


def test_a_path_that_is_not_proved_is_told_what_happened_to_it() -> None:
    """Never touched, failed, only read, known by another name, blank: one code, five answers."""
    failed = StepTurn().call("edit_file", outcome="error", path="a.py").sign(changed("a.py"))
    unread = StepTurn().call("read_file", outcome="error", path="a.py").sign(touched("a.py"))

    assert "Change the file first" in StepTurn().sign(changed("a.py")).message
    assert "`edit_file` of `a.py` failed" in failed.message.splitlines()[1]
    assert "`read_file` of `a.py` failed" in unread.message.splitlines()[1]
    assert "was read, which proves `files`" in StepTurn().read("a.py").sign(changed("a.py")).message
    assert "nearest is `src/a.py`" in StepTurn().edit("src/a.py").sign(changed("a.py")).message
    assert "the paths are blank" in StepTurn().edit("a.py").sign(changed(" ")).message


def test_what_failed_does_not_change_the_first_line_of_a_refusal() -> None:
    """Loop guards compare first lines (DL-10), and a failure alone makes no new answer."""
    tasks = (Task(content="Add parser", status=CURRENT),)
    turns = [StepTurn(tasks=tasks), StepTurn(tasks=tasks)]
    turns[1].call("edit_file", outcome="error", path="a.py")

    before, after = (turn.sign(changed("a.py"), step="1").message for turn in turns)

    assert before == after.splitlines()[0]


def test_a_review_that_came_too_early_is_told() -> None:
    """Too early is another answer than never."""
    early = StepTurn().call("review", task="x").edit("a.py").sign(REVIEWED)
    assert "The one by `review` came before that change." in early.message

    for before in ((), ("read_file", "ok"), ("review", "error")):
        turn = StepTurn()
        if before:
            turn.call(before[0], outcome=before[1], path="a.py")
        assert "came before" not in turn.edit("a.py").sign(REVIEWED).message


@pytest.mark.parametrize(("path", "reason"), [("a.py", "review.blocking"), ("b.py", None)])
def test_a_report_holds_up_the_step_that_changed_what_it_is_about(
    path: str, reason: str | None
) -> None:
    """A finding elsewhere is for whoever changes that."""
    turn = StepTurn().read("a.py").read("b.py").edit("a.py").call("read_file", path="a.py")
    turn.call("review_report", kind="review", verdict="pass", reviewed_paths=["a.py"])
    turn.call("review_report", kind="review", verdict="block", reviewed_paths=[path])

    assert reason == turn.sign(REVIEWED).reason


def test_a_report_on_what_was_mended_since_holds_nothing_up() -> None:
    """The change after it made the file another one."""
    turn = StepTurn().read("a.py").edit("a.py").read("a.py")
    turn.call("review_report", kind="review", verdict="block", reviewed_paths=["a.py"])
    turn.edit("a.py").read("a.py")
    turn.call("review_report", kind="review", verdict="pass", reviewed_paths=["a.py"])

    assert turn.sign(REVIEWED).accepted


def test_a_step_that_is_held_up_is_told_the_finding_that_holds_it_up() -> None:
    """Not the one that was noted first."""
    noted = {"severity": "info", "summary": "a name is long"}
    fault = {"severity": "critical", "summary": "the token is logged"}
    turn = StepTurn().read("a.py").edit("a.py").read("a.py")
    report = {"kind": "review", "verdict": "block", "reviewed_paths": ["a.py"]}
    turn.call("review_report", **report, findings=[noted, fault])

    message = turn.sign(REVIEWED).message

    assert "the token is logged" in message
    assert "a name is long" not in message


def test_a_review_that_looked_at_nothing_is_told_so() -> None:
    """Where nothing changed there is no path to name."""
    turn = StepTurn().call("review", task="x")

    assert "that looked at anything" in turn.sign(REVIEWED).message
    assert "that looked at anything" not in turn.edit("a.py").sign(REVIEWED).message


@pytest.mark.parametrize(("outcome", "looked"), [("ok", True), ("error", False)])
def test_a_review_whose_looks_failed_looked_at_nothing(outcome: str, *, looked: bool) -> None:
    """What the reviewer ran is handed over before the review itself."""
    turn = StepTurn()
    turn.ledger.take_over(StepTurn().run("cat a.py", outcome=outcome).ledger)

    assert looked is turn.call("review", task="x").sign(REVIEWED).accepted


def test_a_change_in_the_shell_is_named_by_its_command() -> None:
    """Whoever reads the refusal has to find it among his calls; one that names its file by that."""
    generated = StepTurn().call("review", task="x").run("python gen.py")
    edited = StepTurn().call("review", task="x").run("sed -i s/a/b/ x")

    assert "`python gen.py`" in generated.sign(REVIEWED).message
    assert (1,) == generated.sign(REVIEWED).grounds
    assert "No review covers `x`" in edited.sign(REVIEWED).message
    assert () == edited.sign(REVIEWED).grounds


@pytest.mark.parametrize("wrote", ["env.sh", "scripts/env.sh"])
@pytest.mark.parametrize("before", [False, True], ids=["this-turn", "an-earlier-turn"])
@pytest.mark.parametrize("cited", ["pytest -q", "{ran}"])
@pytest.mark.parametrize("ran", ["source {file} && pytest -q", "cd scripts; . ./env.sh; pytest -q"])
def test_a_check_behind_a_text_that_the_session_wrote_proves_nothing(
    ran: str, cited: str, *, before: bool, wrote: str
) -> None:
    """A function of its name passes whatever the work is like."""
    ran = ran.format(file=wrote)
    turn = StepTurn().edit(wrote)
    if before:
        turn.history.turn_ended(turn.ledger)
        turn.ledger.clear()
    verdict = turn.run(ran).sign(verified(cited.format(ran=ran)))

    assert "verification.command_not_run" == verdict.reason
    assert "which this session wrote" in verdict.message


@pytest.mark.parametrize(
    ("wrote", "ran", "found"),
    [
        ("/other/bin/pytest", "PATH=/other/bin:$PATH pytest -q", True),
        ("/other/bin/pytest", 'export PATH="/other/bin:$PATH"; pytest -q', True),
        ("/other/bin/uv", "PATH=/a:/other/bin:$PATH uv run pytest -q", True),
        ("bin/pytest", 'PATH="$PWD/bin:$PATH" pytest -q', True),
        ("bin/pytest", "PATH=./bin/:$PATH pytest -q", True),
        ("bin/tool", "PATH=$PWD/bin:$PATH pytest -q", False),
        ("bin/pytest", "PATH=$PATH:bin pytest -q", False),
        ("/other/bin/pytest", "pytest -q", False),
    ],
)
def test_a_program_that_the_session_put_in_front_is_none_of_the_installed(
    wrote: str, ran: str, *, found: bool
) -> None:
    """It passes whatever the work is like; what else it wrote there may be the work itself."""
    verdict = StepTurn().edit(wrote).run(ran).sign(verified("pytest -q"))

    assert found is ("which this session wrote" in verdict.message)
    assert found is not verdict.accepted


@pytest.mark.parametrize(
    ("wrote", "ran"),
    [
        ("app.py", "source scripts/env.sh && pytest -q"),
        ("scripts/env.sh.md", "source scripts/env.sh && pytest -q"),
        (".env", "source .env && pytest -q"),
        ("env.sh", "pytest -q"),
        ("deploy.env", "echo '. deploy.env' && pytest -q"),
    ],
)
def test_what_a_check_takes_in_otherwise_is_what_agents_do_all_day(wrote: str, ran: str) -> None:
    """Settings are no programs, and the scripts of a project are its own."""
    assert StepTurn().edit(wrote).run(ran).sign(verified("pytest -q")).accepted


def test_classic_asks_for_no_text_that_a_check_takes_in() -> None:
    """Nor is it recorded that a host did."""
    turn = StepTurn(CLASSIC).edit("env.sh").run("source env.sh && pytest -q")

    assert turn.sign(verified("pytest -q")).accepted


@pytest.mark.parametrize(
    ("evidence", "told"),
    [(changed("a.py"), True), (touched("a.py"), True), (MANUAL, False)],
    ids=["diff", "files", "manual"],
)
def test_a_success_tells_the_project_checks_that_it_was_held_to(
    evidence: dict[str, Any], *, told: bool
) -> None:
    """CS-14 asks them of evidence with paths alone (CS-17)."""
    turn = StepTurn().edit("a.py").run("./ci a").run("./ci b")
    args = {"step": "Step", "result": "done", "evidence": [evidence]}

    verdict = turn.judge_step(args, project_checks=("./ci a", "./ci b"))

    assert verdict.accepted
    assert told is ("Project checks: project checks 2." in verdict.message)
    assert "Project checks" not in turn.judge_step(args).message


@pytest.mark.parametrize(
    ("paths", "covered", "reason"),
    [
        (["a.py", "docs/a.md"], "a.py", None),
        (["a.py", "docs/a.md"], "docs/a.md", "review.not_completed"),
        (["docs/a.md"], "docs/a.md", None),
        (["docs/a.md"], "b.py", "review.not_completed"),
    ],
)
def test_documents_need_a_review_where_nothing_else_changed(
    paths: list[str], covered: str, reason: str | None
) -> None:
    """Beside production code they need none (DL-07)."""
    turn = StepTurn()
    for path in paths:
        turn.edit(path)
    turn.read(covered).call(
        "review_report", kind="review", verdict="pass", reviewed_paths=[covered]
    )

    assert reason == turn.sign(REVIEWED).reason


@pytest.mark.parametrize(
    ("ran", "cited", "reason"),
    [
        ("pytest -q && sed -i s/a/b/ a.py", "pytest -q", "verification.stale"),
        ("make all && sed -i s/a/b/ a.py", "make all", None),
    ],
)
def test_a_change_behind_a_check_in_its_own_command_makes_it_old(
    ran: str, cited: str, reason: str | None
) -> None:
    """Of a command that is no check the change is a part of the work."""
    verdict = StepTurn().edit("a.py").run(ran).sign(verified(cited))

    assert reason == verdict.reason
    assert ((1,) if reason else ()) == verdict.grounds
