"""What the end of a run says of what neither passed nor failed, and which runs it judges."""

from __future__ import annotations

import json
from typing import Any

import pytest


def lines(result: Any) -> list[str]:
    """Return the lines of our section of the summary."""
    text = "\n".join(result.outlines)
    return text.partition(" reasonix ---")[2].partition("\n===")[0].splitlines()[1:]


def test_a_recommendation_names_the_tools_and_their_places(project: Any) -> None:
    """`1x` of a description that drifted sent its reader through the whole document."""
    project.rows["look"].update(description="Old.")
    project.rows["put"].update(description="Older.")

    result = project.run()

    assert (
        "recommended, not met: tool/description-text (2x): the description in the document is not "
        "what the host sends: look (docs/TOOL_CONTRACT.md:5), put (docs/TOOL_CONTRACT.md:6)"
    ) in lines(result)


def test_of_many_places_the_first_are_named(project: Any) -> None:
    """A summary is read; a list of all tools is not."""
    for number in range(9):
        project.tools[f"t{number}"] = project.tools["wait"]
        project.rows[f"t{number}"] = project.rows["wait"] | {"description": "Old."}

    result = project.run()

    (line,) = [line for line in lines(result) if line.startswith("recommended, not met: tool/des")]
    assert line.endswith(
        "t0 (docs/TOOL_CONTRACT.md:8), t1 (docs/TOOL_CONTRACT.md:9), "
        "t2 (docs/TOOL_CONTRACT.md:10), t3 (docs/TOOL_CONTRACT.md:11), "
        "t4 (docs/TOOL_CONTRACT.md:12) and 4 more"
    )


def test_what_one_tool_alone_does_not_tell_names_it(project: Any) -> None:
    """What is untold of all of them needs no names."""
    project.rows["wait"]["read_only"] = "unknown"

    result = project.run()

    assert "not assessed: tool/flag (1x): the row does not tell a read-only flag: wait" in lines(
        result
    )


@pytest.mark.parametrize("option", ["--cache-show", "--fixtures", "--setup-plan", "--collect-only"])
def test_a_run_that_only_shows_something_is_not_judged(project: Any, option: str) -> None:
    """Nothing was to be assessed, so nothing is missing, and no report is written."""
    result = project.run(option, "--reasonix-report=report.json")

    assert pytest.ExitCode.OK == result.ret
    assert [] == lines(result)
    assert not (project.root / "report.json").exists()


def test_an_item_that_runs_again_is_told_once(project: Any) -> None:
    """Plugins run a failure again, and every run of it counted."""
    project.rows["put"].update(read_only=True)
    project.pytester.makeconftest(
        """
        import pytest
        from _pytest.runner import runtestprotocol

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_protocol(item, nextitem):
            item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
            for last in (False, True):
                for report in runtestprotocol(item, nextitem=nextitem, log=False):
                    if report.failed and not last:
                        report.outcome = "rerun"
                    if last or report.outcome == "rerun":
                        item.ihook.pytest_runtest_logreport(report=report)
            item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
            return True
        """
    )

    project.run("--reasonix-report=report.json")

    items = json.loads((project.root / "report.json").read_text())["items"]
    names = [item["name"] for item in items]
    assert ["document", "look", "put", "surface:core", "wait"] == sorted(names)


def test_a_file_in_the_place_of_the_snapshots_is_wrong_use(project: Any) -> None:
    """It failed every tool with a path that lies in no folder."""
    result = project.run("--reasonix-snapshots=host.py")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines(
        ["ERROR: --reasonix-snapshots: host.py is a file; give the folder*"]
    )
