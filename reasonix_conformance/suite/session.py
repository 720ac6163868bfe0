"""The suite as pytest sees it: which files belong to it, and when a session is not a pass.

Registered only when an option or ini value asks for it. The files are added to what the session
collects, so that pytest makes the ids, counts and selects as it does for any other test.
"""

from __future__ import annotations

import os.path
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.suite import nodes, options
from reasonix_conformance.suite.contract_cases import ContractSuite
from reasonix_conformance.suite.quick_pass import QuickPass
from reasonix_conformance.suite.summary import Summary
from reasonix_runtime.console import system_failure
from reasonix_runtime.plain import readable
from reasonix_runtime.usage import of_option

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence, Set

    from reasonix_conformance.arguments.schemas import Schemas
    from reasonix_conformance.settings import Settings
    from reasonix_conformance.suite.cases import CaseFile

NAME = "reasonix-suite"

LEFT_OUT = "no item of the suite was selected, so this run says nothing about what the suite checks"
NOTHING = (
    "nothing of the suite could be assessed, which is never a pass: "
    "widen the selection, or give what the skipped items miss"
)


def start(config: pytest.Config, given: Sequence[str], flags: Set[str]) -> None:
    """Read the settings and register the suite; a user's mistake ends the run with its sentence."""
    config.addinivalue_line("markers", f"{nodes.MARKER}: an item of the reasonix conformance suite")
    try:
        with _as_usage():
            suite = Suite(config, options.read(config, given, flags))
    except pytest.UsageError as error:
        raise pytest.UsageError(f"{error}{_moved_root(config)}") from None
    config.pluginmanager.register(suite, NAME)


@contextmanager
def _as_usage() -> Iterator[None]:
    """End the run with the sentence of a user's mistake, or of a file that the system refuses."""
    try:
        yield
    except ConformanceError as error:
        raise pytest.UsageError(str(error)) from None
    except OSError as error:
        raise pytest.UsageError(system_failure(error)) from None


def _moved_root(config: pytest.Config) -> str:
    """Explain a root that is not the user's project; pytest takes it from any path that it sees."""
    here, root = config.invocation_params.dir, config.rootpath
    if here == root or (config.inipath is not None and here.is_relative_to(root)):
        return ""
    return (
        f"\npytest took {root} as the root of the project, because of a path on the "
        "command line; give options their paths as --option=PATH, or pytest --rootdir=."
    )


