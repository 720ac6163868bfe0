"""Paths: normal form, exact, suffix, and the workspace's own rules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.kept import brief
from reasonix_runtime.evidence.paths import (
    LONGEST_PATH,
    PathStyle,
    exact,
    norm,
    resolve,
    same_file,
    suffix,
    within,
)

POSIX, WINDOWS = PathStyle.POSIX, PathStyle.WINDOWS


@pytest.mark.parametrize(
    ("path", "posix", "windows"),
    [
        ("src/app.py", "src/app.py", "src/app.py"),
        (" ./src//app.py/ ", "src/app.py", "src/app.py"),
        ("a/../b", "b", "b"),
        ("src\\App.py", "src/App.py", "src/app.py"),
        ("C:\\w\\A.py", "C:/w/A.py", "c:/w/a.py"),
        ("//srv/x", "/srv/x", "/srv/x"),
        (".", ".", "."),
        ("", "", ""),
        ("   ", "", ""),
        ("../x", "../x", "../x"),
    ],
)
def test_the_normal_form_is_lexical(path: str, posix: str, windows: str) -> None:
    """Nothing is joined, resolved or looked up; the machine's own rules never matter (EL-05)."""
    assert (posix, windows) == (norm(path, POSIX), norm(path, WINDOWS))


@given(st.text(max_size=30), st.sampled_from(PathStyle))
def test_the_normal_form_of_a_normal_form_is_itself(path: str, style: PathStyle) -> None:
    """Otherwise a receipt and a claim could differ by how often they were cleaned."""
    assert norm(path, style) == norm(norm(path, style), style)


@pytest.mark.parametrize(
    ("observed", "wanted", "by_exact", "by_suffix"),
    [
        ("src/a.py", "./src/a.py", True, True),
        ("/repo/src/a.py", "src/a.py", False, True),
        ("src/a.py", "/repo/src/a.py", False, False),
        ("src/A.py", "src/a.py", False, True),
        ("src/a.py.bak", "src/a.py", False, False),
        ("xsrc/a.py", "src/a.py", False, False),
        ("", "", False, False),
    ],
)
def test_suffix_goes_one_way_only(
    observed: str, wanted: str, by_exact: bool, by_suffix: bool
) -> None:
    """A long path that was seen covers a short claim, never the reverse (EL-05)."""
    assert (by_exact, by_suffix) == (exact(observed, wanted), suffix(observed, wanted))


@pytest.mark.parametrize(
    ("observed", "wanted", "root", "style", "same"),
    [
        ("src/a.py", "/repo/src/a.py", "/repo", POSIX, True),
        ("/repo/src/a.py", "src/a.py", "/repo", POSIX, True),
        ("/elsewhere/src/a.py", "src/a.py", "/repo", POSIX, False),
        ("other/src/a.py", "src/a.py", "/repo", POSIX, False),
        ("src/A.py", "src/a.py", "/repo", POSIX, False),
        ("util.go", "pkg/a/util.go", "", POSIX, False),
        ("/ws/pkg/a/util.go", "pkg/a/util.go", "", POSIX, True),
        ("ws/pkg/a/util.go", "pkg/a/util.go", "", POSIX, False),
        ("c:\\w\\a.py", "C:/w/A.py", "", WINDOWS, True),
        ("c:\\w\\a.py", "C:/w/A.py", "", POSIX, False),
        ("a.py", "C:/w/A.py", "c:/w", WINDOWS, True),
        ("", "", "/repo", POSIX, False),
    ],
)
def test_a_file_of_the_workspace_is_known_by_its_whole_path(
    observed: str, wanted: str, root: str, style: PathStyle, same: bool
) -> None:
    """PATH-1 and PATH-5: the rules are a setting of the analyser."""
    assert same == same_file(observed, wanted, root=root, style=style)


def test_without_a_root_a_relative_path_stays_relative() -> None:
    """What is not known is not made up."""
    assert ("src/a.py", "/repo/src/a.py") == (resolve("src/a.py"), resolve("src/a.py", "/repo/"))


@pytest.mark.parametrize(
    ("path", "root", "style", "place"),
    [
        ("/home/auth/app/src/a.py", "/home/auth/app", PathStyle.POSIX, "src/a.py"),
        ("/home/auth/app/src/a.py", "/home/auth/app/", PathStyle.POSIX, "src/a.py"),
        ("/home/auth/application/a.py", "/home/auth/app", PathStyle.POSIX, None),
        ("/HOME/auth/app/a.py", "/home/auth/app", PathStyle.POSIX, None),
        ("/home/auth/app", "/home/auth/app", PathStyle.POSIX, None),
        ("src/a.py", "/w", PathStyle.POSIX, "src/a.py"),
        ("/w/a.py", "", PathStyle.POSIX, None),
        ("c:\\Auth\\App\\src\\userAuth.ts", "C:/auth/app", PathStyle.WINDOWS, "src/userAuth.ts"),
        ("D:/auth/app/a.ts", "C:/auth/app", PathStyle.WINDOWS, None),
    ],
)
def test_the_place_of_a_file_is_its_path_below_the_root(
    path: str, root: str, style: PathStyle, place: str | None
) -> None:
    """The folders above the root say nothing of what is in it; other files keep their paths."""
    assert (norm(path) if place is None else place) == within(path, root, style)


def test_of_a_path_that_no_system_has_only_its_ends_are_kept() -> None:
    """A recording may name any; two that differ stay two, and each keeps its root and its name."""
    one, other = (f"/srv/shop/{'d/' * 20_000}{mark}/{'e/' * 20_000}a.py" for mark in "xy")
    kept = norm(one)

    assert len(kept) < LONGEST_PATH
    assert norm(kept) == kept
    assert norm(f"{one}/.") == kept != norm(other)
    assert within(kept, "/srv/shop").endswith("/a.py")
    assert suffix(kept, "e/a.py")
    assert brief({"path": one}) == {"path": kept}
    assert norm("d" * LONGEST_PATH) == "d" * LONGEST_PATH
