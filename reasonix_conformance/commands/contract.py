"""`reasonix-conformance contract`: what a host tells a model, shown, checked, linted, compared."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from reasonix_conformance import project_ini, settings, subjects
from reasonix_conformance.commands import forms, values
from reasonix_conformance.exit_codes import FAILED, GOOD, NOTHING_ASSESSED
from reasonix_conformance.findings import Outcome
from reasonix_runtime.console import complain
from reasonix_runtime.usage import RawHelp

if TYPE_CHECKING:
    from reasonix_conformance.findings import Result
    from reasonix_conformance.project_ini import ProjectIni
    from reasonix_conformance.subjects import Subject
    from reasonix_conformance.suite.cases import Case

EXIT_CODES = (
    "exit codes: 0 all good, 1 a requirement is not met or the two differ, 2 wrong use or\n"
    "unreadable input, 3 nothing could be assessed"
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command, its four actions and their options to the program's parser."""
    parser = subparsers.add_parser(
        "contract",
        help="show, check, lint or compare what a host tells a model",
        description=(
            "Works on a subject: package.module:attribute, or a JSON dump of tools. Where none is\n"
            "given it is that of the plugin: `reasonix_subject` in the pytest ini file of the\n"
            "project, else the reference runtime."
        ),
        epilog=(
            "examples:\n"
            "  reasonix-conformance contract show\n"
            "  reasonix-conformance contract show read_file --subject tools.json\n"
            "  reasonix-conformance contract check --subject tools.json --document CONTRACT.md\n"
            "  reasonix-conformance contract lint --subject myhost.tools:registry\n"
            "  reasonix-conformance contract lint --provider openai/strict --subject tools.json\n"
            f"  reasonix-conformance contract diff old.json new.json\n\n{EXIT_CODES}"
        ),
        formatter_class=RawHelp,
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    _show(actions)
    _check(actions)
    _lint(actions)
    _diff(actions)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=text, description=text, epilog=EXIT_CODES)
    forms.add_option(parser)
    return parser


def _subject_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--subject",
        type=values.text,
        metavar="SPEC",
        help="package.module:attribute or a JSON dump (default: that of the pytest ini file, "
        "else the reference runtime)",
    )


