"""Our options and ini values of a pytest run, read once into its settings.

The command line beats the ini file. A path of the command line is relative to where pytest was
started, a path of the ini file to the folder of that file, as pytest does it elsewhere.
"""

from __future__ import annotations

import os.path
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reasonix_conformance import project_ini
from reasonix_conformance.errors import SettingsError
from reasonix_conformance.settings import (
    DEFAULT_DOCUMENT,
    DEFAULT_KNOWN_FAILURES,
    DEFAULT_SNAPSHOTS,
    DEFAULT_SUBJECT,
    DEFAULT_TRANSCRIPTS,
    EMPTY_VALUE,
    INI_NAMES,
    NO_WHOLE_PATH,
    PREFIX,
    PROFILES,
    REPEATED,
    Settings,
    same_subject,
    unknown_setting,
    unwritable,
    update_command,
)
from reasonix_runtime.errors import UnknownRuleSetError
from reasonix_runtime.evidence.paths import PathStyle, is_absolute

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence, Set

    import pytest

    from reasonix_runtime.trace.events import Basis

Name = TypeVar("Name", bound=str)

REPORTS = (".json", ".xml", ".sarif", ".html", ".md", ".txt")
"""Endings of reports: the suite's JSON, JUnit, SARIF, the page, Markdown, text."""

SHORT = {"--reasonix-known": "--reasonix-known-failures"}
"""Options by their short names; a message calls one as the command line does."""

ALONE = ("contract", "replay")
"""Options that start a run by themselves; the others only shape one."""

OF_THE_CONTRACT = ("subject", "document", "snapshots", "transcripts", "update")
"""Options that shape the contract suite only."""

OF_THE_TRACES = ("min-basis", "profile", "workspace", "schemas")
"""Options that say how recorded traces are read and judged."""


def read(config: pytest.Config, given: Sequence[str], flags: Set[str]) -> Settings:
    """Return the settings of a pytest run.

    `given` are our options on its command line, `flags` those that its ini file switches on.

    Raises `SettingsError` for options that do nothing together, or a path that does not exist.
    """
    reader = _Reader(config)
    reader.check_given(given)
    reader.check_ini()
    contract = bool(config.getoption("reasonix_contract") or "contract" in flags)
    replay = reader.replay()
    _check_use(config, reader.spelled(given), flags, contract=contract, replay=bool(replay))
    reader.check_update()
    settings = Settings(
        root=config.rootpath,
        contract=contract,
        asked=bool(given),
        alone=any(name in ALONE for name in given),
        replay=replay,
        subject=reader.text("subject") or DEFAULT_SUBJECT,
        subject_base=reader.base("subject"),
        document=reader.path("document", DEFAULT_DOCUMENT),
        snapshots=reader.snapshots(),
        transcripts=reader.path("transcripts", DEFAULT_TRANSCRIPTS),
        known_failures=reader.path("known_failures", DEFAULT_KNOWN_FAILURES),
        write_known=reader.optional_path("write_known"),
        today=reader.day("today"),
        coverage=reader.optional_path("coverage"),
        coverage_min=reader.share("coverage_min"),
        rules=reader.rules(),
        min_basis=reader.basis(),
        profile=reader.choice("profile", PROFILES),
        workspace=reader.workspace("workspace"),
        schemas=reader.text("schemas"),
        schemas_base=reader.base("schemas"),
        report=reader.optional_path("report"),
        strict=bool(config.getoption("reasonix_strict") or "strict" in flags),
        update=bool(config.getoption("reasonix_update")),
        update_command=reader.update_command(),
    )
    reader.check_exists(settings)
    reader.check_transcripts(settings)
    return settings


def overrides(config: pytest.Config) -> dict[str, str]:
    """Return the ini values that the command line gives by `-o`, by their names."""
    pairs = (pair.partition("=") for pair in config.getoption("override_ini") or ())
    return {name.strip(): value for name, _, value in pairs}


def ini_place(config: pytest.Config, name: str) -> str:
    """Return where one of our ini values was given, as messages call it: a file, or `-o`."""
    return "-o" if f"{PREFIX}{name}" in overrides(config) else str(config.inipath or "-o")


def _check_use(
    config: pytest.Config,
    given: Mapping[str, str],
    flags: Set[str],
    *,
    contract: bool,
    replay: bool,
) -> None:
    """Refuse what would silently do nothing, or write in every run.

    `given` are our options on the command line, each with what it is called there.
    """
    if "update" in flags:
        raise SettingsError(
            f"{ini_place(config, 'update')}: reasonix_update: an ini value would overwrite "
            "snapshots and documents in every run; remove it and give --reasonix-update when you "
            "accept a change"
        )
    if not contract and not replay:
        options = ", ".join(option for name, option in given.items() if name not in ALONE)
        raise SettingsError(
            f"{options} does nothing alone: add --reasonix-contract (the contract suite) "
            "or --reasonix-replay PATH (recorded traces)"
        )
    idle = [] if contract else [option for name, option in given.items() if name in OF_THE_CONTRACT]
    if idle:
        raise SettingsError(
            f"{', '.join(idle)} does nothing without the contract suite: add --reasonix-contract"
        )
    idle = [] if replay else [option for name, option in given.items() if name in OF_THE_TRACES]
    if idle:
        raise SettingsError(
            f"{', '.join(idle)} is about recorded traces: add --reasonix-replay PATH"
        )


