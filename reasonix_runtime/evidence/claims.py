"""What the arguments of a sign-off and of a task list claim, as receipts and gates ask for it.

They are read as they were sent: what has another shape claims nothing here.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from reasonix_runtime.evidence.arguments import text_member
from reasonix_runtime.evidence.tasks import Task, task_of

_PROOF_KINDS = {"verification": "command", "diff": "paths", "files": "paths", "manual": ""}


def cited_verifications(args: Any) -> Iterator[str]:
    """Yield the commands that a `complete_step` cites as verification."""
    return cited(args, "command", kinds=("verification",))


def cited(args: Any, name: str, *, kinds: Container[object] | None = None) -> Iterator[str]:
    """Yield the text that each evidence item of a `complete_step` gives under a name, trimmed.

    Items of other `kinds`, and what is blank or no text, are left out.
    """
    evidence = args.get("evidence") if isinstance(args, dict) else None
    for item in evidence if isinstance(evidence, list) else ():
        if isinstance(item, dict) and (kinds is None or item.get("kind") in kinds):
            text = item.get(name)
            if isinstance(text, str) and text.strip():
                yield text.strip()


def cites_kind(args: object, kind: str) -> bool:
    """Whether a sign-off has evidence of a kind."""
    evidence = args.get("evidence") if isinstance(args, dict) else None
    return isinstance(evidence, list) and any(
        isinstance(item, dict) and item.get("kind") == kind for item in evidence
    )


def step_of(members: Mapping[str, Any]) -> str:
    """Return the identity that a `complete_step` names: its positive index, else its title."""
    index = members.get("step_index")
    if isinstance(index, int) and not isinstance(index, bool) and index > 0:
        return str(index)
    return text_member(members, "step")


def proof_shaped(members: Mapping[str, Any]) -> bool:
    """Whether the arguments of a `complete_step` have the shape of a proof (TW-07 b)."""
    evidence = members.get("evidence")
    if not text_member(members, "result") or not isinstance(evidence, list) or not evidence:
        return False
    return all(isinstance(item, dict) and _item_proves(item) for item in evidence)


def _item_proves(item: Mapping[str, Any]) -> bool:
    needed = _PROOF_KINDS.get(text_member(item, "kind"))
    if needed is None or not text_member(item, "summary"):
        return False
    if needed == "paths":
        paths = item.get("paths")
        return isinstance(paths, list) and any(isinstance(p, str) and p.strip() for p in paths)
    return not needed or bool(text_member(item, needed))


def todos_of(members: Mapping[str, Any]) -> tuple[Task, ...]:
    """Return the items of a `todo_write` with trimmed texts."""
    todos = members.get("todos")
    return tuple(task_of(item) for item in todos) if isinstance(todos, list) else ()
