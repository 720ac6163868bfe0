"""What holds for every tool that writes a file: encoding, whole writes, paths, confinement."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.support import atomic
from reasonix_runtime.tools.support.workspace import Workspace

TEXT = "kept 你好\nold\nthe rest of the file\n"
GO = "package p\n\n// kept 你好\nvar kept = 1\n\nfunc old() {}\n"
NOTEBOOK = (
    '{\n "cells": [\n  {"cell_type": "markdown", "metadata": {"kept": "你好"},\n'
    '   "source": ["old"]}\n ],\n "metadata": {}, "nbformat": 4, "nbformat_minor": 4\n}\n'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """One change of one file: the tool, its arguments without the path, the text on both sides."""

    tool: str
    name: str
    before: str
    arguments: dict[str, Any]
    after: str

    def change(self, bench: Bench, path: str) -> str:
        return bench.ok(self.tool, path=path, **self.arguments)

    def refused(self, bench: Bench, path: str) -> str:
        return bench.fails(self.tool, path=path, **self.arguments)


CHANGED = TEXT.replace("old\n", "new\n")
OLD_TO_NEW = {"old_string": "old\n", "new_string": "new\n"}
LINE = {"start_anchor": "old", "end_anchor": "old"}
WRITERS = [
    Writer(tool=tool, name=name, before=before, arguments=arguments, after=after)
    for tool, name, before, arguments, after in [
        ("write_file", "f.txt", TEXT, {"content": CHANGED}, CHANGED),
        ("edit_file", "f.txt", TEXT, OLD_TO_NEW, CHANGED),
        ("multi_edit", "f.txt", TEXT, {"edits": [OLD_TO_NEW]}, CHANGED),
        ("delete_range", "f.txt", TEXT, LINE, TEXT.replace("old\n", "")),
        ("delete_symbol", "f.go", GO, {"name": "old"}, GO.replace("func old() {}\n", "")),
        ("notebook_edit", "f.ipynb", NOTEBOOK, {"new_source": "new"}, None),
    ]
    for after in [after if isinstance(after, str) else before.replace('"old"', '"new"')]
]
every_writer = pytest.mark.parametrize("writer", WRITERS, ids=[w.tool for w in WRITERS])


def flat(text: str) -> str:
    """Return a text without its layout: a notebook's changed list is laid out anew."""
    return "".join(text.split())


@pytest.mark.parametrize(
    ("codec", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-16-le", b""),
        ("gb18030", b""),
    ],
)
@every_writer
def test_the_encoding_is_found_and_restored(
    bench: Bench, writer: Writer, codec: str, mark: bytes
) -> None:
    """A file that comes back in another encoding is changed in every line."""
    bench.put(writer.name, mark + writer.before.encode(codec))

    writer.change(bench, writer.name)

    data = bench.get(writer.name)
    assert data.startswith(mark)
    assert flat(data[len(mark) :].decode(codec)) == flat(writer.after)


@every_writer
def test_what_no_encoding_gives_back_is_refused(bench: Bench, writer: Writer) -> None:
    """Latin-1 that is taken for something else would be destroyed by the rewrite."""
    data = writer.before.replace("你好", "\xe9").encode("latin-1")
    bench.put(writer.name, data)

    writer.refused(bench, writer.name)

    assert bench.get(writer.name) == data


@every_writer
def test_a_change_replaces_the_file_and_keeps_its_mode(bench: Bench, writer: Writer) -> None:
    """A new file takes the place of the old one at once; nothing is left beside it."""
    file = bench.put(writer.name, writer.before)
    file.chmod(0o750)
    number = file.stat().st_ino

    writer.change(bench, writer.name)

    assert file.stat().st_mode & 0o777 == 0o750
    assert file.stat().st_ino != number
    assert os.listdir(bench.root) == [writer.name]


@every_writer
def test_a_link_is_written_through(bench: Bench, writer: Writer) -> None:
    """The link stays a link, and its target has the new text."""
    bench.put(f"real/{writer.name}", writer.before)
    (bench.root / writer.name).symlink_to(f"real/{writer.name}")

    writer.change(bench, writer.name)

    assert (bench.root / writer.name).is_symlink()
    assert flat(bench.get(f"real/{writer.name}").decode()) == flat(writer.after)


