"""What the user's guide names exists, and what exists is in the guide."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from reasonix_conformance import cli, plugin
from reasonix_conformance.checks import document, surface, tool
from reasonix_conformance.commands.replay_arguments import FAIL_ON
from reasonix_conformance.settings import REPORTS

GUIDE = (Path(__file__).parents[2] / "docs" / "usage.md").read_text(encoding="utf-8")

OPTIONS = sorted((*(name for name, *_ in plugin.FLAGS + plugin.VALUES), "replay"))

CHECKS = sorted(
    check.id
    for table in (
        tool.TOOL,
        tool.STALE_ROW,
        tool.STALE_SNAPSHOT,
        surface.SURFACE,
        document.DOCUMENT,
        document.GENERATED,
        document.TRANSLATION,
    )
    for check in table
)


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_and_its_ini_value_are_explained(name: str) -> None:
    """An option that nobody can find does not exist."""
    assert f"| `--reasonix-{name}" in GUIDE
    if name != "update":
        assert f"| `reasonix_{name.replace('-', '_')}` |" in GUIDE


def options_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the long options of a parser and of the parsers below it."""
    for action in parser._actions:
        yield from (name for name in action.option_strings if name.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from options_of(inner)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_option_of_a_command_is_explained(command: str) -> None:
    """What `--help` lists stands in the guide, too."""
    section = GUIDE.partition("## Commands")[2]
    options = set(options_of(cli._parser([command]))) - {"--help"}

    assert options
    assert [] == sorted(name for name in options if f"`{name}" not in section)


def test_every_kind_of_a_choice_is_explained() -> None:
    """Formats and what fails a run are chosen by name."""
    forms = ("text", "json", "sarif", "junit", "github", "markdown", "html", "neutral")
    for name in (*FAIL_ON, *forms):
        assert f"`{name}`" in GUIDE or f"{name}\\|" in GUIDE or f"\\|{name}" in GUIDE
    for ending in REPORTS:
        assert f"`{ending}`" in GUIDE


@pytest.mark.parametrize("check", CHECKS)
def test_every_requirement_is_explained(check: str) -> None:
    """A failure names its requirement; a reader looks it up here."""
    assert f"`{check}`" in GUIDE


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_is_explained(command: str) -> None:
    """The guide lists what the program offers."""
    assert f"`reasonix-conformance {command}" in GUIDE
