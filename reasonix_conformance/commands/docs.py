"""`reasonix-conformance docs`: the contract documents of the reference runtime."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path
from typing import NamedTuple

from reasonix_conformance import docs
from reasonix_conformance.commands import values
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.exit_codes import FAILED, GOOD
from reasonix_conformance.files import failing_as
from reasonix_runtime.console import complain
from reasonix_runtime.usage import RawHelp

OUTPUT = Path("docs")
EXIT_CODES = (
    "exit codes: 0 all good, 1 a document is not up to date, 2 wrong use or unreadable input"
)


class _Written(NamedTuple):
    """A document that this command writes: its path, what it says now, and what is there."""

    path: Path
    text: str
    present: str


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command, its two actions and their options to the program's parser."""
    parser = subparsers.add_parser(
        "docs",
        help="build or check the contract documents",
        description="Writes the documents of the reference runtime, or tells what is stale.",
        epilog=(
            "examples:\n"
            "  reasonix-conformance docs build\n"
            "  reasonix-conformance docs check\n"
            "  reasonix-conformance docs build --descriptions THEIRS.md --output out/\n\n"
            f"{EXIT_CODES}"
        ),
        formatter_class=RawHelp,
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for name, text, run in (
        ("build", "Write the documents; what stands between hand-written markers is kept.", build),
        ("check", "Tell whether the documents are what would be written now.", check),
    ):
        action = actions.add_parser(name, help=text, description=text, epilog=EXIT_CODES)
        action.add_argument(
            "--descriptions",
            metavar="PATH",
            type=values.path,
            help="take over what this contract document says about each tool, as it stands there; "
            "what is not taken over, such as another flag, is told",
        )
        action.add_argument(
            "--output",
            metavar="DIR",
            type=values.path,
            default=OUTPUT,
            help="folder of the documents (default: %(default)s)",
        )
        action.set_defaults(run=run)


def build(args: argparse.Namespace) -> int:
    """Write the documents that have changed; what somebody else wrote is never replaced.

    Raises:
        ConformanceError: there is a document of that name that this command did not write.
    """
    if args.output.exists() and not args.output.is_dir():
        raise ConformanceError(f"--output {args.output}: this is no folder; name one")
    with failing_as(ConformanceError, f"--output {args.output}"):
        args.output.mkdir(parents=True, exist_ok=True)
    for document in _own_documents(args, "and its text would be lost"):
        if document.text == document.present:
            print(f"{document.path}: up to date")
        else:
            docs.write(document.path, document.text)
            print(f"{document.path}: written")
    return GOOD


def check(args: argparse.Namespace) -> int:
    """Tell where a document is not what would be written now.

    Raises:
        ConformanceError: there is a document of that name that `docs build` did not write.
    """
    stale = 0
    for path, text, present in _own_documents(args, "so it is not out of date"):
        found = docs.difference(text, present)
        if found is None:
            print(f"{path}: up to date")
            continue
        stale += 1
        if not path.is_file():
            print(f"{path}: does not exist")
            continue
        print(f"{path}:{found.line}: not up to date ({_differ(found.lines)})")
        print(f"  expected  {found.expected if found.expected is not None else '(no line)'}")
        print(f"  found     {found.found if found.found is not None else '(no line)'}")
    if stale:
        complain(f"write them anew with `{_build_command(args)}`")
    return FAILED if stale else GOOD


def _differ(lines: int) -> str:
    return "1 line differs" if lines == 1 else f"{lines} lines differ"


def _build_command(args: argparse.Namespace) -> str:
    """Return the command that writes what was checked, with the options of the check."""
    words = ["reasonix-conformance", "docs", "build"]
    if args.descriptions is not None:
        words += ["--descriptions", str(args.descriptions)]
    if args.output != OUTPUT:
        words += ["--output", str(args.output)]
    return shlex.join(words)


def _own_documents(args: argparse.Namespace, otherwise: str) -> list[_Written]:
    """Return the documents of the reference runtime; `otherwise` is why another's is refused."""
    documents = _documents(args)
    for path, text, present in documents:
        if present.strip() and not docs.wrote(text, present):
            raise ConformanceError(
                f"{path} was not written by this command, {otherwise}: give another folder with "
                "--output DIR, or move the file away; a document of your own host is held against "
                f"it with `pytest --reasonix-contract --reasonix-subject=SPEC "
                f"--reasonix-document={path}`"
            )
    return documents


def _documents(args: argparse.Namespace) -> list[_Written]:
    """Return each document of the contract, and the rule catalogue.

    Rows that are taken over are in one language; the document in the other is written if a
    translation stands beside the document they are taken from.
    """
    documents = []
    for language in docs.LANGUAGES:
        path = args.output / docs.file_name(language)
        present = docs.text_of(path, str(path)) if path.is_file() else ""
        adopt = None
        if args.descriptions is not None:
            source = _in_language(args.descriptions, language)
            if source is None:
                continue
            if not source.exists():
                raise ConformanceError(f"--descriptions {source}: there is no such file")
            adopt = docs.read(source, str(source))
            if not adopt.rows:
                raise ConformanceError(
                    f"--descriptions {source}: no row of a tool found in it; expected a table "
                    "that begins | Tool | Read-only | Description |"
                )
            for line in docs.not_adopted(language, adopt, str(source)):
                complain(line)
        text = docs.render(language, present, adopt=adopt)
        documents.append(_Written(path, text, present))
    if args.descriptions is None:
        documents += _rules(args.output)
    return documents


def _rules(output: Path) -> list[_Written]:
    """Return the rule catalogue in each language."""
    documents = []
    for language in docs.LANGUAGES:
        path = output / docs.rules_file_name(language)
        present = docs.text_of(path, str(path)) if path.is_file() else ""
        documents.append(_Written(path, docs.render_rules(language), present))
    return documents


def _in_language(path: Path, language: str) -> Path | None:
    """Return the document in a language, or None if there is none."""
    if docs.language_of(path) == language:
        return path
    if docs.language_of(path) != docs.LANGUAGES[0]:
        return None
    translation = docs.twin(path, language)
    return translation if translation.is_file() else None
