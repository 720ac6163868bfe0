"""Checks that missed what was changed: left it out, or were told other files."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.missed import misses
from reasonix_runtime.evidence.checks.read_alone import read_alone
from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.paths import norm


@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("ruff check src/a.py", ("src/a.py",)),
        ("cd src && ruff check --select E501 ./a.py b.py", ("src/./a.py", "src/b.py")),
        ("npx eslint src/ --max-warnings 0", ("src/",)),
        ("black --check src/a.py && flake8 src/b.py", ("src/a.py", "src/b.py")),
        ("pre-commit run ruff --files a.py README.md", ("a.py", "README.md")),
        ("pre-commit run --files a.py --verbose", ("a.py",)),
        ("ruff check", ()),
        ("ruff check src", ()),
        ("ruff check '**/*.py'", ()),
        ("ruff check src/a.py && pytest -q", ()),
        ("mypy --strict src/a.py", ("src/a.py",)),
        ("npx pyright src/a.py", ("src/a.py",)),
        ("basedpyright src/a.py", ("src/a.py",)),
        ("mypy -p shop", ()),
        ("mypy src", ()),
        ("pytest tests/test_a.py", ()),
        ("cat src/a.py", ()),
    ],
)
def test_a_linter_reads_what_it_is_told(command: str, read: tuple[str, ...]) -> None:
    """Whether a type checker came to another file nobody knows; tests run what they like."""
    assert read == read_alone(command, CONTRACT_COMMANDS)
    assert () == read_alone(command, CLASSIC_COMMANDS)


@pytest.mark.parametrize(
    ("command", "missed"),
    [
        ("ruff check src/other.py", True),
        ("ruff check src/", False),
        ("ruff check ./src/cart.py", False),
        ("pytest --ignore=src/cart.py", True),
        ("pytest -q", False),
        ("nx run-many -t test --exclude=src", True),
        ("mypy src/other.py", True),
        ("mypy src/cart.py", False),
        ("pants test :: -src/::", True),
        ("pants test :: -src/", True),
        ("pants test :: -src/cart.py", True),
        ("pants test :: -lib/::", False),
    ],
)
def test_a_check_misses_what_it_left_out_or_never_read(command: str, *, missed: bool) -> None:
    """What was changed decides; where nothing of the work was, nothing is missed."""
    assert missed is misses(command, lambda: ["src/cart.py"], CONTRACT_COMMANDS, key=norm)
    assert not misses(command, list, CONTRACT_COMMANDS, key=norm)


@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("shellcheck scripts/*.sh", "bin/run.sh"),
        ("ls && shellcheck scripts/*.sh", "bin/run.bash"),
        ("shfmt -d .", "lib/a.ksh"),
        ("yamllint . && actionlint", ".github/workflows/ci.yml"),
        ("npx markdownlint '**/*.md'", "docs/a.md"),
        ("ruff check . && mypy src", "src/cart.py"),
        ("flake8", "setup.CFG"),
        ("npx stylelint 'src/**'", "src/a.scss"),
        ("terraform fmt -check && terraform validate", "infra/main.tf"),
        ("tflint", "infra/prod.tfvars"),
        ("rubocop", "lib/a.rb"),
        ("buf lint", "api/a.proto"),
        ("protolint lint .", "api/a.proto"),
        ("swiftlint", "App/a.swift"),
        ("ktlint", "src/A.kt"),
        ("luacheck .", "src/a.lua"),
        ("vendor/bin/phpstan analyse src", "src/A.php"),
        ("hadolint Dockerfile", "build/a.dockerfile"),
        ("sqlfluff lint .", "db/a.sql"),
        ("taplo check", "a.toml"),
        ("npx eslint .", "web/a.vue"),
        ("npx tsc --noEmit && npx eslint .", "web/a.ts"),
        ("npx stylelint '**/*.css' && npx biome check .", "package.json"),
        ("golangci-lint run", "cmd/a.go"),
        ("go vet ./...", "cmd/a.go"),
        ("cppcheck --error-exitcode=1 src", "src/a.cc"),
    ],
)
def test_linters_of_another_language_miss_the_work(command: str, read: str) -> None:
    """They pass whatever stands in it; a file without an ending may be of any language."""

    def missed(*paths: str) -> bool:
        return misses(command, lambda: paths, CONTRACT_COMMANDS, key=norm)

    assert missed("src/cart.rs")
    assert not missed("src/cart.rs", read)
    assert not missed("bin/run")
    assert not missed("bin/run", "src/cart.rs")
    assert not misses(f"{command} && make test", lambda: ["a.rs"], CONTRACT_COMMANDS, key=norm)


@pytest.mark.parametrize("command", ["npx prettier --check .", "typos", "git diff --check"])
def test_a_linter_that_may_read_anything_misses_nothing(command: str) -> None:
    """What a project has it read nobody knows."""
    assert not misses(command, lambda: ["a.rs"], CONTRACT_COMMANDS, key=norm)


@pytest.mark.parametrize(
    ("command", "missed"),
    [
        ("nx run-many -t test --projects=orders", True),
        ("nx run-many -t test --projects=orders,cart", False),
        ("nx run-many -t test --projects=orders,tag:*", False),
        ("nx run-many -t test", False),
        ("nx test orders", True),
        ("npx nx test shop-cart", False),
        ("turbo run test --filter=orders", False),
        ("turbo run test --filter=./apps/orders", True),
        ("turbo run test --filter=./apps/cart", False),
        ("pnpm --filter @acme/orders test", False),
        ("turbo run test --filter=...cart", False),
        ("pnpm --filter './apps/**' test", False),
        ("npm test -w packages/orders", True),
        ("npm test -w @acme/orders", False),
        ("cargo test -p orders", False),
        ("npx nx test orders && npx nx test cart", False),
        ("npx nx test orders && make test", False),
        ("mvn test -pl orders", True),
        ("mvn test -pl :cart", False),
    ],
)
def test_tests_of_other_projects_alone_miss_the_work(command: str, *, missed: bool) -> None:
    """Projects of nx and Maven are called like their folders; others may be called anything."""

    def found(*paths: str) -> bool:
        return misses(command, lambda: paths, CONTRACT_COMMANDS, key=norm)

    assert missed is found("apps/cart/src/a.ts")
    assert missed is found("packages/shop/cart/src/a.ts")
    assert not found()
    assert not found("apps/cart/src/a.ts", "src/cart/a.ts")
    assert not found("apps/cart/src/a.ts", "apps/orders/src/a.ts")
