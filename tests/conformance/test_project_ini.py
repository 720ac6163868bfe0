"""The commands know the subject of a project as the plugin knows it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import project_ini
from reasonix_conformance.cli import main

NEWER = pytest.mark.skipif(
    int(pytest.__version__.split(".")[0]) < 9, reason="pytest reads such files from 9.0 on"
)
LINE = "reasonix_subject = host:registry"
QUOTED = 'reasonix_subject = "host:registry"'

LAYOUTS: dict[str, dict[str, str]] = {
    "pytest.ini": {"pytest.ini": f"[pytest]\n{LINE}\n"},
    ".pytest.ini": {".pytest.ini": f"[pytest]\n{LINE}\n"},
    "pyproject.toml": {"pyproject.toml": f"[tool.pytest.ini_options]\n{QUOTED}\n"},
    "tox.ini": {"tox.ini": f"[tox]\n[pytest]\n{LINE}\n"},
    "setup.cfg": {"setup.cfg": f"[tool:pytest]\n{LINE}\n"},
    "blanks and a comment": {"pytest.ini": f"# ours\n[pytest]\n  \n{LINE}   \n; more\n"},
    "an empty value": {"pytest.ini": "[pytest]\nreasonix_subject =\n"},
    "nothing": {},
    "a file about something else": {
        "pyproject.toml": "[tool.other]\nx = 1\n",
        "tox.ini": "[tox]\n",
    },
    "an empty pytest.ini beside one that tells": {
        "pytest.ini": "",
        "pyproject.toml": f"[tool.pytest.ini_options]\n{QUOTED}\n",
    },
    "an empty section beside one that tells": {
        "pyproject.toml": "[tool.pytest.ini_options]\n",
        "tox.ini": f"[pytest]\n{LINE}\n",
    },
    "two that tell": {
        "setup.cfg": "[tool:pytest]\nreasonix_subject = other.json\n",
        "tox.ini": f"[pytest]\n{LINE}\n",
    },
    "the folder above": {"../pytest.ini": f"[pytest]\n{LINE}\n"},
    "the folder above, behind a file about something else": {
        "../tox.ini": f"[pytest]\n{LINE}\n",
        "pyproject.toml": "[project]\nname = 'x'\n",
    },
    "the folder above, behind one that configures pytest": {
        "../tox.ini": f"[pytest]\n{LINE}\n",
        "setup.cfg": "[tool:pytest]\naddopts = -q\n",
    },
}
NEW_LAYOUTS = {
    "pytest.toml": {"pytest.toml": f"[pytest]\n{QUOTED}\n"},
    "an empty .pytest.toml": {".pytest.toml": "", "pytest.ini": f"[pytest]\n{LINE}\n"},
    "the table of the tool": {"pyproject.toml": f"[tool.pytest]\n{QUOTED}\n"},
}


@pytest.mark.parametrize(
    "files",
    [
        *(pytest.param(files, id=name) for name, files in LAYOUTS.items()),
        *(pytest.param(files, id=name, marks=NEWER) for name, files in NEW_LAYOUTS.items()),
    ],
)
def test_the_ini_file_is_read_as_pytest_reads_it(
    files: dict[str, str], pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the line stands, and whatever stands beside it."""
    here = pytester.mkdir("project")
    for name, text in files.items():
        (here / name).write_text(text)
    monkeypatch.chdir(here)
    config = pytester.parseconfig("--rootdir", str(here))
    subject = config.getini("reasonix_subject") or None

    found = project_ini.load(here)

    assert subject == found.values.get("subject")
    assert found.folder == (config.inipath.parent if subject and config.inipath else here)


