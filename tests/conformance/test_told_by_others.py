"""What a command says of files that others wrote shows no secret of theirs and steers nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance.cli import main

KEY = "ghp_q7Rt2mXz9Lp4Kv8Bn3Wd6Ys1Hf5Jc0Ga"
EVIL = f"x\x1b]0;t\x07\u202e\n::error::forged {KEY}"

Files = Callable[[str, object], str]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """Write a file of the working folder and return its name."""
    monkeypatch.chdir(tmp_path)

    def write(name: str, content: object) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def dump(name: str = "bash", description: str = "Runs.", **schema: Any) -> list[dict[str, Any]]:
    """Return a dump of one tool."""
    tool = {"name": name, "description": description, "read_only": False}
    return [{**tool, "schema": {"type": "object", "properties": {}, **schema}}]


def document(cell: str) -> str:
    """Return a contract document of one row."""
    return f"| Tool | Read-only | Description |\n| --- | --- | --- |\n| `bash` | {cell} | Runs. |\n"


TRACE = '{"kind": "turn_started"}\n{"kind": "turn_done"}\n'
CHECK = ("contract", "check", "--document=d.md", "--snapshots=s", "--subject=t.json")

DIFF = ("contract", "diff", "t.json", "u.json")


@pytest.mark.parametrize(
    ("written", "argv"),
    [
        ({"t.json": dump(EVIL), "d.md": document("false")}, CHECK),
        ({"t.json": dump(description=EVIL), "d.md": document("false")}, CHECK),
        ({"t.json": dump(), "d.md": document(f"false {KEY}")}, CHECK),
        ({"t.json": dump(type=EVIL)}, ("contract", "lint", "--subject=t.json")),
        ({"t.json": dump(description=EVIL)}, ("contract", "show", "--subject=t.json")),
        ({"t.json": dump("ls", EVIL)}, ("contract", "show", "--subject=t.json", "ls")),
        ({"t.json": dump(EVIL)}, ("contract", "show", "--subject=t.json", "ls")),
        (
            {"t.json": dump(), "u.json": dump(default=EVIL)},
            ("contract", "diff", "t.json", "u.json"),
        ),
        ({"t.json": dump(), "u.json": dump(EVIL)}, ("contract", "diff", "t.json", "u.json")),
        ({"b.yaml": {EVIL: 1}}, ("replay", "b.yaml")),
        ({"t.jsonl": TRACE, "k.yaml": [{EVIL: 1}]}, ("replay", "t.jsonl", "--known=k.yaml")),
        ({"v.jsonl": {"id": EVIL, "kind": EVIL, "in": {}, "out": {}}}, ("verdicts", "v.jsonl")),
        ({}, ("replay", EVIL)),
        ({}, ("contract", "show", f"--subject={EVIL}")),
        ({}, ("rules", EVIL)),
        ({}, ("replay", f"--rules={EVIL}", "x")),
    ],
)
def test_no_command_shows_a_secret_or_is_steered_by_what_it_reads(
    written: dict[str, object], argv: tuple[str, ...], files: Files, capsys: Any
) -> None:
    """A dump, a document, a transcript and a list come from others, and logs are read by all."""
    for name, content in written.items():
        files(name, content)

    with suppress(SystemExit):
        main(list(argv))

    said = "".join(capsys.readouterr())
    assert said
    assert KEY not in said
    assert all(line.isprintable() for line in said.split("\n"))
    assert not any(line.lstrip().startswith("::") for line in said.split("\n"))


def test_json_of_a_check_and_of_a_comparison_holds_no_secret(files: Files, capsys: Any) -> None:
    """It travels as text does."""
    files("t.json", dump(KEY, type=KEY))
    files("u.json", dump(default=KEY))
    files("d.md", document(f"false {KEY}"))

    main([*CHECK, "--format=json"])
    main(["contract", "lint", "--subject=t.json", "--format=json"])
    main(["contract", "diff", "t.json", "u.json", "--format=json"])

    assert KEY not in "".join(capsys.readouterr())


def test_what_a_transcript_expected_is_masked(files: Files, capsys: Any) -> None:
    """What does not hold is quoted, and both sides of it are a file's own words."""
    expect = {"verdict": "accept", "state_after": {"text": KEY, KEY: "x"}}
    step = {"host": "stop", "data": {}, "expect": expect}
    head = {"id": "a-1", "title": "x", "rules": ["classic"]}
    files("t.yaml", [{**head, "turns": [{"events": [step]}]}])

    main(["replay", "t.yaml"])

    said = "".join(capsys.readouterr())
    assert "[secret]" in said
    assert KEY not in said


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github", "markdown", "html"])
@pytest.mark.parametrize("where", [{KEY: 1}, {"rules": f"of {KEY}"}], ids=["key", "value"])
def test_why_a_file_was_not_read_holds_no_secret(
    form: str, where: dict[str, object], files: Files, capsys: Any
) -> None:
    """Every form of the report tells it; what is cut is masked before."""
    files("t.yaml", [{"id": "a-1", "title": "x", "turns": [{}], **where}])

    main(["replay", "t.yaml", "--format", form])

    said = "".join(capsys.readouterr())
    assert "t.yaml" in said
    assert KEY[4:14] not in said
