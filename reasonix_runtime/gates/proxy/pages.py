"""Reading a result that was cut, page by page, until every byte of it was seen.

The answer is one line of compact JSON, a line feed, and the bytes of the page. Offsets count bytes
and always stand at a character. :func:`refusals` are the checks in the order of the format.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Final

import msgspec

from reasonix_runtime.evidence.result_text import RESULT_LIMIT, cut, inside_character, reference
from reasonix_runtime.gates.delegation.stored import PREFIX as SUBAGENT_PREFIX
from reasonix_runtime.gates.verdict import Refusal, refuse
from reasonix_runtime.trace.transcript_sizes import LARGEST_BODY, repeated_size

DEFAULT_LIMIT: Final = 16384
HIGHEST_LIMIT: Final = 24576
"""Bytes of a page: where none are asked for, and at most."""


class StoredResult(msgspec.Struct, frozen=True, kw_only=True):
    """One result of a session.

    `ref` is the reference of its complete body, `body` that body where a complete copy was kept,
    `marked` whether the text that the model sees carries a marker with the reference.
    """

    call_id: str
    ref: str
    body: bytes | None
    marked: bool = False


class PageRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Which page is asked for; a `limit` of 0 is the default."""

    tool_call_id: str = ""
    result_ref: str = ""
    offset: int = 0
    limit: int = 0


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One page: what its first line says, and its bytes."""

    header: Mapping[str, Any]
    data: bytes

    @property
    def reason(self) -> str:
        """Which kind of page it is."""
        if not self.header["complete"]:
            return "page.page"
        return "page.last" if self.data else "page.empty"

    @property
    def text(self) -> str:
        """The answer as the model gets it."""
        return f"{json.dumps(self.header, separators=(',', ':'))}\n{self.data.decode()}"


def stored(call_id: str, body: bytes, *, complete: bool = True) -> StoredResult:
    """Return a result as a session keeps it: a long one was cut and marked.

    One without a `complete` copy was cut before markers carried references, or shortened later.
    """
    return StoredResult(
        call_id=call_id,
        ref=reference(call_id, body),
        body=body if complete else None,
        marked=complete and len(body) > RESULT_LIMIT,
    )


def stored_result(told: Mapping[str, Any]) -> StoredResult:
    """Read a result of a setup: its body is text, or `parts` that are repeated.

    Raises:
        msgspec.ValidationError: a value has the wrong type.
    """
    given = msgspec.convert(told, _Told)
    parts = _parts(given.body)
    size = sum(repeated_size(part.text, part.times) for part in parts)
    if size > LARGEST_BODY:
        raise msgspec.ValidationError(f"a body of {size} bytes is above {LARGEST_BODY}")
    body = "".join(part.text * part.times for part in parts).encode()
    if given.invalid_utf8 or (isinstance(given.body, _Body) and given.body.invalid_utf8):
        body += b"\xff"
    return stored(given.tool_call_id, body, complete=not given.legacy)


class _Part(msgspec.Struct, frozen=True):
    text: str
    times: Annotated[int, msgspec.Meta(ge=0)] = 1


class _Body(msgspec.Struct, frozen=True):
    parts: tuple[_Part, ...] = ()
    invalid_utf8: bool = False


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    tool_call_id: str
    body: str | _Body = ""
    legacy: bool = False
    invalid_utf8: bool = False


def _parts(body: str | _Body) -> tuple[_Part, ...]:
    return (_Part(body),) if isinstance(body, str) else body.parts


def page_request(arguments: Mapping[str, Any]) -> PageRequest | None:
    """Read the arguments of a call; None where one has the wrong type."""
    given = {
        name: value.strip() if isinstance(value, str) else value
        for name, value in arguments.items()
        if value is not None
    }
    try:
        return msgspec.convert(given, PageRequest)
    except msgspec.ValidationError:
        return None


def page_refusals(
    arguments: Mapping[str, Any], results: Sequence[StoredResult] | None
) -> Iterator[Refusal]:
    """Yield why there is no page; `results` are oldest first, None without a session reader."""
    if results is None:
        yield refuse("page.no_session", "this agent has no session whose results can be read")
    asked = page_request(arguments)
    if asked is None:
        yield refuse("proxy.args", "tool_call_id and result_ref are texts, offset and limit counts")
        return
    if asked.tool_call_id.startswith(SUBAGENT_PREFIX) or asked.result_ref.startswith(
        SUBAGENT_PREFIX
    ):
        yield refuse(
            "page.sa", "that is the reference of a sub-agent; use read_subagent_result for it"
        )
    if not asked.tool_call_id.strip():
        yield refuse("page.id_missing", "tool_call_id is required")
    if asked.offset < 0:
        yield refuse("page.offset_neg", f"offset counts bytes from 0, found {asked.offset}")
    if asked.limit and not 1 <= asked.limit <= HIGHEST_LIMIT:
        yield refuse("page.limit", f"limit must be 1 to {HIGHEST_LIMIT} bytes, found {asked.limit}")
    yield from _choice_refusals(asked, results or ())
    chosen = choose(asked, results or ())
    if chosen is not None:
        yield from _body_refusals(asked, chosen)


def _choice_refusals(asked: PageRequest, results: Sequence[StoredResult]) -> Iterator[Refusal]:
    """Yield what keeps the result that is meant from being found."""
    call_id = asked.tool_call_id
    named = [result for result in results if result.call_id == call_id]
    if not named:
        yield refuse("page.notfound", f"this session has no result of the call {call_id}")
    elif asked.result_ref:
        if all(result.ref != asked.result_ref for result in named):
            yield refuse(
                "page.ref_mismatch", f"no result of the call {call_id} has {asked.result_ref}"
            )
    elif len(named) > 1:
        refs = list(dict.fromkeys(result.ref for result in reversed(named)))
        yield refuse(
            "page.ambiguous",
            f"the call {call_id} has {len(named)} results; give a result_ref, newest first: "
            f"{', '.join(refs)}",
            state_after={"refs": refs},
        )
    elif named[0].marked:
        yield refuse("page.ref_needed", "that result was cut; give the result_ref of its marker")


def choose(asked: PageRequest, results: Sequence[StoredResult]) -> StoredResult | None:
    """Return the newest result that the request can mean."""
    found = [
        result
        for result in results
        if result.call_id == asked.tool_call_id and asked.result_ref in ("", result.ref)
    ]
    return found[-1] if found else None


def _body_refusals(asked: PageRequest, chosen: StoredResult) -> Iterator[Refusal]:
    """Yield what keeps the page from being cut out of the result."""
    body = chosen.body
    if body is None:
        yield refuse(
            "page.legacy", "no complete copy of that result exists; run the tool again, narrower"
        )
        return
    if not _is_text(body):
        yield refuse("page.utf8", "that result is not valid UTF-8")
    offset, size = asked.offset, len(body)
    if offset > size:
        yield refuse("page.offset_range", f"offset {offset} lies beyond the end of {size} bytes")
    if inside_character(body, offset):
        yield refuse("page.offset_rune", f"offset {offset} lies inside a character")
    elif offset < size and not cut(body[offset:], _limit(asked)):
        yield refuse("page.limit_rune", "limit is too small for the character there; raise it")


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _limit(asked: PageRequest) -> int:
    return asked.limit or DEFAULT_LIMIT


def page_of(asked: PageRequest, chosen: StoredResult) -> Page:
    """Return the page of a result that nothing keeps from being read."""
    body = chosen.body or b""
    data = cut(body[asked.offset :], _limit(asked))
    after = asked.offset + len(data)
    header = {
        "result_ref": chosen.ref,
        "offset": asked.offset,
        "next_offset": after,
        "total_bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
        "complete": after == len(body),
    }
    return Page(header=header, data=data)
