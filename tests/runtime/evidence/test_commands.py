"""What kind of command it is: verification, change, read-only, and the shapes of preflight."""

from __future__ import annotations

from dataclasses import replace

import pytest

from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    FACTS_COMMANDS,
    CommandRules,
    classify,
    matches,
)


def kind(command: str, rules: CommandRules) -> str:
    """Return `check`, `change`, `both` or `read`."""
    found = classify(command, rules)
    names = {(True, False): "check", (False, True): "change", (True, True): "both"}
    return names.get((found.verification, found.mutates), "read")


# command, under classic, under contract
BOTH_WAYS = [
    # the same by both
    ("pytest -q", "check", "check"),
    ("go vet ./...", "check", "check"),
    ("tsc --noEmit", "check", "check"),
    ("tsc", "change", "change"),
    ("go build ./...", "change", "change"),
    ("python -m compileall src", "change", "change"),
    ("pytest --snapshot-update", "change", "change"),
    ("pytest --junitxml=r.xml", "change", "change"),
    ("go test -coverprofile=c.out ./...", "change", "change"),
    ("npx eslint@9 .", "check", "check"),
    ("npx eslint@npm:otherpkg .", "change", "change"),
    ("npx ./eslint .", "change", "change"),
    ("npm test -- -u", "change", "change"),
    ("pytest > out.txt", "change", "change"),
    ("sed -i s/a/b/ f", "change", "change"),
    ("git add . && git commit -m x", "change", "change"),
    ("git log $(mkdir z)", "change", "change"),
    ("diff <(rm q) b", "change", "change"),
    ("ls -la", "read", "read"),
    ("mvn -q test", "check", "check"),
    # prefixes and wrappers
    ("CGO_ENABLED=0 go test ./pkg/...", "change", "check"),
    ("env CI=1 pytest", "change", "check"),
    ("uv run pytest", "change", "check"),
    ("uv run --with x pytest -q", "change", "check"),
    ("poetry run pytest", "change", "check"),
    ("uv run -m pytest -q", "change", "check"),
    ("uv run -m http.server", "change", "change"),
    ("yarn jest", "change", "check"),
    ("pnpm vitest run -u", "change", "change"),
    ("timeout 60 pytest", "change", "check"),
    ("time pytest", "change", "check"),
    ("(cd web && npm test)", "change", "check"),
    ("bash -lc 'cd web && npm test'", "change", "check"),
    ("source .venv/bin/activate && pytest", "change", "check"),
    ("set -e; pytest", "change", "check"),
    ("export CI=1; pytest", "change", "check"),
    ("source deploy.sh && pytest", "change", "change"),
    ("source ~/.nvm/nvm.sh && npm test", "change", "check"),
    ("sudo -u app pytest", "change", "check"),
    ("sudo rm a", "change", "change"),
    ("nix develop .#ci -c make test", "change", "check"),
    ("nix-shell -p python3 --run 'pytest -q'", "change", "check"),
    ("mise exec python@3.12 -- pytest", "change", "check"),
    ("conda run -n dev python -m pytest", "change", "check"),
    ("docker compose -f a.yml run --rm -e CI=1 app pytest", "change", "check"),
    ("docker compose exec app rm a", "change", "change"),
    ("docker exec -e PYTEST_ADDOPTS=--co app pytest", "change", "read"),
    ("docker run --rm image pytest", "change", "change"),
    ("ssh host pytest", "change", "change"),
    ("hatch run test", "change", "check"),
    ("pdm run lint:fix", "change", "change"),
    ("coverage run -m pytest", "change", "check"),
    ("coverage run script.py", "change", "change"),
    ("python manage.py test", "change", "check"),
    ("python manage.py migrate", "change", "change"),
    ("php vendor/bin/phpunit", "change", "check"),
    ("php script.php", "change", "change"),
    ("uvx ruff@latest check .", "change", "check"),
    ("uvx --from evil ruff check .", "change", "change"),
    ("npx @biomejs/biome check .", "change", "check"),
    ("npx @evil/biome check .", "change", "change"),
    ("npx cross-env CI=1 jest", "change", "check"),
    ("yarn run tsc --noEmit", "change", "check"),
    ("script -qec 'pytest -q' /dev/null", "change", "check"),
    ("script -qc 'pytest -q' /dev/null", "change", "change"),
    ("script -qec 'pytest -q' typescript", "change", "change"),
    ("find . -name '*.sh' | xargs shellcheck", "change", "check"),
    ("ls | xargs -I{} sh -c 'rm {}'", "change", "change"),
    ("ls | xargs git branch", "change", "change"),
    ('cmd /c "npm test"', "change", "check"),
    ('cmd /c "del a"', "change", "change"),
    ('pwsh -NoProfile -Command "npm test"', "change", "check"),
    ("A=$(rm x) pytest", "change", "change"),
    ("./pytest", "check", "change"),
    ("PATH=/tmp/fake pytest", "change", "read"),
    # what a variable does to a check, and what an earlier command left behind for it
    ("export PYTEST_ADDOPTS=--co; pytest", "change", "read"),
    ("PYTEST_ADDOPTS=--co; export PYTEST_ADDOPTS; pytest", "change", "read"),
    ("export LD_PRELOAD=./x.so && bash -c pytest", "change", "read"),
    ("export PATH=/tmp/fake; pytest", "change", "read"),
    ('export PATH="$HOME/.cargo/bin:$PATH" && cargo test', "change", "check"),
    ('PATH="$PWD/bin:$PATH" pytest', "change", "check"),
    ("INSTA_UPDATE=always cargo test", "change", "change"),
    ("export UPDATE_GOLDEN=1; go test ./...", "change", "change"),
    ("TRYBUILD=overwrite cargo test", "change", "change"),
    ("INSTA_UPDATE=no cargo test", "change", "check"),
    ("NO_UPDATE_NOTIFIER=1 npm test", "change", "check"),
    ("SKIP_TESTS=1 make test", "change", "read"),
    ("SKIP_PREFLIGHT_CHECK=true npm test", "change", "check"),
    ("GIT_PAGER=cat git log", "change", "read"),
    ("set -n; pytest", "change", "change"),
    ("hash -p /bin/true pytest; pytest", "change", "change"),
    # runners that the table lacks, options in any place
    ("pytest --cov=src --cov-report=term-missing", "check", "check"),
    ("pytest --cov --cov-report html", "check", "change"),
    ("pytest --debug", "check", "change"),
    ("ruff check .", "change", "check"),
    ("ruff check --fix .", "change", "change"),
    ("tox", "change", "check"),
    ("nox -s tests", "change", "check"),
    ("ctest", "change", "check"),
    ("jest", "change", "check"),
    ("vitest run", "change", "check"),
    ("eslint .", "change", "check"),
    ("eslint --fix .", "change", "change"),
    ("phpunit", "change", "check"),
    ("rspec", "change", "check"),
    ("bazel test //...", "change", "check"),
    ("deno test", "change", "check"),
    ("make -j4 test", "change", "check"),
    ("make -j 4 test", "change", "check"),
    ("make test install", "check", "change"),
    ("npm run test:unit", "change", "check"),
    ("npm run lint:fix", "change", "change"),
    ("pnpm -C web test", "change", "check"),
    ("npm --prefix web test", "change", "check"),
    ("black --check .", "change", "check"),
    ("black .", "change", "change"),
    ("mvn test deploy", "check", "change"),
    ("pytest -W error", "change", "check"),
    ("python -O -m pytest", "change", "change"),
    # what projects name: scripts, targets, tasks, sessions
    ("npm run format:check", "change", "check"),
    ("npm run type-check", "change", "check"),
    ("npm run checkout", "change", "change"),
    ("npm run test:ui", "change", "change"),
    ("npm run start:test", "change", "change"),
    ("yarn workspace web test", "change", "check"),
    ("make test-unit", "change", "check"),
    ("make test-data", "change", "change"),
    ("make test-env", "change", "change"),
    ("bun ci", "change", "change"),
    ("pipenv run test", "change", "check"),
    ("poetry run test:watch", "change", "change"),
    ("uv run tests/test_app.py", "change", "change"),
    ("make ci-setup", "change", "change"),
    ("make -kn test", "change", "read"),
    ("make test SHELL=/bin/true", "check", "change"),
    ('npm run "test && rm x"', "change", "change"),
    ("php -l a.php", "change", "check"),
    ("php -S localhost:8000 -l", "change", "change"),
    ("cargo audit fix", "change", "change"),
    ("just lint-fix", "change", "change"),
    ("rake db:test:prepare", "change", "change"),
    ("bundle exec rake spec", "change", "check"),
    ("ninja -C build test", "change", "check"),
    ("turbo run build test", "change", "change"),
    ("turbo run lint test", "change", "check"),
    ("nx run web:test", "change", "check"),
    ("nx run web:build", "change", "change"),
    ("nx run-many -t test,build", "change", "change"),
    ("cmake --build build --target test", "change", "check"),
    ("cmake --build build", "change", "change"),
    ("./gradlew :app:testDebugUnitTest", "change", "check"),
    ("./gradlew testClasses", "change", "change"),
    ("./gradlew test publish", "check", "change"),
    ("tox -e format", "change", "change"),
    ("nox -s release", "change", "change"),
    # sub-commands that check, and options without which a program writes
    ("cargo +nightly miri test", "change", "check"),
    ("dotnet format --verify-no-changes", "change", "check"),
    ("dotnet format", "change", "change"),
    ("terraform fmt -check", "change", "check"),
    ("terraform fmt -check -write=true", "change", "change"),
    ("php-cs-fixer fix --dry-run", "change", "check"),
    ("php-cs-fixer fix", "change", "change"),
    ("pre-commit run --all-files", "change", "check"),
    ("pre-commit run", "change", "change"),
    ("pre-commit run --all-files | tail", "change", "change"),
    ("pre-commit run --all-files || true", "change", "change"),
    ("python manage.py makemigrations --check --dry-run", "change", "check"),
    ("MAKEFLAGS=n make test", "change", "read"),
    ("MAKEFLAGS=-j4 make test", "change", "check"),
    ("bash -n script.sh", "change", "check"),
    ("bash script.sh", "change", "change"),
    ("vitest src/a.test.ts", "change", "check"),
    ("vitest watch", "change", "change"),
    # options by which a check writes, or lets a failure pass
    ("rubocop -A", "change", "change"),
    ("rubocop", "change", "check"),
    ("pytest --update-goldens", "check", "change"),
    ("pytest --record-mode=rewrite", "check", "change"),
    ("pytest --record-mode=none", "check", "check"),
    ("dune runtest --auto-promote", "change", "change"),
    ("npm test -- --coverage", "check", "change"),
    ("pnpm test -u", "change", "change"),
    ("eslint --fix-dry-run .", "change", "read"),
    ("golangci-lint run --issues-exit-code 0", "check", "read"),
    ("go test -run=none ./...", "check", "read"),
    ("go test -c ./...", "change", "change"),
    ("go vet -vettool=./x ./...", "check", "change"),
    ('dotnet test --logger "console;verbosity=detailed"', "check", "check"),
    ('dotnet test --collect:"XPlat Code Coverage"', "check", "change"),
    ("GIT_CONFIG_COUNT=1 git diff --check", "change", "read"),
    # checks that check nothing
    ("pytest --version", "check", "read"),
    ("pytest --collect-only", "check", "read"),
    ("mvn -DskipTests verify", "check", "read"),
    ("mvn -DskipITs test", "check", "check"),
    ("gradle check -x test", "check", "read"),
    ("ruff check --exit-zero", "change", "read"),
    ("cargo test --no-run", "check", "read"),
    ("go test -run '^$' ./...", "check", "read"),
    ("make -n test", "change", "read"),
    ("npm test --if-present", "check", "read"),
    ("jest --listTests", "change", "read"),
    ("vitest --watch=false", "change", "check"),
    # arguments decide
    ("git tag v1", "read", "change"),
    ("git tag -l", "read", "read"),
    ("npm audit fix", "read", "change"),
    ("npm audit", "read", "read"),
    ("date -s now", "read", "change"),
    ("date 01011200", "read", "change"),
    ("date +%s", "read", "read"),
    ("git reflog expire --all", "read", "change"),
    ("git reflog", "read", "read"),
    ("hostname newname", "read", "change"),
    ("uniq a b", "read", "change"),
    ("rg --pre p x", "read", "change"),
    ("rg x", "read", "read"),
    ("git diff --output=o", "change", "change"),
    ("git branch -D b", "change", "change"),
    ("git branch -a", "change", "read"),
    ("git stash list", "change", "read"),
    ("git stash", "change", "change"),
    ("sed -n 1,5p f", "change", "read"),
    ("sed -n 1p -i f", "change", "change"),
    ("sed -n '1w out' f", "change", "change"),
    ("awk '{print $1}' f", "change", "read"),
    ("awk '{print > \"x\"}' f", "change", "change"),
    ("echo $HOME", "change", "read"),
    ("find . -delete; pytest", "both", "change"),
    ("GIT_EXTERNAL_DIFF=./x git diff", "change", "change"),
    ("git -c diff.external=./x diff", "change", "change"),
    ("git -C sub status", "change", "read"),
    ("echo $(pwd)", "change", "change"),
    ('echo "$(pwd)"', "read", "read"),
    ("A=$(rm x) ls", "change", "change"),
    ("npx cat a.txt", "change", "change"),
    ("ls >&out.txt", "change", "change"),
    ("(ls) > out.txt", "change", "change"),
    ("(ls) > /dev/null", "change", "read"),
    ("(pytest) > out.txt", "change", "change"),
    ("bash -c ls > out.txt", "change", "change"),
    ("bash -c '(ls) > out.txt'", "change", "change"),
    ("bash -c '(pytest) > out.txt'", "change", "change"),
    ("bash -c 'ls() { rm a; }; ls'", "change", "change"),
    ("bash -c pytest > out.txt", "change", "change"),
    ("cat <<EOF > f\nx\nEOF", "change", "change"),
    # more that only reads
    ("find . -name '*.py' | xargs grep -n foo", "change", "read"),
    ("find . -name '*.py' -exec grep -l foo {} +", "change", "read"),
    ("find . -name '*.py' -exec rm {} +", "change", "change"),
    ("find . -exec sh -c 'rm x' {} \\;", "change", "change"),
    ("awk 'NR>=10 && NR<=20' f", "change", "read"),
    ("awk '/a|b/ || $3 > 1 {print $1}' f", "change", "read"),
    ("awk '{print | \"sh\"}' f", "change", "change"),
    ("sed 's/a/b/; s|c|d|g' f", "change", "read"),
    ("sed '/^#/d;/^$/d' f", "change", "read"),
    ("sed -n '5{p;q}' f", "change", "read"),
    ("sed 's/a/b/; w out' f", "change", "change"),
    ("sed 's/a/b/w out' f", "change", "change"),
    ("sed 's/a/b/e' f", "change", "change"),
    ("sed -Ei 's/a/b/' f", "change", "change"),
    ("sort -uo a a", "read", "change"),
    ("tar tzf a.tgz", "change", "read"),
    ("tar tzf a.tgz --to-command=./x", "change", "change"),
    ("gunzip -c a.gz", "change", "read"),
    ("gunzip a.gz", "change", "change"),
    ("fd -e py", "change", "read"),
    ("fd -HXrm", "change", "change"),
    ("./gradlew tasks", "change", "read"),
    ("./gradlew tasks build", "change", "change"),
    ("mvn dependency:tree -DoutputFile=x", "change", "change"),
    ("git merge-base main HEAD", "change", "read"),
    ("git clean -nd", "change", "read"),
    ("git clean -fd", "change", "change"),
    ("git apply --check a.patch", "change", "read"),
    ("git apply --check --apply a.patch", "change", "change"),
    ("git config user.name", "change", "read"),
    ("git config user.name x", "change", "change"),
    ("git diff-tree --output=o HEAD", "change", "change"),
    ("docker compose logs app", "change", "read"),
    ("docker compose config -o out.yml", "change", "change"),
    ("kubectl -n x get pods", "change", "read"),
    ("npm config get registry", "change", "read"),
    ("npm config set registry x", "change", "change"),
    ("env", "change", "read"),
    ("mount /dev/x /mnt", "change", "change"),
    ("curl -fsSL http://localhost/x | jq .", "change", "read"),
    ("curl -s -o /dev/null -w '%{http_code}' http://localhost", "change", "read"),
    ("curl -sSLo f http://localhost", "change", "change"),
    ('curl -s "http://localhost:$PORT/health"', "change", "read"),
    ('curl -s "$OPTIONS" http://localhost', "change", "change"),
    ("curl -s http://localhost:$PORT", "change", "change"),
    ('curl -s "http://localhost/$(rm a)"', "change", "change"),
    ('sed "s/a/$B/" f', "change", "change"),
    ("curl -sd a=b http://localhost", "change", "change"),
    ("curl -X DELETE http://localhost", "change", "change"),
    ("gcc --version", "change", "read"),
    ("./gcc --version", "change", "change"),
    ("tr a b < f", "change", "read"),
    ("bash < f", "change", "change"),
    ("diff <(sort a) <(sort b)", "change", "read"),
    ('echo "$(cat a | head -1)"', "change", "read"),
    ('echo "$(cat a | tee b)"', "change", "change"),
    ("V=$(cat VERSION) && echo $V", "change", "read"),
    # control structures of readers
    ('for f in *.py; do wc -l "$f"; done', "change", "read"),
    ("for i in $(seq 1 5); do sleep 1; done", "change", "read"),
    ('while read l; do echo "$l"; done < a', "change", "read"),
    ("if [[ -f a ]]; then cat a; else echo no; fi", "change", "read"),
    ("if [ -d tests ]; then pytest; fi", "change", "check"),
    ("for f in $(rm a); do echo $f; done", "change", "change"),
    ("for f in a b; do echo $f; done > out", "change", "change"),
    ("while read l; do rm $l; done < a", "change", "change"),
    ("while read l; do echo $l; done < <(rm a)", "change", "change"),
    ("case $(rm a) in x) ls;; esac", "change", "change"),
    ("[[ -n $(rm a) ]]", "change", "change"),
    ("ls; (( $(rm a) ))", "change", "change"),
    ("if true; then ls() { rm a; }; fi; ls", "change", "change"),
    ("(ls() { rm a; }; ls)", "change", "change"),
    # the shells of Windows
    ("Set-Location web; npm test", "change", "check"),
    ("Test-Path a.txt", "change", "read"),
    ("Sort-Object { rm a }", "change", "change"),
    ("$env:CI='1'; pytest -q", "change", "check"),
    (".\\venv\\Scripts\\python.exe -m pytest", "change", "check"),
    ("Get-Content (rm x)", "change", "change"),
    ("Get-ChildItem | ForEach-Object { rm $_ }", "change", "change"),
    ("Get-Content a.txt | Select-String x", "read", "read"),
    ("ls\r\npytest -q\r\n", "check", "check"),
    # the record of the repository
    ("git commit -m x", "change", "read"),
    ("git commit -am x", "change", "change"),
    ("git commit --amend -m x", "change", "change"),
    ("git push", "change", "change"),
]


