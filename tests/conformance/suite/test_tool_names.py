"""Names that no row can hold, and tools that were renamed, are told so that a reader sees it."""

from __future__ import annotations

from typing import Any

import pytest

ODD = {
    "l\u043eok": "U+043E CYRILLIC SMALL LETTER O",
    "look\u200b": "U+200B ZERO WIDTH SPACE",
    "look ": "U+0020 SPACE",
    "lo\nok": "U+000A",
    "lo`ok": "U+0060 GRAVE ACCENT",
    "lo|ok": "U+007C VERTICAL LINE",
    "读取": "U+8BFB CJK UNIFIED IDEOGRAPH-8BFB, U+53D6 CJK UNIFIED IDEOGRAPH-53D6",
    "..": "'.' as the first character",
    "look\ud800": "U+D800",
}


@pytest.fixture
def renamed(project: Any) -> Any:
    """Return a project that renames its tool `look`, and leaves everything else as it was."""
    project.write()
    written = project.document.read_text()

    def rename(name: str) -> Any:
        project.tools = {
            name if old == "look" else old: tool for old, tool in project.tools.items()
        }
        project.shown = ()
        project.write()
        project.document.write_text(written)
        project.write = lambda: None
        return project

    return rename


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("options", [(), ("--reasonix-update",)])
def test_a_name_that_no_row_can_hold_is_told_by_its_characters(
    renamed: Any, name: str, options: tuple[str, ...]
) -> None:
    """Two names that look the same tell nobody what differs, and no update can settle it."""
    project = renamed(name)

    result = project.run(*options)

    text = "\n".join(result.outlines)
    assert f"tool/usable: no document can name the tool {name!a}" in text
    assert f"found     {ODD[name]}\n" in text
    assert "Traceback" not in text
    assert "INTERNALERROR" not in text
    assert f"tool/documented: the document has no row for {name!r}" not in text
    assert pytest.ExitCode.TESTS_FAILED == result.ret
    recorded = {path.name for path in project.snapshots.iterdir()}
    assert {"put.json", "wait.json"} == recorded - {"look.json"}


def test_a_name_that_looks_like_another_names_it(renamed: Any) -> None:
    """The row that it was meant to have is the way out."""
    result = renamed("l\u043eok").run()

    result.stdout.fnmatch_lines(
        [
            "*rename the tool: providers refuse such names; or is it 'look' "
            "(docs/TOOL_CONTRACT.md:5), renamed[?]"
        ]
    )


def test_a_renamed_tool_names_its_old_row(renamed: Any) -> None:
    """Who renames a tool gets a new one and a stale one; that they are one is said."""
    result = renamed("looks").run()

    result.stdout.fnmatch_lines(["*; or is it 'look' (docs/TOOL_CONTRACT.md:5), renamed[?]"])


def test_a_new_tool_is_not_taken_for_one_that_is_still_there(project: Any) -> None:
    """`puts` beside `put` is a tool of its own."""
    project.write()
    written = project.document.read_text()
    project.tools["puts"] = project.tools["put"]
    project.write()
    project.document.write_text(written)
    project.write = lambda: None

    assert "renamed" not in "\n".join(project.run().outlines)


def test_half_of_a_pair_in_a_description_is_written_as_the_canonical_form_has_it(
    project: Any,
) -> None:
    """A text that no file can hold ended the update in the middle."""
    project.tools["wait"]["description"] = "Wait \ud800."

    project.run("--reasonix-update").assert_outcomes(passed=5)

    assert "| `wait` | true | Wait \ufffd. |" in project.document.read_text(encoding="utf-8")


LONG = {"plain": "a" * 251, "escaped": "a" + "/b" * 63, "of another script": "é" * 100}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("option", [(), ("--reasonix-update",)])
def test_a_name_too_long_for_a_file_is_a_fault_of_its_tool(
    kind: str, option: tuple[str, ...], renamed: Any
) -> None:
    """It ended in the words of the operating system, and a command with nothing else."""
    project = renamed(LONG[kind])
    recorded = sorted(project.snapshots.iterdir())

    result = project.run(*option, "-k", "aa or a/b or éé or wait")

    result.assert_outcomes(passed=1, failed=1, deselected=4)
    told = result.stdout.str()
    assert "tool/usable: " in told
    assert ("too long for the file of its snapshot" in told) == (kind != "of another script")
    assert "File name too long" not in told
    assert recorded == sorted(project.snapshots.iterdir())


def test_a_row_with_such_a_name_is_stale_and_nothing_else(project: Any) -> None:
    """The host has renamed the tool, and its document has not followed."""
    project.rows["a" * 300] = project.rows["look"]

    result = project.run("-k", "aaa")

    result.assert_outcomes(failed=1, deselected=5)
    assert "not met: row/stale" in result.stdout.str()


@pytest.mark.parametrize("name", ["a" * 250, "a" + "/b" * 62])
def test_the_longest_name_that_fits_is_recorded(name: str, renamed: Any) -> None:
    """What is written beside the file for a moment has a name as well."""
    project = renamed(name)

    project.run("--reasonix-update", "-k", name).assert_outcomes(passed=1, deselected=5)

    assert (project.snapshots / f"{name.replace('/', '%2F')}.json").is_file()
