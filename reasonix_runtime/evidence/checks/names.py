"""Whether the name that a project gave to a script or a target is that of a check: `test:unit`.

Scripts, targets, tasks and sessions are named by projects; what stands behind a name is not seen.
Anything may be tested, so `test:payment` runs tests. But to verify a payment is what an application
does: a verb that applications share with checks counts alone, or with what only a project has.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from reasonix_runtime.evidence.checks.tables import LISTED
from reasonix_runtime.evidence.word_lists import words, words_of_name

# With a dot or a slash it is the name of a file, and running that is something else.
_NAME: Final = re.compile(r"[\w:+-]+")

_BEGINNINGS: Final = words(
    "test tests check lint typecheck verify validate ci vet unit e2e spec specs detekt"
)
_FORMATTING: Final = words("format formatting fmt style prettier")
# Verbs of checks and of applications alike, and what a project has that they are about.
_VERIFYING: Final = words("check verify validate vet ci")
_OF_PROJECTS: Final = (
    words(
        "all everything full quick fast strict local only code source sources src static quality"
        " syntax linting linter testing integration smoke regression sanity functional acceptance"
        " coverage type types typing typings ts js typescript javascript py python go golang rust"
        " ruby php java kotlin scala swift csharp dotnet c cpp css html json yaml yml toml md"
        " markdown sh shell sql proto protos graphql openapi schema schemas contract contracts"
        " config configs manifest manifests dependency dependencies license licenses licence"
        " licences header headers import imports export exports circular cycle cycles unused dead"
        " deadcode duplicates complexity spell spelling link links i18n a11y locales translations"
        " security audit vulns vulnerabilities secrets version versions lock lockfile workspace"
        " workspaces packages module modules mod bundle size pr commit commits pre precommit diff"
        " changelog generated api apis client frontend backend web app core common shared lib libs"
        " main variant connected features examples benches notebooks wasm abi msrv docker"
        " dockerfile k8s tf actions workflows styles spotless checkstyle pmd spotbugs"
    )
    | _FORMATTING
    | LISTED
)
# What a test with a dash after it is made of by an application: `test-email` sends one.
_TRIED_OUT: Final = words(
    "connection connections email emails mail smtp sms webhook webhooks notification notifications"
    " ping alert alerts data"
)
_TESTING: Final = words("test tests unit e2e spec specs")
_ENDINGS: Final = words("test tests check lint")
# With one of these the name speaks of something else, or of a check that changes what it checks.
_WRITING: Final = words(
    "fix fixes write update updates upgrade watch snapshot snapshots record generate gen regen"
    " bless accept bump staged migrate reset clean install setup deps prepare publish release"
    " deploy build assemble compile package docs db seed data create init env venv fixture fixtures"
    " push pull upload download sync fetch up down stop kill remove delete destroy apply copy new"
)
_MENDING: Final = words("fix fixes write all")
_BUILDING: Final = words(
    "all build compile bundle assemble clean html dirhtml singlehtml latexpdf epub"
)
# With one of these a build does more than build.
_OTHERWISE: Final = _WRITING - _BUILDING
_SERVING: Final = words(
    "dev ui debug serve server open report reports start load classes refresh loop utils"
)
_GENERATING: Final = words("generate gen codegen regenerate regen")
# What is written anew from what the work says; of anything else nobody knows.
_GENERATED: Final = _GENERATING | words(
    "all code types type typings client clients api apis sdk proto protos protobuf pb grpc schema"
    " schemas graphql gql openapi swagger mocks mock stubs bindings go ts js py prisma sqlc docs"
)
_STARTING: Final = words("dev start serve server preview runserver")
# After a verb these make it another one: `check-out`.
_PARTICLES: Final = words("in out")

RUN_BY_NAME: Final[Mapping[str, frozenset[str]]] = {
    "npm": words("run run-script"),
    "pnpm": words("run") | {""},
    "yarn": words("run") | {""},
    "bun": words("run"),
    "just": frozenset({""}),
    "task": frozenset({""}),
}
"""Programs that run what a project named, with the sub-commands that stand before a name."""


def names_check(name: str) -> bool:
    """Whether a script or a target is called like a check that leaves everything as it was."""
    parts = words_of_name(name)
    return (
        bool(parts)
        and _NAME.fullmatch(name) is not None
        and (parts[0] in _BEGINNINGS or parts[-1] in _ENDINGS)
        and _SERVING.isdisjoint(parts)
        and parts[-1] not in _PARTICLES
        and _is_about_work(name, parts)
        and not names_change(name)
    )


def _is_about_work(name: str, parts: list[str]) -> bool:
    """Whether a name says that a check is one of the work: `verify:types`, not `verify-payment`."""
    if parts[0] in _VERIFYING or (parts[-1] in _VERIFYING and parts[0] not in _TESTING):
        return all(part.rstrip("0123456789") in _OF_PROJECTS | _BEGINNINGS for part in parts)
    tried = parts[1:] if parts[0] in _TESTING else parts[:-1]
    return ":" in name or _TRIED_OUT.isdisjoint(tried)


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


def names_generator(name: str) -> bool:
    """Whether a script or a target is called like what writes code anew: `generate`, `gen:api`."""
    parts = words_of_name(name)
    return (
        _NAME.fullmatch(name) is not None
        and not _GENERATING.isdisjoint(parts)
        and _GENERATED.issuperset(parts)
    )


def names_server(name: str) -> bool:
    """Whether a script or a target is called like what serves the work: `dev`, `start:api`."""
    parts = words_of_name(name)
    return (
        _NAME.fullmatch(name) is not None
        and parts[:1] != []
        and parts[0] in _STARTING
        and (_WRITING | _BEGINNINGS).isdisjoint(parts)
    )


def names_variant_check(name: str) -> bool:
    """Whether a name is one where tools put the variant of a build in: `testDebugUnitTest`."""
    return names_check(re.sub("Debug|Release", "", name))


def names_change(name: str) -> bool:
    """Whether a script, target or session is called like something that changes files."""
    parts = words_of_name(name)
    formats = not _FORMATTING.isdisjoint(parts) and "check" not in parts and "lint" not in parts
    return formats or not _WRITING.isdisjoint(parts)
