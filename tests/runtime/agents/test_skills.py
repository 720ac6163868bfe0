"""Skills and profiles from files: what is read of them, and what an agent makes of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from child_bench import DONE, LOOK, WRITE, results, texts
from run_bench import Live, assert_circle, calls, says

from reasonix_runtime.agents.model import Request
from reasonix_runtime.agents.script import ScriptedAnswer
from reasonix_runtime.agents.skills import Skill, SkillError, read_skills
from reasonix_runtime.cli import main
from reasonix_runtime.trace.events import SubStart
from reasonix_runtime.trace.value_file import ValueFileError

Make = Callable[..., Live]

INLINE = Skill(name="deploy", description="Ships it.", body="Run make ship.")
APART = Skill(
    name="survey",
    description="Looks around.",
    body="You survey.",
    runs_apart=True,
    tools=("read_file", "grep", "write_file"),
    model="small",
    effort="low",
)
SKILLS = {skill.name: skill for skill in (INLINE, APART)}


def head(*lines: str, body: str = "Do it.") -> str:
    return "\n".join(["---", *lines, "---", "", body, ""])


def written(folder: Path, **files: str) -> Path:
    """Write skills: `NAME/SKILL.md`, and `NAME.md` for a name that ends in `_md`."""
    for name, text in files.items():
        file = folder / (f"{name[:-3]}.md" if name.endswith("_md") else f"{name}/SKILL.md")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return folder


def skill(tool: str, *answers: ScriptedAnswer, **args: Any) -> ScriptedAnswer:
    return says("", calls(tool, children=[answers] if answers else (), **args))


def test_skills_are_read_in_both_forms(tmp_path: Path) -> None:
    """Keys of other hosts are passed over; those of a sub-agent mean nothing without one."""
    told = read_skills(
        written(
            tmp_path,
            deploy=head(
                "description: Ships\n  it.", "license: MIT", "model: big", body="A\n---\nB"
            ),
            x_md=head(
                "name: survey",
                "description: Looks.",
                "runAs: subagent",
                "allowed-tools: read_file, grep",
                "model: small",
            ),
            other_md=head("description: Other.", "runAs: aside", "allowed-tools: [bash]"),
        )
    )

    assert told == {
        "deploy": Skill(name="deploy", description="Ships it.", body="A\n---\nB"),
        "other": Skill(name="other", description="Other.", body="Do it."),
        "survey": Skill(
            name="survey",
            description="Looks.",
            body="Do it.",
            runs_apart=True,
            tools=("read_file", "grep"),
            model="small",
        ),
    }


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a_md": "Do it."}, "a.md: a skill begins with a head of YAML between two lines of ---"),
        ({"a_md": head("name: a", "name: b")}, "a.md:3: "),
        ({"a_md": head("- x")}, "a.md: the head of a skill holds keys and values"),
        ({"a_md": head("name: b")}, "a.md: a skill has a description in its head, and a text"),
        ({"a_md": head("description: x", body="")}, "a.md: a skill has a description in its head"),
        ({"a_md": head("description: [x]")}, "a.md: description: expected a text, got ['x']"),
        ({"a_md": head("description: x", "name: -a")}, "a.md: '-a' is no name of a skill"),
        ({"review": head("description: x")}, "SKILL.md: review is a tool of the host"),
        (
            {"a_md": head("description: x", "runAs: subagent", "allowed-tools: 7")},
            "a.md: allowed-tools: expected names of tools, got 7",
        ),
        (
            {"a": head("description: x"), "b_md": head("description: x", "name: a")},
            "b.md: there is another skill 'a' in this folder",
        ),
    ],
)
def test_what_is_no_skill_is_told_by_its_file(
    files: dict[str, str], told: str, tmp_path: Path
) -> None:
    """A skill that is left out in silence is called, and missing."""
    with pytest.raises((SkillError, ValueFileError)) as failure:
        read_skills(written(tmp_path, **files))

    assert told in str(failure.value)


@pytest.mark.parametrize("tool", ["run_skill", "read_only_skill", "read_skill"])
def test_the_text_of_an_inline_skill_is_pinned(make_live: Make, tool: str) -> None:
    """With its arguments behind it; its name may come with decoration."""
    live = make_live(skill(tool, name="[skill] deploy", arguments=" now "), DONE, skills=SKILLS)
    live.turn()

    pin = '<skill-pin name="deploy">\nRun make ship.\n</skill-pin>\n\nArguments: now'
    assert [("ok", pin)] == [(one.outcome, one.text) for one in results(live)]


def test_a_sub_agent_skill_is_its_text_and_its_tools(
    make_live: Make, requests: list[Request]
) -> None:
    """The text is all that it is told before its task; a run of it may write."""
    live = make_live(
        skill("run_skill", LOOK, says("Seen."), name="survey", arguments="Look at a.py."),
        DONE,
        skills=SKILLS,
    )
    live.turn()

    assert ["Seen."] == texts(live)
    asked = requests[1]
    assert [("system", "You survey."), ("user", "Look at a.py.")] == [
        (message.role, message.text) for message in asked.messages[:2]
    ]
    assert ["grep", "read_file", "write_file"] == [entry.name for entry in asked.tools]
    assert ["run_skill"] == [event.kind for event in live.told(SubStart)]
    assert_circle(live)


def test_a_read_only_skill_writes_nothing_and_is_not_kept(
    make_live: Make, requests: list[Request]
) -> None:
    """Whatever its tools are."""
    live = make_live(
        skill("read_only_skill", WRITE, says("No."), name="survey", arguments="x"),
        DONE,
        skills=SKILLS,
    )
    live.turn()

    assert ["grep", "read_file"] == [entry.name for entry in requests[1].tools]
    assert not (live.root / "a.py").exists()
    assert [None] == [event.ref for event in live.told(SubStart)]


@pytest.mark.parametrize(
    ("tool", "args", "told"),
    [
        ("run_skill", {"name": "?!"}, "'?!' names no skill"),
        ("run_skill", {"name": "deplay"}, "there is no skill deplay (did you mean 'deploy'?); "),
        ("run_skill", {"name": "survey"}, "survey runs as a sub-agent: its whole task goes"),
        ("read_only_skill", {"name": "survey", "arguments": " "}, "survey runs as a sub-agent"),
        ("read_skill", {"name": "survey"}, "survey runs as a sub-agent: execute it with run_skill"),
        (
            "run_skill",
            {"name": "deploy", "continue_from": "sa_x"},
            "deploy is inline: there is no run to carry on with",
        ),
        (
            "run_skill",
            {"name": "survey", "continue_from": "sa_x", "fork_from": "sa_y"},
            "continue_from and fork_from exclude each other",
        ),
    ],
)
def test_a_call_that_means_no_skill_is_told_why(
    make_live: Make, tool: str, args: dict[str, str], told: str
) -> None:
    """And starts nothing."""
    live = make_live(skill(tool, **args), DONE, skills=SKILLS)
    live.turn()

    (result,) = results(live)
    assert result.text.startswith(f"error: {told}")
    assert [] == live.told(SubStart)


def test_a_skill_is_called_as_a_capability(make_live: Make) -> None:
    """The proxy lists it, and fills its name in."""
    listed = calls("use_capability", action="list")
    called = calls(
        "use_capability",
        action="call",
        capability_id="skill:deploy",
        arguments={"arguments": "now"},
    )
    live = make_live(says("", listed, called), DONE, skills=SKILLS)
    live.turn()

    first, second = results(live)
    assert '"skill:deploy"' in first.text
    assert second.text.startswith('<skill-pin name="deploy">')
    assert_circle(live)


def test_the_agent_is_told_of_skills_only_where_there_are_any(make_live: Make) -> None:
    """By name and description; their texts come when they are called."""
    plain, skilled = make_live(DONE), make_live(DONE, skills=SKILLS)
    plain.turn()
    skilled.turn()

    (without, told) = (one.model.requests[0].messages[0].text for one in (plain, skilled))
    assert "skill:" not in without
    assert "- `deploy` (inline): Ships it.\n- `survey` (sub-agent): Looks around." in told
    assert "make ship" not in told


@pytest.mark.parametrize(
    ("asked", "tools"),
    [
        ({}, ["grep", "read_file", "write_file"]),
        ({"tools": ["read_file", "bash"]}, ["read_file"]),
    ],
)
def test_a_profile_is_a_sub_agent_skill_that_arguments_only_narrow(
    make_live: Make, requests: list[Request], asked: dict[str, Any], tools: list[str]
) -> None:
    """Its text is all that the child is told before its task."""
    live = make_live(
        skill("task", says("Seen."), prompt="Look.", profile="survey", **asked),
        DONE,
        skills=SKILLS,
    )
    live.turn()

    assert "You survey." == requests[1].messages[0].text
    assert tools == [entry.name for entry in requests[1].tools]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"profile": "deploy"}, "no sub-agent profile deploy"),
        ({"profile": "none"}, "no sub-agent profile none"),
        ({"profile": "survey", "tools": ["bash"]}, "no tool is left of the profile's"),
    ],
)
def test_a_profile_that_is_none_starts_nothing(
    make_live: Make, asked: dict[str, Any], told: str
) -> None:
    """An inline skill is no profile, and tools that are not its own are none."""
    live = make_live(skill("task", prompt="Look.", **asked), DONE, skills=SKILLS)
    live.turn()

    assert told in results(live)[0].text
    assert [] == live.told(SubStart)


def test_each_item_of_a_fleet_has_its_own_profile(make_live: Make, requests: list[Request]) -> None:
    """Also where several are registered."""
    other = Skill(name="other", description="x", body="You are other.", runs_apart=True)
    items = [
        {"prompt": "a", "profile": "survey", "read_only": True},
        {"prompt": "b", "profile": "other", "read_only": True},
    ]
    fleet = calls("fleet", children=[[says("one")], [says("two")]], tasks=items)
    live = make_live(says("", fleet), DONE, skills={**SKILLS, "other": other})
    live.turn()

    assert {"You survey.", "You are other."} == {
        request.messages[0].text for request in requests[1:3]
    }


def test_only_the_same_skill_is_carried_on_with(make_live: Make) -> None:
    """Another one has another text, and would answer for what it never said."""
    live = make_live(
        skill("run_skill", says("one"), name="survey", arguments="x"),
        DONE,
        skills={**SKILLS, "same": Skill(**{**_fields(APART), "name": "same"})},
    )
    live.turn()
    ref = live.told(SubStart)[0].ref
    live.model.more(skill("run_skill", name="same", arguments="y", continue_from=ref), DONE)
    live.turn()
    live.model.more(
        skill("run_skill", says("two"), name="survey", arguments="y", continue_from=ref), DONE
    )
    live.turn()

    _, refused, carried = results(live)
    assert refused.text.startswith(f"error: {ref} is another kind of run")
    assert ("ok", True) == (carried.outcome, "two" in carried.text)


def _fields(skill: Skill) -> dict[str, Any]:
    return {name: getattr(skill, name) for name in Skill.__slots__}


def test_a_run_has_the_skills_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--skills` reads it before anything runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "skills").mkdir()
    written(tmp_path / "skills", deploy=head("description: Ships it."))
    Path("s.yaml").write_text(
        "answers: [{calls: [{tool: read_skill, args: {name: deploy}}]}, {text: Done.}]"
    )

    assert 0 == main(["run", "x", "--script", "s.yaml", "--skills", "skills"])
    assert "> read_skill" in capsys.readouterr().err
    assert 2 == main(["run", "x", "--script", "s.yaml", "--skills", "none"])
    assert "none: No such file or directory" in capsys.readouterr().err
