"""What a host knows when it is asked to delegate (`setup.host`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from reasonix_runtime.contract.surface import DEFAULT_DEPTH_LIMIT, FULL
from reasonix_runtime.trace.transcript_sizes import LARGEST_BODY

MOST_CHILDREN: Final = 6
MOST_WRITERS: Final = 3
"""How many children, and writers among them, run at once."""


Size: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_BODY)]
"""Of an answer in bytes: it is built to be cut into pages."""


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """A named sub-agent: the tools that it may have at most, and whether it only reads."""

    name: str = ""
    kind: str = "subagent"
    tools: tuple[str, ...] | None = None
    read_only: bool = False


class Child(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one child, in the order of the items."""

    status: str = "completed"
    answer_bytes: Size = 0
    persisted: bool = True
    error: str = ""


class StoredAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A stored run: whose it is, how it ended, its final answer.

    `lineage` is `same`, `ancestor` or that of anybody else, `identity` is `same` where kind, name,
    tools, model and effort are those of the new run. `answer` is told where it is no plain ASCII.
    """

    ref: str
    status: str = "completed"
    lineage: str = "same"
    workspace: str = "same"
    identity: str = "same"
    locked: bool = False
    answer_bytes: Size = 0
    answer: str | None = None

    @property
    def body(self) -> bytes:
        """The final answer."""
        return b"a" * self.answer_bytes if self.answer is None else self.answer.encode()


Paths: TypeAlias = str | tuple[str, ...]


class HeldPaths(msgspec.Struct, frozen=True, kw_only=True):
    """What a running writer holds, as an object: either key, one path or several."""

    write_paths: Paths = ()
    paths: Paths = ()


class DelegationWorld(msgspec.Struct, frozen=True, kw_only=True):
    """What holds when a call of a delegating tool is made.

    Attributes:
        active_total: how many children run.
        active_writers: how many of them write.
        claims: the paths that running writers hold; one without paths holds the whole workspace.
        caller_depth: how deep the calling agent runs; the top is 0.
        max_subagent_depth: how deep children may nest.
        persisted: whether the session of the parent is kept.
        storage: whether there is a place for stored runs at all.
        jobs: whether the session can run background jobs.
        models: the models that can be resolved, None for any.
        profile: the one that is registered.
        profiles: further ones.
        children: what becomes of the children.
        cancel_after_start: how many children had started when the call was cancelled, or True.
        results: the stored runs.
        parent: the registry of the caller.
        workspace: its root.
    """

    active_total: int = 0
    active_writers: int = 0
    claims: tuple[HeldPaths | Paths, ...] = ()
    caller_depth: int = 0
    max_subagent_depth: int = DEFAULT_DEPTH_LIMIT
    persisted: bool = True
    storage: bool = True
    jobs: bool = True
    models: tuple[str, ...] | None = None
    profile: Profile | None = None
    profiles: tuple[Profile, ...] = ()
    children: tuple[Child, ...] = ()
    cancel_after_start: bool | Annotated[int, msgspec.Meta(ge=0)] = False
    results: tuple[StoredAnswer, ...] = ()
    parent: tuple[str, ...] = FULL
    workspace: str = ""

    @property
    def nested(self) -> bool:
        """Whether the caller is a child itself: it never waits, because its parent waits for it."""
        return self.caller_depth > 0

    @property
    def too_deep(self) -> bool:
        """Whether a child of the caller would run below the limit."""
        return self.caller_depth + 1 > max(1, self.max_subagent_depth)

    def profile_of(self, name: str) -> Profile | None:
        """Return the sub-agent profile of that name."""
        for found in (self.profile, *self.profiles):
            if found is not None and found.name == name and found.kind in ("subagent", "manual"):
                return found
        return None

    def stored(self, ref: str) -> StoredAnswer | None:
        """Return the stored run of a reference."""
        return next((result for result in self.results if result.ref == ref), None)


def delegation_of(told: Mapping[str, Any], *, workspace: str) -> DelegationWorld:
    """Read a world out of `setup.host`; keys of other gates are left alone.

    Raises:
        msgspec.ValidationError: a value has the wrong type.
    """
    names = DelegationWorld.__struct_fields__
    fields = {name: told[name] for name in names if told.get(name) is not None}
    if "results" in fields:
        results = msgspec.convert(fields["results"], tuple[dict[str, Any], ...])
        fields["results"] = [item for item in results if "ref" in item]
    return msgspec.convert({"workspace": workspace, **fields}, DelegationWorld)
