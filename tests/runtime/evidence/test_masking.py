"""Commands and paths in messages: masked, then cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.masking import shown


def test_the_cut_comes_after_the_mask() -> None:
    """Half a secret at the end of a line is a secret."""
    text = "x" * 70 + " API_KEY=" + "k" * 40

    assert "kk" not in shown(text)


@given(st.text(), st.integers(1, 100))
def test_a_shown_text_is_one_line_of_bounded_length(text: str, limit: int) -> None:
    """Messages are bounded whatever a command holds."""
    line = shown(text, limit)

    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
