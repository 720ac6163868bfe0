"""A model that says what a file tells it: for tests, demonstrations, and runs without a provider.

A script is YAML or JSON::

    answers:
      - text: I look first.
        calls:
          - {tool: read_file, args: {path: hello.py}}
          - {tool: bash, raw: '{"command": '}     # the text of arguments as it comes
      - text: Done.

Answers are given in order, whatever is asked. `finish` says why an answer stopped, where neither
its calls nor its text tell it, `tokens` what it cost, and `error` makes the model fail there. A
call that starts children has their answers as `children`, a list of answers for each.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from reasonix_runtime.agents.errors import ModelError, ScriptEndError
from reasonix_runtime.agents.model import Answer, Call, Finish, Request, Wanted
from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.value_file import ValueFileError
from reasonix_runtime.whole_files import read_whole


class ScriptedCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A call of a script: its arguments as a value, or as the `raw` text.

    `children` are the answers of the children that it starts, in the order of its items.
    """

    tool: str
    args: Any = msgspec.UNSET
    raw: str | None = None
    id: str | None = None
    children: tuple[tuple[ScriptedAnswer, ...], ...] = ()

    def __post_init__(self) -> None:
        """Refuse two forms of the arguments."""
        if self.raw is not None and self.args is not msgspec.UNSET:
            raise ValueError("a call has `args` or `raw`, not both")

    @property
    def arguments(self) -> str:
        """The text of its arguments; without any it is empty."""
        if self.raw is not None:
            return self.raw
        return "" if self.args is msgspec.UNSET else json.dumps(self.args, ensure_ascii=False)


class ScriptedAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An answer of a script; `error` is what the model fails with in its place."""

    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    finish: Finish | None = None
    error: str | None = None
    tokens: int = 0


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a model is to say, in order."""

    answers: tuple[ScriptedAnswer, ...]


def load_script(path: Path) -> Script:
    """Read a script; raises ValueFileError, with the line where that is known."""
    try:
        data = read_whole(path)
    except OSError as error:
        raise ValueFileError(str(path), None, error.strerror or str(error)) from None
    document = yaml12.load(data, str(path))
    try:
        return msgspec.convert(document.value, Script)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        line = document.line(_steps(where.rstrip("`")))
        raise ValueFileError(str(path), line, f"no script: {what}{_place(where)}") from None


def _steps(where: str) -> list[str | int]:
    """Return the steps of a place such as `.answers[0].calls`."""
    parts = where.replace("[", ".").replace("]", "").split(".")
    return [int(part) if part.isdigit() else part for part in parts if part]


def _place(where: str) -> str:
    inside = where.rstrip("`").lstrip(".")
    return f" at {inside}" if inside else ""


class ScriptedModel:
    """Gives the answers of a script; it does not look at what it is asked."""

    def __init__(self, script: Script, *, name: str = "script") -> None:
        self.name = name
        self._answers = script.answers
        self._given = 0
        self._calls = 0
        self._children: dict[str, tuple[tuple[ScriptedAnswer, ...], ...]] = {}

    @property
    def left(self) -> int:
        """How many answers were not asked for."""
        return len(self._answers) - self._given

    def for_child(self, wanted: Wanted) -> ScriptedModel:
        """Return the script of a child; raises ModelError where the call has none for it."""
        told = self._children.get(wanted.call_id, ())
        if wanted.number >= len(told):
            raise ScriptEndError(
                f"the script has no answers for child {wanted.number + 1} of call {wanted.call_id}"
            )
        return ScriptedModel(Script(answers=told[wanted.number]), name=wanted.name or self.name)

    def answer(self, _request: Request) -> Answer:
        """Return the next answer; raises ModelError where the script says so or ends."""
        if not self.left:
            raise ScriptEndError(f"the script ends after {len(self._answers)} answers")
        scripted = self._answers[self._given]
        self._given += 1
        if scripted.error is not None:
            raise ModelError(scripted.error)
        calls = tuple(self._call(call) for call in scripted.calls)
        usual = Finish.CALLS if calls else Finish.STOP
        return Answer(
            text=scripted.text,
            calls=calls,
            finish=scripted.finish or usual,
            tokens=scripted.tokens,
        )

    def _call(self, call: ScriptedCall) -> Call:
        self._calls += 1
        name = call.id or f"call_{self._calls}"
        self._children[name] = call.children
        return Call(id=name, name=call.tool, arguments=call.arguments)
