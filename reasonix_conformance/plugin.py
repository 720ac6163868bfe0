"""Pytest hooks of the conformance kit.

Every pytest of an environment loads this module, so it imports pytest and the standard library
only. The suite is imported and registered when one of our options asks for it, and not before:
whoever does not ask pays for a few option definitions and nothing else.
"""

from __future__ import annotations

import pytest

REPLAY_HELP = "replay these traces (file or folder, any known format); repeatable, works alone"

VALUES = (
    (
        "subject",
        "SPEC",
        "what is under test: package.module:attribute, or a JSON dump of tools "
        "(default: the reference runtime)",
    ),
    (
        "document",
        "PATH",
        "contract document to hold the subject against (default: docs/TOOL_CONTRACT.md)",
    ),
    (
        "snapshots",
        "DIR",
        "folder of the schema snapshots, one JSON file a tool (default: reasonix-contract)",
    ),
    (
        "transcripts",
        "PATH",
        "transcript file or folder that belongs to the suite (default: fixtures/transcripts)",
    ),
    (
        "known-failures",
        "FILE",
        "YAML list of what is known to fail (default: fixtures/known-failures.yaml)",
    ),
    ("write-known", "FILE", "write the list of what fails now"),
    ("today", "DATE", "day that the dates of known failures are compared with (default: today)"),
    ("rules", "NAME", "rule set for traces that name none: contract, classic, facts or ungated"),
    (
        "min-basis",
        "BASIS",
        "weakest basis on which a success in a trace is believed, such as exit_code or absence",
    ),
    ("profile", "NAME", "ordinary or delivery: profile of the runs whose traces do not tell it"),
    (
        "workspace",
        "DIR",
        "folder of the runs whose traces do not tell it, as their machine has it",
    ),
    ("schemas", "SPEC", "hold the calls of the traces against the schemas of a registry or file"),
    (
        "report",
        "FILE",
        "write a report; the ending picks its form: .json, .xml, .sarif, .html, .md or .txt",
    ),
    ("coverage", "FILE", "write which rules were exercised, each way: .json, else a table"),
    ("coverage-min", "PERCENT", "fail if fewer ways of the rules were exercised"),
)
"""Options with one value, as (name, metavar, help); each has an ini twin `reasonix_<name>`."""

FLAGS = (
    ("contract", "run the contract suite; without paths on the command line, run only that"),
    ("strict", "what the contract only recommends (SHOULD) fails as well"),
    ("update", "accept what is: write snapshots and documents of what was selected"),
)
"""Options without a value, as (name, help); each has an ini twin `reasonix_<name>`."""

INI_HELP = {"update": "refused, for it would write in every run; give --reasonix-update"}
"""Help of an ini value that says something else than its option."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare our options and their ini twins."""
    group = parser.getgroup("reasonix", "tool contract and evidence gates")
    for name, text in FLAGS:
        group.addoption(f"--reasonix-{name}", action="store_true", default=None, help=text)
        parser.addini(f"reasonix_{name}", INI_HELP.get(name, text), type="bool", default=False)
    for name, metavar, text in VALUES:
        short = ("--reasonix-known",) if name == "known-failures" else ()
        group.addoption(f"--reasonix-{name}", *short, metavar=metavar, default=None, help=text)
        parser.addini(f"reasonix_{name.replace('-', '_')}", text, default=None)
    group.addoption(
        "--reasonix-replay", metavar="PATH", action="append", default=None, help=REPLAY_HELP
    )
    parser.addini("reasonix_replay", REPLAY_HELP, type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Start the suite if an option or ini value asks for it."""
    given = [
        name
        for name in (*(name for name, _ in FLAGS), *(name for name, _, _ in VALUES), "replay")
        if config.getoption(f"reasonix_{name.replace('-', '_')}") is not None
    ]
    if given or _ini_flag(config, "contract") or config.getini("reasonix_replay"):
        from reasonix_conformance.suite.session import start

        start(config, given, {name for name, _ in FLAGS if _ini_flag(config, name)})


def _ini_flag(config: pytest.Config, name: str) -> bool:
    """Return what a flag is in the ini file; a value that is no truth is wrong use."""
    try:
        return bool(config.getini(f"reasonix_{name}"))
    except (ValueError, TypeError, pytest.UsageError) as error:  # by the version of pytest
        from reasonix_conformance.suite.options import ini_place

        raise pytest.UsageError(
            f"{ini_place(config, name)}: reasonix_{name}: {error}; expected true or false"
        ) from None
