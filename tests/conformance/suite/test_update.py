"""`--reasonix-update` writes what was selected, whole, once, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import docs, snapshots
from reasonix_conformance.errors import SnapshotError
from reasonix_conformance.settings import DEFAULT_SUBJECT
from reasonix_runtime.contract.canonical import EMPTY, canonicalise, fingerprint

CHANGED = {"type": "object", "properties": {"path": {"type": "integer"}}}


def state(project: Any) -> dict[str, bytes]:
    """Return every file that an update might touch."""
    folders = (project.snapshots, project.root / "docs")
    return {
        path.name: path.read_bytes()
        for folder in folders
        for path in sorted(folder.iterdir())
        if path.is_file()
    }


def change_all(project: Any) -> None:
    """Change schema, flag and text of every tool, and leave the document as it was."""
    project.write()
    written = project.document.read_text()
    for tool in project.tools.values():
        tool.update(schema=CHANGED, read_only=not tool["read_only"], description="New | text.")
    project.write()
    project.document.write_text(written)
    project.write = lambda: None


def test_nothing_is_written_without_the_option(project: Any) -> None:
    """A missing snapshot that is written silently passes every change."""
    change_all(project)
    (project.snapshots / "look.json").unlink()
    before = state(project)

    project.run().assert_outcomes(failed=3, passed=2)

    assert before == state(project)


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_an_update_accepts_everything_and_the_next_run_is_green(
    project: Any, workers: tuple[str, ...]
) -> None:
    """Parallel workers lose nothing and never leave half a file."""
    change_all(project)
    names = set(state(project))

    project.run("--reasonix-update", *workers).assert_outcomes(passed=5)

    assert names == set(state(project))
    project.run("--reasonix-strict").assert_outcomes(passed=5)


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_only_what_was_selected_is_accepted(project: Any, workers: tuple[str, ...]) -> None:
    """What did not run keeps its snapshot, its row and its failure."""
    change_all(project)
    (project.snapshots / "gone.json").write_text("{}")
    before = state(project)

    project.run("--reasonix-update", "-k", "look", *workers).assert_outcomes(
        passed=1, deselected=0 if workers else 5
    )

    after = state(project)
    changed = {name for name in after if after[name] != before.get(name)}
    assert {"look.json", "TOOL_CONTRACT.md"} == changed
    assert set(before) == set(after)
    rows = docs.parse(after["TOOL_CONTRACT.md"].decode(), "x").rows
    assert [("look", False, "New | text."), ("put", False), ("wait", True)] == [
        ("look", rows[0].read_only, rows[0].description),
        *((row.name, row.read_only) for row in rows[1:]),
    ]
    assert ["gone", "put", "wait"] == sorted(project.failed(project.run()))


def test_a_stale_row_and_snapshot_go_when_they_are_selected(project: Any) -> None:
    """Accepting that a tool is gone is an update like any other."""
    project.write()
    written = project.document.read_text()
    del project.tools["wait"]
    project.shown = project.surface = ("look", "put")
    project.write()
    project.document.write_text(written.replace("- `wait`\n", ""))
    project.write = lambda: None

    project.run("--reasonix-update").assert_outcomes(passed=5)

    assert not (project.snapshots / "wait.json").exists()
    assert "`wait`" not in project.document.read_text()
    project.run().assert_outcomes(passed=4)


def test_a_new_tool_gets_its_row_in_its_place(project: Any) -> None:
    """Rows stand in the order of names; every other line stays."""
    project.write()
    before = project.document.read_text().splitlines()
    project.tools["move"] = {"description": "Move.", "read_only": False, "schema": CHANGED}
    project.write()
    project.document.write_text("\n".join(before) + "\n")
    project.write = lambda: None

    project.run("--reasonix-update", "-k", "move").assert_outcomes(passed=1, deselected=5)

    after = project.document.read_text().splitlines()
    assert ["| `move` | false | Move. |", "| `put` |"] == [
        line[: len(start)]
        for line, start in zip(after[5:7], ["| `move` | false | Move. |", "| `put` |"], strict=True)
    ]
    assert before == [line for line in after if "`move`" not in line]


@pytest.mark.parametrize("end", ["\n", ""])
def test_an_empty_table_gets_the_row_of_every_tool(project: Any, end: str) -> None:
    """A host without a document begins one with the head of the table."""
    head = "# Tools\n\n| Tool | Read-only | Description |\n| --- | --- | --- |" + end
    project.text = lambda: head
    project.write()

    result = project.run("--reasonix-update")

    result.assert_outcomes(passed=5)
    rows = "look (docs/TOOL_CONTRACT.md), put (docs/TOOL_CONTRACT.md), wait (docs/TOOL_CONTRACT.md)"
    said = f"accepted: tool/documented (3x): the document has no row for the tool: {rows}"
    assert said in result.stdout.lines
    written = project.document.read_text()
    assert written.startswith(head)
    assert ["look", "put", "wait"] == [row.name for row in docs.parse(written, "x").rows]
    project.write = lambda: None
    project.run().assert_outcomes(passed=5)


def test_a_broken_tool_is_never_recorded(project: Any) -> None:
    """An update must not turn a schema that providers refuse into the recorded truth."""
    project.tools["look"]["schema"] = {"type": "string"}
    project.write()
    before = state(project)

    result = project.run("--reasonix-update", "-k", "look")

    assert ["look"] == project.failed(result)
    assert before == state(project)


def test_a_row_with_other_columns_is_left_to_its_author(project: Any) -> None:
    """A hand-written table may have columns that nobody here knows how to fill."""
    project.text = lambda: (
        "| Tool | Since | Read-only | Description |\n| --- | --- | --- | --- |\n"
        "| `look` | 1.0 | true | Show. |\n| `put` | 1.1 | false | Write. |\n"
        "| `wait` | 1.2 | true | Wait. |\n"
    )
    project.write()
    before = state(project)

    result = project.run("--reasonix-update", "--reasonix-strict", "-k", "look")

    assert ["look"] == project.failed(result)
    assert "to do     edit the document by hand: " in result.stdout.str()
    assert set() == commands(result)
    assert before == state(project)


def test_an_update_that_changes_nothing_touches_nothing(project: Any) -> None:
    """Times of files tell build tools what to do again."""
    project.write()
    times = {path: path.stat().st_mtime_ns for path in project.snapshots.iterdir()}
    times[project.document] = project.document.stat().st_mtime_ns
    project.write = lambda: None

    project.run("--reasonix-update").assert_outcomes(passed=5)

    assert times == {path: path.stat().st_mtime_ns for path in times}


@pytest.mark.parametrize("name", ["bash", "mcp__a__b", "a/b", ".hidden", "a b", "é", "%41"])
def test_every_name_has_a_file_of_its_own(tmp_path: Path, name: str) -> None:
    """A name is text from a host; it must never lead out of the folder."""
    snapshots.write(tmp_path, name, EMPTY)

    assert tmp_path == snapshots.path_of(tmp_path, name).parent
    assert (name,) == snapshots.names(tmp_path)
    assert EMPTY == canonicalise(snapshots.read(tmp_path, name) or b"")


def test_a_snapshot_file_reads_well_and_stands_for_its_bytes(tmp_path: Path) -> None:
    """A change is reviewed in this file; numbers and escapes stay as the host wrote them."""
    canonical = canonicalise({"type": "object", "x": [1e21, 1e-7, 1.0, "a<b & é"]})

    snapshots.write(tmp_path, "t", canonical)

    text = (tmp_path / "t.json").read_text(encoding="utf-8")
    assert text.startswith('{\n  "properties": {},\n')
    assert text.endswith("}\n")
    assert canonical == canonicalise(text.encode())
    assert snapshots.stands_for(text.encode(), canonical)
    assert json.loads(canonical) == json.loads(text)


def test_what_is_no_schema_has_no_snapshot(tmp_path: Path) -> None:
    """Recording bytes that are no JSON would make them right."""
    with pytest.raises(SnapshotError, match="no canonical JSON"):
        snapshots.write(tmp_path, "t", b"{no json")


@pytest.mark.parametrize(
    "text",
    [
        b'{\n  "a": "one \n two"\n}\n',  # a line break inside of a string is no layout
        b'{\n  "a": "one  two",\n}\n',
        b'{"a": "one  two"}',
        b'{\n  "a": "one two"\n}\n',
    ],
)
def test_the_quick_comparison_takes_nothing_else_for_the_snapshot(text: bytes) -> None:
    """A file that is torn or laid out by hand goes the slow way, where it is read as JSON."""
    assert not snapshots.stands_for(text, b'{"a":"one  two"}')


def test_a_snapshot_that_was_laid_out_by_hand_is_the_same_snapshot(project: Any) -> None:
    """Formatters touch every JSON file of a project."""
    path = project.snapshots / "look.json"
    path.write_text(json.dumps(json.loads(path.read_text()), indent=8) + "\n\n")

    project.run().assert_outcomes(passed=5)


def test_what_was_written_is_told(project: Any) -> None:
    """The one option that writes says where, so that nobody has to look for it."""
    change_all(project)
    (project.snapshots / "gone.json").write_text("{}")

    result = project.run("--reasonix-update")

    result.stdout.fnmatch_lines(
        ["written: reasonix-contract (3 snapshots, 1 deleted)", "written: docs/TOOL_CONTRACT.md"]
    )
    assert 2 == result.stdout.str().count("written: ")


def test_what_cannot_be_written_is_not_accepted(project: Any) -> None:
    """A document without a table has no place for a row; its tools are not documented by asking."""
    project.write()
    project.document.write_text("# Contract\n")
    project.write = lambda: None

    project.run("--reasonix-update", "-k", "look").assert_outcomes(failed=1, deselected=4)

    assert "# Contract\n" == project.document.read_text()


def test_a_document_outside_of_the_root_is_written(
    pytester: pytest.Pytester, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What was accepted and not written would fail again, and nobody would know why."""
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "TOOL_CONTRACT.md"
    elsewhere.write_text(docs.render("en").replace("# Tool contract", "# Contract"))
    options = (
        "--reasonix-contract", f"--reasonix-subject={DEFAULT_SUBJECT}",
        f"--reasonix-document={elsewhere}", "-k", "document",
    )  # fmt: skip

    pytester.runpytest_inprocess(*options, "--reasonix-update")

    assert docs.render("en") == elsewhere.read_text()