@every_writer
def test_a_write_that_fails_names_the_path_and_keeps_the_old_file(
    bench: Bench, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk costs the change and nothing else."""
    bench.put(writer.name, writer.before)

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "fsync", full)

    message = writer.refused(bench, writer.name)

    assert message == f"write <ws>/{writer.name}: no space left on device\n"
    assert bench.get(writer.name) == writer.before.encode()
    assert os.listdir(bench.root) == [writer.name]


@every_writer
def test_a_path_is_joined_to_the_workspace_and_shown_resolved(
    bench: Bench, writer: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the host was started, and the answer names the file that was meant."""
    monkeypatch.chdir(tmp_path)
    for path in (f"d/../{writer.name}", f"{bench.root}/{writer.name}"):
        bench.put(writer.name, writer.before)
        (bench.root / "d").mkdir(exist_ok=True)

        text = writer.change(bench, path)

        assert f"<ws>/{writer.name}" in text
        assert ".." not in text
        assert flat(bench.get(writer.name).decode()) == flat(writer.after)


@pytest.mark.parametrize("name", ["~", "$HOME"])
@every_writer
def test_neither_a_tilde_nor_a_variable_is_expanded(
    bench: Bench, writer: Writer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A folder may have such a name, and the home of the user is not the workspace."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / writer.name).write_text("theirs")
    bench.put(f"{name}/{writer.name}", writer.before)

    writer.change(bench, f"{name}/{writer.name}")

    assert flat(bench.get(f"{name}/{writer.name}").decode()) == flat(writer.after)
    assert (tmp_path / writer.name).read_text() == "theirs"


@pytest.mark.parametrize("way", ["../out/", "/absolute/", "link/", "../ws-other/"])
@every_writer
def test_nothing_outside_the_roots_is_written(
    bench: Bench, writer: Writer, tmp_path: Path, way: str
) -> None:
    """Components are compared, not beginnings, and links are resolved before."""
    for folder in ("out", "ws-other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / writer.name).write_text(writer.before)
    (bench.root / "link").symlink_to(tmp_path / "out")
    way = way.replace("/absolute", str(tmp_path / "out"))

    message = writer.refused(bench, way + writer.name)

    assert "is outside the workspace (<ws>)" in message
    for folder in ("out", "ws-other"):
        assert (tmp_path / folder / writer.name).read_text() == writer.before


@every_writer
def test_a_link_that_stays_inside_is_followed(bench: Bench, writer: Writer) -> None:
    """Refusing it would make ordinary repositories unusable."""
    bench.put(f"d/{writer.name}", writer.before)
    (bench.root / "link").symlink_to("d")

    writer.change(bench, f"link/{writer.name}")

    assert flat(bench.get(f"d/{writer.name}").decode()) == flat(writer.after)


@every_writer
def test_the_host_s_own_state_is_not_written(
    make_bench: MakeBench, tmp_path: Path, writer: Writer
) -> None:
    """An agent must not rewrite the records that it is judged by."""
    guarded = tmp_path / "ws" / "state"
    bench = make_bench(workspace=Workspace(tmp_path / "ws", guarded=[guarded]))
    bench.put(f"state/{writer.name}", writer.before)

    assert "host's own state" in writer.refused(bench, f"state/{writer.name}")
    assert bench.get(f"state/{writer.name}") == writer.before.encode()


@every_writer
def test_only_write_file_makes_a_file(bench: Bench, writer: Writer) -> None:
    """What changes a text needs the text."""
    if writer.tool == "write_file":
        writer.change(bench, writer.name)
        assert os.listdir(bench.root) == [writer.name]
        return

    assert writer.refused(bench, writer.name) == (
        f"read <ws>/{writer.name}: open <ws>/{writer.name}: no such file or directory\n"
    )
    assert os.listdir(bench.root) == []


SAME = {"old_string": "old", "new_string": "old"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("write_file", {"path": "f.txt", "content": "x"}),
        ("edit_file", {"path": "f.txt", **SAME}),
        ("multi_edit", {"path": "f.txt", "edits": [SAME]}),
        ("notebook_edit", {"path": "f.ipynb", "new_source": "new"}),
        ("move_file", {"source_path": "a", "destination_path": "b"}),
    ],
)
def test_the_third_equal_change_of_a_turn_is_not_run(
    bench: Bench, tool: str, arguments: dict[str, Any]
) -> None:
    """Two successes are enough; the key order of the third means nothing, a new turn does."""
    bench.begin_turn()
    bench.put("f.txt", TEXT)
    bench.put("f.ipynb", NOTEBOOK)
    for _ in range(2):
        bench.put("a", "x")
        (bench.root / "b").unlink(missing_ok=True)
        bench.ok(tool, **arguments)
    bench.put("a", "x")
    (bench.root / "b").unlink(missing_ok=True)
    for name in ("f.txt", "f.ipynb"):
        bench.put(name, "somebody else's")

    result = bench.call(tool, **dict(reversed(arguments.items())))

    assert result.text.startswith("blocked: [loop guard] ")
    assert bench.get("f.txt") == bench.get("f.ipynb") == b"somebody else's"
    assert (bench.root / "a").exists()
    bench.put("f.txt", TEXT)
    bench.put("f.ipynb", NOTEBOOK)
    bench.begin_turn()
    bench.ok(tool, **arguments)


@pytest.mark.parametrize(
    ("says", "third", "blocked"),
    [
        ("another new text is the same intent", [("nix", "other", False)], True),
        ("another old text is another one", [("nox", "y", False)], False),
        ("another scope is another one", [("nix", "y", True)], False),
    ],
)
def test_a_list_of_edits_that_failed_twice_is_known_by_its_old_texts(
    bench: Bench, says: str, third: list[tuple[str, str, bool]], blocked: bool
) -> None:
    """What is looked for decides whether the next try can work, not what would stand there."""
    bench.begin_turn()
    bench.put("f.txt", TEXT)

    def steps(edits: list[tuple[str, str, bool]]) -> list[dict[str, Any]]:
        return [{"old_string": o, "new_string": n, "replace_all": a} for o, n, a in edits]

    for new in ("y", "z"):
        bench.fails("multi_edit", path="f.txt", edits=steps([("nix", new, False)]))

    result = bench.call("multi_edit", path="f.txt", edits=steps(third))

    assert result.text.startswith("blocked: [loop guard] ") is blocked, says
    assert not result.ok


def test_the_way_out_that_the_message_names_is_not_blocked(bench: Bench) -> None:
    """After two texts that were not unique, `replace_all` is what the model was told to try."""
    bench.begin_turn()
    bench.put("f.txt", "a a\n")
    edit = {"old_string": "a", "new_string": "b"}
    for _ in range(2):
        assert "set replace_all" in bench.fails("multi_edit", path="f.txt", edits=[edit])

    bench.ok("multi_edit", path="f.txt", edits=[{**edit, "replace_all": True}])


def test_a_move_takes_both_paths_by_the_same_rules(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joined to the workspace, shown resolved, links inside followed, nothing expanded."""
    monkeypatch.chdir(tmp_path)
    bench.put("~/a", "A")
    bench.put("d/x", "")
    (bench.root / "link").symlink_to("d")

    text = bench.ok("move_file", source_path="d/../~/a", destination_path="link/$HOME")

    assert text.startswith("moved <ws>/~/a to <ws>/")
    assert bench.get("d/$HOME") == b"A"
    assert "outside the workspace" in bench.fails(
        "move_file", source_path="../nix", destination_path="../nix2"
    )
    # The source is judged first.
    assert bench.fails("move_file", source_path="../nix", destination_path="../b").startswith(
        "../nix is outside"
    )


def test_an_equal_text_outside_the_workspace_is_still_outside(bench: Bench, tmp_path: Path) -> None:
    """The answer that nothing changed would tell what stands there."""
    (tmp_path / "f").write_text("same")

    message = bench.fails("write_file", path="../f", content="same")

    assert message.startswith("../f is outside the workspace")
