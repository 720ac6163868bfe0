"""What a call does to the world: the effect profile of a call (FC-01)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from reasonix_runtime.evidence.command_tables import OUTPUT_OPERATORS
from reasonix_runtime.evidence.commands import CommandRules, classify
from reasonix_runtime.evidence.receipts import HOST_STATE_TOOLS
from reasonix_runtime.evidence.redirects import unsafe
from reasonix_runtime.evidence.shell import Segment, parse


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

_CARGO_WRITERS = frozenset({"check", "doc"})
_FORCE = frozenset({"--force", "--force-with-lease", "-f", "--delete", "-d", "--mirror"})
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
    if not paths and tool.startswith("mcp__"):
        return Profile(Effect.OPAQUE, None)
    return Profile(Effect.CONTENT, tuple(paths) or None, destructive=tool in DESTRUCTIVE_TOOLS)


@lru_cache(maxsize=4096)
def command_profile(command: str, rules: CommandRules) -> Profile:
    """Return the effect profile of a shell command: that of its strongest segment."""
    if not command:
        return Profile(Effect.UNKNOWN, None)
    script = parse(command)
    if not script.splittable:
        return Profile(Effect.UNKNOWN, None)
    return max(
        (_segment_profile(segment, rules) for segment in script.segments),
        key=lambda profile: (_RANK.index(profile.effect), profile.destructive),
        default=Profile(Effect.UNKNOWN, None),
    )


def _segment_profile(segment: Segment, rules: CommandRules) -> Profile:
    if writes_file(segment) or _is_cargo_writer(segment):
        return Profile(Effect.CONTENT, None)
    words = segment.values or ()
    if words[:1] == ("git",):
        sub, rest = _git_words(words[1:])
        if sub == "commit" and _only_message(rest):
            return Profile(Effect.REPOSITORY, None)
        if sub == "push":
            forced = any(word in _FORCE or word.startswith("+") for word in rest)
            return Profile(Effect.EXTERNAL, None, destructive=forced)
    if not classify(segment.text, rules).mutates:
        return NOTHING
    return Profile(Effect.UNKNOWN, None)


def writes_file(segment: Segment) -> bool:
    """Whether a segment sends output to a file that is no null device."""
    return any(redirect.operator in OUTPUT_OPERATORS for redirect in unsafe(segment))


def _is_cargo_writer(segment: Segment) -> bool:
    words = segment.values or ()
    return words[:1] == ("cargo",) and len(words) > 1 and words[1] in _CARGO_WRITERS


def _git_words(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the sub-command of git and the words after it, behind the options of git itself."""
    rest = list(words)
    while rest and rest[0].startswith("-"):
        takes_value = rest[0] in ("-C", "-c", "--git-dir", "--work-tree")
        rest = rest[2 if takes_value else 1 :]
    return (rest[0].lower(), rest[1:]) if rest else ("", ())


def _only_message(words: Sequence[str]) -> bool:
    """Whether the options of a commit only say what its message is."""
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("-m", "--message", "-qm"):
            if not rest:
                return False
            rest.pop(0)
        elif word not in ("-q", "--quiet") and not word.startswith("--message="):
            return False
    return bool(words)


def command_in(args: Any) -> str:
    """Return the trimmed command of a `bash` call, empty when there is none."""
    command = args.get("command") if isinstance(args, dict) else None
    return command.strip() if isinstance(command, str) else ""