class _Reader:
    """Looks a value up on the command line, then in the ini file."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._here = config.invocation_params.dir
        self._ini = config.inipath.parent if config.inipath else config.rootpath

    def _both(self, name: str) -> tuple[str | None, str | None]:
        option = self._config.getoption(f"reasonix_{name}")
        return option, self._config.getini(f"reasonix_{name}") or None

    def spelled(self, given: Sequence[str]) -> dict[str, str]:
        """Return our options on the command line, each with what it is called there."""
        words = {str(word).partition("=")[0] for word in self._config.invocation_params.args}
        short = {long: short for short, long in SHORT.items() if short in words}
        full = {name: f"--reasonix-{name}" for name in given}
        return {name: short.get(option, option) for name, option in full.items()}

    def where(self, name: str) -> str:
        """Return where a value was given, as messages call it."""
        option, ini = self._both(name)
        if option is None and ini is not None:
            return f"{ini_place(self._config, name)}: reasonix_{name}"
        dashed = name.replace("_", "-")
        return self.spelled([dashed])[dashed]

    def text(self, name: str) -> str | None:
        """Return a value as it was given, None where it was not; an empty ini value is none."""
        option, ini = self._both(name)
        return option if option is not None else ini

    def rules(self) -> str | None:
        """Return the name of a rule set; raises SettingsError for one that does not exist."""
        name = self.text("rules")
        if name is None:
            return None
        from reasonix_runtime.gates.policy import rule_set

        try:
            return rule_set(name).name
        except UnknownRuleSetError as error:
            raise SettingsError(f"{self.where('rules')}: {error}") from None

    def basis(self) -> Basis | None:
        """Return how surely an outcome must be known; raises SettingsError for no such basis."""
        if self.text("min_basis") is None:
            return None
        from reasonix_runtime.trace.events import BASES

        return self.choice("min_basis", BASES)

    def choice(self, name: str, known: Sequence[Name]) -> Name | None:
        """Return one of the known values; raises SettingsError for any other."""
        text = self.text(name)
        found = next((value for value in known if value == text), None)
        if text is not None and found is None:
            raise SettingsError(f"{self.where(name)} {text}: expected one of {', '.join(known)}")
        return found

    def workspace(self, name: str) -> str | None:
        """Return a folder of another machine; raises SettingsError for a part of its path."""
        text = self.text(name)
        if text is not None and not is_absolute(text, PathStyle.WINDOWS):
            raise SettingsError(f"{self.where(name)}: {text!r} {NO_WHOLE_PATH}")
        return text

    def day(self, name: str) -> date | None:
        """Return a date; raises SettingsError for a text that is not `YYYY-MM-DD`."""
        text = self.text(name)
        try:
            return None if text is None else date.fromisoformat(text)
        except ValueError:
            raise SettingsError(
                f"{self.where(name)} {text}: expected a date such as 2026-12-31"
            ) from None

    def share(self, name: str) -> float | None:
        """Return a percentage from 0 to 100; raises SettingsError for anything else."""
        text = self.text(name)
        try:
            number = None if text is None else float(text)
        except ValueError:
            number = -1.0
        if number is not None and not 0 <= number <= 100:
            raise SettingsError(f"{self.where(name)} {text}: expected a number from 0 to 100")
        return number

    def base(self, name: str) -> Path:
        """Return what a path is relative to: the folder of the run, or that of its ini file."""
        option, ini = self._both(name)
        return self._here if option is not None or ini is None else self._ini

    def optional_path(self, name: str) -> Path | None:
        """Return a path in full, None where none was given."""
        option, ini = self._both(name)
        if option is not None:
            return _absolute(self._here, option)
        return None if ini is None else _absolute(self._ini, ini)

    def path(self, name: str, default: str) -> Path:
        """Return a path in full; `default` is relative to the root of the pytest run."""
        return self.optional_path(name) or _absolute(self._config.rootpath, default)

    def replay(self) -> tuple[Path, ...]:
        """Return the paths of traces in full: those of the command line, else of the ini file."""
        option = self._config.getoption("reasonix_replay")
        if option is not None:
            return tuple(_absolute(self._here, path) for path in option)
        return tuple(_absolute(self._ini, path) for path in self._config.getini("reasonix_replay"))

    def snapshots(self) -> Path | None:
        """Return the snapshot folder; that of an ini file belongs to the subject named there.

        So does the usual one: an update with another subject would delete what is recorded there.
        """
        option, ini = self._both("snapshots")
        subject, usual = self._both("subject")
        whose = usual or DEFAULT_SUBJECT
        own = subject is None or same_subject(subject, self._here, whose, self._ini)
        if option is None and (ini or usual) and not own:
            return None
        return self.path("snapshots", DEFAULT_SNAPSHOTS)

    def update_command(self) -> str:
        """Return the command that accepts a change of what this run is about."""
        both = {name: self._both(name) for name in REPEATED}
        return update_command(
            self._config.rootpath,
            self._here,
            given={name: option for name, (option, _) in both.items()},
            told={name for name, (_, ini) in both.items() if ini is not None},
            overrides=overrides(self._config),
        )

    def check_given(self, given: Sequence[str]) -> None:
        """Refuse an empty value: it would switch off, or move, what was asked for."""
        for name, option in self.spelled(given).items():
            value = self._config.getoption(f"reasonix_{name.replace('-', '_')}")
            if "" in (value if isinstance(value, list) else [value]):
                raise SettingsError(f"{option}: {EMPTY_VALUE}")

    def check_ini(self) -> None:
        """Refuse a setting that is misspelt: pytest only warns, and the default would count."""
        file = self._config.inipath
        for key in () if file is None else sorted(project_ini.names_in(file) - INI_NAMES):
            try:
                self._config.getini(f"{PREFIX}{key}")  # another plugin may have it
            except ValueError:
                raise SettingsError(unknown_setting(f"{PREFIX}{key}", file)) from None

    def check_update(self) -> None:
        """Refuse to write the tools of a subject that was only assumed."""
        if not self._config.getoption("reasonix_update") or self.text("subject") is not None:
            return
        document, snapshots = (
            self.text(name) or default
            for name, default in (("document", DEFAULT_DOCUMENT), ("snapshots", DEFAULT_SNAPSHOTS))
        )
        raise SettingsError(
            "--reasonix-update: nobody told whose contract this is, so it would write the tools of "
            f"the reference runtime into {document} and {snapshots}; name your host with "
            "--reasonix-subject=SPEC (package.module:attribute, or a JSON dump of tools), or once "
            "for all with the line `reasonix_subject = SPEC` in your pytest ini file (the "
            f"reference runtime is {DEFAULT_SUBJECT})"
        )

    def check_transcripts(self, settings: Settings) -> None:
        """Refuse a folder for transcripts that was given and holds none: it would pass unjudged."""
        folder = settings.transcripts
        if folder is None or self._both("transcripts") == (None, None):
            return
        from reasonix_conformance.suite.transcript_cases import ENDINGS, files

        if not files(folder):
            raise SettingsError(
                f"{self.where('transcripts')}: {settings.show(folder)} holds no transcripts, "
                f"no file that ends with {', '.join(ENDINGS)}; give their folder, or leave it out"
            )

    def check_exists(self, settings: Settings) -> None:
        """Refuse a path that was given and does not exist; a default may be absent.

        What is to be written may be new, the folder that it goes to may not.
        """
        given: list[tuple[str, Path | None]] = [("replay", path) for path in settings.replay]
        if self._both("transcripts") != (None, None):
            given.append(("transcripts", settings.transcripts))
        if self._both("known_failures") != (None, None):
            given.append(("known_failures", settings.known_failures))
        if settings.report is not None and settings.report.suffix not in REPORTS:
            raise SettingsError(
                f"{self.where('report')} {settings.show(settings.report)}: the ending picks the "
                f"form; expected one of {', '.join(REPORTS)}"
            )
        for name in ("report", "write_known", "coverage"):
            file: Path | None = getattr(settings, name)
            why = None if file is None else unwritable(file, settings.show)
            if file is not None and why:
                raise SettingsError(f"{self.where(name)} {settings.show(file)}: {why}")
        if settings.snapshots is not None and settings.snapshots.is_file():
            raise SettingsError(
                f"{self.where('snapshots')}: {settings.show(settings.snapshots)} is a file; "
                "give the folder that holds, or shall hold, one JSON file a tool"
            )
        for name, path in given:
            if path is not None and not path.exists():
                raise SettingsError(
                    f"{self.where(name)}: {settings.show(path)} does not exist; give an existing "
                    "file or folder, or leave it out"
                )
            if path is not None and name == "known_failures" and path.is_dir():
                raise SettingsError(
                    f"{self.where(name)}: {settings.show(path)} is a folder; give the YAML file"
                )
            if path is not None and not (path.is_file() or path.is_dir()):
                raise SettingsError(
                    f"{self.where(name)}: {settings.show(path)} is neither a file nor a folder; "
                    "write what it gives to a file first"
                )


def _absolute(base: Path, text: str) -> Path:
    """Return a path with `.` and `..` resolved by name, so that ids do not follow symlinks."""
    return Path(os.path.normpath(base / text))
