"""Permission and hooks, under the real name of a target.

What a server does is on a trusted path: the server is authorized, and no rule denies this exact
name. Everything else asks the ordinary gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from reasonix_runtime.gates.proxy.resolution import Resolution
from reasonix_runtime.gates.proxy.world import World
from reasonix_runtime.gates.verdict import Refusal, refuse

SUBJECTS = ("command", "path", "source_path", "url", "pattern", "name")
"""The arguments that a rule's pattern is held against."""


def permission_refusals(reached: Resolution, world: World) -> Iterator[Refusal]:
    """Yield what permission and the hooks before a call have against it."""
    denied = matches(world.deny, reached.name, reached.arguments)
    if reached.on_server:
        if not world.server(reached.server).authorized:
            yield refuse(
                "proxy.unauth_gate", f"the server {reached.server} is not authorized any more"
            )
        if denied:
            yield refuse("proxy.denied", f"a rule denies {reached.name}")
    elif denied or not _gate_allows(reached, world):
        yield refuse("proxy.gate", f"permission for {reached.name} was not given")
    if reached.name in world.hook_blocks:
        yield refuse("proxy.hook", f"a hook blocked {reached.name}")


def _gate_allows(reached: Resolution, world: World) -> bool:
    if world.ordinary_gate == "deny_writers":
        return reached.read_only
    return world.ordinary_gate == "allow"


def matches(rules: Iterable[str], name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a rule means this call: by its exact name, and a pattern of its subject if given."""
    return any(_matches(rule, name, arguments) for rule in rules)


def _matches(rule: str, name: str, arguments: Mapping[str, Any]) -> bool:
    tool, parenthesis, subject = rule.partition("(")
    if tool.strip() != name:
        return False
    if not parenthesis:
        return True
    pattern = subject.rpartition(")")[0]
    subjects = [value for key in SUBJECTS if isinstance(value := arguments.get(key), str)]
    return pattern == "*" or any(fnmatchcase(value, pattern) for value in subjects)
