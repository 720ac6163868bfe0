"""What somebody gives wrongly is told with the option, what was expected, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasonix_runtime.cli import main

RUN = ("run", "hello", "--script", "script.yaml")
MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "no script": (
        ("run", "hello", "--script", "nope"),
        "--script nope: No such file or directory; expected a YAML file with `answers`",
    ),
    "a folder for a script": (
        ("run", "hello", "--script", "folder"),
        "--script folder: Is a directory; expected a YAML file",
    ),
    "prose for a script": (
        ("run", "hello", "--script", "prose.md"),
        "--script prose.md:2: not YAML: mapping values are not allowed in this context; expected",
    ),
    "no record's folder": (
        (*RUN, "--record", "nope/run.jsonl"),
        "--record nope/run.jsonl: there is no folder nope; make it first",
    ),
    "a record that is there": ((*RUN, "--record", "prose.md"), "--record prose.md exists already"),
    "no skills": (
        (*RUN, "--skills", "nope"),
        "--skills nope: No such file or directory; expected a folder with skills, "
        "each a NAME/SKILL.md or a NAME.md",
    ),
    "a file for skills": ((*RUN, "--skills", "prose.md"), "--skills prose.md: Not a directory"),
    "no servers": (
        (*RUN, "--servers", "nope"),
        "--servers nope: No such file or directory; expected a JSON file with mcpServers",
    ),
    "prose for servers": (
        ("call", "ls", "{}", "--servers", "prose.md"),
        "--servers prose.md: no file of servers",
    ),
    "a folder for a goal": (
        (*RUN, "--goal-file", "folder"),
        "--goal-file folder: cannot be read: Is a directory; nothing was changed",
    ),
    "no network": (
        (*RUN, "--allow-network", "home"),
        "--allow-network 'home' is no network; expected an address with a prefix",
    ),
    "tool and arguments the wrong way round": (
        ("call", '{"path": "x"}', "read_file"),
        "; `reasonix-runtime tools` lists all",
    ),
    "a misspelt option alone": (
        ("--verson",),
        "unrecognized arguments: --verson; did you mean '--version'?",
    ),
    "a misspelt option before what it hides": (
        ("run", "--scrpt=script.yaml"),
        "unrecognized arguments: --scrpt=script.yaml; did you mean '--script'?",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_where_it_was_made(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`nope: No such file or directory` does not say which of five files is meant."""
    monkeypatch.chdir(tmp_path)
    Path("script.yaml").write_text("answers: [{text: hello}]\n", encoding="utf-8")
    Path("prose.md").write_text("# Prose\nNote: this: is no YAML\n", encoding="utf-8")
    Path("folder").mkdir()
    words, sentence = MISTAKES[name]

    try:
        code: object = main(words)
    except SystemExit as end:
        code = end.code

    assert code == 2
    assert sentence in capsys.readouterr().err
