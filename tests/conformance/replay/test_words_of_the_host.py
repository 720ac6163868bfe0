"""What a command prints does not tell that it failed, or that it never ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reasonix_conformance.traces.sessions import Options, file_results

GO = "<response-language>en</response-language>\ngo"


def ends(folder: Path, *runs: tuple[str, str], rules: str = "contract") -> list[str]:
    """Return what is decided of each end of a turn whose commands came back with these texts."""
    rows: list[object] = [{"role": "user", "content": GO}]
    for number, (command, text) in enumerate(runs):
        call = {"name": "bash", "arguments": json.dumps({"command": command})}
        made = {"id": str(number), "type": "function", "function": call}
        rows.append({"role": "assistant", "content": "", "tool_calls": [made]})
        rows.append({"role": "tool", "tool_call_id": str(number), "name": "bash", "content": text})
    rows.append({"role": "assistant", "content": "done"})
    path = folder / "chat.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (result,) = file_results(path, Options(rules=rules))
    return [one.verdict.decision.value for one in result.verdicts if one.subject == "end"]


CHANGES = ("sed -i s/a/b/ a.py", "python gen.py", "git apply p.diff", "cp b.py a.py")


@pytest.mark.parametrize("command", CHANGES)
@pytest.mark.parametrize(
    ("said", "decided"),
    [
        ("fine", "reject"),
        ("error: 3 warnings", "reject"),
        ("error: exit status 1\nx", "reject"),
        ("blocked: by the firewall", "not_assessable"),
        ("tool_retired: x", "not_assessable"),
    ],
)
def test_no_words_of_a_command_hide_what_it_changed(
    command: str, said: str, decided: str, tmp_path: Path
) -> None:
    """Whoever writes what a command prints would turn a refusal into an acceptance."""
    assert [decided] == ends(tmp_path, (command, said))


@pytest.mark.parametrize("said", ["error: exit status 1", "blocked: by the firewall"])
def test_what_would_change_nothing_may_have_failed(said: str, tmp_path: Path) -> None:
    """Nothing is owed for a look, however it ended; other rule sets take the host at its word."""
    assert ["accept"] == ends(tmp_path, ("cat a.py", said))
    assert ends(tmp_path, ("cat a.py", said), rules="classic") == (
        ends(tmp_path, ("sed -i s/a/b/ a.py", said), rules="classic")
    )
