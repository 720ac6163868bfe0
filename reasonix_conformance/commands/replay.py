"""`reasonix-conformance replay`: every host decision of recorded traces, recomputed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TextIO

from reasonix_conformance.arguments import schemas
from reasonix_conformance.commands import replay_options, standard_input
from reasonix_conformance.commands.replay_folders import Folders
from reasonix_conformance.commands.replay_progress import Progress
from reasonix_conformance.commands.replay_watch import Kept, Marking, Watch
from reasonix_conformance.commands.report_file import report_to
from reasonix_conformance.errors import ConformanceError, KnownFailuresError
from reasonix_conformance.exit_codes import GOOD, NOTHING_ASSESSED, WRONG_USE
from reasonix_conformance.replay.results import (
    Listener,
    Listeners,
    Lost,
    Summary,
    TraceResult,
    Writer,
    tell,
)
from reasonix_conformance.reports.json_report import JsonWriter
from reasonix_conformance.reports.style import PLAIN, style_for
from reasonix_conformance.reports.text_report import TextWriter
from reasonix_conformance.settings import unwritable
from reasonix_conformance.traces import targets
from reasonix_conformance.traces.left_out import left_out, without_trace
from reasonix_conformance.traces.sessions import Options, Unreadable, events_of, results
from reasonix_conformance.words import count
from reasonix_runtime.console import complain
from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.masking import mask
from reasonix_runtime.usage import of_option

WHO: Final = "reasonix-conformance replay"
"""Who says on standard error what is wrong."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options to the program's parser."""
    replay_options.add_parser(subparsers).set_defaults(run=run)


