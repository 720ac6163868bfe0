"""The plugin in real pytest runs: what is collected, by which ids, and beside what else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import pytest
from places import GOOD, shut
from project_files import own_test, transcripts

CONTRACT_ITEMS = ["document", "look", "put", "surface:core", "wait"]


def test_without_our_options_nothing_of_ours_is_imported(pytester: pytest.Pytester) -> None:
    """Who does not ask must not pay, in time or in modules."""
    pytester.makepyfile(
        "import sys\n"
        "def test_modules():\n"
        "    ours = {m for m in sys.modules if m.split('.')[0].startswith('reasonix')}\n"
        "    assert ours == {'reasonix_conformance', 'reasonix_conformance.plugin'}\n"
        "    assert not {'yaml', 'msgspec', 'jsonschema', 'deepdiff', 'jsonschema_rs'} & "
        "set(sys.modules)\n"
    )

    result = pytester.runpytest_subprocess(
        "-p", "no:syrupy", "-p", "no:hypothesispytest", "-p", "no:anyio", "-p", "no:xdist"
    )

    result.assert_outcomes(passed=1)


def test_a_green_contract_run_imports_no_library_for_failures(project: Any) -> None:
    """What words a failure, reads YAML, makes examples or judges traces is dead weight on it."""
    project.write()
    project.pytester.makeconftest(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    heavy = {'yaml', 'deepdiff', 'rich', 'hypothesis', 'syrupy', 'jsonschema',\n"
        "             'reasonix_runtime.gates.policy', 'reasonix_runtime.trace.events'}\n"
        "    print('HEAVY', sorted(heavy & set(sys.modules)))\n"
    )

    result = project.pytester.runpytest_subprocess(
        "--reasonix-contract", "--reasonix-subject", "host:registry",
        "-p", "no:syrupy", "-p", "no:hypothesispytest", "-s",
    )  # fmt: skip

    result.assert_outcomes(passed=5)
    result.stdout.fnmatch_lines(["*HEAVY []"])


def test_without_paths_only_the_suite_runs(project: Any) -> None:
    """`testpaths` names the project's own tests, which nobody asked for."""
    own_test(project)
    project.pytester.makefile(".ini", pytest="[pytest]\ntestpaths = own\n")

    project.run().assert_outcomes(passed=5)


def test_paths_are_collected_as_well(project: Any) -> None:
    """Who names paths wants both."""
    own_test(project)

    project.run("own").assert_outcomes(passed=6)
    project.run(".").assert_outcomes(passed=6)


@pytest.mark.parametrize(
    ("standing", "passed"),
    [
        ("reasonix_contract = true\nreasonix_subject = host:registry\n", 6),
        ("reasonix_replay = traces\n", 2),
    ],
)
@pytest.mark.parametrize("args", [(), ("--reasonix-strict",)])
def test_an_ini_value_adds_the_suite_to_every_run(
    project: Any, standing: str, passed: int, args: tuple[str, ...]
) -> None:
    """Set in the ini file, the suite joins the project's own tests and never replaces them."""
    own_test(project)
    project.write()
    (project.root / "traces").mkdir()
    shutil.copy(GOOD, project.root / "traces")
    project.pytester.makefile(".ini", pytest=f"[pytest]\n{standing}")

    project.pytester.runpytest_inprocess(*args).assert_outcomes(passed=passed)


@pytest.mark.parametrize(
    ("argument", "passed"),
    [
        ("docs/TOOL_CONTRACT.md", 5),
        ("docs/TOOL_CONTRACT.md::look", 1),
        ("docs/TOOL_CONTRACT.md::surface:core", 1),
        ("docs/TOOL_CONTRACT.md::document", 1),
        ("fixtures/transcripts/steps.yaml::t-good[classic]", 1),
        ("fixtures/transcripts/steps.yaml::t-good", 2),
    ],
)
def test_an_item_runs_by_its_id(project: Any, argument: str, passed: int) -> None:
    """The id of a failure is pasted to run it again."""
    transcripts(project)

    project.run(argument).assert_outcomes(passed=passed)