def _show(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _action(actions, "show", "List the tools of a subject, or show some of them in full.")
    _subject_option(parser)
    parser.add_argument("tools", nargs="*", metavar="TOOL", help="show these tools in full")
    parser.set_defaults(run=show)


def _check(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _action(actions, "check", "Hold a subject against its document and its snapshots.")
    _subject_option(parser)
    parser.add_argument(
        "--document",
        type=values.text,
        metavar="PATH",
        help="contract document to hold it against (default: that of the pytest ini file, else "
        f"{settings.DEFAULT_DOCUMENT})",
    )
    parser.add_argument(
        "--snapshots",
        type=values.text,
        metavar="DIR",
        help="compare with these snapshots too (default: those of the pytest ini file for the "
        "subject named there, else none)",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="recommendations fail as well (default: what the pytest ini file says)",
    )
    parser.set_defaults(run=check)


def _lint(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _action(actions, "lint", "Judge a subject by itself: descriptions and schemas.")
    _subject_option(parser)
    parser.add_argument(
        "--provider",
        type=values.text,
        metavar="PROFILE",
        action="append",
        default=[],
        help="a provider that must take every tool, such as openai, openai/strict or gemini; "
        "repeatable (default: what any provider refuses is advice)",
    )
    parser.add_argument("--strict", action="store_true", help="recommendations fail as well")
    parser.set_defaults(run=lint)


def _diff(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = _action(actions, "diff", "Tell what changed from one subject to another.")
    parser.add_argument("old", type=values.text, metavar="OLD", help="the subject before")
    parser.add_argument("new", type=values.text, metavar="NEW", help="the subject after")
    parser.set_defaults(run=diff)


def show(args: argparse.Namespace) -> int:
    """List the tools of a subject, or show the named ones in full."""
    from reasonix_conformance import contract_text

    subject = _subject(args)
    chosen = contract_text.choose(subject, args.tools)
    for tool in chosen:
        if tool.problem:
            told = f"{tool.at} cannot be used: {tool.problem}"
            complain(f"reasonix-conformance contract show: {told}")
    if args.format == "json":
        forms.write_json(contract_text.to_json(subject, chosen), sys.stdout)
    elif args.tools:
        sys.stdout.write(contract_text.in_full(chosen))
    else:
        sys.stdout.write(contract_text.table(subject))
    return GOOD


def check(args: argparse.Namespace) -> int:
    """Run the contract suite without pytest."""
    from reasonix_conformance.suite.contract_cases import ContractSuite

    suite = ContractSuite(_settings(args))
    cases = [case for file in suite.files() for case in file.make()]
    return _report([(case, case.judge()) for case in cases], args.format)


def lint(args: argparse.Namespace) -> int:
    """Judge a subject by itself."""
    from reasonix_conformance.suite.contract_cases import lint as judge

    judged = judge(_subject(args), strict=args.strict, providers=args.provider)
    return _report(judged, args.format)


def diff(args: argparse.Namespace) -> int:
    """Tell what changed from one subject to another."""
    from reasonix_conformance import contract_text
    from reasonix_runtime.masking import mask

    changes = contract_text.compare(load(args.old), load(args.new))
    if args.format == "json":
        found = {
            "schema": "reasonix-conformance/contract-diff/1",
            "old": args.old,
            "new": args.new,
            "changes": [{"tool": mask(tool), "what": mask(what)} for tool, what in changes],
        }
        forms.write_json(found, sys.stdout)
    else:
        sys.stdout.write(contract_text.changes(changes))
    return FAILED if changes else GOOD


def _report(results: list[tuple[Case, Result]], form: str) -> int:
    """Print the results and return the exit code."""
    from reasonix_conformance import contract_text

    if form == "json":
        forms.write_json(contract_text.results_json(results), sys.stdout)
    else:
        sys.stdout.write(contract_text.results_text(results))
    outcomes = {result.outcome for _, result in results}
    if Outcome.FAILED in outcomes:
        return FAILED
    return GOOD if Outcome.PASSED in outcomes else NOTHING_ASSESSED


def _settings(args: argparse.Namespace) -> settings.Settings:
    """Return what the command line tells, and for what it does not the ini file of the project."""
    here, ini = Path.cwd(), _project()
    told = ini.values
    usual = told.get("subject", settings.DEFAULT_SUBJECT)
    recorded = told.get("snapshots", settings.DEFAULT_SNAPSHOTS if "subject" in told else None)
    if args.subject and not settings.same_subject(args.subject, here, usual, ini.folder):
        recorded = None  # snapshots of the ini file belong to the subject that it names
    document = told.get("document", settings.DEFAULT_DOCUMENT)
    return settings.Settings(
        root=ini.folder,
        contract=True,
        subject=args.subject or usual,
        subject_base=here if args.subject else ini.folder,
        document=here / args.document if args.document else ini.folder / document,
        snapshots=_folder(here, args.snapshots) or _folder(ini.folder, recorded),
        strict=args.strict or ini.strict,
        update_command=settings.update_command(
            ini.folder,
            here,
            given={name: getattr(args, name) for name in settings.REPEATED},
            told=told,
        ),
    )


def _folder(base: Path, name: str | None) -> Path | None:
    return None if name is None else base / name


def _subject(args: argparse.Namespace) -> Subject:
    """Return the subject of the command line, else that of the ini file of the project."""
    if args.subject is not None:
        return load(args.subject)
    ini = _project()
    return subjects.load(ini.values.get("subject", settings.DEFAULT_SUBJECT), ini.folder)


def _project() -> ProjectIni:
    """Return what the ini file of the project says, and let its modules be found."""
    ini = project_ini.load(Path.cwd())
    sys.path[:0] = map(str, ini.python_path)
    return ini


def load(spec: str) -> Subject:
    """Return the subject of a command line; relative paths are relative to the current folder."""
    return subjects.load(spec, Path.cwd())
