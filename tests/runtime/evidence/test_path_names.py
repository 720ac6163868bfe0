"""Paths found by their file names: nothing that fits is missed, and little else is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.path_names import ByName
from reasonix_runtime.evidence.paths import PathStyle, same_file, suffix

PARTS = st.sampled_from(["a", "A", "b.py", "B.py", ".", "..", "w", "ς", "Σ"])
PATHS = st.builds(
    lambda start, parts, sep: start + sep.join(parts),
    st.sampled_from(["", "/", "/w/", "C:\\", " ./"]),
    st.lists(PARTS, max_size=4),
    st.sampled_from(["/", "\\", "//"]),
)


@given(PATHS, PATHS, st.sampled_from(["", "/w", "C:\\w"]), st.sampled_from(PathStyle))
def test_what_fits_is_found(one: str, other: str, root: str, style: PathStyle) -> None:
    """Whichever of the two was put in, and whichever comparison a rule set asks for."""
    fits = (
        suffix(one, other)
        or suffix(other, one)
        or same_file(one, other, root=root, style=style)
        or same_file(other, one, root=root, style=style)
    )
    index: ByName[str] = ByName()
    index.add(one, one)

    assert not fits or one in index.like(other)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("/w/src/a.py", ["src/a.py", "A.py"]),
        ("b.py", ["b.py"]),
        ("c.py", []),
        ("..", ["src/a.py", "b.py", "A.py"]),
    ],
)
def test_other_names_are_not_looked_at(asked: str, found: list[str]) -> None:
    """In the order in which they were put in."""
    index: ByName[str] = ByName()
    for path in ("src/a.py", "b.py", "A.py"):
        index.add(path, path)

    assert found == list(index.like(asked))
