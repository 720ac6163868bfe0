"""With which options and sub-commands a runner of checks checks nothing, and with which it does."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify

# It is only asked something, runs nothing, never fails, or writes what it sees.
IDLE = """
make check-out
npm run check-in
npm run verify-email
pytest -qh
pytest -hq
pytest -qV
python -m unittest -vh
ruff check -qh
cargo test -qh
make -kh test
make -kv test
prove -rh
bats -rc test
npm test -- -qh
npx mocha --pass-on-failing-test-suite
npx nx affected -t test --graph
npx nx run-many -t test --graph=out.html
npx turbo run test --graph
npx knip --no-exit-code
npx oxlint --rules
deno lint --rules
staticcheck -explain SA1000
ginkgo outline x_test.go
ginkgo help
ginkgo version
ginkgo watch ./...
ginkgo build ./...
ginkgo generate
ginkgo labels ./...
ginkgo unfocus
gotestsum tool slowest
gotestsum help
vendor/bin/phpcs -i
vendor/bin/phpcs --config-show
vendor/bin/phpcs --config-set ignore_errors_on_exit 1
vendor/bin/phpunit --migrate-configuration
vendor/bin/phpunit --generate-configuration
clang-tidy --dump-config
clang-tidy --explain-config
clang-tidy --verify-config
cppcheck src
cppcheck --errorlist
cppcheck --doc
ansible-lint -L
ansible-lint -T
ansible-lint --list-rules
ansible-lint --list-tags
ansible-lint --list-profiles
tflint --langserver
checkov -l
checkov -s -d .
mix credo --mute-exit-status
mix credo explain lib/a.ex:3
mix credo list
mix credo suggest --mute-exit-status
mix credo gen.config
mix dialyzer --ignore-exit-status
mix dialyzer --plt
mix test --exclude test
swiftlint --lenient
swiftlint lint --lenient
forge test --allow-failure
slither . --fail-none
slither --list-detectors
zig test --test-no-exec a.zig
brakeman --no-exit-on-warn
brakeman --checks
vulture --make-whitelist src
interrogate --generate-badge x src
pylint --help-msg C0114
pylint --list-extensions
pylint --list-conf-levels
pylint --generate-toml-config
pylint --long-help
yamllint --list-files .
typos --files
typos --type-list
typos --dump-config -
cfn-lint -l
cfn-lint --list-rules
hlint --default
busted -l
cucumber -d
prove -D
perlcritic --list-themes
perlcritic --profile-proto
rspec --bisect
rspec --failure-exit-code 0
rubocop --list-enabled-cops-for x
npx tap list
npx tap --dump-config
npx tap build
npx tap plugin list
npx spectral lint --fail-severity=off a.yaml
hatch test --show
hatch test -s
swift test list
swift test --show-codecov-path
opa test --bench .
buf lint --list-rules
sqlfluff lint --nofail
kubeconform -h
npm run test -h
just --dump test
just --choose test
task -n test
task --summary test
task --status test
poe -d test
inv -R test
rake --tasks test
ant -p test
ant -projecthelp test
sbt -h test
v test -h
lychee --dump .
actionlint -init-config
tsx test/a.ts
moon run web:build
moon run :test web:build
go run ./cmd/staticcheck ./...
go run example.com/x/staticcheck@latest ./...
go tool cover -func=c.out
vale sync
newman run api.json --suppress-exit-code
newman run api.json -x
npx karma start
npx karma start --single-run=false
black --check=false .
clj -M:dev
clj -M -e "(System/exit 0)"
clojure -X:build
corepack enable
nvm exec 18 node app.js
volta run node app.js
mage build
rush build
npm-run-all test build
earthly +build
cargo make build
bb release
fastlane release
terraform plan
helm template charts/x
make test --eval="test: ; @true"
bazel test --run_under=/bin/true //...
bazel test --run_under ./fake.sh //...
meson test -C build --wrapper=true
meson test -C build --wrapper true
cargo test --config "target.x86_64-unknown-linux-gnu.runner='true'"
cargo test --config target.x.runner=["./fake"]
npx jest --testRunner=./fake.js
npx jest --runner ./fake.js
npm test --node-options="--require ./x.js"
"""

# The look, the order, the speed and the strictness are the caller's affair.
CHECKING = """
make check-format
npm run test-in-docker
npm run test:user
npm run verify:types
mvn test -DfailIfNoTests=false
mvn test -Dtest=zzz
pytest -rh -q
pytest -xvk hello
make -skj8 test
prove -lvr t
prove -Ilib t
gradle -Pprofile=h test
gradle -qPmath test
rspec -cfh
mvn -ntp test
npm test -- -ws
pytest -q --showlocals --show-capture=no
pytest -q --exitfirst --maxfail=3 --tb=short -rA
pytest -q --cov=app --cov-fail-under=0
pytest -q --cov=app --cov-fail-under=80 --cov-report=term
pytest --strict-markers --no-header --no-summary -p no:randomly
pytest -q --create-db
pytest -q --reuse-db
pytest -q -x --ff
pytest -q --durations=10 --durations-min=0.5
pytest -q --asyncio-mode=auto
pytest -q --forked
pytest -q --snapshot-warn-unused
pytest -q --benchmark-disable
pytest -q --headed --browser chromium
mypy --show-error-codes --pretty --no-error-summary src
mypy --show-column-numbers --warn-unused-ignores src
mypy --strict --no-incremental src
mypy -p acme
mypy --explicit-package-bases .
flake8 --show-source --statistics src
ruff check --no-fix .
ruff check . --output-format=github
ruff format --check --diff .
pylint -j 4 --score=n src
pylint --errors-only src
black --check --diff .
isort --check-only --diff .
bandit -r src -q
yamllint -s .
npx eslint . --max-warnings 0 --cache
npx eslint . --report-unused-disable-directives
npx eslint . --no-error-on-unmatched-pattern
npx eslint --exit-on-fatal-error .
npx prettier --list-different src
npx prettier --check . --log-level warn
npx prettier -l src
npx jest --ci --coverage=false --forceExit --detectOpenHandles
npx jest --runInBand --verbose --bail
npx jest --errorOnDeprecated
npx vitest run --bail=1 --no-color
npx vitest run --typecheck
npx vitest run --silent --hideSkippedTests
npx playwright test --reporter=list --retries=2
npx playwright test --fail-on-flaky-tests
npx cypress run --headless --quiet
npx mocha --fail-zero --exit --recursive
npx mocha --forbid-only --check-leaks
npx ava --fail-fast --verbose
npx tsc --noEmit --pretty false
npx tsc --noEmit --incremental false
npx tsc -p . --noEmit --skipLibCheck
npx turbo run test --continue --force
npx turbo test lint --no-daemon
npx nx test web --skip-nx-cache --verbose
npx lerna run test --no-bail --stream
npx stylelint "src/**/*.css" --max-warnings=0
npx biome ci .
npx biome check --error-on-warnings .
npm test --silent
npm run -s test
npm test --workspaces
npm run lint -- --max-warnings=0
yarn test --ci --silent
yarn run test --passWithNoTests=false
pnpm -r test
pnpm test -- --bail
pnpm -w run lint
bun test --bail --timeout 10000
bun run test
deno test --fail-fast --parallel -A
deno lint --json
go test -failfast -v -race -cover ./...
go test -shuffle=on -count=1 ./...
go test -json ./...
go vet -json ./...
go test -timeout=5m -p 1 ./...
golangci-lint run --timeout 5m --out-format=colored-line-number
gotestsum --format=short-verbose -- -race ./...
ginkgo -r --race --randomize-all --fail-on-pending
ginkgo run -r
staticcheck ./...
govulncheck ./...
cargo test --no-fail-fast --workspace -- --test-threads=1
cargo test --release --locked --offline
cargo nextest run --no-fail-fast
cargo clippy --workspace --all-targets -- -D warnings
cargo fmt --all -- --check
cargo test --doc
cargo check --all-features
mvn -B -ntp -fae test
mvn -U clean verify
./mvnw test -Dsurefire.printSummary=true
./gradlew test --continue --no-build-cache
./gradlew check --warning-mode all --stacktrace
./gradlew :app:lintDebug
./gradlew test --fail-fast
sbt clean test
bundle exec rspec --fail-fast --order rand:1
bundle exec rspec --format progress --no-color
bundle exec rubocop --parallel --display-cop-names
bundle exec brakeman -q -z
bundle exec cucumber --publish-quiet
vendor/bin/phpunit --stop-on-failure --colors=never
vendor/bin/phpunit --fail-on-warning --fail-on-risky
vendor/bin/phpstan analyse -l 8 src
vendor/bin/psalm --no-cache --threads=4
vendor/bin/phpcs --standard=PSR12 -n src
vendor/bin/pint --test
vendor/bin/php-cs-fixer fix --dry-run --diff
vendor/bin/rector process --dry-run
vendor/bin/pest --bail --compact
dotnet test --no-restore --nologo -c Release
dotnet test --blame-hang-timeout 5m
dotnet format --verify-no-changes --verbosity diagnostic
ctest --output-on-failure --stop-on-failure
ctest --test-dir build --rerun-failed --output-on-failure
meson test -C build --print-errorlogs
ninja -C build -k 0 test
cppcheck --error-exitcode=1 --enable=warning src
clang-tidy -p build src/a.cpp --warnings-as-errors='*'
mix test --warnings-as-errors --color
mix credo --strict
mix credo suggest --strict
mix credo diff main
mix dialyzer --format short
mix format --check-formatted
swift test --parallel --enable-test-discovery
swiftlint lint --strict --quiet
flutter test --no-pub --concurrency=4
dart analyze --fatal-infos
dart format --output=none --set-exit-if-changed .
stack test --fast --no-terminal
cabal test --test-show-details=direct
zig build test --summary all
dune test --force --no-buffer
gleam test
rebar3 eunit -v
terraform validate -no-color
terraform validate -json
terraform fmt -check -recursive -diff
tflint --recursive --minimum-failure-severity=error
checkov -d . --compact --quiet
helm lint charts/app --strict
conftest test -p policy deploy.yaml
opa test -v policies
buf lint --error-format=text
sqlfluff lint models --dialect postgres
kubeconform -strict -summary k8s
hadolint -f tty Dockerfile
shellcheck -x scripts/*.sh
bats -r test --tap
make -j8 test V=1
make -k check
make --no-print-directory test
make -s lint
make --keep-going test
just --color always test
just -q test
task --force test
task -s test
rake test --trace
invoke --echo test
poe -q test
tox -q -p auto
tox -e py311 -- --tb=short
nox -s tests -- -x
hatch test -p
pre-commit run -a --show-diff-on-failure
bazel test //... --test_output=errors --keep_going
bazel test //... --config=ci
nix flake check -L
ansible-lint --offline -q
perlcritic --gentle lib
prove -lrv t
busted -v
selene src
slither . --exclude-informational
forge test -vvv --fail-fast
xcodebuild test -scheme App -quiet
crystal spec --error-trace
lychee --offline README.md
markdownlint "**/*.md" --ignore node_modules
typos src
codespell src
fvm flutter test
volta run npm test
corepack pnpm test
nvm exec 18 npm test
fnm exec --using 18 npm test
django-admin test
vendor/bin/codecept run
vendor/bin/behat
scala-cli test .
clj -M:test
clojure -X:test
bb test
npx elm-test
elm-test
odin test .
anchor test
terraform test
helm unittest charts/x
molecule test
dbt test
shellspec
fastlane test
bundle exec fastlane test
plz test //...
moon run :test
moon run web:test
rush test
npx lage test
npx karma start --single-run
npx testcafe chrome tests
npx cucumber-js
npx newman run api.json
npx tsd
npx tsx --test
tsx --test test/*.ts
npx dotenv -e .env.test -- jest
npx env-cmd -f .env.test jest
npm-run-all test lint
npx npm-run-all lint test
npm run eslint
npm run jest
npm run vitest
go run gotest.tools/gotestsum@latest ./...
go tool gotestsum ./...
go run honnef.co/go/tools/cmd/staticcheck@latest ./...
go run github.com/golangci/golangci-lint/cmd/golangci-lint@latest run
mage test
mage lint
richgo test ./...
cargo make test
cargo xtask test
cargo tarpaulin
cargo machete
cargo udeps
trunk check
prek run --all-files
vale docs
swift-format lint -r Sources
xcrun swift test
earthly +test
bazel test --run_under=valgrind //...
meson test -C build --wrapper=valgrind
cargo test --config net.git-fetch-with-cli=true
npx jest --testRunner=jest-circus/runner
npx jest --runner=jest-runner-tsc
npm test --node-options=--max-old-space-size=4096
node --run test
poetry run -- pytest -q
python -m poetry run pytest -q
python -m uv run pytest -q
python -m hatch run test
cross test --target x
sbt "project core" test
sbt core/test
bin/rails t
"""


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("command", _lines(IDLE))
def test_a_runner_that_checks_nothing_is_no_check(command: str) -> None:
    """VER: whatever the program is called, its success says nothing of the work."""
    assert not classify(command, CONTRACT_COMMANDS).verification


@pytest.mark.parametrize("command", _lines(CHECKING))
def test_an_honest_option_takes_no_check_out(command: str) -> None:
    """A refusal of ordinary work makes users switch the tool off."""
    assert classify(command, CONTRACT_COMMANDS).verification


# Each passes also where it finds no test, or no script of that name.
LENIENT = """
yarn workspaces foreach -A run test
npx jest --passWithNoTests
npx vitest run --passWithNoTests
npm test -- --passWithNoTests
npm test --if-present
npm_config_if_present=true npm test
pnpm -r --if-present test
npx playwright test --pass-with-no-tests
cargo nextest run --no-tests=pass
cargo nextest run --no-tests=warn
ctest --no-tests=ignore
deno test --permit-no-files
mvn test -Dtest=zzz -DfailIfNoTests=false
mvn -pl web -am test -Dtest=zzz -Dsurefire.failIfNoSpecifiedTests=false
mvn verify -Dit.test=zzz -Dfailsafe.failIfNoTests=false
cd web && CI=1 npx jest --passWithNoTests
git diff --name-only | xargs -r ruff check
git ls-files -z | xargs -0 --no-run-if-empty npx eslint
git ls-files -z | xargs -0r ruff check
git ls-files | xargs -I{} pytest {}
git ls-files | xargs --replace=F pytest F
"""
# Nothing makes up for an option that leaves everything out, or hides what failed.
LENIENT_AND_IDLE = """
npx jest --passWithNoTests --listTests
npx jest --passWithNoTests=false --listTests
mvn test -DskipTests -DfailIfNoTests=false
cargo nextest run --no-tests=pass --no-run
"""


@pytest.mark.parametrize("command", LENIENT.strip().splitlines())
def test_a_runner_that_may_run_none_is_a_check_whose_output_has_to_tell(command: str) -> None:
    """Thousands of projects write it into their scripts, and their tests run."""
    found = classify(command, CONTRACT_COMMANDS)

    assert (True, True, False) == (found.verification, found.lenient, found.mutates)


@pytest.mark.parametrize("command", LENIENT_AND_IDLE.strip().splitlines())
def test_leniency_does_not_make_up_for_an_empty_check(command: str) -> None:
    """What ran nothing at all cannot tell of tests."""
    found = classify(command, CONTRACT_COMMANDS)

    assert (False, False) == (found.verification, found.lenient)


@pytest.mark.parametrize(
    "command",
    [
        *("npx jest", "npx jest --passWithNoTests=false", "mvn test -DfailIfNoTests=false"),
        "git diff --name-only | xargs ruff check",
        "git diff --name-only | xargs -n1 ruff check",
    ],
)
def test_a_runner_that_fails_without_tests_is_not_lenient(command: str) -> None:
    """Its status tells."""
    assert not classify(command, CONTRACT_COMMANDS).lenient