@pytest.mark.parametrize(("command", "classic", "contract"), BOTH_WAYS)
def test_a_command_is_classified_both_ways(command: str, classic: str, contract: str) -> None:
    """Known false accepts are closed and known false rejects opened, each at its own point."""
    found = (kind(command, CLASSIC_COMMANDS), kind(command, CONTRACT_COMMANDS))

    assert (classic, contract) == found


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("CI=1 pytest", "check"),
        ("env CI=1 pytest", "check"),
        ("env -i pytest", "change"),
        ("CI=$X pytest", "change"),
        ("timeout 5 pytest", "change"),
        ("git -C sub diff --check", "check"),
        ("cargo check", "change"),
        ("cargo doc", "change"),
        ("cargo test", "check"),
        ("git commit -q -m x", "read"),
        ("git push", "read"),
        ("git tag v1", "read"),
    ],
)
def test_the_facts_rules_look_through_assignments_only(command: str, expected: str) -> None:
    """EL-20: prefixes and options of git are skipped, builds write, records are no change."""
    assert expected == kind(command, FACTS_COMMANDS)


@pytest.mark.parametrize(
    ("point", "command", "without", "with_it"),
    [
        ("wide_checks", "ruff check .", "change", "check"),
        ("arguments_decide_change", "git tag v1", "read", "change"),
        ("commit_is_change", "git commit -m x", "read", "change"),
        ("push_is_change", "git push", "read", "change"),
        ("git_global_options", "git -C a status", "change", "read"),
        ("cargo_builds_check", "cargo check", "change", "check"),
    ],
)
def test_each_policy_point_works_by_itself(
    point: str, command: str, without: str, with_it: str
) -> None:
    """A rule set may choose any combination of the points."""
    off = replace(CONTRACT_COMMANDS, **{point: False})
    on = replace(CONTRACT_COMMANDS, **{point: True})

    assert (without, with_it) == (kind(command, off), kind(command, on))


