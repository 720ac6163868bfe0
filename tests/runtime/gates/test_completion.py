"""The completion account, the host's own gaps, and the waiver of checks."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CLASSIC_LEDGER, CONTRACT_LEDGER, LedgerRules
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.completion import (
    Gap,
    GapKind,
    WorkContract,
    WorkReport,
    judge_waiver,
    latest_claim,
    reconcile,
)
from reasonix_runtime.gates.goal.report import Completion
from reasonix_runtime.gates.goal.turn import Readiness
from reasonix_runtime.gates.host_gaps import host_gaps
from reasonix_runtime.gates.presets import PRESETS, preset_of

RULES = CONTRACT_LEDGER


def ledger(*calls: Any, rules: LedgerRules = RULES, workspace: str = "/repo") -> Ledger:
    """Return a ledger of calls: a command, `!command` for a failed one, or tool and arguments."""
    found = Ledger(rules, workspace=workspace)
    for call in calls:
        if isinstance(call, str):
            tool, args = "bash", {"command": call.removeprefix("!")}
            outcome = "error" if call.startswith("!") else "ok"
        else:
            (tool, args), outcome = call, "ok"
        found.record(receipt_of(tool, args, rules=rules, outcome=outcome, output="x"))
    return found


def edit(path: str) -> tuple[str, dict[str, Any]]:
    return "edit_file", {"path": path}


def read(path: str) -> tuple[str, dict[str, Any]]:
    return "read_file", {"path": path}


def claim(**account: list[str]) -> tuple[str, dict[str, Any]]:
    return "update_goal", {"status": "complete", "completion": account}


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([edit("a.go"), "go test ./..."], "account.backed"),
        ([edit("a.go"), "cd /repo && go test ./..."], "account.backed"),
        (["go test ./...", edit("a.go"), "go test ./..."], "account.backed"),
        (["!go test ./...", "go test ./..."], "account.backed"),
        ([], "account.never_ran"),
        ([edit("a.go"), "go vet ./..."], "account.never_ran"),
        (["go test ./...", "!go test ./..."], "account.last_failed"),
        (["!go test ./...", edit("a.go")], "account.last_failed"),
        (["go test ./...", edit("a.go")], "account.before_change"),
    ],
)
@pytest.mark.parametrize("rules", [CONTRACT_LEDGER, CLASSIC_LEDGER], ids=["contract", "classic"])
def test_a_verified_command(calls: list[Any], expected: str, rules: LedgerRules) -> None:
    """What the model says it has tested is what people read first."""
    account, verdict = reconcile(ledger(*calls, claim(verified=["go test ./..."]), rules=rules))

    assert expected == verdict.reason
    assert (expected == "account.backed") == verdict.accepted
    assert [expected] * (not verdict.accepted) == [gap.why for gap in account.gaps]


@pytest.mark.parametrize(
    ("later", "expected"),
    [
        ("./check", "account.backed"),
        ("CI=1 ./check", "account.backed"),
        ("./check -v", "account.before_change"),
        ("./generate", "account.before_change"),
    ],
)
def test_a_run_that_the_account_cites_is_no_change_behind_another(
    later: str, expected: str
) -> None:
    """A program that nobody knows may change anything, unless it is named as a check."""
    told = claim(verified=["go test ./...", "./check"])

    _, verdict = reconcile(ledger("./check", "go test ./...", later, told))

    assert expected == verdict.reason


@pytest.mark.parametrize(
    "run", ["go test ./... || true", "go test ./... | tail", "go test ./...; echo done"]
)
def test_a_masked_run_backs_nothing_under_the_contract(run: str) -> None:
    """A status that is not the test's own says nothing about the test."""
    _, verdict = reconcile(ledger(run, claim(verified=["go test ./..."])))

    assert "account.never_ran" == verdict.reason


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("cd /other && go test ./...", "account.never_ran"),
        ("cd /repo/web && go test ./...", "account.backed"),
    ],
)
def test_a_run_elsewhere_backs_nothing_under_the_contract(run: str, expected: str) -> None:
    """It checked another work than that of the claim."""
    _, verdict = reconcile(ledger(edit("web/a.go"), run, claim(verified=["go test ./..."])))

    assert expected == verdict.reason


