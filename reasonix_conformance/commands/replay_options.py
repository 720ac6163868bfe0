"""The options of `reasonix-conformance replay`: their names, their defaults, what they say."""

from __future__ import annotations

import argparse
from typing import Final

from reasonix_conformance.commands import replay_arguments as arguments
from reasonix_conformance.commands import values
from reasonix_conformance.commands.replay_arguments import DEFAULT_FAIL_ON, FAIL_ON
from reasonix_conformance.readers.files.lines import DEFAULT_CAP
from reasonix_conformance.readers.formats import FORMATS
from reasonix_conformance.settings import PROFILES
from reasonix_runtime.gates.policy import RULE_SETS
from reasonix_runtime.trace.events import BASES
from reasonix_runtime.usage import RawHelp

FORMS: Final = ("text", "json", "sarif", "junit", "github", "markdown", "html", "neutral")

EXAMPLES: Final = """\
examples:
  reasonix-conformance replay session.jsonl
  reasonix-conformance replay ~/.reasonix/sessions --rules classic --show failures
  reasonix-conformance replay fixtures/transcripts/todo.yaml --format json --output report.json
  reasonix-conformance replay chat.jsonl --min-basis absence
  codex exec --json 'mend it' | reasonix-conformance replay - --workspace "$PWD"
  reasonix-conformance replay traces/ --schemas tools.json

exit codes: 0 all good, 1 something failed its check, 2 wrong use or unreadable input,
3 nothing could be assessed"""


def add_parser(
    subparsers: argparse._SubParsersAction[argparse.ArgumentParser],
) -> argparse.ArgumentParser:
    """Add the command with its options to the program's parser, and return it."""
    parser = subparsers.add_parser(
        "replay",
        help="recompute every host decision of recorded traces",
        description=(
            "Reads traces of any known format (told by content; folders are walked), runs them\n"
            "through the state machine of the reference host, and says for every gate call and\n"
            "every end of a turn what the rules decide, what the host decided, and whether both\n"
            "agree."
        ),
        epilog=EXAMPLES,
        formatter_class=RawHelp,
    )
    parser.add_argument(
        "paths",
        nargs="+",
        type=arguments.location,
        metavar="PATH",
        help="file or folder, or - for standard input",
    )
    parser.add_argument(
        "--rules",
        type=values.text,
        metavar="NAME",
        help=f"rule set to judge by: {', '.join(RULE_SETS)} (default: the one that the trace's own "
        "host follows, else contract)",
    )
    _add_report(parser)
    _add_reading(parser)
    parser.add_argument(
        "--schemas",
        type=values.text,
        metavar="SPEC",
        help="hold the arguments of every recorded call against the schemas of a contract: "
        "package.module:attribute, a JSON dump of tools, or a contract document (.md)",
    )
    _add_failures(parser)
    _add_coverage(parser)
    _add_workers(parser)
    return parser


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=FORMS,
        default="text",
        metavar="NAME",
        help=f"form of the report: {', '.join(FORMS)} (default: %(default)s); "
        "`neutral` judges nothing and writes the events of the traces, secrets masked",
    )
    parser.add_argument(
        "--output",
        type=values.path,
        metavar="FILE",
        help="write the report there (default: standard output)",
    )
    parser.add_argument(
        "--show",
        choices=("all", "failures"),
        default="all",
        help="text only: every verdict, or what needs a look (default: %(default)s)",
    )
    parser.add_argument(
        "--receipts", action="store_true", help="add what each verdict rested on (json, html)"
    )


def _add_failures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fail-on",
        metavar="KIND[,KIND]",
        type=arguments.kinds,
        default=DEFAULT_FAIL_ON,
        help=f"what fails the run: {', '.join(FAIL_ON)} (default: {','.join(DEFAULT_FAIL_ON)}); "
        "`reject` is a refusal of ours where the trace does not tell what the host did, "
        "`not_assessable` a claim that could not be judged, which by default fails no run",
    )
    parser.add_argument(
        "--known",
        type=values.path,
        metavar="FILE",
        help="YAML list of what is known to fail: it does not fail the run; an entry that passes, "
        "is past its date or names nothing does",
    )
    parser.add_argument(
        "--write-known",
        type=values.path,
        metavar="FILE",
        help="write the list of what fails now, with the entries of --known that still fail",
    )
    parser.add_argument(
        "--today",
        type=arguments.day,
        metavar="DATE",
        help="day that `until` of an entry is compared with (default: that of the clock)",
    )


def _add_coverage(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--coverage",
        nargs="?",
        const="-",
        type=values.text,
        metavar="FILE",
        help="say which rules the traces exercised, each way: JSON to a FILE that ends in .json, "
        "else a table; without a FILE the table is shown (give it as --coverage=FILE, or last)",
    )
    parser.add_argument(
        "--coverage-min",
        type=arguments.share,
        metavar="PERCENT",
        help="fail the run if fewer ways of the rules were exercised",
    )


def _add_workers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs",
        type=arguments.jobs,
        default=1,
        metavar="N",
        help="processes to share the files over; the report is the same (default: %(default)s)",
    )
    parser.add_argument(
        "--engine",
        choices=("processes", "dask"),
        default="processes",
        help="who does the work; `dask` sends it to a Dask cluster and reads addresses of fsspec "
        "(s3://, gs://), extra `dask` (default: %(default)s)",
    )
    parser.add_argument(
        "--scheduler",
        type=values.text,
        metavar="ADDRESS",
        help="scheduler of the Dask cluster (default: a cluster of --jobs local processes)",
    )


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
        metavar="BASIS",
        help="weakest basis on which a success is believed, from the surest: "
        f"{', '.join(BASES)}; `absence` takes a result without any sign of failure as good "
        "(default: by format)",
    )
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        help="profile of the run where the recording does not tell it",
    )
    parser.add_argument(
        "--workspace",
        type=arguments.workspace,
        metavar="DIR",
        help="folder that the run was in, as its machine names it, where the recording does not "
        "tell it: relative names are relative to it",
    )
    parser.add_argument(
        "--max-line",
        type=arguments.size,
        default=DEFAULT_CAP,
        metavar="MIB",
        help="longest line that is read, in MiB (default: 64)",
    )
