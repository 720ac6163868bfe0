"""How dangerous a change is, and what a review of it must cover."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.owed.path_class import PathClass, path_class
from reasonix_runtime.evidence.owed.risk import (
    CLASSIC_RISK,
    CONTRACT_RISK,
    MANY_PATHS,
    production_paths,
    risk,
    risk_of_all,
)


@pytest.mark.parametrize(
    ("path", "classic", "contract"),
    [
        ("src/parser.py", "medium", "medium"),
        ("src/auth/login.py", "high", "high"),
        ("src/authHandler.ts", "high", "high"),
        ("internal/authentication/x.go", "high", "high"),
        ("db/migrations/001.sql", "high", "high"),
        ("src/HTTPServer.go", "high", "high"),
        ("src/author.py", "high", "medium"),
        ("src/clock.ts", "high", "medium"),
        ("src/feedback.py", "high", "medium"),
        ("authors.md", "high", "low"),
        ("src/secretary.py", "high", "medium"),
        ("web/blockquote.css", "high", "low"),
        ("src/trace.py", "high", "medium"),
        ("src/tools/x_test.go", "high", "high"),
        ("README.md", "low", "low"),
        ("lib/b_test.ts", "low", "low"),
        ("site/docs/guide.html", "low", "low"),
        ("docs/guide.html", "medium", "low"),
        ("tests/test_app.py", "medium", "medium"),
        ("LICENSE", "medium", "low"),
        ("README.de", "low", "low"),
        ("NOTES.txt", "low", "low"),
        ("docs/requirements.md", "low", "low"),
        ("src/readme_loader.py", "low", "medium"),
        ("requirements-dev.txt", "low", "medium"),
        ("requirements/base.txt", "low", "medium"),
        ("lib/CMakeLists.txt", "low", "medium"),
    ],
)
def test_words_of_danger_are_read_both_ways(path: str, classic: str, contract: str) -> None:
    """A substring finds `db` in `feedback`; a whole word does not (DL-04 R5)."""
    found = (risk("edit_file", [path], CLASSIC_RISK), risk("edit_file", [path], CONTRACT_RISK))

    assert (classic, contract) == found


PROGRAMS = """
bash bat c cc cpp cs go h hpp java js jsx kt lua mjs php pl ps1 py pyi rb rs scala sh sql swift
ts tsx zsh
"""


@pytest.mark.parametrize("ending", PROGRAMS.split())
def test_a_program_is_no_document_whatever_it_is_called(ending: str) -> None:
    """`readme_loader.py` runs; `README.de` is read."""
    assert "medium" == risk("edit_file", [f"src/readme_loader.{ending}"], CONTRACT_RISK)
    assert "low" == risk("edit_file", [f"README.x{ending}"], CONTRACT_RISK)


@pytest.mark.parametrize(
    ("tool", "paths", "expected"),
    [
        ("bash", [], "high"),
        ("mcp__files__put", ["README.md"], "high"),
        ("install_skill", ["README.md"], "high"),
        ("edit_file", [f"docs/{n}.md" for n in range(MANY_PATHS)], "high"),
        ("edit_file", [f"docs/{n}.md" for n in range(MANY_PATHS - 1)], "low"),
        ("edit_file", ["a.md"] * MANY_PATHS, "low"),
        ("move_file", ["a.md", "a.py"], "medium"),
    ],
)
def test_tool_and_number_of_paths_come_before_words(
    tool: str, paths: list[str], expected: str
) -> None:
    """A change whose extent nobody knows is high (R1, R2, R4)."""
    assert expected == risk(tool, paths, CONTRACT_RISK)


def test_several_changes_are_as_dangerous_as_the_worst() -> None:
    """An edit of notes after a change of the store does not make the store harmless."""
    changes = [("edit_file", ["src/store.py"]), ("edit_file", ["NOTES.md"])]

    assert "high" == risk_of_all(changes, CONTRACT_RISK)
    assert "low" == risk_of_all(changes[1:], CONTRACT_RISK)
    assert None is risk_of_all([], CONTRACT_RISK)
    assert "high" == risk_of_all(
        [("edit_file", [f"{n}.md"]) for n in range(MANY_PATHS)], CONTRACT_RISK
    )


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        (["b.go", "a.go", "b.go"], ("b.go", "a.go")),
        (["a.go", "a_test.go", "x/docs/a.html"], ("a.go",)),
        (["a_test.go", "x/Docs/a.html"], ("a_test.go", "x/Docs/a.html")),
    ],
)
def test_tests_and_documents_need_no_review_beside_code(
    paths: list[str], expected: tuple[str, ...]
) -> None:
    """DL-07: unless nothing else was changed."""
    assert expected == production_paths(paths)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("src/auth/x.py", PathClass.AUTH),
        ("src/session_store.py", PathClass.AUTH),
        ("certs/a.pem", PathClass.SECRET),
        ("src/token.py", PathClass.SECRET),
        ("db/migrations/1.sql", PathClass.MIGRATION),
        ("api.proto", PathClass.SCHEMA),
        ("schemas/a.json", PathClass.SCHEMA),
        ("api/v1/users.py", PathClass.PUBLIC_API),
        ("openapi.yaml", PathClass.PUBLIC_API),
        ("docs/guide.html", PathClass.LOW),
        ("pkg/a_test.go", PathClass.LOW),
        ("docs/auth/x.md", PathClass.AUTH),
        ("pkg/mutex.go", PathClass.CONCURRENCY),
        ("src/author.py", PathClass.ORDINARY),
        ("src/clock.py", PathClass.ORDINARY),
        ("bin/graphql", PathClass.ORDINARY),
    ],
)
def test_the_first_class_that_fits_is_the_class_of_a_path(path: str, expected: PathClass) -> None:
    """FC-02: words are whole words, and danger comes before documents."""
    assert expected is path_class(path)
