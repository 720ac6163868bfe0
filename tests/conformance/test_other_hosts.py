"""The document of another host is held against a dump of the tools it sent to a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import FIXTURES

from reasonix_runtime.contract.surface import BUILT_IN

HOSTS = FIXTURES / "hosts"
CLASSIC = HOSTS / "classic-2026-08" / "tools.json"

WRITERS = frozenset(
    [
        "bash",
        "delete_range",
        "delete_symbol",
        "edit_file",
        "kill_shell",
        "move_file",
        "multi_edit",
        "notebook_edit",
        "write_file",
    ]
)


def names(dump: Path) -> list[str]:
    """Return the tool names of a dump."""
    return [entry["function"]["name"] for entry in json.loads(dump.read_text())]


def document(rows: list[str], surface: list[str]) -> str:
    """Return a document of the family: built-in tools in the table, everything in the surface."""
    table = [
        f"| `{name}` | {str(name not in WRITERS).lower()} | What {name} does. |" for name in rows
    ]
    listed = ", ".join(f"`{name}`" for name in surface)
    return "\n".join([
        "# Tool Contract", "", "| Tool | Read-only | Description |", "| --- | --- | --- |", *table,
        "", "## Default Full Boot Surface", "", f"The default boot shows: {listed}.", "",
        "## Unified Boot Surface", "", "- `bash`", "- `use_capability`", "",
    ])  # fmt: skip


class Host:
    """A host's dump and document in a folder of their own."""

    def __init__(self, pytester: pytest.Pytester, dump: Path) -> None:
        self.pytester = pytester
        self.dump = json.loads(dump.read_text())
        self.surface = names(dump)
        self.rows = [name for name in BUILT_IN if name in self.surface]

    def run(self, *args: str) -> pytest.RunResult:
        """Hold the two against each other."""
        (self.pytester.path / "tools.json").write_text(json.dumps(self.dump))
        (self.pytester.path / "THEIRS.md").write_text(document(self.rows, self.surface))
        return self.pytester.runpytest_inprocess(
            "--reasonix-contract", "--reasonix-subject", "tools.json",
            "--reasonix-document", "THEIRS.md", "--reasonix-snapshots", "snapshots",
            "-rsf", *args,
        )  # fmt: skip


@pytest.fixture
def host(pytester: pytest.Pytester) -> Host:
    """Return a classic host whose snapshots are recorded."""
    made = Host(pytester, CLASSIC)
    made.run("--reasonix-update")
    return made


def failed(result: pytest.RunResult) -> list[str]:
    """Return the names of the items that failed."""
    return [
        line.split("::")[1].split(" - ")[0]
        for line in result.outlines
        if line.startswith("FAILED ")
    ]


def test_a_host_that_keeps_to_its_document_is_green(host: Host) -> None:
    """What a request does not tell is named, and nothing of it is passed."""
    result = host.run()

    output = result.stdout.str()
    assert [] == failed(result)
    assert "not assessed: tool/flag (20x)" in output
    assert "not assessed: tool/documented (27x)" in output
    assert "a request shows one surface" in output


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda host: host.rows.remove("bash"), {"bash"}),
        (lambda host: host.surface.remove("glob"), {"surface:registry"}),
        (lambda host: host.surface.append("zebra"), {"surface:registry"}),
        (lambda host: host.dump.pop(1), {"surface:registry"}),
        (
            lambda host: host.dump[1]["function"]["parameters"]["required"].clear(),
            {"bash"},
        ),
        (lambda host: host.dump[1]["function"].update(parameters="{no json"), {"bash"}),
        (lambda host: host.dump[1]["function"].update(description=""), {"bash"}),
    ],
)
def test_one_change_fails_where_it_was_made(host: Host, edit: Any, expected: set[str]) -> None:
    """The maintainers of a port look at the right place at once."""
    edit(host)

    assert expected == set(failed(host.run()))


def test_the_newest_host_and_the_classic_document_do_not_agree(pytester: pytest.Pytester) -> None:
    """Two hosts with different contracts must not pass for one."""
    made = Host(pytester, CLASSIC)
    made.dump = json.loads((HOSTS / "reasonix-1.38.11" / "tools.json").read_text())

    result = made.run()

    assert {"surface:core", "create_goal"} <= set(failed(result))


def test_the_document_of_another_host_is_never_compared_with_our_words(
    pytester: pytest.Pytester,
) -> None:
    """Held against the reference runtime, a foreign document is judged by facts, not by style."""
    made = Host(pytester, CLASSIC)
    made.rows = list(BUILT_IN)
    (pytester.path / "THEIRS.md").write_text(document(made.rows, made.surface))

    result = pytester.runpytest_inprocess(
        "--reasonix-contract", "--reasonix-document", "THEIRS.md", "--reasonix-strict",
        "-k", "bash and not surface and not bash_output",
    )  # fmt: skip

    assert "tool/description-text" not in "".join(
        line for line in result.outlines if line.startswith("tool/")
    )
    assert "its texts are compared with that host" in result.stdout.str()


def test_snapshots_of_the_ini_file_belong_to_the_subject_named_there(
    pytester: pytest.Pytester,
) -> None:
    """Our own snapshots say nothing about another host, and are never overwritten with its."""
    made = Host(pytester, CLASSIC)
    pytester.makefile(".ini", pytest="[pytest]\nreasonix_snapshots = ours\n")
    (pytester.path / "tools.json").write_text(json.dumps(made.dump))
    (pytester.path / "THEIRS.md").write_text(document(made.rows, made.surface))

    result = pytester.runpytest_inprocess(
        "--reasonix-contract", "--reasonix-subject", "tools.json",
        "--reasonix-document", "THEIRS.md", "--reasonix-update",
    )  # fmt: skip

    assert [] == failed(result)
    assert "no snapshots belong to this subject" in result.stdout.str()
    assert not (pytester.path / "ours").exists()
