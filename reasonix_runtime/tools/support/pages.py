"""Reading a result that was cut, page by page, until every byte of it was seen.

The answer is one line of compact JSON, a line feed, and the bytes of the page. Offsets count bytes
and always stand at a character.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.results import cut, result_ref

DEFAULT_LIMIT, HIGHEST_LIMIT = 16384, 24576

SUBAGENT_PREFIX = "sa_"

_REF_IN_MARKER = "result_ref="


class PageError(ToolError):
    """A page cannot be given; `reason` is the stable id of why."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResult:
    """One result of a session: what the model saw, and the complete text where it was kept."""

    call_id: str
    visible: str
    body: str | None

    @property
    def ref(self) -> str | None:
        """The reference of the complete text."""
        return None if self.body is None else result_ref(self.call_id, self.body)


def read_page(
    results: Sequence[StoredResult],
    call_id: str,
    *,
    ref: str = "",
    offset: int = 0,
    limit: int = 0,
) -> str:
    """Return the page of a result; `results` are those of the session, oldest first.

    A `limit` of 0 is the default. Raises PageError; the checks come in the order of the format.
    """
    if SUBAGENT_PREFIX in {call_id[:3], ref[:3]}:
        raise PageError(
            "page.sa", "that is the reference of a sub-agent; use read_subagent_result for it"
        )
    if not call_id.strip():
        raise PageError("page.id_missing", "tool_call_id is required")
    if offset < 0:
        raise PageError("page.offset_neg", f"offset counts bytes from 0, found {offset}")
    if limit and not 1 <= limit <= HIGHEST_LIMIT:
        raise PageError("page.limit", f"limit must be 1 to {HIGHEST_LIMIT} bytes, found {limit}")
    found = _choose(results, call_id, ref)
    return _page(found, offset, limit or DEFAULT_LIMIT)


def _choose(results: Sequence[StoredResult], call_id: str, ref: str) -> StoredResult:
    """Return the result that is meant and whose complete text is there."""
    named = [result for result in results if result.call_id == call_id]
    if not named:
        raise PageError("page.notfound", f"this session has no result of the call {call_id}")
    if ref:
        with_ref = [result for result in named if result.ref == ref]
        if not with_ref:
            raise PageError("page.ref_mismatch", f"no result of the call {call_id} has {ref}")
        return with_ref[-1]
    if len(named) > 1:
        refs = ", ".join(result.ref or "(no complete copy)" for result in reversed(named))
        raise PageError(
            "page.ambiguous",
            f"the call {call_id} has {len(named)} results; give a result_ref, newest first: {refs}",
        )
    if _REF_IN_MARKER in named[0].visible and named[0].visible != named[0].body:
        raise PageError("page.ref_needed", "that result was cut; give the result_ref of its marker")
    return named[0]


def _page(result: StoredResult, offset: int, limit: int) -> str:
    if result.body is None:
        raise PageError(
            "page.legacy", "no complete copy of that result exists; run the tool again, narrower"
        )
    try:
        data = result.body.encode()
    except UnicodeEncodeError:
        raise PageError("page.utf8", "that result is not valid UTF-8") from None
    if offset > len(data):
        raise PageError(
            "page.offset_range", f"offset {offset} lies behind the end of {len(data)} bytes"
        )
    if offset < len(data) and data[offset] & 0xC0 == 0x80:
        raise PageError("page.offset_rune", f"offset {offset} lies inside a character")
    page = cut(data[offset:], limit)
    if not page and offset < len(data):
        raise PageError("page.limit_rune", "limit is too small for the character there; raise it")
    after = offset + len(page)
    header = {
        "result_ref": result_ref(result.call_id, result.body),
        "offset": offset,
        "next_offset": after,
        "total_bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "complete": after == len(data),
    }
    return f"{json.dumps(header, separators=(',', ':'))}\n{page.decode()}"
