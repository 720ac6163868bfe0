"""Recorded verdict files: reading, comparing, reporting."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from places import RECORDED, shut

from reasonix_conformance.commands import verdicts as command
from reasonix_conformance.verdicts import KINDS
from reasonix_conformance.verdicts.agreement import (
    SCHEMA,
    Agreement,
    Disagreement,
    KindCount,
    assess,
)
from reasonix_conformance.verdicts.records import (
    InvalidInputError,
    VerdictFileError,
    find_files,
    read,
)
from reasonix_runtime.gates.policy import CLASSIC, Policy


def _line(**changes: object) -> str:
    line: dict[str, object] = {
        "id": "x-1",
        "kind": "command_match",
        "in": {"claimed": "pytest", "ran": "pytest"},
        "out": {"accept": True},
    }
    return json.dumps({**line, **changes})


def _file(folder: Path, *lines: str) -> Path:
    path = folder / "some.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _run(*arguments: str) -> tuple[int, str, str]:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    args = parser.parse_args(["verdicts", *arguments])
    out, err = io.StringIO(), io.StringIO()
    return args.run(args, out=out, err=err), out.getvalue(), err.getvalue()


def test_a_line_that_agrees_is_counted_in_accept_and_in_out(tmp_path: Path) -> None:
    """Both shares are asked for, kind by kind."""
    count = assess([_file(tmp_path, _line())], rules="classic").kinds["command_match"]

    assert (1, 1, 1) == (count.lines, count.accept, count.out)


def test_a_line_that_differs_names_its_place_and_both_verdicts(tmp_path: Path) -> None:
    """Whoever mends a disagreement needs the line and what was computed."""
    path = _file(tmp_path, _line(), "", _line(id="x-2", out={"accept": False}))

    found = assess([path], rules="classic").disagreements

    assert [(str(path), 3, "x-2", {"accept": False}, {"accept": True})] == [
        (item.file, item.line, item.id, item.expected, item.actual) for item in found
    ]


@pytest.mark.parametrize(
    ("recorded", "computed"),
    [
        ({"reason": "b"}, {"reason": "a"}),
        ({"reason": "b"}, {}),
        ({}, {"reason": "a"}),
        ({"manual": True}, {"manual": 1}),
        ({"missing": [{"n": 0}]}, {"missing": [{"n": False}]}),
    ],
)
def test_accept_can_agree_while_the_whole_out_does_not(
    recorded: dict[str, Any], computed: dict[str, Any], tmp_path: Path
) -> None:
    """The two shares have thresholds of their own; true is not 1 in either."""

    def half(_data: Mapping[str, Any], _policy: Policy) -> dict[str, Any]:
        return {"accept": False, **computed}

    path = _file(tmp_path, _line(kind="k", out={"accept": False, **recorded}))

    agreement = assess([path], rules="classic", kinds={"k": half})

    assert (1, 0) == (agreement.kinds["k"].accept, agreement.kinds["k"].out)
    assert [*(recorded or computed)] == agreement.disagreements[0].differing()


def test_null_and_absent_say_the_same(tmp_path: Path) -> None:
    """Hosts that write `reason: null` and hosts that leave it out record the same verdict."""
    path = _file(tmp_path, _line(out={"accept": True, "reason": None}))

    assert 1 == assess([path], rules="classic").kinds["command_match"].out


def _empty_as_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: member if key in {"args", "reports"} else _empty_as_null(member) or None
            for key, member in value.items()
        }
    return [_empty_as_null(member) for member in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.jsonl")), ids=lambda path: path.stem)
def test_what_is_empty_may_be_null(path: Path) -> None:
    """Some languages write a list without members so, and a call without children."""
    judged = [record for _, record in read(path) if record.kind in KINDS][::7]

    answers = [KINDS[one.kind](one.data, CLASSIC) for one in judged]

    assert answers == [KINDS[one.kind](_empty_as_null(one.data), CLASSIC) for one in judged]


def test_an_unstable_line_is_counted_apart(tmp_path: Path) -> None:
    """It is advisory: it neither agrees nor disagrees."""
    path = _file(tmp_path, _line(stable=False, out={"accept": False}))

    agreement = assess([path], rules="classic")

    assert ({}, {"command_match": 1}) == (agreement.kinds, agreement.unstable)


def test_a_kind_without_an_adapter_never_agrees(tmp_path: Path) -> None:
    """Unknown is never a pass."""
    path = _file(tmp_path, _line(kind="weather"))

    agreement = assess([path], rules="classic")

    assert ({"weather": 1}, 0) == (agreement.not_assessable, agreement.assessed)
    assert 3 == _run(str(path))[0]


def test_a_line_may_name_its_own_rule_set(tmp_path: Path) -> None:
    """A host that changed its rules can record both in one file."""
    prefixed = {"claimed": "pytest -q", "ran": "CI=1 pytest -q"}
    path = _file(tmp_path, _line(rules="contract", **{"in": prefixed}))

    assert 1 == assess([path], rules="classic").kinds["command_match"].accept


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not a recorded verdict"),
        ("[]", "not a recorded verdict"),
        ('{"id": ' + "[" * 9000 + "]" * 9000 + "}", "not a recorded verdict"),
        (_line(**{"in": {"claimed": [0]}}).replace("0", "[" * 9000 + "]" * 9000), "not a recorded"),
        # Whether that is too deep depends on the version of Python; it is no text in any.
        (_line(**{"in": {"claimed": [0]}}).replace("0", "[" * 600 + "]" * 600), "claimed|not a re"),
        (_line(id=3), "not a recorded verdict"),
        (_line(out={}), "out.accept must be true or false"),
        (_line(**{"in": {"claimed": 7}}), "claimed"),
        (_line(rules="clasic"), "did you mean 'classic'?"),
    ],
)
def test_a_bad_line_is_refused_with_its_place(tmp_path: Path, line: str, problem: str) -> None:
    """A line that is skipped in silence would look like agreement."""
    path = _file(tmp_path, _line(), line)

    with pytest.raises(VerdictFileError, match=problem) as caught:
        assess([path], rules="classic")

    assert str(caught.value).startswith(f"{path}:2: ")


WRONG = (None, 3, -1, 10**30, True, "x", [], [{}], [3], [[]], {}, {"a": 1})


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_an_input_of_any_shape_is_judged_or_refused(kind: str) -> None:
    """A line comes from a host that nobody here knows; a traceback names neither file nor line."""
    lines = (record for path in find_files([RECORDED]) for _, record in read(path))
    record = next(record for record in lines if record.kind == kind)
    broken = [{}, *(dict.fromkeys(record.data, wrong) for wrong in WRONG)]
    broken += [{**record.data, key: wrong} for key in record.data for wrong in WRONG]

    for data in broken:
        with contextlib.suppress(InvalidInputError):
            assert isinstance(KINDS[kind](data, CLASSIC), dict)


def test_invalid_utf_8_is_an_error_of_its_line(tmp_path: Path) -> None:
    """Bytes are never replaced by something that reads like data."""
    path = tmp_path / "bad.jsonl"
    path.write_bytes(_line().encode().replace(b"pytest", b"\xff"))

    with pytest.raises(VerdictFileError, match=r"bad\.jsonl:1"):
        assess([path], rules="classic")


def test_a_folder_stands_for_the_files_below_it(tmp_path: Path) -> None:
    """In order, each once, whatever the file system says."""
    for name in ("b.jsonl", "a.jsonl", "notes.json"):
        (tmp_path / name).write_text(_line(), encoding="utf-8")

    found = find_files([tmp_path, tmp_path / "b.jsonl"])

    assert ["a.jsonl", "b.jsonl"] == [path.name for path in found]


def test_a_path_that_is_not_there_is_wrong_use(tmp_path: Path) -> None:
    """A misspelt path must not be a green run."""
    code, out, err = _run(str(tmp_path / "missing.jsonl"))

    assert (2, "") == (code, out)
    assert err.endswith(": no such file or folder\n")
    assert str(tmp_path / "missing.jsonl") in err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a named pipe")
def test_what_is_no_file_below_a_folder_is_refused(tmp_path: Path) -> None:
    """Whoever opens a pipe waits for a writer; a folder may be called as files are."""
    (tmp_path / "a.jsonl").mkdir()
    (tmp_path / "a.jsonl" / "b.jsonl").write_text(_line(), encoding="utf-8")
    assert [tmp_path / "a.jsonl" / "b.jsonl"] == find_files([tmp_path])

    os.mkfifo(tmp_path / "pipe.jsonl")
    with pytest.raises(VerdictFileError, match=r"pipe\.jsonl: neither a file nor a folder"):
        find_files([tmp_path])


def test_a_folder_that_cannot_be_walked_is_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts that nobody may read agreed with the rules."""
    (tmp_path / "a.jsonl").write_text(_line(), encoding="utf-8")
    closed = tmp_path / "closed"
    closed.mkdir()
    shut(closed, monkeypatch)

    code, _, err = _run(str(tmp_path))

    assert 2 == code
    assert f"{closed}: Permission denied" in err