def test_ids_are_stable_and_readable(project: Any) -> None:
    """Ids are public: other tools keep them in lists."""
    transcripts(project)

    result = project.run("--collect-only", "-q")

    assert [
        "docs/TOOL_CONTRACT.md::look",
        "docs/TOOL_CONTRACT.md::put",
        "docs/TOOL_CONTRACT.md::wait",
        "docs/TOOL_CONTRACT.md::surface:core",
        "docs/TOOL_CONTRACT.md::document",
        "fixtures/transcripts/steps.yaml::t-good[classic]",
        "fixtures/transcripts/steps.yaml::t-good[facts]",
        "fixtures/transcripts/steps.yaml::t-bad[classic]",
    ] == [line for line in result.outlines if "::" in line]


def test_ids_do_not_depend_on_the_hash_seed(project: Any) -> None:
    """Workers that see another order refuse to run."""
    transcripts(project)
    project.write()
    orders = set()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-m", "pytest", "--reasonix-contract", "--collect-only", "-q",
             "--reasonix-subject", "host:registry"],
            cwd=project.root, env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        orders.add("".join(line for line in run.stdout.splitlines(True) if "::" in line))

    (order,) = orders
    assert 8 == order.count("\n")


def test_selection_by_keyword_marker_and_first_failure(project: Any) -> None:
    """The suite's items are tests like any other."""
    project.rows["look"]["read_only"] = False
    project.rows["put"]["read_only"] = True

    project.run("-k", "look or wait").assert_outcomes(failed=1, passed=1, deselected=3)
    project.run("-m", "reasonix").assert_outcomes(failed=2, passed=3)
    project.run("-m", "not reasonix").assert_outcomes(deselected=5)
    project.run("-x").assert_outcomes(failed=1)


def test_the_last_failures_run_alone(project: Any) -> None:
    """`--lf` is how a person works through a red build."""
    project.rows["put"]["read_only"] = True
    project.run()

    project.run("--lf").assert_outcomes(failed=1)


def test_workers_share_the_suite(project: Any) -> None:
    """Two workers judge every item once and agree on the ids; the controller alone reports."""
    transcripts(project)
    project.rows["put"]["read_only"] = True

    result = project.run("-n", "2", "--reasonix-report", "report.json")

    result.assert_outcomes(passed=6, failed=2)
    assert {"put", "t-bad[classic]"} == set(project.failed(result))
    report = json.loads((project.root / "report.json").read_text())
    assert [*CONTRACT_ITEMS, "t-bad[classic]", "t-good[classic]", "t-good[facts]"] == [
        item["name"] for item in report["items"]
    ]


def test_junit_has_one_case_an_item_with_its_record(project: Any) -> None:
    """Build servers read this; the record lets reports be made from any run."""
    project.rows["put"]["read_only"] = True

    project.run("--junitxml", "junit.xml")

    cases = {
        case.get("name"): case
        for case in ElementTree.parse(project.root / "junit.xml").iter("testcase")
    }
    record = json.loads(cases["put"].find("properties/property").get("value"))
    assert {"look", "put", "wait", "surface:core", "document"} == set(cases)
    assert "docs.TOOL_CONTRACT.md" == cases["put"].get("classname")
    assert ("tool", "failed", ["tool/flag"]) == (
        record["kind"],
        record["outcome"],
        [finding["check"] for finding in record["findings"]],
    )
    assert "tool/flag" in cases["put"].find("failure").text


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--reasonix-strict",), "--reasonix-strict does nothing alone"),
        (("--reasonix-update",), "--reasonix-update does nothing alone"),
        (("--reasonix-replay", ".", "--reasonix-update"), "add --reasonix-contract"),
        (
            ("--reasonix-replay", ".", "--reasonix-subject", "a:b", "--reasonix-document", "c.md"),
            "--reasonix-subject, --reasonix-document does nothing without the contract suite",
        ),
        (("--reasonix-contract", "--reasonix-transcripts", "no"), "no does not exist"),
        (("--reasonix-contract", "--reasonix-transcripts", "docs"), "docs holds no transcripts"),
        (("--reasonix-replay", "no"), "no does not exist"),
        (("--reasonix-contract", "--reasonix-rules", "clasic"), "unknown rule set 'clasic'"),
        (("--reasonix-replay", ".", "--reasonix-rules", "clasic"), "did you mean 'classic'?"),
        (("--reasonix-contract", "--reasonix-subject="), "--reasonix-subject: the value is empty"),
        (("--reasonix-contract", "--reasonix-coverage-min="), "-min: the value is empty"),
        (("--reasonix-replay", ".", "--reasonix-replay="), "--reasonix-replay: the value is empty"),
    ],
)
def test_wrong_use_is_one_sentence(project: Any, args: tuple[str, ...], sentence: str) -> None:
    """An option that silently does nothing is worse than none."""
    project.write()

    result = project.pytester.runpytest_inprocess(*args)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert sentence in result.stderr.str()


