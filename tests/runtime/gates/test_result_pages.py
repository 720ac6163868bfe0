"""A result that was cut can be read whole, page by page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.result_text import RESULT_LIMIT, bound
from reasonix_runtime.gates.proxy.pages import (
    HIGHEST_LIMIT,
    Page,
    PageRequest,
    StoredResult,
    choose,
    page_of,
    page_refusals,
    page_request,
    stored,
)

BODY = "a" * 20_000 + "汉" * 10_000


def page(results: Sequence[StoredResult], **asked: Any) -> Page:
    """Return the page of a request that nothing speaks against."""
    assert [] == list(page_refusals(asked, results))
    request = PageRequest(**asked)
    chosen = choose(request, results)
    assert chosen is not None
    return page_of(request, chosen)


def test_a_page_has_a_header_and_the_bytes() -> None:
    """Offsets count bytes, and the header says what is left, in compact JSON."""
    result = stored("c1", BODY.encode())

    header, text = page([result], tool_call_id="c1", result_ref=result.ref).text.split("\n", 1)

    digest = hashlib.sha256(BODY.encode()).hexdigest()
    assert header == (
        f'{{"result_ref":"{result.ref}","offset":0,"next_offset":16384,"total_bytes":50000,'
        f'"sha256":"{digest}","complete":false}}'
    )
    assert text == "a" * 16384


@given(body=st.text(alphabet="a\né汉😀", max_size=60), limit=st.integers(4, 40))
def test_joined_pages_are_the_result(body: str, limit: int) -> None:
    """Byte for byte, with offsets that grow, and complete on the last page only."""
    data, offset = b"", 0
    while True:
        told = page([stored("c1", body.encode())], tool_call_id="c1", offset=offset, limit=limit)
        assert told.header["offset"] == offset
        data += told.data
        assert told.header["next_offset"] == len(data)
        if told.header["complete"]:
            break
        assert told.header["next_offset"] > offset
        offset = told.header["next_offset"]

    assert data == body.encode()
    assert hashlib.sha256(data).hexdigest() == told.header["sha256"]


def test_a_page_is_never_cut_again() -> None:
    """Header and page together stay below the bound of a result."""
    result = stored("c1", ("汉" * 20_000).encode())

    read = page([result], tool_call_id="c1", result_ref=result.ref, limit=HIGHEST_LIMIT)

    assert len(read.text.encode()) < RESULT_LIMIT


def test_the_reference_of_a_page_is_that_of_the_marker() -> None:
    """Whoever cut the result and whoever reads it have to mean the same one."""
    bounded = bound(BODY, tool="bash", call_id="c1")
    read = page([stored("c1", BODY.encode())], tool_call_id="c1", result_ref=bounded.ref)

    assert json.loads(read.text.split("\n")[0])["result_ref"] == bounded.ref
    assert f"result_ref={bounded.ref} " in bounded.text


def test_a_repeated_result_is_the_newest_one() -> None:
    """The same call may have answered the same twice, and that is one reference."""
    twice = [stored("c1", b"x"), stored("c1", b"x")]

    (refusal,) = page_refusals({"tool_call_id": "c1"}, twice)

    assert refusal.reason == "page.ambiguous"
    assert refusal.facts["state_after"] == {"refs": [twice[0].ref]}


@pytest.mark.parametrize(
    "arguments",
    [
        {"tool_call_id": 1},
        {"tool_call_id": "c1", "offset": "0"},
        {"tool_call_id": "c1", "limit": 1.5},
        {"tool_call_id": "c1", "result_ref": ["tr-1"]},
    ],
)
def test_an_argument_of_the_wrong_type_is_told_as_such(arguments: dict[str, Any]) -> None:
    """It is never taken for another value."""
    assert ["proxy.args"] == [found.reason for found in page_refusals(arguments, [])]


def test_a_page_is_that_of_the_call_that_is_named() -> None:
    """However it is written, and whatever came later; what is null is not given."""
    results = [stored("c1", b"one"), stored("c2", b"two")]

    found = page_request({"tool_call_id": " c1 ", "offset": None, "result_ref": None})

    assert found == PageRequest(tool_call_id="c1")
    assert [] == list(page_refusals({"tool_call_id": " c1 "}, results))
    assert results[0] == choose(found, results)