def test_a_folder_without_verdicts_is_named_and_nothing_is_assessed(tmp_path: Path) -> None:
    """As `replay` has it of a folder without a trace, and beside a good file as well."""
    empty = tmp_path / "empty"
    empty.mkdir()
    told = f"{empty}: no recorded verdict file (*.jsonl) in this folder"

    code, out, err = _run(str(empty))
    assert 3 == code
    assert out.endswith("\nnothing could be assessed; this is not a pass\n")
    assert told in err

    code, _, err = _run(str(empty), str(_file(tmp_path, _line())))
    assert 0 == code
    assert told in err


def test_an_unknown_rule_set_is_wrong_use_and_named(tmp_path: Path) -> None:
    """The message offers the nearest name."""
    code, _, err = _run(str(_file(tmp_path, _line())), "--rules", "clasic")

    assert 2 == code
    assert "did you mean 'classic'?" in err


def test_the_json_form_has_the_promised_keys(tmp_path: Path) -> None:
    """It is read by machines."""
    path = _file(tmp_path, _line(), _line(id="x-2", out={"accept": False}), _line(kind="weather"))

    code, out, _ = _run(str(path), "--format", "json")

    assert 1 == code
    assert {
        "schema": SCHEMA,
        "rules": "classic",
        "kinds": {"command_match": {"lines": 2, "accept": 1, "out": 1}},
        "unstable": {},
        "not_assessable": {"weather": 1},
        "disagreements": [
            {
                "file": str(path),
                "line": 2,
                "id": "x-2",
                "kind": "command_match",
                "expected": {"accept": False},
                "actual": {"accept": True},
            }
        ],
    } == json.loads(out)


