"""Recorded lines written another way say the same, and a field that nobody reads is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import RECORDED

from reasonix_conformance.verdicts import KINDS
from reasonix_conformance.verdicts.agreement import Agreement, assess

Line = dict[str, Any]
LINES: list[Line] = [
    line
    for file in sorted(RECORDED.glob("*.jsonl"))
    for line in map(json.loads, file.read_bytes().splitlines())
]
SAMPLES = st.lists(
    st.sampled_from(LINES), min_size=1, max_size=12, unique_by=lambda line: line["id"]
)


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(member) for key, member in reversed(value.items())}
    return [_turned(member) for member in value] if isinstance(value, list) else value


def _each(write: Callable[[Line], str]) -> Callable[[list[Line], Random], list[str]]:
    return lambda lines, _: list(map(write, lines))


def _shuffled(lines: list[Line], chance: Random) -> list[str]:
    told = list(map(json.dumps, lines))
    chance.shuffle(told)
    return told


WAYS: dict[str, Callable[[list[Line], Random], list[str]]] = {
    "compact": _each(lambda line: json.dumps(line, separators=(",", ":"))),
    "wide": _each(lambda line: f"  {json.dumps(line, separators=(' , ', ' : '))}\t\r"),
    "sorted": _each(lambda line: json.dumps(line, sort_keys=True)),
    "turned": _each(lambda line: json.dumps(_turned(line))),
    "letters": _each(lambda line: json.dumps(line, ensure_ascii=False)),
    "blank lines": _each(lambda line: f"\n{json.dumps(line)}\n \n"),
    "shuffled": _shuffled,
    "more beside": _each(lambda line: json.dumps({**line, "brand_new": [1]})),
}


def _judged(folder: Path, lines: list[str], rules: str) -> Agreement:
    file = folder / "some.jsonl"
    file.write_bytes("".join(f"{line}\n" for line in lines).encode(errors="surrogatepass"))
    return assess([file], rules=rules)


def _said(agreement: Agreement) -> tuple[Any, ...]:
    """Return all that came out, whatever order the lines have."""
    differing = sorted((one.id, json.dumps(one.actual)) for one in agreement.disagreements)
    counts = {kind: (n.lines, n.accept, n.out) for kind, n in agreement.kinds.items()}
    return counts, agreement.unstable, agreement.not_assessable, differing


def _holds(lines: list[Line], way: str, rules: str, chance: Random, folder: Path) -> None:
    plain = _judged(folder, list(map(json.dumps, lines)), rules)
    other = _judged(folder, WAYS[way](lines, chance), rules)

    assert _said(plain) == _said(other)
    assert [] == other.repeated


@pytest.mark.parametrize("way", sorted(WAYS))
@settings(max_examples=6)
@given(lines=SAMPLES, rules=st.sampled_from(["classic", "contract"]), chance=st.randoms())
def test_lines_say_the_same_in_other_letters(
    way: str,
    lines: list[Line],
    rules: str,
    chance: Random,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Blanks, the order of keys and of lines, and what stands beside a line mean nothing."""
    _holds(lines, way, rules, chance, tmp_path_factory.mktemp("lines"))


@pytest.mark.slow
@pytest.mark.parametrize("way", sorted(WAYS))
def test_all_lines_say_the_same_in_other_letters(way: str, tmp_path: Path) -> None:
    """The same of every recorded line."""
    _holds(LINES, way, "classic", Random(1), tmp_path)


@given(lines=SAMPLES)
@settings(max_examples=20)
def test_a_line_that_stands_twice_is_told(
    lines: list[Line], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """It counts twice, and agrees twice or not at all."""
    told = list(map(json.dumps, lines))
    once = _judged(tmp_path_factory.mktemp("once"), told, "classic")
    twice = _judged(tmp_path_factory.mktemp("twice"), told * 2, "classic")

    assert len(lines) == len(twice.repeated)
    assert {kind: 2 * count.out for kind, count in once.kinds.items()} == {
        kind: count.out for kind, count in twice.kinds.items()
    }


def _places(value: Any, at: str = "in") -> list[tuple[str, Line]]:
    """Return the objects of an `in` that a kind reads itself, with their places.

    The reports of a turn of `goal_advance` are none: they are what the model sent.
    """
    found = [(at, value)] if isinstance(value, dict) else []
    for key in ("calls", "history", "child", "turns", *(("reports",) if at == "in" else ())):
        for index, call in enumerate((value.get(key) if isinstance(value, dict) else None) or ()):
            found += _places(call, f"{at}.{key}[{index}]")
    return found


@given(line=st.sampled_from([one for one in LINES if one["kind"] in KINDS]), pick=st.integers(0, 9))
@settings(max_examples=60)
def test_a_field_that_is_not_read_is_told_with_its_place(
    line: Line, pick: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A misspelt one has its zero value, and the verdict is about something else."""
    line = json.loads(json.dumps(line | {"stable": True}))
    places = _places(line["in"])
    place, told = places[pick % len(places)]
    folder = tmp_path_factory.mktemp("line")
    before = _said(_judged(folder, [json.dumps(line)], "classic"))
    told["succes"] = True
    agreement = _judged(folder, [json.dumps(line)], "classic")

    assert [f"{folder / 'some.jsonl'}:1: {place}.succes"] == agreement.unread
    assert before == _said(agreement)
    assert any(f"{place}.succes is not read" in remark for remark in agreement.remarks())


def test_every_field_of_the_recorded_lines_is_read() -> None:
    """What hosts record and nobody asks for has a place in the record of its kind all the same."""
    assert [] == assess([RECORDED], rules="classic").unread
