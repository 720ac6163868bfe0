"""Calls that are answered at once: a message with one call, and the result of it in the next line.

Nearly all that a session holds are such pairs, and three events tell all there is to one of them.
Here they are found, so that many of them can be told at once. Whatever could be more than that is
left to the reader, message by message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from reasonix_conformance.readers.building.builder import AnsweredCall
from reasonix_conformance.readers.hosts.host_facts import DELEGATES
from reasonix_conformance.readers.hosts.host_texts import REWRITTEN, TRAILED, cut_of
from reasonix_conformance.readers.hosts.outcomes import GOOD_BY_HOST_RULE, HOST_BEGINS, of_message
from reasonix_conformance.readers.messages import LOCAL_TOOL, Message

_WATCHED = DELEGATES | {LOCAL_TOOL}
"""Tools whose calls are more than they seem."""


def pairs_from(records: Sequence[Any], first: int) -> Iterator[AnsweredCall]:
    """Yield the pairs that stand one after the other among records, beginning with `first`."""
    left = islice(records, first, None)
    for message in left:
        answer = next(left, None)
        if type(message) is not Message or type(answer) is not Message or not message.tool_calls:
            return
        call, said = message.tool_calls[0], message.content
        native, name, text = answer.tool_call_id, answer.name, answer.content
        if (
            # A call of the model, one of its own tools...
            message.role != "assistant"
            or len(message.tool_calls) != 1
            or message.function_call is not None
            or message.local_only is not None
            or (said is not None and type(said) is not str)
            or call.call_id is not None
            or call.function is not None
            or call.custom is not None
            or call.resolved_name is not None
            or call.resolved_read_only is not None
            # ... the result of it...
            or answer.role != "tool"
            or answer.local_only is not None
            or type(native) is not str
            or not native
            or native != call.id
            or type(name) is not str
            or name != call.name
            or name in _WATCHED
            or not name.isprintable()
            # ... and a text that the host has not touched.
            or type(text) is not str
            or answer.raw_content is not None
            or cut_of(text) is not None
            or text.endswith(TRAILED)
        ):
            return
        grade = GOOD_BY_HOST_RULE
        if (
            text[:1] in HOST_BEGINS
            or answer.tool_execution is not None
            or answer.tool_run_state is not None
        ):
            if text.startswith(REWRITTEN):
                return
            grade = of_message(text, answer.tool_run_state, answer.tool_execution)
        yield native, name, call.arguments, said or "", text, grade
