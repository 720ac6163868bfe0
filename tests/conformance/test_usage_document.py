"""What the user's guide names exists, and what exists is in the guide."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasonix_conformance import cli, plugin
from reasonix_conformance.checks import document, surface, tool

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


@pytest.mark.parametrize("check", CHECKS)
def test_every_requirement_is_explained(check: str) -> None:
    """A failure names its requirement; a reader looks it up here."""
    assert f"`{check}`" in GUIDE


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_is_explained(command: str) -> None:
    """The guide lists what the program offers."""
    assert f"`reasonix-conformance {command}" in GUIDE
