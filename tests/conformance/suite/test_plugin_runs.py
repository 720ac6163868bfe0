"""The plugin in real pytest runs: selection, workers, reports, and what is never a pass."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from places import TRACES

TRACE = TRACES / "classic-2026-08" / "step-command-failed" / "1.trajectory.jsonl"

TRANSCRIPT = """\
- id: t-good
  rules: [classic, facts]
  turns:
    - events:
        - call: complete_step
          args: {step: "  ", result: done, evidence: [{kind: manual, summary: looked}]}
          expect: {verdict: reject, reason: step.missing}
- id: t-bad
  rules: classic
  turns:
    - events:
        - call: complete_step
          args: {step: "  ", result: done, evidence: [{kind: manual, summary: looked}]}
          expect: {verdict: accept}
"""


def transcripts(project: Any, text: str = TRANSCRIPT, *, known: str | None = None) -> None:
    """Give the project a file of transcripts, and a list of known failures."""
    folder = project.root / "fixtures" / "transcripts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "steps.yaml").write_text(text)
    if known is not None:
        (project.root / "fixtures" / "known-failures.yaml").write_text(known)


def own_test(project: Any) -> Path:
    """Give the project a test of its own."""
    folder: Path = project.root / "own"
    folder.mkdir(exist_ok=True)
    (folder / "test_own.py").write_text("def test_own(): pass\n")
    return folder


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
    """What only words a failure, reads YAML or makes examples is dead weight on a green run."""
    project.write()
    project.pytester.makeconftest(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    heavy = {'yaml', 'deepdiff', 'rich', 'hypothesis', 'syrupy', 'jsonschema'}\n"
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
    shutil.copy(TRACE, project.root / "traces")
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
    """Two workers judge every item once and agree on the ids."""
    transcripts(project)
    project.rows["put"]["read_only"] = True

    result = project.run("-n", "2")

    result.assert_outcomes(passed=6, failed=2)
    assert {"put", "t-bad[classic]"} == set(project.failed(result))


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


@pytest.mark.parametrize("args", [("-k", "nothing_has_this_name"), ("-m", "not reasonix")])
def test_an_empty_selection_is_not_a_pass(project: Any, args: tuple[str, ...]) -> None:
    """A typo in a selection must not look like a green contract."""
    assert pytest.ExitCode.NO_TESTS_COLLECTED == project.run(*args).ret


def test_a_selection_without_the_suite_is_not_a_pass(project: Any) -> None:
    """The contract was asked for; that some other test passed does not answer."""
    own_test(project)

    result = project.run("own", "-k", "test_own")

    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines(["nothing of the suite could be assessed, which is never a pass*"])


STANDING = "[pytest]\nreasonix_contract = true\nreasonix_subject = host:registry\n"
LEFT_OUT = "no item of the suite was selected, so this run says nothing about *"


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
@pytest.mark.parametrize(
    "selection", [("-k", "test_own"), ("-m", "not reasonix"), ("--deselect", "docs")]
)
def test_a_standing_suite_that_is_not_selected_says_so_and_stays_green(
    project: Any, selection: tuple[str, ...], workers: tuple[str, ...]
) -> None:
    """Whoever works on one test must not get a red run for what was left out on purpose."""
    own_test(project)
    project.write()
    project.pytester.makefile(".ini", pytest=STANDING)

    result = project.pytester.runpytest_inprocess(*selection, *workers)

    result.assert_outcomes(passed=1, deselected=0 if workers else 5)
    assert pytest.ExitCode.OK == result.ret
    result.stdout.fnmatch_lines([LEFT_OUT])
    assert "never a pass" not in result.stdout.str()


def test_a_standing_suite_that_ran_says_nothing_of_a_selection(project: Any) -> None:
    """The line is for runs without the suite."""
    own_test(project)
    project.write()
    project.pytester.makefile(".ini", pytest=STANDING)

    result = project.pytester.runpytest_inprocess("-k", "test_own or look")

    result.assert_outcomes(passed=2, deselected=4)
    assert pytest.ExitCode.OK == result.ret
    result.stdout.no_fnmatch_line(LEFT_OUT)


def test_a_report_of_the_ini_file_is_kept_where_the_suite_is_left_out(project: Any) -> None:
    """A report without items would replace the last one that says something."""
    own_test(project)
    project.write()
    project.pytester.makefile(".ini", pytest=f"{STANDING}reasonix_report = report.json\n")
    (project.root / "report.json").write_text("the last one")

    result = project.pytester.runpytest_inprocess("-k", "test_own")

    assert pytest.ExitCode.OK == result.ret
    assert "the last one" == (project.root / "report.json").read_text()


def test_a_standing_suite_is_no_pass_if_an_option_asks_for_it(project: Any) -> None:
    """Whoever gives one of our options wants the suite; another test does not answer."""
    own_test(project)
    project.write()
    project.pytester.makefile(".ini", pytest=STANDING)

    result = project.pytester.runpytest_inprocess("--reasonix-strict", "-k", "test_own")

    assert pytest.ExitCode.TESTS_FAILED == result.ret


def skipping_conftest(project: Any) -> None:
    """Have the project skip every item of the suite."""
    project.pytester.makeconftest(
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    for item in items:\n"
        "        if item.get_closest_marker('reasonix'):\n"
        "            item.add_marker(pytest.mark.skip(reason='not now'))\n"
    )


def no_traces(project: Any) -> None:
    """Have the project replay a folder without a file, and nothing else."""
    (project.root / "traces").mkdir()
    project.pytester.makefile(".ini", pytest="[pytest]\nreasonix_replay = traces\n")


def skipping_test(project: Any) -> None:
    """Have the only other test skip itself before it ran."""
    (project.root / "own" / "test_own.py").write_text(
        "import pytest\n@pytest.mark.skip\ndef test_own(): pass\n"
    )


@pytest.mark.parametrize(
    ("edit", "args"),
    [
        (skipping_conftest, ()),
        (no_traces, ("own",)),
        (skipping_test, ("-k", "test_own")),
    ],
)
def test_a_standing_suite_that_assessed_nothing_is_no_pass(
    project: Any, edit: Any, args: tuple[str, ...]
) -> None:
    """Skipped items and empty folders are no selection; skipped tests are no other tests."""
    own_test(project)
    project.write()
    project.pytester.makefile(".ini", pytest=STANDING)
    edit(project)

    result = project.pytester.runpytest_inprocess(*args)

    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines(["nothing of the suite could be assessed, which is never a pass*"])


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_session_that_could_assess_nothing_fails(project: Any, workers: tuple[str, ...]) -> None:
    """Skips alone are a run that checked nothing."""
    del project.tools["wait"]
    (project.root / "tools.json").write_text(
        json.dumps([
            {"type": "function", "function": {"name": name, "parameters": tool["schema"]}}
            for name, tool in project.tools.items()
        ])
    )  # fmt: skip

    result = project.run("-k", "wait", *workers, subject="tools.json")

    result.assert_outcomes(skipped=1, deselected=0 if workers else 4)
    assert pytest.ExitCode.TESTS_FAILED == result.ret


def test_transcripts_fail_with_place_expectation_and_verdict(project: Any) -> None:
    """The reader of a failure goes to the line and sees what was decided there."""
    transcripts(project)

    result = project.run("-k", "t-")

    result.assert_outcomes(passed=2, failed=1, deselected=5)
    result.stdout.fnmatch_lines([
        "t-bad?classic?*",
        "turn-1/0-complete_step: *",
        "*where     fixtures/transcripts/steps.yaml:12",
        "*expected  accept",
        "*found     reject step.missing*",
    ])  # fmt: skip


def test_a_broken_transcript_file_fails_and_the_others_run(project: Any) -> None:
    """Nothing is lost: one unreadable file is one failure."""
    transcripts(project)
    (project.root / "fixtures/transcripts/torn.yaml").write_text("- id: x\n  turms: []\n")

    result = project.run("fixtures/transcripts")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["transcript/readable: fixtures/transcripts/torn.yaml:*"])
    assert "turns" in result.stdout.str()


def test_a_key_that_nobody_reads_is_told_and_binding_in_strict_runs(project: Any) -> None:
    """The format leaves the keys of a goal open: one of them costs no other verdict of the file."""
    transcripts(
        project, TRANSCRIPT.replace("  turns", "  setup: {goal: {turn_used: 3}}\n  turns", 1)
    )

    relaxed = project.run("-k", "t-")
    strict = project.run("-k", "t-", "--reasonix-strict")

    assert ["t-bad[classic]"] == project.failed(relaxed)
    relaxed.stdout.fnmatch_lines(["recommended, not met: transcript/keys*"])
    assert ["t-bad[classic]", "t-good[classic]", "t-good[facts]"] == sorted(project.failed(strict))
    strict.stdout.fnmatch_lines([
        "transcript/keys: setup.goal.turn_used: unknown key; did you mean 'turns_used'?",
        "*where     fixtures/transcripts/steps.yaml:3",
    ])  # fmt: skip


KNOWN = "- id: t-bad\n  reason: the gate is not built\n"


def test_a_known_failure_is_expected_to_fail(project: Any) -> None:
    """What is known to be broken is visible and does not hide what breaks anew."""
    transcripts(project, known=KNOWN)

    result = project.run("-rx", "-k", "t- or entries")

    result.assert_outcomes(passed=3, xfailed=1, deselected=5)
    assert "fixtures/known-failures.yaml:1: the gate is not built" in result.stdout.str()


@pytest.mark.parametrize(
    ("known", "failed", "sentence"),
    [
        ("- {id: t-good, reason: no, rules: classic}\n" + KNOWN, "t-good[classic]", "passes, but"),
        (KNOWN + "- {id: t-gone, reason: no}\n", "entries", "no transcript has the id 't-gone'"),
        (KNOWN + "- {id: t-bad, reason: no, rules: facts}\n", "entries", "stands twice"),
        ("- {id: t-bad, reason: no, rules: facts}\n", "entries", "not under facts"),
        (KNOWN + KNOWN, "entries", "stands twice, first at fixtures/known-failures.yaml:1"),
        ("- {id: t-bad, raeson: no}\n", "entries", "did you mean 'reason'?"),
        ("- {id: t-bad, reason: no, rules: clasic}\n", "entries", "did you mean 'classic'?"),
        ("id: t-bad\n", "entries", "expected a list of entries"),
        ("- [", "entries", "fixtures/known-failures.yaml:"),
    ],
)
def test_the_list_of_known_failures_is_strict(
    project: Any, known: str, failed: str, sentence: str
) -> None:
    """An entry that passes, stands twice or names nothing would hide a regression some day."""
    transcripts(project, known=known)

    result = project.run("-k", "t- or entries")

    assert failed in project.failed(result)
    assert sentence in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


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


CHAT = """\
{"role":"user","content":"do it"}
{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"complete_step",\
"arguments":"{\\"step\\":\\" \\",\\"result\\":\\"done\\",\\"evidence\\":[]}"}}]}
{"role":"tool","tool_call_id":"c1","content":"Step signed off."}
{"role":"assistant","content":"done"}
"""


def test_traces_are_replayed_alone(project: Any) -> None:
    """An audit needs no contract: a host that let pass what the rules refuse fails it."""
    folder = project.root / "traces"
    folder.mkdir()
    (folder / "chat.jsonl").write_text(CHAT)
    (folder / "notes.txt").write_text("no trace")

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "traces")

    output = result.stdout.str()
    assert pytest.ExitCode.TESTS_FAILED == result.ret
    assert ["replay"] == project.failed(result)
    assert "turn-1/0-complete_step: " in output
    assert "traces/chat.jsonl:2" in output
    result.assert_outcomes(failed=1, skipped=1)


@pytest.mark.parametrize("content", [None, "no trace"])
def test_a_folder_without_traces_is_never_green(project: Any, content: str | None) -> None:
    """Nothing was audited, whatever lies there."""
    folder = project.root / "traces"
    folder.mkdir()
    if content:
        (folder / "notes.txt").write_text(content)

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "traces")

    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)


def test_a_named_file_that_is_no_trace_fails(project: Any) -> None:
    """Who names a file says that it is one."""
    (project.root / "notes.txt").write_text("no trace")

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "notes.txt")

    output = result.stdout.str()
    assert ["replay"] == project.failed(result)
    assert "trace/readable: notes.txt: not a trace of a known format" in output
    assert "`reasonix-conformance replay notes.txt --format-in NAME`" in output
    assert "name the format with --format-in" not in output


def test_files_outside_of_the_root_have_ids_that_can_be_given_back(
    project: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Recorded sessions lie elsewhere, often under the same name in many folders."""
    folder = tmp_path_factory.mktemp("sessions")
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "chat.jsonl").write_text('{"role": "user", "content": "hi"}\n')
    (project.pytester.path / "pytest.ini").write_text("[pytest]\n")
    argv = ("-c", "pytest.ini", "-rs", "-v", f"--reasonix-replay={folder}")

    every, one = (
        [
            line.split()[0]
            for line in project.pytester.runpytest_inprocess(*argv, *ids).outlines
            if "SKIPPED" in line and "::" in line
        ]
        for ids in ((), (f"{folder}/b/chat.jsonl::replay",))
    )

    assert [f"{folder}/{name}/chat.jsonl::replay" for name in ("a", "b")] == every
    assert every[1:] == one