def test_a_line_that_was_not_accepted_keeps_its_end(project: Any) -> None:
    """A document of two editors has both line ends; an update must not touch every line of it."""
    project.write()
    lines = project.document.read_text().replace("Show a file.", "Show it.").splitlines()
    mixed = [line + ("\r\n" if number % 2 else "\n") for number, line in enumerate(lines)]
    project.document.write_bytes("".join(mixed).encode())
    project.write = lambda: None

    project.run("--reasonix-update").assert_outcomes(passed=5)

    wanted = "".join(mixed).replace("Show it.", "Show a file.")
    assert wanted.encode() == project.document.read_bytes()


def test_an_update_without_a_subject_is_refused_and_writes_nothing(project: Any) -> None:
    """The tools of the reference runtime in somebody's own document are a contract that lies."""
    project.write()
    before = state(project)

    result = project.pytester.runpytest_inprocess("--reasonix-contract", "--reasonix-update")

    message = result.stderr.str()
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert "--reasonix-update: nobody told whose contract this is" in message
    assert "the tools of the reference runtime into docs/TOOL_CONTRACT.md" in message
    assert "--reasonix-subject=SPEC" in message
    assert "reasonix_subject = SPEC" in message
    assert before == state(project)


def test_a_subject_of_the_ini_file_is_told(project: Any) -> None:
    """Two lines in the ini file make every command short."""
    change_all(project)
    project.pytester.makefile(
        ".ini",
        pytest="[pytest]\nreasonix_subject = host:registry\n"
        "reasonix_document = docs/TOOL_CONTRACT.md\n",
    )

    result = project.pytester.runpytest_inprocess("--reasonix-contract", "--reasonix-update")

    result.assert_outcomes(passed=5)
    project.run("--reasonix-strict").assert_outcomes(passed=5)