@pytest.mark.parametrize("word", ["true", "True", "1", "yes", "on", "false", "0", "no"])
def test_yes_and_no_are_what_they_are_to_pytest(
    word: str, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An ini file may say it in several words."""
    pytester.makeini(f"[pytest]\nreasonix_strict = {word}\n")

    told = pytester.parseconfig().getini("reasonix_strict")

    assert told is project_ini.load(pytester.path).strict


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("pyproject.toml", b"[tool", "not TOML"),
        ("pytest.ini", b"reasonix_subject = x\n", "pytest.ini:1: not an ini file"),
        ("tox.ini", b"[pytest]\n\xff = 1\n", "tox.ini:2: byte 0xff is not UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_by_its_name(
    name: str,
    content: bytes,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Passed over, it would leave the check to the reference runtime."""
    (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)

    assert 2 == main(["contract", "show"])

    told = capsys.readouterr().err
    assert str(tmp_path / name) in told
    assert sentence in told


def items(text: str) -> dict[str, str]:
    """Return the outcome of each item of a check."""
    return {item["name"]: item["outcome"] for item in json.loads(text)["items"]}


@pytest.fixture
def told(project: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a project whose ini file names its host, which lies in a folder of its own."""
    project.rows["put"]["read_only"] = True
    project.write()
    source = project.root / "src"
    source.mkdir()
    (project.root / "host.py").rename(source / "itshost.py")
    project.document.rename(project.root / "CONTRACT.md")
    (project.root / "pytest.ini").write_text(
        "[pytest]\npythonpath = src\nreasonix_subject = itshost:registry\n"
        "reasonix_document = CONTRACT.md\n"
    )
    (project.root / "deep" / "down").mkdir(parents=True)
    monkeypatch.syspath_prepend(project.root / "unused")  # what the command adds goes with it
    return project


@pytest.mark.parametrize("folder", [".", "deep/down"])
def test_a_check_is_that_of_the_plugin(
    folder: str, told: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Subject, document and snapshots are those of the ini file, from every folder below it."""
    report = told.root / "report.json"
    told.pytester.runpytest_inprocess("--reasonix-contract", f"--reasonix-report={report}")
    capsys.readouterr()
    monkeypatch.chdir(told.root / folder)

    assert 1 == main(["contract", "check", "--format", "json"])

    of_the_plugin = items(report.read_text())
    assert "failed" == of_the_plugin["put"]
    assert of_the_plugin == items(capsys.readouterr().out)


@pytest.mark.parametrize("folder", [".", "deep/down"])
def test_the_command_to_copy_leaves_out_what_the_ini_file_tells(
    folder: str, told: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the plugin's as well."""
    monkeypatch.chdir(told.root / folder)

    main(["contract", "check"])

    assert "`pytest --reasonix-contract --reasonix-update`" in capsys.readouterr().out


def test_other_subjects_are_not_held_against_the_snapshots_of_the_project(
    told: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were recorded of the subject that the ini file names."""
    monkeypatch.chdir(told.root)
    main(["contract", "show", "--format", "json"])
    Path("mine.json").write_text(capsys.readouterr().out)

    main(["contract", "check", "--subject", "mine.json"])

    assert "tool/schema-snapshot: no snapshots belong to this subject" in capsys.readouterr().out


@pytest.mark.parametrize("as_plugin", [False, True])
@pytest.mark.parametrize(
    ("folder", "subject", "same"),
    [(".", "./tools.json", True), ("deep", "../tools.json", True), ("deep", "tools.json", False)],
)
def test_a_subject_is_that_of_the_project_by_its_file_and_not_by_how_it_is_written(
    as_plugin: bool,
    folder: str,
    subject: str,
    same: bool,
    told: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The project's own dump lost its snapshots as `./tools.json`, another of its name got them."""
    monkeypatch.chdir(told.root)
    main(["contract", "show", "--format", "json"])
    dump = capsys.readouterr().out
    for place in ("tools.json", "deep/tools.json"):
        (told.root / place).write_text(dump)
    ini = told.root / "pytest.ini"
    text = ini.read_text().replace("itshost:registry", "tools.json")
    ini.write_text(f"{text}reasonix_snapshots = reasonix-contract\n")
    monkeypatch.chdir(told.root / folder)

    if as_plugin:
        told.pytester.runpytest_inprocess("--reasonix-contract", f"--reasonix-subject={subject}")
    else:
        main(["contract", "check", "--subject", subject])

    assert same == ("no snapshots belong to this subject" not in capsys.readouterr().out)


@pytest.mark.parametrize("action", ["show", "lint"])
def test_each_action_works_on_the_subject_of_the_project(
    action: str, told: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is shown is what is checked."""
    monkeypatch.chdir(told.root / "deep")

    assert 0 == main(["contract", action, "--format", "json"])

    told_of = json.loads(capsys.readouterr().out)
    assert ["look", "put", "wait"] == [
        one["name"] for one in told_of.get("tools") or told_of["items"]
    ]
