"""`replay --schemas` and `--reasonix-schemas`: in every report, and in what fails a run."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from reasonix_conformance.cli import main

TOOLS = {
    "tools": [
        {
            "name": "run",
            "description": "Run.",
            "inputSchema": {
                "type": "object",
                "properties": {"command": {"type": "string"}},
                "required": ["command"],
            },
        }
    ]
}
NAME = "turn-1/1-run/arguments"


def lines(*calls: tuple[Any, str]) -> str:
    events: list[dict[str, Any]] = [
        {"ev": "session", "sid": "s", "format": "neutral/1"},
        {"ev": "turn.start", "turn": 1},
    ]
    for number, (args, outcome) in enumerate(calls, 1):
        uid = f"main#{number}"
        events += [
            {"ev": "tool.call", "uid": uid, "name": "run", "turn": 1, "args": args},
            {"ev": "tool.result", "uid": uid, "outcome": outcome, "basis": "state"},
        ]
    return "".join(json.dumps({"seq": n, **event}) + "\n" for n, event in enumerate(events))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder: a contract, and a trace whose second call is not valid."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.json").write_text(json.dumps(TOOLS))
    (tmp_path / "bad.jsonl").write_text(lines(({"command": "ls"}, "ok"), ({"command": 5}, "ok")))
    (tmp_path / "good.jsonl").write_text(lines(({"command": "ls"}, "ok"), ({"command": ""}, "ok")))
    return tmp_path


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return the command as a user runs it: (exit code, output, errors)."""

    def replay(*args: str, schemas: str | None = "tools.json") -> tuple[int, str, str]:
        more = [] if schemas is None else ["--schemas", schemas]
        code = main(["replay", *args, *more])
        said = capsys.readouterr()
        return code, said.out, said.err

    return replay


def test_the_text_tells_the_call_the_place_and_how_many_are_valid(run: Run) -> None:
    """One reads it and knows what to mend."""
    code, out, _ = run("bad.jsonl")

    assert 1 == code
    assert f"REJECT  {NAME}  arguments.invalid (AR-03)  HOST LENIENT" in out
    assert 'run: /command: type "string", found 5.' in out
    assert "arguments: 1 call valid, 1 invalid, 0 not assessable" in out


def test_a_run_in_which_only_calls_were_judged_is_a_pass(run: Run) -> None:
    """Something was assessed; without a contract, nothing was."""
    assert 0 == run("good.jsonl")[0]
    assert 3 == run("good.jsonl", schemas=None)[0]


def test_json_is_valid_by_its_published_schema(run: Run) -> None:
    """Programs read the facts, and how many calls were judged."""
    report = json.loads(run("bad.jsonl", "--format", "json")[1])
    schema = files("reasonix_conformance") / "schemas" / "replay-1.schema.json"

    jsonschema.validate(report, json.loads(schema.read_text("utf-8")))
    assert {"valid": 1, "invalid": 1, "not_assessable": 0} == report["summary"]["arguments"]
    (verdict,) = [one for one in report["traces"][0]["verdicts"] if one["gate"] == "arguments"]
    assert ("reject", "accept", "host_lenient", 5) == (
        verdict["decision"],
        verdict["host"],
        verdict["agreement"],
        verdict["line"],
    )
    assert [{"at": "/command", "keyword": "type", "expected": '"string"', "found": "5"}] == verdict[
        "facts"
    ]["violations"]


def test_without_a_contract_no_report_speaks_of_arguments(run: Run) -> None:
    """Nothing changes for who does not ask."""
    report = json.loads(run("bad.jsonl", "--format", "json", schemas=None)[1])

    assert "arguments" not in report["summary"]
    assert [] == report["traces"][0]["verdicts"]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("sarif", '"ruleId": "AR-03"'),
        ("junit", f'name="{NAME}"'),
        ("github", f"::error file=bad.jsonl,line=5,title=arguments::s: {NAME}"),
        ("markdown", "Arguments: 1 call valid, 1 invalid, 0 not assessable."),
        ("html", f'"name":"{NAME}"'),
    ],
)
def test_every_other_form_has_the_finding(form: str, expected: str, run: Run) -> None:
    """Whoever reads only one of them sees it."""
    assert expected in run("bad.jsonl", "--format", form)[1]


@pytest.mark.parametrize(
    ("outcome", "fail_on", "code"),
    [
        ("ok", "host_lenient", 1),
        ("ok", "host_strict,reject", 0),
        ("not_run", "host_lenient,host_strict,reject,expectation", 0),
        ("unknown", "reject", 1),
        ("unknown", "host_lenient", 0),
        ("ok", "none", 0),
    ],
)
def test_what_fails_the_run_is_chosen_as_for_every_gate(
    outcome: str, fail_on: str, code: int, folder: Path, run: Run
) -> None:
    """A host that refused what is not valid did its duty."""
    (folder / "one.jsonl").write_text(lines(({}, outcome)))

    assert code == run("one.jsonl", "--fail-on", fail_on)[0]


def test_a_finding_can_be_known(folder: Path, run: Run) -> None:
    """By a name of its own, so that the gate of the same call is not forgiven with it."""
    assert 1 == run("bad.jsonl", "--write-known", "known.yaml")[0]
    assert f"id: bad.jsonl::{NAME}\n" in (folder / "known.yaml").read_text()

    assert 0 == run("bad.jsonl", "--known", "known.yaml")[0]
    code, _, err = run("good.jsonl", "--known", "known.yaml", "--fail-on", "none")
    assert 1 == code, "an entry that fits nothing"
    assert "no verdict has the id 'bad.jsonl::turn-1/1-run/arguments'" in err


