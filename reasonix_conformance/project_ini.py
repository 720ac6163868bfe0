"""What the pytest ini file of a project says of the contract, read without pytest.

The commands work on what the plugin works on, and importing pytest would take longer than most of
them do. The file is found as pytest finds it without arguments: in the first folder, from the
current one upwards, that has a file which configures pytest.
"""

from __future__ import annotations

import os.path
import tomllib
from collections.abc import Callable, Mapping, Set
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import iniconfig

from reasonix_conformance.errors import SettingsError
from reasonix_conformance.files import reason_of
from reasonix_conformance.settings import INI_NAMES, PREFIX, TRUTH, unknown_setting
from reasonix_runtime.excerpts import odd_byte
from reasonix_runtime.whole_files import read_whole

Section = Mapping[str, Any]

YES = frozenset(("1", "true", "t", "yes", "y", "on"))
NO = frozenset(("0", "false", "f", "no", "n", "off"))
"""How pytest takes a value for true, and for false."""


class ProjectIni(NamedTuple):
    """Our values of an ini file by their names without prefix, and what they are relative to.

    `folder` is the folder of the file, or the one that was asked about if none tells anything of
    ours. `python_path` are the folders that the file adds to those of Python's modules.
    """

    folder: Path
    values: Mapping[str, str] = MappingProxyType({})
    python_path: tuple[Path, ...] = ()

    @property
    def strict(self) -> bool:
        """Whether what is only recommended fails as well."""
        return self.values.get("strict", "").casefold() in YES


def load(here: Path) -> ProjectIni:
    """Return what the ini file of the project that a folder lies in says.

    Raises:
        SettingsError: the file cannot be read, or says something of ours that there is not.
    """
    for folder in (here, *here.parents):
        for name, section_of in _FILES.items():
            section = _read(folder / name, section_of)
            if section is not None:
                return _ours(section, folder / name) or ProjectIni(here)
    return ProjectIni(here)


def names_in(file: Path) -> Set[str]:
    """Return our names, without prefix, in the file that pytest was configured by.

    Raises:
        SettingsError: the file cannot be read.
    """
    section = _read(file, _FILES.get(file.name) or _KINDS.get(file.suffix, _shared_ini))
    return {key.removeprefix(PREFIX) for key in section or () if key.startswith(PREFIX)}


def _read(path: Path, section_of: Callable[[str, Path], Section | None]) -> Section | None:
    """Return the section of a file that configures pytest, None where it does not."""
    if not os.path.isfile(path):  # noqa: PTH113  (false as well where nobody may look)
        return None
    try:
        text = read_whole(path).decode()
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {reason_of(error)}") from None
    except UnicodeDecodeError as error:
        odd = odd_byte(error)
        raise SettingsError(f"{path}:{odd.line}: {odd.what}; save the file as UTF-8") from None
    try:
        return section_of(text, path)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not TOML: {error}") from None
    except iniconfig.ParseError as error:
        raise SettingsError(f"{path}:{error.lineno + 1}: not an ini file: {error.msg}") from None


def _ours(section: Section, file: Path) -> ProjectIni | None:
    values = {
        key.removeprefix(PREFIX): str(value)
        for key, value in section.items()
        if key.startswith(PREFIX) and str(value)
    }
    if not values:
        return None
    for name in values.keys() - INI_NAMES:
        from difflib import get_close_matches  # slow to import, and hardly ever needed

        # What is like none of ours is another plugin's, which is not asked here.
        if get_close_matches(name, INI_NAMES):
            raise SettingsError(unknown_setting(f"{PREFIX}{name}", file))
    strict = values.get("strict", "false").casefold()
    if strict not in YES | NO:
        raise SettingsError(f"{file}: {PREFIX}strict: {strict!r} is no truth; {TRUTH}")
    folder = file.parent
    told = section.get("pythonpath", ())
    added = told.split() if isinstance(told, str) else map(str, told)
    return ProjectIni(folder, MappingProxyType(values), tuple(folder / path for path in added))


def _own_toml(text: str, path: Path) -> Section | None:
    return _table(tomllib.loads(text), "pytest") or {}


def _pyproject(text: str, path: Path) -> Section | None:
    table = _table(_table(tomllib.loads(text), "tool"), "pytest")
    inner = table.pop("ini_options", None)
    return inner if isinstance(inner, dict) else table or None


def _own_ini(text: str, path: Path) -> Section | None:
    return _section(text, path, "pytest") or {}


def _shared_ini(text: str, path: Path) -> Section | None:
    return _section(text, path, "pytest")


def _setup_cfg(text: str, path: Path) -> Section | None:
    return _section(text, path, "tool:pytest")


def _table(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = document.get(name)
    return dict(found) if isinstance(found, dict) else {}


def _section(text: str, path: Path, name: str) -> Section | None:
    ini = iniconfig.IniConfig(str(path), text)
    return dict(ini[name].items()) if name in ini else None


_FILES: Mapping[str, Callable[[str, Path], Section | None]] = MappingProxyType(
    {
        "pytest.toml": _own_toml,
        ".pytest.toml": _own_toml,
        "pytest.ini": _own_ini,
        ".pytest.ini": _own_ini,
        "pyproject.toml": _pyproject,
        "tox.ini": _shared_ini,
        "setup.cfg": _setup_cfg,
    }
)
"""The files that configure pytest, in the order in which one of a folder is chosen.

Those that are made for it do so even where they say nothing.
"""
_KINDS: Mapping[str, Callable[[str, Path], Section | None]] = MappingProxyType(
    {".ini": _shared_ini, ".cfg": _setup_cfg, ".toml": _pyproject}
)
"""How a file of another name is read, which `pytest -c` names."""
