"""The outstanding changes of a run: what is owed and what settles it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from reasonix_runtime.evidence.checks.runs import passes
from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CONTRACT_LEDGER
from reasonix_runtime.evidence.owed.bearings import in_order
from reasonix_runtime.evidence.owed.changed_paths import LISTED, SomePaths
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.evidence.owed.review import OwedReview
from reasonix_runtime.evidence.owed.untold_ends import MOST_UNTOLD
from reasonix_runtime.evidence.owed.workplace import Workplace
from reasonix_runtime.evidence.paths import PathStyle
from reasonix_runtime.evidence.receipts import Receipt, receipt_of

RULES = CONTRACT_LEDGER


class Book:
    """A change set that is fed by calls."""

    def __init__(self, workspace: str = "", **settings: Any) -> None:
        ledger = Ledger(settings.pop("rules", RULES), workspace=workspace)
        self.changes = ChangeSet(
            CONTRACT_COMMANDS,
            where=Workplace(key=ledger.key, fits=ledger.fits, places=ledger.places),
            inconclusive_exits=RULES.inconclusive_exits,
            **settings,
        )
        self.at = 0

    def take(self, tool: str, *, ok: bool = True, output: str = "+x", **args: Any) -> Book:
        """Take one call in."""
        outcome = "ok" if ok else "error"
        receipt = receipt_of(tool, args, rules=RULES, outcome=outcome, output=output)
        return self.give(receipt)

    def give(self, receipt: Receipt) -> Book:
        """Take one receipt in."""
        self.changes.record(receipt, at=self.at, criteria=True)
        self.at += 1
        return self


def edit(book: Book, path: str = "a.py") -> Book:
    """Change a file."""
    return book.take("edit_file", path=path)


def paths_of(some: SomePaths | None) -> list[str]:
    """Return the paths that are owed, which are few enough to be told."""
    assert some is not None
    assert some.count == len(some.first)
    return some.first


def test_an_absolute_name_is_held_against_changes_of_its_file_name_only() -> None:
    """Many agents name every file in full; a run may change thousands."""
    compared: list[str] = []

    def fits(seen: str, wanted: str) -> bool:
        compared.append(wanted)
        return seen.endswith(f"/{wanted}")

    changes = ChangeSet(CONTRACT_COMMANDS, where=Workplace(fits=fits))
    for number in range(100):
        path = f"m{number}.py"
        changes.record(
            receipt_of("edit_file", {"path": path}, rules=RULES), at=number, criteria=True
        )
    read = receipt_of("read_file", {"path": "/w/m7.py"}, rules=RULES, output="x")
    changes.record(read, at=100, criteria=True)

    assert ["m7.py"] == compared
    assert 99 == changes.unseen.count


@pytest.mark.parametrize(
    ("workspace", "changed", "read", "seen"),
    [
        ("", "a.py", "a.py", True),
        ("", "a.py", "./a.py", True),
        ("", "a.py", "A.py", False),
        ("", "src/a.py", "a.py", False),
        ("", "src/a.py", "/w/src/a.py", True),
        ("/w", "a.py", "/w/a.py", True),
        ("/w", "/w/a.py", "a.py", True),
        ("/w", "a.py", "/x/a.py", False),
        ("/w", "a.py", "/w/sub/a.py", False),
    ],
)
def test_a_path_is_compared_by_the_rules_of_the_workspace(
    workspace: str, changed: str, read: str, *, seen: bool
) -> None:
    """A file of the same name elsewhere is another file (PATH-1)."""
    book = edit(Book(workspace), changed).take("read_file", path=read)

    assert ([] if seen else [changed]) == paths_of(book.changes.unseen)


@pytest.mark.parametrize(("style", "same"), [(PathStyle.WINDOWS, True), (PathStyle.POSIX, False)])
def test_the_path_rules_are_a_setting_not_the_machine(style: PathStyle, *, same: bool) -> None:
    """A trace of a Windows host is judged alike everywhere (PATH-5)."""
    book = Book(rules=replace(RULES, paths=style))

    edit(book, "C:/w/A.py").take("read_file", path="c:/w/a.py")

    assert same == (not book.changes.unseen.count)


@pytest.mark.parametrize(
    ("command", "content"),
    [
        ("cat a.py", True),
        ("git diff", True),
        ("git diff -- a.py", True),
        ("git diff --stat", False),
        ("git diff --name-only", False),
        ("git status", False),
        ("cat a.py | wc -l", False),
        ("cat a.py > /dev/null", False),
        ("grep -q x a.py", False),
        ("cat a.py.bak", False),
    ],
)
def test_content_is_more_than_a_look(command: str, *, content: bool) -> None:
    """Names and statistics show nothing of a file (PATH-2, PATH-3)."""
    book = edit(Book()).take("bash", command=command)

    assert content == book.changes.content_seen()


def test_an_empty_output_shows_nothing() -> None:
    """Nothing was printed, so nothing was seen (MASK-4)."""
    book = edit(Book()).take("bash", command="cat a.py", output="")

    assert ["a.py"] == paths_of(book.changes.unseen)


@pytest.mark.parametrize(
    ("command", "passed"),
    [
        ("pytest -q", True),
        ("cd app && pytest -q", True),
        ("bash -lc 'date; pytest -q'", True),
        ("bash -lc 'pytest -q; date'", False),
        ("if pytest -q; then date; else exit 1; fi", True),
        ("pytest -q || true", False),
        ("pytest -q | tee out.log", False),
        ("pytest -q; echo rc=$?", False),
        ("pytest -q &", False),
        ("ls", False),
    ],
)
def test_a_pass_is_that_of_the_check(command: str, *, passed: bool) -> None:
    """A call that succeeds whatever the check did says nothing about it (MASK)."""
    assert passed == passes(command, CONTRACT_COMMANDS)


def test_the_latest_run_of_a_check_decides() -> None:
    """A pass that a later run contradicts is none."""
    book = edit(Book()).take("bash", command="pytest -q")
    book.take("bash", command="pytest -q", ok=False)

    assert not book.changes.checks.verified
    assert "pytest -q" == book.changes.checks.failed
    assert book.take("bash", command="pytest -q").changes.checks.verified


def test_a_check_that_may_hide_its_failure_is_told_until_something_changes() -> None:
    """Whoever ran it wants to know why it is none."""
    book = edit(Book()).take("bash", command="pytest -q | tail")

    assert book.changes.checks.masked == "pytest -q | tail"
    assert edit(book).changes.checks.masked == ""


def test_a_run_that_could_not_start_contradicts_nothing() -> None:
    """It says nothing about the code (MASK-3)."""
    killed = receipt_of(
        "bash", {"command": "pytest -q"}, rules=RULES, outcome="error", exit_code=137
    )
    book = edit(Book()).take("bash", command="pytest -q").give(killed)

    assert book.changes.checks.verified


@pytest.mark.parametrize(
    ("look", "began", "seen"),
    [("git diff", 0, False), ("git status", 0, False), ("git diff", 1, True)],
)
def test_a_look_that_began_before_the_change_shows_nothing_of_it(
    look: str, began: int, seen: bool
) -> None:
    """What ran in the background saw what was there when it began, as far as anybody knows."""
    ended = Receipt(tool="bash", args={}, success=True, command=look, began=began, has_output=True)
    book = edit(Book().take("bash", command="ls")).give(ended)

    assert seen is (not book.changes.unseen.count)


@pytest.mark.parametrize(("paths", "seen"), [(("b.py",), True), (("a.py", "b.py"), False)])
def test_a_read_that_began_before_a_change_shows_what_did_not_change_since(
    paths: tuple[str, ...], seen: bool
) -> None:
    """Of several files all have to be as they were."""
    ended = Receipt(
        tool="read_file", args={}, success=True, read=True, paths=paths, began=1, content=True
    )
    book = edit(edit(Book(), "b.py").take("bash", command="ls"), "a.py").give(ended)

    assert (["a.py"] if seen else ["a.py", "b.py"]) == sorted(paths_of(book.changes.unseen))


def test_a_check_that_began_before_the_change_is_stale_when_it_ends() -> None:
    """It checked what was there when it began."""
    ended = Receipt(tool="bash", args={}, success=True, command="pytest -q", began=0)
    book = Book().take("bash", command="ls")

    edit(book).give(ended)

    assert not book.changes.checks.verified
    assert "pytest -q" == book.changes.checks.stale


def test_a_block_stays_until_something_that_it_covers_was_mended() -> None:
    """A change elsewhere is no repair, and after one only a new report will do."""
    book = edit(Book(), "a.py")
    book.changes.report("review", ["a.py"], blocking=True)

    edit(book, "b.py")
    assert book.changes.blocked("review")

    edit(book, "a.py").take("bash", command="git diff")
    assert not book.changes.blocked("review")
    assert not book.changes.content_seen()

    book.changes.report("review", ["a.py"], blocking=False)
    assert book.changes.content_seen()


def test_reports_on_parts_add_up() -> None:
    """Two reviewers of two files have reviewed both."""
    book = edit(edit(Book(), "a.py"), "b.py")
    for path in ("a.py", "b.py"):
        assert paths_of(book.changes.unreviewed("review"))
        book.changes.report("review", [path], blocking=False)

    assert book.changes.unreviewed("review") is None
    assert ["a.py", "b.py"] == paths_of(book.changes.unreviewed("security"))


@pytest.mark.parametrize("path", ["", "a.py"])
def test_what_a_report_forbade_without_a_path_ends_with_any_change(path: str) -> None:
    """Nobody can tell whether it was mended, so a new report has to."""
    book = Book().take("mcp__x__put")
    book.changes.report("review", ["x.py"], blocking=True)
    assert [] == paths_of(book.changes.blocked("review"))

    if path:
        edit(book, path)
    else:
        book.take("mcp__x__put")

    assert None is book.changes.blocked("review")
    assert None is not book.changes.unreviewed("review")


def test_only_the_latest_change_counts_where_the_rules_say_so() -> None:
    """The policy point of risk scope: earlier changes are hidden by it."""
    both = edit(edit(Book(), "a.py"), "b.py")
    latest = edit(edit(Book(latest_only=True), "a.py"), "b.py")

    assert ["a.py", "b.py"] == paths_of(both.changes.paths)
    assert ["b.py"] == paths_of(latest.changes.paths)


def test_what_the_host_holds_itself_is_no_change() -> None:
    """Nobody has to review a memory."""
    assert not Book().take("remember", body="tabs").changes


def test_a_passed_end_settles_everything() -> None:
    """The next turn starts with nothing to answer for."""
    book = edit(Book())
    book.changes.settle()

    assert not book.changes
    assert [] == paths_of(book.changes.unseen)


@given(st.lists(st.sampled_from(["a.py", "b.py", "c.py"]), max_size=40))
def test_its_size_grows_with_paths_not_with_calls(paths: list[str]) -> None:
    """A trace of a million edits of three files owes three files."""
    book = Book()
    for path in paths:
        edit(book, path)

    assert len(set(paths)) == book.changes.paths.count


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        (["a.py", "a_test.go", "x/docs/a.md"], ["a.py"]),
        (["a_test.go", "x/docs/a.md"], ["a_test.go", "x/docs/a.md"]),
    ],
)
def test_tests_and_documents_are_reviewed_only_when_nothing_else_changed(
    changed: list[str], wanted: list[str]
) -> None:
    """DL-07 "required paths"."""
    book = Book()
    for path in changed:
        edit(book, path)

    assert wanted == paths_of(book.changes.unreviewed("review"))


@pytest.mark.parametrize(
    ("command", "output", "seen"),
    [
        ("grep -n x a.py", "1:x", True),
        ("grep -n x a.py", "", False),
        ("grep -n x b.py", "1:x", False),
    ],
)
def test_a_command_looks_at_the_files_that_it_names(
    command: str, output: str, *, seen: bool
) -> None:
    """Part of a file is a look at it, and not its content; nothing shown is no look."""
    book = edit(Book()).take("bash", command=command, output=output)

    assert ([] if seen else ["a.py"]) == paths_of(book.changes.unseen)
    assert not book.changes.content_seen()


@pytest.mark.parametrize("look", ["git status", "git diff", "cat run.sh"])
def test_what_kept_its_content_is_seen_by_any_look(look: str) -> None:
    """Nobody has to read again what a change of its mode left as it was."""
    book = Book().take("bash", command="chmod +x run.sh")
    before = paths_of(book.changes.unseen)

    book.take("bash", command=look)

    assert (["run.sh"], []) == (before, paths_of(book.changes.unseen))


def test_what_a_command_takes_back_is_no_change_of_unknown_files() -> None:
    """It names its files, though none of them holds anything of the work."""
    book = edit(Book()).take("bash", command="git checkout -- a.py")

    assert "" == book.changes.opaque_tool
    assert "bash" == book.take("bash", command="./generate").changes.opaque_tool


def test_what_an_earlier_run_left_owing_is_a_change_of_unknown_files() -> None:
    """Its receipts are gone, so that any file may be changed and no call bears on the end."""
    changes = Book().changes
    changes.restore("an earlier run")

    assert "an earlier run" == changes.opaque_tool
    assert changes.inspection.opaque_unseen
    assert not changes.checks.verified
    assert () == in_order(changes.bearings()).named


def test_a_change_in_the_background_is_doubted_until_it_ends() -> None:
    """And a read that began when it did ends nothing."""
    command = {"command": "./generate"}
    book = Book().give(receipt_of("bash", command, rules=RULES, outcome="running"))
    for tool, args in (("read_file", {"path": "a.py"}), ("bash", command)):
        before = [*book.changes.doubts]
        book.give(structs.replace(receipt_of(tool, args, rules=RULES), began=0))

    assert (["./generate"], []) == (before, [*book.changes.doubts])


def test_what_would_be_owed_had_a_call_been_good_changes_nothing() -> None:
    """The end of a turn only asks; a look and a check of untold end still prove nothing."""
    book = edit(Book())
    for tool, args in (("read_file", {"path": "a.py"}), ("bash", {"command": "pytest -q"})):
        book.give(receipt_of(tool, args, rules=RULES, outcome="unknown"))

    good, untold = book.changes.supposing(), book.changes.untold

    assert (["a.py"], False) == (paths_of(book.changes.unseen), book.changes.checks.verified)
    assert ([], True) == (paths_of(good.unseen), good.checks.verified)
    assert untold is not None
    assert ["a.py", "pytest -q"] == untold.calls
    assert edit(book).changes.untold is None


def test_of_very_many_calls_of_untold_end_the_latest_are_known() -> None:
    """A long turn of a log without outcomes is remembered in bounded memory."""
    book = edit(Book())
    for number in range(MOST_UNTOLD + 2):
        args = {"command": f"pytest -q t{number}.py"}
        book.give(receipt_of("bash", args, rules=RULES, outcome="unknown"))

    untold = book.changes.untold
    assert untold is not None
    assert MOST_UNTOLD == len(untold.calls)
    assert f"pytest -q t{MOST_UNTOLD + 1}.py" == untold.calls[-1]


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("git add a.py && git diff --cached", True),
        ("git add a.py; git diff --staged", True),
        ("git add a.py && git diff HEAD", True),
        ("git add -N a.py && git diff", True),
        ("git add -N . && git diff", True),
        ("git add -A && git diff --cached", True),
        ("git add -A && git diff --cached && git commit -m x", True),
        ("git add a.py && git diff --cached && git commit -m x && git push", True),
        ("git diff && git add a.py && git commit -m x", True),
        ("git add a.py && git commit -m x && git show HEAD:a.py", True),
        ("git add a.py && git diff", False),
        ("git add b.py && git diff --cached", False),
        ("git add -A && git diff --cached --stat", False),
        ("git add a.py && git commit -m x && git diff --cached", False),
        ("git add a.py && git status", False),
    ],
)
def test_what_a_look_shows_is_what_was_staged_in_front_of_it(command: str, *, seen: bool) -> None:
    """Agents stage, look and commit in one command; a look in front of a commit is none of it."""
    book = edit(Book()).take("bash", command=command)

    assert seen is (book.changes.content_seen() and not book.changes.unseen.count)
    assert not book.changes.inspection.pathless.wild


@pytest.mark.parametrize(
    ("commands", "stale"),
    [
        (["dotnet test"], ""),
        (["dotnet test --no-build"], "dotnet test --no-build"),
        (["dotnet build", "dotnet test --no-build"], ""),
        (["dotnet build && dotnet test --no-build"], ""),
        (["swift build", "dotnet test --no-build"], "dotnet test --no-build"),
        (["swift test --skip-build"], "swift test --skip-build"),
        (["dotnet build; dotnet test --no-build"], "dotnet build; dotnet test --no-build"),
        (["dotnet build || true", "dotnet test --no-build"], "dotnet test --no-build"),
        (["set -e; dotnet build; dotnet test --no-build"], ""),
        (
            ["dotnet build --help && dotnet test --no-build"],
            "dotnet build --help && dotnet test --no-build",
        ),
        (["mvn surefire:test"], "mvn surefire:test"),
        (["mvn -q test-compile surefire:test"], ""),
        (["mvn test"], ""),
        (["meson test --no-rebuild"], "meson test --no-rebuild"),
        (["ctest"], ""),
    ],
)
def test_tests_of_what_was_built_before_the_change_are_old(commands: list[str], stale: str) -> None:
    """They pass whatever was written since."""
    book = edit(Book(), "src/a.cs")
    for command in commands:
        book.take("bash", command=command)

    assert stale == book.changes.checks.of_old_build
    book.take("edit_file", path="src/b.cs").take("bash", command="dotnet test --no-build")
    assert "dotnet test --no-build" == book.changes.checks.of_old_build


@pytest.mark.parametrize(
    ("commands", "old"),
    [
        (["ctest"], "ctest"),
        (["ctest --test-dir build"], "ctest --test-dir build"),
        (["cmake --build build && ctest --test-dir build"], ""),
        (["make -j4", "ctest"], ""),
        (["./build.sh", "ctest"], ""),
        (["cmake --build build; ctest"], "cmake --build build; ctest"),
        (["cmake --build build --help && ctest"], "cmake --build build --help && ctest"),
        (["sed -i s/a/b/ README.md", "ctest"], "ctest"),
        (["make", "sed -i s/a/b/ README.md", "ctest"], ""),
        (["make", "sed -i s/a/b/ src/b.h", "ctest"], "ctest"),
        (["make test"], ""),
    ],
)
def test_programs_are_old_until_something_may_have_built_them(
    commands: list[str], old: str
) -> None:
    """`ctest` builds nothing; it passes whatever was written since."""
    book = edit(Book(), "src/a.cpp")
    for command in commands:
        book.take("bash", command=command)

    assert old == book.changes.checks.of_old_build
    assert "" == edit(Book(), "a.py").take("bash", command="ctest").changes.checks.of_old_build


def test_a_change_that_was_taken_back_from_the_index_is_in_a_plain_diff_again() -> None:
    """While it was staged, only a diff of what is staged showed it."""
    book = edit(Book()).take("bash", command="git add a.py").take("bash", command="git diff")
    assert ["a.py"] == [*book.changes.inspection.unread]

    book.take("bash", command="git reset -q a.py").take("bash", command="git diff")
    assert [] == [*book.changes.inspection.unread]


KEYS = st.lists(st.sampled_from(["a.py", "b.py", "c.py", "a_test.go", "b_test.go"]), unique=True)
STEPS = st.tuples(st.sampled_from(["changed", "moved", "passed", "forbidden", "forget"]), KEYS)


@given(st.lists(STEPS, max_size=8))
def test_what_a_review_has_to_cover_is_counted_as_it_changes(
    steps: list[tuple[str, list[str]]],
) -> None:
    """Every end of a turn asks: counting anew took the square of turns without a review."""
    production = {"a.py", "b.py", "c.py"}
    owed = OwedReview(production)
    for what, keys in steps:
        if what == "changed":
            owed.changed(dict.fromkeys(keys), opaque=False)
        elif what == "moved":
            owed.changed(dict.fromkeys(keys[1:]), gone=keys[:1], opaque=False)
        elif what == "forbidden":
            owed.forbidden(keys, opaque=False)
        else:
            getattr(owed, what)(keys)

        assert len(production & owed.paths.keys()) == owed.to_cover


def test_of_many_paths_the_first_are_told_and_all_are_counted() -> None:
    """A turn that ends thousands of times would otherwise list thousands of paths each time."""
    book = Book()
    for number in range(30):
        edit(book, f"m{number}.py")

    first = [f"m{number}.py" for number in range(LISTED)]
    asked = (book.changes.paths, book.changes.unseen, book.changes.unreviewed("review"))
    assert [SomePaths(first, 30)] * 3 == list(asked)