@pytest.mark.parametrize(
    ("command", "shapes"),
    [
        ("go test ./...; echo $?", {"masks_exit"}),
        ("go test ./...; printf '%d' $?", {"masks_exit"}),
        ("echo $?; go test ./...", set()),
        ("rm -rf x && pytest", {"mixed"}),
        ("rm -rf x; pytest", {"mixed", "mixed_maskable"}),
        ("go vet ./...", set()),
        ("python -c 'x'", {"inline_opaque"}),
        ("python -c 'x' | cat", {"inline_opaque", "inline_nonterminal"}),
        ("python -c 'x' && ls", {"inline_opaque"}),
        ("for i in 1 2; do python -c 'x'; done; ls", {"inline_opaque"}),
        ("if true; then rm x; pytest; fi", {"mixed"}),
        ("uv run python -c 'x'", {"inline_opaque"}),
    ],
)
def test_the_shapes_that_preflight_refuses(command: str, shapes: set[str]) -> None:
    """G1 to G4: only the command's own segments decide (VER-8)."""
    found = classify(command, CONTRACT_COMMANDS)
    names = {"mixed", "mixed_maskable", "masks_exit", "inline_opaque", "inline_nonterminal"}
    # Under `contract` a variable is harmless to echo, so printing `$?` is no change by itself.
    assert shapes == {name for name in names if getattr(found, name)}


