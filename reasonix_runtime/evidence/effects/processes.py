"""Commands that start a server, or end a process: the work stays as it was (policy point).

Checks of what is served need a server, which is started before them and ended after them. What a
program of the work does when it is simply run nobody knows; one that is known to serve, or is
called so by the project, waits to be asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.names import RUN_BY_NAME, names_server
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    line_of_words,
    names_given,
    starts_with,
    tool_name,
)
from reasonix_runtime.evidence.options.replacements import replaces_program
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.running.reading import Plain

_ENDING: Final = words("kill pkill killall fuser taskkill stop-process kill-port")
# Programs that serve, with the sub-commands by which they do; "" where none is needed.
_SERVING: Final = {
    **dict.fromkeys(
        words(
            "uvicorn gunicorn hypercorn daphne waitress-serve http.server http-server serve puma"
            " live-server json-server rackup redis-server mongod webpack-dev-server"
        ),
        frozenset({""}),
    ),
    "flask": words("run"),
    "fastapi": words("dev run"),
    "manage.py": words("runserver"),
    "django-admin": words("runserver"),
    "rails": words("server s"),
    "artisan": words("serve"),
    "symfony": words("serve server:start"),
    "mix": words("phx.server"),
    "next": words("dev start"),
    "nuxt": words("dev preview"),
    "vite": words("dev preview serve") | {""},
    "astro": words("dev preview"),
    "ng": words("serve s"),
    "webpack": words("serve"),
    "gatsby": words("develop serve"),
    "remix": words("dev"),
    "storybook": words("dev"),
    "react-scripts": words("start"),
    "hugo": words("server serve"),
    "jekyll": words("serve"),
    "mkdocs": words("serve"),
    "wrangler": words("dev"),
    "trunk": words("serve"),
    "supabase": words("start stop"),
    "docker": frozenset({"start", "stop", "restart", "compose up", "compose start"})
    | {"compose stop", "compose restart", "compose down"},
    "docker-compose": words("up start stop restart down"),
    "podman": words("start stop"),
    "pg_ctl": words("start stop restart"),
    "bin/dev": frozenset({""}),
}
_NAMED: Final = {
    **RUN_BY_NAME,
    "npm": words("run run-script start") | {""},
    "make": frozenset({""}),
}
# With these a server takes its data away, or becomes another program.
_MORE: Final = words("v volumes rmi eval require loader config init build-arg")


def concerns_processes(plain: Plain) -> bool:
    """Whether a command starts a server or ends a process, and does nothing else."""
    first = plain.segment.words[0].value if plain.segment.words else None
    if first is None or any(map(replaces_program, plain.assignments)):
        return False
    if tool_name(first) in _ENDING:
        return not any(word.opaque and "<" in word.text for word in plain.segment.words)
    told = plain.segment.values
    if told is None:
        return False
    line = line_of_words(told)
    return all(item.name not in _MORE for item in line.options) and (
        _serves(line) or _names_server(line)
    )


def _serves(line: CommandLine) -> bool:
    commands = _SERVING.get(line.program)
    if line.program == "php":
        given = {item.option for item in line.options}
        return "-S" in given and given <= {"-S", "-t", "-q"}
    if commands is None:
        return False
    return commands == {""} or starts_with(line.operands, commands)


def _names_server(line: CommandLine) -> bool:
    if line.program == "npm" and line.operands == ("start",):
        return True
    names = names_given(line, _NAMED)
    return bool(names) and all(map(names_server, names))
