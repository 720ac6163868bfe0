"""The syrupy extension and the contract suite keep one set of files."""

from __future__ import annotations

from typing import Any

import pytest
from runs import run_pytest

from reasonix_conformance import snapshots

TEST = """\
import pytest
from host import registry
from reasonix_conformance.syrupy_extension import CanonicalSchemaExtension

SCHEMAS = {entry["name"]: entry["schema"] for entry in registry.entries()}

@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_schema(name, snapshot):
    assert SCHEMAS[name] == snapshot.use_extension(CanonicalSchemaExtension)(name=name)
"""


def run(project: Any, *args: str) -> pytest.RunResult:
    """Run a user's own snapshot tests."""
    project.write()
    (project.root / "test_user.py").write_text(TEST)
    return run_pytest(project.pytester, "-W", "error", *args)


def test_it_reads_what_the_suite_records(project: Any) -> None:
    """A user who moves from one to the other must not record everything anew."""
    run(project).assert_outcomes(passed=3)


def test_a_changed_schema_is_told_in_words(project: Any) -> None:
    """The assertion shows the property, not two blobs."""
    project.tools["look"]["schema"]["required"] = []

    result = run(project)

    result.assert_outcomes(passed=2, failed=1)
    assert 'root: required lost "path"' in result.stdout.str()


def test_the_suite_reads_what_it_records_and_nothing_is_deleted(project: Any) -> None:
    """Snapshots that no test of the user names belong to the contract suite."""
    project.tools["look"]["schema"]["properties"]["path"] = {"type": "integer"}
    snapshots.write(project.snapshots, "other", b'{"properties":{},"type":"object"}')

    run(project, "--snapshot-update", "-k", "look").assert_outcomes(passed=1, deselected=2)

    assert ("look", "other", "put", "wait") == snapshots.names(project.snapshots)
    result = project.run()
    assert "look" in project.failed(result)  # the fingerprint in the document is still the old one
    assert "tool/schema-snapshot" not in "".join(
        line for line in result.outlines if line.startswith("tool/")
    )


def test_a_missing_snapshot_fails_and_is_not_written(project: Any) -> None:
    """Only an update writes."""
    snapshots.delete(project.snapshots, "put")

    run(project).assert_outcomes(passed=2, failed=1)

    assert ("look", "wait") == snapshots.names(project.snapshots)
