"""A call's arguments, and the tool that a call really reached."""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_conformance.readers.building.argument_pool import ArgumentPool
from reasonix_conformance.readers.files.json_values import NOT_JSON, as_text, json_in
from reasonix_conformance.readers.hosts.roles import Role
from reasonix_runtime.trace.events import NO_ARGUMENTS, ToolCall

NOT_TOLD = "the arguments of a call are not in the recording"
"""What is said where a recording could hold arguments and does not: the call may do anything."""

NOT_READ = "a call with such arguments was a success, and nobody knows what it did"
"""What is said where the arguments of a call are there and cannot be read."""


def in_role(event: ToolCall, role: Role | None) -> ToolCall:
    """Return a foreign call with the contract's tool that it stands for."""
    if role is None:
        return event
    if role.tool is None:
        return msgspec.structs.replace(event, read_only=role.read_only)
    return msgspec.structs.replace(
        event,
        resolved_name=role.tool,
        resolved_args=role.args,
        resolved_read_only=role.read_only,
    )


def resolved(name: str, args: Any, target: str | None, read_only: bool | None) -> dict[str, Any]:
    """Return what is known of a proxy call's target; a call of its own tool has none.

    The target's arguments are those inside the proxy's; the flag of the call is the target's.
    """
    if not target or target == name:
        return {}
    inner = args.get("arguments") if isinstance(args, dict) else None
    facts: dict[str, Any] = {"resolved_name": target, "resolved_args": inner}
    if read_only is not None:
        facts["resolved_read_only"] = read_only
    return facts


def inner_object(text: str) -> Any:
    """Return the object that arguments are once a second encoding is off; else what they are.

    Some recorders encode twice. A host of the contract refuses such arguments: of its calls this
    must not be asked.
    """
    inner = json_in(text)
    return inner if isinstance(inner, dict) else text


def parse_args(
    args: Any, tool: str, pool: ArgumentPool, *, of_contract: bool
) -> tuple[Any, str | None, bool]:
    """Return (value, raw text if it is no JSON, whether it is JSON) of a call's arguments.

    Nothing and blank text are `NO_ARGUMENTS`: other than an empty object, nobody told them. JSON
    text that holds no object is passed on as it is: what a tool makes of it is the tool's affair.
    What is neither text nor an object no model wrote, so it counts as text that is no JSON; but
    some interfaces, other than the hosts `of_contract`, have lists.
    """
    if isinstance(args, str):
        try:
            return pool.arguments(tool, args), None, True
        except NOT_JSON:
            return (None, args, False) if args.strip() else (NO_ARGUMENTS, None, True)
    if args is None or isinstance(args, dict if of_contract else (dict, list)):
        return (NO_ARGUMENTS if args is None else args), None, True
    return None, as_text(args), False
