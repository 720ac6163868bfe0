"""Does a run prove a citation, by word sets and by grammar."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.citing.citation import first_match
from reasonix_runtime.evidence.citing.covering import FEW, Alike, Covering
from reasonix_runtime.evidence.citing.grammar import MOST_CLAIMS
from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    CommandRules,
    ExitStatus,
    matches,
)
from reasonix_runtime.evidence.kept import LONGEST_WHOLE, packed, whole

OWNED, MASKED, UNKNOWN = ExitStatus.OWNED, ExitStatus.MASKED, ExitStatus.UNKNOWN

# cited, ran, covered by word sets, status by grammar (None: not covered)
BOTH_WAYS = [
    ("pytest", "pytest", True, OWNED),
    ("pytest", "pytest -q", False, OWNED),
    ("pytest -q", "cd app && pytest -q", True, OWNED),
    ("pytest -q", "CI=1 pytest -q", False, OWNED),
    ("pytest", "bash <<'E'\nset -e\ncat\npytest\nE", True, None),
    ("pytest", "bash <<'E'\nset -e\nls | cat; read x\npytest\nE", True, None),
    ("pytest", "bash <<'E'\nset -e\nuv run python\npytest\nE", True, None),
    ("pytest", "bash <<E\npytest $X\nE", False, None),
    ("pytest", "bash a.sh <<'E'\npytest\nE", True, None),
    ("pytest", "cat <<'E'\npytest\nE", True, None),
    ("pytest -q", "bash <<'E'\nset -e\nls\npytest -q\nE", True, OWNED),
    ("xcodebuild test", "xcodebuild test -quiet", True, OWNED),
    ("xcodebuild test", "xcodebuild test -only-testing:AppTests/CartTests", True, None),
    ("pytest -q", "env CI=1 pytest -q", False, OWNED),
    ("pytest -q", "uv run pytest -q", False, OWNED),
    ("pytest -q", "poetry run pytest -q", False, OWNED),
    ("pytest -q", "timeout -k 5 120s pytest -q", False, OWNED),
    ("pytest -q", "nice -n 5 pytest -q", False, OWNED),
    ("pytest -q", "time pytest -q", False, OWNED),
    ("pytest -q", "command pytest -q", False, OWNED),
    ("pytest -q", "python -m pytest -q", False, OWNED),
    ("pytest -q", "bash -lc 'cd x && pytest -q'", False, OWNED),
    ("pytest -q", ".venv/bin/python -m pytest -q", False, OWNED),
    ("pytest -q", "(cd app && pytest -q)", False, OWNED),
    ("pytest -q", "py -3.12 -m pytest -q", False, OWNED),
    ("pytest -q", "pytest -q -p no:cacheprovider -o log_cli=true", True, OWNED),
    ("pytest -q", "pytest -q -p no:tests -o addopts=", True, None),
    ("npm test", "npm test -- --run", True, OWNED),
    ("npm test", "npm test -- --run cart", True, None),
    ("npm test", 'npx concurrently -n a,b "npm:lint" "npm test"', False, OWNED),
    ("npm test", 'npx concurrently -s first "npm:lint" "npm test"', False, None),
    ("npm test", 'npx concurrently "npm:test*"', False, None),
    # what is printed is kept in a variable
    ("pytest -q", 'out=$(pytest -q 2>&1) && echo "$out"', False, OWNED),
    ("pytest -q", 'out=`pytest -q` || { echo "$out"; exit 1; }', False, OWNED),
    ("pytest -q", 'if ! out="$(pytest -q)"; then echo "$out"; exit 1; fi', False, OWNED),
    ("pytest -q", 'out=$(pytest -q); rc=$?; echo "$out"; exit $rc', False, OWNED),
    ("pytest -q", 'out=$(pytest -q); echo "$out"', False, MASKED),
    ("pytest -q", "out=$(pytest -q | tail -3)", False, MASKED),
    ("pytest -q", 'out="x $(pytest -q)"', False, None),
    ("pytest -q", "export out=$(pytest -q)", False, None),
    ("pytest -q", "./pytest -q", False, None),
    ("pytest -q", "pytest -q < /dev/null", True, OWNED),
    ("pytest -q", "pytest -q < answers.txt", True, None),
    ("make check", "make -j$(nproc) check", True, OWNED),
    ("make -j$(nproc) check", 'make -j"$(nproc)" check', True, OWNED),
    ("make check", "make -j$(cat jobs) check", True, None),
    ("make check", "make $(nproc) check", True, None),
    ("npm test", 'docker run --rm -v "$PWD":/app -w /app node:20 npm test', False, OWNED),
    ("npm test", "docker run --rm -v /tmp/old:/app node:20 npm test", False, None),
    ("npm test", "docker run --rm app npm test", False, None),
    # behind its own build a container holds the work, and is still what ran
    ("docker run app pytest", "docker build -t app . && docker run app pytest", True, OWNED),
    ("docker run app pytest", "docker build -t app .; docker run app pytest; ls", True, MASKED),
    ("docker run app pytest", "docker build -t app . && docker run app pytest -q", True, None),
    (
        "docker run app pytest",
        "docker() { :; }; docker build -t app . && docker run app pytest",
        True,
        None,
    ),
    # output that goes to a program beside the line
    ("pytest -q", "pytest -q > >(tee log)", True, OWNED),
    ("pytest -q", "pytest -q | tee >(wc -l)", True, MASKED),
    ("pytest -q", "set -o pipefail; pytest -q | tee >(wc -l)", True, OWNED),
    ("npm test", 'for d in a b; do (cd "$d" && npm test) || exit 1; done', False, OWNED),
    ("npm test", 'for d in a b; do (cd "$d" && npm test); done', False, UNKNOWN),
    # what one reader of options takes for harmless, the other knows to check nothing
    ("make test", "make -kn test", True, None),
    ("make test", "make -k test", True, OWNED),
    ("./gradlew test", "./gradlew test -PskipTests", True, None),
    ("./gradlew test", "./gradlew test -PmaxParallelForks=4", True, OWNED),
    ("go test ./...", "go test -count=0 ./...", True, None),
    ("go test ./...", "go test $(go list ./...)", False, OWNED),
    ("vendor/bin/phpunit", "php -d memory_limit=-1 vendor/bin/phpunit", False, OWNED),
    ("vendor/bin/phpunit", "php -d auto_prepend_file=x vendor/bin/phpunit", False, None),
    ("pytest -q", "eval 'pytest -q'", False, OWNED),
    ("pytest -q", "eval 'pytest -q || true'", False, MASKED),
    ("pytest -q", "eval 'pytest() { :; }' && pytest -q", True, None),
    # a file that the text itself puts where the program is looked for
    ("pytest -q", "printf 'exit 0' > bin/pytest && PATH=bin:$PATH pytest -q", False, None),
    ("jest", "cp /bin/true node_modules/.bin/jest && npx jest", False, None),
    ("pytest -q", "ln -sf /bin/true ~/bin/pytest && pytest -q", True, None),
    ("pytest -q", "echo x | tee bin/pytest && pytest -q", True, None),
    ("pytest -q", "pytest -q && cp report pytest", True, OWNED),
    ("pytest -q", "cp .env.example .env && pytest -q", True, OWNED),
    ("python script.py", "python3 script.py", False, OWNED),
    ("pytest -q", "docker compose exec -T app pytest -q", False, OWNED),
    ("pytest -q", "nix develop -c pytest -q", False, OWNED),
    ("ruff check", "git diff --name-only | xargs ruff check", False, None),
    ("npm test", 'cmd /c "npm test & echo done"', False, MASKED),
    ("python -m pytest -q", "python3 -m pytest -q", False, OWNED),
    ("eslint .", "npx eslint@9 .", False, OWNED),
    ("eslint .", "npx eslint@npm:other .", False, None),
    ("pytest -q tests", "pytest tests -q", True, None),
    ("go test", "go test ./pkg -run TestOne", True, None),
    ("go test ./...", "go test ./... -run TestOne", True, None),
    ("go test ./...", "go test ./... -short", True, None),
    ("go test ./...", "go test -v -count=1 -timeout 30s ./...", True, OWNED),
    ("go test ./...", "go test -coverpkg ./... ./pkg", True, None),
    ("pytest -q", "pytest -q tests/unit", True, None),
    ("pytest -q", "pytest -q -k parser", True, None),
    ("pytest -q", "pytest -q --lf", True, None),
    ("pytest -q", "pytest -q --ignore-glob=slow/*", True, None),
    ("phpunit", "phpunit --exclude-testsuite slow", False, None),
    ("pytest -q", "pytest -q --collect-only", True, None),
    ("pytest -q", "pytest -q --maxfail 1 -n auto", True, OWNED),
    ("ruff check .", "ruff check . --fix", True, None),
    ("ruff check .", "ruff check . --exit-zero", True, None),
    ("npm test", "npm --prefix web test", True, OWNED),
    ("npm test", "npm test -- -t parser", True, None),
    # spellings of one command
    ("npm test", "npm run test", True, OWNED),
    ("npm run test", "npm t", False, OWNED),
    ("npm run lint", "npm lint", False, None),
    ("npm test", "npm run test:unit", False, None),
    ("pnpm lint", "pnpm run lint", True, OWNED),
    ("bun test", "bun run test", True, None),
    ("vitest", "npx vitest run", False, OWNED),
    ("tox -e py311", "tox run -e py311", True, OWNED),
    ("cargo fmt --check", "cargo fmt --all -- --check", True, OWNED),
    ("cargo clippy", "cargo clippy -- -D warnings", True, OWNED),
    ("cargo clippy", "cargo clippy -- -A clippy::all", True, None),
    ("prettier --check .", "prettier -c .", False, OWNED),
    ("ruff check", "ruff check .", True, OWNED),
    ("ruff check", "ruff check src", True, None),
    ("pytest tests", "pytest tests/", False, OWNED),
    ("pytest ./tests", "pytest tests", False, OWNED),
    ("timeout 60 pytest -q", "timeout 90 pytest -q", False, OWNED),
    ("mytool ./x", "mytool x", False, None),
    ("pytest", "pytest 2> err.log", False, OWNED),
    ("sort < a", "sort < a", True, OWNED),
    ("sort", "sort < a", False, None),
    ("sort < a", "sort", False, None),
    ("go test ./pkg", "go test pkg", False, None),
    ("bazel test //...", "bazel test //... -- -//slow/...", True, None),
    # what an option of a program means that nobody listed is not known
    ("grep foo a.py", "grep -v foo a.py", True, None),
    ("git diff", "git diff --stat", True, None),
    ("tsc", "tsc --noEmit", False, None),
    ("helm lint chart", "helm lint chart --strict", True, OWNED),
    # where it ran
    ("cd app && npm test", "npm --prefix app test", False, OWNED),
    ("cd app && npm test", "npm --prefix lib test", False, None),
    ("make -C app test", "cd app && make test", False, OWNED),
    ("make -C app test", "make -C lib test", False, None),
    ("make -C app test", "cd app && ls && make -C lib test", False, None),
    ("git -C a diff --check", "git -C b diff --check", False, None),
    ("docker exec app pytest", "docker exec lib pytest", False, None),
    ("docker exec app pytest", "docker exec -it app pytest", True, OWNED),
    ("npm test", "npm test --if-present", True, OWNED),
    ("npx jest", "npx jest --passWithNoTests", True, OWNED),
    ("npx jest", "npx jest --passWithNoTests --listTests", True, None),
    ("npx jest --passWithNoTests", "npx jest", False, None),
    ("mvn verify", "mvn verify -DskipTests", True, None),
    ("make test", "make -j4 test", True, OWNED),
    ("make test", "make -n test", True, None),
    # a variable behind a target says what is done, or holds options
    ("make test", "make test V=1", True, OWNED),
    ("make test", "make test ARGS=--verbose", True, OWNED),
    ("make test", "make test PKG=./one", True, None),
    ("make test", "make test TESTFLAGS=-n", True, None),
    ("make test", "make test PYTEST_ARGS='-x tests/a.py'", True, None),
    ("make test V=1", "make test", False, None),
    ("make lint && make unit", "make lint && make unit", True, OWNED),
    ("make unit && make lint", "make lint; make unit", True, MASKED),
    ("make lint && make unit", "make lint", False, None),
    ("echo ok ok", "echo ok ready", True, None),
    ("echo ok", "echo ok ok", True, None),
    ("grep -c def main a.py", "grep -c 'def main' a.py", True, None),
    ("grep -c 'def main' a.py", 'grep -c "def main" a.py', True, OWNED),
    ("pytest -q", "pytest -q 2>&1", True, OWNED),
    ("pytest -q 2>&1", "pytest -q", False, OWNED),
    ("pytest -q > out", "pytest -q", False, None),
    ("sort a", "sort a < b", True, None),
    ("pytest -q", "pytest -q || true", True, MASKED),
    ("pytest -q", "pytest -q | tail -5", True, MASKED),
    ("pytest -q", "set -o pipefail; pytest -q | tail -5", True, OWNED),
    ("pytest -q", "pytest -q; echo done", True, MASKED),
    ("pytest -q", "pytest -q; echo $?", True, MASKED),
    ("pytest -q", "pytest -q &", True, UNKNOWN),
    ("pytest -q", "for d in a b; do pytest -q; done", False, UNKNOWN),
    ("pytest -q", "false && pytest -q || true", True, MASKED),
    ("pytest -q", "! pytest -q", False, None),
    ("! grep TODO a.py", "! grep TODO a.py", True, OWNED),
    ("pytest -q", "PYTEST_ADDOPTS='-k x' pytest -q", False, None),
    ("pytest -q", "pytest -q -kx", True, None),
    ("pytest", "pytest -qk x", False, None),
    ("pytest -n 4", "pytest -n4", False, "owned"),
    ("pytest", "pytest -xvs -ra", False, "owned"),
    ("make test", "make -otest test", True, None),
    ("gradle test", "gradle test -xit", True, None),
    ("pytest -q", "PYTEST_ADDOPTS='-k x' bash -c 'pytest -q'", False, None),
    ("pytest -q", "PATH=/tmp/fake pytest -q", False, None),
    ("pytest -q", "export PYTEST_ADDOPTS='-k x'; pytest -q", True, None),
    ("pytest -q", "export LD_PRELOAD=x; bash -c 'pytest -q'", False, None),
    ("pytest -q", 'export PATH="$HOME/bin:$PATH"; pytest -q', True, OWNED),
    ("pytest -q", "PATH=./fake:$PATH pytest -q", False, None),
    ("npm test", "NODE_OPTIONS='-r ./x.js' npm test", False, None),
    ("npm test", "NODE_OPTIONS=--max-old-space-size=4096 npm test", False, OWNED),
    ("cargo test", "CARGO=/bin/true cargo test", False, None),
    ("make test", "PYTEST_ADDOPTS='-k x' make test", False, None),
    ("make test", "SKIP_TESTS=1 make test", False, None),
    ("make test", "SKIP_SLOW=1 make test", False, None),
    ("make test", "TESTS=one make test", False, None),
    ("npm test", "PUPPETEER_SKIP_DOWNLOAD=1 npm test", False, OWNED),
    ("cargo test", "RUSTFLAGS='-D warnings' cargo test", False, OWNED),
    ("cargo test", "RUSTFLAGS='--cap-lints allow' cargo test", False, None),
    ("pytest -q", "bash -c 'pytest -q' || true", False, MASKED),
    ("pytest -q", "pytest() { :; }; pytest -q", True, None),
    ("cd web && npm test", "cd web && npm test", True, OWNED),
    ("cd web && npm test", "cd api && npm test", False, None),
    ("cd web && npm test", "cd /repo/web && npm test", False, OWNED),
    ("wc -c l.txt", "printf 'a' > l.txt; sort l.txt; wc -c l.txt", True, OWNED),
    ("sort l.txt", "printf 'a' > l.txt; sort l.txt; wc -c l.txt", True, MASKED),
    ("pytest -q", "cat > a.txt <<'EOF'\nx\nEOF\npytest -q", True, OWNED),
    ("pytest -q", "cat > a.sh <<'EOF'\npytest -q\nEOF", True, None),
    ("pytest -q", "echo 'pytest -q'", False, None),
    ("pytest -q", "$env:CI='1'; pytest -q", True, OWNED),
    ("Get-Content a.txt", "get-content a.txt", False, OWNED),
    ("pytest -q", "set CI=1&& pytest -q", True, OWNED),
    ("", "pytest", False, None),
    ("# pytest", "# pytest", False, None),
]


@pytest.mark.parametrize(("cited", "ran", "by_words", "by_grammar"), BOTH_WAYS)
def test_a_citation_is_compared_both_ways(
    cited: str, ran: str, by_words: bool, by_grammar: ExitStatus | None
) -> None:
    """`classic` is a pile of words; `contract` asks what was checked, and whose status it was."""
    classic = matches(cited, ran, CLASSIC_COMMANDS)
    contract = matches(cited, ran, CONTRACT_COMMANDS)

    assert by_words == classic.covered
    assert by_grammar == (contract.status if contract.covered else None)


@pytest.mark.parametrize(
    ("ran", "more", "status"),
    [
        ("pytest {}.py", 0, OWNED),
        ("pytest -v {}.py", 0, OWNED),
        ("pytest {}.py", 1, OWNED),
        ("pytest -v {}.py", 1, None),
        ("pytest {}.pyi", 1, None),
    ],
)
def test_each_of_a_long_line_has_to_have_run_word_for_word(
    ran: str, more: int, status: ExitStatus | None
) -> None:
    """A line may hold a thousand commands, and so may the one that it is compared with."""
    numbers = range(MOST_CLAIMS + more)
    cited = " && ".join(f"pytest {at}.py" for at in numbers)
    line = " && ".join(ran.format(at) for at in reversed(numbers))

    match = matches(cited, line, CONTRACT_COMMANDS)

    assert (match.status if match else None) == status


@pytest.mark.parametrize("ran", ["pytest && '", '"', "x; `", "''", "ls ' | '"])
def test_a_run_of_quotes_alone_covers_nothing(ran: str) -> None:
    """A text that does not split is cut anywhere, and a piece may have no word left."""
    assert not matches("pytest -q", ran, CLASSIC_COMMANDS)


def test_the_status_of_a_call_is_that_of_the_citation_where_nobody_asks() -> None:
    """`classic` takes a masked failure for a pass; that is recorded, not mended."""
    assert matches("pytest -q", "pytest -q || true", CLASSIC_COMMANDS).status_owned
    assert not matches("pytest -q", "pytest -q || true", CONTRACT_COMMANDS).status_owned


@pytest.mark.parametrize(
    ("cited", "ran", "hint"),
    [
        ("pytest", "pytest -k x", "'-k x' changes what the run checked"),
        ("pytest", "pytest tests/unit", "what ran was given 'tests/unit' as well"),
        ("pytest -q", "pytest", "'-q' is not part of what ran, in that order"),
        ("cd a && make", "cd b && make", "it ran in 'b', not in 'a'"),
        ("pytest", "ls", "'pytest' did not run"),
        ("npm test", "npm test -- -u", "'-u' makes the run write"),
        ("pytest", "PYTEST_ADDOPTS=$X pytest", "what ran set PYTEST_ADDOPTS to something unknown"),
    ],
)
def test_what_is_not_covered_says_why(cited: str, ran: str, hint: str) -> None:
    """A refusal that names the difference is repaired at the first try."""
    assert hint == matches(cited, ran, CONTRACT_COMMANDS).why


PIECES = [
    "a",
    "b",
    "ab",
    "'",
    '"',
    "\\",
    "$",
    "&&",
    ";",
    "|",
    "#",
    "`",
    "^",
    "=",
    "$(",
    ")",
    "{",
    "}",
    "~",
    "*",
    "-x",
    "env",
    "<<a",
    ">",
]
commands = st.lists(
    st.sampled_from([*PIECES, " ", " ", " ", "\t", "\n", "\u00a0"]), max_size=8
).map("".join)


@pytest.mark.parametrize("rules", [CLASSIC_COMMANDS, CONTRACT_COMMANDS], ids=["words", "grammar"])
@given(cited=commands, ran=st.lists(commands, max_size=4))
def test_the_first_command_that_covers_a_citation_is_found(
    rules: CommandRules, cited: str, ran: list[str]
) -> None:
    """Most commands are left out by one look at their text, and none that would have covered it."""
    expected = next((text for text in ran if matches(cited, text, rules)), None)

    assert expected == first_match(cited, ran, rules)


def test_a_comment_of_a_text_that_does_not_split_asks_for_nothing() -> None:
    """M5: what is no command need not have run."""
    assert matches("(pytest)\n# all of it", "(pytest)", CLASSIC_COMMANDS)
    assert not matches("(pytest)\nls", "(pytest)", CLASSIC_COMMANDS)


ODD = [
    "$RUN -q tests",
    "make CC=gcc check",
    "make CC=clang check",
    "if pytest -q; then",
    "if  pytest  -q;  then",
    "cargo clippy -- -D warnings",
    "npm test -- --run cart",
    f"pytest -q # {'x' * LONGEST_WHOLE}",
    "",
]


@pytest.mark.parametrize(
    "cited", sorted({cited for cited, *_ in BOTH_WAYS} | {*ODD}), ids=lambda cited: cited[:40]
)
def test_none_that_covers_a_citation_is_left_out_of_many(cited: str) -> None:
    """Thousands of commands are not compared one by one, and none is lost that would prove it."""
    texts = [text for cited, ran, *_ in BOTH_WAYS for text in (ran, cited)]
    runs = {packed(text): at for at, text in enumerate(dict.fromkeys([*texts, *ODD]))}
    covering = Covering(CONTRACT_COMMANDS)
    half = dict([*runs.items()][: FEW + 1])

    first = [*covering.among(cited, half)]
    found = [*covering.among(cited, half | runs)]

    every = [*Covering(CONTRACT_COMMANDS).among(cited, runs)]
    assert first == [one for one in every if one[1] in half.values()]
    assert found == every
    expected = [at for text, at in _whole(runs) if matches(cited, text, CONTRACT_COMMANDS)]
    assert set(expected) <= {at for _, at in found}
    assert [at for _, at in found] == sorted(at for _, at in found)


@pytest.mark.parametrize("rules", [CONTRACT_COMMANDS, CLASSIC_COMMANDS])
@pytest.mark.parametrize("command", dict.fromkeys([ran for _, ran, *_ in BOTH_WAYS] + ODD))
def test_none_that_a_command_covers_is_left_out_of_many(command: str, rules: CommandRules) -> None:
    """A check that fails takes back each of thousands that may be the same one."""
    texts = [text for cited, ran, *_ in BOTH_WAYS for text in (ran, cited)]
    runs = {text: at for at, text in enumerate(dict.fromkeys([*texts, *ODD]))}

    found = Alike(rules).to(command, runs)

    same = {one for one in runs if matches(one, command, rules) or matches(command, one, rules)}
    assert same <= set(found)


def _whole(runs: dict[str | bytes, int]) -> list[tuple[str, int]]:
    return [(whole(kept), at) for kept, at in runs.items()]
