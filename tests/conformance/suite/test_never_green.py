"""A run that says nothing of the contract is no pass, whatever was selected."""

from __future__ import annotations

import json
from typing import Any

import pytest
from project_files import own_test


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


@pytest.mark.parametrize(
    ("selection", "workers"),
    [
        (("-k", "test_own"), ()),
        (("-m", "not reasonix"), ()),
        (("--deselect", "docs"), ()),
        (("-k", "test_own"), ("-n", "1")),
    ],
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


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
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
