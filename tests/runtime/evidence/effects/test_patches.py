"""Patches that stand in a command line, and the files that they change."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.shell_edits import NO_EDIT, ToldEdit, edit_of

HUNK = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n"
NEW = "--- /dev/null\n+++ b/src/b.py\n@@ -0,0 +1 @@\n+b\n"
UPDATE = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-a\n+b\n*** End Patch\n"


def patch(program: str, body: str, *, behind: str = "") -> str:
    """Return a command line with a patch in it."""
    return f"{program} <<'EOF'\n{body}EOF{behind}"


@pytest.mark.parametrize(
    ("command", "files"),
    [
        (patch("git apply", HUNK), ("src/a.py",)),
        (patch("git apply -p1 --whitespace=nowarn", HUNK + NEW), ("src/a.py", "src/b.py")),
        (patch("patch -p1", HUNK), ("src/a.py",)),
        (patch("apply_patch", UPDATE), ("src/a.py",)),
        (patch("git apply", HUNK, behind="\ngit diff && pytest -q"), ("src/a.py",)),
        (patch("cd web && git apply", HUNK), ("web/src/a.py",)),
    ],
)
def test_a_patch_names_its_files(command: str, files: tuple[str, ...]) -> None:
    """As an edit in place does."""
    assert ToldEdit(files) == edit_of(command, CONTRACT_COMMANDS)
    assert edit_of(command, CLASSIC_COMMANDS) is NO_EDIT


@pytest.mark.parametrize(
    "command",
    [
        patch("patch -p0", HUNK),
        patch("patch src/c.py", HUNK),
        patch("git apply --index", HUNK),
        patch("git apply --directory=x", HUNK),
        patch("git apply", HUNK.replace("+++ b/src/a.py", "+++ /dev/null")),
        patch("git apply", f"rename from x\nrename to y\n{HUNK}"),
        patch("git apply", f"GIT binary patch\n{HUNK}"),
        patch("git apply", "no patch at all\n"),
        patch("git apply", HUNK.replace("+b", "+cat << X")),
        patch("patch -p1", f"***************\n{HUNK}"),
        patch("apply_patch", UPDATE.replace("Update", "Delete")),
        patch("git apply", HUNK.replace("src/a.py", "node_modules/x/a.js")),
        patch("git apply", HUNK, behind="\npython gen.py"),
        "git apply fix.patch",
    ],
)
def test_what_is_told_otherwise_is_not_told(command: str) -> None:
    """A change that is told half is not told."""
    assert edit_of(command, CONTRACT_COMMANDS) is NO_EDIT
