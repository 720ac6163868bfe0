"""PlacelessLooks by relative names, where nobody knows the folder that they are relative to."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.ledger_rules import CONTRACT_LEDGER
from reasonix_runtime.evidence.owed.placeless import MOST_LOOKS, PlacelessLooks
from reasonix_runtime.evidence.receipts import Receipt, receipt_of

FILE = "/w/src/a.py"


def did(tool: str, **args: Any) -> Receipt:
    """Return the receipt of a call."""
    return receipt_of(tool, args, rules=CONTRACT_LEDGER, output="x")


def seen(receipts: list[Receipt], *paths: str, changed_at: int = -1) -> list[str]:
    """Return the files that one of these calls may have looked at."""
    looks = PlacelessLooks()
    for at, receipt in enumerate(receipts):
        looks.take(at, receipt)
    return looks.may_have_seen(dict.fromkeys(paths, changed_at))


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("cat a.py", True),
        ("sed -n '1,5p' src/a.py", True),
        ("cat 'src/a.py' | head", True),
        ("cat src/[ab].py", True),
        ("git diff src", True),
        ("type src\\A.py", True),
        ("cat w/a.py", False),
        ("cat /x/src/a.py", False),
        ("cat C:\\src\\a.py", False),
        ("cat ~/src/a.py", False),
        ("ls", False),
        ("", False),
    ],
)
def test_a_command_names_a_file_by_the_end_or_a_part_of_its_path(line: str, named: bool) -> None:
    """From which folder, nobody knows."""
    assert ([FILE] if named else []) == seen([did("bash", command=line)], FILE)


@pytest.mark.parametrize(("changed_at", "found"), [(-1, [FILE]), (0, []), (1, [])])
def test_only_a_look_behind_the_change_may_have_seen_it(changed_at: int, found: list[str]) -> None:
    """What was looked at before is another content."""
    assert found == seen([did("read_file", path="src/a.py")], FILE, changed_at=changed_at)


def test_of_very_many_looks_the_latest_are_known() -> None:
    """A long turn is remembered in bounded memory."""
    first, others = did("read_file", path="src/a.py"), [did("bash", command="ls")] * MOST_LOOKS

    assert [FILE] == seen([first, *others[1:]], FILE)
    assert [] == seen([first, *others], FILE)


def test_a_change_that_is_told_by_a_relative_name_needs_no_folder() -> None:
    """Both are relative to the same one; what does not fit then is another file."""
    assert [] == seen([did("read_file", path="a.py")], "src/a.py")


PARTS = st.lists(st.sampled_from(["a", "b", "*", "[ab]", "a.py"]), min_size=1, max_size=3)


@given(first=PARTS, second=PARTS, word=PARTS)
def test_a_word_is_looked_up_by_its_end_as_if_it_was_held_against_every_path(
    first: list[str], second: list[str], word: list[str]
) -> None:
    """A file may have the signs of a pattern in its name, and a pattern may name it."""
    files = {"/" + "/".join(first): first, "/" + "/".join(second): second}
    named = [
        path
        for path, parts in files.items()
        if any(
            all(map(fnmatchcase, parts[at : at + len(word)], word))
            for at in range(len(parts) - len(word) + 1)
        )
    ]

    assert named == seen([did("read_file", path="/".join(word))], *files)
