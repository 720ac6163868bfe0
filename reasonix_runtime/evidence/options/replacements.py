"""Whether a variable puts something else in the place of what a command names.

Another program (`make test PYTEST=true`), a folder of programs before the search path, one of
stand-ins for libraries, a script that is loaded first (`NODE_OPTIONS="-r ./x.js"`). Which variables
a project reads is its own affair, so names are read by what they say.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.tables import FIRST_NAMED, PLAIN_RUNNERS, SUBCOMMANDS
from reasonix_runtime.evidence.command_tables import INLINE_OPTIONS, SHELLS
from reasonix_runtime.evidence.options.command_line import CommandLine, line_of_words, tool_name
from reasonix_runtime.evidence.options.common import IN_SCRATCH_FOLDERS
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.running.reading import Plain
    from reasonix_runtime.evidence.shell.script import Assignment

# Variables that change what runs, whatever their value is.
_HIJACKING: Final = words(
    "LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV PYTEST_PLUGINS PYTHONSTARTUP"
    " PYTHONHOME SHELLOPTS PYTHONOPTIMIZE TOXENV NOXSESSION"
)
# The last word of a name that stands for a program.
_ROLES: Final = (
    words("python python3 node ruby perl php java javac mvn gradle npm pnpm yarn bun make")
    | PLAIN_RUNNERS
    | SUBCOMMANDS.keys()
    | FIRST_NAMED.keys()
) - words("v next")
# The same, where nothing but a program can be meant: `USE_YARN=true` tells something else.
_STRONG: Final = words("runner wrapper compiler linker cc cxx cpp ld rustc rustdoc")
# The same, where the program may well be one that the project builds.
_COMMANDS: Final = words("bin cmd command exe executable tool")
# Names of programs that also tell that the program runs: `VITEST=true`.
_TELLING: Final = words("vitest jest cypress playwright astro")
_DOING_NOTHING: Final = words(
    ": true false echo printf exit sleep touch yes noop cat ls pwd cd whoami id date head tail"
)
_SWITCHES: Final = words("true false")
_IDLE: Final = words("true : /bin/true /usr/bin/true")
_PROGRAM_TEXT: Final = words("-c -e --eval")
_WRAPPER_SCRIPTS: Final = words("mvn gradle")
_SCRIPT: Final = re.compile(r"\.(?:sh|py|js|mjs|rb|pl)$")

_KEPT_PATH: Final = words("$PATH ${PATH} $env:PATH %PATH%")
_TOOL_FOLDER: Final = re.compile(r"(?:.*/)?(?:\.?bin|sbin|Scripts)/?")
_OF_THE_WORK: Final = re.compile(r"\.{1,2}(?:/|$)|\$\{?PWD\b|\$\(pwd\)|`pwd`|[\w.-]+(?:/|$)|/tmp/")
# Nobody installs anything there; of a folder below it may be said.
_IN_SCRATCH: Final = re.compile(rf"{IN_SCRATCH_FOLDERS}/?(?:\.?s?bin/?)?")
# Where libraries are looked for before the installed ones.
_LIBRARIES: Final = words(
    "PYTHONPATH NODE_PATH RUBYLIB PERL5LIB GOROOT CLASSPATH GEM_PATH PHP_INI_SCAN_DIR"
)
_STAND_IN: Final = re.compile(
    r"(?:.*[^a-z])?(?:fakes?|stubs?|mocks?|dummy|dummies|noop|bogus|shadow)(?:[^a-z].*)?",
    re.IGNORECASE | re.DOTALL,
)
# Options that define anew what is asked for, and those whose value is a program that runs it.
_ANEW: Final = words("eval")
_RUNNING: Final = words(
    "run_under run-under wrapper rustc-wrapper runner testrunner test-runner launcher shell"
)
_LOCAL: Final = re.compile(r"\.{1,2}/|/tmp/|<rootDir>|\$")
# A setting of cargo: `target.x.runner = "true"`.
_SETTING: Final = re.compile(r"\b(runner|rustc-wrapper)\s*=\s*\[?\s*[\"']?([^\"'\],]+)")
# An agent that stands where libraries are installed, by an absolute path that does not come back.
_INSTALLED: Final = (
    r"[\"']?(?:/usr/|/opt/|(?:~|/root|/(?:home|Users)/[^/\s]+)/\.(?:m2|gradle)/)(?!\S*\.\.)"
)
# What the virtual machine of Java loads; an agent of it that is no file is one of its debuggers.
_JAVA_LOADING: Final = re.compile(
    rf"-(?:javaagent|agentpath):(?!{_INSTALLED})|-agentlib:(?!jdwp\b)|-Xbootclasspath"
    r"|--patch-module|--upgrade-module-path|-Djava\.system\.class\.loader|(?:^|\s)@"
)
# Options by which an interpreter loads a script or a library before anything else. Of a bare name
# nobody knows where it is found, but for what manages packages, and what watches a program of Perl.
_LOADING: Final = {
    **dict.fromkeys(
        words(
            "JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS JAVA_OPTS MAVEN_OPTS GRADLE_OPTS"
            " SBT_OPTS"
        ),
        _JAVA_LOADING,
    ),
    "NODE_OPTIONS": re.compile(
        r"(?:-r|--(?:require|import|loader|experimental-loader))[= ]?[\"']?(?:\.{0,2}/|file:|data:)"
    ),
    "RUBYOPT": re.compile(
        r"(?:^|\s)-[a-qs-zA-Z0-9]*r(?!\s*(?:bundler|rubygems)(?:/[\w/]+)?(?:\s|$))"
    ),
    "PERL5OPT": re.compile(r"(?:^|\s)-\w*(?:I|[mM](?!-?\s*Devel::\w+(?:[=\s]|$)))"),
}


def replaces_program(assignment: Assignment) -> bool:
    """Whether something else may run in the place of what is named.

    A search path that keeps the old one is how every version manager is set up.
    """
    name, text = assignment.name, assignment.word.text.strip("\"'")
    if name == "PATH":
        return _puts_in_front(text)
    if name in _LIBRARIES:
        return any(_STAND_IN.fullmatch(folder) for folder in text.split(":"))
    if name in _LOADING:
        value = assignment.word.value  # what is only known at run time may load anything
        return value is None or _LOADING[name].search(value) is not None
    if name == "ENV":  # the file that a shell reads first, and what projects call their stage
        return "/" in text or text.startswith((".", "$", "~"))
    return name in _HIJACKING or _names_another(assignment)


def line_as_named(plain: Plain) -> CommandLine | None:
    """Return what a command says to the program that it names; None where another may run."""
    words = plain.words
    if words is None or any(map(replaces_program, plain.assignments)):
        return None
    return line_of_words(words)


def option_replaces(name: str, value: str) -> bool:
    """Whether an option puts something else in the place of what is named.

    `bazel test --run_under=true`, `make test --eval 'test:'`, `jest --testRunner=./x.js`.
    """
    if name in _ANEW:
        return True
    if name == "node-options":
        return _LOADING["NODE_OPTIONS"].search(value) is not None
    if name == "config":
        found = _SETTING.search(value)
        name, value = (found[1], found[2]) if found else ("", "")
    if name not in _RUNNING or not value.split():
        return False
    given, *rest = value.split()
    return _does_nothing(given, rest) or _LOCAL.match(given) is not None


def _puts_in_front(text: str) -> bool:
    """Whether a folder of the work, or of stand-ins, comes before the installed programs."""
    folders = text.split(":")
    kept = [at for at, folder in enumerate(folders) if folder in _KEPT_PATH]
    if not kept:
        return not any(path in text for path in _KEPT_PATH)
    return any(
        _STAND_IN.fullmatch(folder)
        or _IN_SCRATCH.fullmatch(folder)
        or (_OF_THE_WORK.match(folder) and not _TOOL_FOLDER.fullmatch(folder))
        for folder in folders[: kept[0]]
    )


def _names_another(assignment: Assignment) -> bool:
    """Whether a name that stands for a program is given one that does nothing, or a local file."""
    value = assignment.word.value
    name = assignment.name.lower()
    role = name.rpartition("_")[2]
    if value is None or not value.split():
        return False
    given, *rest = value.split()
    if role == "shell":
        return tool_name(given) not in SHELLS
    if value in _SWITCHES and (name in _TELLING or not (name in _ROLES or role in _STRONG)):
        return False
    if role not in _ROLES | _STRONG | _COMMANDS:
        return False
    return _does_nothing(given, rest) or (role not in _COMMANDS and _is_local(given, role))


def _does_nothing(given: str, rest: list[str]) -> bool:
    """Whether a command does nothing of what a check would do, or is a program text."""
    program = tool_name(given).rpartition("/")[2]
    if program in _DOING_NOTHING or not _IDLE.isdisjoint(rest):
        return True
    return program in SHELLS | INLINE_OPTIONS.keys() and not _PROGRAM_TEXT.isdisjoint(rest)


def _is_local(given: str, role: str) -> bool:
    """Whether a program is a file of the work, and none where programs are installed."""
    folder, _, base = given.rpartition("/")
    if not folder or tool_name(given) in _WRAPPER_SCRIPTS:
        return False
    installed = _TOOL_FOLDER.fullmatch(folder) is not None and not _SCRIPT.search(base)
    return not (installed or (given[0] in "/~$" and base.startswith(role)))
