"""Transcript files, format 1: what people write by hand to say what a host must decide.

YAML (1.2 scalars) or JSON; one transcript or a list of them. `transcript-1.schema.json` beside this
module is the format. A file is read whole or refused whole; every error names file, line and key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.plain import plain
from reasonix_runtime.trace import strict_json, yaml12
from reasonix_runtime.trace.transcript_keys import unknown_keys
from reasonix_runtime.trace.transcript_sizes import too_large
from reasonix_runtime.trace.value_file import ValueFile, ValueFileError
from reasonix_runtime.whole_files import read_whole

if TYPE_CHECKING:
    from reasonix_runtime.trace.explain import Problem

DEFAULT_RULES = "contract"
MOST_PROBLEMS = 20
"""How many problems of one file are reported at once."""


class TranscriptError(ReasonixError):
    """A file is no transcript; `problems` are its lines of text, each `file:line: key: what`."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(map(plain, problems)))
        self.problems = tuple(problems)


class Expectation(msgspec.Struct, frozen=True, kw_only=True):
    """What a verdict must be; `facts` are the further keys of `expect` that were written."""

    verdict: str
    reason: str | None = None
    reason_in: tuple[str, ...] = ()
    facts: Mapping[str, Any] = msgspec.field(default_factory=dict)


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call with its result; `ok` and `outcome` are None where nothing was written."""

    name: str
    args: Any = msgspec.field(default_factory=dict)
    id: str | None = None
    ok: bool | None = None
    outcome: str | None = None
    output: str | None = None
    exit_code: int | None = None
    read_only: bool | None = None
    batch: str | int | None = None
    plan_replacement: bool = False
    children: tuple[Call, ...] = ()
    target: Call | None = None
    expect: Expectation | None = None
    line: int = 0


class HostStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something the host did; `data` are the keys beside `host` and `expect`."""

    name: str
    data: Mapping[str, Any] = msgspec.field(default_factory=dict)
    expect: Expectation | None = None
    line: int = 0


class End(msgspec.Struct, frozen=True, kw_only=True):
    """The turn wants to finish; `attempts` is how often the model came with its final answer."""

    attempts: int = 1
    answer: str | None = None
    expect: Expectation | None = None
    line: int = 0


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One turn: the user's text, what happened in order, and the wish to finish, if it came."""

    user: str | None = None
    steps: tuple[Call | HostStep, ...] = ()
    end: End | None = None
    line: int = 0


class Unread(msgspec.Struct, frozen=True, kw_only=True):
    """A key where the format is open and that nobody reads: what is said of it, and its line."""

    text: str
    line: int


class Transcript(msgspec.Struct, frozen=True, kw_only=True):
    """One transcript of a file; `rules` are the rule sets under which its expectations hold."""

    id: str
    turns: tuple[Turn, ...]
    title: str = ""
    rule: str | None = None
    rules: tuple[str, ...] = (DEFAULT_RULES,)
    rules_given: bool = False
    confidence: str | None = None
    origin: str | None = None
    """The key `source` of the file: where the case comes from, in words."""
    setup: Mapping[str, Any] = msgspec.field(default_factory=dict)
    unread: tuple[Unread, ...] = ()
    path: str = ""
    line: int = 0

    def rules_for(self, asked: str | None) -> tuple[str, ...]:
        """Return the rule sets to judge it by: its own, where it names none what was asked for."""
        return (asked,) if asked and not self.rules_given else self.rules


def load(path: Path | str) -> list[Transcript]:
    """Read the transcripts of a file.

    Raises:
        TranscriptError: the file is no transcript file; all problems found, with their lines.
        OSError: the file cannot be read.
    """
    return loads(read_whole(Path(path)), str(path))


def loads(data: bytes | str, source: str = "<text>") -> list[Transcript]:
    """Read the transcripts of a text; `source` is what errors call it.

    Raises:
        TranscriptError: the text is no transcript; all problems found, with their lines.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    try:
        document = _parse(raw, source)
    except ValueFileError as error:
        raise TranscriptError([str(error)]) from None
    _validate(document)
    items = document.value if isinstance(document.value, list) else [document.value]
    _refuse_each(document, items, too_large)
    _refuse_twice(document, items)
    listed = isinstance(document.value, list)
    return [
        _transcript(item, document, (index,) if listed else ()) for index, item in enumerate(items)
    ]


def _parse(raw: bytes, source: str) -> ValueFile:
    """Read JSON as JSON and everything else as YAML; YAML's flow form may look like JSON."""
    if source.endswith(".json"):
        return strict_json.load(raw, source)
    if raw.lstrip()[:1] in (b"{", b"["):
        try:
            return strict_json.load(raw, source)
        except ValueFileError:
            return yaml12.load(raw, source)
    return yaml12.load(raw, source)


@cache
def schema() -> Mapping[str, Any]:
    """Return the schema of the format as it is shipped."""
    text = resources.files(__package__).joinpath("transcript-1.schema.json").read_text("utf-8")
    loaded: Mapping[str, Any] = json.loads(text)
    return loaded


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(dict(schema()))


