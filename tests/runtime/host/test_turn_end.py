"""The end of a turn in the state machine: what moves it, and what it tells."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from reasonix_runtime.gates.delivery.policy import GuardRelease, RiskScope
from reasonix_runtime.gates.delivery.turn_end import CATEGORIES, REPAIR_ORDER, open_item, summarise
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, UNGATED, Policy
from reasonix_runtime.gates.presets import PRESETS
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.setup import Setup
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Host,
    HostVerdict,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)


class Session:
    """A host that is fed calls."""

    def __init__(self, policy: Policy = CONTRACT, **setup: Any) -> None:
        self.state = HostState(policy, Setup(**setup))
        self.turn = 0
        self.calls = 0
        self.begin()

    def begin(self) -> Session:
        """Begin a turn."""
        self.turn += 1
        self.state.apply(TurnStart(turn=self.turn))
        return self

    def call(self, tool: str, *, ok: bool = True, says: str = "+x", **args: Any) -> Session:
        """Make one call in a message of its own."""
        self.calls += 1
        uid = f"main#{self.calls}"
        self.state.apply(ToolCall(uid=uid, name=tool, args=args, step=uid))
        self.state.apply(ToolResult(uid=uid, outcome="ok" if ok else "error", text=says))
        return self

    def end(self, **more: Any) -> Verdict:
        """End the turn."""
        (verdict,) = self.state.apply(TurnEnd(turn=self.turn, status="completed", **more))
        return verdict


@pytest.mark.parametrize(
    ("command", "ok", "output", "how"),
    [
        ("pytest -q", True, "no tests ran in 0.1s", "says in its output that it ran no test, or"),
        ("pytest -q", False, "no tests ran in 0.1s", "says in its output that it ran no test, or"),
        (
            "npx jest --passWithNoTests",
            True,
            "ok",
            "passes also where it finds no test, and its output tells of none that ran:",
        ),
    ],
)
def test_what_a_check_that_ran_nothing_told_is_told_as_it_was(
    command: str, output: str, how: str, *, ok: bool
) -> None:
    """An output that tells of no test does not say that there was none, nor that it ended well."""
    session = Session().call("write_file", path="src/cart.js")
    session.call("bash", command=command, says=output, ok=ok)

    assert f"`{command}` {how}" in session.end().message


def test_the_mode_is_read_at_the_moment_of_the_check() -> None:
    """A gate that goes on firing after its mode was left is a trap (GATE-3)."""
    session = Session(CLASSIC, profile="delivery").call("edit_file", path="README.md")
    assert not session.end().accepted

    session.state.apply(Host(name="profile", data={"profile": "ordinary"}))

    assert session.end().accepted


def test_the_recorded_end_of_a_host_stands() -> None:
    """Our verdict is told beside it; what the host decided moves the state."""
    session = Session().call("edit_file", path="src/a.py")
    session.state.apply(HostVerdict(gate="turn_end", result="accept", turn=1))

    assert not session.end().accepted
    assert session.begin().end().accepted


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        (["cd /x && pytest"], "`cd /x && pytest` passed in a folder where nothing was changed"),
        (
            ["pytest --deselect tests/test_app.py"],
            "left out the tests or the files of",
        ),
        (["GOFLAGS=-run=X go test ./..."], "tells nothing of the work: an option or a variable"),
        (["pytest -q", "git commit -am x"], "run `git diff HEAD~1`; files that are staged by name"),
        (["git commit -am x", "git status", "pytest -q"], "or all of it seen (`git diff HEAD~1`)"),
        (
            ["printf x > env.sh", ". ./env.sh && pytest -q"],
            "`. ./env.sh && pytest -q` took in `env.sh`, which this session wrote",
        ),
        (
            ["./gen"],
            "nobody looked at `src/app.py` since the last change, nor at whatever `./gen` changed, "
            "which may be anything: run `git diff` or `git status`",
        ),
        *(
            (["git diff", run], f"`{run}` ran, but is not recognised as a check: a program of that")
            for run in (
                "python test_app.py",
                "bash -x run_tests.sh",
                "tests/check-all",
                "node e2e.js",
            )
        ),
        *(
            (["git diff", run], "no check passed since the latest change: run one as a command of")
            for run in ("./gen", "python tests/make.py", "rm src/test_a.py", "python gen.py test")
        ),
        (
            ["pytest -q", "./test.sh"],
            "passed, but not for certain after the latest change (`./test",
        ),
        (["pytest $TESTS"], "ran a check, but nobody knows of what: `$TESTS` may be anything."),
        (
            ["git diff", "pytest $(git ls-files)"],
            "`pytest $(git ls-files)` ran a check, but nobody",
        ),
        (["git diff", 'echo "$x"'], "no check passed since the latest change"),
        (["npm install $x"], "no check passed since the latest change"),
        (["black ."], "nor at what `black .` changed: run `git diff`"),
        (["black .", "git status", "pytest -q"], "or all of it seen (`git diff`) after it"),
    ],
)
def test_a_refused_end_says_why_a_run_does_not_count(commands: list[str], told: str) -> None:
    """What ran and passed is not missing: it was of something else, or is old."""
    session = Session(workspace="/w").call("edit_file", path="src/app.py")
    session.call("read_file", path="src/app.py")
    for command in commands:
        session.call("bash", command=command)

    assert told in session.end().message


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"tool": "bash", "command": "npm run build"},
            "the latest change (`npm run build`), which",
        ),
        ({"tool": "edit_file", "path": "src/b.py"}, "the latest change, which"),
    ],
)
def test_a_refused_end_names_the_command_behind_which_a_check_is_out_of_date(
    change: dict[str, str], told: str
) -> None:
    """Nobody takes what was built for a change of the work."""
    session = Session().call("edit_file", path="src/app.py").call("bash", command="pytest -q")

    message = session.call(**change).end().message

    assert f"`pytest -q` passed, but not for certain after {told}" in message


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize(
    ("more", "end", "told"),
    [
        ({"run_in_background": True}, {"outcome": "running"}, "was started in the background and"),
        ({}, {"outcome": "cancelled"}, "ended as cancelled, which is neither a pass nor"),
        ({}, {"outcome": "error", "exit_code": 137}, "ended with exit status 137, which is"),
    ],
)
def test_a_refused_end_says_of_a_check_without_an_answer_that_it_has_none(
    more: dict[str, Any], end: dict[str, Any], told: str, *, later: bool
) -> None:
    """A check that goes on or was stopped was asked for as if it had never been run."""
    session = Session(project_checks=["make check"]).call("edit_file", path="src/app.py")
    session.call("read_file", path="src/app.py")
    if later:
        session.end()
        session.begin().call("bash", command="ls")
    for uid, command in (("main#8", "pytest -q"), ("main#9", "make check")):
        args = {"command": command, **more}
        session.state.apply(ToolCall(uid=uid, name="bash", args=args, step=uid))
        session.state.apply(ToolResult(uid=uid, text="x", **end))

    message = session.end().message

    assert f"to pass after a change: run it (`make check` {told}" in message
    assert f"1. `make check` {told}" in message


def test_a_refused_end_tells_what_ran_since_the_change_and_nothing_before_it() -> None:
    """A `git log` in front of an edit stood among what ran since the latest change."""
    session = Session().call("bash", command="git log").call("edit_file", path="src/app.py")
    assert "ended well" not in session.end().message

    session.call("bash", command="ls")
    assert "(what ended well since: `ls`)" in session.end().message


def test_an_end_in_a_later_turn_is_told_what_ran_in_it() -> None:
    """Positions go through the session: those of a turn before were taken for later ones."""
    session = Session().call("bash", command="git log").call("edit_file", path="src/app.py")
    session.end()
    session.begin().call("bash", command="ls")

    assert "(what ended well since: `ls`)" in session.end().message


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        ((["src/a.py"],), "the turn cannot end yet; in"),
        ((["src/a.py"], []), "the turn cannot end yet (changes are owed for since turn 1); in"),
        ((["src/a.py"], ["src/b.py"]), "yet (changes are owed for since turn 1); in"),
        (([], ["src/b.py"], []), "yet (changes are owed for since turn 2); in"),
    ],
)
def test_a_refused_end_tells_since_which_turn_something_is_owed(
    turns: tuple[list[str], ...], told: str
) -> None:
    """Each later end was refused for the same change, and none of them said whose it was."""
    session = Session()
    for at, edited in enumerate(turns):
        if at:
            session.end()
            session.begin()
        for path in edited:
            session.call("edit_file", path=path)

    assert told in session.end().message


def test_what_an_end_that_passed_left_is_owed_since_no_earlier_turn() -> None:
    """The count begins anew, and a list that is open says nothing of changes."""
    session = Session(workspace="/w").call("edit_file", path="README.md")
    session.call("read_file", path="README.md")
    assert session.end().accepted

    session.begin().call("edit_file", path="src/a.py")

    assert "since turn" not in session.end().message


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("rm tests/test_app.py", "nor at what `rm tests/test_app.py` did to `tests/test_app.py`"),
        ("rm tests/test_app.py", "(`rm tests/test_app.py` takes tests away: `tests/test_app.py`)"),
        ("git rm tests/test_app.py", "takes tests away: `tests/test_app.py`)"),
        ("mv a b", "(`mv a b` names `a`, `b`, and nobody knows what else it changed)"),
        ("rm -r src", "nor at what `rm -r src` did to `src`:"),
        ("make deploy > out", "nor at what `make deploy > out` did to `out`:"),
        ("cp a.py b.py dist", "nor at what `cp a.py b.py dist` did to `dist`:"),
        ("python gen.py", "nor at whatever `python gen.py` changed, which may be anything:"),
    ],
)
def test_a_refused_end_names_the_files_that_a_command_names(command: str, told: str) -> None:
    """Of a named file that was removed it was said that nobody knows which one it is."""
    session = Session(workspace="/w").call("edit_file", path="src/app.py")

    message = session.call("bash", command=command).end().message

    assert told in message
    assert "nobody looked at `src/app.py` since the last change, nor at what" in message


def test_reviews_are_asked_for_the_change_that_forces_them() -> None:
    """A formatter behind it was named in its place."""
    session = Session(workspace="/w").call("bash", command="python gen.py")

    message = session.call("bash", command="black .").end().message

    assert "(nobody knows which files `python gen.py` changed)" in message


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("pytest | tail -5", "status is that of `tail`: run `set -o pipefail; pytest | tail -5`,"),
        (
            "cd /w && pytest 2>&1 | tee /tmp/log",
            "status is that of `tee`: run `set -o pipefail; cd /w && pytest 2>&1 | tee /tmp/log`,",
        ),
        ("pytest || true", "can hide that it failed: run `pytest`, without what stands after"),
        ("cd a; pytest; ls", "can hide that it failed: run `cd a; pytest`, without"),
        ("bash -c 'pytest | tail'", "can hide that it failed: run the check alone, without"),
        (
            "pytest | tee out.log",
            "status is that of `tee`, and it changed something itself: run `pytest` as a command",
        ),
        (
            "set -o pipefail; pytest | tee out.log",
            "ran a check, but it changed something itself: run `set -o pipefail; pytest` as a",
        ),
        ("pytest > out.log 2>&1", "ran a check, but it changed something itself: run `pytest` as"),
        ("pytest && git commit -am x", "but it changed something itself: run `pytest` as a"),
    ],
)
def test_a_check_whose_status_is_hidden_is_told_to_have_run_and_how_to_run_it(
    command: str, told: str
) -> None:
    """Of `pytest | tee out.log` an end said that no check passed, and not why."""
    session = Session(workspace="/w").call("edit_file", path="src/app.py")

    message = session.call("bash", command=command).end().message

    assert f"`{command}` ran a check, but" in message
    assert told in message


def test_a_check_is_proposed_for_what_an_earlier_turn_changed() -> None:
    """In the turn after the change it was that of no language."""
    session = Session(workspace="/w").call("edit_file", path="src/app.go")
    session.end()

    assert "such as `go test ./...`" in session.begin().end().message


@pytest.mark.parametrize(
    ("change", "way_out"),
    [
        ({"tool": "edit_file", "path": "auth/login.py"}, "take the change of `auth/login.py` back"),
        (
            {"tool": "bash", "command": "python fix.py"},
            "offer one, for nobody knows which files `python fix.py` changed",
        ),
    ],
)
def test_a_review_that_nobody_can_make_is_named_with_a_way_out(
    change: dict[str, str], way_out: str
) -> None:
    """A turn that needs a tool which is not registered could never end."""
    session = Session(tools=(), workspace="/w").call("edit_file", path="auth/login.py")
    session.call(**change)

    verdict = session.end()

    assert "review.tools_missing" in verdict.facts["reasons"]
    assert way_out in verdict.message


@pytest.mark.parametrize(
    ("setup", "owed"),
    [
        ({"preset": "light", "profile": "delivery"}, []),
        ({"preset": "balanced", "profile": "delivery"}, []),
        ({"preset": "delivery"}, []),
        ({"preset": "delivery", "profile": "delivery"}, ["review.medium_unproven"]),
        ({"preset": "delivery", "profile": "delivery", "tools": ()}, []),
    ],
)
def test_only_a_closed_loop_forces_a_review_of_what_was_read(
    setup: dict[str, Any], owed: list[str]
) -> None:
    """And none is forced that no tool can give."""
    session = Session(**setup).call("edit_file", path="src/app.py")
    session.call("read_file", path="src/app.py")

    verdict = session.end()

    assert "medium" == verdict.facts["risk"]
    assert owed == [reason for reason in verdict.facts["reasons"] if reason.startswith("review")]


@pytest.mark.parametrize(
    ("preset", "owed"), [("light", []), ("delivery", ["review.medium_unproven"])]
)
def test_where_no_review_can_be_given_the_preset_decides_whether_reading_is_owed(
    preset: Any, owed: list[str]
) -> None:
    """One that asks for no review asks for none in its place."""
    session = Session(preset=preset, profile="delivery", tools=())

    reasons = session.call("edit_file", path="src/app.py").end().facts["reasons"]

    assert owed == [reason for reason in reasons if reason.startswith("review")]


@pytest.mark.parametrize(
    ("looks", "untold"), [(("read_file",), ["pytest -q"]), ((), None)], ids=["all", "half"]
)
def test_a_call_of_untold_end_is_named_where_it_may_be_all_that_is_missing(
    looks: tuple[str, ...], untold: list[str] | None
) -> None:
    """What its success would not close stays open whatever came of it."""
    session = Session().call("edit_file", path="a.py")
    for look in looks:
        session.call(look, path="a.py")
    session.state.apply(ToolCall(uid="main#9", name="bash", args={"command": "pytest -q"}))
    session.state.apply(ToolResult(uid="main#9", outcome="unknown"))

    assert untold == session.end().facts.get("untold")


def test_a_cancelled_turn_is_no_end() -> None:
    """Its changes are still there, and still owed (SCOPE-4)."""
    session = Session().call("edit_file", path="src/a.py")

    assert () == tuple(session.state.apply(TurnEnd(turn=1, status="interrupted")))
    assert "finish.verification_missing" == session.begin().end().reason


def test_the_newest_line_has_no_such_gate() -> None:
    """What is not there is neither passed nor failed."""
    assert Decision.NOT_ASSESSABLE is Session(UNGATED).call("edit_file", path="a").end().decision


def test_a_child_run_starts_with_the_mode_and_without_the_work() -> None:
    """A delegate does not inherit the list, the routes or the checkpoint of its parent."""
    from reasonix_runtime.host.setup import delegated_setup

    setup = delegated_setup(
        Setup(
            profile="delivery",
            tasks=({"content": "x"},),
            capabilities=({"id": "a", "policy": "require"},),
            goal_checkpoint={"pendingMutation": True},
        )
    )

    assert Setup(profile="delivery") == setup


def test_a_delegated_run_has_an_end_of_its_own() -> None:
    """It owes inspection and verification, and leaves the reports to its parent (GATE-6)."""
    session = Session()
    session.state.apply(ToolCall(uid="main#1", name="task", args={}, step="s1"))
    session.state.apply(SubStart(scope="sub1", parent_uid="main#1"))
    for number, (name, args) in enumerate(
        [
            ("edit_file", {"path": "src/auth/a.py"}),
            ("read_file", {"path": "src/auth/a.py"}),
            ("bash", {"command": "pytest -q"}),
        ],
        1,
    ):
        uid = f"sub1#{number}"
        session.state.apply(ToolCall(uid=uid, name=name, args=args, step=uid))
        session.state.apply(ToolResult(uid=uid, outcome="ok", text="+x"))

    child = session.state.ask_end("sub1", "done")
    session.state.apply(SubEnd(scope="sub1", parent_uid="main#1"))
    session.state.apply(ToolResult(uid="main#1", outcome="ok", text="done"))

    assert child is not None
    assert child.accepted
    assert "review.high_missing_review" == session.end().reason
    assert session.state.ask_end("sub1") is None


@pytest.mark.parametrize(
    ("policy", "call", "over"),
    [
        (CONTRACT, ("edit_file", {"path": "src/auth/a.py"}), ("", " and covering `src/auth/a.py`")),
        (CONTRACT, ("bash", {"command": "sh codemod.sh"}), ("", "")),
        (CLASSIC, ("edit_file", {"path": "src/auth/a.py"}), (" that covers `src/auth/a.py`",) * 2),
    ],
)
def test_a_high_risk_change_is_told_both_reports_at_once(
    policy: Policy, call: tuple[str, dict[str, str]], over: tuple[str, str]
) -> None:
    """Who does all that a refusal asks for is not refused again for what it kept back."""
    session = Session(policy, profile="delivery")
    session.call("todo_write", todos=[{"content": "Work", "status": "in_progress"}])
    message = session.call(call[0], **call[1]).end().message

    by_each, together = over
    told = f"a `review` report{by_each} and a `security_review` report{by_each}"
    assert told in message
    assert f"made after it{together}" in message or by_each


@pytest.mark.parametrize(
    ("policy", "accepted"),
    [
        (CONTRACT, False),
        (
            replace(
                CONTRACT,
                delivery=replace(CONTRACT.delivery, guard_release=GuardRelease.FORGIVE),
            ),
            True,
        ),
    ],
)
def test_what_a_loop_guard_is_worth_is_a_policy_point(policy: Policy, *, accepted: bool) -> None:
    """Real hosts forgive everything that is open; the default never does."""
    session = Session(policy).call("edit_file", path="src/a.py")
    session.state.apply(Host(name="loop_guard"))

    assert accepted == session.end().accepted


@pytest.mark.parametrize(
    ("scope", "risk"), [(RiskScope.SINCE_PASSED_END, "high"), (RiskScope.LATEST, "low")]
)
def test_which_changes_are_rated_is_a_policy_point(scope: RiskScope, risk: str) -> None:
    """A late document must not hide a sensitive change unless a host is so."""
    policy = replace(CONTRACT, delivery=replace(CONTRACT.delivery, risk_scope=scope))
    session = Session(policy).call("edit_file", path="src/auth/a.py")

    assert risk == session.call("edit_file", path="NOTES.md").end().facts["risk"]


@pytest.mark.parametrize(
    ("every_turn", "reason"), [(True, "capability.required_missing"), (False, None)]
)
def test_in_which_turns_routes_are_asked_is_a_policy_point(
    reason: str | None, *, every_turn: bool
) -> None:
    """Reading instead of using what is required is a way around it (CAP-6)."""
    delivery = replace(CONTRACT.delivery, routes_every_turn=every_turn)
    routes = ({"id": "skill:x", "policy": "require"},)
    session = Session(replace(CONTRACT, delivery=delivery), capabilities=routes)

    assert reason == session.call("read_file", path="a").end().reason


@pytest.mark.parametrize(("reads_text", "reason"), [(True, "finish.no_action"), (False, None)])
def test_whether_the_users_text_sets_expectations_is_a_policy_point(
    reason: str | None, *, reads_text: bool
) -> None:
    """A question that needs no work must not be held back (GATE-4)."""
    policy = replace(CLASSIC, delivery=replace(CLASSIC.delivery, text_expects=reads_text))

    assert reason == Session(policy, profile="delivery", expectations=("evidence",)).end().reason


def test_every_open_item_is_told_in_working_order() -> None:
    """A model that repairs in the order of the list never has to do a thing twice."""
    session = Session(profile="delivery", project_checks=("make lint",))
    session.call("edit_file", path="src/a.py")

    verdict = session.end()

    assert (
        "project_check",
        "criteria",
        "verification",
        "review",
        "signoff",
    ) == verdict.facts["missing"]
    lines = verdict.message.splitlines()
    order = ("todo_write", "src/a.py", "no check passed", "make lint", "review", "complete_step")
    assert [True] * 6 == [text in line for text, line in zip(order, lines[1:], strict=True)], (
        verdict.message
    )


def test_secrets_never_stand_in_a_message() -> None:
    """A verdict is shown, stored and sent on."""
    session = Session().call("edit_file", path="src/a.py")
    session.call("bash", ok=False, command="API_TOKEN=hunter2 pytest -q")

    assert "hunter2" not in session.end().message


def test_every_category_has_a_place_in_the_working_order() -> None:
    """An item without a place would be told last, where its repair may undo others."""
    assert set(CATEGORIES) <= {*REPAIR_ORDER}


def test_a_single_item_needs_no_number() -> None:
    """The common case reads as one sentence."""
    verdict = summarise((open_item("finish.signoff_missing", "signoff", "sign it off"),))

    assert "the turn cannot end yet: sign it off" == verdict.message


def test_new_receipts_allow_more_nudges_up_to_a_bound() -> None:
    """A model that makes headway may be asked again, not for ever (GATE-5)."""
    session, left = Session().call("edit_file", path="src/a.py"), []
    for number in range(8):
        left.append(session.end().facts["continuations"])
        session.call("read_file", path=f"f{number}.py")

    assert [3, 5, 4, 3, 2, 1, 0, 0] == left


def test_every_preset_is_known() -> None:
    """The names of the setup and of the table are the same."""
    assert {"light", "balanced", "delivery"} == PRESETS.keys()


@pytest.mark.parametrize(("settled", "pending"), [(True, False), (False, True)])
def test_a_goal_run_leaves_its_checkpoint(*, settled: bool, pending: bool) -> None:
    """What was not verified is owed by the next run of the goal (DL-12)."""
    tasks = ({"content": "Ship it now", "status": "in_progress"},)
    session = Session(
        CLASSIC, profile="delivery", tasks=tasks, goal_checkpoint={"scopeID": "g"}
    ).call("edit_file", path="README.md")
    if settled:
        evidence = [{"kind": "verification", "summary": "s", "command": "git diff --check"}]
        session.call("read_file", path="README.md").call("bash", command="git diff --check")
        session.call("complete_step", step="Ship it now", result="done", evidence=evidence)
    session.end()

    checkpoint = session.state.main.gates.checkpoint
    assert checkpoint is not None
    assert (True, True, pending) == (checkpoint.work, checkpoint.mutation, checkpoint.pending)


@pytest.mark.parametrize("policy", [CLASSIC, CONTRACT, FACTS], ids=lambda policy: policy.name)
def test_an_end_is_told_in_a_readable_time_order(policy: Policy) -> None:
    """The first open item decides the reason, and it is one of those that are told."""
    verdict = (
        Session(policy, profile="delivery", policy_floor="delivery")
        .call("edit_file", path="src/auth/a.py")
        .end()
    )

    assert verdict.reason == verdict.facts["reasons"][0]
    assert verdict.rule is not None


@pytest.mark.parametrize(
    ("tool", "args", "decision"),
    [
        ("edit_file", {"path": "a.py"}, Decision.NOT_ASSESSABLE),
        ("bash", {"command": "sed -i s/a/b/ a.py"}, Decision.NOT_ASSESSABLE),
        ("bash", {"command": "ls"}, Decision.ACCEPT),
        ("read_file", {"path": "a.py"}, Decision.ACCEPT),
        ("remember", {"text": "x"}, Decision.ACCEPT),
    ],
)
def test_a_call_without_a_result_may_have_changed_something(
    tool: str, args: dict[str, str], decision: Decision
) -> None:
    """A recording that stops telling results tells nothing of what the last calls did."""
    session = Session()
    session.state.apply(ToolCall(uid="main#9", name=tool, turn=1, step="s9", args=args))

    verdict = session.end()

    assert decision is verdict.decision
    assert (decision is Decision.ACCEPT) or args.get("command", "a.py") in verdict.message


@pytest.mark.parametrize(
    ("status", "completion", "claimed"),
    [
        ("complete", {"completion": {"unverified": ["docs"]}}, True),
        (" Complete ", {"Completion": {"Unverified": ["docs"]}}, True),
        ("complete", {"completion": {"unverified": [" "]}}, False),
        ("blocked", {"completion": {"unverified": ["docs"]}}, False),
        ("complete", {}, False),
    ],
)
def test_what_a_report_declares_unverified_is_read_as_the_goal_tool_reads_it(
    status: str, completion: dict[str, Any], claimed: bool
) -> None:
    """Keys in any case, and only in a report that the goal is reached."""
    state = Session(FACTS).call("update_goal", status=status, reason="x", **completion).state

    assert claimed == state.main.gates.memory.claimed_unverified


@pytest.mark.parametrize(
    ("told", "missing"),
    [
        ([{"command": "make lint"}, {"command": "make lint"}], ["`make lint`"]),
        ([{"command": "make lint"}, {"command": "make unit"}], ["`make lint`", "`make unit`"]),
        ([{"command": 3}, {}], []),
    ],
)
def test_a_check_that_the_host_tells_of_is_asked_for_once(
    told: list[dict[str, Any]], missing: list[str]
) -> None:
    """A project may declare its checks on the way; what is no command is none."""
    session = Session(CLASSIC)
    for data in told:
        session.state.apply(Host(name="project_check", data=data))

    message = session.call("edit_file", path="README.md").end().message

    assert missing == re.findall(r"`make \w+`", message)


def test_asking_whether_a_turn_may_end_moves_nothing() -> None:
    """A live host asks first and tells what it did then; only that counts as a try."""
    session = Session().call("edit_file", path="src/a.py")
    asked = [session.state.ask_end("main", "done") for _ in range(5)]

    assert asked == [session.end()] * 5


@pytest.mark.parametrize(
    ("answer", "empty"), [("done", False), (" ", True), (7, False), (None, False)]
)
def test_an_answer_that_was_held_back_is_judged_where_it_came(answer: Any, *, empty: bool) -> None:
    """It counts as a try, and the turn goes on from there."""
    session = Session().call("edit_file", path="src/a.py")
    held = Host(name="held_back", turn=1, data={"answer": answer})
    (first,), (second,) = session.state.apply(held), session.state.apply(held)

    assert ("finish.answer_missing" in first.facts["reasons"]) == empty
    assert [3, 2] == [first.facts["continuations"], second.facts["continuations"]]
    assert 1 == session.end().facts["continuations"]


@pytest.mark.parametrize(("tries", "left"), [(1, 2), (2, 1), (3, 0), (4, 0)])
def test_duties_allow_fewer_continuations_with_each_try(tries: int, left: int) -> None:
    """Two turns more are two, not two after each of them (FC-12)."""
    session = Session(FACTS, policy_floor="delivery").call("edit_file", path="src/a.py")

    assert left == session.end(attempts=tries).facts["continuations"]


@pytest.mark.parametrize(
    ("outcome", "said"),
    [("ok", "whatever `a call without a name` changed"), ("unknown", "of `a call without a name`")],
)
def test_a_call_that_names_no_tool_may_have_been_any(outcome: Any, said: str) -> None:
    """Where nothing names a change, the change is none the less there."""
    session = Session()
    session.state.apply(ToolCall(uid="main#1", name="", args={}))
    session.state.apply(ToolResult(uid="main#1", outcome=outcome, text="+x"))

    end = session.end()

    assert not end.accepted
    assert said in end.message
