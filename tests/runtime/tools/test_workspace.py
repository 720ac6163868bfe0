"""The workspace keeps every path inside its roots and every write whole."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.tools.errors import (
    ChangedError,
    NotRegularError,
    OutsideWorkspaceError,
    PathError,
    TextError,
    ToolError,
)
from reasonix_runtime.tools.support import atomic, handles
from reasonix_runtime.tools.support.workspace import Workspace


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Make a folder that holds a workspace `ws` and things beside it."""
    (tmp_path / "ws").mkdir(exist_ok=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "secret").write_text("secret\n")
    (tmp_path / "ws-other").mkdir()
    (tmp_path / "ws-other" / "s").write_text("secret\n")
    return tmp_path


@pytest.fixture
def workspace(room: Path) -> Workspace:
    return Workspace(room / "ws")


def write(workspace: Workspace, path: str, text: str) -> None:
    """Create or replace a file the way the tools do."""
    place = workspace.writable(path)
    if workspace.stat(place) is None:
        workspace.create_text(place, text)
    else:
        workspace.change_text(workspace.read_text(place), text)


@pytest.mark.parametrize(
    "path",
    [
        "../out/secret",
        "../ws-other/s",
        "a/../../out/secret",
        "/etc/passwd",
        "l/secret",
        "f",
        "u",
        "l/new.txt",
        "l/../ws-other/s",
        "dangling",
        "../ws-other",
        "..",
    ],
)
def test_no_path_leads_outside(room: Path, workspace: Workspace, path: str) -> None:
    """`..`, absolute paths, links and a sibling with the same prefix are the usual ways out."""
    ws = room / "ws"
    (ws / "l").symlink_to(room / "out")
    (ws / "f").symlink_to("../out/secret")
    (ws / "u").symlink_to("..")
    (ws / "dangling").symlink_to(room / "out" / "nothing")

    with pytest.raises(OutsideWorkspaceError, match="outside the workspace"):
        workspace.read(workspace.locate(path))
    with pytest.raises(OutsideWorkspaceError):
        write(workspace, path, "x")
    assert (room / "out" / "secret").read_text() == "secret\n"
    assert sorted(p.name for p in (room / "out").iterdir()) == ["secret"]


def test_links_that_stay_inside_work(room: Path, workspace: Workspace) -> None:
    """Refusing every link would make ordinary repositories unusable."""
    ws = room / "ws"
    (ws / "d").mkdir()
    (ws / "d" / "f").write_text("old")
    (ws / "l").symlink_to("d")
    (ws / "abs").symlink_to(ws / "d")

    write(workspace, "l/f", "new")

    assert workspace.read(workspace.locate("abs/f")).data == b"new"
    assert (ws / "l").is_symlink()


def test_a_root_that_is_itself_reached_by_a_link_works(room: Path) -> None:
    """Temporary folders and home directories often are links."""
    (room / "alias").symlink_to("ws")
    workspace = Workspace(room / "alias")

    write(workspace, "a", "1")

    assert (room / "ws" / "a").read_text() == "1"
    assert str(room / "alias" / "a") == workspace.locate("a").shown
    assert workspace.read(workspace.locate(str(room / "ws" / "a"))).data == b"1"


def test_a_further_root_may_be_used(room: Path) -> None:
    """A host may allow a second directory by name."""
    workspace = Workspace(room / "ws", roots=[room / "out"])

    assert workspace.read(workspace.locate("../out/secret")).data == b"secret\n"


@pytest.mark.parametrize("kind", ["final", "parent"])
def test_a_link_swapped_in_after_the_check_is_not_followed(
    room: Path, workspace: Workspace, kind: str
) -> None:
    """Between judging a path and opening it, another process may change what stands there."""
    ws = room / "ws"
    (ws / "d").mkdir()
    (ws / "d" / "secret").write_text("mine")
    place = workspace.locate("d/secret")
    if kind == "final":
        (ws / "d" / "secret").unlink()
        (ws / "d" / "secret").symlink_to(room / "out" / "secret")
    else:
        (ws / "d").rename(ws / "gone")
        (ws / "d").symlink_to(room / "out")

    with pytest.raises(PathError):
        workspace.read(place)
    with pytest.raises(PathError):
        workspace.create_text(place, "x")
    assert (room / "out" / "secret").read_text() == "secret\n"


