"""Which rules a run exercised, each way, and how little is too little."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from places import CLASSIC, TRANSCRIPTS
from runs import replay, run_pytest

from reasonix_conformance.cli import main
from reasonix_conformance.coverage import Coverage, gate_of, percent, refuses, table, too_little
from reasonix_conformance.replay.results import Judged, TraceResult, tell
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.gates.rules import REASONS
from reasonix_runtime.gates.verdict import Decision, Verdict

STEPS = CLASSIC / "step-missing-evidence" / "1.trajectory.jsonl"


def replayed(path: Path) -> Iterator[TraceResult]:
    return results([path], Options(), [])


def covered(path: Path) -> dict[str, Any]:
    coverage = Coverage()
    for result in replayed(path):
        tell(coverage, result)
    return coverage.document()


def rule(document: dict[str, Any], ident: str) -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in document["rules"] if one["id"] == ident)
    return found


def test_the_transcripts_of_this_project_exercise_every_rule_each_way() -> None:
    """A rule that nothing exercises is a rule that nobody checks."""
    document = covered(TRANSCRIPTS)

    missing = [one["id"] for one in document["rules"] if one["exercised"] != one["ways"]]
    assert [] == missing
    assert 100 == document["summary"]["percent"]


def test_one_trace_exercises_what_it_shows_and_nothing_else() -> None:
    """The counts are those of the verdicts, and not of the catalogue."""
    document = covered(STEPS)

    refused = rule(document, "CS-02.V5")
    assert 1 <= refused["refused"] == refused["reasons"]["evidence.missing"]
    assert ["refused", "accepted"] == refused["exercised"]
    assert [] == rule(document, "GR-02")["exercised"]
    assert document["summary"]["percent"] < 50


def test_a_gate_that_lets_calls_pass_without_a_word_is_counted() -> None:
    """Most accepts of the gates before a call are not listed one by one."""
    document = covered(STEPS)

    assert document["gates"]["preflight"]["accept"] > 0


def test_a_rule_without_a_refusal_has_one_way() -> None:
    """Such a rule says how something is accepted; demanding a refusal would never be met."""
    document = covered(STEPS)

    assert all("refused" in one["ways"] or not any(map(refuses, one["reasons"]))
               for one in document["rules"])  # fmt: skip
    assert ["accepted"] == rule(document, "GR-07")["ways"]


def judged(decision: Decision, reason: str | None, *also: str) -> Judged:
    """Return a verdict of the end of a turn, with what it says beside its reason."""
    verdict = Verdict(gate="turn_end", decision=decision, reason=reason, facts={"reasons": also})
    return Judged(turn=1, event=None, verdict=verdict, subject="end")


def test_every_reason_of_a_refusal_is_counted_once_and_an_accept_by_its_own() -> None:
    """What is open at the end of a turn is told together."""
    coverage = Coverage()
    open_items = ("finish.criteria_missing", "finish.signoff_missing")
    coverage.verdict(judged(Decision.REJECT, *open_items[:1], *open_items))
    coverage.verdict(judged(Decision.REJECT, *open_items[:1]))
    coverage.verdict(judged(Decision.ACCEPT, "finish.partial", *open_items))
    coverage.verdict(judged(Decision.NOT_ASSESSABLE, None))

    assert {
        "gates": {"turn_end": {"reject": 2, "accept": 1, "not_assessable": 1}},
        "reasons": {
            "finish.criteria_missing": {"refused": 2},
            "finish.partial": {"accepted": 1},
            "finish.signoff_missing": {"refused": 1},
        },
    } == coverage.counts()


def test_a_rule_of_accepts_is_exercised_by_its_own_reasons_alone() -> None:
    """Its gate accepts much that it says nothing about."""
    coverage = Coverage()
    coverage.verdict(judged(Decision.ACCEPT, None))
    assert [] == rule(coverage.document(), "FC-11")["exercised"]

    coverage.verdict(judged(Decision.ACCEPT, "finish.partial"))
    assert ["accepted"] == rule(coverage.document(), "FC-11")["exercised"]


@pytest.mark.parametrize("held", [True, False])
def test_rules_on_arguments_count_where_calls_were_held_against_a_contract(*, held: bool) -> None:
    """Elsewhere nothing asks them; and what only moves a goal decides nothing."""
    coverage = Coverage()
    coverage.merge({"gates": {"arguments": {"accept": 1}} if held else {}, "reasons": {}})

    counted = {rule["id"]: rule for rule in coverage.document()["rules"]}

    assert held is ("AR-01" in counted)
    assert "GL-18" not in counted
    assert not held or (["arguments"], ["accepted"]) == (
        counted["AR-01"]["gates"],
        counted["AR-01"]["exercised"],
    )


@pytest.mark.parametrize(
    ("reason", "refusing"),
    [
        ("verification.command_not_run", True),
        ("arguments.invalid", True),
        ("no.such_reason", True),
        ("finish.partial", False),
        ("goal_life.set", False),
        ("proxy.gate_pass", False),
        ("subagent.copy", False),
    ],
)
def test_a_reason_is_one_of_a_refusal_or_of_an_accept(reason: str, *, refusing: bool) -> None:
    """Its example says which."""
    assert refusing is refuses(reason)


@pytest.mark.parametrize("reason", sorted(REASONS))
def test_the_gate_of_every_reason_is_known(reason: str) -> None:
    """Without its gate a rule could never be accepted."""
    assert gate_of(reason)


def test_counts_of_several_processes_add_up() -> None:
    """Workers count apart; the sum is that of one process."""
    whole, parts = Coverage(), Coverage()
    for result in replayed(CLASSIC / "todo-recovery"):
        tell(whole, result)
        part = Coverage()
        tell(part, result)
        parts.merge(json.loads(json.dumps(part.counts())))

    assert whole.document() == parts.document()


def test_the_form_is_that_of_the_published_schema() -> None:
    """Whoever reads the file relies on it."""
    schema = files("reasonix_conformance.schemas") / "coverage-1.schema.json"
    judge = jsonschema.Draft202012Validator(json.loads(schema.read_text("utf-8")))

    assert [] == [error.message for error in judge.iter_errors(covered(STEPS))]
    assert not judge.is_valid({**covered(STEPS), "rules": [{"id": "CS-02.V4"}]})


def test_a_full_share_is_never_rounded_up() -> None:
    """One way of thousands that is missing must be seen."""
    assert [0.0, 33.3, 99.9, 100.0] == [
        percent(0, 3), percent(1, 3), percent(9999, 10000), percent(3, 3)
    ]  # fmt: skip


def test_the_table_names_the_reasons_that_were_not_seen() -> None:
    """They are what the next trace should show."""
    lines = table(covered(STEPS)).splitlines()

    assert ["rule", "accepted", "refused", "not", "seen"] == lines[0].split()
    assert any(line.startswith("GR-02") and "goal_revision" in line for line in lines)
    assert lines[-1].startswith("coverage: ")


SUMMARY = {"rules": 2, "ways": 3, "exercised": 1, "percent": 33.3}
SHARE = "coverage: 1 of 3 ways of 2 rules exercised (33.3 %)\n"


@pytest.mark.parametrize(
    ("rules", "lines"),
    [
        ([], []),
        (
            [
                {"id": "A-1", "accepted": 2, "refused": 0, "reasons": {"a.b": 0, "a.c": 1}}
                | {"ways": ["refused", "accepted"]},
                {"id": "A-2.long", "accepted": 0, "refused": 0, "reasons": {"b": 1}}
                | {"ways": ["accepted"]},
            ],
            [
                "rule      accepted   refused  not seen",
                "A-1              2         0  a.b",
                "A-2.long         0         -",
            ],
        ),
    ],
)
def test_a_table_has_a_line_for_each_rule_and_the_share(
    rules: list[dict[str, Any]], lines: list[str]
) -> None:
    """A rule that cannot refuse has no count of refusals."""
    assert "".join(f"{line}\n" for line in lines) + SHARE == table(
        {"rules": rules, "summary": SUMMARY}
    )


@pytest.mark.parametrize(("least", "enough"), [(None, True), (33.3, True), (33.4, False)])
def test_a_share_is_enough_when_it_is_the_least(least: float | None, *, enough: bool) -> None:
    """Who asks for what there is gets a green run."""
    said = [] if enough else ["coverage is 33.3 %, less than the 33.4 % that are asked for"]
    assert said == [*too_little({"summary": SUMMARY}, least)]


def test_the_command_writes_a_table_or_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The ending says which."""
    code, _, _ = replay(capsys, STEPS, f"--coverage={tmp_path / 'a.json'}")
    replay(capsys, STEPS, f"--coverage={tmp_path / 'a.txt'}")
    _, said, _ = replay(capsys, STEPS, "--coverage")

    assert 0 == code
    assert covered(STEPS) == json.loads((tmp_path / "a.json").read_text())
    assert table(covered(STEPS)) == (tmp_path / "a.txt").read_text()
    assert said.endswith(table(covered(STEPS)))


