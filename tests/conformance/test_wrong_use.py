"""What somebody gives wrongly is told with the option, what was expected, and what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reasonix_conformance import plugin, settings
from reasonix_conformance.cli import main

if TYPE_CHECKING:
    from conftest import Project

TOOLS = [{"name": "look", "description": "Look.", "input_schema": {"type": "object"}}]
MISTAKES = {
    "replay trace.jsonl --known nope.yaml": "--known nope.yaml: expected a YAML list of entries "
    "with the keys id and reason; it cannot be read: No such file or directory",
    "replay trace.jsonl --known prose.md": "--known prose.md:2: not YAML: mapping values are",
    "replay trace.jsonl --schemas nope.json": "--schemas subject nope.json: there is no file",
    "contract check --subject tools.json --document folder": "contract document folder cannot be "
    "read: Is a directory; name a Markdown file",
    "docs build --output prose.md": "--output prose.md: this is no folder; name one",
    "contract show --subject tools.json wait": "has no tool 'wait' (known: look); without a name "
    "all are shown",
    "--verson": "unrecognized arguments: --verson; did you mean '--version'?",
    "replay --ruels=classic": "unrecognized arguments: --ruels=classic; did you mean '--rules'?",
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder with something of each kind."""
    monkeypatch.chdir(tmp_path)
    Path("tools.json").write_text(json.dumps(TOOLS), encoding="utf-8")
    Path("trace.jsonl").write_text("{}\n", encoding="utf-8")
    Path("prose.md").write_text("# Prose\nNote: this: is no YAML\n", encoding="utf-8")
    Path("folder").mkdir()


def error_of(words: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return what a command that was used wrongly says of it."""
    try:
        code: object = main(words.split())
    except SystemExit as end:
        code = end.code
    assert code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("words", MISTAKES)
def test_a_mistake_is_told_where_it_was_made(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who gives several files does not know from `nope` alone which one is meant."""
    assert MISTAKES[words] in error_of(words, capsys)


INI_MISTAKES = {
    "reasonix_subjct = host:registry": "unknown setting 'reasonix_subjct' (did you mean "
    "'reasonix_subject'?); `pytest --help` lists them",
    "reasonix_strict = perhaps": "reasonix_strict: ",
}


@pytest.mark.parametrize("line", INI_MISTAKES)
def test_a_mistake_in_the_ini_file_is_told_by_the_commands(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reference runtime was judged in place of a subject whose setting was misspelt."""
    Path("pytest.ini").write_text(f"[pytest]\n{line}\n", encoding="utf-8")

    error = error_of("contract show", capsys)

    assert INI_MISTAKES[line] in error
    assert "pytest.ini" in error


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        *INI_MISTAKES.items(),
        ("reasonix_strict = perhaps", "reasonix_strict: *; expected true or false"),
        ("reasonix_replay = .\nreasonix_update = now", "reasonix_update: *; expected true or"),
    ],
)
def test_a_mistake_in_the_ini_file_is_told_by_the_plugin(
    project: Project, line: str, sentence: str
) -> None:
    """Pytest warns of a setting that nobody knows, below what the default came to."""
    project.pytester.makefile(".ini", pytest=f"[pytest]\n{line}\n")

    result = project.run()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*pytest.ini*{sentence.replace('?', '[?]')}*"])


@pytest.mark.parametrize("name", ["strict=perhaps", "update=true"])
def test_a_mistake_in_place_of_the_ini_file_is_told_as_that(project: Project, name: str) -> None:
    """Whoever looks into the file does not find it there."""
    project.pytester.makefile(".ini", pytest="[pytest]\nreasonix_rules = classic\n")

    result = project.run("-o", f"reasonix_{name}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "pytest.ini" not in result.stderr.str()
    assert "-o" in result.stderr.str()


def test_a_truth_that_starts_the_suite_is_told_where_it_stands(pytester: pytest.Pytester) -> None:
    """It is asked for in every run of the project."""
    pytester.makefile(".ini", pytest="[pytest]\nreasonix_contract = maybe\n")

    result = pytester.runpytest_inprocess()

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*pytest.ini: reasonix_contract: *; expected true or false"])


def test_a_setting_of_another_plugin_is_left_to_it(project: Project) -> None:
    """Names that begin like ours are nobody's alone."""
    project.pytester.makefile(".ini", pytest="[pytest]\nreasonix_subjects = two\n")
    project.pytester.makeconftest(
        "def pytest_addoption(parser):\n    parser.addini('reasonix_subjects', 'theirs')\n"
    )

    assert project.run().ret == pytest.ExitCode.OK


def test_a_folder_is_no_list_of_known_failures(project: Project) -> None:
    """It was taken for a list without entries."""
    result = project.run("--reasonix-known-failures=docs")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--reasonix-known-failures: docs is a folder; give the YAML*"])


def test_the_settings_that_are_known_are_those_that_the_plugin_has() -> None:
    """The commands read them without pytest."""
    named = [name for name, _ in plugin.FLAGS] + [name for name, _, _ in plugin.VALUES]

    assert settings.INI_NAMES == {name.replace("-", "_") for name in named} | {"replay"}


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("--reasonix-known=nope.yaml", "--reasonix-known: nope.yaml does not exist; *"),
        ("--reasonix-known=", "--reasonix-known: the value is empty *"),
        ("--reasonix-known=docs", "--reasonix-known: docs is a folder; *"),
        ("--reasonix-known-failures=docs", "--reasonix-known-failures: docs is a folder; *"),
        ("-oreasonix_known_failures=nope", "-o: reasonix_known_failures: nope does not*"),
        ("-oreasonix_rules=clasic", "-o: reasonix_rules: *did you mean 'classic'*"),
        ("-oreasonix_coverage_min=x", "-o: reasonix_coverage_min x: expected a number*"),
    ],
)
def test_a_value_is_refused_by_the_name_under_which_it_was_given(
    project: Project, argument: str, said: str
) -> None:
    """Who looks for another name on the command line does not find it."""
    result = project.run(argument)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: {said}"])


def test_an_option_that_does_nothing_is_called_as_it_was_given(pytester: pytest.Pytester) -> None:
    """It may be the short one."""
    result = pytester.runpytest_inprocess("--reasonix-known=x.yaml")

    result.stderr.fnmatch_lines(["ERROR: --reasonix-known does nothing alone: *"])


@pytest.mark.parametrize(
    "line", ["replay -a.json", "verdicts -a.json", "contract lint --subject -a.json"]
)
def test_a_file_that_begins_with_a_dash_is_told_how_to_be_named(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is taken for an option, and the message missed an argument that was there."""
    monkeypatch.chdir(tmp_path)
    Path("-a.json").write_text("[]")

    with pytest.raises(SystemExit):
        main(line.split())

    assert "; the file -a.json is written ./-a.json\n" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(line.replace("-a.json", "-b.json").split())
    assert "is written" not in capsys.readouterr().err
