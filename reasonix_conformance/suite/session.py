"""The suite as pytest sees it: which files belong to it, and when a session is not a pass.

Registered only when an option or ini value asks for it. The files are added to what the session
collects, so that pytest makes the ids, counts and selects as it does for any other test.
"""

from __future__ import annotations

import json
import os.path
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.findings import Outcome
from reasonix_conformance.suite import nodes, options
from reasonix_conformance.suite.contract_cases import ContractSuite
from reasonix_conformance.suite.quick_pass import QuickPass
from reasonix_conformance.words import count
from reasonix_runtime.plain import readable
from reasonix_runtime.usage import of_option

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence, Set

    from reasonix_conformance.arguments.schemas import Schemas
    from reasonix_conformance.settings import Settings
    from reasonix_conformance.suite.cases import CaseFile

NAME = "reasonix-suite"
RERUN = "rerun"
"""Outcome that plugins give to the report of a run that they repeat."""

TITLES = {
    Outcome.UNKNOWN: "not assessed",
    Outcome.ADVICE: "recommended, not met",
    Outcome.UPDATED: "accepted",
}
"""How the summary calls what is neither passed nor failed."""

MOST_PLACES, MOST_UNTOLD = 5, 3
"""How many places the summary names of one sentence, and of one that nobody was told."""

MOST_NOTED = 20
"""How many traces the summary tells notes of; it says how many it left out."""

LEFT_OUT = "no item of the suite was selected, so this run says nothing about what the suite checks"
NOTHING = (
    "nothing of the suite could be assessed, which is never a pass: "
    "widen the selection, or give what the skipped items miss"
)


def start(config: pytest.Config, given: Sequence[str], flags: Set[str]) -> None:
    """Read the settings and register the suite; a user's mistake ends the run with its sentence."""
    config.addinivalue_line("markers", f"{nodes.MARKER}: an item of the reasonix conformance suite")
    try:
        suite = Suite(config, options.read(config, given, flags))
    except ConformanceError as error:
        raise pytest.UsageError(f"{error}{_moved_root(config)}") from None
    config.pluginmanager.register(suite, NAME)


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
        if self.settings.contract:
            files += self._contract.files()
        transcripts = self.settings.transcripts
        if self.settings.contract and transcripts is not None and transcripts.exists():
            from reasonix_conformance.suite.transcript_cases import Transcripts

            files += Transcripts(self.settings).files()
        if self.settings.replay:
            from reasonix_conformance.suite.trace_cases import case_files

            files += case_files(self.settings, self._schemas)
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
            self._summary.written += self._write()
        except ConformanceError as error:
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
        """Return the files of traces of the session, as messages show them."""
        from reasonix_conformance.traces.files import TRANSCRIPT_ENDINGS, files

        return [
            self.settings.show(path)
            for path, _ in files(self.settings.replay)
            if not path.name.endswith(TRANSCRIPT_ENDINGS)
        ]

    def _write(self) -> list[str]:
        """Write what was asked for and what was accepted; return the names of the files."""
        written: list[str] = []
        if self._settles:
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
    targets.check({**reports, "--reasonix-write-known": chosen.write_known}, inputs)


def _contract_files(chosen: Settings) -> list[Path]:
    """Return the files and folders that the contract suite reads, nothing where it does not run."""
    if not chosen.contract:
        return []
    told = [chosen.subject_base / chosen.subject, chosen.document]
    return [*told, *(path for path in (chosen.snapshots, chosen.transcripts) if path is not None)]


def _file_of(nodeid: str) -> str:
    """Return the file of an item."""
    return nodeid.partition("::")[0]


def _place(name: str, at: str) -> str:
    """Return the name of an item, with the place that a finding is about."""
    return f"{name} ({at})" if at else name


def _shown(outcome: Outcome, places: Sequence[str]) -> str:
    """Return where something stands that somebody may mend; what is only untold names a few."""
    if outcome is Outcome.UNKNOWN and len(places) > MOST_UNTOLD:
        return ""
    more = len(places) - MOST_PLACES
    shown = sorted(places)[:MOST_PLACES]
    return f": {', '.join(shown)}{f' and {more} more' if more > 0 else ''}"


class Summary:
    """What the items of a session came to, as far as a summary tells it."""

    def __init__(self, *, keep: bool) -> None:
        """Start with nothing judged; `keep` keeps every record for what is made of them all."""
        self._keep = keep
        self.records: list[dict[str, Any]] = []
        self.assessed = 0
        self.judged = 0
        self.others = 0
        """How many items of the suite were judged, and how many other tests ran."""
        self.skipped: list[str] = []
        """The ids of whatever was skipped before it ran."""
        self.accepted: list[tuple[str, str, str, set[str]]] = []
        """Kind, name and file of each item that an update accepted, and the checks it settled."""
        self.written: list[str] = []
        self.problems: list[str] = []
        self.remarks: list[str] = []
        self._noted: dict[str, dict[str, int]] = {}
        self._open: dict[Outcome, dict[tuple[str, str], list[str]]] = {
            outcome: {} for outcome in TITLES
        }
        """The places of what is told of each check, by the check and the sentence."""

    def add(self, report: pytest.TestReport) -> None:
        """Take the report of an item of the suite; of others only that they ran."""
        if report.when == "setup" and report.skipped:
            self.skipped.append(report.nodeid)
        if report.when != "call" or report.outcome == RERUN:
            return
        records = [value for name, value in report.user_properties if name == nodes.PROPERTY]
        self.others += not records
        for value in records:
            self._take(report.nodeid, json.loads(str(value)))

    def _take(self, nodeid: str, record: dict[str, Any]) -> None:
        """Count what an item of the suite came to."""
        self.judged += 1
        if self._keep:
            self.records.append({"id": nodeid, **record})
        facts = record.get("facts", {})
        if facts.get("notes"):
            self._noted[str(facts["path"])] = facts["notes"]
        self.assessed += record["outcome"] != Outcome.UNKNOWN
        updated = {
            finding["check"]
            for finding in record["findings"]
            if finding["outcome"] == Outcome.UPDATED
        }
        if updated:
            path = nodeid.removesuffix(f"::{record['name']}")
            self.accepted.append((record["kind"], record["name"], path, updated))
        for finding in record["findings"]:
            told = self._open.get(Outcome(finding["outcome"]))
            if told is not None and record["outcome"] != Outcome.UNKNOWN:
                places = told.setdefault((finding["check"], finding["what"]), [])
                places.append(_place(record["name"], finding["at"]))

    def lines(self) -> list[str]:
        """Return the summary as lines, nothing if there is nothing to tell."""
        lines = [
            f"{TITLES[outcome]}: {check} ({len(places)}x): {what}{_shown(outcome, places)}"
            for outcome, told in self._open.items()
            for (check, what), places in sorted(told.items())
        ]
        lines += self._notes()
        lines += [f"written: {name}" for name in self.written]
        return [*lines, *self.remarks, *self.problems]

    def _notes(self) -> list[str]:
        """Return what the readers remarked, a line a trace, in the order of the paths."""
        lines = []
        for path, counts in sorted(self._noted.items())[:MOST_NOTED]:
            said = ", ".join(f"{code} ({number})" for code, number in sorted(counts.items()))
            lines.append(f"notes of the readers: {path}: {said}")
        if len(self._noted) > MOST_NOTED:
            left = count(len(self._noted) - MOST_NOTED, "more trace")
            lines.append(f"notes of the readers: {left} not listed here")
        return lines
