"""The suite as pytest sees it: which files belong to it, and when a session is not a pass.

Registered only when an option or ini value asks for it. The files are added to what the session
collects, so that pytest makes the ids, counts and selects as it does for any other test.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from reasonix_conformance import nodes, settings
from reasonix_conformance.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from pathlib import Path

    from reasonix_conformance.cases import CaseFile
    from reasonix_conformance.settings import Settings

NAME = "reasonix-suite"


def start(config: pytest.Config, given: Sequence[str]) -> None:
    """Read the settings and register the suite; a user's mistake ends the run with its sentence."""
    config.addinivalue_line("markers", f"{nodes.MARKER}: an item of the reasonix conformance suite")
    try:
        suite = Suite(config, settings.from_pytest(config, given))
    except ConformanceError as error:
        raise pytest.UsageError(str(error)) from None
    config.pluginmanager.register(suite, NAME)


class Suite:
    """Adds the suite's files to a session and decides whether the session may be green."""

    def __init__(self, config: pytest.Config, chosen: Settings) -> None:
        self.settings = chosen
        self._paths_given = config.args_source is pytest.Config.ArgsSource.ARGS
        self._assessed = 0
        self._seen = 0
        self._files: dict[Path, CaseFile] = {}
        if not self._paths_given and (chosen.contract_alone or not chosen.contract):
            # The suite alone: neither testpaths nor the current folder are collected.
            config.args = []

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add the suite's files to what the session itself collected."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.extend(
                nodes.ConformanceFile.of(collector, cases) for cases in self._files.values()
            )
        return report

    @pytest.hookimpl
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what was judged; under xdist the controller sees every worker's reports."""
        if report.when == "call" and any(
            name == nodes.PROPERTY for name, _ in report.user_properties
        ):
            self._seen += 1
            self._assessed += not (report.skipped and not hasattr(report, "wasxfail"))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session in which nothing of the suite could be judged."""
        if hasattr(session.config, "workerinput") or session.config.option.collectonly:
            return
        if session.exitstatus == pytest.ExitCode.OK and not self._assessed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