def commands(result: pytest.RunResult) -> set[str]:
    """Return the commands with an update that the output tells to run."""
    told = result.stdout.str() + result.stderr.str()
    return {part for part in told.split("`") if part.startswith("pytest") and "update" in part}


INI = {
    "nothing": (
        "",
        "pytest --reasonix-contract --reasonix-subject=host:registry"
        " --reasonix-document=docs/TOOL_CONTRACT.md --reasonix-update",
    ),
    "subject": (
        "reasonix_subject = host:registry\n",
        "pytest --reasonix-contract --reasonix-document=docs/TOOL_CONTRACT.md --reasonix-update",
    ),
    "both": (
        "reasonix_subject = host:registry\nreasonix_document = docs/TOOL_CONTRACT.md\n",
        "pytest --reasonix-contract --reasonix-update",
    ),
}


@pytest.mark.parametrize("told", INI)
def test_a_command_to_copy_repeats_what_is_in_force(project: Any, told: str) -> None:
    """A command that means another subject than the run that gave it overwrites what is right."""
    lines, command = INI[told]
    change_all(project)
    project.pytester.makefile(".ini", pytest=f"[pytest]\n{lines}")
    subject = [] if lines else ["--reasonix-subject=host:registry"]

    result = project.pytester.runpytest_inprocess("--reasonix-contract", *subject)

    result.assert_outcomes(failed=3, passed=2)
    assert {command} == commands(result)
    project.pytester.runpytest_inprocess(*command.split()[1:]).assert_outcomes(passed=5)