def test_a_run_in_the_background_backs_nothing_before_its_end() -> None:
    """Started is not passed."""
    start = ("bash", {"command": "go test ./...", "run_in_background": True})

    _, verdict = reconcile(ledger(start, claim(verified=["go test ./..."])))

    assert "account.never_ran" == verdict.reason


def test_the_refuting_receipt_is_named() -> None:
    """A reader who doubts the verdict looks at what it rests on."""
    _, verdict = reconcile(ledger(edit("a.go"), "!make test", claim(verified=["make test"])))

    assert (1,) == verdict.grounds


@pytest.mark.parametrize(
    ("calls", "contract", "gaps", "expected"),
    [
        ([], WorkContract.NONE, [], WorkReport.UNKNOWN),
        ([read("a.go"), "ls"], WorkContract.NONE, [], WorkReport.UNKNOWN),
        ([claim()], WorkContract.NONE, [], WorkReport.UNKNOWN),
        ([claim(risks=["slow"])], WorkContract.NONE, [], WorkReport.DONE),
        (["go test ./..."], WorkContract.NONE, [], WorkReport.DONE),
        ([edit("a.go")], WorkContract.NONE, [], WorkReport.DONE),
        ([], WorkContract.COMPLETE, [], WorkReport.DONE),
        ([], WorkContract.INCOMPLETE, [], WorkReport.INCOMPLETE),
        (
            ["go test ./..."],
            WorkContract.INCOMPLETE,
            [Gap(kind=GapKind.MISSING_CHECK)],
            "incomplete",
        ),
        (
            ["go test ./..."],
            WorkContract.NONE,
            [Gap(kind=GapKind.MISSING_CHECK)],
            WorkReport.PARTIAL,
        ),
        ([claim(unverified=["e2e"])], WorkContract.NONE, [], WorkReport.PARTIAL),
    ],
)
def test_the_report(
    calls: list[Any], contract: WorkContract, gaps: list[Gap], expected: WorkReport
) -> None:
    """Done is said only when there was something to judge and nothing is open."""
    account, _ = reconcile(ledger(*calls), host_gaps=gaps, contract=contract)

    assert expected == account.report


def test_only_the_latest_successful_report_claims() -> None:
    """A report that failed, or that was followed by another word, claims nothing."""
    first, second = claim(verified=["a"]), claim(verified=["b"])
    later = (
        "update_goal",
        {"status": "continue", "reason": "x", "completion": {"verified": ["c"]}},
    )

    assert Completion(verified=("b",)) == latest_claim(ledger(first, second).receipts)
    assert latest_claim(ledger(first, later).receipts) is None
    assert latest_claim(ledger("go test").receipts) is None


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([], []),
        (["go test ./..."], []),
        ([edit("a.go"), read("a.go"), "go test ./..."], []),
        ([edit("a.go"), "go test ./...", "git diff"], []),
        (
            [edit("a.go"), "go test ./..."],
            [("unreviewed_change", "a.go")],
        ),
        (
            [edit("a.go"), read("a.go")],
            [("unverified_change", "")],
        ),
        (
            [edit("a.go"), read("a.go"), "!go test ./..."],
            [("failed_verification", "go test ./..."), ("unverified_change", "")],
        ),
        (
            [edit("a.go"), "go test ./...", edit("a.go"), read("a.go")],
            [("stale_verification", "go test ./...")],
        ),
        (
            ["go test ./...", edit("a.go"), read("a.go")],
            [("stale_verification", "go test ./..."), ("unverified_change", "")],
        ),
        (
            ["go vet ./...", edit("a.go"), read("a.go"), "go test ./..."],
            [],
        ),
        ([read("a.go"), edit("a.go"), "go test ./..."], [("unreviewed_change", "a.go")]),
        ([edit("/tmp/notes.txt")], []),
        (
            [edit("/elsewhere/b.go"), "go test ./..."],
            [("unreviewed_change", "/elsewhere/b.go")],
        ),
        (["python gen.py"], [("unverified_change", "")]),
        (["sed -i s/a/b/ a.go"], [("unverified_change", ""), ("unreviewed_change", "a.go")]),
    ],
)
def test_what_the_host_finds_by_itself(calls: list[Any], expected: list[tuple[str, str]]) -> None:
    """These gaps stand whatever the model claims."""
    assert expected == [(gap.kind.value, gap.subject) for gap in host_gaps(ledger(*calls))]