def test_coverage_counts_the_rules_where_calls_were_judged(run: Run) -> None:
    """Without a contract they are no part of the share."""
    run("bad.jsonl", "--format", "json", "--output", "r.json", "--coverage=c.json")
    document = json.loads(Path("c.json").read_text())
    rules = {rule["id"]: rule for rule in document["rules"]}

    assert ["refused", "accepted"] == rules["AR-03"]["exercised"]
    assert (1, 1, {"arguments.invalid": 1}) == (
        rules["AR-03"]["accepted"],
        rules["AR-03"]["refused"],
        rules["AR-03"]["reasons"],
    )
    assert 0 == rules["AR-01"]["refused"]

    run("bad.jsonl", "--coverage=c.json", schemas=None)
    bare = json.loads(Path("c.json").read_text())
    assert document["summary"]["rules"] == bare["summary"]["rules"] + 3


def test_the_number_of_processes_changes_nothing(folder: Path, run: Run) -> None:
    """The schemas go to every process, whatever the subject was read from."""
    (folder / "argument_tools.py").write_text(
        f"TOOLS = {TOOLS['tools']!r}".replace("inputSchema", "schema")
    )
    spec = "argument_tools:TOOLS"

    expected = run("good.jsonl", "bad.jsonl", "--format", "json", schemas=spec)
    assert 1 == expected[0]
    assert expected == run(
        "good.jsonl", "bad.jsonl", "--format", "json", "--jobs", "2", schemas=spec
    )


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("bad.jsonl", "--schemas", "missing.json"), "missing.json"),
        (("bad.jsonl", "--schemas", "no_such_module:x"), "there is no module 'no_such_module'"),
        (("bad.jsonl", "--schemas", "bad.jsonl"), "bad.jsonl:2:1: not JSON"),
        (("bad.jsonl", "--schemas", "tools.json", "--format", "neutral"), "judges nothing"),
    ],
)
def test_a_mistake_is_told_before_anything_is_read(
    args: tuple[str, ...], said: str, run: Run
) -> None:
    """No traceback, and no report that looks like one."""
    code, out, err = run(*args, schemas=None)

    assert (2, "") == (code, out)
    assert said in err
    assert "Traceback" not in err


# -- pytest


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Return a project with the same contract and traces."""
    pytester.path.joinpath("tools.json").write_text(json.dumps(TOOLS))
    bad = lines(({"command": "ls"}, "ok"), ({"command": 5}, "ok"))
    pytester.path.joinpath("bad.jsonl").write_text(bad)
    pytester.path.joinpath("good.jsonl").write_text(lines(({"command": "ls"}, "ok")))
    return pytester


def pytest_run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    return project.runpytest("-p", "no:cacheprovider", *args)


def test_an_item_fails_by_the_name_of_the_call(project: pytest.Pytester) -> None:
    """The failure text is what the command says."""
    ran = pytest_run(project, "--reasonix-replay=bad.jsonl", "--reasonix-schemas=tools.json", "-v")

    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(
        [
            "reasonix: replay of bad.jsonl, calls held against tools.json",
            f"*{NAME}: reject arguments.invalid, but the host let it pass*",
            "*bad.jsonl:5*",
            '*run: /command: type "string", found 5.*',
            "*passed: trace/arguments*",
        ]
    )


def test_an_item_passes_where_every_call_is_valid(project: pytest.Pytester) -> None:
    """Without a contract nothing in that trace could be judged."""
    given = ("--reasonix-replay=good.jsonl",)

    pytest_run(project, *given, "--reasonix-schemas=tools.json").assert_outcomes(passed=1)
    assert pytest.ExitCode.TESTS_FAILED == pytest_run(project, *given).ret


def test_the_ini_value_does_the_same(project: pytest.Pytester) -> None:
    """A project says once what its traces are held against."""
    project.makeini("[pytest]\nreasonix_schemas = tools.json\n")

    pytest_run(project, "--reasonix-replay=bad.jsonl").assert_outcomes(failed=1)


def test_reports_coverage_and_known_failures_have_it(project: pytest.Pytester) -> None:
    """As the command does."""
    given = ("--reasonix-replay=bad.jsonl", "--reasonix-schemas=tools.json")
    aside = ("--reasonix-report=r.xml", "--reasonix-coverage=c.json")

    ran = pytest_run(project, *given, *aside, "--reasonix-write-known=known.yaml")

    ran.assert_outcomes(failed=1)
    cases = ElementTree.parse(project.path / "r.xml").getroot().iter("testcase")
    assert [NAME] == [case.get("name") for case in cases]
    rules = json.loads((project.path / "c.json").read_text())["rules"]
    assert ["refused", "accepted"] == next(r for r in rules if r["id"] == "AR-03")["exercised"]
    pytest_run(project, *given, "--reasonix-known=known.yaml").assert_outcomes(xfailed=1)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--reasonix-schemas=tools.json",), "*does nothing alone*"),
        (
            ("--reasonix-contract", "--reasonix-schemas=tools.json"),
            "*--reasonix-schemas is about recorded traces*",
        ),
        (
            ("--reasonix-replay=bad.jsonl", "--reasonix-schemas=missing.json"),
            "*missing.json*",
        ),
    ],
)
def test_an_option_that_cannot_work_is_a_usage_error(
    args: tuple[str, ...], said: str, project: pytest.Pytester
) -> None:
    """Silently validating nothing would look like a pass."""
    ran = pytest_run(project, *args)

    assert pytest.ExitCode.USAGE_ERROR == ran.ret
    ran.stderr.fnmatch_lines([said])
