"""A report stands in its file once it is whole; until then the earlier one does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from places import GOOD
from runs import replay

from reasonix_conformance.commands import replay as command

FORMS = ("text", "json", "sarif", "html", "neutral")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(GOOD, tmp_path / "a.jsonl")
    (tmp_path / "report").write_text("of yesterday")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "words", ["missing.jsonl", "a.jsonl --rules nonesuch", "a.jsonl missing.jsonl"]
)
def test_a_run_that_is_refused_leaves_the_report_of_an_earlier_one(
    words: str, form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong path in a job must not cost the report that was there."""
    code, _, said = replay(capsys, *words.split(), "--format", form, "--output", "report")

    assert (2, True) == (code, said.startswith("reasonix-conformance replay: "))
    assert "of yesterday" == (folder / "report").read_text()
    assert ["a.jsonl", "report"] == sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["report", "new"])
def test_a_run_that_is_stopped_leaves_no_half_of_one(
    name: str,
    form: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Half of a report looks like a whole one with less in it."""

    def stopped(*_: Any, **__: Any) -> Iterator[Any]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(command, "results", stopped)
    monkeypatch.setattr(command, "events_of", stopped)

    assert 130 == replay(capsys, "a.jsonl", "--format", form, "--output", name)[0]
    assert "of yesterday" == (folder / "report").read_text()
    assert ["a.jsonl", "report"] == sorted(path.name for path in folder.iterdir())


def test_the_file_that_a_link_leads_to_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The link stays one."""
    (folder / "latest").symlink_to("report")

    code, _, _ = replay(capsys, "a.jsonl", "--format", "json", "--output", "latest")

    assert (0, True) == (code, (folder / "latest").is_symlink())
    assert (folder / "report").read_text().startswith("{")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("/dev/full", "/dev/full: cannot be written: No space left on device"),
        (".", "--output .: this is a folder"),
        ("no/r", "--output no/r: there is no folder no"),
    ],
)
def test_what_cannot_be_written_is_said(
    name: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the name of the file, and as wrong use."""
    code, _, said = replay(capsys, folder / "a.jsonl", "--output", name)

    assert 2 == code
    assert f"replay: {why}" in said
