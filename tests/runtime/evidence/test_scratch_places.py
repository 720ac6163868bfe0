"""What stands in a folder for scratch, and what may be the work."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.command_rules import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.scratch_places import APART, UNTOLD, is_scratch, work_of


@pytest.mark.parametrize(
    ("root", "work"),
    [
        ("/srv/app", APART),
        ("/tmpfiles/app", APART),
        ("/private/work", APART),
        ("D:/work", APART),
        ("", UNTOLD),
        (".", UNTOLD),
        ("~/app", UNTOLD),
        ("/tmp/ws", "/tmp/ws"),
        ("/private/tmp/ws/", "/tmp/ws"),
        ("/tmp", "/tmp"),
        ("/", "/"),
        ("/private/var/folders/ab/c/T/ws", "/var/folders/ab/c/T/ws"),
        ("C:\\Users\\a\\AppData\\Local\\Temp\\ws", "C:/Users/a/AppData/Local/Temp/ws"),
    ],
)
def test_where_the_work_stands_is_told_by_its_root(root: str, work: str) -> None:
    """Only what stands in or around a folder for scratch makes a difference there."""
    assert work == work_of(root)


@pytest.mark.parametrize(
    ("path", "apart", "untold", "in_tmp"),
    [
        ("/tmp/x", True, False, True),
        ("/private/tmp/x", True, False, True),
        ("/var/tmp/x/y", True, False, True),
        ("/tmp/out.txt", True, True, True),
        ("/tmp/a/out.txt", True, False, True),
        ("/tmp/ws", True, False, False),
        ("/tmp/ws/src", True, False, False),
        ("/tmp/ws2", True, False, True),
        ("/tmp/*", True, False, False),
        ("/tmp/w*", True, False, False),
        ("/tmp/w?", True, False, False),
        ("/tmp/[w]s", True, False, False),
        ("/tmp/{a,ws}", True, False, False),
        ("/tmp/pytest-1/*", True, False, True),
        ("/tmp", False, False, False),
        ("/tmp/../srv/app", False, False, False),
        ("/tmp/x/..", False, False, False),
        ("/tmpfiles/x", False, False, False),
        ("tmp/x", False, False, False),
    ],
)
def test_a_path_is_scratch_where_the_work_stands_apart(
    path: str, *, apart: bool, untold: bool, in_tmp: bool
) -> None:
    """A workspace may stand below `/tmp`, and where nobody told it, in any folder there."""
    found = [is_scratch(path, work) for work in (APART, UNTOLD, "/tmp/ws")]

    assert [apart, untold, in_tmp] == found


def test_workspaces_apart_from_scratch_share_their_rules() -> None:
    """Answers are remembered by the rules, and would be worked out anew for each workspace."""
    one, other = map(CONTRACT_COMMANDS.in_workspace, ("/srv/a", "/srv/b"))

    assert one is other
    assert CONTRACT_COMMANDS.in_workspace("/tmp/a") is CONTRACT_COMMANDS.in_workspace("/tmp/a")
    assert CONTRACT_COMMANDS.in_workspace("") is CONTRACT_COMMANDS
    assert CLASSIC_COMMANDS.in_workspace("/srv/a") is CLASSIC_COMMANDS
