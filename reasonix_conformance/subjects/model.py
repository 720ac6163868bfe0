"""What is under test, as records: the tools a subject tells of, and what it leaves untold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from reasonix_conformance.errors import SubjectError
from reasonix_runtime.contract.canonical import canonical_or_none


class Form(StrEnum):
    """In which form a subject was given."""

    REGISTRY = "Python registry"
    CHAT = "Chat Completions tools"
    ANTHROPIC = "Anthropic Messages tools"
    RESPONSES = "Responses tools"
    MCP = "MCP tools/list result"
    CONTRACT = "contract JSON"


REQUEST_FORMS = frozenset((Form.CHAT, Form.ANTHROPIC, Form.RESPONSES))
"""Forms of a model request: they list what one model sees, not all that the host can dispatch."""


class SubjectTool(NamedTuple):
    """One tool as the subject tells it; None is what it does not tell.

    `schema` holds the bytes as given; `exact` is whether those bytes are the host's own or were
    written from a value, whose spelling nobody knows. `at` says where the tool stands in the
    subject, `problem` why the entry cannot be used as it is, `apart` why it is none that a contract
    speaks of. `listed` is whether `name` is a name of a tool of the host, so that it counts on a
    surface; an entry without a name is called by its place.
    """

    name: str
    at: str
    description: str | None = None
    read_only: bool | None = None
    schema: bytes | None = None
    exact: bool = False
    problem: str | None = None
    apart: str | None = None
    listed: bool = True

    def canonical(self) -> bytes | None:
        """Return the canonical bytes of the schema, None if it tells none that has such a form."""
        return None if self.schema is None else canonical_or_none(self.schema)


class Subject(NamedTuple):
    """A host's tools, in the order in which it lists them.

    `complete` tells whether the list holds every tool that the host can dispatch; `surfaces` maps
    the key of a boot surface to its names in order, for a subject that tells them. `reference` is
    whether this is the reference runtime, whose description texts are its own.
    """

    label: str
    form: Form
    tools: tuple[SubjectTool, ...]
    complete: bool
    reference: bool = False
    surfaces: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    @property
    def is_request(self) -> bool:
        """Whether the subject is one model request, so that its names are one boot surface."""
        return self.form in REQUEST_FORMS

    @property
    def names(self) -> tuple[str, ...]:
        """The tool names in the subject's order."""
        return tuple(tool.name for tool in self.tools if tool.listed)

    def tells(self, aspect: str) -> bool:
        """Whether the subject tells an aspect of any tool: `read_only`, `schema`, ..."""
        return any(getattr(tool, aspect) is not None for tool in self.tools)


def names_of(surface: object, told: Any, label: str) -> tuple[str, ...]:
    """Return the names of a boot surface in order, as a subject tells them.

    Raises:
        SubjectError: they are no list of texts. A text alone is no list, and a set has no order.
    """
    listed = isinstance(told, Iterable) and not isinstance(told, str | bytes | set | frozenset)
    names = tuple(told) if listed else ()
    if not listed or not all(isinstance(name, str) for name in names):
        raise SubjectError(
            f"subject {label}: surface {surface!r} is {told!r}; expected a list of tool names"
        )
    # The members of an enumeration of texts are found in no set of these texts.
    return tuple(map(str.__str__, names))
