"""A transcript that is written another way expects the same, and the same comes of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from forms import Signature, signature
from hypothesis import given, settings
from hypothesis import strategies as st
from places import TRANSCRIPTS

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.transcript import TranscriptError
from reasonix_runtime.trace.yaml12 import load

Item = dict[str, Any]


@cache
def _items() -> list[Item]:
    """Return the transcripts of the corpus as they are written, under ids of their own."""
    items: list[Item] = []
    for file in sorted(TRANSCRIPTS.glob("*.yaml")):
        value = load(file.read_bytes(), file.name).value
        items += value if isinstance(value, list) else [value]
    return [item | {"id": f"t{number}"} for number, item in enumerate(items)]


SAMPLES = st.deferred(
    lambda: st.lists(
        st.sampled_from(_items()), min_size=1, max_size=6, unique_by=lambda item: item["id"]
    )
)


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(member) for key, member in reversed(value.items())}
    return [_turned(member) for member in value] if isinstance(value, list) else value


def _in_letters(items: list[Item]) -> str:
    """Return JSON that is YAML, too: there no two escapes make one character."""
    return json.dumps(items, ensure_ascii=False, indent=1)


WAYS: dict[str, tuple[str, Callable[[list[Item]], str]]] = {
    "compact": ("json", lambda items: json.dumps(items, separators=(",", ":"))),
    "wide": ("json", lambda items: json.dumps(items, indent=4, separators=(" ,", " : "))),
    "turned": ("json", lambda items: json.dumps(_turned(items))),
    "letters": ("json", lambda items: json.dumps(items, ensure_ascii=False)),
    "in the flow of YAML": ("yaml", json.dumps),
    "one by one in YAML": ("yaml", lambda items: "".join(f"- {json.dumps(i)}\n\n" for i in items)),
    "with remarks": ("yaml", lambda items: f"# before\n{_in_letters(items)} # behind\n"),
    "by Windows": ("yaml", lambda items: json.dumps(items, indent=1).replace("\n", "\r\n")),
}


def _judged(kind: str, text: str) -> dict[str, Signature]:
    """Return what is said of each transcript, and whether it is what it expects."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"some.{kind}"
        file.write_bytes(text.encode())
        found = list(file_results(file, Options()))
    told: dict[str, Signature] = {}
    for one in found:
        held: list[Any] = [verdict.held for verdict in one.verdicts]
        told.setdefault(one.id, []).extend([*signature([one]), (tuple(held),)])
    return told


@pytest.mark.parametrize("way", sorted(WAYS))
@settings(max_examples=8)
@given(items=SAMPLES)
def test_transcripts_say_the_same_in_other_letters(way: str, items: list[Item]) -> None:
    """Blanks, the order of keys, remarks and the language mean nothing."""
    kind, write = WAYS[way]

    assert _judged("yaml", json.dumps(items, indent=2)) == _judged(kind, write(items))


@settings(max_examples=12)
@given(items=SAMPLES, chance=st.randoms())
def test_transcripts_of_one_file_do_not_know_each_other(items: list[Item], chance: Any) -> None:
    """Each is judged as it would be alone."""
    shuffled = list(items)
    chance.shuffle(shuffled)
    alone: dict[str, Signature] = {}
    for item in items:
        alone |= _judged("json", json.dumps([item]))

    assert alone == _judged("json", json.dumps(shuffled))


@settings(max_examples=12)
@given(items=SAMPLES)
def test_a_transcript_that_stands_twice_is_refused(items: list[Item]) -> None:
    """Its id is the name of a test."""
    with pytest.raises(TranscriptError, match=items[0]["id"]):
        _judged("json", json.dumps([*items, items[0]]))