def _counts(lines: int, agree: int) -> KindCount:
    return KindCount(lines=lines, accept=agree, out=agree)


def _differing(number: int) -> Disagreement:
    return Disagreement(
        file="v.jsonl",
        line=number,
        id="x",
        kind="k",
        expected={"accept": True, "reason": "é", "same": 1},
        actual={"accept": False, "same": 1, "more": {"b": 1, "a": 2}},
    )


DIFFERS = (
    "v.jsonl:3: k x disagrees",
    "  accept: recorded true",
    "          computed false",
    "  more: recorded null",
    '        computed {"a": 2, "b": 1}',
    '  reason: recorded "é"',
    "          computed null",
)
"""What is said of it."""


@pytest.mark.parametrize(
    ("agreement", "shown", "lines"),
    [
        (
            Agreement(rules="facts"),
            1,
            [
                "rules: facts",
                "",
                "kind   lines            accept         whole out",
                "",
                "nothing could be assessed; this is not a pass",
            ],
        ),
        (
            Agreement(
                rules="facts",
                kinds={"turn": _counts(3, 2), "k": _counts(10_001, 10_000)},
                unstable={"k": 1, "turn": 1},
                not_assessable={"task_intent": 7},
                disagreements=[_differing(3), _differing(4)],
            ),
            1,
            [
                "rules: facts",
                "",
                "kind          lines            accept         whole out",
                "k             10001   10000 (99.99 %)   10000 (99.99 %)",
                "turn              3       2 (66.66 %)       2 (66.66 %)",
                "task_intent       7  not assessable: no rule here recomputes it",
                "",
                "2 lines marked as not stable, not counted",
                "",
                *DIFFERS,
                "",
                "... and 1 more disagreement (--show N prints more of them)",
            ],
        ),
        (
            Agreement(rules="facts", kinds={"k": _counts(1, 0)}, disagreements=[_differing(3)]),
            1,
            [
                "rules: facts",
                "",
                "kind   lines            accept         whole out",
                "k          1        0 (0.00 %)        0 (0.00 %)",
                "",
                *DIFFERS,
            ],
        ),
    ],
)
def test_the_text_form_is_a_table_and_what_disagrees(
    agreement: Agreement, shown: int, lines: list[str]
) -> None:
    """A share is rounded down, and a run without lines says that it is no pass."""
    assert lines == command.as_text(agreement, shown=shown).removesuffix("\n").split("\n")


