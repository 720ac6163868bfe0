"""Changes without a known path of which it is known what they may have done."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.formatters import formatted_by, is_file, only_formats
from reasonix_runtime.evidence.effects.git_record import steps_of
from reasonix_runtime.evidence.effects.pathless_changes import PathlessChanges
from reasonix_runtime.evidence.looking.shown import State


@pytest.mark.parametrize(
    ("command", "formats"),
    [
        ("black .", True),
        ("uv run black src tests", True),
        ("python -m isort .", True),
        ("ruff format", True),
        ("ruff check --fix .", True),
        ("ruff check --fix --unsafe-fixes .", False),
        ("ruff check .", False),
        ("npx prettier --write .", True),
        ("npx eslint --fix src", True),
        ("npx eslint --fix --rulesdir x src", False),
        ("gofmt -w .", True),
        ("gofmt -r 'a -> b' -w .", False),
        ("npx eslint --fix --parser ./x.js .", False),
        ("gofmt -l .", False),
        ("go fmt ./...", True),
        ("cargo fmt", True),
        ("cargo fix", False),
        ("rubocop -a", True),
        ("rubocop -A", False),
        ("./gradlew spotlessApply", True),
        ("./gradlew :app:ktlintFormat spotlessApply --quiet", True),
        ("./gradlew spotlessApply publish", False),
        ("mvn -q spotless:apply", True),
        ("mvn spotless:apply deploy", False),
        ("sbt scalafmtAll", True),
        ("sbt run", False),
        ("npm run format", True),
        ("npm run lint:fix", True),
        ("npm run fix:all", False),
        ("npm run format:deploy", False),
        ("make fmt", True),
        ("make fmt install", False),
        ("cd web && npx prettier --write . && git status", True),
        ("black . && pytest -q", True),
        ("black . && sed -i s/a/b/ a.py", False),
        ("black . > log.txt", False),
        ("black -c 'x=1'", False),
        ("./black .", False),
        ("PATH=/tmp/fake black .", False),
        ("export PATH=/tmp/fake; black .", False),
        ("CI=1 black .", True),
        ("sed -i s/a/b/ a.py", False),
        ("pytest -q", False),
        # what takes the work tree back to what git holds, and what brings it back
        ("git checkout .", True),
        ("git checkout -q HEAD -- src", True),
        ("git checkout src/", True),
        ("git checkout src", False),
        ("git checkout main -- .", False),
        ("git checkout main", False),
        ("git restore .", True),
        ("git restore --source=HEAD --staged --worktree .", True),
        ("git restore --source=main .", False),
        ("git reset -q --hard", True),
        ("git reset --hard HEAD", True),
        ("git reset --hard HEAD~1", False),
        ("git reset --soft HEAD", False),
        ("git -C ../other reset --hard", False),
        ("git stash", True),
        ("git stash push -u -m wip", True),
        ("git stash push src/a.py", True),
        ("git stash push -m wip -- src lib/a.py", True),
        ("git stash -- src/a.py", True),
        ("git stash save wip", True),
        ("git stash push -p src/a.py", False),
        ("git stash push '*.py'", False),
        ("git stash pop", True),
        ("git stash apply --index stash@{0}", True),
        ("git stash pop stash@{1}", False),
        ("git stash branch x", False),
        ("git stash drop", True),
        ("git stash clear", True),
        ("git stash store abc", False),
        ("git clean -fd", False),
        # what is written anew from what the work says
        ("go generate ./...", True),
        ("go generate ./... && go test ./...", True),
        ("protoc --go_out=. a.proto", True),
        ("protoc --plugin=protoc-gen-x=./x a.proto", False),
        ("make generate", True),
        ("make generate install", False),
        # what installs what the project asks for writes down which versions those are
        ("npm install", True),
        ("npm i --no-audit --no-fund", True),
        ("yarn", True),
        ("cd web && pnpm install && pnpm test", True),
        ("bundle install --quiet", True),
        ("mix deps.get && mix test", True),
        ("go mod tidy", True),
        ("terraform init -backend=false -input=false", True),
        ("npm install left-pad", False),
        ("npm install -g", False),
        ("npm install --prefix ../x", False),
        ("npm install --script-shell ./x", False),
        ("yarn add x", False),
        ("yarn run deploy", False),
        ("cargo update", False),
        ("terraform init -upgrade", False),
    ],
)
def test_a_formatter_is_known(command: str, *, formats: bool) -> None:
    """What does more than lay files out may have done anything."""
    assert formats is only_formats(command, CONTRACT_COMMANDS)
    assert not only_formats(command, CLASSIC_COMMANDS)


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("black a.py src/b.py", ("a.py", "src/b.py")),
        ("ruff format a.py", ("a.py",)),
        ("cd web && npx prettier --write src/a.ts", ("web/src/a.ts",)),
        ("gofmt -w a.go && black b.py", ("a.go", "b.py")),
        ("gofmt -w a.go && black .", ("a.go", ".")),
        ("black src/ a.py", ("src/", "a.py")),
        ("prettier --write '*.ts' src", (".",)),
        ("cd web && prettier --write .", ("web/.",)),
        ("cargo fmt", (".",)),
        ("go fmt ./...", (".",)),
        ("npm run format", (".",)),
        ("black .", (".",)),
        ("cd web && black", (".",)),
        ("npm install", (".",)),
        ("go generate ./pkg", (".",)),
        ("protoc --go_out=. a.proto", (".",)),
        ("cd web && go mod tidy", (".",)),
        ("sed -i s/a/b/ a.py", ()),
    ],
)
def test_a_formatter_is_told_what_it_lays_out(command: str, files: tuple[str, ...]) -> None:
    """What is not told may be anywhere in the workspace."""
    assert files == formatted_by(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("steps", "unseen_by"),
    [
        (["black ."], "git diff"),
        (["black .", State.UNSTAGED], ""),
        (["black .", State.UNCOMMITTED], ""),
        (["black .", State.FILE], ""),
        (["black .", State.STAGED], "git diff"),
        (["black .", State.COMMITTED], "git diff"),
        (["git add -A"], "git diff HEAD"),
        (["git add -A", State.UNSTAGED], "git diff HEAD"),
        (["git add -A", State.STAGED], ""),
        (["git add -A", State.UNCOMMITTED], ""),
        (["git commit -am x"], "git diff HEAD~1"),
        (["git commit -am x", State.UNCOMMITTED], "git diff HEAD~1"),
        (["git commit -am x", State.COMMITTED], ""),
        (["git commit -am x", State.FILE], ""),
        (["git commit -am x", State.SINCE], ""),
        (["git commit -am x", State.LATEST], ""),
        (["git commit -am x", "git commit -am y", State.LATEST], "git diff HEAD~1"),
        (["git commit -am x", "git commit --amend -am y", State.LATEST], ""),
        (["black .", "git add -A", State.UNSTAGED], "git diff HEAD"),
        (["black .", "git commit -am x", State.COMMITTED], ""),
        (["git commit -am x", "black .", State.COMMITTED], "git diff"),
        (["git commit -am x", "black .", State.UNSTAGED], "git diff HEAD~1"),
        (["git commit -am x", State.EARLIER], "git diff HEAD~1"),
    ],
)
def test_what_is_unseen_is_shown_by_a_look_at_its_state(
    steps: list[str | State], unseen_by: str
) -> None:
    """A diff of the files shows nothing of what is committed."""
    changes = PathlessChanges()
    for step in steps:
        if isinstance(step, State):
            changes.saw_all(step)
        else:
            changes.take(step, CONTRACT_COMMANDS, str)
            changes.recorded(steps_of(step, CONTRACT_COMMANDS))

    assert (False, unseen_by) == (changes.wild, changes.unseen_by)


@pytest.mark.parametrize(
    "command",
    ["", "git stash pop", "sed -i s/a/b/ a.py", "git stash store abc", "git commit -am x; rm b"],
)
def test_any_other_change_may_have_done_anything(command: str) -> None:
    """Only reviews speak for it."""
    changes = PathlessChanges()
    changes.take(command, CONTRACT_COMMANDS, str)

    assert (True, "") == (changes.wild, changes.unseen_by)


@pytest.mark.parametrize(
    ("formatted", "folders", "state", "unseen_by"),
    [
        ("black src", {"src"}, State.UNSTAGED, ""),
        ("black src/a", {"src"}, State.UNCOMMITTED, ""),
        ("black src", {"src/a"}, State.UNSTAGED, "git diff"),
        ("black src lib", {"src"}, State.UNSTAGED, "git diff"),
        ("black src", {"src"}, State.STAGED, "git diff"),
        ("black .", {"src"}, State.UNSTAGED, "git diff"),
    ],
)
def test_a_folder_that_was_laid_out_is_seen_by_itself(
    formatted: str, folders: set[str], state: State, unseen_by: str
) -> None:
    """A diff of a part shows nothing of the rest."""
    changes = PathlessChanges()
    changes.take(formatted, CONTRACT_COMMANDS, str)
    changes.saw_below(folders, state)

    assert unseen_by == changes.unseen_by


@pytest.mark.parametrize(
    ("path", "file"),
    [("a.py", True), ("src/a.py", True), ("src", False), ("src/", False), ("..", False)],
)
def test_a_file_is_told_by_its_ending(path: str, *, file: bool) -> None:
    """A folder does not say which files there are."""
    assert file is is_file(path)
