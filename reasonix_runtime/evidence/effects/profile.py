"""What a call does to the world: the effect profile of a call (FC-01)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from reasonix_runtime.contract.surface import is_mcp_adapter
from reasonix_runtime.evidence.command_kinds import (
    builds_with_cargo,
    is_check,
    only_reads,
)
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.command_tables import OUTPUT_OPERATORS
from reasonix_runtime.evidence.effects.git_commands import forces_push, is_plain_commit
from reasonix_runtime.evidence.effects.redirects import unsafe
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.git import git_subcommand
from reasonix_runtime.evidence.running.reading import Plain, read
from reasonix_runtime.evidence.shell.script import Segment
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS


class Effect(StrEnum):
    """What a call changes, from nothing to what nobody can tell."""

    NONE = "none"
    HOST_STATE = "host_state"
    REPOSITORY = "repository"
    """A record in the history; the work tree stays as it is."""
    EXTERNAL = "external"
    CONTENT = "content"
    UNKNOWN = "unknown"
    """A shell command that is on no list; taken for a change of content."""
    OPAQUE = "opaque"
    """A foreign tool that may write anything."""


@dataclass(frozen=True, slots=True)
class Profile:
    """The effect of one call; `targets` are its paths, None where they are not known."""

    effect: Effect
    targets: tuple[str, ...] | None = ()
    destructive: bool = False

    @property
    def changes(self) -> bool:
        """Whether anything changes at all."""
        return self.effect is not Effect.NONE

    @property
    def writes(self) -> bool:
        """Whether content of the workspace may change."""
        return self.effect in (Effect.CONTENT, Effect.UNKNOWN)


NOTHING = Profile(Effect.NONE)

DESTRUCTIVE_TOOLS = frozenset({"delete_file", "delete_symbol", "remove_file"})

_RANK = tuple(Effect)


def profile_of(
    tool: str, command: str, paths: Sequence[str], *, mutates: bool, rules: CommandRules
) -> Profile:
    """Return the effect profile of a call.

    Args:
        tool: the tool, of a proxy call its target.
        command: of `bash`, else empty.
        paths: the normalised paths that the arguments name.
        mutates: whether the call is a mutation by EL-07.
        rules: how commands are classified.
    """
    if tool == "bash":
        return command_profile(command, rules)
    if tool in HOST_STATE_TOOLS:
        return Profile(Effect.HOST_STATE, None)
    if not mutates:
        return NOTHING
    if not paths and is_mcp_adapter(tool):
        return Profile(Effect.OPAQUE, None)
    return Profile(Effect.CONTENT, tuple(paths) or None, destructive=tool in DESTRUCTIVE_TOOLS)


@memoised(4096)
def command_profile(command: str, rules: CommandRules) -> Profile:
    """Return the effect profile of a shell command: that of its strongest part."""
    reading = read(command, rules)
    if not reading.readable:
        return Profile(Effect.UNKNOWN, None)
    return max(
        (_plain_profile(plain, rules) for plain in reading.commands),
        key=lambda profile: (_RANK.index(profile.effect), profile.destructive),
        default=Profile(Effect.UNKNOWN, None),
    )


def _plain_profile(plain: Plain, rules: CommandRules) -> Profile:
    words = plain.segment.values or ()
    if writes_file(plain.segment) or (words and builds_with_cargo(words)):
        return Profile(Effect.CONTENT, None)
    if words and is_plain_commit(words):
        return Profile(Effect.REPOSITORY, None)
    if words and git_subcommand(words) == "push":
        return Profile(Effect.EXTERNAL, None, destructive=forces_push(words))
    if is_check(plain, rules) or only_reads(plain, rules):
        return NOTHING
    return Profile(Effect.UNKNOWN, None)


def writes_file(segment: Segment) -> bool:
    """Whether a segment sends output to a file that is no null device."""
    return any(redirect.operator in OUTPUT_OPERATORS for redirect in unsafe(segment))
