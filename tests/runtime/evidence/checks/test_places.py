"""Which work a check is about: where it runs, and which project or files it is told to check."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.places import places_of, root_of
from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CLASSIC_LEDGER, CONTRACT_LEDGER
from reasonix_runtime.evidence.paths import same_tree
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.evidence.running.moves import moves_of
from reasonix_runtime.evidence.shell.script import parse

# command, and for each of its checks that names a place what it is about
ABOUT: list[tuple[str, tuple[tuple[str, ...], ...]]] = [
    ("pytest -q", ()),
    ("pytest -q tests", ()),
    ("ls /x && pytest", ()),
    ("cd /x && pytest", (("/x",),)),
    ("cd /x && cd sub && pytest", (("/x/sub",),)),
    ("cd sub && cd /x && pytest", (("/x",),)),
    ("cd $WORK && pytest", ()),
    ('d=$(mktemp -d); cd "$d" && pytest', (("/tmp/x",),)),
    ("d=$(mktemp -d); cd $d/a && pytest", (("/tmp/x",),)),
    ("d=$(mktemp -d); (cd $d && ls); pytest", ()),
    ("d=$(mktemp -d); cd $d; cd -; pytest", ()),
    ("d=$(mktemp -d); d=src; cd $d && pytest", ()),
    ("cd /x && ruff check . && pytest", (("/x",), ("/x",))),
    ("bash -c 'cd /x && pytest'", (("/x",),)),
    ("docker compose exec web bash -c 'cd /app && pytest'", ()),
    ("docker compose exec -w /app web pytest", ()),
    ("docker compose exec -w /other web pytest", (("/other",),)),
    ("docker exec --workdir=/other web pytest", (("/other",),)),
    ("docker exec -w/other web pytest", (("/other",),)),
    ("docker exec -w sub web pytest", ()),
    ("docker compose --project-directory /x exec web make -C /app test", (("/x",),)),
    # options
    ("mvn -f /x/pom.xml test", (("/x",),)),
    ("mvn --file=/x test", (("/x",),)),
    ("mvn -f pom.xml test", ((".",),)),
    ("gradle -p /x test", (("/x",),)),
    ("cd /x && gradle -p /w test", (("/w",),)),
    ("make -C /x -C sub test", (("sub",),)),
    ("make -f /x/Makefile test", (("/x",),)),
    ("cargo test --manifest-path=crates/a/Cargo.toml", (("crates/a",),)),
    ("tsc --noEmit -p /x/tsconfig.json", (("/x",),)),
    ("go test -C /x ./...", (("/x",),)),
    ("GOFLAGS=-modfile=/x/go.mod go test ./...", (("/x",),)),
    ("psalm --root=/x", (("/x",),)),
    ("xcodebuild test -workspace /x/A.xcworkspace -scheme A", (("/x",),)),
    # wrappers
    ("uv run --directory=/x pytest", (("/x",),)),
    ("uv --project /x run pytest", (("/x",),)),
    ("poetry -C web run pytest", (("web",),)),
    ("env -C /x A=1 pytest", (("/x",),)),
    ("env --chdir=/x pytest", (("/x",),)),
    ("sudo -D /x pytest", (("/x",),)),
    ("pnpm -C web exec vitest run", (("web",),)),
    ("cd /x && uv run --directory sub pytest", (("/x/sub",),)),
    ("uv run --directory $WORK pytest", ()),
    # variables
    ("UV_PROJECT=/x uv run pytest", (("/x",),)),
    ("export UV_PROJECT=/x; uv run pytest", (("/x",),)),
    ("npm_config_prefix=/x npm test", (("/x",),)),
    ("MAVEN_ARGS='-f /x/pom.xml' mvn test", (("/x",),)),
    # operands
    ("pytest /x/tests/test_a.py::test_b", (("/x",),)),
    ("pytest ../x/tests", (("../x",),)),
    ("pytest tests /x/tests", (("tests", "/x"),)),
    ("cd /x && pytest ../w/tests", (("/x/../w",),)),
    ("pytest -q -o testpaths=/x/tests", (("/x",),)),
    ("pytest --override-ini=testpaths='tests /x'", (("tests", "/x"),)),
    ("pytest -o testpaths=tests", ()),
    ("pytest -o testpaths=/x tests", ()),
    ("pytest -o cache_dir=/x", ()),
    ("go test /x/...", (("/x",),)),
    ("dotnet test /x/Other.csproj", (("/x",),)),
    ("dotnet test /p:Configuration=Release", ()),
    ("bazel test //...", ()),
    ("npm test -- /x/tests", (("/x",),)),
    ("npm test -- --config /x/jest.config.js", ()),
    ("unlisted-check --cache /tmp/c", ()),
    ("phpstan analyse --configuration /x/a.neon", ()),
    ("python /x/manage.py test", (("/x",),)),
]


@pytest.mark.parametrize(("command", "about"), ABOUT)
def test_a_check_tells_what_it_is_about(command: str, about: tuple[tuple[str, ...], ...]) -> None:
    """A check of another project proves nothing of this one."""
    assert about == places_of(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("command", "last"),
    [
        ("cd a; x", ("a",)),
        ("cd a && cd b; x", ("a", "b")),
        ("cd a; cd -; x", ()),
        ("cd -; x", ("~-",)),
        ("popd; x", ()),
        ("pushd a; popd; x", ()),
        ("cd -- a; x", ("a",)),
        ("command cd a && x", ("a",)),
        ("cd; x", ("~",)),
        ("cd $A; x", ()),
        ("cd a b; x", ()),
        ("(cd a; y); x", ()),
        ("{ cd a; y; }; x", ("a",)),
        ("cd a | y; x", ()),
        ("cd a & x", ()),
        ("if y; then cd a; fi; x", ("a",)),
        ("(cd a && x)", ("a",)),
    ],
)
def test_a_move_lasts_as_long_as_its_shell(command: str, last: tuple[str, ...]) -> None:
    """What a subshell did has ended with it."""
    script = parse(command)
    at = max(i for i, segment in enumerate(script.segments) if segment.words[0].value == "x")

    assert last == moves_of(script).get(at, ())


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/x/tests/test_a.py", "/x"),
        ("/x/tests/test_a.py::T::t", "/x"),
        ("/x/src/", "/x"),
        ("/x/pom.xml", "/x"),
        ("/x/Makefile", "/x"),
        ("/x/...", "/x"),
        ("/x", "/x"),
        ("/pom.xml", "/"),
        ("pom.xml", "."),
        ("tests", "tests"),
        ("..", ".."),
        ("../x/spec/a_spec.rb:12", "../x"),
    ],
)
def test_a_path_speaks_of_a_project(path: str, root: str) -> None:
    """The tests of a project stand beside what they test."""
    assert root == root_of(path)


@pytest.mark.parametrize(
    ("folder", "root", "same"),
    [
        ("../w/web", "/w", True),
        ("../x", "/w", False),
        ("~/code", "/home/a/code", True),
        ("~/code/web", "/home/a/code", True),
        ("~/other", "/home/a/work", False),
        ("~", "/home/a/work", True),
        ("~/other", "", True),
    ],
)
def test_a_folder_is_placed_from_the_workspace(folder: str, root: str, *, same: bool) -> None:
    """A way out of the workspace may lead back into it."""
    assert same is same_tree(folder, root)


@pytest.mark.parametrize(
    ("command", "workspace", "proves"),
    [
        ("cd .. && pytest -q", "/w", False),
        ("cd .. && pytest -q", "/w/web", False),
        ("cd ../w && pytest -q", "/w", True),
        ("cd web && cd .. && pytest -q", "/w", True),
        ("cd web && cd ../.. && pytest -q", "/w", False),
        ("cd ~ && pytest -q", "/w", False),
        ("cd && pytest -q", "/home/a/w", False),
        ("cd ~/w && pytest -q", "/home/a/w", True),
        ("cd - && pytest -q", "/w", False),
        ("cd web && cd - && pytest -q", "/w", True),
        ("cd / && pytest -q", "/w", False),
        ("cd /w/ && pytest -q", "/w", True),
        ("cd node_modules/x && pytest -q", "/w", False),
        ("cd /w/.venv/lib/python3.12/site-packages/x && pytest -q", "/w", False),
        ("cd web && pytest -q", "/home/a/venv/w", True),
        ("cd /home/a/venv/w && pytest -q", "/home/a/venv/w", True),
        ("cd my_node_modules && pytest -q", "/w", True),
        ("cd .. && pytest -q", "", True),
        ("cd - && pytest -q", "", True),
    ],
)
def test_what_lies_around_the_workspace_is_not_the_work(
    command: str, workspace: str, *, proves: bool
) -> None:
    """Where no workspace is known nothing can be said of it."""
    ledger = Ledger(CONTRACT_LEDGER, workspace=workspace)
    run = receipt_of("bash", {"command": command}, rules=CONTRACT_LEDGER, outcome="ok", output="x")
    ledger.record(run)

    assert proves is ledger.command_ran("pytest -q")


def test_only_comparison_by_grammar_asks_for_the_place() -> None:
    """The host that `classic` follows never did."""
    run = {"command": "cd /x && pytest -q"}
    proofs = []
    for rules in (CLASSIC_LEDGER, CONTRACT_LEDGER):
        ledger = Ledger(rules, workspace="/w")
        ledger.record(receipt_of("bash", run, rules=rules, outcome="ok", output="x"))
        proofs.append(ledger.command_ran("pytest -q"))

    assert [True, False] == proofs
