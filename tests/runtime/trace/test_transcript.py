"""Transcript files: loading, errors, events (`trace/transcript.py`, `trace/explain.py`)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import TRANSCRIPTS

from reasonix_runtime.trace import strict_json, yaml12
from reasonix_runtime.trace.events import (
    Assistant,
    Host,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from reasonix_runtime.trace.explain import Explainer
from reasonix_runtime.trace.transcript import TranscriptError, load, loads, schema
from reasonix_runtime.trace.transcript_events import Place, Unfolded, unfold
from reasonix_runtime.trace.value_file import ValueFileError

FILES = sorted(TRANSCRIPTS.glob("*.yaml"))
ORACLE = jsonschema.Draft202012Validator(schema())


def one(text: str) -> Unfolded:
    (transcript,) = loads(text, "t.yaml")
    return unfold(transcript)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_corpus_loads_whole(path: Path) -> None:
    """The recorded cases are the format's own examples."""
    transcripts = load(path)

    assert len(yaml12.load(path.read_bytes(), "f").value) == len(transcripts)
    assert all(unfold(transcript).events for transcript in transcripts)


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        (
            "id: a\nturns:\n- events:\n  - call: bash\n    expct: {verdict: accept}\n",
            ["t.yaml:5: turns[0].events[0].expct: unknown key; did you mean 'expect'?"],
        ),
        (
            "id: a\nturns:\n- events:\n  - cal: bash\n",
            [
                "t.yaml:4: turns[0].events[0]: the key 'call' is missing",
                "t.yaml:4: turns[0].events[0].cal: unknown key; did you mean 'call'?",
            ],
        ),
        (
            "- id: a\n  turns: [{}]\n- id: a\n  turns: [{}]\n",
            ["t.yaml:3: [1].id: 'a' is already the id of the transcript at line 1"],
        ),
        (
            "[{id: a, turns: [{}]}, {id: a, turns: [{}]}]\n",
            ["t.yaml:1: [1].id: 'a' is already the id of the transcript at line 1"],
        ),
        (
            "id: a\nrules: clasic\nturns:\n- {}\n",
            [
                "t.yaml:2: rules: 'clasic' is not one of contract, classic, facts, ungated; "
                "did you mean 'classic'?"
            ],
        ),
        ("id: a\nid: b\nturns: [{}]\n", ["t.yaml:2: id: this key is given twice"]),
        ("id: a b\nturns: [{}]\n", ["t.yaml:1: id: 'a b' does not match"]),
        ("id: a\nturns: []\n", ["t.yaml:2: turns: the list is empty"]),
        ("id: a\n", ["t.yaml:1: the key 'turns' is missing"]),
        (
            "id: a\nrules: [classic, classic]\nturns: [{}]\n",
            ["t.yaml:2: rules: 'classic' is in the list twice"],
        ),
        (
            "id: a\nturns:\n- events:\n  - call: ''\n",
            ["t.yaml:4: turns[0].events[0].call: the text is empty"],
        ),
        ("[]", ["t.yaml:1: the list is empty"]),
        ("3", ["t.yaml:1: expected a mapping, got 3"]),
        ("- 3\n", ["t.yaml:1: [0]: expected a mapping, got 3"]),
        ("", ["t.yaml: the file is empty"]),
        (
            "id: a\nturns:\n- end: {attempts: 0, expect: {verdict: yes}}\n",
            [
                "t.yaml:3: turns[0].end.attempts: 0 is below 1",
                "t.yaml:3: turns[0].end.expect.verdict: 'yes' is not one of",
            ],
        ),
        (
            "id: a\nturns:\n- events:\n  - host: loop_gard\n",
            ["t.yaml:4: turns[0].events[0].host: 'loop_gard' is not one of"],
        ),
        (
            "id: a\nsetup: {tasks: [{contnt: x}]}\nturns: [{}]\n",
            [
                "t.yaml:2: setup.tasks[0]: the key 'content' is missing",
                "t.yaml:2: setup.tasks[0].contnt: unknown key; did you mean 'content'?",
            ],
        ),
    ],
)
def test_an_error_names_file_line_key_and_what_is_wrong(text: str, problems: list[str]) -> None:
    """People write these files by hand."""
    with pytest.raises(TranscriptError) as caught:
        loads(text, "t.yaml")

    assert len(problems) == len(caught.value.problems)
    for wanted, got in zip(problems, caught.value.problems, strict=True):
        assert got.startswith(wanted)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('[{"id": "a",\n"turns": [{"user": "\\ud800"}]}]', 2),
        ('[{"id": "a", "turns": [{}],\n"title": "x\\udc00"}]', 2),
        ('[{"id": "a", "turns": [{"events": [{"call": "x", "args": {"\\ud800": 1}}]}]}]', 1),
    ],
)
def test_half_a_surrogate_pair_is_an_error_of_its_line(text: str, line: int) -> None:
    """No file can hold it as it is, and judging it ended in a traceback."""
    with pytest.raises(TranscriptError, match=rf"t\.json:{line}: half of a surrogate pair"):
        loads(text, "t.json")
    with pytest.raises(TranscriptError, match=r"t\.yaml:\d"):
        loads(text, "t.yaml")


