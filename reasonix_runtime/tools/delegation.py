"""Arguments that the delegating tools have in common."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s

CONTINUE_FROM = s.string(
    "The reference (sa_...) of an earlier run of the same kind that is to be carried on with, as "
    "its answer gave it."
)
IN_BACKGROUND = s.boolean("Return a job id at once; collect the answer with wait.")
SKILL_NAME = s.string("The skill's name alone, without decoration.")
SKILL_ARGUMENTS = s.string(
    "What to apply it to: appended to an inline skill, the whole task of a sub-agent skill and "
    "required there."
)


def child_fields() -> dict[str, s.Schema]:
    """Return the properties that every delegated task has."""
    return {
        "prompt": s.string("The complete task, understandable by itself."),
        "description": s.string("A short label for it."),
        "tools": s.array(s.string(), "The tools it may use; can only narrow what it would have."),
        "max_steps": s.integer(
            "How many rounds of tool calls it may take; half of what this agent has, and 5 at "
            "least, if left out.",
            minimum=1,
        ),
        "model": s.string("Another model to run it with."),
        "effort": s.string("How hard the model is to think."),
    }
