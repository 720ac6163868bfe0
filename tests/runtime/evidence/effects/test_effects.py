"""The effect profile of a call (FC-01)."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import FACTS_COMMANDS
from reasonix_runtime.evidence.effects.profile import Effect, Profile, command_profile, profile_of


@pytest.mark.parametrize(
    ("command", "effect", "destructive"),
    [
        ("pytest -q", Effect.NONE, False),
        ("git status && ls", Effect.NONE, False),
        ("git commit -m done", Effect.REPOSITORY, False),
        ("git commit -q -m done", Effect.REPOSITORY, False),
        ("git -C app commit -m done", Effect.REPOSITORY, False),
        ("git commit -am done", Effect.UNKNOWN, False),
        ("git commit --amend -m done", Effect.UNKNOWN, False),
        ("git commit", Effect.UNKNOWN, False),
        ("git push origin main", Effect.EXTERNAL, False),
        ("env A=1 git push origin main", Effect.EXTERNAL, False),
        ("A=1 git commit -m done", Effect.REPOSITORY, False),
        ("git push --force", Effect.EXTERNAL, True),
        ("git push origin +main", Effect.EXTERNAL, True),
        ("ls > files.txt", Effect.CONTENT, False),
        ("ls > /dev/null", Effect.NONE, False),
        ("cargo check", Effect.CONTENT, False),
        ("cargo doc", Effect.CONTENT, False),
        ("cargo test", Effect.NONE, False),
        ("make build", Effect.UNKNOWN, False),
        ("git add . && git commit -m done", Effect.UNKNOWN, False),
        ("git commit -m done && git push", Effect.EXTERNAL, False),
        ("if true; then rm x; fi", Effect.UNKNOWN, False),
        ("", Effect.UNKNOWN, False),
    ],
)
def test_a_command_has_the_effect_of_its_strongest_part(
    command: str, effect: Effect, *, destructive: bool
) -> None:
    """What nobody can tell counts as a change of content."""
    found = command_profile(command, FACTS_COMMANDS)

    assert (effect, destructive) == (found.effect, found.destructive)


@pytest.mark.parametrize(
    ("tool", "paths", "mutates", "expected"),
    [
        ("edit_file", ("a.py",), True, Profile(Effect.CONTENT, ("a.py",))),
        ("delete_symbol", ("a.py",), True, Profile(Effect.CONTENT, ("a.py",), destructive=True)),
        ("mcp__s__t", (), True, Profile(Effect.OPAQUE, None)),
        ("mcp__s__t", ("a.py",), True, Profile(Effect.CONTENT, ("a.py",))),
        ("mcp__s__t", (), False, Profile(Effect.NONE)),
        ("remember", (), True, Profile(Effect.HOST_STATE, None)),
        ("read_file", ("a.py",), False, Profile(Effect.NONE)),
    ],
)
def test_a_tool_has_the_effect_of_its_kind(
    tool: str, paths: tuple[str, ...], expected: Profile, *, mutates: bool
) -> None:
    """Only a foreign tool that names no path may write anything."""
    found = profile_of(tool, "", paths, mutates=mutates, rules=FACTS_COMMANDS)

    assert expected == found
