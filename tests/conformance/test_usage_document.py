"""What the user's guide names exists, and what exists is in the guide."""

from __future__ import annotations

import argparse
import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import DOCS, ROOT

from reasonix_conformance import cli, plugin
from reasonix_conformance.commands.replay_arguments import FAIL_ON
from reasonix_conformance.coverage import percent
from reasonix_conformance.suite.options import REPORTS
from reasonix_runtime.contract.dialects import PROFILES
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.trace.transcript import load

GUIDE = (DOCS / "usage.md").read_text(encoding="utf-8")
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md")))

OPTIONS = sorted((*(name for name, *_ in plugin.FLAGS + plugin.VALUES), "replay"))

PLACES = ("checks/*.py", "suite/*.py", "known_failures.py")
_ID = re.compile(r"(?:tool|row|snapshot|surface|document|transcript|trace|known-failures)/[a-z-]+")


def checks() -> set[str]:
    """Return the ids of all requirements, as they stand in the code of the kit."""
    kit = ROOT / "reasonix_conformance"
    files = [file for place in PLACES for file in kit.glob(place)]
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    texts = [str(node.value) for node in nodes if isinstance(node, ast.Constant)]
    return {text for text in texts if _ID.fullmatch(text)}


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


def test_every_requirement_is_explained_and_no_other() -> None:
    """A failure names its requirement; a reader looks it up here."""
    table = GUIDE.partition("| requirement | level | demands |\n")[2].partition("\n\n")[0]
    listed = [one for row in table.splitlines() for one in _ID.findall(row.split(" | ")[0])]

    assert {"tool/dialect", "surface/order", "trace/readable", "transcript/readable"} <= checks()
    assert sorted(checks()) == sorted(listed)


def test_every_provider_that_can_be_asked_for_is_named() -> None:
    told = re.search(r"`--provider PROFILE` \(`lint`; repeatable: (.+?)\)", GUIDE)

    assert told is not None
    assert list(PROFILES) == re.findall(r"`([^`]+)`", told[1])


def test_the_example_of_coverage_adds_up() -> None:
    """Its rule is one of the catalogue, and its summary is that of the rules that it shows."""
    text = next(one for one in re.findall(r"```json\n(.*?)```", GUIDE, re.DOTALL) if "/1" in one)
    told = json.loads(text)
    ways, exercised = (sum(len(one[key]) for one in told["rules"]) for key in ("ways", "exercised"))

    assert {
        "rules": len(told["rules"]),
        "ways": ways,
        "exercised": exercised,
        "percent": percent(exercised, ways),
    } == told["summary"]
    for one in told["rules"]:
        assert set(one["reasons"]) <= set(RULES[one["id"]].reasons)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_an_item_of_this_project_that_a_page_names_exists(page: Path) -> None:
    named = re.findall(r"(fixtures/[\w./-]+)::([\w.-]+)\[(\w+)\]", page.read_text("utf-8"))

    for file, ident, rules in named:
        found = {one.id: one.rules for one in load(ROOT / file)}
        assert rules in found[ident]
    assert named or page.name != "usage.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_of_a_page_leads_to_something(page: Path) -> None:
    """To a file of the project, and to a heading that the page behind it has."""
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        behind = (page.parent / file).resolve() if file else page
        assert behind.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", behind.read_text("utf-8"), re.MULTILINE)
            slugs = {re.sub(r"[^\w -]", "", one).lower().replace(" ", "-") for one in headings}
            assert anchor in slugs, target


def test_every_extra_is_explained_and_no_other() -> None:
    """What a package index shows as extras is told."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    table = GUIDE.partition("| extra | for |\n")[2].partition("\n\n")[0]
    cells = [row.split(" | ")[0] for row in table.splitlines()]

    assert list(project["optional-dependencies"]) == re.findall(r"`(\w+)`", "".join(cells))


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_is_explained(command: str) -> None:
    """The guide lists what the program offers."""
    assert f"`reasonix-conformance {command}" in GUIDE
