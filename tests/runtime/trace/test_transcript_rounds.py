"""What a transcript holds is still there once it was written and read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from places import TRANSCRIPTS
from transcript_writing import dump_yaml, save

from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.transcript import Call, HostStep, Transcript, Turn, load

FILES = sorted(TRANSCRIPTS.glob("*.yaml"))

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner, max_size=3)
    ),
)


def bare(transcript: Transcript) -> Transcript:
    """Return a transcript without its place in a file."""

    def step(one: Call | HostStep) -> Call | HostStep:
        if isinstance(one, HostStep):
            return replace(one, line=0)
        return replace(
            one,
            line=0,
            children=tuple(step(child) for child in one.children),  # type: ignore[misc]  # calls have calls
            target=None if one.target is None else replace(one.target, line=0),
        )

    def turn(one: Turn) -> Turn:
        end = None if one.end is None else replace(one.end, line=0)
        return replace(one, line=0, end=end, steps=tuple(step(each) for each in one.steps))

    turns = tuple(turn(one) for one in transcript.turns)
    return replace(transcript, path="", line=0, turns=turns)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("ending", [".yaml", ".json"])
def test_the_corpus_survives_a_round(path: Path, ending: str, tmp_path: Path) -> None:
    """A format that cannot be written back is not understood."""
    read = load(path)
    file = tmp_path / f"again{ending}"

    save(file, read)

    assert [bare(one) for one in read] == [bare(one) for one in load(file)]


@given(JSON)
def test_any_value_is_read_back_as_it_is(value: Any) -> None:
    """`1e3`, `0o7`, `no`, dates and line separators must stay texts, also for YAML 1.1."""
    text = dump_yaml({"a": value})

    assert {"a": value} == yaml12.load(text.encode(), "f").value


@pytest.mark.parametrize(
    "word", ["1e3", "0o17", "no", "2024-01-02", "~", "", "12", ".inf", "=", "a: b"]
)
def test_a_text_that_looks_like_a_value_stays_text_for_everybody(word: str) -> None:
    """People open these files with other tools."""
    text = dump_yaml([word])

    assert [word] == yaml12.load(text.encode(), "f").value == yaml.safe_load(text)
