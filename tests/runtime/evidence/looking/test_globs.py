"""Patterns by which a shell finds files."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.looking.globs import fits_glob, is_glob, without_braces


@pytest.mark.parametrize(
    ("path", "glob", "fits"),
    [
        ("src/a.py", "src/*.py", True),
        ("src/a.py", "*/a.p?", True),
        ("src/a.py", "src/?.py", True),
        ("src/a.py", "*.py", False),
        ("src/sub/a.py", "src/*.py", False),
        ("src/sub/a.py", "src/**/*.py", True),
        ("src/x/y/a.py", "src/**/*.py", False),
        ("src/.a.py", "src/*.py", False),
        ("src/.a.py", "src/.*.py", True),
        ("src/axpy", "src/*.py", False),
        ("src/ab.py", "src/?.py", False),
    ],
)
def test_a_pattern_stands_for_files_of_its_folder(path: str, glob: str, *, fits: bool) -> None:
    """A star stops at a slash, and does not begin the name of a hidden file."""
    assert fits is fits_glob(path, [glob])


@pytest.mark.parametrize("word", ["src/a.py", "src/[ab]*.py", "src/{a,*}.py"])
def test_other_words_are_no_pattern(word: str) -> None:
    """Of classes and of lists with patterns in them nothing is said."""
    assert not is_glob(word)


def test_a_list_in_braces_stands_for_each_of_its_words() -> None:
    """Only one that stands alone in its word: the shell would multiply two."""
    assert ["src/a.py", "src/b.py"] == without_braces("src/{a,b}.py")
    assert ["{a,b}/{c,d}"] == without_braces("{a,b}/{c,d}")
    assert ["a{b}"] == without_braces("a{b}")
