"""Help names what can be chosen and what counts where nothing is, in words that can be copied."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from itertools import pairwise

import pytest

from reasonix_conformance import cli, plugin, settings
from reasonix_conformance.readers.formats import FORMATS
from reasonix_conformance.suite.options import REPORTS
from reasonix_runtime import cli as runtime_cli
from reasonix_runtime.gates.policy import RULE_SETS

PLUGIN = {name: text for name, _, text in plugin.VALUES}


def parsers_below(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield a parser, and the parsers of its commands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from parsers_below(inner)


PARSERS = {
    parser.prog: parser
    for first in (*(cli._parser([name]) for name in cli.COMMANDS), runtime_cli._parser())
    for parser in parsers_below(first)
    if len(parser._actions) > 1
}


@pytest.mark.parametrize("before", [[], ["x", "x"]], ids=["first", "behind"])
@pytest.mark.parametrize("prog", PARSERS)
def test_an_option_is_written_in_full(
    prog: str, before: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is short for one option today is short for two when another one comes."""
    options = PARSERS[prog]._option_string_actions
    for short in (name[:-1] for name in options if name.startswith("--")):
        with pytest.raises(SystemExit):
            PARSERS[prog].parse_args([*before, short])
        said = capsys.readouterr().err
        assert re.search(f"unrecognized arguments: .*{short}|invalid choice: 'x'", said)


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 133])
@pytest.mark.parametrize("prog", PARSERS)
def test_a_name_with_hyphens_stays_whole(
    prog: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked for, and copied from there."""
    monkeypatch.setenv("COLUMNS", str(columns))

    text = PARSERS[prog].format_help()

    assert [] == re.findall(r"\w-\n\s+\w+", text)
    if prog.endswith("conformance replay"):
        assert all(re.search(rf"(?<![\w-]){name}(?![\w-])", text) for name in FORMATS)


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("prog", PARSERS)
def test_help_fits_the_terminal(prog: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that a terminal breaks is hard to read, and an example hard to copy."""
    monkeypatch.setenv("COLUMNS", str(columns))

    lines = PARSERS[prog].format_help().splitlines()

    assert [] == [line for line in lines if len(line) >= columns]
    assert all(
        line.endswith(" \\")
        for line, after in pairwise(lines)
        if after[:6] == " " * 6 and after[6:8] in ("--", "| ")
    )


@pytest.mark.parametrize(
    "text",
    [
        PLUGIN["rules"],
        *(
            action.help
            for parser in PARSERS.values()
            for action in parser._actions
            if "--rules" in action.option_strings
        ),
    ],
)
def test_the_rule_sets_are_named_where_one_is_chosen(text: str) -> None:
    """Whoever has to choose cannot be sent to the source."""
    named, _, _ = text.partition("(default")

    assert list(RULE_SETS) == re.findall("|".join(RULE_SETS), named)


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("document", settings.DEFAULT_DOCUMENT),
        ("snapshots", settings.DEFAULT_SNAPSHOTS),
        ("transcripts", settings.DEFAULT_TRANSCRIPTS),
        ("known-failures", settings.DEFAULT_KNOWN_FAILURES),
    ],
)
def test_the_help_of_pytest_tells_what_counts_without_an_option(name: str, default: str) -> None:
    """The plugin may not import what knows it before it is asked to work."""
    assert PLUGIN[name].endswith(f"(default: {default})")


def test_the_help_of_pytest_tells_the_forms_of_a_report() -> None:
    """The ending picks one."""
    assert list(REPORTS) == re.findall(r"\.\w+", PLUGIN["report"])