def test_missing_checks_stand_in_for_the_changes_that_they_would_have_proven() -> None:
    """One gap is enough for what one command closes."""
    found = host_gaps(
        ledger(edit("a.go"), read("a.go"), "make test"), checks=["make lint", "make test"]
    )

    assert [("missing_check", "make lint")] == [(gap.kind.value, gap.subject) for gap in found]


@pytest.mark.parametrize("background", [True, False])
def test_a_check_that_still_runs_in_the_background_is_missing(background: bool) -> None:
    """Its start says nothing of its end."""
    run = ("bash", {"command": "make lint", "run_in_background": background})
    found = host_gaps(ledger(edit("a.go"), read("a.go"), run), checks=["make lint"])

    assert background is ("missing_check" in [gap.kind for gap in found])


def test_a_workspace_in_a_scratch_place_is_no_scratch() -> None:
    """A project that is checked out under /tmp is work all the same."""
    found = host_gaps(ledger(edit("/tmp/repo/a.go"), "go test ./...", workspace="/tmp/repo"))

    assert ["unreviewed_change"] == [gap.kind for gap in found]


CHECKS = Readiness(missing=("verification",), reason="not run")
DECLARED = Completion(unverified=("e2e",))


@pytest.mark.parametrize(
    ("preset", "readiness", "given", "forbidden", "expected"),
    [
        ("light", CHECKS, DECLARED, False, "account.waived"),
        ("balanced", CHECKS, DECLARED, False, "account.waived"),
        ("delivery", CHECKS, DECLARED, False, "account.not_waived"),
        ("delivery", CHECKS, None, True, "account.waived"),
        ("balanced", CHECKS, None, True, "account.waived"),
        ("balanced", CHECKS, None, False, "account.not_waived"),
        ("balanced", CHECKS, Completion(verified=("a",)), False, "account.not_waived"),
        ("balanced", Readiness(missing=("todo",)), DECLARED, False, "account.not_waived"),
        (
            "balanced",
            Readiness(missing=("verification", "review")),
            DECLARED,
            True,
            "account.not_waived",
        ),
        ("balanced", Readiness(missing=("project_check",)), DECLARED, False, "account.waived"),
    ],
)
def test_the_waiver(
    preset: str, readiness: Readiness, given: Completion | None, forbidden: bool, expected: str
) -> None:
    """A blanket `not run` may excuse checks, and nothing else."""
    verdict = judge_waiver(
        readiness, preset=preset_of(preset), claim=given, tests_forbidden=forbidden
    )

    assert expected == verdict.reason
    assert ([] if verdict.accepted else list(readiness.missing)) == verdict.facts["missing"]


@pytest.mark.parametrize(
    ("given", "forbidden", "expected"),
    [
        (DECLARED, False, "the missing checks are declared as unverified"),
        (None, True, "the user forbade running tests"),
        (None, False, "no complete report was taken, so nothing is declared as unverified"),
        (Completion(), False, "the latest complete report declares nothing as unverified"),
    ],
)
def test_the_waiver_tells_what_it_rests_on(
    given: Completion | None, forbidden: bool, expected: str
) -> None:
    """A report that nobody gave declares nothing."""
    verdict = judge_waiver(
        CHECKS, preset=preset_of("balanced"), claim=given, tests_forbidden=forbidden
    )

    assert expected == verdict.message


def test_presets() -> None:
    """The table of section 7.1; a name that nobody knows is balanced."""
    assert [True, True, False] == [preset.partial_completion for preset in PRESETS.values()]
    assert PRESETS["balanced"] == preset_of("bold")
    assert PRESETS["light"] == preset_of(" Light ")


def test_the_kinds_of_gaps_and_the_reports_are_a_fixed_list() -> None:
    """People and programs read the kinds in this order."""
    assert [kind.value for kind in GapKind] == [
        "unbacked_claim", "unproven_criterion", "missing_check", "failed_verification",
        "stale_verification", "unverified_change", "unreviewed_change", "declared_unverified",
    ]  # fmt: skip
    assert {report.value for report in WorkReport} == {"unknown", "incomplete", "partial", "done"}


def test_risks_are_carried_along_word_for_word() -> None:
    """What the model warns of is for people to read, not for the host to judge."""
    account, verdict = reconcile(ledger(claim(risks=["Slow  on `x`", "untested path"])))

    assert account.risks == ("Slow  on `x`", "untested path")
    assert verdict.accepted
    assert account.gaps == ()
