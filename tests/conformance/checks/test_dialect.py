"""`contract lint` tells what providers refuse, as advice or as a demand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reasonix_conformance.cli import main

TOOLS = [
    {"name": "fine", "description": "d", "input_schema": {"type": "object", "properties": {}}},
    {
        "name": "list",
        "description": "d",
        "input_schema": {"type": "object", "properties": {"ids": {"type": "array"}}},
    },
]


@pytest.fixture
def dump(tmp_path: Path) -> str:
    """Return the path of a dump with a tool that OpenAI and Gemini refuse."""
    path = tmp_path / "tools.json"
    path.write_text(json.dumps(TOOLS), "utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ([], 0),
        (["--strict"], 1),
        (["--provider", "openai"], 1),
        (["--provider", "anthropic"], 0),
        (["--provider", "anthropic", "--provider", "gemini"], 1),
        (["--provider", "opena"], 2),
    ],
)
def test_a_dialect_is_binding_for_the_providers_that_are_asked_for(
    options: list[str], code: int, dump: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A host that talks to one provider is not failed for another."""
    assert code == main(["contract", "lint", "--subject", dump, *options])

    out, err = capsys.readouterr()
    if code == 2:
        assert "did you mean 'openai'" in err
    elif options != ["--provider", "anthropic"]:
        assert "an array without items (DIALECT-1, " in out


def test_advice_names_its_place(dump: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Two arrays of one tool gave the same line twice."""
    main(["contract", "lint", "--subject", dump])

    assert (
        "recommended, not met: list: tool/dialect: an array without items (DIALECT-1, openai) "
        f"({dump}: tools[1], schema /properties/ids)\n"
    ) in capsys.readouterr().out
