"""YAML 1.2 scalars, JSON types only, lines kept: `trace/yaml12.py`."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from types import ModuleType

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from places import TRANSCRIPTS

from reasonix_runtime.trace import strict_json, yaml12
from reasonix_runtime.trace.value_file import ValueFileError
from reasonix_runtime.trace.yaml12 import MAX_DEPTH

FILES = sorted(TRANSCRIPTS.glob("*.yaml"))


def load(text: str | bytes) -> object:
    data = text.encode() if isinstance(text, str) else text
    return yaml12.load(data, "f.yaml").value


def containers(value: object) -> list[object]:
    """Return a mapping or list and all those inside."""
    inner = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(inner, list):
        return []
    return [value, *(found for item in inner for found in containers(item))]


@pytest.mark.parametrize("text", ["[]", "a: [b, {c: []}]", "- {x: {}}\n- [[1], 2]"])
def test_lines_are_kept_of_what_is_alive_alone(text: str) -> None:
    """They are kept by identity: that of an object that is gone may be the next one's."""
    document = yaml12.load(text.encode(), "f.yaml")

    assert {id(value) for value in containers(document.value)} == set(document.lines)


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("no", "no"),
        ("2024-01-02", "2024-01-02"),
        ("12:30:45", "12:30:45"),
        ("1_000", "1_000"),
        ("=", "="),
        ("012", 12),
        ("0o17", 15),
        ("0x1F", 31),
        ("-7", -7),
        ("+7", 7),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1.2.3", "1.2.3"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("null", None),
        ("", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("!!str 12", "12"),
        ("!!float 3", 3.0),
    ],
)
def test_a_scalar_is_what_yaml_1_2_says(plain: str, value: object) -> None:
    """A word of YAML 1.1 that turns into a boolean or a date changes verdicts in silence."""
    loaded = load(f"a: {plain}\n")

    assert {"a": value} == loaded
    assert isinstance(loaded, dict)
    assert type(value) is type(loaded["a"])


def test_a_key_is_always_text() -> None:
    """`on: push` must not become the key `true`."""
    assert {"on": "x", "1": "y", "null": "z"} == load("on: x\n1: y\nnull: z\n")


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "a: this key is given twice"),
        ("x:\n  - {k: 1, k: 2}\n", 2, "k: this key is given twice"),
        ("1: a\n'1': b\n", 2, "1: this key is given twice"),
        ("- &x 1\n- *x\n", 2, "the alias *x is not read; write the value out"),
        ("a: &l [*l]\n", 1, "the alias *l is not read; write the value out"),
        ("a: 1\n---\nb: 2\n", 2, "a second document; use a list in one document instead"),
        ("a: .inf\n", 1, "the number .inf has no JSON form; quote it if it is text"),
        ("a: 1e999\n", 1, "the number 1e999 has no JSON form; quote it if it is text"),
        ("? [a]\n: 1\n", 1, "a key must be text"),
        ("a: 'x\u2028y'\n", 1, "a raw U+2028; write \\u2028 in double quotes"),
        ("a:\n\n  - !!python/object:os.system x\n", 3, "the tag tag:yaml.org,2002:python/object"),
        ("a: !!int x\n", 1, "'x' is not of its tag !!int"),
        ("a: \x01\n", 1, "the character U+0001 is not allowed in YAML"),
    ],
)
def test_what_is_not_json_is_refused_with_its_line(text: str, line: int, what: str) -> None:
    """An error that names no line sends its reader through the whole file."""
    with pytest.raises(ValueFileError) as caught:
        load(text)

    assert line == caught.value.line
    assert what in caught.value.what
    assert str(caught.value).startswith(f"f.yaml:{line}: ")


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_bytes_that_are_not_utf_8_are_refused_with_their_line(mark: bytes) -> None:
    """Decoding with replacement would change a path or a command; a mark shifts no place."""
    with pytest.raises(ValueFileError, match=r"f\.yaml:2: byte 0xff is not UTF-8"):
        load(mark + b"a: 1\n\xff: 1\n")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "---\n...\n"])
def test_a_file_without_a_value_is_refused_or_null(text: str) -> None:
    """Nothing is not a transcript, and must not be taken for one."""
    if text.startswith("---"):
        assert load(text) is None
        return
    with pytest.raises(ValueFileError, match="the file is empty"):
        load(text)


def test_a_mark_and_carriage_returns_change_nothing() -> None:
    """Files of other systems carry a byte order mark and CRLF."""
    assert {"a": 1, "b": ["x"]} == load(b"\xef\xbb\xbfa: 1\r\nb:\r\n- x\r\n")


@pytest.mark.parametrize("text", ["[" * 5000, "a: " + "{b: " * 500, "- " * 900 + "x"])
def test_deep_nesting_is_an_error_and_no_crash(text: str) -> None:
    """What walks a document afterwards recurses."""
    with pytest.raises(ValueFileError):
        load(text)


@pytest.mark.parametrize("loader", [yaml12, strict_json], ids=["yaml", "json"])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a": ', "}")])
def test_as_deep_as_the_message_says_is_not_too_deep(
    loader: ModuleType, opened: str, closed: str
) -> None:
    """What is refused is nested deeper than the levels that are named."""

    def nested(depth: int) -> bytes:
        return (opened * depth + "1" + closed * depth).encode()

    assert loader.load(nested(MAX_DEPTH), "f").value
    with pytest.raises(ValueFileError, match=f"nested deeper than {MAX_DEPTH} levels"):
        loader.load(nested(MAX_DEPTH + 1), "f")


def test_the_line_of_every_key_and_item_is_known() -> None:
    """Errors and verdicts point at lines."""
    document = yaml12.load(b"# c\na: 1\nb:\n  - x\n  - k: v\n    l: [1,\n      2]\n", "f")

    lines = {
        path: document.line(path)
        for path in [(), ("a",), ("b",), ("b", 0), ("b", 1, "k"), ("b", 1, "l", 1), ("b", 9)]
    }

    assert {
        (): 2,
        ("a",): 2,
        ("b",): 3,
        ("b", 0): 4,
        ("b", 1, "k"): 5,
        ("b", 1, "l", 1): 7,
        ("b", 9): 3,
    } == lines


# Of the large ones it takes a second each, and they hold nothing else.
SMALL = [path for path in FILES if path.stat().st_size < 20_000]


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_the_python_parser_gives_the_same_document(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine without libyaml must judge alike."""
    native = yaml12.load(path.read_bytes(), "f")
    monkeypatch.delattr(yaml, "CSafeLoader")

    try:
        pure = yaml12.load(path.read_bytes(), "f")
    except ValueFileError as error:
        # What it does not read it refuses aloud: a plain text with `?` inside braces.
        assert "but got '?'" in error.what  # noqa: PT017  # the other outcome is judged below
        return

    assert native.value == pure.value
    assert list(native.lines.values()) == list(pure.lines.values())


def test_a_corpus_file_is_what_its_json_says() -> None:
    """Where YAML 1.1 and 1.2 agree, the loader must agree with PyYAML."""
    for path in FILES:
        theirs = yaml.load(path.read_bytes(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))

        assert json.dumps(theirs) == json.dumps(load(path.read_bytes()))


@given(st.text())
def test_any_text_loads_or_is_refused(text: str) -> None:
    """A broken file is an error of its own kind, never a traceback."""
    with contextlib.suppress(ValueFileError):
        load(text.encode("utf-8", "surrogatepass"))
