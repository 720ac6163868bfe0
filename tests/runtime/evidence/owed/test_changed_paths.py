"""Which of the changed paths a name, a pattern or a folder means, and where they stand."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CONTRACT_LEDGER
from reasonix_runtime.evidence.owed.changed_paths import Change, ChangedPaths

TREE = "/w/.worktrees/fix"


def changed(*paths: str, workspace: str = "/w") -> ChangedPaths:
    """Return changed paths below a workspace."""
    ledger = Ledger(CONTRACT_LEDGER, workspace=workspace)
    found = ChangedPaths(ledger.key, ledger.fits)
    for at, path in enumerate(paths):
        found.note(ledger.key(path), Change(path, path, "edit_file", at, False))
    return found


@pytest.mark.parametrize(
    ("names", "meant"),
    [
        (["src"], ["src/a.py"]),
        (["src/a.py"], ["src/a.py"]),
        (["*.md"], ["b.md"]),
        (["sr"], []),
        ([], []),
    ],
)
def test_a_name_means_a_path_a_folder_or_a_pattern(names: list[str], meant: list[str]) -> None:
    paths = changed("src/a.py", "b.md")

    assert [f"/w/{path}" for path in meant] == paths.meant_by(names) == paths.below(names, paths)


def test_the_workspace_means_all_that_is_asked_about() -> None:
    paths = changed("src/a.py", "/elsewhere/b.py")

    assert ["/elsewhere/b.py"] == paths.below(["."], ["/elsewhere/b.py"])
    assert [*paths] == paths.below(["/w"], paths)


@pytest.mark.parametrize(
    ("folders", "root"),
    [((".",), True), (("/w",), True), (("src", "."), True), (("src",), False), ((), False)],
)
def test_the_workspace_is_meant_by_any_name_of_it(folders: tuple[str, ...], *, root: bool) -> None:
    assert root is changed("a.py").is_root(folders)


@pytest.mark.parametrize(
    ("folder", "paths", "workspace", "apart"),
    [
        (TREE, ("a.py",), "/w", True),
        (f"{TREE}/src", ("a.py",), "/w", True),
        (TREE, ("a.py", f"{TREE}/a.py"), "/w", False),
        (TREE, ("/w/.worktrees/other/a.py",), "/w", True),
        (TREE, (), "/w", False),
        (TREE, ("a.py",), TREE, False),
        (TREE, ("/w/a.py",), TREE, False),
        (TREE, ("a.py",), "", False),
        ("src", ("a.py",), "/w", False),
        ("", ("a.py",), "/w", False),
        ("", ("a.py",), TREE, False),
    ],
)
def test_a_worktree_without_changes_stands_apart(
    folder: str, paths: tuple[str, ...], workspace: str, *, apart: bool
) -> None:
    """What runs there runs nothing of the work, where the workspace is known and is another."""
    assert apart is changed(*paths, workspace=workspace).stand_apart_from(folder)


@pytest.mark.parametrize(
    ("folders", "standing"),
    [
        (["."], ["a.py"]),
        (["src"], []),
        ([TREE], [f"{TREE}/src/b.py"]),
        ([f"{TREE}/src"], [f"{TREE}/src/b.py"]),
        (["/w/.worktrees"], []),
        ([".", TREE], ["a.py", f"{TREE}/src/b.py"]),
    ],
)
def test_what_is_in_a_worktree_stands_in_folders_of_it_alone(
    folders: list[str], standing: list[str]
) -> None:
    paths = changed("a.py", f"{TREE}/src/b.py")

    assert standing == [
        key.removeprefix("/w/") if TREE not in key else key for key in paths.standing_in(folders)
    ]


@pytest.mark.parametrize(
    ("paths", "places", "far", "checked"),
    [
        (("a.py",), [], False, True),
        (("a.py",), [("",)], False, True),
        (("a.py",), [("/w",)], True, True),
        (("a.py",), [("/other",)], False, False),
        (("a.py",), [("/other", "/w")], False, True),
        (("a.py",), [("/w",), ("/other",)], False, False),
        (("a.py",), [(TREE,)], False, False),
        (("a.py",), [("docs", TREE)], False, False),
        (("a.py", f"{TREE}/a.py"), [(TREE,)], False, True),
        (("/other/a.py",), [("/w",)], False, True),
        (("/other/a.py",), [("/w",)], True, False),
        (("/other/a.py",), [("/other",)], True, True),
        (("/other/a.py",), [("/other",), ("/w",)], True, False),
        (("/other/a.py",), [], True, False),
        (("a.py", "/other/a.py"), [("/w",)], True, True),
        ((f"{TREE}/a.py",), [("/w",)], True, False),
    ],
)
def test_checks_are_of_the_workspace_or_of_where_something_changed(
    paths: tuple[str, ...], places: list[tuple[str, ...]], *, far: bool, checked: bool
) -> None:
    """Each of their places is told by names of which one is enough."""
    ledger = Ledger(CONTRACT_LEDGER, workspace="/w")

    assert checked is changed(*paths).are_checked_in(places, ledger.inside, far=far)


@pytest.mark.parametrize(("names", "covered"), [(["."], True), (["/other"], True), (["b"], False)])
def test_a_report_that_forbids_is_heard_for_all_that_it_names(
    names: list[str], *, covered: bool
) -> None:
    """One that names the workspace speaks of the whole work, wherever a part of it stands."""
    paths = changed("/other/a.py")

    assert (["/other/a.py"] if covered else []) == paths.reported(names, blocking=True)