def test_a_link_swapped_in_at_the_last_moment_is_not_followed(
    room: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even between the look at a file and its opening."""
    file = room / "ws" / "a"
    file.write_text("mine")
    place = workspace.locate("a")
    real = os.stat

    def swap(*args: Any, **kwargs: Any) -> os.stat_result:
        found = real(*args, **kwargs)
        if args[0] == "a":
            file.unlink()
            file.symlink_to(room / "out" / "secret")
        return found

    monkeypatch.setattr(os, "stat", swap)

    with pytest.raises(PathError, match="symbolic links"):
        workspace.read(place)


def test_a_link_that_is_none_any_more_is_an_error_of_ours(
    room: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Resolving looks at a name first and reads it as a link then.

    From Python 3.13 on it keeps such a name as it is; no link is followed where it is opened.
    """
    (room / "ws" / "l").symlink_to("d")

    def changed(*args: Any, **kwargs: Any) -> str:
        raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "readlink", changed)

    with pytest.raises(PathError, match=r"invalid argument|not a directory|symbolic links"):
        workspace.read(workspace.locate("l/f"))


EXCHANGE = """
import ctypes, sys
rename = ctypes.CDLL(None).renameat2
one, other = (path.encode() for path in sys.argv[1:])
print("ready" if rename(-100, one, -100, other, 2) == 0 else "no", flush=True)
while True:
    rename(-100, one, -100, other, 2)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux exchanges two names at once")
def test_a_folder_and_a_link_that_change_places_all_the_time_lead_nowhere(
    bench: Bench, room: Path
) -> None:
    """Another process swaps between every check and every use; nothing outside is touched."""
    (room / "ws" / "d").mkdir()
    (room / "ws" / "d" / "secret").write_text("mine\n")
    (room / "ws" / "l").symlink_to(room / "out")
    pair = [str(room / "ws" / "d"), str(room / "ws" / "l")]
    child = subprocess.Popen([sys.executable, "-c", EXCHANGE, *pair], stdout=subprocess.PIPE)
    assert child.stdout is not None
    if child.stdout.readline() != b"ready\n":
        pytest.skip("this file system cannot exchange two names")
    texts = []
    try:
        for number in range(60):
            bench.begin_turn()
            for tool, arguments in (
                ("read_file", {"path": "d/secret"}),
                ("grep", {"pattern": "e", "path": "d"}),
                ("glob", {"pattern": "d/*"}),
                ("ls", {"path": "d"}),
                ("code_index", {"action": "outline", "path": "d"}),
                ("edit_file", {"path": "d/secret", "old_string": "mine", "new_string": "mine"}),
                ("write_file", {"path": f"d/{number}", "content": "x"}),
                ("move_file", {"source_path": f"d/{number}", "destination_path": f"d/m{number}"}),
            ):
                texts.append(bench.call(tool, **arguments).text)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()

    assert [text for text in texts if "internal error" in text or "1→secret" in text] == []
    assert [text for text in texts if text.endswith(":1:secret")] == []
    assert os.listdir(room / "out") == ["secret"]
    assert (room / "out" / "secret").read_text() == "secret\n"


def test_a_workspace_that_was_replaced_is_refused(room: Path, workspace: Workspace) -> None:
    """A directory of the same name is not the directory that the user opened."""
    place = workspace.locate("a")
    (room / "ws").rename(room / "old")
    (room / "ws").mkdir()

    with pytest.raises(PathError, match="replaced"):
        workspace.create_text(place, "x")


def test_fifos_devices_and_sockets_are_refused_without_being_opened(
    room: Path, workspace: Workspace
) -> None:
    """Opening a FIFO waits for ever, and opening a device may already do something."""
    os.mkfifo(room / "ws" / "fifo")
    sock = socket.socket(socket.AF_UNIX)
    sock.bind(str(room / "ws" / "sock"))
    sock.close()

    for name, kind in (("fifo", "a FIFO"), ("sock", "a socket")):
        with pytest.raises(NotRegularError, match=kind):
            workspace.read(workspace.locate(name))
        with pytest.raises(NotRegularError, match=kind):
            write(workspace, name, "x")
    wide = Workspace(room / "ws", roots=["/dev"])
    with pytest.raises(NotRegularError, match="a character device"):
        wide.read(wide.locate("/dev/null"))


def test_a_directory_points_at_ls(workspace: Workspace) -> None:
    """The model should know at once which tool it wanted."""
    with pytest.raises(NotRegularError, match="ls tool"):
        workspace.read(workspace.locate("."))


def test_a_missing_file_says_so(room: Path, workspace: Workspace) -> None:
    """The text is the one that hosts give."""
    with pytest.raises(PathError) as caught:
        workspace.read(workspace.locate("nix"))

    path = room / "ws" / "nix"
    assert f"read {path}: open {path}: no such file or directory" == str(caught.value)


@pytest.mark.parametrize("path", ["a\0b", "\ud800"])
def test_a_path_that_no_system_takes_is_an_error_of_ours(workspace: Workspace, path: str) -> None:
    """A traceback of the interpreter is nothing that a model can use."""
    with pytest.raises(PathError, match="open"):
        workspace.locate(path)


def test_a_link_loop_is_an_error(room: Path, workspace: Workspace) -> None:
    """A loop resolves to nothing; it must neither hang nor pass."""
    (room / "ws" / "a").symlink_to("b")
    (room / "ws" / "b").symlink_to("a")

    with pytest.raises(ToolError):
        workspace.read(workspace.locate("a"))


def test_mode_is_kept_and_a_new_file_gets_the_usual_one(room: Path, workspace: Workspace) -> None:
    """A script that is no longer executable after an edit is a broken script."""
    script = room / "ws" / "run.sh"
    script.write_text("old")
    script.chmod(0o755)

    write(workspace, "run.sh", "new")
    write(workspace, "deep/er/new", "x")

    assert stat.S_IMODE(script.stat().st_mode) == 0o755
    assert stat.S_IMODE((room / "ws/deep/er/new").stat().st_mode) == 0o644


def test_a_link_is_kept_and_its_target_changed(room: Path, workspace: Workspace) -> None:
    """Replacing the link would leave the target as it was, unseen."""
    (room / "ws" / "real").write_text("old")
    (room / "ws" / "cfg").symlink_to("real")
    (room / "ws" / "dangling").symlink_to("made")

    write(workspace, "cfg", "new")
    write(workspace, "dangling", "x")

    assert (room / "ws" / "cfg").is_symlink()
    assert (room / "ws" / "real").read_text() == "new"
    assert (room / "ws" / "dangling").is_symlink()
    assert (room / "ws" / "made").read_text() == "x"


def test_a_file_that_changed_since_it_was_read_is_not_written(
    room: Path, workspace: Workspace
) -> None:
    """The edit was computed on a text that is no longer there."""
    file = room / "ws" / "a"
    file.write_text("one")
    before = workspace.read_text(workspace.writable("a"))
    # Same length, same times: only the bytes tell.
    times = file.stat()
    file.write_text("two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    with pytest.raises(ChangedError, match="changed since it was read"):
        workspace.change_text(before, "three")

    assert file.read_text() == "two"
    file.unlink()
    with pytest.raises(ChangedError, match="gone"):
        workspace.change_text(before, "three")


def test_a_file_that_appeared_meanwhile_is_not_overwritten(
    room: Path, workspace: Workspace
) -> None:
    """What another writer created in between is not ours to replace."""
    place = workspace.writable("a")
    (room / "ws" / "a").write_text("theirs")

    with pytest.raises(ChangedError, match="appeared"):
        workspace.create_text(place, "ours")

    assert (room / "ws" / "a").read_text() == "theirs"


def test_hidden_paths_do_not_exist(room: Path) -> None:
    """That a forbidden file exists is already something told."""
    (room / "ws" / "private").mkdir()
    (room / "ws" / "private" / "k").write_text("k")
    (room / "ws" / "way").symlink_to("private")
    (room / "ws" / ".env").write_text("k")
    workspace = Workspace(room / "ws", hidden=[room / "ws/private"], sensitive_hidden=True)

    for path in ("private/k", "way/k", ".env"):
        with pytest.raises(PathError, match="no such file"):
            workspace.visible(path, "read")


def test_guarded_paths_are_readable_and_never_written(room: Path) -> None:
    """The host's own records must not be rewritten by the agent that they are about."""
    (room / "ws" / "ledger").write_text("1")
    workspace = Workspace(room / "ws", guarded=[room / "ws/ledger"])

    assert workspace.read(workspace.visible("ledger", "read")).data == b"1"
    with pytest.raises(PathError, match="host's own state"):
        workspace.writable("ledger")