def test_both_halves_of_a_pair_are_one_character() -> None:
    """JSON has no other escape for it."""
    (found,) = loads('[{"id": "a", "title": "\\ud83d\\ude00", "turns": [{}]}]', "t.json")

    assert "\U0001f600" == found.title


def test_json_is_read_with_lines_and_without_duplicate_keys() -> None:
    """A transcript may be JSON; the standard parser would let the last of two keys win."""
    text = '[\n {"id": "a",\n  "turns": [{"user": "\\u4f60\\ud83d\\ude00"}]}\n]'

    (transcript,) = loads(text, "t.json")

    assert transcript.turns[0].user == "你😀"
    assert (2, 3) == (transcript.line, transcript.turns[0].line)
    with pytest.raises(TranscriptError, match=r"t\.json:2: id: this key is given twice"):
        loads('{"id": "a",\n"id": "b"}', "t.json")


@pytest.mark.parametrize(
    "text",
    ["{", '{"a"}', "[1,]", "nul", '"\n"', "NaN", "01", "1e999", "{} {}", "[" * 999, '"\\x"', "'a'"],
)
def test_json_that_is_none_is_refused(text: str) -> None:
    """Strict JSON: what other parsers forgive, a format must not."""
    with pytest.raises(ValueFileError):
        strict_json.load(text.encode(), "t.json")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text() | st.floats(-1e9, 1e9),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    ),
    st.sampled_from([None, 1, "\t"]),
)
def test_json_documents_equal_the_standard_parser(value: Any, indent: Any) -> None:
    """The reader that keeps lines must not read another value."""
    text = json.dumps(value, indent=indent)

    assert json.loads(text) == strict_json.load(text.encode(), "t").value


_EDITS = st.sampled_from(
    [None, True, 1, 1.5, -3, "", "x", "bash", [], {}, ["x"], {"call": "x"}, {"host": "set"}, [{}]]
)


@settings(max_examples=150)
@given(st.data())
def test_what_is_explained_is_what_the_judge_of_schemas_refuses(data: st.DataObject) -> None:
    """The fast validator, the explainer and jsonschema must agree on every file."""
    path = data.draw(st.sampled_from(FILES))
    items = _VALUES[path]
    value: Any = copy.deepcopy(items[data.draw(st.integers(0, len(items) - 1))])
    for _ in range(data.draw(st.integers(1, 3))):
        _edit(value, data)

    refused = not ORACLE.is_valid(value)
    explained = list(Explainer(schema()).problems(value))

    assert refused == bool(explained), explained


