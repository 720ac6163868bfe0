"""Keys of a transcript that its schema leaves open: the goal, what the user forbade, host events.

What `setup.goal` and a host event carry belongs to the gates, so the schema of the format only says
that they are mappings. A key there that nobody reads changes nothing: the transcript is judged
without it, and the key is told, since it may be misspelt. The keys of `setup.host`, of the stored
records `goal_checkpoint` and `sidecar`, and of the events of the capability proxy are those of
other formats and stay open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reasonix_runtime.trace.explain import Path, Problem, unknown_key

GAP = {"kind", "subject", "why"}
READINESS = {"missing", "reason"}
EVALUATOR = {"outcome", "reason", "error"}
TASK = {"content", "status", "activeForm", "level", "step_id"}
_FACTS = {
    "readiness", "host_progress", "evaluator", "host_gaps", "contract", "forbid_tests", "preset",
}  # fmt: skip
"""What the host found around the end of a turn."""

GOAL = _FACTS | {
    "text", "status", "scope", "epoch", "budget_class", "class", "turns_used", "turns_limit",
    "budget_extensions", "tokens_used", "no_progress_turns", "no_progress_limit", "stop_cause",
    "block", "last_continuation_reason", "last_evaluator_reason", "research_mode",
    "auto_research_task_id", "strict", "todos", "delivery_checkpoint", "turn_bound", "turn_scope",
    "turn_epoch",
}  # fmt: skip
"""Keys of `setup.goal` that mean something."""
CARRIED = {"tokens_limit", "turns", "blocks"}
"""Fields of a stored goal that say nothing to the machine; they may be written all the same."""

CONSTRAINTS = {
    "forbid_mutation", "forbid_external", "forbid_tests", "full_verification", "allowed_commands",
}  # fmt: skip
ROUTE = {"id", "policy", "outcome", "reminded"}

EVENTS: Mapping[str, frozenset[str]] = {
    "set": frozenset(
        {
            "text", "scope", "class", "research_mode", "auto_research_task_id", "strict",
            "write_failed",
        }
    ),
    "clear": frozenset(),
    "stop": frozenset(),
    "pause": frozenset({"cause", "text", "block"}),
    "resume": frozenset(),
    "restore": frozenset({"sidecar"}),
    "usage": frozenset(
        {
            "scope", "epoch", "source", "tokens", "total_tokens", "total", "prompt_tokens",
            "completion_tokens", "prompt", "completion", "cached_tokens",
        }
    ),
    "admit": frozenset({"epoch", "continue"}),
    "turn_end": frozenset(_FACTS),
    "readiness": frozenset(_FACTS),
    "reconcile": frozenset(_FACTS),
    "loop_guard": frozenset(),
    "capability": frozenset({"id", "outcome"}),
}  # fmt: skip
"""Keys of each host event beside `host` and `expect`; cached tokens are part of the prompt."""


def unknown_keys(transcript: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield each key of a transcript that means nothing where it stands, by its path inside it."""
    setup = transcript.get("setup", {})
    here = ("setup",)
    if "goal" in setup:
        yield from _of(setup["goal"], GOAL | CARRIED, (*here, "goal"))
        yield from _of_facts(setup["goal"], (*here, "goal"))
    if "constraints" in setup:
        yield from _of(setup["constraints"], CONSTRAINTS, (*here, "constraints"))
    yield from _of_each(setup, "capabilities", ROUTE, here)
    for number, turn in enumerate(transcript["turns"]):
        for index, event in enumerate(turn.get("events", ())):
            if event.get("host") in EVENTS:
                at = ("turns", number, "events", index)
                yield from _of(event, EVENTS[event["host"]] | {"host", "expect"}, at)
                yield from _of_facts(event, at)


def _of_facts(holder: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    """Yield what is unknown inside the facts around an end of turn, and in a goal's list."""
    for name, known in (("readiness", READINESS), ("evaluator", EVALUATOR)):
        yield from _of(holder.get(name), known, (*path, name))
    yield from _of_each(holder, "host_gaps", GAP, path)
    yield from _of_each(holder, "todos", TASK, path)


def _of_each(holder: Mapping[str, Any], key: str, known: set[str], path: Path) -> Iterator[Problem]:
    items = holder.get(key)
    for index, item in enumerate(items if isinstance(items, Sequence) else ()):
        yield from _of(item, known, (*path, key, index))


def _of(value: Any, known: set[str] | frozenset[str], path: Path) -> Iterator[Problem]:
    """Yield the unknown keys of a mapping; what is none is refused by who reads it."""
    for name in value if isinstance(value, Mapping) else ():
        if name not in known:
            yield unknown_key(name, sorted(known), path)
