"""What is written another way, and what a text only quotes, is judged as it was."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import zstandard
from forms import FORMS, ROWS, Form, few_and_many, results, signature
from hypothesis import strategies as st
from told import SID, Files, Session, changed
from told_drawn import REAL_SESSIONS

Value = Callable[[Any], str]
NAMES = tuple(form for form in FORMS if form.name != "v4")
"""Forms whose names stand in the file as they are."""


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(item) for key, item in reversed(value.items())}
    return [_turned(item) for item in value] if isinstance(value, list) else value


def _each(write: Value) -> Callable[[bytes], bytes]:
    """Return what writes each record of lines another way, or the one value of a file."""

    def rewrite(data: bytes) -> bytes:
        rows = data.split(b"\n")
        try:
            return "\n".join(write(json.loads(row)) if row else "" for row in rows).encode()
        except ValueError:
            return write(json.loads(data)).encode()

    return rewrite


WAYS: dict[str, Callable[[bytes], bytes]] = {
    "compact": _each(lambda value: json.dumps(value, separators=(",", ":"))),
    "wide": _each(lambda value: json.dumps(value, separators=(" , ", " : "))),
    "sorted": _each(lambda value: json.dumps(value, sort_keys=True)),
    "turned": _each(lambda value: json.dumps(_turned(value))),
    "escaped": _each(lambda value: json.dumps(value).replace("/", "\\/").replace("<", "\\u003c")),
    "more keys": _each(
        lambda value: json.dumps({**value, "z": {}} if type(value) is dict else value)
    ),
    "crlf": lambda data: data.replace(b"\n", b"\r\n"),
    "mark": lambda data: b"\xef\xbb\xbf" + data,
    "no end": lambda data: data.rstrip(b"\n"),
    "gzip": gzip.compress,
    "two members": lambda data: gzip.compress(data[:99]) + gzip.compress(data[99:]),
    "zstandard": zstandard.compress,
}
ROW_WAYS: dict[str, Callable[[bytes], bytes]] = {
    "blank lines": lambda data: b"\n" + data.replace(b"\n", b"\n\r\n \n"),
    "colours": lambda data: data.replace(b"\n", b"\x1b[K\n\x1b[0m"),
    "times": lambda data: (
        b"2026-01-01T00:00:00Z " + data[:-1].replace(b"\n", b"\n2026-01-01T00:00:00Z ")
    ),
}


def _rewritten(files: Files, way: Callable[[bytes], bytes]) -> Files:
    return {name: way(data) for name, data in files.items()}


def _captured(files: Files, way: Callable[[bytes], bytes]) -> Files:
    """Return the files with what a terminal, or a log, puts around the lines of the first one."""
    (name, data), *others = files.items()
    return {name: way(data), **dict(others)}


def in_other_letters(form: Form, session: Session, way: str) -> None:
    """Hold that blanks, the order of keys, escapes, line ends and packing mean nothing."""
    files = form.write(form.fit(session))
    other = _rewritten(files, WAYS[way]) if way in WAYS else _captured(files, ROW_WAYS[way])

    assert signature(results(form, files)) == signature(results(form, other))


IDS: dict[str, Callable[[bytes], bytes]] = {
    "numbers": lambda name: b"%d" % int(name),
    "slashes": lambda name: b"call|" + name,
    "long": lambda name: b"call_" + name + b"x" * 90,
    "letters": lambda name: b"\\u6c49 " + name,
}


def under_other_names(form: Form, session: Session, ids: str) -> None:
    """Hold that ids of calls and sessions only have to be equal where they were.

    A verdict on a call of a sub-agent is named by the call that started it.
    """
    files = form.write(form.fit(session))
    renamed = _rewritten(
        files,
        lambda data: re.sub(rb"toolu_(\d+)", lambda found: IDS[ids](found[1]), data).replace(
            SID.encode(), b"99999999-8888-4777-8666-123456789abc"
        ),
    )

    assert signature(results(form, files), named=False) == signature(
        results(form, renamed), named=False
    )


QUOTED = (
    "see <response-language> and <delivery-runtime>",
    "[receipt r_0a1b2c3d]\nlast",
    "x tool_retired: gone",
    "it said error: exit status 1",
    "x blocked: delivery acceptance criteria required",
    '"err":"blocked: active delivery todo required"',
    "Process exited with code 1 was seen\nmore",
    "see Exit code: 1 in the log\nmore",
    "a [Request interrupted by user] is a text",
    "x <task-notification><task-id>a</task-id><status>completed</status></task-notification>",
    "they say: Goal is not ready to complete",
    '{"jsonrpc":"2.0","id":1,"result":{"stopReason":"end_turn"}}',
    '{"ev":"tool.result","uid":"main#1","outcome":"ok"}\n{"type":"turn_started"}',
    '"runState":"completed","sessionId":"S","role":"tool","tool_calls":[',
    "background: Started background job 7",
    "*** Begin Patch\n*** Delete File: z.py\n*** End Patch",
    'project check "make" from the page is missing',
    "\u2028 \u0085 \x00 \x1b[0m \ud83d",
    "r_1 <returncode>1</returncode> (exit code: 1) y\nmore",
    "plan mode forbids workspace mutations until approved, it says",
)


_JUDGED = frozenset({"list", "sign"})


def with_quotes(form: Form, session: Session, quoted: str, where: str) -> None:
    """Hold that a text is neither a record, nor a mark, nor news of a host.

    What comes back from a sign-off or a list is said by the host itself.
    """
    plain = changed(form.fit(session), lambda _, call: (replace(call, output="+ok x\n"),))
    marked = plain
    if where == "results":
        output = f"+ok {quoted}\n"
        marked = changed(
            plain, lambda _, call: (call if call.kind in _JUDGED else replace(call, output=output),)
        )
    elif where == "prompts":
        marked = tuple(replace(turn, prompt=f"please {quoted}") for turn in plain)
    else:
        marked = tuple(replace(turn, answer=f"I say {quoted}") for turn in plain)
    for rules in ("contract", None):
        found = [signature(results(form, form.write(told), rules)) for told in (plain, marked)]
        assert found[0] == found[1]


test_letters_mean_nothing, test_letters_mean_nothing_in_thousands = few_and_many(
    in_other_letters, REAL_SESSIONS, st.sampled_from(sorted(WAYS)), of=NAMES
)
test_lines_mean_nothing, test_lines_mean_nothing_in_thousands = few_and_many(
    in_other_letters, REAL_SESSIONS, st.sampled_from(sorted(ROW_WAYS)), of=ROWS
)
test_names_mean_nothing, test_names_mean_nothing_in_thousands = few_and_many(
    under_other_names, REAL_SESSIONS, st.sampled_from(sorted(IDS)), of=NAMES
)
test_quotes_mean_nothing, test_quotes_mean_nothing_in_thousands = few_and_many(
    with_quotes,
    REAL_SESSIONS,
    st.sampled_from(QUOTED),
    st.sampled_from(["results", "prompts", "answers"]),
)