def _edit(value: Any, data: st.DataObject) -> None:
    """Change one place of a value: another value, a key gone, a key added."""
    here = value
    while isinstance(here, dict | list) and here:
        keys = list(here) if isinstance(here, dict) else list(range(len(here)))
        key = data.draw(st.sampled_from(keys))
        inner = here[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            action = data.draw(st.sampled_from(["set", "drop", "add"]))
            if action == "set":
                here[key] = copy.deepcopy(data.draw(_EDITS))
            elif action == "drop":
                del here[key]
            elif isinstance(here, dict):
                name = data.draw(st.sampled_from(["call", "host", "x", "expect", "ok"]))
                here[name] = copy.deepcopy(data.draw(_EDITS))
            return
        here = inner


_VALUES = {path: yaml12.load(path.read_bytes(), "f").value for path in FILES}


def test_a_batch_is_one_response_with_its_results_in_order() -> None:
    """Calls of one message know nothing of each other's results until they are judged."""
    unfolded = one(
        "id: a\nturns:\n- events:\n"
        "  - {call: ls, batch: 1}\n  - {call: bash, batch: 1, ok: false}\n  - {call: ls}\n"
    )
    kinds = [
        (type(event).__name__, getattr(event, "step", None) or getattr(event, "uid", None))
        for event in unfolded.events
        if isinstance(event, Assistant | ToolCall | ToolResult)
    ]

    assert [
        ("Assistant", "r1"),
        ("ToolCall", "r1"),
        ("ToolCall", "r1"),
        ("ToolResult", "main#1"),
        ("ToolResult", "main#2"),
        ("Assistant", "r2"),
        ("ToolCall", "r2"),
        ("ToolResult", "main#3"),
    ] == kinds


def test_a_child_runs_in_its_own_scope_before_its_parents_result() -> None:
    """What a sub-agent proved is merged when it ends, not when it starts."""
    unfolded = one(
        "id: a\nturns:\n- events:\n  - call: task\n    child:\n"
        "    - call: review\n      child: [{call: read_file, args: {path: x}}]\n    - call: bash\n"
    )
    seen = [
        f"{type(event).__name__} {event.scope}"
        if isinstance(event, SubStart | SubEnd)
        else event.uid
        for event in unfolded.events
        if isinstance(event, ToolCall | ToolResult | SubStart | SubEnd)
    ]

    assert [
        "main#1",
        "SubStart sub1",
        "sub1#1",
        "SubStart sub2",
        "sub2#1",
        "sub2#1",
        "SubEnd sub2",
        "sub1#1",
        "sub1#2",
        "sub1#2",
        "SubEnd sub1",
        "main#1",
    ] == seen


@pytest.mark.parametrize(
    ("keys", "outcome"),
    [
        ("", "ok"),
        ("ok: true", "ok"),
        ("ok: false", "error"),
        ("outcome: blocked", "blocked"),
        ("outcome: running", "running"),
        ("exit_code: 2", "error"),
        ("exit_code: 0", "ok"),
        ("expect: {verdict: accept}", "none"),
        ("expect: {verdict: accept}, ok: true", "ok"),
        ("expect: {verdict: accept}, outcome: error", "error"),
    ],
)
def test_only_a_judged_call_without_a_word_has_no_recorded_outcome(keys: str, outcome: str) -> None:
    """A recorded outcome moves the state; only where there is none the verdict does."""
    unfolded = one(f"id: a\nturns:\n- events:\n  - {{call: bash, {keys}}}\n")
    (result,) = [event for event in unfolded.events if isinstance(event, ToolResult)]

    assert outcome == result.outcome
    assert (result.text == "") == (outcome == "none")


@pytest.mark.parametrize(
    ("setup", "keys", "outcome"),
    [
        ("host: {}", "", "none"),
        ("host: {}", "ok: true", "ok"),
        ("host: {}", "ok: false", "error"),
        ("host: {}", "target: {call: grep}", "ok"),
        ("plan_mode: true", "", "ok"),
    ],
)
def test_what_comes_of_the_proxy_is_decided_in_the_world_that_is_told(
    setup: str, keys: str, outcome: str
) -> None:
    """A call that nothing is said of did not succeed where its server is switched off."""
    call = f"{{call: use_capability, {keys}}}"
    unfolded = one(f"id: a\nsetup: {{{setup}}}\nturns:\n- events:\n  - {call}\n")
    (result,) = [event for event in unfolded.events if isinstance(event, ToolResult)]

    assert outcome == result.outcome


def test_places_and_expectations_stand_where_they_were_written() -> None:
    """A verdict is named by turn and event."""
    unfolded = one(
        "id: a\nsetup: {profile: delivery}\nturns:\n- events:\n  - {call: ls}\n"
        "  - {host: loop_guard, expect: {verdict: reject}}\n"
        "  end: {answer: done, attempts: 2, expect: {verdict: accept, reason: a.b, missing: []}}\n"
        "- events: [{call: bash, target: {call: mcp__x, read_only: true}}]\n"
    )
    host, end, plain = (
        next(event for event in unfolded.events if isinstance(event, kind) and check(event))
        for kind, check in [
            (Host, lambda event: event.name == "loop_guard"),
            (TurnEnd, lambda event: event.judge),
            (TurnEnd, lambda event: not event.judge),
        ]
    )
    proxied = [event for event in unfolded.events if isinstance(event, ToolCall)][-1]

    assert {Place(1, 1), Place(1)} == set(unfolded.expectations)
    assert (Place(1, 1), Place(1)) == (unfolded.places[host.seq], unfolded.places[end.seq])
    assert ("done", 2, True) == (end.answer, end.attempts, end.judge)
    assert (2, "inferred") == (plain.turn, plain.by)
    assert ("mcp__x", True) == (proxied.resolved_name, proxied.resolved_read_only)
    assert {"missing": []} == dict(unfolded.expectations[Place(1)].facts)
    assert [1, 2] == [event.turn for event in unfolded.events if isinstance(event, TurnStart)]