def run(args: argparse.Namespace, *, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Carry the command out and return its exit code."""
    out, err = out or sys.stdout, err or sys.stderr
    try:
        _check(args)
        with standard_input.kept(args.paths, cap=args.max_line) as (args.paths, args.names):
            return _replay(args, out, err)
    except (ConformanceError, ReasonixError) as error:
        complain(f"{WHO}: {error}", err=err)
        return WRONG_USE


def _replay(args: argparse.Namespace, out: TextIO, err: TextIO) -> int:
    unreadable: list[Unreadable] = []
    progress = Progress(err, alone=args.output is not None or not out.isatty())
    try:
        folders = Folders(args.paths)
        with of_option("--known", kind=KnownFailuresError):
            watch = Watch(args.fail_on, known=args.known, today=args.today, least=args.coverage_min)
        with report_to(args.output, out) as target:
            if args.format == "neutral":
                return _write_events(args, target, err)
            if args.format in ("text", "json"):
                others = Listeners(progress, folders)
                writer = _write_along(args, watch, others, unreadable, target)
                counts = replace(watch.summary(), lost=_lost(args, unreadable))
                writer.close(replace(counts, problems=_problems(watch)))
            else:
                kept = Kept()
                for result in _found(args, unreadable):
                    tell(Marking(watch, Listeners(progress, folders, kept)), result)
                told = kept.results, _lost(args, unreadable), _problems(watch)
                target.write(_other_form(*told, args.format, watch.summary()))
    finally:
        progress.close()
    _write_aside(args, watch, out, err)
    problems, lost = list(watch.problems()), [item for item in unreadable if item.lost]
    without = (*folders.remarks(unreadable), *watch.remarks())
    for text in (*(item.text for item in lost), *left_out(unreadable), *without, *problems):
        complain(f"{WHO}: {text}", err=err)
    return watch.exit_code(lost, problems)


def _check(args: argparse.Namespace) -> None:
    """Refuse what would do nothing.

    Raises:
        ConformanceError: an option that only another one gives a meaning.
        UnknownRuleSetError: no rule set has that name.
    """
    if args.rules is not None:
        rule_set(args.rules)
    if args.engine != "dask":
        if args.scheduler is not None:
            raise ConformanceError("--scheduler is for --engine dask")
        for path in args.paths:
            if isinstance(path, str):
                raise ConformanceError(f"{path}: an address like this is read by --engine dask")
    elif standard_input.STDIN in args.paths:
        raise ConformanceError("-: standard input is no file that a cluster could read")
    elif args.format == "neutral":
        raise ConformanceError("--format neutral writes the events in one process; leave --engine")
    if args.schemas and args.format == "neutral":
        raise ConformanceError("--format neutral judges nothing; leave --schemas")
    if args.receipts and args.format not in ("json", "html"):
        raise ConformanceError(f"--receipts is for --format json; {args.format} shows none")
    if args.show != "all" and args.format != "text":
        raise ConformanceError(f"--show {args.show} is for --format text")
    _check_targets(args)


def _check_targets(args: argparse.Namespace) -> None:
    """Refuse to write over what is read; the list of --known may be the one that is written."""
    inputs = [path for path in args.paths if isinstance(path, Path)]
    if args.schemas:
        inputs.append(Path(args.schemas))
    table = Path(args.coverage) if args.coverage not in (None, "-") else None
    reports = {"--output": args.output, "--coverage": table}
    known = [args.known] if args.known is not None else []
    for option, path in {**reports, "--write-known": args.write_known}.items():
        if path is not None and (why := unwritable(path)):
            raise ConformanceError(f"{option} {path}: {why}")
    events = args.format == "neutral"
    targets.check(reports, [*inputs, *known], events=events)
    targets.check({**reports, "--write-known": args.write_known}, inputs, events=events)
    targets.check_list("--write-known", args.write_known, args.known, "--known")


def _write_aside(args: argparse.Namespace, watch: Watch, out: TextIO, err: TextIO) -> None:
    """Write what was asked for beside the report: coverage, and the list of known failures."""
    if args.coverage is not None:
        from reasonix_conformance import coverage

        if args.coverage == "-":
            # Standard output belongs to a report that programs read.
            mixed = args.format != "text" and args.output is None
            (err if mixed else out).write(coverage.table(watch.covered()))
        else:
            coverage.write(Path(args.coverage), watch.covered())
    if args.write_known is not None:
        from reasonix_conformance import known_register

        useless = {finding.at for finding in watch.register.findings()}
        kept = watch.register.kept(useless)
        known_register.write(args.write_known, watch.register.failures, kept)
    if watch.known_count:
        known = count(watch.known_count, "known failure")
        complain(f"{WHO}: {known}", err=err)


def _found(args: argparse.Namespace, unreadable: list[Unreadable]) -> Iterator[TraceResult]:
    """Yield whole results, by one process or several."""
    if args.engine == "dask":
        from reasonix_conformance.parallel import clusters

        return clusters.results(
            args.paths,
            options_of(args),
            unreadable,
            jobs=args.jobs,
            scheduler=args.scheduler,
        )
    if args.jobs > 1:
        from reasonix_conformance.parallel import workers

        return workers.results(args.paths, options_of(args), unreadable, jobs=args.jobs)
    return results(args.paths, options_of(args), unreadable)


def _write_along(
    args: argparse.Namespace,
    watch: Watch,
    others: Listener,
    unreadable: list[Unreadable],
    target: TextIO,
) -> Writer:
    """Write the report while the traces are read, so that nothing has to be kept.

    Returns the writer, which is still to be closed with the summary.
    """
    writer: Writer
    if args.format == "json":
        writer = JsonWriter(target, receipts=args.receipts)
    else:
        only_failures = args.show == "failures"
        style = PLAIN if args.output else style_for(target)
        writer = TextWriter(target, only_failures=only_failures, style=style)
    both = Marking(watch, Listeners(others, writer))
    if args.jobs > 1 or args.engine == "dask":
        for result in _found(args, unreadable):
            tell(both, result)
    else:
        for _ in results(args.paths, options_of(args), unreadable, listener=both):
            pass
    return writer


def _write_events(args: argparse.Namespace, target: TextIO, err: TextIO) -> int:
    """Write the events of every trace as neutral JSON lines, and return the exit code."""
    from reasonix_conformance.redact import redact_event
    from reasonix_runtime.trace.neutral import line_of

    anything = False
    for path in args.paths:
        written = 0
        for event in events_of([path], options_of(args)):
            target.write(line_of(redact_event(event)).decode())
            written += 1
        anything = anything or written > 0
        if not written and path.is_dir():
            complain(f"{WHO}: {without_trace(path)}", err=err)
    return GOOD if anything else NOTHING_ASSESSED


def options_of(args: argparse.Namespace) -> Options:
    """Return how the command line says that traces are read and judged."""
    page = args.format == "html"
    with of_option("--schemas", kind=ConformanceError):
        held_to = schemas.load(args.schemas, Path.cwd()) if args.schemas else None
    return Options(
        rules=args.rules,
        format_in=args.format_in,
        basis=args.min_basis,
        workspace=args.workspace,
        names=args.names,
        cap=args.max_line,
        setup={"profile": args.profile} if args.profile else {},
        receipts=args.receipts or page,
        timeline=page,
        schemas=held_to,
    )


def _lost(args: argparse.Namespace, unreadable: Sequence[Unreadable]) -> Sequence[Lost]:
    lost = (item for item in unreadable if item.lost)
    return [Lost(str(args.names.get(item.path, item.path)), mask(item.text)) for item in lost]


def _problems(watch: Watch) -> Sequence[str]:
    return [mask(problem) for problem in watch.problems()]


def _other_form(
    found: Sequence[TraceResult],
    lost: Sequence[Lost],
    problems: Sequence[str],
    name: str,
    counts: Summary,
) -> str:
    from reasonix_conformance.reports import github, html, json_report, junit, sarif

    forms: dict[str, Callable[[Sequence[TraceResult], Sequence[Lost], Sequence[str]], str]] = {
        "sarif": sarif.render,
        "junit": junit.render,
        "github": github.workflow_commands,
        "markdown": partial(github.job_summary, counts=counts),
        "html": lambda found, lost, problems: html.render(
            json_report.document(found, receipts=True, timeline=True, lost=lost, problems=problems)
        ),
    }
    return forms[name](found, lost, problems)
