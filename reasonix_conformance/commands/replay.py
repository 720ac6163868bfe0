"""`reasonix-conformance replay`: every host decision of recorded traces, recomputed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

import msgspec

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.formats import FORMATS
from reasonix_conformance.readers.lines import DEFAULT_CAP
from reasonix_conformance.reports.json_report import JsonWriter
from reasonix_conformance.reports.levels import Level, level
from reasonix_conformance.reports.text_report import TextWriter
from reasonix_conformance.results import Agreement, Judged, Listener, Tally, TraceResult, tell
from reasonix_conformance.traces import Options, Unreadable, events_of, results
from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.trace.events import BASES

GOOD, FAILED, WRONG_USE, NOTHING_ASSESSED = 0, 1, 2, 3

FAIL_ON: Final = ("expectation", "host_lenient", "host_strict", "reject", "none")
DEFAULT_FAIL_ON: Final = ("expectation", "host_lenient", "reject")

EXAMPLES: Final = """\
examples:
  reasonix-conformance replay session.jsonl
  reasonix-conformance replay ~/.reasonix/sessions --rules classic --show failures
  reasonix-conformance replay fixtures/transcripts/todo.yaml --format json --output report.json
  reasonix-conformance replay chat.jsonl --min-basis absence

exit codes: 0 all good, 1 something failed its check, 2 wrong use or unreadable input,
3 nothing could be assessed"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options to the program's parser."""
    parser = subparsers.add_parser(
        "replay",
        help="recompute every host decision of recorded traces",
        description=(
            "Reads traces of any known format (told by content; folders are walked), runs them "
            "through the state machine of the reference host, and says for every gate call and "
            "every end of a turn what the rules decide, what the host decided, and whether both "
            "agree."
        ),
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="file or folder")
    parser.add_argument(
        "--rules",
        metavar="NAME",
        help="rule set to judge by (default: the one the trace's own host follows, else contract)",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif", "junit", "github", "html", "neutral"),
        default="text",
        help="form of the report (default: %(default)s); `neutral` judges nothing and writes the "
        "events of the traces, secrets masked",
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the report there")
    parser.add_argument(
        "--show",
        choices=("all", "failures"),
        default="all",
        help="text only: every verdict, or what needs a look (default: %(default)s)",
    )
    parser.add_argument(
        "--receipts", action="store_true", help="add what each verdict rested on (json, html)"
    )
    _add_reading(parser)
    parser.add_argument(
        "--fail-on",
        metavar="KIND[,KIND]",
        type=_kinds,
        default=DEFAULT_FAIL_ON,
        help=f"what fails the run: {', '.join(FAIL_ON)} (default: {','.join(DEFAULT_FAIL_ON)}); "
        "`reject` is a refusal of ours where the trace does not tell what the host did",
    )
    parser.add_argument(
        "--jobs",
        type=_jobs,
        default=1,
        metavar="N",
        help="processes to share the files over; the report is the same (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format-in",
        metavar="NAME",
        choices=(*FORMATS, "transcript"),
        help=f"read the files as this format: {', '.join((*FORMATS, 'transcript'))}",
    )
    parser.add_argument(
        "--min-basis",
        choices=BASES,
        help="weakest basis on which a success is believed; `absence` takes a result without any "
        "sign of failure as good (default: by format)",
    )
    parser.add_argument(
        "--profile",
        choices=("ordinary", "delivery"),
        help="profile of the run where the recording does not tell it",
    )
    parser.add_argument(
        "--max-line",
        type=_size,
        default=DEFAULT_CAP,
        metavar="MIB",
        help="longest line that is read, in MiB (default: 64)",
    )


def run(args: argparse.Namespace, *, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Carry the command out and return its exit code."""
    out, err = out or sys.stdout, err or sys.stderr
    unreadable: list[Unreadable] = []
    watch = Watch(args.fail_on)
    try:
        with _output(args.output, out) as target:
            if args.format == "neutral":
                return _write_events(args, target)
            if args.format in ("text", "json"):
                _write_along(args, watch, unreadable, target)
            else:
                found = list(_found(args, unreadable))
                for result in found:
                    tell(watch, result)
                target.write(_other_form(found, args.format))
    except (ConformanceError, ReasonixError) as error:
        print(f"reasonix-conformance replay: {error}", file=err)
        return WRONG_USE
    for item in unreadable:
        print(f"reasonix-conformance replay: {item.text}", file=err)
    return watch.exit_code(unreadable)


@contextmanager
def _output(path: Path | None, out: TextIO) -> Iterator[TextIO]:
    """Give the stream that the report is written to.

    Raises:
        ConformanceError: the file cannot be written.

    """
    if path is None:
        yield out
        return
    try:
        with path.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
    except OSError as error:
        raise ConformanceError(f"{path}: cannot be written: {error.strerror or error}") from None


def _found(args: argparse.Namespace, unreadable: list[Unreadable]) -> Iterator[TraceResult]:
    """Yield whole results, by one process or several."""
    if args.jobs > 1:
        from reasonix_conformance import workers

        return workers.results(args.paths, options_of(args), unreadable, jobs=args.jobs)
    return results(args.paths, options_of(args), unreadable)


def _write_along(
    args: argparse.Namespace, watch: Watch, unreadable: list[Unreadable], target: TextIO
) -> None:
    """Write the report while the traces are read, so that nothing has to be kept."""
    writer: TextWriter | JsonWriter
    if args.format == "json":
        writer = JsonWriter(target, receipts=args.receipts)
    else:
        writer = TextWriter(target, only_failures=args.show == "failures")
    both = _Both(watch, writer)
    if args.jobs > 1:
        for result in _found(args, unreadable):
            tell(both, result)
    else:
        for _ in results(args.paths, options_of(args), unreadable, listener=both):
            pass
    writer.close(watch.summary())


def _write_events(args: argparse.Namespace, target: TextIO) -> int:
    """Write the events of every trace as neutral JSON lines, and return the exit code."""
    from reasonix_conformance.readers.redact import redact_event

    written = 0
    for event in events_of(args.paths, options_of(args)):
        target.write(msgspec.json.encode(redact_event(event)).decode() + "\n")
        written += 1
    return GOOD if written else NOTHING_ASSESSED


class _Both:
    """Tells two listeners."""

    def __init__(self, one: Listener, other: Listener) -> None:
        self._listeners = (one, other)

    def begin(self, result: TraceResult) -> None:
        for listener in self._listeners:
            listener.begin(result)

    def verdict(self, judged: Judged) -> None:
        for listener in self._listeners:
            listener.verdict(judged)

    def end(self, result: TraceResult) -> None:
        for listener in self._listeners:
            listener.end(result)


class Watch(Tally):
    """Counts, and sees what fails the run."""

    def __init__(self, fail_on: Sequence[str]) -> None:
        super().__init__()
        self._fail_on = fail_on
        self._failing = 0

    def verdict(self, judged: Judged) -> None:
        """Count a verdict, and whether it fails the run."""
        super().verdict(judged)
        self._failing += fails(judged, self._fail_on)

    def exit_code(self, unreadable: Sequence[Unreadable]) -> int:
        """Return the exit code; what could not be read outweighs what failed."""
        if unreadable:
            return WRONG_USE
        if self._failing:
            return FAILED
        return GOOD if self.summary().assessed else NOTHING_ASSESSED


def options_of(args: argparse.Namespace) -> Options:
    """Return how the command line says that traces are read and judged."""
    page = args.format == "html"
    return Options(
        rules=args.rules,
        format_in=args.format_in,
        basis=args.min_basis,
        cap=args.max_line,
        setup={"profile": args.profile} if args.profile else {},
        receipts=args.receipts or page,
        timeline=page,
    )


def _other_form(found: Sequence[TraceResult], name: str) -> str:
    from reasonix_conformance.reports import github, html, json_report, junit, sarif

    forms: dict[str, Callable[[Sequence[TraceResult]], str]] = {
        "sarif": sarif.render,
        "junit": junit.render,
        "github": github.workflow_commands,
        "html": lambda results_: html.render(
            json_report.document(results_, receipts=True, timeline=True)
        ),
    }
    return forms[name](found)


def fails(judged: Judged, fail_on: Sequence[str]) -> bool:
    """Whether a verdict fails the run."""
    if judged.held is not None:
        return not judged.held and "expectation" in fail_on
    if judged.agreement in (Agreement.HOST_LENIENT, Agreement.HOST_STRICT):
        return judged.agreement.value in fail_on
    return level(judged) is Level.ERROR and "reject" in fail_on


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(part.strip() for part in text.split(","))
    for kind in kinds:
        if kind not in FAIL_ON:
            raise argparse.ArgumentTypeError(f"{kind!r} is none of {', '.join(FAIL_ON)}")
    return kinds


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 256")
    return int(text)


def _size(text: str) -> int:
    try:
        size = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of MiB") from None
    if not 0 < size <= 4096:
        raise argparse.ArgumentTypeError("the cap must be above 0 and at most 4096 MiB")
    return int(size * 2**20)
