"""Checks that missed what was changed: left it out, or were told other files."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.missed import misses
from reasonix_runtime.evidence.checks.places import line_of
from reasonix_runtime.evidence.checks.read_alone import read_alone
from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.running.reading import read


def missed(command: str, *paths: str, root: str = ".") -> list[str]:
    """Return those of some paths that no check of a command took in."""
    return [path for path in paths if misses(command, path, CONTRACT_COMMANDS, root)]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("ruff check src/a.py", ("src/a.py",)),
        ("cd src && ruff check --select E501 ./a.py b.py", ("src/./a.py", "src/b.py")),
        ("npx eslint src/ --max-warnings 0", ("src/",)),
        ("pre-commit run ruff --files a.py README.md", ("a.py", "README.md")),
        ("pre-commit run --files a.py --verbose", ("a.py",)),
        ("ruff check", ()),
        ("ruff check src", ()),
        ("ruff check '**/*.py'", ()),
        ("mypy --strict src/a.py", ("src/a.py",)),
        ("npx pyright src/a.py", ("src/a.py",)),
        ("npx tsc --noEmit src/a.ts", ("src/a.ts",)),
        ("npx tsc --noEmit -p tsconfig.json", ()),
        ("npx tsc --noEmit --jsx react src/a.tsx", ("src/a.tsx",)),
        ("basedpyright src/a.py", ("src/a.py",)),
        ("mypy -p shop", ()),
        ("mypy src", ()),
        ("php -l src/a.php", ("src/a.php",)),
        ("node --check src/a.js", ("src/a.js",)),
        ("bash -n bin/run.sh", ("bin/run.sh",)),
        ("helm lint charts/shop", ("charts/shop",)),
        ("sqlfluff lint --dialect postgres models/a.sql", ("models/a.sql",)),
        ("phpstan analyse -c phpstan.neon --level 5", ()),
        ("phpstan analyse -c phpstan.neon src/A.php", ("src/A.php",)),
        ("yamllint -c .yamllint.yml a.yml", ("a.yml",)),
        ("actionlint -config-file a.yml .github/workflows/ci.yml", (".github/workflows/ci.yml",)),
        ("npx oxlint -c oxlint.json src/a.ts", ("src/a.ts",)),
        ("npx biome check src/a.ts", ("src/a.ts",)),
        ("deno lint src/a.ts", ("src/a.ts",)),
        ("deno fmt --check src/a.ts", ("src/a.ts",)),
        ("dart format --set-exit-if-changed lib/a.dart", ("lib/a.dart",)),
        ("ansible-lint plays/a.yml", ("plays/a.yml",)),
        ("ansible-playbook --syntax-check a.yml", ("a.yml",)),
        ("codespell -I words.txt", ()),
        ("codespell -I words.txt docs/a.md", ("words.txt", "docs/a.md")),
        ("typos --words docs/a.md", ()),
        ("kubeconform -strict k8s/a.yml", ("k8s/a.yml",)),
        ("deno test src/a_test.ts", ()),
        ("pytest tests/test_a.py", ()),
        ("cat src/a.py", ()),
    ],
)
def test_a_linter_reads_what_it_is_told(command: str, told: tuple[str, ...]) -> None:
    """Whether a type checker came to another file nobody knows; tests run what they like."""
    *_, plain = read(command, CONTRACT_COMMANDS).commands

    assert told == read_alone(plain, line_of(plain))


@pytest.mark.parametrize(
    ("command", "path", "missing"),
    [
        ("ansible-lint other.yml", "site.yml", True),
        ("ansible-lint site.yml", "site.yml", False),
        ("ansible-lint site.yml", "roles/web/tasks/main.yml", False),
        ("ansible-playbook --syntax-check other.yml", "plays/site.yml", True),
        ("yamllint other.yml", "roles/web/tasks/main.yml", True),
    ],
)
def test_a_play_is_read_with_its_roles(command: str, path: str, *, missing: bool) -> None:
    """Another play is not; and a reader of one file reads nothing that it takes in."""
    assert missing is bool(missed(command, path))


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("ruff check src/other.py", True),
        ("ruff check src/", False),
        ("ruff check ./src/cart.py", False),
        ("ruff check src/cart.py && mypy src/other.py", False),
        ("pytest --ignore=src/cart.py", True),
        ("pytest -q", False),
        ("nx run-many -t test --exclude=src", True),
        ("mypy src/other.py", True),
        ("mypy src/other.py && pytest -q", False),
        ("pytest -q; mypy src/other.py", True),
        ("mypy src/cart.py", False),
        ("ruff check --exclude src/cart.py .", True),
        ("ruff check . --exclude lib,src", True),
        ("flake8 --exclude=src", True),
        ("ruff check . --exclude tests", False),
        ("ruff check . --exclude test_cart.py", False),
        ("ruff check --exclude src . && pytest -q", False),
        ("deno test --ignore=src/cart_test.ts", True),
        ("deno test --ignore=src/tax_test.ts", False),
        ("pants test :: -src/::", True),
        ("pants test :: -src/", True),
        ("pants test :: -src/cart.py", True),
        ("pants test :: -lib/::", False),
    ],
)
@pytest.mark.parametrize("root", [".", "/srv/shop", "c:/shop"])
def test_a_check_misses_what_it_left_out_or_never_read(
    command: str, root: str, *, missing: bool
) -> None:
    """Each path asks for itself; only a check whose success is told takes it in."""
    path = "src/cart.py" if root == "." else f"{root}/src/cart.py"

    assert missing is misses(command, path, CONTRACT_COMMANDS, root)
    assert not misses(command, path, CLASSIC_COMMANDS, root)


@pytest.mark.parametrize(
    ("command", "path"),
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
def test_linters_of_another_language_miss_the_work(command: str, path: str) -> None:
    """They pass whatever stands in it; a file without an ending may be of any language."""
    assert ["src/cart.rs"] == missed(command, "src/cart.rs", path, "bin/run")
    assert [] == missed(f"{command} && make test", "src/cart.rs")


@pytest.mark.parametrize(
    ("command", "others"),
    [
        ("go test ./...", ["a.ts", "a.py"]),
        ("cargo test", ["a.ts", "a.go", "a.py"]),
        ("npx vitest run", ["a.go", "a.py"]),
        ("python -m pytest -q", ["a.ts", "a.go"]),
        ("bundle exec rspec", ["a.go", "a.py"]),
        ("./gradlew test", ["a.go", "a.py"]),
        ("mix test", ["a.go", "a.py"]),
        ("go test ./... && npx vitest run", ["a.py"]),
        ("npm test", []),
        ("make test", []),
        ("tox", []),
    ],
)
def test_tests_of_one_language_miss_code_of_another(command: str, others: list[str]) -> None:
    """Code that others are bound to, and what is no code, they may come to; a script runs any."""
    assert others == missed(command, "a.ts", "a.go", "a.py", "a.c", "a.json", "a.html", "Makefile")


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("go test ./internal/ship", ["internal/cart/cart.go", "internal/cart/sub/a.go"]),
        ("go test ./internal/ship/... ./internal/cart", ["internal/cart/sub/a.go"]),
        ("go test ./internal/...", []),
        ("cd internal && go test ./cart/...", []),
        ("go -C internal test ./ship/...", ["internal/cart/cart.go", "internal/cart/sub/a.go"]),
        ("go test", ["internal/cart/cart.go", "internal/cart/sub/a.go"]),
        ("cd internal/cart && go test", ["internal/cart/sub/a.go"]),
        ("go test ./e2e/...", []),
        ("go test example.com/shop/internal/ship", []),
        ("docker compose run --rm api go test ./internal/ship", []),
        (
            "golangci-lint run ./internal/ship/...",
            ["internal/cart/cart.go", "internal/cart/sub/a.go"],
        ),
        ("golangci-lint run", []),
    ],
)
def test_tests_of_other_packages_of_go_miss_the_work(command: str, missing: list[str]) -> None:
    """They stand beside their code; what is no code they may read from anywhere."""
    assert [] == missed("go test ./internal/ship", "internal/cart/a.json")
    changed = ("internal/cart/cart.go", "internal/cart/sub/a.go", "go.mod")

    assert missing == missed(command, *changed)


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("bazel test //lib/other/...", True),
        ("bazel test //lib/other:all //lib/ring:ring_test", False),
        ("bazel test //...", False),
        ("bazel test //tests/...", False),
    ],
)
def test_labels_of_other_packages_miss_the_work(command: str, *, missing: bool) -> None:
    """A label names a folder of the workspace."""
    assert missing is bool(missed(command, "lib/ring/ring.cc"))


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("pytest tests/test_order.py", ["tests/test_cart.py"]),
        ("cd tests && pytest test_order.py::test_a", ["tests/test_cart.py"]),
        ("pytest tests/test_cart.py::test_a", []),
        ("pytest tests", []),
        ("pytest -k order", []),
        ("docker compose run --rm api pytest /srv/tests/test_order.py", []),
    ],
)
def test_a_changed_test_that_is_not_told_did_not_run(command: str, missing: list[str]) -> None:
    """What else was changed any test may run, and what tests share."""
    assert missing == missed(command, "tests/test_cart.py", "app/cart.py", "tests/conftest.py")


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("npx vitest run src/order.test.ts", ["src/cart.test.ts"]),
        ("npx jest ./src/order.test.ts", ["src/cart.test.ts"]),
        ("npx jest order.test", ["src/cart.test.ts"]),
        ("npx jest cart.test", []),
        ("npx vitest run src/cart", []),
        ("cd src && npx jest ./cart.test.ts", []),
        ("npx jest cart", []),
        ("npx jest", []),
    ],
)
def test_a_changed_test_of_a_script_runs_where_a_part_of_its_path_is_told(
    command: str, missing: list[str]
) -> None:
    """These runners look for what they are told anywhere in a path."""
    assert missing == missed(command, "src/cart.test.ts", "src/cart.ts")


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("dotnet test tests/Order.Tests", True),
        ("dotnet test tests/Order.Tests/Order.Tests.csproj", True),
        ("dotnet test tests/Cart.Tests", False),
        ("dotnet test tests/Shop.Tests", False),
        ("dotnet test tests/IntegrationTests", False),
        ("dotnet test tests/UnitTests", False),
        ("dotnet test tests/Order.Tests && dotnet test tests/Cart.Tests", False),
        ("dotnet test App.sln", False),
        ("dotnet test", False),
    ],
)
def test_projects_of_tests_are_called_after_what_they_test(command: str, *, missing: bool) -> None:
    """One that shares no word with the folders of what was changed tests another project."""
    assert missing is bool(missed(command, "src/Shop.Cart/Cart.cs"))


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("npm --prefix admin test", True),
        ("cd mobile && npm test", True),
        ("cd admin && npm test; cd ../mobile && npm test", True),
        ("cd web && npm test", False),
        ("cd e2e && npm test", False),
        ("cd store && npm test", False),
        ("npm --prefix admin test && npm --prefix web test", False),
        ("npm test", False),
    ],
)
def test_an_application_is_not_tested_by_another(command: str, *, missing: bool) -> None:
    """What is called like no application may be used by any, and so be tested by it."""
    assert missing is bool(missed(command, "web/src/a.ts"))
    assert [] == missed(command, "shared/a.ts")


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("docker run -v $PWD/sub:/w -w /w py pytest", True),
        ("docker run --mount type=bind,src=./sub,dst=/w py pytest", True),
        ("cd sub && docker run -v .:/w py pytest", True),
        ("docker run -v ./sub:/w -v ./app:/w/app py pytest", False),
        ("docker run -v $PWD:/w -v $PWD/sub:/x py pytest", False),
        ("docker run -v $PWD/app:/w py pytest", False),
        ("cd app && docker run -v .:/w py pytest", False),
        ("docker run -v $PWD:/w -w /w/sub py pytest", False),
    ],
)
@pytest.mark.parametrize("root", [".", "/srv/shop"])
def test_a_container_has_only_the_folders_that_it_is_given(
    command: str, root: str, *, missing: bool
) -> None:
    """What stands outside of them is not there to be tested."""
    path = "app/cart.py" if root == "." else f"{root}/app/cart.py"

    assert missing is misses(command, path, CONTRACT_COMMANDS, root)


@pytest.mark.parametrize("command", ["npx prettier --check .", "typos", "git diff --check"])
def test_a_linter_that_may_read_anything_misses_nothing(command: str) -> None:
    """What a project has it read nobody knows."""
    assert [] == missed(command, "a.rs")


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("nx run-many -t test --projects=orders", True),
        ("nx run-many -t test --projects=orders,cart", False),
        ("nx run-many -t test --projects=orders,tag:*", False),
        ("nx run-many -t test", False),
        ("nx test orders", True),
        ("npx nx test shop-cart", False),
        ("turbo run test --filter=orders", True),
        ("turbo run test --filter=orders --filter=cart", False),
        ("turbo run test --filter=...[main]", False),
        ("npx lerna run test --scope=orders", True),
        ("npx nx run orders:test", True),
        ("yarn workspace @acme/orders test", True),
        ("yarn workspace @acme/shop-cart test", False),
        ("bun --filter orders test", True),
        ("bun test apps/orders", True),
        ("deno test apps/orders", True),
        ("deno test apps/cart packages/shop/cart", False),
        ("node --test apps/orders/test", True),
        ("node --test test", False),
        ("turbo run test --filter=./apps/orders", True),
        ("turbo run test --filter=./apps/cart", False),
        ("pnpm --filter @acme/orders test", True),
        ("pnpm --filter @acme/cart test", False),
        ("turbo run test --filter=...cart", False),
        ("pnpm --filter './apps/**' test", False),
        ("npm test -w packages/orders", True),
        ("npm test -w @acme/orders", True),
        ("npm test -w @acme/shop-cart", False),
        ("npx nx test orders && npx nx test cart", False),
        ("npx nx test orders && make test", False),
        ("mvn test -pl orders", True),
        ("mvn test -pl orders -am", False),
        ("mvn test -pl :cart", False),
        ("./gradlew :orders:test", True),
        ("./gradlew :shop:cart:test", False),
        ("./gradlew :orders:test test", False),
        ("npm --prefix apps/orders test", True),
        ("cd apps/orders && npm test", True),
        ("cd apps/orders/e2e && npx playwright test", True),
        ("cd e2e && npx playwright test", False),
        ("cd web && npm test", False),
        ("npx vitest run apps/orders/src", True),
        ("npx vitest run packages/e2e", False),
    ],
)
def test_tests_of_other_projects_alone_miss_the_work(command: str, *, missing: bool) -> None:
    """Projects are called after their folders, or told by them."""
    cart = ("apps/cart/src/a.ts", "packages/shop/cart/src/a.ts")

    assert ([*cart] if missing else []) == missed(command, *cart, "src/a.ts")


@pytest.mark.parametrize("command", ["pnpm --filter acme test", "cargo test -p acme"])
def test_a_package_in_a_folder_that_is_called_like_many_may_have_any_name(command: str) -> None:
    """That of `packages/core` is often called like the whole."""
    core = "packages/core/src/a.ts" if command.startswith("pnpm") else "crates/core/src/a.rs"

    assert [] == missed(command, core)


@pytest.mark.parametrize(
    ("command", "path", "missing"),
    [
        ("cargo test -p tax", "crates/cart/src/a.rs", True),
        ("cargo clippy --package=tax -- -D warnings", "crates/cart/src/a.rs", True),
        ("cargo nextest run -p tax -p shop-cart", "crates/cart/src/a.rs", False),
        ("cargo test -p shop-cart", "crates/shop_cart/src/a.rs", False),
        ("cargo test -p 'shop*'", "crates/cart/src/a.rs", False),
        ("cargo test --workspace", "crates/cart/src/a.rs", False),
        ("cargo test -p shop", "crates/core/src/a.rs", False),
        ("cargo test -p tax", "src/a.rs", False),
    ],
)
def test_packages_of_cargo_are_called_like_their_folders(
    command: str, path: str, *, missing: bool
) -> None:
    """But for folders whose name is none of its own: in `crates/core` the whole may stand."""
    assert missing is bool(missed(command, path))


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("mvn -pl shipping test", True),
        ("mvn -f shipping/pom.xml test", True),
        ("mvn -pl shipping,billing test", False),
        ("./gradlew :shipping:test", True),
        ("./gradlew -p billing test", False),
        ("./gradlew test", False),
    ],
)
def test_modules_are_told_by_the_layout_of_their_sources(command: str, *, missing: bool) -> None:
    """What stands before `src/main` is the module."""
    assert missing is bool(missed(command, "billing/src/main/java/Bill.java"))


@pytest.mark.parametrize(
    ("command", "root", "missing"),
    [
        ("npm --prefix web test", ".", True),
        ("cd web && npm test", "/srv/shop", True),
        ("cd /srv/shop/web && npm test", "/srv/shop", True),
        ("cd /srv/shop && npm test", "/srv/shop", False),
        ("cd tests && npm test", ".", False),
        ("cd api && npm test", ".", False),
        ("cd ~/shop/web && npm test", "/srv/shop", False),
        ("cd /srv/shop/web && npm test", ".", False),
        ("npm test", ".", False),
    ],
)
def test_scripts_of_a_folder_run_no_other_code_elsewhere(
    command: str, root: str, *, missing: bool
) -> None:
    """Where nobody knows which folder is meant, nothing is said."""
    path = "api/cart.go" if root == "." else f"{root}/api/cart.go"

    assert missing is misses(command, path, CONTRACT_COMMANDS, root)
    assert not misses(
        command, path.replace("api/cart.go", "shared/cart.ts"), CONTRACT_COMMANDS, root
    )


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("cd /other && pytest", True),
        ("cd ../other && pytest", False),
        ("cd ../e2e && npx playwright test", False),
        ("cd .. && pytest", False),
        ("cd /srv/shop && pytest", False),
        ("cd $OTHER && pytest", False),
        ("cd /other && pytest; cd /srv/shop && pytest", False),
    ],
)
def test_a_check_of_another_folder_misses_the_workspace(command: str, *, missing: bool) -> None:
    """Whatever else was changed there: each path asks for itself."""
    assert missing is misses(command, "/srv/shop/app/cart.py", CONTRACT_COMMANDS, "/srv/shop")