def test_a_command_to_copy_names_other_files_and_snapshots(project: Any) -> None:
    """Who keeps the document elsewhere gets it and its snapshots back in the command."""
    del project.rows["put"]
    project.write()
    project.document.rename(project.root / "my tools.md")
    options = ("--reasonix-document=my tools.md", "--reasonix-snapshots=kept")

    result = project.run(*options)

    assert {
        "pytest --reasonix-contract --reasonix-subject=host:registry "
        "'--reasonix-document=my tools.md' --reasonix-snapshots=kept --reasonix-update"
    } == commands(result)


def test_a_command_to_copy_repeats_what_took_the_place_of_the_ini_file(project: Any) -> None:
    """It left the subject out, which was then told to be nobody's."""
    project.write()
    project.pytester.makefile(
        ".ini", pytest="[pytest]\nreasonix_document = docs/TOOL_CONTRACT.md\n"
    )
    change_all(project)
    given = ("-o", "reasonix_subject=host:registry")

    result = project.pytester.runpytest_inprocess("--reasonix-contract", *given)

    command = f"pytest --reasonix-contract {' '.join(given)} --reasonix-update"
    assert {command} == commands(result)
    project.pytester.runpytest_inprocess(*command.split()[1:]).assert_outcomes(passed=5)


def test_an_update_with_another_subject_leaves_the_snapshots_of_the_project(project: Any) -> None:
    """One run with the tools of somebody else deleted all that was recorded."""
    project.write()
    project.pytester.makefile(".ini", pytest="[pytest]\nreasonix_subject = host:registry\n")
    other = {"name": "peek", "description": "Peek.", "read_only": True, "schema": {}}
    other["schema"] = {"type": "object", "properties": {}}
    (project.root / "other.json").write_text(json.dumps([other]))
    (project.root / "OTHER.md").write_text(
        "| Tool | Read-only | Description |\n| --- | --- | --- |\n"
    )
    before = state(project)

    result = project.pytester.runpytest_inprocess(
        "--reasonix-contract", "--reasonix-subject=other.json", "--reasonix-document=OTHER.md",
        "--reasonix-update",
    )  # fmt: skip

    result.assert_outcomes(passed=2)
    assert before == state(project)


