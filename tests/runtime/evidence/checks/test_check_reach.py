"""How far the tests of a command reach, and which failures a pass outweighs."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.reach import outweighs
from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.paths import resolve


@pytest.mark.parametrize(
    ("passed", "failed"),
    [
        ("pytest -q", "pytest tests/test_a.py"),
        ("pytest tests/", "pytest -x"),
        ("go test ./...", "cd svc/a && go test ./..."),
        ("cd svc && go test ./...", "cd svc/a && go test ./..."),
        ("go -C svc/a test ./...", "cd svc/a && go test ./..."),
        ("npm --prefix web test", "cd web && npm test"),
        ("cd /w/app && pytest", "pytest"),
        ("pytest", "cd /w/app && pytest"),
        ("cd ./web && npm test", "cd web/ && npm test"),
        ("uv run pytest -q", "pytest"),
        ("PYTHONPATH=src pytest -n 4", "pytest"),
        ("pytest tests/a.py", "pytest tests/a.py::t -x"),
        ("npm test", "npm test -- x.test.ts"),
        ("npm test", "npm run test:unit"),
        ("npx vitest run", "npm test"),
        ("go test ./pkg/...", "go test ./pkg/run"),
        ("cargo test --workspace", "cargo test -p a foo"),
        ("cargo test -- --nocapture", "cargo test"),
        ("mvn -B -Dstyle.color=always verify", "mvn -q test"),
        ("./gradlew test", "./gradlew :app:test"),
        ("dotnet test App.sln", "dotnet test"),
        ("python -m unittest discover", "python -m unittest"),
        ("rspec spec", "rspec spec/a_spec.rb"),
        ("make test", "make check"),
        ("pytest", "ruff check . && pytest tests/a.py"),
        ("pnpm -r test", "pnpm test"),
        ("npx vitest run", "npx jest a.test.ts"),
        ("make test", "pytest tests/a.py"),
        ("npm test", "cargo test foo"),
        ("pytest", "cargo test foo"),
        ("mvn verify", "./gradlew test --tests A"),
        ("python -m unittest", "pytest tests/a.py"),
    ],
)
def test_tests_outweigh_those_that_they_take_in(passed: str, failed: str) -> None:
    """What failed ran again, and passed."""
    assert outweighs(passed, failed, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("passed", "failed"),
    [
        ("pytest tests/test_a.py", "pytest -q"),
        ("cd svc/b && go test ./...", "cd svc/a && go test ./..."),
        ("cd svc/b && go test ./...", "go test ./..."),
        ("go -C svc/b test ./...", "go -C svc/a test ./..."),
        ("npm --prefix docs test", "npm --prefix web test"),
        ("mvn -f b/pom.xml test", "mvn -f a/pom.xml test"),
        ("cd /w/b && npm test", "cd /w/a && npm test"),
        ("pytest -k a", "pytest"),
        ("pytest tests/a.py::t", "pytest tests/a.py"),
        ("pytest tests/a.py", "pytest tests/b.py"),
        ("npx jest x.test.ts", "npm test"),
        ("npm run test:unit", "npm test"),
        ("npm run test:a", "npm run test:b"),
        ("go test ./pkg/run", "go test ./..."),
        ("go test -run TestX ./pkg", "go test ./pkg"),
        ("cargo test foo", "cargo test"),
        ("cargo test -p a", "cargo test --workspace"),
        ("mvn test -Dtest=A", "mvn test"),
        ("./gradlew test --tests A", "./gradlew test"),
        ("./gradlew :app:test", "./gradlew test"),
        ("dotnet test tests/A.csproj", "dotnet test"),
        ("make test-unit", "make test"),
        ("nx test web", "nx run-many -t test"),
        ("turbo run test --filter=web", "turbo run test"),
        ("tox -e py311", "tox"),
        ("swift test --filter A", "swift test"),
        ("python manage.py test app", "python manage.py test"),
        ("ruff check . && pytest tests/a.py", "pytest"),
        ("go test ./...", "pytest tests/a.py"),
        ("pytest", "go test ./pkg"),
        ("cargo test", "pytest"),
        ("npx jest", "pytest tests/a.py && npx jest a"),
        ("dotnet test", "swift test"),
    ],
)
def test_a_selection_outweighs_no_more_than_itself(passed: str, failed: str) -> None:
    """What failed may fail still."""
    assert not outweighs(passed, failed, CONTRACT_COMMANDS)


def test_folders_compare_in_the_form_that_is_asked_for() -> None:
    """Where the workspace is known, its whole name is the folder in which the shell stands."""

    def key(path: str) -> str:
        return resolve(path, "/w/app")

    assert outweighs("cd /w/app && pytest", "pytest", CONTRACT_COMMANDS, key)
    assert outweighs("cd /w/app && pytest", "cd web && pytest", CONTRACT_COMMANDS, key)
    assert not outweighs("cd /w/app/web && pytest", "pytest", CONTRACT_COMMANDS, key)
