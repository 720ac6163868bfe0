"""The host's blocks around what a user typed are told apart from it."""

from __future__ import annotations

import pytest

from reasonix_conformance.readers.hosts.host_texts import cut_of, split_host_blocks


@pytest.mark.parametrize(
    ("text", "own", "blocks"),
    [
        ("own", "own", ()),
        ("<a-b>x</a-b>\n<c-d e=1>y</c-d> own ", "own", ("a-b", "c-d")),
        ("own\n<a-b>\nx\n</a-b>", "own", ("a-b",)),
        ("<a-b>x</a-b>own<c-d>\n</c-d><e-f>\n</e-f>", "own", ("a-b", "e-f", "c-d")),
        ("<a-b>x</a-b>", "", ("a-b",)),
        # An end on the line of its begin is the user's, as is a word without a dash.
        ("own <a-b>x</a-b>", "own <a-b>x</a-b>", ()),
        ("<p>\n</p>", "<p>\n</p>", ()),
        # No block begins in another one.
        ("<a-b>x</a-b>own\n</a-b>", "own\n</a-b>", ("a-b",)),
    ],
)
def test_blocks_are_taken_off_both_ends(text: str, own: str, blocks: tuple[str, ...]) -> None:
    """A prompt is what is left; nothing is left where only the host spoke."""
    assert (own, blocks) == split_host_blocks(text)


def test_many_blocks_are_taken_off() -> None:
    """A host may put a block before each of many messages that it hands over at once."""
    leading, trailing = "<a-b>x</a-b>\n" * 5000, "<c-d>\n</c-d>" * 5000

    assert ("own", ("a-b",) * 5000 + ("c-d",) * 5000) == split_host_blocks(
        f"{leading}own{trailing}"
    )


@pytest.mark.parametrize(
    "mark",
    [
        "…[truncated {} of 900 bytes…]",
        "…[truncated 100 of {} bytes…]",
        "…[truncated tool=bash result_ref=r1 original_bytes={} kept_bytes=8]",
        "…[truncated tool=bash result_ref=r1 original_bytes=9 kept_bytes={}]",
    ],
)
def test_a_size_that_no_text_has_is_none(mark: str) -> None:
    """The text was cut all the same; a number of thousands of digits ended in a traceback."""
    cut = cut_of(f"head\n{mark.format('9' * 5_000)}\ntail")

    assert cut is not None
    assert (None, None) == (cut.kept, cut.original)
