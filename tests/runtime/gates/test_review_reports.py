"""Review reports: parsing, read evidence, which report decides (RV-03 to RV-12)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from step_turn import StepTurn

from reasonix_runtime.evidence.paths import PathStyle
from reasonix_runtime.gates import review
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, Policy
from reasonix_runtime.gates.review import ReviewTools, Standing, structured_review
from reasonix_runtime.gates.steps.policy import Coverage
from reasonix_runtime.gates.verdict import text_of

ARTICLE = {
    "kind": "review",
    "verdict": "pass",
    "reviewed_paths": ["internal/agent/agent.go", "internal/evidence/review_report.go"],
    "findings": [{"summary": "No unexpected mutations", "kind": "info"}],
}
BOTH = ReviewTools(review=True, security=True)


def judge(turn: StepTurn, args: Any) -> Any:
    return review.judge(args, ledger=turn.ledger, policy=turn.policy)


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS])
def test_the_report_of_the_article_is_taken_when_both_files_were_read(policy: Policy) -> None:
    """A finding with `kind` in place of `severity` is information, not a fault."""
    turn = StepTurn(policy)
    for path in ARTICLE["reviewed_paths"]:
        turn.read(path)

    verdict = judge(turn, ARTICLE)

    assert (True, False, 0) == (
        verdict.accepted,
        verdict.facts["blocking"],
        verdict.facts["warnings"],
    )


@pytest.mark.parametrize(
    ("command", "backed"),
    [
        ("cat src/*.py", True),
        ("cat src/{app,b}.py", True),
        ("cat lib/*.py", False),
        ("git diff | cat", True),
        ("git diff | head -5", False),
        ("git diff -- src lib | head -5", False),
    ],
)
def test_a_report_is_backed_by_what_a_command_shows(command: str, *, backed: bool) -> None:
    """By a pattern that the shell spells out as well; of what is cut nobody knows which part."""
    verdict = StepTurn(CONTRACT).edit("src/app.py").run(command).report(["src/app.py"])

    assert (None if backed else "report.path_not_read") == verdict.reason


def test_where_no_receipts_are_kept_nothing_was_read() -> None:
    """A report that nothing can back is none."""
    args = {**ARTICLE, "reviewed_paths": ["src/app.py"]}

    verdict = review.judge(args, ledger=None, policy=CONTRACT)

    assert ("report.path_not_read", ["src/app.py"]) == (verdict.reason, verdict.facts["unread"])
    assert "No receipts are kept here" in verdict.message


@pytest.mark.parametrize(("policy", "told"), [(CONTRACT, True), (CLASSIC, False), (FACTS, False)])
def test_what_a_diff_of_everything_shows_is_told_where_it_shows_something(
    policy: Policy, *, told: bool
) -> None:
    """Elsewhere a diff has to name the file."""
    verdict = StepTurn(policy=policy).run("git diff").report(["src/app.py"])

    assert "report.path_not_read" == verdict.reason
    assert told is ("A diff of everything" in verdict.message)


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS])
@pytest.mark.parametrize("unread", [0, 1])
def test_the_report_of_the_article_is_refused_naming_the_unread_path(
    policy: Policy, unread: int
) -> None:
    """P6 names what was not read, and only that."""
    paths = ARTICLE["reviewed_paths"]
    verdict = judge(StepTurn(policy).read(paths[1 - unread]), ARTICLE)

    assert "report.path_not_read" == verdict.reason
    assert [paths[unread]] == verdict.facts["unread"]
    assert f"The content of `{paths[unread]}` was not read" in verdict.message


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([], "report.json_invalid"),
        ({**ARTICLE, "findings": [{"summary": "x", "line": "4"}]}, "report.json_invalid"),
        ({**ARTICLE, "kind": "audit"}, "report.kind_invalid"),
        ({**ARTICLE, "kind": " REVIEW "}, None),
        ({**ARTICLE, "verdict": "ok"}, "report.verdict_invalid"),
        ({**ARTICLE, "reviewed_paths": [" ", None]}, "report.paths_empty"),
        ({**ARTICLE, "findings": [{"severity": "high"}]}, "report.finding_summary_missing"),
    ],
)
def test_a_report_is_parsed_in_the_order_of_its_rules(args: Any, reason: str | None) -> None:
    """RV-03 P1 to P5."""
    turn = StepTurn()
    for path in ARTICLE["reviewed_paths"]:
        turn.read(path)

    assert reason == judge(turn, args).reason


@pytest.mark.parametrize(
    ("verdict", "severity", "blocks"),
    [
        ("pass", "info", False),
        ("warn", "high", False),
        ("block", "info", True),
        ("pass", " Critical ", True),
        ("warn", "ERROR", True),
        ("pass", "major", False),
    ],
)
def test_what_blocks_is_the_verdict_or_a_severity(
    verdict: str, severity: str, blocks: bool
) -> None:
    """RV-06: unknown words never block."""
    args = {**ARTICLE, "verdict": verdict, "findings": [{"summary": "s", "severity": severity}]}

    report = review.report_of(args, CLASSIC.reviews, PathStyle.POSIX)

    assert blocks is report.blocks


@pytest.mark.parametrize(
    ("tool", "args", "starts"),
    [
        ("review", {}, True),
        ("security_review", {"task": "x"}, True),
        ("run_skill", {"name": "security-review"}, True),
        ("run_skill", {"name": "deploy"}, False),
        ("run_skill", None, False),
        ("task", {"profile": " review "}, True),
        ("task", {"prompt": "review"}, False),
        ("use_capability", {"action": "call", "capability_id": "skill:review"}, True),
        ("use_capability", {"action": "call", "capability_id": 3}, False),
        ("explore", {"name": "review"}, False),
    ],
)
def test_a_review_is_started_by_its_tools_skills_and_profiles(
    tool: str, args: Any, *, starts: bool
) -> None:
    """No other run has the tool that hands a report over (RV-01)."""
    assert starts is review.starts_review(tool, args)


@pytest.mark.parametrize(("policy", "blocks"), [(FACTS, True), (CONTRACT, True), (CLASSIC, False)])
def test_listed_blocking_findings_block_where_the_rules_read_them(
    policy: Policy, blocks: bool
) -> None:
    """`finding_lists` (RV-12)."""
    args = {**ARTICLE, "blocking_findings": [{"summary": "no expiry"}]}

    assert blocks is review.report_of(args, policy.reviews, PathStyle.POSIX).blocks


# -- freshness of reads --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "reason"), [(CONTRACT, "report.path_not_read"), (CLASSIC, None)]
)
def test_reads_go_stale_where_the_rules_say_so(policy: Policy, reason: str | None) -> None:
    """`reads_go_stale`: content from before the last change of the path."""
    turn = StepTurn(policy).read("a.py").edit("a.py")

    assert reason == turn.report(["a.py"]).reason


def test_a_stale_read_is_told_apart_from_none() -> None:
    """The answer says to read it again, not that it was never read."""
    message = StepTurn().read("a.py").edit("a.py").report(["a.py"]).message

    assert "`a.py` changed after it was read: read it again" in message


# -- which report covers and decides -------------------------------------------------------------


def with_reviews(**points: Any) -> Policy:
    return replace(CONTRACT, reviews=replace(CONTRACT.reviews, **points))


@pytest.mark.parametrize(
    ("coverage", "reported", "covers"),
    [
        (Coverage.BASE_NAME, "lib/session.py", True),
        (Coverage.SUFFIX, "lib/session.py", False),
        (Coverage.SUFFIX, "/repo/src/auth/session.py", True),
        (Coverage.SUFFIX, "auth/session.py", True),
        (Coverage.SUFFIX, "session.py", False),
        (Coverage.EXACT, "auth/session.py", False),
        (Coverage.EXACT, "src/auth/session.py", True),
        (Coverage.EXACT, "/repo/src/auth/session.py", True),
        (Coverage.EXACT, "/other/src/auth/session.py", False),
    ],
)
def test_a_report_covers_by_the_rule_of_its_set(
    coverage: Coverage, reported: str, covers: bool
) -> None:
    """`coverage` (RV-07, RV-12)."""
    policy = with_reviews(coverage=coverage)
    turn = StepTurn(policy)
    turn.ledger.workspace = "/repo"
    turn.edit("src/auth/session.py")
    turn.call("review_report", kind="review", verdict="pass", reviewed_paths=[reported])

    decided = review.deciding_report(
        turn.ledger, "review", 0, ["src/auth/session.py"], policy.reviews
    )

    assert covers is decided.present


@pytest.mark.parametrize(
    ("verdicts", "standing"),
    [
        (["pass", "block"], Standing.GOOD),
        (["block", "pass"], Standing.BLOCKING),
        (["warn"], Standing.GOOD),
        ([], Standing.MISSING),
    ],
)
def test_the_first_of_several_reports_decides(verdicts: list[str], standing: Standing) -> None:
    """RV-08: a later report does not overrule it."""
    turn = StepTurn(CLASSIC).edit("a.py")
    for verdict in verdicts:
        turn.call("review_report", kind="review", verdict=verdict, reviewed_paths=["a.py"])

    found = review.deciding_report(turn.ledger, "review", 0, ["a.py"], CLASSIC.reviews)

    assert standing is found.standing


def test_a_new_change_starts_afresh() -> None:
    """RV-08: reports before the change say nothing about it."""
    turn = StepTurn().edit("a.py")
    turn.call("review_report", kind="review", verdict="pass", reviewed_paths=["a.py"]).edit("a.py")

    decided = review.deciding_report(turn.ledger, "review", 1, ["a.py"], CONTRACT.reviews)

    assert not decided.present


# -- completed review, structured review ---------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "args", "completed"),
    [
        ("review", {"task": "x"}, True),
        ("task", {"profile": "review"}, True),
        ("task", {"profile": "review", "run_in_background": True}, False),
        ("task", {"profile": "code"}, False),
        ("security_review", {"task": "x"}, False),
        ("run_skill", {"name": "review"}, False),
    ],
)
def test_a_review_in_the_foreground_is_a_completed_review(
    tool: str, args: dict[str, Any], completed: bool
) -> None:
    """RV-09 row 2."""
    turn = StepTurn().call(tool, **args)

    assert completed is review.completed_review(turn.ledger, CONTRACT.reviews)


def test_a_review_of_a_change_has_looked_at_it() -> None:
    """RV-09 row 2: an inspection of the change stands before the review."""
    blind = StepTurn().edit("a.py").call("review", task="x")
    seeing = StepTurn().edit("a.py").read("a.py").call("review", task="x")

    assert not review.completed_review(blind.ledger, CONTRACT.reviews)
    assert review.completed_review(seeing.ledger, CONTRACT.reviews)


@pytest.mark.parametrize(
    ("risk", "reports", "tools", "reason"),
    [
        ("low", [], BOTH, None),
        ("medium", [], BOTH, "review.medium_unproven"),
        ("medium", [("review", "warn")], BOTH, None),
        ("medium", [("review", "block")], BOTH, "review.blocking"),
        ("medium", [], ReviewTools(review=False, security=False), None),
        ("high", [], ReviewTools(review=False, security=False), "review.tools_missing"),
        ("high", [], BOTH, "review.high_missing_review"),
        ("high", [("review", "pass")], BOTH, "review.high_missing_security"),
        ("high", [("review", "pass"), ("security", "block")], BOTH, "security.blocking"),
        ("high", [("security", "pass"), ("review", "pass")], BOTH, None),
    ],
)
def test_the_risk_of_a_change_decides_which_reports_it_needs(
    risk: str, reports: list[tuple[str, str]], tools: ReviewTools, reason: str | None
) -> None:
    """DL-07, row by row."""
    turn = StepTurn().edit("a.py")
    for kind, verdict in reports:
        turn.call("review_report", kind=kind, verdict=verdict, reviewed_paths=["a.py"])

    problems = structured_review(
        turn.ledger, risk=risk, required=["a.py"], tools=tools, rules=CONTRACT.reviews
    )

    first = next(problems, None)
    assert reason == (None if first is None else first.reason)


@pytest.mark.parametrize(
    ("reports", "told"),
    [
        ([], ["a `review` report that covers `a.py`", "a `security_review` report that covers"]),
        (["security"], ["needs a `review` report that covers `a.py`, made after it"]),
        (["review"], ["needs a `security_review` report that covers `a.py`, made after it"]),
    ],
)
def test_a_high_risk_change_is_told_every_report_that_it_lacks(
    reports: list[str], told: list[str]
) -> None:
    """Who does all that a refusal asks for is not refused again for what it kept back."""
    turn = StepTurn().edit("a.py")
    for kind in reports:
        turn.call("review_report", kind=kind, verdict="pass", reviewed_paths=["a.py"])

    problems = structured_review(
        turn.ledger, risk="high", required=["a.py"], tools=BOTH, rules=CONTRACT.reviews
    )

    message = text_of(next(problems).message)
    assert [] == [part for part in told if part not in message]


def test_host_proof_replaces_the_report_of_a_medium_change() -> None:
    """DL-07 M2: content seen, and a verified sign-off after it."""
    turn = StepTurn().edit("a.py").read("a.py").run("pytest -q")
    evidence = [{"kind": "verification", "summary": "s", "command": "pytest -q"}]
    turn.call("complete_step", step="1", result="r", evidence=evidence)

    problems = structured_review(
        turn.ledger, risk="medium", required=["a.py"], tools=BOTH, rules=CONTRACT.reviews
    )

    assert [] == list(problems)


def test_a_path_without_evidence_is_told_what_happened_to_it() -> None:
    """Never read, failed, listed only, changed since: four answers of one code."""
    never = StepTurn().read("b.py").report(["a.py"]).message
    failed = StepTurn().call("read_file", outcome="error", path="a.py").report(["a.py"]).message
    listed = StepTurn().call("ls", path="src").report(["src"]).message
    changed = StepTurn().read("a.py").edit("a.py").report(["a.py"]).message

    assert "`a.py` was not read" in never
    assert "`b.py`" in never
    assert "`read_file` of `a.py` failed: mend that and call it again." == failed.splitlines()[1]
    assert "`src` was named or listed, which shows no content" in listed
    assert "was not read" not in changed
    assert "No other path was read or written." in changed


@pytest.mark.parametrize("verdict", ["pass", "block"])
def test_a_report_that_is_taken_says_whether_it_forbids_delivery(verdict: str) -> None:
    """It is taken either way, and the model has to know what it did."""
    taken = StepTurn().read("a.py").report(["a.py"], verdict=verdict)

    assert taken.accepted
    assert (verdict == "block") == taken.message.endswith("It forbids delivery.")


def test_another_tool_with_the_arguments_of_a_report_makes_none() -> None:
    """Only `review_report` is held to what a report may say."""
    args = {"kind": "review", "verdict": "pass", "reviewed_paths": ["a.py"]}
    turn = StepTurn().edit("a.py").call("mcp__fs__note", **args)

    assert [] == list(review.reports(turn.ledger, -1, CONTRACT.reviews))
    turn.call("review_report", **args)
    assert [2] == [at for at, _ in review.reports(turn.ledger, -1, CONTRACT.reviews)]
