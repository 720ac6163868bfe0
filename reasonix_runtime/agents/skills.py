"""Skills from files: what they say at their head, and the text that an agent follows.

A skill is `NAME/SKILL.md` or `NAME.md` in a folder: Markdown behind a head of YAML between two
lines of `---`. One that runs as a sub-agent is a profile for `task` and `fleet` as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from reasonix_runtime.contract.surface import SKILLS
from reasonix_runtime.errors import ReasonixError, did_you_mean
from reasonix_runtime.excerpts import odd_byte
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.trace import yaml12
from reasonix_runtime.whole_files import read_whole

FILE: Final = "SKILL.md"
LARGEST: Final = 256 * 1024
"""Bytes; a longer text is no playbook."""

SUBAGENT: Final = "subagent"

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")
_HEAD: Final = re.compile(
    r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE
)
_TAG: Final = re.compile(r"\[[^\]]{0,200}\]")
_WORD: Final = re.compile(r"(?<!\S)[A-Za-z0-9]\S*")
_OWN: Final = frozenset(SKILLS) | {name.replace("_", "-") for name in SKILLS}
"""Names of the skills that the host has itself."""


class SkillError(ReasonixError):
    """A skill cannot be read as it stands there; the text names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """A skill: `tools` is the list that its sub-agent has at most, None without one."""

    name: str
    description: str
    body: str
    runs_apart: bool = False
    tools: tuple[str, ...] | None = None
    model: str = ""
    effort: str = ""


def read_skills(folder: Path) -> Mapping[str, Skill]:
    """Read the skills of a folder, by name.

    Raises:
        SkillError: a file is no skill, or two have one name.
    """
    found: dict[str, Skill] = {}
    for file in _files(folder):
        skill = _read(file, file.parent.name if file.name == FILE else file.stem)
        if skill.name in found:
            raise SkillError(f"{file}: there is another skill {skill.name!r} in this folder")
        found[skill.name] = skill
    return MappingProxyType(found)


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of skills, in order; what is none of their forms is left alone."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise SkillError(
            f"{folder}: {error.strerror or error}; expected a folder with skills, "
            f"each a NAME/{FILE} or a NAME.md"
        ) from None
    for entry in entries:
        if (entry / FILE).is_file():
            yield entry / FILE
        elif entry.suffix == ".md" and entry.is_file():
            yield entry


def _read(file: Path, usual: str) -> Skill:
    try:
        text = read_whole(file, most=LARGEST).decode()
    except OSError as error:
        raise SkillError(f"{file}: cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        odd = odd_byte(error)
        raise SkillError(f"{file}:{odd.line}: {odd.what}; save the file as UTF-8") from None
    head = _HEAD.match(text)
    if head is None:
        raise SkillError(f"{file}: a skill begins with a head of YAML between two lines of ---")
    # The line of the opening mark stands for itself, so that errors name the lines of the file.
    told = yaml12.load(f"\n{head[1]}".encode(), str(file)).value
    if not isinstance(told, dict):
        raise SkillError(f"{file}: the head of a skill holds keys and values")
    apart = told.get("runAs") == SUBAGENT
    skill = Skill(
        name=_text(told, "name", file) or usual,
        description=" ".join(_text(told, "description", file).split()),
        body=text[head.end() :].strip(),
        runs_apart=apart,
        tools=_tools(told, file) if apart else None,
        model=_text(told, "model", file) if apart else "",
        effort=_text(told, "effort", file) if apart else "",
    )
    _require_whole(skill, file)
    return skill


def _require_whole(skill: Skill, file: Path) -> None:
    if not _NAME.match(skill.name):
        raise SkillError(
            f"{file}: {skill.name!r} is no name of a skill: letters, digits, _ - . and at most 64"
        )
    if skill.name in _OWN:
        raise SkillError(f"{file}: {skill.name} is a tool of the host; call the skill otherwise")
    if not skill.description or not skill.body:
        raise SkillError(f"{file}: a skill has a description in its head, and a text behind it")


def _text(told: Mapping[str, Any], key: str, file: Path) -> str:
    value = told.get(key)
    if value is not None and not isinstance(value, str):
        raise SkillError(f"{file}: {key}: expected a text, got {value!r}")
    return (value or "").strip()


def _tools(told: Mapping[str, Any], file: Path) -> tuple[str, ...] | None:
    """Return the tools of a sub-agent: a list, or names in one text."""
    value = told.get("allowed-tools")
    if value is None:
        return None
    names = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise SkillError(f"{file}: allowed-tools: expected names of tools, got {value!r}")
    return tuple(names)


# -- what a call asks for ------------------------------------------------------------------------


def skill_of(skills: Mapping[str, Skill], given: str) -> Skill:
    """Return the skill that a call names; raises ToolError where there is none."""
    word = _WORD.search(_TAG.sub(" ", given))
    if word is None:
        raise ToolError(f"{given!r} names no skill")
    if word[0] not in skills:
        known = ", ".join(sorted(skills)) or "none"
        near = did_you_mean(word[0], tuple(skills))
        raise ToolError(f"there is no skill {word[0]}{near}; there are: {known}")
    return skills[word[0]]


def pinned(skill: Skill, arguments: str) -> str:
    """Return the text of an inline skill as a conversation keeps it, with its arguments."""
    pin = f'<skill-pin name="{skill.name}">\n{skill.body}\n</skill-pin>'
    return f"{pin}\n\nArguments: {arguments.strip()}" if arguments.strip() else pin


def index_of(skills: Mapping[str, Skill]) -> str:
    """Return what an agent is told of the skills before its first turn; empty without any."""
    return "\n".join(
        f"- `{name}` ({'sub-agent' if skill.runs_apart else 'inline'}): {skill.description}"
        for name, skill in sorted(skills.items())
    )