class Suite:
    """Adds the suite's files to a session and decides whether the session may be green."""

    def __init__(self, config: pytest.Config, chosen: Settings) -> None:
        """Read what has to be there; `config.args` is emptied if the suite runs alone.

        Raises:
            ConformanceError: the subject, the document or the schemas cannot be read, or a file to
                write would destroy what is read.
        """
        self.settings = chosen
        if chosen.report or chosen.coverage or chosen.write_known:
            _check_targets(chosen)
        self._contract = ContractSuite(chosen)
        self._summary = Summary(keep=self._settles)
        self._quick = QuickPass(config)
        self._here = config.invocation_params.dir
        self._args: Sequence[str] = ()
        self._runs = False
        self._stopped = False
        if config.args_source is pytest.Config.ArgsSource.ARGS:
            self._args = tuple(config.args)
        elif chosen.alone:
            # Neither testpaths nor the current folder are collected.
            config.args = []
        if chosen.contract:
            self._contract.load()
        self._schemas: Schemas | None = None
        if chosen.replay and chosen.schemas:
            from reasonix_conformance.arguments import schemas

            with of_option("--reasonix-schemas", kind=ConformanceError):
                self._schemas = schemas.load(chosen.schemas, chosen.schemas_base)

    @cached_property
    def _files(self) -> dict[Path, CaseFile]:
        """The files of the suite by their paths, in the order in which they run."""
        files: list[CaseFile] = []
        with _as_usage():
            if self.settings.contract:
                from reasonix_conformance.suite.transcript_cases import Transcripts

                files += self._contract.files()
                files += Transcripts(self.settings).files()
            if self.settings.replay:
                from reasonix_conformance.suite.trace_cases import Traces

                files += Traces(self.settings, self._schemas).files()
        return {cases.path: cases for cases in files}

    @cached_property
    def _narrowed(self) -> bool:
        """Whether the command line names files or items of the suite itself; then only they run."""
        named = (os.path.normpath(self._here / arg.partition("::")[0]) for arg in self._args)
        ours = {*self._files, self.settings.transcripts}
        return any(Path(path) in ours for path in named)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """Add the suite's files to what the session itself collected."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed and not self._narrowed:
            report.result.extend(
                nodes.ConformanceFile.of(collector, cases) for cases in self._files.values()
            )
        return report

    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> pytest.Collector | None:
        """Collect a file of the suite that the command line names."""
        if not self._narrowed or file_path not in self._files:
            return None
        return nodes.ConformanceFile.of(parent, self._files[file_path])

    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> bool | None:
        """Run an item of the suite that passes; every other item is left to pytest."""
        if isinstance(item, nodes.ConformanceItem) and self._quick.run(item, nextitem):
            return True
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Note that items run; `--collect-only`, `--setup-plan`, `--fixtures` only show things."""
        option = session.config.option
        self._runs = not (option.collectonly or option.setuponly)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file of the suite whose items nobody can tell, so that reports have it."""
        if report.failed and report.nodeid in map(self.settings.show, self._files):
            why = report.longreprtext.strip().rpartition("\n")[2]
            self._summary.uncollected(report.nodeid, nodes.unread("document", why))

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Note that somebody stopped the session; one that ends itself, as by `-x`, was not."""
        self._stopped = not isinstance(excinfo.value, pytest.Session.Interrupted)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what was judged; under xdist the controller sees every worker's reports."""
        self._summary.add(report)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a session in which nothing of the suite was judged."""
        config = session.config
        if hasattr(config, "workerinput") or not self._runs:
            return
        if session.exitstatus == pytest.ExitCode.OK and self._left_out:
            self._summary.remarks.append(LEFT_OUT)
            return
        try:
            with _as_usage():
                self._summary.written += self._write()
        except pytest.UsageError as error:
            self._summary.problems.append(str(error))
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        if session.exitstatus == pytest.ExitCode.OK and self._summary.problems:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        if session.exitstatus == pytest.ExitCode.OK and not self._summary.assessed:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            self._summary.problems.append(NOTHING)

    @property
    def _left_out(self) -> bool:
        """Whether other tests ran, and nothing of a suite that only the ini file asks for.

        Items that ran and could not be assessed, or that the project skips, were selected. Under
        xdist no process has both the selection and the reports, so it is told from the reports.
        """
        if self.settings.asked or not self._summary.others or self._summary.judged:
            return False
        ours = set(map(self.settings.show, self._files))
        skipped = (_file_of(nodeid) for nodeid in self._summary.skipped)
        return bool(ours) and ours.isdisjoint(skipped)

    @property
    def _settles(self) -> bool:
        """Whether the items of the session come to something together."""
        chosen = self.settings
        asked = chosen.report is not None or chosen.write_known is not None
        return asked or chosen.covers or bool(chosen.replay)

    def _replayed(self) -> list[str]:
        """Return the files of traces, as messages show them, and remark on those left out."""
        from reasonix_conformance.traces.files import TRANSCRIPT_ENDINGS, Aside, files
        from reasonix_conformance.traces.left_out import left_out, without_trace
        from reasonix_conformance.traces.sessions import set_aside

        aside, show = Aside(), self.settings.show
        found = [file.path for file in files(self.settings.replay, aside)]
        unread = list(set_aside(aside))
        seen = [*found, *(item.path for item in unread)]
        self._summary.remarks += left_out(unread, show)
        self._summary.remarks += (
            without_trace(folder, show)
            for folder in self.settings.replay
            if folder.is_dir() and not any(path.is_relative_to(folder) for path in seen)
        )
        return [show(path) for path in found if not path.name.endswith(TRANSCRIPT_ENDINGS)]

    def _write(self) -> list[str]:
        """Write what was asked for and what was accepted; return the names of the files.

        What is made of all items is not made of some of them: it would look whole.
        """
        written: list[str] = []
        if self._stopped:
            chosen = self.settings
            left = filter(None, (chosen.report, chosen.coverage, chosen.write_known))
            self._summary.remarks += (
                f"not written, for the run was stopped: {chosen.show(one)}" for one in left
            )
        elif self._settles:
            from reasonix_conformance.suite import outcome

            ended = outcome.conclude(self.settings, self._summary.records, self._replayed())
            written += ended.written
            self._summary.problems += ended.problems
            self._summary.remarks += ended.remarks
        if self.settings.update and self.settings.contract:
            from reasonix_conformance.suite import accept

            written += accept.write(self._contract, self._summary.accepted)
        return written

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Say what was not assessed, and what is only recommended."""
        lines = self._summary.lines()
        if lines:
            terminalreporter.section("reasonix", sep="-")
            for line in lines:
                terminalreporter.line(readable(line))

    def pytest_report_header(self) -> str:
        """Say what is held against what."""
        if not self.settings.contract:
            against = f", calls held against {self._schemas.label}" if self._schemas else ""
            shown = ", ".join(map(self.settings.show, self.settings.replay))
            return f"reasonix: replay of {shown}{against}"
        subject = self._contract.subject
        return (
            f"reasonix: {subject.label} ({subject.form}, {len(subject.tools)} tools), "
            f"{self.settings.show(self.settings.document)}"
        )


def _check_targets(chosen: Settings) -> None:
    """Refuse to write over what is read; the list of what is known to fail may be written anew."""
    from reasonix_conformance.traces import targets

    inputs = [*chosen.replay, *_contract_files(chosen)]
    if chosen.schemas:
        inputs.append(chosen.schemas_base / chosen.schemas)
    known = [] if chosen.known_failures is None else [chosen.known_failures]
    reports = {"--reasonix-report": chosen.report, "--reasonix-coverage": chosen.coverage}
    targets.check(reports, [*inputs, *known])
    write = "--reasonix-write-known"
    targets.check({**reports, write: chosen.write_known}, inputs)
    targets.check_list(write, chosen.write_known, chosen.known_failures, "--reasonix-known")


def _contract_files(chosen: Settings) -> list[Path]:
    """Return the files and folders that the contract suite reads, nothing where it does not run."""
    if not chosen.contract:
        return []
    told = [chosen.subject_base / chosen.subject, chosen.document]
    return [*told, *(path for path in (chosen.snapshots, chosen.transcripts) if path is not None)]


def _file_of(nodeid: str) -> str:
    """Return the file of an item."""
    return nodeid.partition("::")[0]