def _validate(document: ValueFile) -> None:
    """Raise with every problem of the document; the common case costs one native check."""
    if _validator().is_valid(document.value):
        return
    from reasonix_runtime.trace.explain import Explainer

    _refuse(document, Explainer(schema()).problems(document.value))
    raise AssertionError(f"{document.source}: refused by the schema, but nothing explains it")


def _refuse_each(
    document: ValueFile,
    items: Sequence[Mapping[str, Any]],
    check: Callable[[Mapping[str, Any], tuple[int, ...]], Iterator[Problem]],
) -> None:
    """Raise with everything that `check` finds in the transcripts and no schema can say."""
    listed = isinstance(document.value, list)
    found = (
        problem
        for index, item in enumerate(items)
        for problem in check(item, (index,) if listed else ())
    )
    _refuse(document, found)


def _refuse(document: ValueFile, found: Iterable[Problem]) -> None:
    """Raise with these problems, each with its line; the rest of many is only announced."""
    problems: list[str] = []
    for problem in found:
        if len(problems) == MOST_PROBLEMS:
            problems.append(f"{document.source}: more problems follow")
            break
        line = document.line(problem.path)
        key = f"{_dotted(problem.path)}: " if problem.path else ""
        problems.append(f"{document.source}:{line}: {key}{problem.text}")
    if problems:
        raise TranscriptError(problems)


def _refuse_twice(document: ValueFile, items: Sequence[Mapping[str, Any]]) -> None:
    """Raise if two transcripts of one file have one id: it is part of a test's name."""
    seen: dict[str, int] = {}
    problems = []
    for index, item in enumerate(items):
        path = (index, "id") if isinstance(document.value, list) else ("id",)
        line = document.line(path)
        first = seen.get(item["id"])
        if first is not None:  # the same line, where all of them stand on one
            problems.append(
                f"{document.source}:{line}: {_dotted(path)}: {item['id']!r} is already the id "
                f"of the transcript at line {first}"
            )
        seen[item["id"]] = line if first is None else first
    if problems:
        raise TranscriptError(problems)


def _dotted(path: Sequence[str | int]) -> str:
    """Write a path as people do: `turns[0].events[2].call`."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def _transcript(item: Mapping[str, Any], document: ValueFile, path: tuple[int, ...]) -> Transcript:
    rules = item.get("rules", DEFAULT_RULES)
    keys = document.lines[id(item)]
    marks = document.lines[id(item["turns"])]
    return Transcript(
        id=item["id"],
        title=item.get("title", ""),
        rule=item.get("rule"),
        rules=(rules,) if isinstance(rules, str) else tuple(rules),
        rules_given="rules" in item,
        confidence=item.get("confidence"),
        origin=item.get("source"),
        setup=item.get("setup", {}),
        unread=tuple(
            Unread(
                text=f"{_dotted(problem.path)}: {problem.text}",
                line=document.line((*path, *problem.path)),
            )
            for problem in unknown_keys(item)
        ),
        turns=tuple(
            _turn(turn, line, document) for turn, line in zip(item["turns"], marks, strict=True)
        ),
        path=document.source,
        line=keys[0],
    )


def _turn(turn: Mapping[str, Any], line: int, document: ValueFile) -> Turn:
    events = turn.get("events", [])
    steps = tuple(_step(*pair, document) for pair in _with_lines(events, document))
    end = turn.get("end")
    return Turn(
        user=turn.get("user"),
        steps=steps,
        end=None
        if end is None
        else End(
            attempts=int(end.get("attempts", 1)),
            answer=end.get("answer"),
            expect=_expectation(end.get("expect")),
            line=document.lines[id(turn)][list(turn).index("end")],
        ),
        line=line,
    )


def _step(step: Mapping[str, Any], line: int, document: ValueFile) -> Call | HostStep:
    if "host" in step:
        data = {key: value for key, value in step.items() if key not in ("host", "expect")}
        expect = _expectation(step.get("expect"))
        return HostStep(name=step["host"], data=data, expect=expect, line=line)
    return _call(step, line, document)


def _call(step: Mapping[str, Any], line: int, document: ValueFile) -> Call:
    target = step.get("target")
    exit_code = step.get("exit_code")
    return Call(
        name=step["call"],
        args=step.get("args", {}),
        id=step.get("id"),
        ok=step.get("ok"),
        outcome=step.get("outcome"),
        output=step.get("output"),
        exit_code=None if exit_code is None else int(exit_code),
        read_only=step.get("read_only"),
        batch=step.get("batch"),
        plan_replacement=step.get("plan_replacement", False),
        children=tuple(
            _call(*pair, document) for pair in _with_lines(step.get("child", []), document)
        ),
        target=None if target is None else _call(target, line, document),
        expect=_expectation(step.get("expect")),
        line=line,
    )


def _with_lines(items: Sequence[Any], document: ValueFile) -> Iterator[tuple[Any, int]]:
    return zip(items, document.lines.get(id(items), ()), strict=True)


_SAID = ("verdict", "reason", "reason_in")


def _expectation(expect: Mapping[str, Any] | None) -> Expectation | None:
    if expect is None:
        return None
    return Expectation(
        verdict=expect["verdict"],
        reason=expect.get("reason"),
        reason_in=tuple(expect.get("reason_in", ())),
        facts={key: value for key, value in expect.items() if key not in _SAID},
    )
