"""What a call of the proxy asks for, and the checks that need nothing but the call and the ledger.

A request is read as far as it goes; every check then says what is wrong with it, in order.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

import msgspec

from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.evidence.arguments import text_member
from reasonix_runtime.gates.capability import RoutePolicy, Routes
from reasonix_runtime.gates.proxy.ids import RESULT_ID, CapabilityId, Family, parse_id
from reasonix_runtime.gates.proxy.world import World
from reasonix_runtime.gates.verdict import Refusal, refuse


class Action(StrEnum):
    """What is done with a capability."""

    LIST = "list"
    INSPECT = "inspect"
    CALL = "call"
    DECLINE = "decline"


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One call of the proxy, read.

    Attributes:
        whole: whether its arguments are an object, and those for the target are one.
        action: None where it is none of the four.
        text: the capability id as it was given, without blanks around it.
        id: the same, understood; None where it is malformed or of no family.
        arguments: those for the target.
        reason: why the capability is declined.
    """

    whole: bool = True
    action: Action | None = None
    text: str = ""
    id: CapabilityId | None = None
    arguments: Mapping[str, Any] = {}
    reason: str = ""

    @property
    def calls(self) -> bool:
        """Whether the capability is to be used."""
        return self.action is Action.CALL


def request_of(args: Any) -> Request:
    """Read the arguments of a call."""
    if not isinstance(args, dict):
        return Request(whole=False)
    action = text_member(args, "action").lower()
    text = text_member(args, "capability_id")
    given = _object(args.get("arguments"))
    known = Action(action) if action in tuple(Action) else None
    return Request(
        whole=given is not None or known is not Action.CALL,
        action=known,
        text=text,
        id=parse_id(text),
        arguments=given or {},
        reason=text_member(args, "reason"),
    )


def _object(given: Any) -> Mapping[str, Any] | None:
    """Return arguments for a target: none are an empty object, and one level of text is undone."""
    if isinstance(given, str):
        given = _decoded(given)
    if given is None:
        return {}
    return given if isinstance(given, dict) else None


def _decoded(text: str) -> Any:
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def argument_refusals(request: Request, world: World, routes: Routes) -> Iterator[Refusal]:
    """Yield what is wrong with a call before anything is looked up."""
    if not request.whole:
        yield refuse("proxy.args", "the arguments must be a JSON object, those for the target too")
        return
    action = request.action
    if action is None:
        yield refuse("proxy.action", f"action must be one of {', '.join(Action)}")
        return
    if action is not Action.LIST and not request.text:
        yield refuse("proxy.id_missing", f"{action} needs a capability_id")
    if action is Action.DECLINE and not request.reason:
        yield refuse("proxy.reason_missing", "a capability is declined with a reason")
    yield from _restricted(request, world)
    yield from _about_the_id(request, routes)


def _restricted(request: Request, world: World) -> Iterator[Refusal]:
    """Yield whether a restricted proxy may name the id at all; its own results it always may."""
    allowed = world.allowed_ids
    if allowed is None or request.action is Action.LIST or request.text == RESULT_ID:
        return
    if request.id is not None and request.text in allowed:
        return  # A malformed id counts as no entry, whoever allowed it.
    yield refuse("proxy.allowlist", f"{request.text} is outside this sub-agent's allowed tools")


def _about_the_id(request: Request, routes: Routes) -> Iterator[Refusal]:
    if request.action is Action.DECLINE:
        wanted = {route.id: route.policy for route in routes}
        if wanted.get(request.text) is RoutePolicy.REQUIRE:
            yield refuse("proxy.require", f"{request.text} is required and cannot be declined")
    elif not request.calls:
        return
    elif request.id is None:
        yield refuse(
            "proxy.id_bad",
            f"{request.text!r} is no capability id; `list` shows those there are",
        )
    elif request.id.family is Family.TOOL and request.id.name == PROXY:
        yield refuse("proxy.self", f"{PROXY} cannot be called through itself")
