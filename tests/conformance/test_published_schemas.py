"""Each JSON form has a published schema, what is written fits it, and what is broken does not.

The forms of replay, suite and coverage are also held where their reports are tested.
"""

from __future__ import annotations

import copy
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from places import DOCS, FIXTURES, RECORDED, ROOT

from reasonix_conformance import cli

HOSTS = FIXTURES / "hosts"
CLASSIC = str(HOSTS / "classic-2026-08" / "tools.json")
RECENT = str(HOSTS / "reasonix-1.38.11" / "tools.json")
PACKAGE = files("reasonix_conformance.schemas")


@cache
def published() -> dict[str, Any]:
    """Return the schemas of the package by the name of their form."""
    found = {}
    for file in PACKAGE.iterdir():
        if file.name.endswith(".schema.json"):
            name, _, version = file.name.removesuffix(".schema.json").rpartition("-")
            found[f"reasonix-conformance/{name}/{version}"] = json.loads(file.read_text("utf-8"))
    return found


def problems(document: Any) -> list[str]:
    judge = jsonschema.Draft202012Validator(published()[document["schema"]])
    return [error.message for error in judge.iter_errors(document)]


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what a command writes as JSON."""
    monkeypatch.chdir(ROOT)

    def run(*argv: str) -> Any:
        code = cli.main([*argv, "--format", "json"])
        out, err = capsys.readouterr()
        assert code in (0, 1), err
        return json.loads(out)

    return run


def recorded(path: Path, **more: Any) -> Path:
    """Write a file of recorded verdicts: one that agrees, one that does not, one not stable."""
    lines = (RECORDED / "path_risk.jsonl").read_text("utf-8").splitlines()
    intent = (RECORDED / "task_intent.jsonl").read_text("utf-8").splitlines()
    first = json.loads(lines[0])
    wrong = {**first, "out": {**first["out"], "accept": not first["out"]["accept"], **more}}
    told = [first, wrong, {**first, "stable": False}, json.loads(intent[0])]
    file = path / "recorded.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in told), "utf-8")
    return file


def test_every_form_that_is_written_has_a_schema() -> None:
    """A form without one can only be guessed."""
    sources = (ROOT / "reasonix_conformance").rglob("*.py")
    named = {
        form
        for source in sources
        for form in re.findall(r'"(reasonix-conformance/[a-z-]+/\d+)"', source.read_text("utf-8"))
    }

    assert named == set(published())


def test_the_guide_lists_every_form() -> None:
    """Who has the output should find the schema."""
    guide = (DOCS / "usage.md").read_text("utf-8").partition("### JSON forms")[2]
    listed = re.findall(r"^\| `([a-z-]+/\d+)` \|", guide, re.MULTILINE)

    assert sorted(f"reasonix-conformance/{form}" for form in listed) == sorted(published())


@pytest.mark.parametrize("form", sorted(published()))
def test_a_schema_is_one_and_names_its_form(form: str) -> None:
    """It is read by programs that do not know us."""
    schema = published()[form]

    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["properties"]["schema"] == {"const": form}
    assert "schema" in schema["required"]
    assert "Fields may be added." in schema["description"]


@pytest.mark.parametrize(
    "argv",
    [
        ("rules",),
        ("rules", "verification.command_not_run"),
        ("rules", "goal"),
        ("contract", "show"),
        ("contract", "show", "bash", "ls"),
        ("contract", "show", "--subject", CLASSIC),
        ("contract", "show", "--subject", RECENT),
        ("contract", "check", "--snapshots", "fixtures/contract"),
        ("contract", "check", "--subject", CLASSIC, "--strict"),
        ("contract", "lint", "--subject", CLASSIC),
        ("contract", "lint", "--subject", CLASSIC, "--provider", "gemini", "--strict"),
        ("contract", "diff", CLASSIC, CLASSIC),
        ("contract", "diff", CLASSIC, RECENT),
    ],
    ids=lambda argv: " ".join(argv).replace(f"{ROOT}/", ""),
)
def test_what_a_command_writes_fits_its_schema(written: Any, argv: tuple[str, ...]) -> None:
    """Whoever reads it may generate code from the schema."""
    assert [] == problems(written(*argv))


def test_what_a_subject_does_not_tell_fits_as_well(written: Any, tmp_path: Path) -> None:
    """No description, no flag, no schema, and a schema that is no JSON."""
    dump = tmp_path / "tools.json"
    dump.write_text(json.dumps({"tools": [{"name": "a"}, {"name": "b", "schema": "{"}]}))

    shown = written("contract", "show", "--subject", str(dump))

    assert [] == problems(shown)
    assert [None, "{"] == [tool["schema"] for tool in shown["tools"]]


def test_agreement_with_recorded_verdicts_fits_its_schema(written: Any, tmp_path: Path) -> None:
    """With disagreements, lines that do not count, and lines that nothing recomputes."""
    told = written("verdicts", str(recorded(tmp_path)))

    assert [] == problems(told)
    assert [1, 1] == [len(told["disagreements"]), told["kinds"]["path_risk"]["out"]]
    assert ({"path_risk": 1}, {"task_intent": 1}) == (told["unstable"], told["not_assessable"])


def changed(document: Any, path: tuple[str | int, ...], *value: Any) -> Any:
    """Return a copy of a document with another value at a path, or with nothing there."""
    copied = copy.deepcopy(document)
    holder = copied
    for step in path[:-1]:
        holder = holder[step]
    if value:
        holder[path[-1]] = value[0]
    else:
        del holder[path[-1]]
    return copied


FORMS = {
    "rules": ("rules", "CS-05"),
    "contract": ("contract", "show", "bash"),
    "contract-check": ("contract", "check", "--subject", CLASSIC, "--strict"),
    "contract-diff": ("contract", "diff", CLASSIC, RECENT),
    "verdicts": ("verdicts", "RECORDED"),
}


@pytest.fixture
def document(written: Any, tmp_path: Path) -> Any:
    """Return a document of a form, as its command writes it."""

    def make(form: str) -> Any:
        argv = (str(recorded(tmp_path)) if word == "RECORDED" else word for word in FORMS[form])
        return written(*argv)

    return make


@pytest.mark.parametrize(
    ("form", "path"),
    [
        ("rules", ("rules",)),
        ("rules", ("rules", 0, "sentence_zh")),
        ("rules", ("rules", 0, "reasons")),
        ("contract", ("tools",)),
        ("contract", ("surfaces",)),
        ("contract", ("tools", 0, "fingerprint")),
        ("contract", ("tools", 0, "schema")),
        ("contract-check", ("items",)),
        ("contract-check", ("summary", "not_assessable")),
        ("contract-check", ("items", 0, "findings")),
        ("contract-check", ("items", 0, "findings", 0, "hint")),
        ("contract-diff", ("old",)),
        ("contract-diff", ("changes",)),
        ("contract-diff", ("changes", 0, "tool")),
        ("verdicts", ("kinds",)),
        ("verdicts", ("unstable",)),
        ("verdicts", ("not_assessable",)),
        ("verdicts", ("kinds", "path_risk", "out")),
        ("verdicts", ("disagreements", 0, "actual")),
    ],
)
def test_a_form_that_lacks_something_does_not_fit(
    document: Any, form: str, path: tuple[str | int, ...]
) -> None:
    """What is promised is there."""
    whole = document(form)

    assert [] == problems(whole)
    assert problems(changed(whole, path))


@pytest.mark.parametrize(
    ("form", "path", "value"),
    [
        ("rules", ("rules",), []),
        ("rules", ("rules", 0, "reasons", 0), "Nein!"),
        ("rules", ("rules", 0, "id"), None),
        ("contract", ("tools", 0, "read_only"), "yes"),
        ("contract", ("tools", 0, "fingerprint"), "0" * 15),
        ("contract", ("surfaces",), {"core": "bash"}),
        ("contract-check", ("items", 0, "outcome"), "good"),
        ("contract-check", ("items", 0, "findings", 0, "level"), "must not"),
        ("contract-check", ("summary", "failed"), "1"),
        ("contract-diff", ("changes", 0, "what"), ""),
        ("verdicts", ("kinds", "path_risk", "lines"), 0),
        ("verdicts", ("disagreements", 0, "line"), 0),
        ("verdicts", ("rules",), "strict"),
        ("verdicts", ("unstable", "path_risk"), "some"),
    ],
)
def test_a_form_that_says_something_else_does_not_fit(
    document: Any, form: str, path: tuple[str | int, ...], value: Any
) -> None:
    """A schema that takes everything tells nothing."""
    assert problems(changed(document(form), path, value))