def test_transcripts_are_replayed_by_their_ids(project: Any) -> None:
    """A folder of transcripts gives the items that it gives in the contract suite."""
    transcripts(project)

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "fixtures")

    result.assert_outcomes(passed=2, failed=1)
    assert ["t-bad[classic]"] == project.failed(result)


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_the_report_has_every_item_once_in_the_order_of_ids(
    project: Any, workers: tuple[str, ...]
) -> None:
    """Only the controller writes, and the order tells nothing about the workers."""
    project.rows["put"]["read_only"] = True
    (project.root / "out").mkdir()

    project.run("--reasonix-report", "out/report.json", *workers)

    report = json.loads((project.root / "out" / "report.json").read_text())
    assert "reasonix-conformance/suite/1" == report["schema"]
    assert ["document", "look", "put", "surface:core", "wait"] == [
        item["name"] for item in report["items"]
    ]
    assert {"failed": 1, "passed": 4} == report["summary"]
    assert ["tool/flag"] == [finding["check"] for finding in report["items"][2]["findings"]]


def test_a_report_of_an_unknown_form_is_refused(project: Any) -> None:
    """A report that is silently not written is missed when it is needed."""
    result = project.run("--reasonix-report", "report.docx")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert "expected one of .json, .xml" in result.stderr.str()


def test_a_report_that_cannot_be_written_is_one_sentence(project: Any) -> None:
    """A green run without its report is not what was asked for."""
    (project.root / "taken.json").mkdir()

    result = project.run("--reasonix-report", "taken.json")

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
