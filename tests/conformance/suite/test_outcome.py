"""What the items of a session come to together, from their records."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance.findings import Finding, Outcome, Result
from reasonix_conformance.settings import Settings
from reasonix_conformance.suite.outcome import conclude

FAILS, PASSES = "run.jsonl::turn-1/end", "run.jsonl::turn-2/end"
UNREAD = Finding(check="trace/readable", what="torn")
LISTED = "passes, but is listed as a known failure; delete the entry"


def record(kind: str, name: str, *findings: Finding, **facts: object) -> dict[str, Any]:
    """Return the record of an item, as it travels to the end of a session."""
    found: dict[str, Any] = json.loads(Result(findings=findings, facts=facts).record(kind, name))
    return found


def settings(root: Path, **given: Any) -> Settings:
    """Return the settings of a replay of one trace, with a list where there is one."""
    known = root / "known.yaml"
    return Settings(
        root=root,
        subject_base=root,
        document=root / "doc.md",
        **{"replay": (root / "run.jsonl",), "known_failures": known} | given,
    )


def trace(path: str = "run.jsonl", **known: list[int]) -> dict[str, Any]:
    """Return the record of a trace with a verdict that fails; `known` counts by entry."""
    failing = [[f"{path}::turn-1/end", "classic", "wrong"]]
    return record("trace", f"{path}::replay", path=path, known=known, failing=failing)


def listing(root: Path, *ids: str, **more: str) -> None:
    """Write a list of these ids."""
    entries = [{"id": ident, "reason": "agreed", **more} for ident in ids]
    (root / "known.yaml").write_text("".join(f"- {json.dumps(one)}\n" for one in entries))


@pytest.mark.parametrize(
    ("given", "problems"),
    [
        ({}, [f"known.yaml:1: {PASSES} {LISTED}"]),
        ({"replay": ()}, []),
        ({"contract": True}, [f"known.yaml:1: {PASSES} {LISTED}"]),
        (
            {"today": date(2027, 1, 1)},
            [
                "known.yaml:1: the entry 'run.jsonl::turn-2/end' counted until 2026-12-31; "
                "repair what fails, or agree on a new date",
                f"known.yaml:1: {PASSES} {LISTED}",
            ],
        ),
        ({"today": date(2027, 1, 1), "contract": True}, [f"known.yaml:1: {PASSES} {LISTED}"]),
    ],
)
def test_entries_about_traces_are_judged_where_all_of_them_ran(
    given: dict[str, Any], problems: list[str], tmp_path: Path
) -> None:
    """The days of a list are judged by an item of the contract suite where that runs."""
    listing(tmp_path, PASSES, until="2026-12-31")
    chosen = settings(tmp_path, **{"today": date(2026, 12, 31)} | given)
    records = [trace(**{"known.yaml:1": [0, 1, 0]})]

    assert problems == [*conclude(chosen, records, ["run.jsonl"]).problems]
    assert not any(
        "passes" in problem
        for problem in conclude(chosen, records, ["run.jsonl", "other.jsonl"]).problems
    )


def test_a_list_that_cannot_be_read_is_a_problem_beside_the_others(tmp_path: Path) -> None:
    """What was asked for besides is written all the same."""
    (tmp_path / "known.yaml").write_text("- 7\n- 8\n")
    judged = {"gates": {"preflight": {"accept": 2}}, "reasons": {}}
    records = [
        record("trace", "run.jsonl::replay", path="run.jsonl", coverage=judged),
        record("trace", "other.jsonl::replay", path="other.jsonl", coverage=judged),
        record("trace", "torn.jsonl::replay", UNREAD),
    ]
    asked = {"coverage": tmp_path / "c.json", "coverage_min": 99.0}

    ended = conclude(settings(tmp_path, **asked), records, ["run.jsonl"])

    wrong = "expected an entry with the keys id and reason, found"
    assert ("c.json",) == ended.written
    document = json.loads((tmp_path / "c.json").read_text())
    assert 4 == document["gates"]["preflight"]["accept"]
    share = document["summary"]["percent"]
    assert (
        f"coverage is {share} %, less than the 99.0 % that are asked for",
        f"known.yaml:1: {wrong} 7",
        f"known.yaml:2: {wrong} 8",
    ) == ended.problems
    assert [f"exercised ({share} %)"] == [one[-len("exercised (1.2 %)") :] for one in ended.remarks]


def test_a_written_list_holds_each_failure_and_what_is_still_of_use(tmp_path: Path) -> None:
    """What the list itself is blamed for is no failure, and no list can name the rest."""
    listing(tmp_path, FAILS, PASSES, "t-known", "t-good", "t-other", "t-late")
    failed = Finding(check="transcript/verdicts", what="wrong")
    known = failed._replace(outcome=Outcome.KNOWN)
    blamed = Finding(check="known-failures/entry", what="x", at="known.yaml:1")
    records = [
        trace(**{"known.yaml:1": [1, 0, 0]}),
        record("transcript", "t-known[facts]", known),
        record("transcript", "t-new[facts]", failed, failed._replace(what="more")),
        record("transcript", "t-good[facts]"),
        record("transcript", "t-advice[facts]", failed._replace(outcome=Outcome.ADVICE)),
        record("known-failures", "entries", blamed._replace(at="known.yaml:6")),
        record("tool", "look", failed),
        record("tool", "put", failed._replace(outcome=Outcome.ADVICE)),
        record("surface", "core", failed, failed),
        record("trace", "torn.jsonl::replay", UNREAD),
    ]
    asked = {"write_known": tmp_path / "new.yaml"}
    ended = conclude(settings(tmp_path, **asked), records, ["run.jsonl"])

    assert ("new.yaml",) == ended.written
    assert [
        "3 failed items not written: a list of known failures names transcripts and verdicts on "
        "traces alone"
    ] == [*ended.remarks]
    assert (
        f"- id: {FAILS}\n  reason: agreed\n- id: t-known\n  reason: agreed\n"
        "- id: t-other\n  reason: agreed\n"
        "- id: t-new\n  rules: facts\n  reason: 'transcript/verdicts: wrong'\n"
    ) == (tmp_path / "new.yaml").read_text("utf-8")


def test_a_written_list_loses_what_passes_also_where_not_all_ran(tmp_path: Path) -> None:
    """What did not run is kept: it may still fail."""
    listing(tmp_path, FAILS, PASSES, "other.jsonl::turn-1/end")
    records = [trace(**{"known.yaml:1": [1, 0, 0], "known.yaml:2": [0, 1, 0]})]
    asked = {"write_known": tmp_path / "new.yaml"}

    ended = conclude(settings(tmp_path, **asked), records, ["run.jsonl", "other.jsonl"])

    assert ((), ()) == (ended.problems, ended.remarks)
    assert (
        f"- id: {FAILS}\n  reason: agreed\n- id: other.jsonl::turn-1/end\n  reason: agreed\n"
    ) == (tmp_path / "new.yaml").read_text("utf-8")


def test_a_written_list_keeps_what_could_not_be_judged(tmp_path: Path) -> None:
    """It may still fail, and somebody agreed of it."""
    listing(tmp_path, FAILS, PASSES)
    records = [trace(**{"known.yaml:1": [1, 0, 0], "known.yaml:2": [0, 0, 1]})]
    asked = {"write_known": tmp_path / "new.yaml"}

    (problem,) = conclude(settings(tmp_path, **asked), records, ["run.jsonl"]).problems

    assert f"{PASSES} could not be assessed" in problem
    assert PASSES in (tmp_path / "new.yaml").read_text("utf-8")
