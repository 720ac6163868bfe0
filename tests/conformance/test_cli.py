"""The commands: exit codes, one sentence for a mistake, JSON that can be read again."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from places import DOCS, FIXTURES, ROOT

from reasonix_conformance import cli
from reasonix_conformance.commands import contract as contract_command
from reasonix_conformance.commands import rules as rules_command
from reasonix_runtime import cli as runtime_cli
from reasonix_runtime.gates import rules_document
from reasonix_runtime.gates.policy import CONTRACT

CLASSIC = FIXTURES / "hosts" / "classic-2026-08" / "tools.json"
DOCUMENTS = ("GATES.md", "GATES.zh-CN.md", "TOOL_CONTRACT.md", "TOOL_CONTRACT.zh-CN.md")
NEWEST = FIXTURES / "hosts" / "reasonix-1.38.11" / "tools.json"


@pytest.fixture(autouse=True)
def _in_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def run(*argv: str) -> int:
    """Return the exit code of a command."""
    try:
        return cli.main(argv)
    except SystemExit as leaving:
        return int(leaving.code or 0)


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("contract", "show"), 0),
        (("contract", "show", "bash", "--format", "json"), 0),
        (("contract", "check"), 0),
        (("contract", "lint"), 0),
        (("contract", "diff", str(CLASSIC), str(CLASSIC)), 0),
        (("contract", "diff", str(CLASSIC), str(NEWEST)), 1),
        (("contract", "check", "--subject", str(NEWEST)), 1),
        (("docs", "check"), 0),
        (("rules",), 0),
        (("rules", "steps"), 0),
        (("rules", "CS-02", "--format", "json"), 0),
        (("rules", "verification.command_not_run", "--language", "zh-CN"), 0),
        ((), 2),
        (("bogus",), 2),
        (("contract", "bogus"), 2),
        (("contract", "show", "bashh"), 2),
        (("contract", "show", "--subject", "nowhere.json"), 2),
        (("contract", "check", "--document", "nowhere.md"), 2),
        (("docs", "build", "--descriptions", "nowhere.md"), 2),
        (("docs", "build", "--descriptions", "pyproject.toml", "--output", "/dev/null/x"), 2),
        (("rules", "verification.command_not_rn"), 2),
    ],
)
def test_exit_codes_are_those_of_the_documentation(
    argv: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Scripts branch on them: 0 good, 1 failed, 2 wrong use, 3 nothing assessed."""
    assert code == run(*argv)

    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (("contract", "show", "bashh"), "bashh"),
        (("contract", "show", "--subject", "nowhere.json"), "there is no file"),
        (("rules", "verification.command_not_rn"), "did you mean verification.command_not_run"),
        (("rules", "end"), "did you mean turn_end?"),
        (("rules", "turn-1/end"), "did you mean turn_end?"),
        (("rules", "turn-2/4-complete_step"), "did you mean complete_step?"),
        (("bogus",), "invalid choice: 'bogus'"),
        (("contract", "shw"), "did you mean 'show'?"),
        (
            ("replay", "README.md", "--format-in=chat-completion"),
            "did you mean 'chat-completions'?",
        ),
        (("replay", "README.md", "--frmat=json"), "did you mean '--format'?"),
        (
            ("docs", "check", "--descriptions", "nowhere.md"),
            "--descriptions nowhere.md: there is no",
        ),
        (("contract", "check", "--snapshots", "README.md"), "README.md is a file; give the folder"),
        (("replay", "README.md", "--output", "docs"), "--output docs: this is a folder"),
        (
            ("replay", "README.md", "--coverage=no/c"),
            "--coverage no/c: there is no folder no; make",
        ),
        (
            ("replay", "README.md", "--write-known", "no/k"),
            "--write-known no/k: there is no folder",
        ),
    ],
)
def test_a_mistake_is_told_with_what_would_be_right(
    argv: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The nearest valid name stands in the message."""
    run(*argv)

    assert sentence in capsys.readouterr().err


def test_the_flag_of_a_tool_has_the_same_word_in_both_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Two words would be taken for two flags."""
    found = []
    for main, words in ((cli.main, ("contract", "show")), (runtime_cli.main, ("tools",))):
        main(words)
        lines = re.findall(r"^(\w+) +(read-only|changes) ", capsys.readouterr().out, re.MULTILINE)
        found.append(set(lines))

    assert found[1] <= found[0]  # the kit is shown what reviewers have as well
    assert {flag for _, flag in found[0]} == {"read-only", "changes"}


def test_a_number_that_python_does_not_convert_is_a_mistake_of_the_dump(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A dump comes from anywhere, and a traceback would be taken for our own fault."""
    dump = tmp_path / "tools.json"
    dump.write_text(f'[{{"name": "a", "input_schema": {{"maximum": {"9" * 6000}}}}}]')

    assert 2 == run("contract", "lint", "--subject", str(dump))

    assert "too many digits" in capsys.readouterr().err


def test_documents_that_are_not_there_are_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stands in another folder is not told that every line differs."""
    monkeypatch.chdir(tmp_path)

    assert 1 == run("docs", "check")

    told = capsys.readouterr().out.splitlines()
    assert [f"docs/{name}: does not exist" for name in sorted(DOCUMENTS)] == sorted(told)
    assert [] == list(tmp_path.iterdir())


def test_the_option_that_a_message_names_is_one_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An option of pytest is an error in a command."""
    monkeypatch.chdir(tmp_path)
    run("contract", "check", "--document", "nowhere.md")
    assert "in commands --document PATH" in capsys.readouterr().err

    run("contract", "check", "--document", str(DOCS / "TOOL_CONTRACT.md"))
    assert "in commands --snapshots DIR" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "subject"),
    [((), "SPEC"), (("--subject", str(NEWEST)), str(NEWEST))],
    ids=["default", "named"],
)
def test_a_command_to_copy_means_the_subject_of_the_check(
    args: tuple[str, ...],
    subject: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The default subject is not named, or its tools end in the document of another host."""
    monkeypatch.chdir(tmp_path)
    document = tmp_path / "mine.md"
    document.write_text("| Tool | Read-only | Description |\n| --- | --- | --- |\n")

    run("contract", "check", "--document", str(document), *args)

    parts = capsys.readouterr().out.split("`")
    told = (f"--reasonix-subject={subject}", f"--reasonix-document={document}")
    assert {("pytest", "--reasonix-contract", *told, "--reasonix-update")} == {
        tuple(shlex.split(part)) for part in parts if part.startswith("pytest ")
    }


def test_a_check_judges_the_translation_beside_the_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pytest refused it, and the command that promises the same result was green."""
    monkeypatch.chdir(tmp_path)
    look = {"name": "look", "description": "Look.", "read_only": True}
    look["schema"] = {"type": "object", "properties": {}}
    Path("tools.json").write_text(json.dumps([look]))
    table = "| Tool | Read-only | Description |\n| --- | --- | --- |\n| `look` | {} | Look. |\n"
    Path("mine.md").write_text(table.format("true"))
    Path("mine.zh-CN.md").write_text(table.format("false"))

    assert 1 == run("contract", "check", "--subject", "tools.json", "--document", "mine.md")

    out = capsys.readouterr().out
    assert "document: not met: document/translated" in out
    assert "the read-only flag of 'look' differs" in out


@pytest.mark.parametrize("package", ["reasonix_conformance", "reasonix_runtime"])
def test_a_current_folder_that_is_gone_is_told_as_that(package: str, tmp_path: Path) -> None:
    """It was told as a result that cannot be written."""
    argv = {
        "reasonix_conformance": "contract show",
        "reasonix_runtime": "call ls",
    }[package]
    here = tmp_path / "here"
    here.mkdir()
    run = subprocess.run(
        ["sh", "-c", f"rmdir ../here && exec {sys.executable} -m {package} {argv}"],
        capture_output=True,
        text=True,
        cwd=here,
    )

    assert 2 == run.returncode
    assert run.stderr.endswith(": the current folder does not exist any more\n")


@pytest.mark.parametrize(
    "words",
    [
        ("replay", ""),
        ("replay", "README.md", ""),
        ("replay", "README.md", "--schemas", ""),
        ("replay", "README.md", "--rules="),
        ("replay", "README.md", "--output="),
        ("replay", "README.md", "--known="),
        ("replay", "README.md", "--write-known="),
        ("replay", "README.md", "--coverage="),
        ("replay", "README.md", "--engine", "dask", "--scheduler="),
        ("verdicts", ""),
        ("verdicts", "fixtures/verdicts", "--rules="),
        ("contract", "show", "--subject="),
        ("contract", "check", "--document="),
        ("contract", "check", "--snapshots="),
        ("contract", "lint", "--provider="),
        ("contract", "diff", "", "b.json"),
        ("contract", "diff", "a.json", ""),
        ("docs", "check", "--descriptions="),
        ("docs", "check", "--output="),
    ],
    ids=" ".join,
)
def test_an_empty_value_is_a_mistake(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """A variable that is not set must not switch a check off, or mean the current folder."""
    assert 2 == run(*words)

    said, _ = capsys.readouterr().err.splitlines()
    assert "the value is empty (is a variable of the shell not set?)" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("replay", "x.jsonl", "--fail-on", "none,reject"), "'none' means that nothing fails"),
        (("replay", "x.jsonl", "--fail-on", "reject,none"), "'none' means that nothing fails"),
        (("verdicts", "x.jsonl", "--show", "-1"), "'-1' is no number from 0 on"),
        (("verdicts", "x.jsonl", "--show", "many"), "'many' is no number from 0 on"),
    ],
    ids=str,
)
def test_a_value_that_contradicts_itself_is_a_mistake(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is taken in silence is believed to have an effect."""
    assert 2 == run(*words)

    assert said in capsys.readouterr().err


def test_the_advice_of_a_check_builds_what_was_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the options of the check it would write other documents."""
    folder, theirs = tmp_path / "o u t", tmp_path / "THEIRS.md"
    theirs.write_text(
        "| Tool | Read-only | Description |\n|---|---|---|\n| `ls` | true | Lists. |\n"
    )
    run("docs", "check", "--output", str(folder))
    assert (
        f"write them anew with `reasonix-conformance docs build --output '{folder}'`\n"
        == capsys.readouterr().err
    )
    run("docs", "check", "--descriptions", str(theirs), "--output", str(folder))
    assert (
        f"`reasonix-conformance docs build --descriptions {theirs} --output '{folder}'`\n"
        in capsys.readouterr().err
    )


@pytest.mark.parametrize("command", [(), *((name,) for name in cli.COMMANDS)])
def test_help_has_examples(command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """An example is read before any option."""
    assert 0 == run(*command, "--help")

    output = capsys.readouterr().out
    assert "usage: reasonix-conformance" in output
    assert "exit codes" in output.lower()


@pytest.mark.parametrize(
    "words",
    [
        ("replay", "--frmat"),
        ("replay", "x.jsonl", "--format", "nope"),
        ("verdicts", "--frmat"),
        ("contract", "show", "--frmat"),
        ("contract",),
        ("docs", "chek"),
        ("rules", "--frmat"),
        ("repla",),
    ],
    ids=" ".join,
)
def test_wrong_use_is_told_in_two_lines(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The mistake, and the page that explains the command it is of."""
    assert 2 == run(*words)

    said, hint = capsys.readouterr().err.splitlines()
    prog = said.partition(":")[0]
    known = [word for word in words[:2] if word in (*cli.COMMANDS, "show")]
    assert prog == " ".join(["reasonix-conformance", *known])
    assert f"Try '{prog} --help'." == hint


def test_a_contract_written_as_json_is_a_subject_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What one machine shows, another can compare."""
    run("contract", "show", "--format", "json")
    (tmp_path / "contract.json").write_text(capsys.readouterr().out)

    assert 0 == run("contract", "check", "--subject", str(tmp_path / "contract.json"))
    summary = capsys.readouterr().out
    assert "failed" not in summary


def test_nothing_to_assess_is_a_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check that judged nothing must not be taken for a pass."""
    assert 3 == contract_command._report([], "text")

    assert "nothing to check" in capsys.readouterr().out


def test_a_difference_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Tools are paired by name, schemas compared by structure."""
    run("contract", "diff", str(CLASSIC), str(NEWEST), "--format", "json")

    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert "reasonix-conformance/contract-diff/1" == told["schema"]
    assert {
        "tool": "ask",
        "what": "schema /properties/questions: maxItems changed from 4 to 3",
    } in told["changes"]
    assert {"tool": "create_goal", "what": "the tool is new"} in told["changes"]


def tool(name: str, description: str = "Look", **schema: object) -> dict[str, object]:
    return {"name": name, "description": description, "schema": {"type": "object", **schema}}


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param(
            [tool("peek")],
            [tool("look")],
            "peek:\n  the tool is now called 'look', and nothing else of it changed\n",
            id="renamed",
        ),
        pytest.param(
            [tool("peek")],
            [tool("look", "Look twice")],
            "look:\n  the tool is new\npeek:\n  the tool is gone\n",
            id="renamed-and-changed",
        ),
        pytest.param(
            [tool("peek")],
            [tool("look"), tool("see")],
            "look:\n  the tool is new\npeek:\n  the tool is gone\nsee:\n  the tool is new\n",
            id="which-of-two-is-a-guess",
        ),
        pytest.param(
            [tool("peek")],
            [tool("peek", "")],
            "peek:\n  the description is gone; it was 'Look'\n",
            id="description-gone",
        ),
        pytest.param(
            [tool("peek", "")],
            [tool("peek")],
            "peek:\n  the description is new: 'Look'\n",
            id="description-new",
        ),
    ],
)
def test_a_difference_is_told_as_what_happened(
    old: list[Any], new: list[Any], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`gone` and `new` are two events, and a description never says 'nothing'."""
    for name, tools in (("old.json", old), ("new.json", new)):
        (tmp_path / name).write_text(json.dumps(tools))

    assert 1 == run("contract", "diff", str(tmp_path / "old.json"), str(tmp_path / "new.json"))
    assert told == capsys.readouterr().out


@pytest.mark.parametrize(
    ("schema", "heading"),
    [
        ('{"type": "object"}', "schema, in canonical form; the host sends it in another form:"),
        ('{"properties":{},"type":"object"}', "schema, in canonical form:"),
    ],
)
def test_a_schema_is_shown_with_the_form_that_it_is_in(
    schema: str, heading: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is shown is not always what the host sends, and `lint` judges what it sends."""
    dump = f'[{{"name": "peek", "description": "Look", "schema": {schema}}}]'
    (tmp_path / "tools.json").write_text(dump)

    run("contract", "show", "peek", "--subject", str(tmp_path / "tools.json"))

    assert heading in capsys.readouterr().out.splitlines()


def test_the_rules_of_a_gate_are_found_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    """It is the name that stands in a report and the tool that the model called."""
    for gate, rule, other in (
        ("complete_step", "CS-08", "TW-01"),
        ("todo_write", "TW-01", "CS-08"),
        ("turn_end", "DL-07.M2", "CS-08"),
    ):
        assert 0 == run("rules", gate)
        told = capsys.readouterr().out
        assert f"{rule}  (" in told
        assert f"{other}  (" not in told


@pytest.mark.parametrize("name", ["TOOL_CONTRACT.md", "TOOL_CONTRACT.zh-CN.md", "GATES.md"])
def test_a_document_of_another_host_is_never_replaced(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A project has its own contract under that very name, and its words are nowhere else."""
    theirs = tmp_path / name
    theirs.write_text("# Contract\n\n| Tool | Read-only |\n|---|---|\n| `bash` | false |\n")
    before = theirs.read_bytes()

    assert 2 == run("docs", "build", "--output", str(tmp_path))
    assert f"{theirs} was not written by this command" in capsys.readouterr().err
    assert 2 == run("docs", "check", "--output", str(tmp_path))
    told = capsys.readouterr().err
    assert f"{theirs} was not written by this command, so it is not out of date" in told
    assert (
        f"pytest --reasonix-contract --reasonix-subject=SPEC --reasonix-document={theirs}" in told
    )
    if name == "TOOL_CONTRACT.md":
        adopted = ("--descriptions", str(theirs), "--output", str(tmp_path))
        assert 2 == run("docs", "build", *adopted)

    assert before == theirs.read_bytes()
    assert [theirs] == list(tmp_path.iterdir())


def test_documents_take_over_the_rows_of_another(tmp_path: Path) -> None:
    """Every row of a tool that both have is theirs, byte for byte."""
    theirs = tmp_path / "THEIRS.md"
    rows = ["| `bash`   |false| Their \\| own  words. |", "| `ls` | true | Lists. |"]
    theirs.write_text("\n".join(["| Tool | Read-only | Description |", "|---|---|---|", *rows, ""]))

    assert 0 == run("docs", "build", "--descriptions", str(theirs), "--output", str(tmp_path))

    written = (tmp_path / "TOOL_CONTRACT.md").read_text().splitlines()
    assert rows == [line for line in written if line in rows]
    assert not (tmp_path / "TOOL_CONTRACT.zh-CN.md").exists()


@pytest.mark.parametrize("action", ["build", "check"])
def test_what_is_not_taken_over_from_a_document_is_told(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A document can change what is said about a tool, not what it is; nobody is left guessing."""
    theirs = tmp_path / "THEIRS.md"
    rows = [
        "| `bash` | true | Their words. |",
        "| `ls` | true | Lists. |",
        "| `own` | true | Theirs alone. |",
        "| `ls` | true | Lists again. |",
        "| `wait` | ? | Waits. |",
    ]
    theirs.write_text("\n".join(["| Tool | Read-only | Description |", "|---|---|---|", *rows, ""]))
    adopted = ("--descriptions", str(theirs), "--output", str(tmp_path))
    run("docs", "build", *adopted)
    capsys.readouterr()

    assert 0 == run("docs", action, *adopted)

    assert [
        f"{theirs}:3: bash: its words are taken over, its flag true is not: here it is false",
        f"{theirs}:5: own: left out, the reference runtime has no tool of that name",
        f"{theirs}:6: ls: left out, an earlier row describes this tool",
    ] == capsys.readouterr().err.splitlines()
    assert "| `bash` | false | Their words. |\n" in (tmp_path / "TOOL_CONTRACT.md").read_text()


def test_documents_keep_what_is_written_by_hand(tmp_path: Path) -> None:
    """A rebuild must not cost anybody's words."""
    run("docs", "build", "--output", str(tmp_path))
    path = tmp_path / "TOOL_CONTRACT.md"
    marker = "<!-- hand-written: introduction -->\n"
    path.write_text(path.read_text().replace(marker, f"{marker}Our own words.\n"))

    assert 0 == run("docs", "check", "--output", str(tmp_path))
    path.write_text(path.read_text().replace("## Tools", "## Toools"))
    assert 1 == run("docs", "check", "--output", str(tmp_path))
    assert 0 == run("docs", "build", "--output", str(tmp_path))

    assert "Our own words.\n" in path.read_text()
    assert "## Tools\n" in path.read_text()


def test_only_the_command_that_is_asked_for_is_imported() -> None:
    """`rules` must not wait for what `replay` needs."""
    code = (
        "import sys; from reasonix_conformance import cli; cli.main(['rules', 'CS-02.V1']);"
        "print([c for c in cli.COMMANDS if f'reasonix_conformance.commands.{c}' in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "['rules']" == done.stdout.splitlines()[-1]


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_code_of_the_documents_can_be_looked_up(language: str) -> None:
    """What the page of the rules names, the command explains: no dead end."""
    text = (DOCS / rules_document.FILES[language]).read_text("utf-8")
    cells = re.findall(r"\| ((?:`[a-z_.0-9]+`(?:, )?)+) (?=\|)", text)
    named = {code for cell in cells for code in re.findall(r"`([a-z_]+\.[a-z0-9_.]+)`", cell)}
    points = rules_document.points_of(CONTRACT)
    codes = {
        code for code in named if not any(f"{point}.".startswith(f"{code}.") for point in points)
    }

    assert len(codes) > 150
    assert all(rules_command.find(code) for code in codes)


def test_a_rule_in_chinese_has_chinese_labels(capsys: pytest.CaptureFixture[str]) -> None:
    """A sentence in one language under labels in another is read twice."""
    assert 0 == run("rules", "verification.stale", "--language", "zh-CN")

    lines = capsys.readouterr().out.splitlines()
    assert "验证必须晚于最近一次改动。" == lines[1]
    assert [
        "  原因代码：verification.stale",
        "由 verification.stale 决定：",
        "同一门禁（complete_step）接受：",
    ] == [line for line in lines if line.startswith(("  原因代码", "由", "同一门禁"))]


def test_a_code_that_gives_no_verdict_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody should look for it in a report."""
    assert 0 == run("rules", "goal_life.new_session")

    assert "  no verdict     goal_life.new_session\n" in capsys.readouterr().out


def test_both_command_lines_tell_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    """A report of a fault has to name it."""
    number = version("reasonix-conformance")

    for name, main in (("reasonix-conformance", cli.main), ("reasonix-runtime", runtime_cli.main)):
        with pytest.raises(SystemExit) as leaving:
            main(["--version"])
        assert 0 == leaving.value.code
        assert f"{name} {number}\n" == capsys.readouterr().out
