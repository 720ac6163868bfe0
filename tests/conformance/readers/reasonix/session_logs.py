"""Messages of a Reasonix session as its logs keep them, as tests write them."""

from __future__ import annotations

from collections.abc import Callable

Log = Callable[[list[object]], list[dict[str, object]]]


def log_1(messages: list[object]) -> list[dict[str, object]]:
    """Write messages as the log of format 1."""
    first = {"type": "replace", "revision": 1, "messages": messages[:1]}
    return [
        {"schema_version": 1, **first},
        *(
            {"schema_version": 1, "type": "append", "message_index": at, "messages": [message]}
            for at, message in enumerate(messages[1:], 1)
        ),
    ]


def log_2(messages: list[object]) -> list[dict[str, object]]:
    """Write messages as the branching log."""
    head = {"schema_version": 2, "type": "log", "id": "l"}
    return [
        head,
        *(
            {
                "schema_version": 2,
                "type": "message",
                "id": f"m{at}",
                "parent": parent,
                "msgs": [message],
            }
            for at, message in enumerate(messages)
            for parent in [f"m{at - 1}" if at else None]
        ),
    ]
