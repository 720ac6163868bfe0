"""Commands that only prepare the shell, and those that run a text which nobody sees.

To set a variable, to activate an environment, to ask a version manager for its own changes does
nothing but decide where programs are found. A text that is made up on the spot (`. <(…)`,
`eval "$(cat x)"`) may put a function in the place of any program.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.shell.state import program_of, reads_only_on
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Assignment, Segment, Substitution, Word

# Commands that touch the shell itself and nothing else.
_SHELL_STATE: Final = word_set(
    "cd pushd popd set shopt export unset readonly declare typeset local : exit return wait umask"
    " ulimit setopt read shift setlocal endlocal set-location push-location"
    " pop-location deactivate break continue"
)
# Files of version managers that only set where programs are found, and settings of the project.
_ACTIVATIONS: Final = (
    "/bin/activate",
    "/Scripts/activate",
    "/Scripts/activate.bat",
    "/Scripts/Activate.ps1",
    "/bin/Activate.ps1",
    "/bin/activate.fish",
    "/.cargo/env",
    "/nvm.sh",
    "/asdf.sh",
    "/sdkman-init.sh",
    "/.rvm/scripts/rvm",
    "/etc/profile.d/conda.sh",
)
# Scripts that are called like the surroundings that they set: of tool chains, and of projects.
_SURROUNDINGS: Final = re.compile(
    r"(?:.*/)?(?:(?:set|oe-init-build-|build|dev)?[-_]?env(?:ironment|setup|vars|rc)?|[\w.-]+[-_]env"
    r"|(?:local_)?setup(?=\.(?:ba|z|fi)sh$)|setvars|setenv|activate|conda|virtualenvwrapper"
    r"|etc/profile)(?:\.(?:ba|z|fi|c|k)?sh)?",
    re.IGNORECASE,
)
# What is printed as the folder of such a script.
_ROOTS: Final = re.compile(
    r"\s*(?:conda info --base|brew --prefix(?: [\w@.-]+)?|pwd|git rev-parse --show-toplevel"
    r"|poetry env info (?:-p|--path)|pipenv --venv|pdm venv --path [\w-]+|pyenv (?:root|prefix)"
    r"|dirname \S+)\s*"
)
_SETTINGS: Final = re.compile(
    r"(?:.*/)?\.env(?:rc)?(?:\.\w+)*|(?:~|\$HOME|\$\{HOME\})/\.(?:bash|zsh)?(?:rc|_?profile)"
)
_SOURCING: Final = word_set("source .")
# Version managers, and their sub-commands that choose what the shell finds.
_CHOOSING: Final = {
    "nvm": word_set("use"),
    "fnm": word_set("use"),
    "sdk": word_set("use"),
    "rvm": word_set("use"),
    "conda": word_set("activate deactivate"),
    "mamba": word_set("activate deactivate"),
    "micromamba": word_set("activate deactivate"),
    "pyenv": word_set("shell activate deactivate"),
    "rbenv": word_set("shell"),
    "nodenv": word_set("shell"),
    "asdf": word_set("shell"),
    "module": word_set("load unload purge"),
    "workon": frozenset({""}),
    "chruby": frozenset({""}),
}
# What managers print for a shell to evaluate.
_PRINTING: Final = re.compile(
    r"\s*(?:direnv (?:export|hook)|(?:mise|rtx) (?:activate|env|hook-env)"
    r"|(?:py|rb|nod|go|j)env init|pyenv virtualenv-init|fnm env|opam env"
    r"|conda shell\.\w+ hook|micromamba shell hook"
    r"|(?:/opt/homebrew/bin/)?brew shellenv|ssh-agent|luarocks path|docker-machine env|minikube"
    r" docker-env|devbox shellenv)(?: [\w./=-]+)*\s*"
)
# The settings of the project, as `export $(…)` takes them.
_LISTED: Final = re.compile(
    r"\s*(?:cat|grep -v ['\"]?\^#['\"]?)\s+\.env[\w.]*(?:\s*\|\s*xargs(?: -\w+)*)?\s*"
    r"|\s*xargs(?: -\w+)*\s*<\s*\.env[\w.]*\s*"
)
_REDIRECT: Final = re.compile(r"\d*[<>&]")
# What is no file of the work: a stream, or one that was put aside.
# A file that is named by a variable alone may be any.
_VARIABLE: Final = re.compile(r'"?\$(?:\w+|\{\w+\})"?')
_STREAMS: Final = re.compile(r"/dev/(?:stdin|fd/\d+|shm/.+)|-|/proc/self/fd/\d+|/(?:var/)?tmp/.+")


def touches_shell_only(segment: Segment, assignments: tuple[Assignment, ...]) -> bool:
    """Whether a segment only prepares the shell: `export A=1`, `set -e`, an activated venv.

    A statement that is only a redirect (`> a.log`) runs nothing; what it empties is not asked here.
    """
    if not segment.words:
        return bool(assignments) or _REDIRECT.match(segment.text) is not None
    values = [word.value for word in segment.words]
    if values[0] == "eval":
        return _evaluates_manager(segment)
    if values[0] in _SOURCING and len(values) > 1:
        return not runs_unseen_text(segment) and _sets_surroundings(segment)
    if any(word.substitutions for word in segment.words):
        return values[0] == "export" and all(map(_lists_settings, segment.words[1:]))
    if values[0] == "set":
        return None not in values and not reads_only_on(segment)
    program = (values[0] or "").lower()
    if program in _SHELL_STATE or values == ["hash", "-r"]:
        return True
    if len(values) == 1 and "\\" in segment.words[0].text:
        return _activates(segment.words[0].text)
    chooses = _CHOOSING.get(program, frozenset())
    return "" in chooses or (len(values) > 1 and values[1] in chooses)


def runs_unseen_text(segment: Segment) -> bool:
    """Whether a command runs a text that is made up on the spot, in the shell that goes on."""
    program = program_of(segment)
    if program == "eval":
        unseen = any(word.value is None for word in segment.words)
        return unseen and not _evaluates_manager(segment)
    if program not in _SOURCING or len(segment.words) == 1:
        return False
    file = segment.words[1]
    if file.substitutions:
        return not (all(map(_prints_for_shell, file.substitutions)) or _stands_in_root(file))
    if _VARIABLE.fullmatch(file.text):
        return True
    return _STREAMS.fullmatch(file.value or "") is not None


def takes_in(segment: Segment) -> str:
    """Return the file that a command takes into the shell, but for settings; else nothing.

    What a script of the work does to the shell is known to who wrote it.
    """
    values = segment.values
    if program_of(segment) not in _SOURCING or values is None or len(values) == 1:
        return ""
    return "" if _SETTINGS.fullmatch(values[1]) else values[1]


def _sets_surroundings(segment: Segment) -> bool:
    """Whether a script that is taken in is one that sets where programs are found."""
    file, *given = segment.words[1:]
    text = file.text.strip("\"'")
    if file.substitutions and not _stands_in_root(file):
        return True  # a manager prints it
    named = _SURROUNDINGS.fullmatch(text[text.rfind(")") + 1 :]) is not None
    return named or (not given and _activates(text))


def _stands_in_root(file: Word) -> bool:
    """Whether a file is told by a folder that a tool prints: `$(conda info --base)/etc/…`."""
    printed = [_ROOTS.fullmatch(one.command) for one in file.substitutions]
    return all(printed) and "/" in file.text.rpartition(")")[2]


def _activates(text: str) -> bool:
    file = text.strip("\"'").replace("\\", "/")
    return file.lower().endswith(_LOWERED) or _SETTINGS.fullmatch(file) is not None


_LOWERED: Final = tuple(map(str.lower, _ACTIVATIONS))


def _evaluates_manager(segment: Segment) -> bool:
    """Whether `eval` is given what a version manager prints for the shell, and nothing else."""
    given = segment.words[1:]
    return bool(given) and all(
        len(word.substitutions) == 1
        and _prints_for_shell(word.substitutions[0])
        and word.text.strip('"')[:2] == "$("
        and word.text.strip('"')[-1:] == ")"
        for word in given
    )


def _lists_settings(word: Word) -> bool:
    listed = [one for one in word.substitutions if _LISTED.fullmatch(one.command)]
    return len(listed) == 1 and word.text[:2] == "$(" and word.text[-1:] == ")"


def _prints_for_shell(substitution: Substitution) -> bool:
    return _PRINTING.fullmatch(substitution.command) is not None