@pytest.mark.parametrize(
    ("command", "readonly"),
    [
        ("ls -la", True),
        ("git status", True),
        ("git tag", True),
        ("git tag v1", False),
        ("go vet ./...", True),
        ("pytest", False),
        ("ls; pwd", False),
        ("ls | wc", False),
        ("ls &", False),
        ("A=1 ls", False),
        ("ls > f", False),
        ("ls > /dev/null", True),
        ("npm audit fix", False),
        ("git log `mkdir z`", False),
        ("Test-NetConnection localhost", False),
        ("export A=1", False),
        ("find . -exec cat {} +", True),
        ("curl http://localhost", False),
        ("./gradlew tasks", False),
        ("gcc --version", False),
        ("sudo ls", False),
        ("docker exec app ls", False),
        ("for f in a; do cat $f; done", False),
    ],
)
def test_the_permission_layer_sees_one_plain_reader(command: str, readonly: bool) -> None:
    """Read-only is a promise to run without asking (EL-10)."""
    assert readonly == classify(command, CONTRACT_COMMANDS).permission_readonly


@pytest.mark.parametrize(
    ("command", "owned"),
    [
        ("pytest", True),
        ("cd x && pytest 2>&1", True),
        ("pytest || true", False),
        ("pytest | tail", False),
        ("pytest; ls", False),
        ("pytest &", False),
        ("bash -c pytest", True),
        ("bash -c pytest || true", False),
        ("bash -c 'pytest; ls'", False),
        ("bash -ec 'pytest; ls'", True),
        ("bash -euo pipefail -c 'pytest | tail'", True),
        ("ruff check . && pytest", True),
        ("ruff check .; pytest", False),
    ],
)
def test_a_verification_knows_whether_the_status_is_its_own(command: str, owned: bool) -> None:
    """A masked check is a verification that proves nothing (MASK-1)."""
    assert owned == classify(command, CONTRACT_COMMANDS).status_owned
    assert classify(command, CLASSIC_COMMANDS).status_owned


def test_a_repeated_command_is_read_once() -> None:
    """Agents repeat commands; a long trace is replayed in little more than it takes to parse it."""
    command = "cd app && CI=1 uv run pytest -q tests 2>&1 | tail -20"

    assert classify(command, CONTRACT_COMMANDS) is classify(command, CONTRACT_COMMANDS)
    assert matches(command, command, CONTRACT_COMMANDS) is matches(
        command, command, CONTRACT_COMMANDS
    )


def test_a_very_long_command_is_not_kept() -> None:
    """A file written through a here-document must not stay in memory with its whole text."""
    command = "cat > f <<'EOF'\n" + "x" * 5000 + "\nEOF"

    assert classify(command, CONTRACT_COMMANDS) is not classify(command, CONTRACT_COMMANDS)
    assert classify(command, CONTRACT_COMMANDS) == classify(command, CONTRACT_COMMANDS)