def test_a_file_that_cannot_be_decoded_keeps_its_bytes(room: Path, workspace: Workspace) -> None:
    """Latin-1 read as something else and written back is destroyed."""
    (room / "ws" / "a").write_bytes(b"caf\xe9\n")

    with pytest.raises(TextError):
        write(workspace, "a", "new")

    assert (room / "ws" / "a").read_bytes() == b"caf\xe9\n"


def test_a_declared_encoding_is_used_by_pattern(room: Path) -> None:
    """A host that knows its old files can say so."""
    (room / "ws" / "a.txt").write_bytes(b"caf\xe9\n")
    workspace = Workspace(room / "ws", encodings=[("*.txt", "latin-1")])

    write(workspace, "a.txt", "th\xe9\n")

    assert (room / "ws" / "a.txt").read_bytes() == b"th\xe9\n"


def test_a_failed_write_leaves_the_old_file_and_no_temporary(
    room: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk must cost the new text, never the old one."""
    (room / "ws" / "a").write_text("old")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(atomic.os, "fsync", full)
    with pytest.raises(PathError, match="no space left on device"):
        write(workspace, "a", "new")

    assert os.listdir(room / "ws") == ["a"]
    assert (room / "ws" / "a").read_text() == "old"


def test_what_a_killed_writer_left_is_gone_after_the_next_write(
    room: Path, workspace: Workspace
) -> None:
    """Stray temporary files would be committed sooner or later."""
    (room / "ws" / atomic.TEMPORARY).write_text("half")

    write(workspace, "a", "new")

    assert os.listdir(room / "ws") == ["a"]


def test_a_planted_temporary_link_is_not_written_through(room: Path, workspace: Workspace) -> None:
    """The name of the temporary file is known, so somebody may stand there first."""
    (room / "ws" / atomic.TEMPORARY).symlink_to(room / "out" / "secret")

    write(workspace, "a", "new")

    assert (room / "out" / "secret").read_text() == "secret\n"


def test_threads_that_count_in_one_file_lose_no_count(room: Path, workspace: Workspace) -> None:
    """Each change is stored on top of what was read, or refused; none is lost in between."""
    (room / "ws" / "n").write_text("0")

    def count() -> None:
        done = 0
        while done < 10:
            before = workspace.read_text(workspace.writable("n"))
            try:
                workspace.change_text(before, str(int(before.text) + 1))
            except ChangedError:
                continue
            done += 1

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert (room / "ws" / "n").read_text() == "80"


COUNTER = """
import sys
from reasonix_runtime.tools.errors import ChangedError
from reasonix_runtime.tools.support.workspace import Workspace
w = Workspace(sys.argv[1])
done = 0
sys.stdin.readline()
while done < 40:
    before = w.read_text(w.writable("n"))
    try:
        w.change_text(before, str(int(before.text) + 1))
    except ChangedError:
        continue
    done += 1
"""


def test_processes_that_count_in_one_file_lose_no_count(room: Path) -> None:
    """Two hosts may work in one repository."""
    (room / "ws" / "n").write_text("0")
    children = [
        subprocess.Popen([sys.executable, "-c", COUNTER, str(room / "ws")], stdin=subprocess.PIPE)
        for _ in range(3)
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"go\n")
        child.stdin.close()

    assert [child.wait() for child in children] == [0, 0, 0]
    assert (room / "ws" / "n").read_text() == "120"
    assert os.listdir(room / "ws") == ["n"]


@pytest.mark.parametrize("standing", ["a file", "a link", "a dangling link"])
def test_a_temporary_file_is_never_one_that_stands_there(room: Path, standing: str) -> None:
    """Somebody may put a link there between the removal of the old one and its creation."""
    name = room / "ws" / "t"
    if standing == "a file":
        name.write_text("theirs")
    else:
        name.symlink_to(room / "out" / ("secret" if standing == "a link" else "new"))
    directory = handles.open_directory(str(room / "ws"))
    try:
        with pytest.raises(FileExistsError):
            handles.create_file("t", within=directory)
    finally:
        os.close(directory)
    assert os.listdir(room / "out") == ["secret"]


NAMES = st.sampled_from(
    ["a", "b", "..", ".", "", "in", "out", "up", "ws", "root", "deep", "loop", "far", "~"]
) | st.sampled_from(["a", "in", "..", "."])


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a workspace full of links that lead everywhere."""
    top = tmp_path_factory.mktemp("farm")
    ws = top / "ws"
    (ws / "a" / "b").mkdir(parents=True)
    (top / "out").mkdir()
    (top / "out" / "secret").write_text("secret")
    (ws / "a" / "secret").write_text("mine")
    for name, target in {
        "in": "a",
        "out": "../out",
        "up": "..",
        "root": "/",
        "loop": "loop",
        "far": "a/deep",
    }.items():
        (ws / name).symlink_to(target)
    (ws / "a" / "deep").symlink_to("../up/out")
    (ws / "a" / "b" / "up").symlink_to("../..")
    return top


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(NAMES, max_size=6), absolute=st.sampled_from(["", "{ws}/", "{top}/", "/"]))
def test_no_combination_of_links_reads_outside(farm: Path, parts: list[str], absolute: str) -> None:
    """What is allowed is exactly what the system itself would find below the root."""
    ws = str(farm / "ws")
    path = absolute.format(ws=ws, top=farm) + "/".join((*parts, "secret"))
    workspace = Workspace(ws)
    try:
        data = workspace.read(workspace.locate(path)).data
    except ToolError:
        data = None
    found = os.path.realpath(os.path.join(ws, path))
    assert data == (b"mine" if found == str(farm / "ws" / "a" / "secret") else None)


WRITER = """
import sys
from reasonix_runtime.tools.support.workspace import Workspace
w = Workspace(sys.argv[1])
texts = ["a" * 300_000, "b" * 200_000]
print("ready", flush=True)
while True:
    for text in texts:
        w.change_text(w.read_text(w.writable("f")), text)
"""


@pytest.mark.slow
def test_a_writer_killed_at_any_moment_leaves_the_old_or_the_new_file(tmp_path: Path) -> None:
    """A power cut or an impatient user must never leave half a file."""
    (tmp_path / "f").write_text("a" * 300_000)
    for attempt in range(60):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE
        )
        assert child.stdout is not None
        child.stdout.readline()
        threading.Event().wait(0.0005 * attempt)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        text = (tmp_path / "f").read_text()
        assert text in ("a" * 300_000, "b" * 200_000)
        assert set(os.listdir(tmp_path)) <= {"f", atomic.TEMPORARY}

        write(Workspace(tmp_path), "f", "a" * 300_000)

        assert os.listdir(tmp_path) == ["f"]
