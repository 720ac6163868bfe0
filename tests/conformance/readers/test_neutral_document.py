"""`docs/neutral-traces.md` tells every event and field, and its example is judged as it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from places import DOCS

from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace import events
from reasonix_runtime.trace.events import Event, Source, Truncated
from reasonix_runtime.trace.neutral import FORMAT

PAGE = (DOCS / "neutral-traces.md").read_text(encoding="utf-8")

KINDS = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
PARTS = {"src": Source, "truncated": Truncated}
COMMON = events._Event.__struct_fields__

WORDS = {
    msgspec.inspect.StrType: "text",
    msgspec.inspect.IntType: "integer",
    msgspec.inspect.BoolType: "boolean",
    msgspec.inspect.AnyType: "any JSON",
    msgspec.inspect.DictType: "object",
    msgspec.inspect.StructType: "object",
    msgspec.inspect.VarTupleType: "list of text",
}

LINKED = {
    tuple(sorted(get_args(events.Outcome))): "[outcome](#outcomes)",
    tuple(sorted(get_args(events.Basis))): "[basis](#bases)",
}
"""Choices that the page explains one by one."""


def word_of(kind: msgspec.inspect.Type) -> str:
    """Say a type as the page does; that null may stand there is told by the default."""
    if isinstance(kind, msgspec.inspect.UnionType):
        [kind] = [one for one in kind.types if not isinstance(one, msgspec.inspect.NoneType)]
    if isinstance(kind, msgspec.inspect.LiteralType):
        if kind.values in LINKED:
            return LINKED[kind.values]
        return "one of " + ", ".join(f"`{value}`" for value in kind.values)
    return WORDS[type(kind)]


def default_of(field: msgspec.inspect.Field) -> str:
    """Say a default as the page does."""
    if field.required:
        return "required"
    if field.default_factory is not msgspec.NODEFAULT:
        return f"`{json.dumps(field.default_factory())}`"
    return f"`{json.dumps(field.default)}`"


def fields_of(kind: type[msgspec.Struct], without: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """Return (name, type, default) of the fields of a struct, in its order."""
    told = msgspec.inspect.type_info(kind)
    assert isinstance(told, msgspec.inspect.StructType)
    return [
        (field.encode_name, word_of(field.type), default_of(field))
        for field in told.fields
        if field.name not in without
    ]


def section(heading: str) -> str:
    """Return what stands under a heading of the third level."""
    return re.split(r"^##", PAGE.partition(f"\n### {heading}\n")[2], flags=re.MULTILINE)[0]


def rows(text: str) -> list[tuple[str, ...]]:
    """Return the first three cells of the rows that begin with a name."""
    return re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| .+ \|$", text, re.MULTILINE)


def test_the_page_lists_every_kind_and_no_other() -> None:
    assert [f"`{tag}`" for tag in KINDS] == re.findall(r"^### (`[a-z.]+`)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("tag", KINDS)
def test_a_kind_has_the_fields_that_the_page_lists(tag: str) -> None:
    """Name, type and default of each, in the order of the code."""
    assert fields_of(KINDS[tag], COMMON) == rows(section(f"`{tag}`"))


def test_the_fields_of_all_events_and_of_their_parts_are_listed() -> None:
    assert fields_of(events._Event) == rows(section("Fields of every event"))
    for name, part in PARTS.items():
        assert fields_of(part) == rows(section(f"The object `{name}`"))


def test_outcomes_and_bases_are_explained_in_the_order_of_the_code() -> None:
    outcomes = re.findall(r"^\| `(\w+)` \|", section("Outcomes"), re.MULTILINE)[1:]
    bases = re.findall(r"^\| `(\w+)` \|", section("Bases"), re.MULTILINE)[1:]

    assert list(get_args(events.Outcome)) == outcomes
    assert list(events.BASES) == bases


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def replayed(path: Path, text: str, rules: str = "contract") -> Any:
    path.write_text(text, encoding="utf-8")
    [trace] = file_results(path, Options(rules=rules))
    return trace


def test_the_example_is_judged_as_the_page_says(tmp_path: Path) -> None:
    """The verdicts that the page lists, and no remark of the reader."""
    trace = replayed(tmp_path / "turn.jsonl", blocks("json")[0])
    said = re.findall(r"^\| `(turn-\S+)` \| (\w+) \| (\w+|–) \|$", PAGE, re.MULTILINE)

    assert (FORMAT, "greeting", ()) == (trace.format, trace.id, tuple(trace.diagnostics))
    assert said == [
        (one.name, one.verdict.decision.value, one.agreement.value if one.agreement else "–")
        for one in trace.verdicts
    ]


@pytest.mark.parametrize("told", ['"ok", "basis": "exit_code"', '"ok", "basis": "state"'])
def test_an_exit_status_is_stronger_than_the_outcome_beside_it(told: str, tmp_path: Path) -> None:
    """A completed state with a status that is not 0 is an error, whatever the trace concluded."""
    text = blocks("json")[0].replace('"ok", "basis": "exit_code"', told)
    failing = text.replace('"exit_code": 0', '"exit_code": 1')
    assert failing != text

    _, sign_off, end = replayed(tmp_path / "turn.jsonl", failing).verdicts

    assert "verification.command_failed" == sign_off.verdict.reason
    assert "finish.verification_missing" == end.verdict.reason


def test_without_the_run_the_turn_is_judged_as_the_page_says(tmp_path: Path) -> None:
    lines = blocks("json")[0].splitlines(keepends=True)
    left = [line for line in lines if '"main#3"' not in line]
    assert len(lines) - 2 == len(left)

    _, sign_off, end = replayed(tmp_path / "turn.jsonl", "".join(left)).verdicts

    assert ("verification.command_not_run", "host_lenient") == (
        sign_off.verdict.reason,
        sign_off.agreement,
    )
    assert "finish.verification_missing" == end.verdict.reason
    for name in (sign_off.verdict.reason, sign_off.agreement, end.verdict.reason):
        assert f"`{name}`" in section_of_example()


def section_of_example() -> str:
    """Return what the page says about its example."""
    return PAGE.partition("\n## A whole turn\n")[2].partition("\n## ")[0]


def test_without_a_basis_a_success_proves_nothing(tmp_path: Path) -> None:
    """What the page warns of: the same turn, whose results only say `ok`."""
    bare = re.sub(r', "basis": "\w+"', "", blocks("json")[0])

    sign_off = replayed(tmp_path / "turn.jsonl", bare).verdicts[1]

    assert "verification.inconclusive" == sign_off.verdict.reason


def test_lines_that_do_not_follow_are_told_as_the_page_says(tmp_path: Path) -> None:
    """Each line of the table, read on its own behind the start of a turn."""
    odd = PAGE.partition("\n## Lines that do not follow\n")[2]
    found = re.findall(r"^\| `(\{.*\}|\w+)` \| `(\w+)` \| (.+) \|$", odd, re.MULTILINE)
    assert len(found) >= 9
    for line, code, text in found:
        trace = replayed(tmp_path / "odd.jsonl", f'{{"ev": "turn.start", "turn": 1}}\n{line}\n')
        said = [(one.code, one.text) for one in trace.diagnostics]
        assert [(code, text)] == said, line


def test_a_trace_needs_no_session_line(tmp_path: Path) -> None:
    trace = replayed(tmp_path / "short.jsonl", '{"ev": "turn.start", "turn": 1}\n')

    assert ("short.jsonl", FORMAT) == (trace.id, trace.format)


def test_a_remark_says_where_its_line_stands(tmp_path: Path) -> None:
    """Whoever wrote the trace has to find it."""
    torn = '{"ev": "turn.start", "turn": 1}\n{"ev": "tool.result", "uid": "main#7"}\n'
    path = tmp_path / "odd.jsonl"

    assert [f"{path}:2"] == [one.where for one in replayed(path, torn).diagnostics]
