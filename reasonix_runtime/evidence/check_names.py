"""Whether a name that a project gave says that a check runs: `test:unit`, `lintDebug`, `fmt-check`.

Scripts, targets, tasks and sessions are named by projects; what stands behind a name is not seen.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.word_lists import words, words_of_name

# With a dot or a slash it is the name of a file, and running that is something else.
_NAME: Final = re.compile(r"[\w:+-]+")

_BEGINNINGS: Final = words(
    "test tests check lint typecheck verify validate ci vet unit e2e spec specs detekt"
)
_VERIFYING: Final = words("check verify validate")
_ENDINGS: Final = words("test tests check lint")
# With one of these the name speaks of something else, or of a check that changes what it checks.
_WRITING: Final = words(
    "fix fixes write update updates upgrade watch snapshot snapshots record generate gen regen"
    " bless accept bump staged migrate reset clean install setup deps prepare publish release"
    " deploy build assemble compile package docs db seed data create init env venv fixture fixtures"
    " push pull upload download sync fetch up down stop kill remove delete destroy apply copy new"
)
_MENDING: Final = words("fix fixes write all")
_BUILDING: Final = words("all build compile bundle assemble clean")
# With one of these a build does more than build.
_OTHERWISE: Final = _WRITING - _BUILDING
_SERVING: Final = words(
    "dev ui debug serve server open report reports start load classes refresh loop utils"
)
# Behind a verb these make it another one: `check-out`.
_PARTICLES: Final = words("in out")
# What an application, and no test, verifies and checks.
_OF_USERS: Final = words("email emails mail phone account user users token tokens login")
_FORMATTING: Final = words("format fmt style prettier")


def names_check(name: str) -> bool:
    """Whether a script or a target is called like a check that leaves everything as it was."""
    parts = words_of_name(name)
    return (
        bool(parts)
        and _NAME.fullmatch(name) is not None
        and (parts[0] in _BEGINNINGS or parts[-1] in _ENDINGS)
        and _SERVING.isdisjoint(parts)
        and parts[-1] not in _PARTICLES
        and (parts[0] not in _VERIFYING or _OF_USERS.isdisjoint(parts))
        and not names_change(name)
    )


def names_build(name: str) -> bool:
    """Whether a script or a target is called like what builds, or takes away what was built."""
    parts = words_of_name(name)
    return (
        _NAME.fullmatch(name) is not None
        and parts[:1] != []
        and parts[0] in _BUILDING
        and _OTHERWISE.isdisjoint(parts)
    )


def names_format(name: str) -> bool:
    """Whether a script or a target is called like what lays files out: `format`, `lint:fix`."""
    parts = frozenset(words_of_name(name))
    lays_out = not _FORMATTING.isdisjoint(parts) or ("fix" in parts and "lint" in parts)
    return (
        lays_out and _NAME.fullmatch(name) is not None and (_WRITING - _MENDING).isdisjoint(parts)
    )


def names_variant_check(name: str) -> bool:
    """Whether a name is one where tools put the variant of a build in: `testDebugUnitTest`."""
    return names_check(re.sub("Debug|Release", "", name))


def names_change(name: str) -> bool:
    """Whether a script, target or session is called like something that changes files."""
    parts = words_of_name(name)
    formats = not _FORMATTING.isdisjoint(parts) and "check" not in parts and "lint" not in parts
    return formats or not _WRITING.isdisjoint(parts)
