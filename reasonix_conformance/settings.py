"""What a run was asked to do, as one frozen record, and what counts where nothing was asked."""

from __future__ import annotations

import os.path
import shlex
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping

    from reasonix_runtime.trace.events import Basis

DEFAULT_SUBJECT = "reasonix_conformance.subjects.reference:registry"
DEFAULT_DOCUMENT = "docs/TOOL_CONTRACT.md"
DEFAULT_SNAPSHOTS = "reasonix-contract"
DEFAULT_TRANSCRIPTS = "fixtures/transcripts"
DEFAULT_KNOWN_FAILURES = "fixtures/known-failures.yaml"

SUBJECT_TO_FILL_IN = "SPEC"
"""Stands in a command to copy where nobody told a subject: the default is hardly what is meant."""

NO_WHOLE_PATH = (
    "is no whole path; give the folder as the machine of the recording names it, such as "
    "/home/me/project"
)
EMPTY_VALUE = "the value is empty (is a variable of the shell not set?); leave it out, or give one"

PREFIX = "reasonix_"
INI_NAMES = frozenset(
    (
        *("contract", "replay", "subject", "document", "snapshots", "transcripts", "update"),
        *("known_failures", "write_known", "today", "rules", "min_basis", "profile", "workspace"),
        *("schemas", "strict", "report", "coverage", "coverage_min"),
    )
)
"""What an ini file can say to the suite, without the prefix."""
TRUTH = "expected true or false"

REPEATED = ("subject", "document", "snapshots")
"""Options of which a command to copy has to repeat what the run was given."""

PROFILES = ("ordinary", "delivery")
"""Profiles of a run, for a recording that does not tell its own."""


class Settings(NamedTuple):
    """What a run was asked to do; all paths are absolute.

    `asked` tells that one of our options stands on the command line: who gives one wants the suite.
    `alone` tells that the contract suite or a replay was asked for on the command line, where it
    runs by itself if no paths are given; asked for in the ini file it joins every run of the
    project and never replaces its tests.
    `rules` is None where no rule set was chosen. `min_basis`, `profile` and `workspace` say of
    traces what they do not tell themselves (`traces.sessions.Options`). `subject_base` is the
    folder that a subject given as a path is relative to. `snapshots` is None where those that are
    configured belong to another subject than the one that the command line names. `schemas` is the
    spec of the contract that the calls of traces are held against, `schemas_base` the folder that
    it is relative to.
    `update_command` accepts a change of what this run is about, as a user types it.
    """

    root: Path
    subject_base: Path
    document: Path
    subject: str = DEFAULT_SUBJECT
    snapshots: Path | None = None
    transcripts: Path | None = None
    known_failures: Path | None = None
    write_known: Path | None = None
    today: date | None = None
    contract: bool = False
    alone: bool = False
    asked: bool = False
    replay: tuple[Path, ...] = ()
    rules: str | None = None
    min_basis: Basis | None = None
    profile: str | None = None
    workspace: str | None = None
    schemas: str | None = None
    schemas_base: Path = Path()
    report: Path | None = None
    coverage: Path | None = None
    coverage_min: float | None = None
    strict: bool = False
    update: bool = False
    update_command: str = ""

    @property
    def covers(self) -> bool:
        """Whether it is counted which rules are exercised."""
        return self.coverage is not None or self.coverage_min is not None

    def show(self, path: Path) -> str:
        """Return a path as messages and ids show it: relative to the root where it lies below."""
        if path.is_relative_to(self.root):
            return path.relative_to(self.root).as_posix()
        return path.as_posix()


def same_subject(one: str, base: Path, other: str, other_base: Path) -> bool:
    """Return whether two specs name one subject: a file by its place, however it is written."""
    places = base / one, other_base / other
    if any(map(os.path.isfile, places)):
        return os.path.realpath(places[0]) == os.path.realpath(places[1])
    return one == other


def update_command(
    root: Path,
    here: Path,
    *,
    given: Mapping[str, str | None],
    told: Container[str],
    overrides: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the command that accepts a change of what a run is about, as a user types it.

    Args:
        root: the folder that the usual document is relative to.
        here: where the command is typed.
        given: what the run was given for the options of `REPEATED`.
        told: those of them that the ini file tells, and so tells the other run as well.
        overrides: what the command line told in place of the ini file (`-o NAME=VALUE`).
    """
    document = os.path.relpath(root / DEFAULT_DOCUMENT, here)
    usual = {"subject": SUBJECT_TO_FILL_IN, "document": Path(document).as_posix()}
    words = ["pytest", "--reasonix-contract"]
    for name in REPEATED:
        value = given[name]
        if value is None and name not in told:
            value = usual.get(name)
        override = f"{PREFIX}{name}"
        if value is not None:
            words.append(f"--reasonix-{name}={value}")
        elif override in overrides:
            words += ["-o", f"{override}={overrides[override]}"]
    return shlex.join((*words, "--reasonix-update"))


def unknown_setting(key: str, where: object) -> str:
    """Return what to say of a setting of an ini file that there is not."""
    from reasonix_runtime.errors import did_you_mean

    known = {f"{PREFIX}{name}" for name in INI_NAMES}
    return f"{where}: unknown setting {key!r}{did_you_mean(key, known)}; `pytest --help` lists them"


def unwritable(file: Path, show: Callable[[Path], str] = str) -> str | None:
    """Return why a file cannot be written, as far as that is plain before the work is done."""
    if file.is_dir():
        return "this is a folder; name a file in it"
    if not file.parent.is_dir():
        return f"there is no folder {show(file.parent)}; make it first"
    return None
