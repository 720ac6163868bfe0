"""Guards before a writer under the duty rules: user constraints and preconditions (FC-10)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from reasonix_runtime.evidence.effects.profile import Effect, Profile
from reasonix_runtime.evidence.masking import shown_all
from reasonix_runtime.evidence.owed.path_class import PathClass, path_class
from reasonix_runtime.gates.duties import row_of
from reasonix_runtime.gates.verdict import Refusal, refuse


class Constraints(msgspec.Struct, frozen=True, kw_only=True):
    """What the user said in so many words; keys of `setup.constraints`.

    `full_verification` asks for the whole of the checks after every change; the others forbid.
    """

    forbid_mutation: bool = False
    forbid_external: bool = False
    forbid_tests: bool = False
    full_verification: bool = False
    allowed_commands: tuple[str, ...] | None = None


def constraints_of(data: Mapping[str, Any] | None) -> Constraints:
    """Read the constraints of a setup; absent ones do not bind.

    Raises:
        msgspec.ValidationError: a constraint has a wrong type.
    """
    return msgspec.convert(data or {}, Constraints)


def constrained(
    constraints: Constraints, profile: Profile, *, command: str, verifies: bool
) -> Iterator[Refusal]:
    """Yield what the user's own constraints forbid of a call (FC-10 P0)."""
    if constraints.forbid_mutation and profile.effect not in (Effect.NONE, Effect.HOST_STATE):
        yield refuse(
            "guard.mutation_forbidden",
            "the user asked for no changes: describe the change instead of making it",
        )
    if constraints.forbid_external and profile.effect in (Effect.EXTERNAL, Effect.OPAQUE):
        yield refuse(
            "guard.external_forbidden",
            "the user asked that nothing leaves the machine: prepare it and leave the last step",
        )
    if constraints.forbid_tests and verifies:
        yield refuse(
            "guard.tests_forbidden",
            "the user asked to run no tests: say that the change is unverified",
        )
    allowed = constraints.allowed_commands
    if allowed is not None and command and command not in allowed:
        listed = shown_all(allowed) or "none"
        yield refuse("guard.command_forbidden", f"the user allows only these commands: {listed}")


def preconditions(
    profile: Profile, *, written: Iterable[str], has_list: bool, interactive: bool
) -> Iterator[Refusal]:
    """Yield what a writer lacks before it may run (FC-10 P1, P2).

    Args:
        profile: the effect of the call.
        written: content targets of this turn so far.
        has_list: whether a task list exists.
        interactive: whether a person can be asked.
    """
    if not has_list:
        why = _why_list(profile, set(written))
        if why:
            yield refuse(
                "guard.preconditions_missing",
                f"{why}: `todo_write` what has to hold in the end, then call it again",
            )
    if profile.effect is Effect.OPAQUE and not interactive:
        yield refuse(
            "guard.opaque_writer_headless",
            "nobody can tell what this tool changes and no person is there to allow it: use a "
            "tool that names its paths",
        )


def _why_list(profile: Profile, written: set[str]) -> str:
    """Say why the writer wants a task list, or return nothing when it wants none."""
    if row_of(profile).wants_list:
        return "a change of this kind needs a task list first"
    if profile.effect is not Effect.CONTENT:
        return ""
    if profile.targets is None:
        after = any(map(_is_production, written))
        return "a change of unknown files after a production file needs a list" if after else ""
    files = written | set(profile.targets)
    if len(files) > 1 and set(profile.targets) - written and any(map(_is_production, files)):
        return "a second file of the production code needs a task list first"
    return ""


def _is_production(path: str) -> bool:
    return path_class(path) is not PathClass.LOW
