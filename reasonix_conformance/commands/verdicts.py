"""`reasonix-conformance verdicts`: recorded verdict files -> agreement per kind."""

from __future__ import annotations

import argparse
import json
import sys
from typing import Final, TextIO

from reasonix_conformance.commands import forms, values
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.exit_codes import FAILED, GOOD, NOTHING_ASSESSED, WRONG_USE
from reasonix_conformance.redact import redact_json
from reasonix_conformance.reports.levels import NOTHING
from reasonix_conformance.verdicts.agreement import Agreement, Disagreement, assess
from reasonix_conformance.words import count
from reasonix_runtime.console import complain
from reasonix_runtime.errors import UnknownRuleSetError
from reasonix_runtime.gates.policy import RULE_SETS
from reasonix_runtime.plain import readable

SHOWN: Final = 10

WHO: Final = "reasonix-conformance verdicts"
"""Who says on standard error what is wrong."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options to the program's parser."""
    parser = subparsers.add_parser(
        "verdicts",
        help="recompute recorded verdicts of a host and tell how many agree",
        description=(
            "Reads recorded verdict files (docs/verdict-files.md), recomputes every verdict and "
            "prints how many agree, kind by kind, with the first disagreements in full."
        ),
        epilog=(
            "Exit codes: 0 all agree, 1 some line disagrees, 2 wrong use or unreadable input, "
            "3 nothing could be assessed."
        ),
    )
    parser.add_argument("paths", nargs="+", type=values.path, metavar="PATH", help="file or folder")
    parser.add_argument(
        "--rules",
        type=values.text,
        default="classic",
        metavar="NAME",
        help=f"rule set of the lines that name none: {', '.join(RULE_SETS)} (default: %(default)s)",
    )
    forms.add_option(parser)
    parser.add_argument(
        "--show",
        type=values.number,
        default=SHOWN,
        metavar="N",
        help="disagreements to print in full, text only (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace, *, out: TextIO | None = None, err: TextIO | None = None) -> int:
    """Carry the command out and return its exit code."""
    out, err = out or sys.stdout, err or sys.stderr
    try:
        agreement = assess(args.paths, rules=args.rules)
    except (ConformanceError, UnknownRuleSetError) as error:
        complain(f"{WHO}: {error}", err=err)
        return WRONG_USE
    for remark in agreement.remarks():
        complain(f"{WHO}: {remark}", err=err)
    if args.format == "json":
        forms.write_json(agreement.to_json(), out)
    else:
        out.write(as_text(agreement, shown=args.show))
    if not agreement.assessed:
        return NOTHING_ASSESSED
    return FAILED if agreement.disagreements else GOOD


def as_text(agreement: Agreement, *, shown: int) -> str:
    """Return the report for people: a table of the kinds, then the first `shown` disagreements."""
    lines = [f"rules: {agreement.rules}", ""]
    width = max(map(len, ("kind", *agreement.kinds, *agreement.not_assessable)))
    lines.append(f"{'kind':{width}}  {'lines':>6}  {'accept':>16}  {'whole out':>16}")
    for kind, of_kind in sorted(agreement.kinds.items()):
        accept = _share(of_kind.accept, of_kind.lines)
        whole = _share(of_kind.out, of_kind.lines)
        lines.append(f"{kind:{width}}  {of_kind.lines:6}  {accept:>16}  {whole:>16}")
    for kind, number in sorted(agreement.not_assessable.items()):
        lines.append(f"{kind:{width}}  {number:6}  not assessable: no rule here recomputes it")
    unstable = sum(agreement.unstable.values())
    if unstable:
        lines += ["", f"{count(unstable, 'line')} marked as not stable, not counted"]
    for item in agreement.disagreements[:shown]:
        lines += ["", *_describe(item)]
    hidden = len(agreement.disagreements) - shown
    if hidden > 0:
        more = count(hidden, "more disagreement")
        lines += ["", f"... and {more} (--show N prints more of them)"]
    if not agreement.assessed:
        lines += ["", NOTHING]
    return "\n".join(map(readable, lines)) + "\n"


def _share(part: int, whole: int) -> str:
    """Return `321 (98.77 %)`, rounded down, so that 100 % means all of them."""
    hundredths = part * 10_000 // whole
    return f"{part} ({hundredths // 100}.{hundredths % 100:02} %)"


def _describe(item: Disagreement) -> list[str]:
    lines = [f"{item.file}:{item.line}: {item.kind} {item.id} disagrees"]
    for key in item.differing():
        lines.append(f"  {key}: recorded {_json(item.expected.get(key))}")
        lines.append(f"  {' ' * len(key)}  computed {_json(item.actual.get(key))}")
    return lines


def _json(value: object) -> str:
    return json.dumps(redact_json(value), ensure_ascii=False, sort_keys=True)