def test_a_root_that_a_path_moved_is_explained(
    project: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Pytest looks for the project at every path that it sees, also behind options of plugins."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    result = project.run("--reasonix-transcripts", str(elsewhere))

    output = result.stderr.str()
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert f"pytest took {elsewhere.parent} as the root of the project" in output
    assert "--option=PATH" in output


def test_updating_by_ini_value_is_refused(project: Any) -> None:
    """A standing update would accept every change unseen."""
    project.pytester.makefile(".ini", pytest="[pytest]\nreasonix_update = true\n")

    result = project.run()

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert "in every run" in result.stderr.str()


def test_the_command_line_beats_the_ini_file(project: Any) -> None:
    """Paths of the ini file are relative to it, those of the command line to where one stands."""
    project.write()
    project.pytester.makefile(
        ".ini", pytest="[pytest]\nreasonix_subject = nowhere:registry\nreasonix_strict = true\n"
    )

    project.run().assert_outcomes(passed=5)


def test_a_marker_of_the_project_is_respected(project: Any) -> None:
    """A project may skip an item of the suite; passing quickly must not overrule it."""
    project.pytester.makeconftest(
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    for item in items:\n"
        "        if item.name == 'look':\n"
        "            item.add_marker(pytest.mark.skip(reason='not now'))\n"
        "        if item.name == 'put':\n"
        "            item.add_marker(pytest.mark.xfail(strict=True))\n"
    )

    project.run().assert_outcomes(passed=3, skipped=1, failed=1)


def test_hooks_of_the_project_see_every_phase(project: Any) -> None:
    """Who hooks into phases gets them, for items of the suite as for any other."""
    project.pytester.makeconftest(
        "def pytest_runtest_setup(item): print('SETUP', item.name)\n"
        "def pytest_runtest_teardown(item): print('TEARDOWN', item.name)\n"
    )

    result = project.run("-s", "-k", "look")

    result.assert_outcomes(passed=1, deselected=4)
    result.stdout.fnmatch_lines(["*SETUP look*", "*TEARDOWN look*"])


def test_passing_and_failing_items_and_tests_of_the_project_mix(project: Any) -> None:
    """Quick items stand between items that pytest sets up and tears down itself."""
    own_test(project)
    project.rows["look"]["read_only"] = False
    project.rows["wait"]["read_only"] = False
    transcripts(project)

    result = project.run("own", "-v", "--durations=2", "--reasonix-transcripts", "fixtures")

    result.assert_outcomes(passed=6, failed=3)


def test_every_item_has_the_reports_of_three_phases(project: Any) -> None:
    """Reporters of other plugins count on set-up, call and teardown."""
    project.pytester.makeconftest(
        "seen = []\n"
        "def pytest_runtest_logreport(report): seen.append((report.nodeid, report.when))\n"
        "def pytest_unconfigure(): print('SEEN', len(seen), len(set(seen)))\n"
    )

    project.run("-s").stdout.fnmatch_lines(["*SEEN 15 15"])


def test_the_report_has_every_item_once_in_the_order_of_ids(project: Any) -> None:
    """The order tells nothing about when an item ran."""
    project.rows["put"]["read_only"] = True
    (project.root / "out").mkdir()

    project.run("--reasonix-report", "out/report.json")

    report = json.loads((project.root / "out" / "report.json").read_text())
    assert "reasonix-conformance/suite/1" == report["schema"]
    assert CONTRACT_ITEMS == [item["name"] for item in report["items"]]
    assert {"failed": 1, "passed": 4} == report["summary"]
    assert ["tool/flag"] == [finding["check"] for finding in report["items"][2]["findings"]]


UNEXPECTED = """\
- id: t-good
  title: a refusal that nobody expects stands beside one that is expected
  rules: classic
  setup: {profile: delivery}
  turns:
  - events:
    - {call: edit_file, args: {path: a.py, old_string: a, new_string: b}}
    end: {expect: {verdict: reject}}
"""


@pytest.mark.parametrize(
    ("form", "told", "untold"),
    [
        ("txt", "6 items, 43 verdicts: 42 accept, 1 reject", "HOST LENIENT"),
        ("md", "## Contract suite\n\n6 items, ", "| error |"),
        ("md", "Expectations: 1 held, 0 failed.", "## Replay"),
        ("xml", '<testsuites name="reasonix-conformance contract suite">', "<failure"),
        ("sarif", '"results": []', "preflight.criteria_required"),
        ("html", "<h1>Contract suite</h1>", "<h1>Replay</h1>"),
    ],
)
def test_a_green_suite_is_green_in_every_form(
    project: Any, form: str, told: str, untold: str
) -> None:
    """What a transcript expects decides; verdicts beside that stood in reports as errors."""
    folder = project.root / "fixtures" / "transcripts"
    folder.mkdir(parents=True)
    (folder / "t.yaml").write_text(UNEXPECTED)

    project.run(f"--reasonix-report=report.{form}").assert_outcomes(passed=6)

    report = (project.root / f"report.{form}").read_text("utf-8")
    assert told in report
    assert untold not in report


def test_a_report_of_an_unknown_form_is_refused(project: Any) -> None:
    """A report that is silently not written is missed when it is needed."""
    result = project.run("--reasonix-report", "report.docx")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert "expected one of .json, .xml" in result.stderr.str()


def test_a_report_that_cannot_be_written_is_one_sentence(project: Any) -> None:
    """A green run without its report is not what was asked for."""
    (project.root / "gone").mkdir()
    project.pytester.makeconftest(
        "def pytest_sessionstart(session):\n    (session.config.rootpath / 'gone').rmdir()\n"
    )

    result = project.run("--reasonix-report", "gone/report.json")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert "cannot be written" in result.stdout.str()
    assert "INTERNALERROR" not in result.stdout.str()


@pytest.mark.parametrize(
    ("option", "file"),
    [("report", "out/report.json"), ("write-known", "out/known.yaml"), ("coverage", "out/c.json")],
)
@pytest.mark.parametrize("taken", [False, True])
def test_a_file_in_no_folder_is_refused_before_anything_runs(
    project: Any, option: str, file: str, taken: bool
) -> None:
    """A folder that is made by a slip of the pen keeps what somebody looks for elsewhere."""
    if taken:
        (project.root / "out").write_text("a file")

    result = project.run(f"--reasonix-{option}", file)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert f"--reasonix-{option} {file}: there is no folder out" in result.stderr.str()
    assert taken == (project.root / "out").exists()


REFUSED = f"{'x' * 300}.json"
"""A path at which the system lets nobody even look whether something is there."""


@pytest.mark.parametrize(
    "option",
    [
        *(f"--reasonix-{name}" for name in ("subject", "document", "snapshots", "transcripts")),
        *(f"--reasonix-{name}" for name in ("known-failures", "report", "coverage", "replay")),
        *("--reasonix-write-known", "--reasonix-replay=docs --reasonix-schemas"),
    ],
)
def test_a_path_that_the_system_refuses_is_one_sentence(project: Any, option: str) -> None:
    """A file in a folder that nobody may enter ended the run with a traceback of ours."""
    result = project.run(*f"{option}={REFUSED}".split())

    output = result.stderr.str() + result.stdout.str()
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert REFUSED in output
    assert "INTERNALERROR" not in output


def test_a_folder_of_transcripts_that_cannot_be_walked_ends_the_run(
    project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands in a folder that nobody may read was left out of a green run."""
    transcripts(project)
    closed = project.root / "fixtures" / "transcripts" / "closed"
    closed.mkdir()
    shut(closed, monkeypatch)

    result = project.run()

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert f"{closed}: Permission denied" in result.stderr.str()


def test_a_folder_of_snapshots_that_cannot_be_listed_is_one_sentence(
    project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only its listing is refused; files in it would be read."""
    project.write()
    shut(project.root / "reasonix-contract", monkeypatch)

    result = project.run("--reasonix-report=report.json")

    output = result.stdout.str()
    assert pytest.ExitCode.INTERRUPTED == result.ret
    assert "reasonix-contract: Permission denied" in output
    assert "snapshots.py" not in output
    report = json.loads((project.root / "report.json").read_text())
    assert {"failed": 1} == report["summary"]
    assert "reasonix-contract: Permission denied" in report["items"][0]["findings"][0]["what"]


def test_a_run_that_was_stopped_leaves_earlier_reports_as_they_are(project: Any) -> None:
    """What it wrote had half of the items, none of them failed, and looked whole."""
    project.pytester.makeconftest(
        "import pytest\ndef pytest_runtest_logstart(nodeid):\n"
        "    if nodeid.endswith('::put'): pytest.exit('enough')\n"
    )
    files = {"report": "report.json", "coverage": "c.json", "write-known": "known.yaml"}
    for file in files.values():
        (project.root / file).write_text("[]")

    result = project.run(*(f"--reasonix-{option}={file}" for option, file in files.items()))

    assert pytest.ExitCode.INTERRUPTED == result.ret
    for file in files.values():
        assert "[]" == (project.root / file).read_text()
        assert f"not written, for the run was stopped: {file}" in result.outlines


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_a_report_has_what_failed_without_being_judged(
    project: Any, workers: tuple[str, ...]
) -> None:
    """It was all green: a snapshot that cannot be read, and a listed transcript that passes."""
    transcripts(project, known="- {id: t-good, reason: agreed}\n- {id: t-bad, reason: agreed}\n")
    (project.snapshots / "look.json").unlink()
    (project.snapshots / "look.json").mkdir()

    result = project.run(
        "--reasonix-report=report.json", "--reasonix-write-known=new.yaml", *workers
    )

    items = json.loads((project.root / "report.json").read_text())["items"]
    failed = {one["name"]: one["findings"][-1] for one in items if one["outcome"] == "failed"}
    assert sorted(failed) == sorted(project.failed(result))
    assert {"look", "t-good[classic]", "t-good[facts]"} == failed.keys()
    assert "look.json: cannot be read: Is a directory" in failed["look"]["what"]
    assert "passes, but is listed" in failed["t-good[facts]"]["what"]
    assert "t-good" not in (project.root / "new.yaml").read_text()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_what_is_no_file_among_transcripts_is_told(project: Any) -> None:
    """A pipe and a link to nothing may have been meant to hold some; an editor's lock was not."""
    transcripts(project)
    folder = project.root / "fixtures" / "transcripts"
    os.mkfifo(folder / "pipe.yaml")
    (folder / "dead.yaml").symlink_to("gone.yaml")
    (folder / ".#steps.yaml").symlink_to("me@here.1")

    result = project.run("-k", "readable")

    assert [
        "fixtures/transcripts/dead.yaml::readable",
        "fixtures/transcripts/pipe.yaml::readable",
    ] == sorted(line.split()[1] for line in result.outlines if line.startswith("FAILED"))


@pytest.mark.parametrize(
    ("folder", "name", "workers"),
    [
        ("deep/down", "../../docs/TOOL_CONTRACT.md", ()),
        ("docs", "TOOL_CONTRACT.md", ()),
        ("docs", "../docs/./TOOL_CONTRACT.md", ()),
        ("deep/down", "../../docs/TOOL_CONTRACT.md", ("-n", "1")),
    ],
)
def test_an_item_is_found_from_every_folder(
    project: Any,
    folder: str,
    name: str,
    workers: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A path that goes up leads to the same file as one that does not."""
    project.write()
    (project.root / "pytest.ini").write_text("[pytest]\nreasonix_subject = host:registry\n")
    (project.root / folder).mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(project.root / folder)

    result = project.pytester.runpytest_inprocess("--reasonix-contract", f"{name}::look", *workers)

    result.assert_outcomes(passed=1)
