"""A script says what a model is to say, and what is wrong in it is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from reasonix_runtime.agents.errors import ModelError, ScriptEndError
from reasonix_runtime.agents.model import Answer, Call, Finish, Request, Wanted
from reasonix_runtime.agents.script import ScriptedModel, load_script
from reasonix_runtime.trace.value_file import ValueFileError

NOTHING = Request(messages=(), tools=())

SCRIPT = """\
answers:
  - text: I look.
    calls:
      - {tool: read_file, args: {path: a.py}}
      - {tool: bash, raw: '{"command": ', id: mine}
      - {tool: ls}
  - {text: Half, finish: cut}
  - error: gone
"""


def script(folder: Path, text: str, name: str = "s.yaml") -> ScriptedModel:
    """Load a script from its text."""
    file = folder / name
    file.write_text(text)
    return ScriptedModel(load_script(file))


def test_answers_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    """Arguments are JSON text, as they would be from a provider."""
    model = script(tmp_path, SCRIPT)

    assert model.answer(NOTHING) == Answer(
        text="I look.",
        calls=(
            Call(id="call_1", name="read_file", arguments='{"path": "a.py"}'),
            Call(id="mine", name="bash", arguments='{"command": '),
            Call(id="call_3", name="ls", arguments=""),
        ),
        finish=Finish.CALLS,
    )
    assert model.answer(NOTHING) == Answer(text="Half", finish=Finish.CUT)
    with pytest.raises(ModelError, match=r"^gone$"):
        model.answer(NOTHING)
    with pytest.raises(ScriptEndError, match="the script ends after 3 answers"):
        model.answer(NOTHING)


def test_a_script_may_be_json(tmp_path: Path) -> None:
    """It may be written by a program."""
    model = script(tmp_path, '{"answers": [{"text": "Hi."}]}', "s.json")

    assert model.answer(NOTHING) == Answer(text="Hi.", finish=Finish.STOP)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "answers:\n  - text: a\n  - txt: b\n",
            ":3: no script: Object contains unknown field `txt`",
        ),
        ("answers:\n  - text: 7\n", ":2: no script: Expected `str`, got `int` at answers[0].text"),
        ("answers:\n  - calls: [{}]\n", ":2: no script: Object missing required field `tool`"),
        (
            "answers:\n  - calls: [{tool: a, args: {}, raw: ''}]\n",
            ":2: no script: a call has `args` or `raw`, not both at answers[0].calls[0]",
        ),
        ("answers:\n  - finish: soon\n", ":2: no script: Invalid enum value 'soon'"),
        ("[]", ":1: no script: Expected `object`, got `array`"),
        ("answers: [", ":2: not YAML: while parsing a flow node"),
    ],
)
def test_a_broken_script_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    """It is written by hand, so it is mended by hand."""
    with pytest.raises(ValueFileError) as failure:
        script(tmp_path, text)

    assert str(failure.value).startswith(f"{tmp_path / 's.yaml'}{told}")


def test_a_script_that_is_not_there_is_told(tmp_path: Path) -> None:
    """By the name that was given."""
    with pytest.raises(ValueFileError, match=r"none\.yaml: No such file or directory"):
        load_script(tmp_path / "none.yaml")


def test_a_call_has_the_answers_of_its_children(tmp_path: Path) -> None:
    """In the order of its items; one that is missing fails when it is asked."""
    model = script(
        tmp_path,
        "answers: [{calls: [{tool: fleet, children: [[{text: one}], [{text: two}]]}]}]",
    )
    model.answer(NOTHING)

    second = model.for_child(Wanted(call_id="call_1", number=1, name="other"))
    assert ("two", "other") == (second.answer(NOTHING).text, second.name)
    with pytest.raises(ScriptEndError, match="no answers for child 3 of call call_1"):
        model.for_child(Wanted(call_id="call_1", number=2))
