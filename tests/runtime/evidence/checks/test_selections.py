"""What picks a part of a check in a variable, and what a check is told to leave out."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.left_out import left_out_by, names_project_of, names_tests_of
from reasonix_runtime.evidence.command_kinds import checks_nothing
from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS, classify


@pytest.mark.parametrize(
    ("command", "verifies"),
    [
        # a variable picks
        ("GOFLAGS=-run=NoSuch go test ./...", False),
        ("GOFLAGS='-count=1 -short' go test ./...", False),
        ("GOFLAGS=-race go test ./...", True),
        ("PYTEST_ADDOPTS='-m slow' pytest", False),
        ("PYTEST_ADDOPTS=--lf tox", False),
        ("PYTEST_ADDOPTS=tests/a.py pytest", False),
        ("PYTEST_ADDOPTS='-n auto -ra' pytest", True),
        ("SPEC_OPTS='--tag fast' rspec", False),
        ("SPEC_OPTS='--format doc' rspec", True),
        ("RUBOCOP_OPTS='--only Style' rubocop", False),
        ("NODE_OPTIONS=--test-only npm test", False),
        ("NODE_OPTIONS=--experimental-vm-modules npx jest", True),
        ("MAVEN_ARGS='-pl core' mvn test", False),
        ("MAVEN_OPTS=-Xmx1g mvn test", True),
        ("JAVA_TOOL_OPTIONS=-DexcludedGroups=slow mvn test", False),
        ("GRADLE_OPTS=-Dorg.gradle.daemon=false gradle test", True),
        ("MAKEFLAGS=-j4 make test", True),
        ("MAKEFLAGS='-f other.mk' make test", False),
        ("TOX_OVERRIDE=testenv.commands=true tox", False),
        ("TOX_PARALLEL_NO_SPINNER=1 tox", True),
        ("NEXTEST_NO_TESTS=pass cargo nextest run", False),
        ("NEXTEST_PROFILE=ci cargo nextest run", True),
        ("CTEST_OUTPUT_ON_FAILURE=1 ctest", True),
        ("make test TESTARGS='-run TestA'", True),
        ("SKIP=ruff pre-commit run -a", False),
        ("SKIP=$HOOKS pre-commit run -a", False),
        ("SKIP=check-added-large-files pre-commit run -a", True),
        ("SKIP= pre-commit run -a", True),
        ("RUSTFLAGS='-A warnings' cargo clippy", False),
        ("CARGO_ENCODED_RUSTFLAGS=-Awarnings cargo clippy", False),
        ("RUSTFLAGS='-Awarnings --cfg tokio_unstable' cargo test", True),
        # everything is left out
        ("pytest --ignore tests/", False),
        ("pytest --ignore-glob='**' ", False),
        ("pytest tests/a.py --deselect=tests/a.py", False),
        ("pytest tests/a.py::t --deselect tests/a.py", False),
        ("pytest tests/a.py --deselect=tests/a.py::t", True),
        ("npx vitest run --exclude '**/node_modules/**'", True),
        ("npx vitest run --exclude '**/*'", False),
        ("make -o test test", False),
        ("make -o lint -o test lint test", False),
        ("make -o lint lint test", True),
        ("mypy src --exclude src/gen", True),
        ("deno test --ignore=.", False),
        ("cargo test --workspace --exclude '*'", False),
        ("cargo test --workspace --exclude slow", True),
        ("npx ava '!**/*'", False),
        ("npx ava test '!test'", False),
        ("npx ava '!test/slow.js'", True),
        ("bazel test //... -- -//...", False),
        ("bazel test //... -- -//slow/...", True),
        ("MAVEN_CONFIG=-DskipTests ./mvnw test", False),
        ("CTEST_ARGS=--show-only make test", False),
        # a project hands on what a variable holds, and its runner reads it
        ("CTEST_ARGS=-N make test", False),
        ("CTESTFLAGS=-N make check", False),
        ("make test ARGS=-N", False),
        ("make test ARGS=-V", True),
        ("make test TESTFLAGS=-n", False),
        ("make test TESTFLAGS='-n -v'", False),
        ("make test TESTFLAGS='-n 4'", True),
        ("make test PYTEST_ARGS='-n 4'", True),
        ("make test PYTEST_ARGS='tests/test_a.py -x'", True),
        ("make test PYTEST_ARGS=--co", False),
        ("GO_TEST_FLAGS=-list=. make test", False),
        ("CFLAGS=-n make test", True),
        # what runs is what is left out otherwise
        ("cargo test -- --ignored", False),
        ("cargo test -- --include-ignored", True),
        ("cargo test -- --bench", False),
        ("cargo nextest run --run-ignored only", False),
        ("cargo nextest run --run-ignored all", True),
        ("cargo nextest run --no-tests=pass", True),
        ("cargo nextest run -E 'none()'", False),
        ("pytest -m skip", False),
        ("pytest -m 'not skip'", True),
        ("mix test --only skip", False),
        ("rspec --tag ~skip", True),
        ("dotnet test --filter Category=Disabled", False),
        ("dotnet test --filter Category=Unit", True),
        ("swift test --skip '.*'", False),
        ("swift test --skip SlowTests", True),
        # a variable of the runner itself names sessions as its option does
        ("TOXENV=py311 tox", True),
        ("NOXSESSION=tests nox", True),
        ("TOXENV=py311 make test", False),
        ("mypy --exclude . src", False),
    ],
)
def test_a_check_tells_something(command: str, *, verifies: bool) -> None:
    """What nobody sees was not told, and what leaves everything out checked nothing."""
    found = classify(command, CONTRACT_COMMANDS)

    assert (verifies, False) == (found.verification, found.mutates)


@pytest.mark.parametrize(
    ("command", "nothing"),
    [
        ("pytest --collect-only", True),
        ("GOFLAGS=-run=X go test ./...", True),
        ("cd web && SKIP_TESTS=1 make test", True),
        ("pytest -q", False),
        ("ls", False),
        ("sed -i s/a/b/ a.py", False),
    ],
)
def test_a_check_that_tells_nothing_is_known_as_one(command: str, *, nothing: bool) -> None:
    """Who ran it is told that, and not that nothing ran."""
    assert nothing is checks_nothing(command, CONTRACT_COMMANDS)
    assert not checks_nothing(command, CLASSIC_COMMANDS)


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("pytest --deselect tests/a.py::t --ignore=b", ("tests/a.py::t", "b")),
        ("pytest -k 'a and not b'", ("b",)),
        ("pytest -k parser", ()),
        ("go test -skip TestA ./...", ("TestA",)),
        ("cargo test -- --skip net", ("net",)),
        ("cargo test -- --skip=net", ("net",)),
        ("ctest -E net", ("net",)),
        ("npx nx run-many -t test --exclude=cart,shop", ("cart", "shop")),
        ("npx lerna run test --ignore @acme/ui", ("@acme/ui",)),
        ("pnpm turbo run test --filter='!@acme/ui' --filter=web", ("@acme/ui",)),
        ("mvn test -pl :a,!:b", (":b",)),
        ("dotnet test --filter 'Name~X&FullyQualifiedName!~Cart'", ("Cart",)),
        ("bazel test //... -- -//src/server/...", ("//src/server/...",)),
        ("ruff check . --exclude tests", ()),
        ("cat tests/a.py", ()),
    ],
)
def test_what_tests_leave_out_is_known_by_name(command: str, names: tuple[str, ...]) -> None:
    """A linter that leaves something out was never to speak for the tests."""
    assert names == tuple(map(str.strip, left_out_by(command, CONTRACT_COMMANDS)))


@pytest.mark.parametrize(
    ("name", "path", "speaks"),
    [
        ("tests/test_parser.py::test_a", "/w/src/parser.py", True),
        ("TestParser", "/w/parser.go", True),
        ("parser", "/w/src/parser_test.go", True),
        ("tests/parser_spec.rb", "/w/lib/parser.rb", True),
        ("testUserStore", "/w/src/user_store.ts", True),
        ("tests/test_parsers.py", "/w/src/parser.py", False),
        ("tests/test_net.py", "/w/src/parser.py", False),
        ("tests/test_a.py", "/w/src/a.py", False),
    ],
)
def test_tests_are_called_after_what_they_test(name: str, path: str, *, speaks: bool) -> None:
    """A name of a letter or two stands in too many others to say anything."""
    assert speaks is names_tests_of(name, path)


@pytest.mark.parametrize(
    ("name", "path", "speaks"),
    [
        ("cart", "libs/cart/src/lib/cart.ts", True),
        ("@acme/ui", "packages/ui/src/button.tsx", True),
        ("shared-ui", "libs/shared/ui/src/a.ts", True),
        (":core", "/w/app/core/src/main/java/A.java", True),
        ("a", "svc/a/main.go", True),
        ("core", "crates/api/src/core/mod.rs", False),
        ("shop", "libs/cart/src/lib/cart.ts", False),
        ("", "main.go", False),
    ],
)
def test_a_project_is_called_like_its_folder(name: str, path: str, *, speaks: bool) -> None:
    """Or like that and the folder around it."""
    assert speaks is names_project_of(name, path)