def test_an_update_that_adds_a_row_does_not_miss_it(project: Any) -> None:
    """The summary of the run that wrote the rows said that there were none."""
    project.rows.clear()
    project.fingerprints.clear()

    result = project.run("--reasonix-update")

    assert "accepted: tool/documented (3x)" in result.stdout.str()
    assert "accepted: tool/fingerprint (3x)" in result.stdout.str()
    assert "not assessed: tool/flag" not in result.stdout.str()
    assert "not assessed: tool/description-text" not in result.stdout.str()


def test_no_command_names_the_reference_runtime_where_nobody_did(project: Any) -> None:
    """A host that is judged as the reference runtime by oversight must not be told to become it."""
    project.write()

    result = project.pytester.runpytest_inprocess("--reasonix-contract")

    assert {
        "pytest --reasonix-contract --reasonix-subject=SPEC"
        " --reasonix-document=docs/TOOL_CONTRACT.md --reasonix-update"
    } == commands(result)


@pytest.mark.parametrize(
    ("args", "subject"),
    [((), "SPEC"), (("--reasonix-subject=host:registry",), "host:registry")],
)
def test_a_missing_document_is_begun_for_the_subject_in_force(
    project: Any, args: tuple[str, ...], subject: str
) -> None:
    """The first command that a new user copies writes the tools of the user's own host."""
    project.write()

    result = project.pytester.runpytest_inprocess(
        "--reasonix-contract", "--reasonix-document=NEW.md", *args
    )

    assert {
        f"pytest --reasonix-contract --reasonix-subject={subject}"
        " --reasonix-document=NEW.md --reasonix-update"
    } == commands(result)


UNORDERED = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b", "a"]}


@pytest.mark.parametrize("update", [(), ("--reasonix-update",)])
def test_what_keeps_a_tool_from_being_recorded_is_told_first(
    project: Any, update: tuple[str, ...]
) -> None:
    """Advice to run the command that was just run leads nowhere."""
    project.tools["look"]["schema"] = json.dumps(UNORDERED)
    del project.rows["look"]
    project.write()
    before = state(project)

    result = project.run(*update, "-k", "look")

    output = result.stdout.str()
    assert ["look"] == project.failed(result)
    assert before == state(project)
    assert "to do     first mend tool/schema-canonical; after that, add the row, or let" in output
    assert (
        "to do     first mend tool/schema-canonical; after that, if the change is meant" in output
    )
    assert "register the canonical form" in output
    (project.root / "host.py").write_text(
        (project.root / "host.py").read_text().replace('["b", "a"]', '["a", "b"]')
    )
    project.tools["look"]["schema"] = UNORDERED | {"required": ["a", "b"]}
    project.run("--reasonix-update", "-k", "look").assert_outcomes(passed=1, deselected=4)


def test_what_is_only_recommended_keeps_nothing_from_being_recorded(project: Any) -> None:
    """A recursive schema is valid; without a snapshot it could never be green."""
    project.tools["wait"]["schema"] = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}},
    }
    project.fingerprints["wait"] = fingerprint(canonicalise(project.tools["wait"]["schema"]))

    result = project.run("--reasonix-update", "-k", "wait")

    result.assert_outcomes(passed=1, deselected=4)
    result.stdout.fnmatch_lines(["recommended, not met: tool/schema-portable (1x): *"])
    project.run("-k", "wait").assert_outcomes(passed=1, deselected=4)
    assert ["wait"] == project.failed(project.run("--reasonix-update", "--reasonix-strict"))