def test_a_table_never_runs_into_a_report_that_programs_read(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Standard output is one JSON value, or it is of no use."""
    _, out, err = replay(capsys, STEPS, "--format", "json", "--coverage")

    assert json.loads(out)
    assert "coverage: " in err


@pytest.mark.parametrize(("least", "code"), [("1", 0), ("99", 1)])
def test_too_little_coverage_fails_the_run(
    least: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A threshold that only warns is not kept."""
    got, _, err = replay(capsys, STEPS, "--coverage-min", least)

    assert code == got
    assert ("less than the 99.0 % that are asked for" in err) == bool(code)


@pytest.mark.parametrize("least", ["101", "-1", "many"])
def test_a_threshold_that_is_no_share_is_refused(
    least: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A typing error must not become a threshold that always holds."""
    with pytest.raises(SystemExit) as stopped:
        main(["replay", str(STEPS), f"--coverage-min={least}"])

    assert 2 == stopped.value.code
    assert "percent" in capsys.readouterr().err


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "2"), marks=pytest.mark.slow)])
def test_the_plugin_counts_what_its_items_judged(
    pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    """Under workers, only the controller has seen everything."""
    asked = ("--reasonix-coverage=out.json", "--reasonix-coverage-min=1")
    result = run_pytest(pytester, f"--reasonix-replay={STEPS.parent}", *asked, *workers)

    assert 0 == result.ret
    result.stdout.fnmatch_lines(["coverage: * of * ways of * rules exercised (* %)"])
    assert covered(STEPS.parent) == json.loads((pytester.path / "out.json").read_text())


def test_the_plugin_fails_a_session_that_exercised_too_little(pytester: pytest.Pytester) -> None:
    """All items passed, and yet it is not green."""
    result = run_pytest(pytester, f"--reasonix-replay={STEPS}", "--reasonix-coverage-min=99")

    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines(["coverage is * %, less than the 99.0 % that are asked for"])
    result.assert_outcomes(passed=1)
