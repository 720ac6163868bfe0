"""Stored runs of children: reading a final answer by pages, and carrying on with a run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from reasonix_runtime.evidence.result_text import cut, inside_character
from reasonix_runtime.gates.delegation.items import Task, decoded
from reasonix_runtime.gates.delegation.world import DelegationWorld, StoredAnswer
from reasonix_runtime.gates.verdict import Refusal, refuse

DEFAULT_LIMIT: Final = 12288
HIGHEST_LIMIT: Final = 24576
"""Bytes of a page of a stored answer: where none are asked for, and at most."""
PREFIX: Final = "sa_"
"""What the name of a stored run begins with."""
REFERENCE: Final = re.compile(rf"{PREFIX}[A-Za-z0-9_-]+\Z")
"""The name of a stored run."""
OWN: Final = ("same", "ancestor")
"""Whose stored runs a conversation may read: its own, and those of one that it goes back to."""


class PageOfAnswer(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Which page of an answer is asked for; a limit of 0 is the default."""

    ref: str = ""
    offset_bytes: int = 0
    limit_bytes: int = 0

    @property
    def limit(self) -> int:
        """How many bytes a page has at most."""
        return self.limit_bytes or DEFAULT_LIMIT


def read_page_request(args: Any) -> PageOfAnswer | None:
    """Read the arguments of `read_subagent_result`; None where they do not decode."""
    asked: PageOfAnswer | None = decoded(args, PageOfAnswer)
    return None if asked is None else msgspec.structs.replace(asked, ref=asked.ref.strip())


def page_refusals(asked: PageOfAnswer | None, world: DelegationWorld) -> Iterator[Refusal]:
    """Yield why there is no page of an answer."""
    if asked is None:
        yield refuse("subagent.args", "unknown fields, or fields of a wrong type")
        return
    if not asked.ref:
        yield refuse("subagent_result.ref", "ref is required: the sa_... value")
    if asked.offset_bytes < 0:
        yield refuse("subagent_result.offset", "offset_bytes counts from 0")
    if asked.limit_bytes and not 1 <= asked.limit_bytes <= HIGHEST_LIMIT:
        yield refuse("subagent_result.limit", f"limit_bytes must be 1 to {HIGHEST_LIMIT}")
    if not world.storage:
        yield refuse("subagent_result.store", "no runs are stored here")
    if not world.persisted:
        yield refuse("subagent_result.ephemeral", "this session is not kept, and so are its runs")
    yield from _reference(asked.ref, world)
    stored = world.stored(asked.ref)
    if stored is not None:
        yield from _answer_refusals(asked, stored)


def _reference(ref: str, world: DelegationWorld, **facts: Any) -> Iterator[Refusal]:
    """Yield whether a reference is malformed, in use, or of no stored run."""
    stored = world.stored(ref)
    if not REFERENCE.match(ref):
        yield refuse("subagent.ref_bad", f"{ref!r} is no reference of a sub-agent", **facts)
    if stored is not None and stored.locked:
        yield refuse("subagent.ref_busy", f"{ref} is in use right now", **facts)
    if stored is None:
        yield refuse("subagent.ref_bad", f"there is no stored run {ref}", **facts)


def _answer_refusals(asked: PageOfAnswer, stored: StoredAnswer) -> Iterator[Refusal]:
    ref, body, offset = asked.ref, stored.body, asked.offset_bytes
    if stored.lineage not in OWN:
        yield refuse("subagent_result.lineage", f"{ref} belongs to another conversation")
    if stored.workspace != "same":
        yield refuse("subagent_result.workspace", f"{ref} belongs to another workspace")
    if stored.status != "completed":
        yield refuse("subagent_result.status", f"{ref} is {stored.status}, not completed")
    if not body.strip():
        yield refuse("subagent_result.empty", f"{ref} ended without an answer")
    if offset > len(body):
        yield refuse("subagent_result.range", f"{ref} has {len(body)} bytes")
    if inside_character(body, offset):
        yield refuse("subagent_result.rune", f"offset {offset} lies inside a character")


def page_state(asked: PageOfAnswer, stored: StoredAnswer) -> dict[str, Any]:
    """Return where a page begins and ends, and whether more remains."""
    body, offset = stored.body, asked.offset_bytes
    after = offset + len(cut(body[offset:], asked.limit))
    return {"from": offset, "to": after, "total": len(body), "more": after < len(body)}


def page_text(asked: PageOfAnswer, stored: StoredAnswer) -> str:
    """Return a page with where it stands, and how to get the next one."""
    where = page_state(asked, stored)
    start, end, total = where["from"], where["to"], where["total"]
    page = stored.body[start:end].decode()
    rest = "End of subagent result."
    if where["more"]:
        rest = (
            f'More remains. Call read_subagent_result with ref="{asked.ref}" and '
            f"offset_bytes={end}."
        )
    head = f"Subagent result {asked.ref} (status=completed, bytes {start}-{end} of {total}):"
    return f"{head}\n{page}\n\n{rest}"


# -- carrying on ---------------------------------------------------------------------------------


def continuation_refusals(asked: Task, world: DelegationWorld) -> Iterator[Refusal]:
    """Yield why an earlier run cannot be carried on with."""
    facts: dict[str, Any] = {"state_after": {"started": 0}}
    if asked.continue_from and asked.fork_from:
        yield refuse(
            "subagent.cont_both", "continue_from and fork_from exclude each other", **facts
        )
    ref = continued(asked)
    if not ref:
        return
    if not world.persisted:
        yield refuse("subagent.cont_ephemeral", "this session keeps no runs", **facts)
    yield from _reference(ref, world, **facts)
    stored = world.stored(ref)
    if stored is None:
        return
    owners = OWN if asked.continue_from else ("ancestor",)
    if stored.lineage not in owners:
        yield refuse("subagent.ref_foreign", f"{ref} belongs to another conversation", **facts)
    if stored.status != "completed":
        yield refuse("subagent.ref_status", f"{ref} is {stored.status}", **facts)
    if stored.workspace != "same" or stored.identity != "same":
        yield refuse("subagent.ref_identity", f"{ref} is another kind of run", **facts)


def continued(asked: Task) -> str:
    """Return the reference that a task carries on with, empty without one."""
    return (asked.continue_from or asked.fork_from).strip()


def copies(asked: Task, world: DelegationWorld) -> bool:
    """Whether a run of an ancestor is carried on with: as a copy that this conversation owns."""
    stored = world.stored(continued(asked))
    return stored is not None and stored.lineage == "ancestor"