def test_the_text_form_shows_the_first_disagreements_in_full(tmp_path: Path) -> None:
    """And says how many it left out."""
    lines = [_line(id=f"x-{n}", out={"accept": False}) for n in range(3)]

    _, out, _ = _run(str(_file(tmp_path, *lines)), "--show", "2")

    assert 2 == out.count("disagrees")
    assert "accept: recorded false" in out
    assert "and 1 more" in out


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_disagreement_shows_is_masked(form: str, tmp_path: Path) -> None:
    """A host's own line may hold a command with a key in it."""
    command = "curl -H 'Authorization: Bearer abcdef1234567890' /home/dev/x"
    path = _file(tmp_path, _line(out={"accept": False, "command": command}))

    _, out, _ = _run(str(path), "--format", form)

    assert "Authorization: Bearer" in out
    assert "abcdef1234567890" not in out
    assert "/home/dev" not in out


@pytest.mark.parametrize(
    ("again", "told"),
    [
        ("", "a.jsonl:3: an earlier line has this id; ids are to be unique"),
        (
            _line(id="x-2"),
            "a.jsonl:3: an earlier line has this id and 1 more; ids are to be unique",
        ),
    ],
)
def test_what_is_odd_about_the_files_is_told_beside_the_result(
    again: str, told: str, tmp_path: Path
) -> None:
    """A line that is there twice counts twice, and an empty file counts nothing."""
    (tmp_path / "a.jsonl").write_text(f"{_line()}\n{_line(id='x-2')}\n{_line()}\n")
    (tmp_path / "b.jsonl").write_text(f"{again or _line(id='x-3')}\n")
    (tmp_path / "c.jsonl").write_text("\n")

    code, _, err = _run(str(tmp_path))

    said = [line.removeprefix("reasonix-conformance verdicts: ") for line in err.splitlines()]
    assert 0 == code
    assert [f"{tmp_path}/c.jsonl: no line in this file", f"{tmp_path}/{told}"] == said


def test_a_device_is_no_file_of_verdicts() -> None:
    """It exists, so that it does not is no answer."""
    code, _, err = _run("/dev/null")

    assert 2 == code
    assert "/dev/null: neither a file nor a folder" in err


@pytest.mark.parametrize(
    ("lines", "said"),
    [(1, "1 line marked as not stable"), (2, "2 lines marked as not stable")],
)
def test_lines_that_are_not_stable_are_counted_in_words(
    lines: int, said: str, tmp_path: Path
) -> None:
    """One line is no plural."""
    path = _file(tmp_path, *(_line(id=f"x-{n}", stable=False) for n in range(lines)))

    assert said in _run(str(path))[1]


@pytest.mark.parametrize(
    ("lines", "said"), [(2, "1 more disagreement ("), (3, "2 more disagreements (")]
)
def test_disagreements_that_are_hidden_are_counted_in_words(
    lines: int, said: str, tmp_path: Path
) -> None:
    """One is no plural either."""
    path = _file(tmp_path, *(_line(id=f"x-{n}", out={"accept": False}) for n in range(lines)))

    assert said in _run(str(path), "--show", "1")[1]
