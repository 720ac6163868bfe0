"""A result that was cut can be read whole, page by page."""

from __future__ import annotations

import hashlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.tools.support.pages import HIGHEST_LIMIT, PageError, StoredResult, read_page
from reasonix_runtime.tools.support.results import RESULT_LIMIT, bound

BODY = "a" * 20_000 + "汉" * 10_000


def stored(call_id: str = "c1", body: str = BODY) -> StoredResult:
    return StoredResult(
        call_id=call_id, visible=bound(body, tool="t", call_id=call_id).text, body=body
    )


def test_a_page_has_a_header_and_the_bytes() -> None:
    """Offsets count bytes, and the header says what is left."""
    result = stored()

    header, page = read_page([result], "c1", ref=result.ref or "").split("\n", 1)

    assert header == json.dumps(
        {
            "result_ref": result.ref,
            "offset": 0,
            "next_offset": 16384,
            "total_bytes": 50000,
            "sha256": hashlib.sha256(BODY.encode()).hexdigest(),
            "complete": False,
        },
        separators=(",", ":"),
    )
    assert page == "a" * 16384


@given(
    body=st.text(alphabet="a\né汉😀", max_size=60),
    limit=st.integers(4, 40),
)
def test_joined_pages_are_the_result(body: str, limit: int) -> None:
    """Byte for byte, with offsets that grow, and complete on the last page only."""
    data, offset = b"", 0
    while True:
        header, page = read_page([stored(body=body)], "c1", offset=offset, limit=limit).split(
            "\n", 1
        )
        told = json.loads(header)
        assert told["offset"] == offset
        data += page.encode()
        assert told["next_offset"] == len(data)
        if told["complete"]:
            break
        assert told["next_offset"] > offset
        offset = told["next_offset"]

    assert data == body.encode()
    assert hashlib.sha256(data).hexdigest() == told["sha256"]


def test_a_page_is_never_cut_again() -> None:
    """Header and page together stay below the bound of a result."""
    result = stored(body="汉" * 20_000)

    page = read_page([result], "c1", ref=result.ref or "", limit=HIGHEST_LIMIT)

    assert len(page.encode()) < RESULT_LIMIT


def test_the_end_is_an_empty_complete_page() -> None:
    """A reader that asks once too often is told so, not refused."""
    assert json.loads(read_page([stored(body="ab")], "c1", offset=2).split("\n")[0])["complete"]


SHORT = stored(body="é汉")
OLD = StoredResult(call_id="old", visible="[elided tool result — 9 bytes]", body=None)


@pytest.mark.parametrize(
    ("reason", "results", "arguments"),
    [
        ("page.sa", [SHORT], {"call_id": "sa_1", "offset": -1}),
        ("page.sa", [SHORT], {"call_id": "c1", "ref": "sa_1"}),
        ("page.id_missing", [SHORT], {"call_id": " ", "offset": -1}),
        ("page.offset_neg", [], {"call_id": "c1", "offset": -1, "limit": 99999}),
        ("page.limit", [], {"call_id": "c1", "limit": 24577}),
        ("page.limit", [], {"call_id": "c1", "limit": -1}),
        ("page.notfound", [SHORT], {"call_id": "c2", "ref": "tr-x"}),
        ("page.ref_mismatch", [SHORT], {"call_id": "c1", "ref": "tr-x"}),
        ("page.ambiguous", [SHORT, stored(body="x")], {"call_id": "c1"}),
        ("page.ref_needed", [stored()], {"call_id": "c1"}),
        ("page.legacy", [OLD], {"call_id": "old"}),
        ("page.utf8", [StoredResult(call_id="c1", visible="x", body="\ud800")], {"call_id": "c1"}),
        ("page.offset_range", [SHORT], {"call_id": "c1", "offset": 6}),
        ("page.offset_rune", [SHORT], {"call_id": "c1", "offset": 1}),
        ("page.limit_rune", [SHORT], {"call_id": "c1", "offset": 2, "limit": 2}),
    ],
)
def test_each_refusal_has_its_reason_in_the_order_of_checks(
    reason: str, results: list[StoredResult], arguments: dict[str, object]
) -> None:
    """There is no partial answer."""
    with pytest.raises(PageError) as caught:
        read_page(results, **arguments)  # type: ignore[arg-type]
    assert caught.value.reason == reason


def test_several_results_of_one_call_are_listed_newest_first() -> None:
    """The model can choose without guessing."""
    first, second = stored(body="1"), stored(body="2")
    with pytest.raises(PageError, match=f"newest first: {second.ref}, {first.ref}"):
        read_page([first, second], "c1")

    assert read_page([first, second], "c1", ref=first.ref or "").endswith("\n1")


def test_the_pages_of_a_live_result_are_its_body(bench: Bench) -> None:
    """From the call to the last byte."""
    bench.put("big", "汉字\n" * 12_000)
    result = bench.box.call("read_file", {"path": "big", "limit": 12_000}, call_id="c7")
    kept = StoredResult(call_id="c7", visible=result.text, body=result.body)

    joined, offset = "", 0
    while offset < len(result.body.encode()):
        header, page = read_page([kept], "c7", ref=result.ref or "", offset=offset).split("\n", 1)
        joined += page
        offset = json.loads(header)["next_offset"]

    assert joined == result.body
