"""The folder of a run that its recording does not tell: nobody is accused over it.

Who knows it can say so, for every format.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance.cli import main
from reasonix_conformance.replay.results import Judged
from reasonix_conformance.traces.sessions import Options, events_of, results
from reasonix_runtime.trace.events import Session

FILE = "/w/src/a.py"
Call = tuple[str, dict[str, Any]]


def edit(path: str = FILE) -> Call:
    return "edit_file", {"path": path, "old_string": "a", "new_string": "b"}


def ran(command: str) -> Call:
    return "bash", {"command": command}


TESTS = ran("pytest -q")


def lines(*records: Any) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


def chat(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        function = {"name": name, "arguments": json.dumps(args)}
        said += [
            {"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "x"},
        ]
    return lines(*said, {"role": "assistant", "content": "Done."})


def messages(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        call = {"id": f"c{number}", "name": name, "arguments": json.dumps(args)}
        said += [
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "name": name, "content": "x"},
        ]
    return lines(*said, {"role": "assistant", "content": "Done."})


def anthropic(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        use = {"type": "tool_use", "id": f"c{number}", "name": name, "input": args}
        told = {"type": "tool_result", "tool_use_id": f"c{number}", "content": "x"}
        said += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [told]}]
    return json.dumps([*said, {"role": "assistant", "content": [{"type": "text", "text": "Ok."}]}])


def responses(calls: list[Call]) -> str:
    items: list[Any] = [{"type": "message", "role": "user", "content": "go"}]
    for number, (name, args) in enumerate(calls):
        ident = {"call_id": f"c{number}"}
        items += [
            {"type": "function_call", **ident, "name": name, "arguments": json.dumps(args)},
            {"type": "function_call_output", **ident, "output": "x"},
        ]
    answer = [{"type": "output_text", "text": "Done."}]
    return lines(*items, {"type": "message", "role": "assistant", "content": answer})


def atif(calls: list[Call]) -> str:
    steps: list[Any] = [{"step_id": 1, "source": "user", "message": "go"}]
    for name, args in calls:
        number = len(steps) + 1
        call = {"tool_call_id": f"c{number}", "function_name": name, "arguments": args}
        told = {"results": [{"source_call_id": f"c{number}", "content": "x"}]}
        step = {"step_id": number, "source": "agent", "message": ""}
        steps.append({**step, "tool_calls": [call], "observation": told})
    steps.append({"step_id": len(steps) + 1, "source": "agent", "message": "Done."})
    head = {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "x"}}
    return json.dumps({**head, "steps": steps})


def inspect(calls: list[Call]) -> str:
    said: list[Any] = [{"role": "user", "content": "go"}]
    events = []
    for number, (name, args) in enumerate(calls):
        ident = f"c{number}"
        tool = {"id": ident, "function": name, "arguments": args}
        said += [
            {"role": "assistant", "content": "", "tool_calls": [tool]},
            {"role": "tool", "tool_call_id": ident, "function": name, "content": "x"},
        ]
        at = f"2026-01-01T00:00:{number:02d}+00:00"
        events.append({"event": "tool", **tool, "result": "x", "error": None, "timestamp": at})
    said.append({"role": "assistant", "content": "Done."})
    sample = {"id": "1", "epoch": 1, "messages": said, "events": events}
    run = {"task": "t", "model": "m"}
    return json.dumps({"version": 2, "status": "success", "eval": run, "samples": [sample]})


def otel(calls: list[Call]) -> str:
    def span(ident: int, name: str, begin: int, end: int, **told: str) -> dict[str, Any]:
        named = [
            {"key": f"gen_ai.{key.replace('__', '.')}", "value": {"stringValue": value}}
            for key, value in told.items()
        ]
        return {
            "traceId": f"{1:032x}", "spanId": f"{ident:016x}", "parentSpanId": f"{10:016x}",
            "name": name, "startTimeUnixNano": str(begin), "endTimeUnixNano": str(end),
            "status": {"code": 1}, "attributes": named,
        }  # fmt: skip

    spans = [
        span(20 + number, f"execute_tool {name}", 10 * number, 10 * number + 1,
             operation__name="execute_tool", tool__name=name, tool__call__id=f"c{number}",
             tool__call__arguments=json.dumps(args), tool__call__result="x")
        for number, (name, args) in enumerate(calls, 1)
    ]  # fmt: skip
    agent = span(10, "invoke_agent x", 1, 10**6, operation__name="invoke_agent")
    return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [agent, *spans]}]}]})


def stream(calls: list[Call]) -> str:
    records: list[Any] = [{"kind": "turn_started"}]
    for number, (name, args) in enumerate(calls):
        tool = {"id": f"c{number}", "name": name, "args": json.dumps(args)}
        records += [
            {"kind": "tool_dispatch", "tool": tool},
            {"kind": "tool_result", "tool": {**tool, "output": "x"}},
        ]
    return lines(*records, {"kind": "message", "text": "Done."}, {"kind": "turn_done"})


def codex_exec(calls: list[Call]) -> str:
    records: list[Any] = [{"type": "thread.started", "thread_id": "t"}, {"type": "turn.started"}]
    for number, (name, args) in enumerate(calls):
        item: dict[str, Any] = {"id": f"item_{number}", "status": "completed"}
        if name == "bash":
            item |= {"type": "command_execution", "command": args["command"]}
            item |= {"aggregated_output": "x", "exit_code": 0}
        else:
            change = {"path": args["path"], "kind": "update"}
            item |= {"type": "file_change", "changes": [change]}
        records.append({"type": "item.completed", "item": item})
    said = {"id": f"item_{len(calls)}", "type": "agent_message", "text": "Done."}
    return lines(*records, {"type": "item.completed", "item": said}, {"type": "turn.completed"})


WRITTEN: dict[str, Callable[[list[Call]], str]] = {
    "anthropic": anthropic,
    "atif": atif,
    "chat": chat,
    "codex-exec": codex_exec,
    "inspect": inspect,
    "otel": otel,
    "responses": responses,
    "stream": stream,
}


def end_of(path: Path, text: str, **options: Any) -> Judged:
    path.write_text(text)
    (found,) = results([path], Options(rules="contract", basis="absence", **options), [])
    return found.verdicts[-1]


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize(
    ("look", "without", "within"),
    [
        ("cat src/a.py", "not_assessable", "accept"),
        ("cd src && cat a.py", "not_assessable", "accept"),
        ("cat other/a.py", "reject", "reject"),
        ("cat /w/src/a.py", "accept", "accept"),
    ],
)
def test_a_relative_look_at_a_change_that_is_told_in_full(
    name: str, look: str, without: str, within: str, tmp_path: Path
) -> None:
    """Every format that does not tell the folder: unknown without it, decided with it."""
    text = WRITTEN[name]([edit(), ran(look), TESTS])

    unknown = end_of(tmp_path / "t.json", text)
    known = end_of(tmp_path / "t.json", text, workspace="/w")

    assert (without, within) == (unknown.verdict.decision, known.verdict.decision)
    assert ("--workspace" in unknown.verdict.message) is (without == "not_assessable")


@pytest.mark.parametrize(
    ("side", "told", "decision"),
    [
        ("s.jsonl.meta", {"workspace_root": "/w"}, "accept"),
        ("s.jsonl.meta", {"workspaceRoot": "/w"}, "accept"),
        ("s.jsonl.meta", {"workspace_root": "/elsewhere"}, "reject"),
        ("s.jsonl.meta", {"model": "x"}, "not_assessable"),
        ("s.acp.json", {"cwd": "/w"}, "accept"),
        ("subagents/sa_1.meta.json", {"parentSession": "s", "workspaceRoot": "/w"}, "accept"),
        (
            "subagents/sa_1.meta.json",
            {"parentSession": "t", "workspaceRoot": "/w"},
            "not_assessable",
        ),
    ],
)
def test_side_files_of_a_session_tell_its_folder(
    side: str, told: dict[str, str], decision: str, tmp_path: Path
) -> None:
    """They lie beside every session of a Reasonix host: nobody has to name the folder."""
    (tmp_path / "subagents").mkdir()
    (tmp_path / side).write_text(json.dumps(told))
    text = messages([edit(), ran("cat src/a.py"), TESTS])

    assert decision == end_of(tmp_path / "s.jsonl", text).verdict.decision


def test_sub_agents_that_worked_in_several_folders_tell_none(tmp_path: Path) -> None:
    """One of them may have had a copy of its own."""
    (tmp_path / "subagents").mkdir()
    for number, folder in enumerate(["/w", "/copy"]):
        meta = {"parentSession": "s", "workspaceRoot": folder}
        (tmp_path / "subagents" / f"sa_{number}.meta.json").write_text(json.dumps(meta))
    text = messages([edit(), ran("cat src/a.py"), TESTS])

    assert "not_assessable" == end_of(tmp_path / "s.jsonl", text).verdict.decision


def test_a_look_in_another_workspace_shows_nothing(tmp_path: Path) -> None:
    """The folder that the user tells is held against, not believed into a pass."""
    text = chat([edit(), ran("cat src/a.py"), TESTS])

    end = end_of(tmp_path / "t.json", text, workspace="/elsewhere")

    assert ("reject", "finish.inspection_missing") == (end.verdict.decision, end.verdict.reason)


def test_a_folder_of_windows_is_one_of_windows(tmp_path: Path) -> None:
    """The recording comes from another machine than the report."""
    text = chat([edit("C:\\w\\Src\\a.py"), ran("cat src/a.py"), TESTS])

    assert "accept" == end_of(tmp_path / "t.json", text, workspace="c:\\W").verdict.decision


def test_a_recording_that_tells_its_folder_keeps_it(tmp_path: Path) -> None:
    """What was recorded is no matter of opinion."""
    session = tmp_path / "s.jsonl"
    session.write_text(
        lines(
            {"type": "user", "uuid": "u", "sessionId": "s", "cwd": "/w",
             "message": {"role": "user", "content": "go"}}
        )
    )  # fmt: skip

    told = [one for one in events_of([session], Options(workspace="/v")) if type(one) is Session]

    assert ["/w"] == [one.cwd for one in told]


def test_neutral_events_take_the_folder_along(tmp_path: Path) -> None:
    """What is passed on is judged as it is here."""
    log = tmp_path / "chat.jsonl"
    log.write_text(chat([edit(), ran("cat src/a.py"), TESTS]))

    told = [one for one in events_of([log], Options(workspace="/w")) if type(one) is Session]

    assert ["/w"] == [one.cwd for one in told]


def test_runs_in_files_of_their_own_are_in_one_folder(tmp_path: Path) -> None:
    """A later run begins with what the earlier ones left, and where they left it."""
    (tmp_path / "1.stream.jsonl").write_text(stream([edit()]))
    later = tmp_path / "2.stream.jsonl"

    end = end_of(later, stream([ran("cat src/a.py"), TESTS]), workspace="/w")

    assert "accept" == end.verdict.decision


@pytest.mark.parametrize("folder", ["src", "./src", "~/src", "..", ""])
def test_a_part_of_a_path_is_refused(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Relative to what, only the machine of the recording would know."""
    assert 2 == _exit(["replay", str(tmp_path), "--workspace", folder])
    said = capsys.readouterr().err
    assert "argument --workspace" in said
    assert ("no whole path" in said) is bool(folder)


def _exit(arguments: list[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as error:
        return int(error.code or 0)
