"""Many traces by several workers: whoever does the work, the report is the same."""

from __future__ import annotations

import json
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from places import CLASSIC, RECENT, TRACES
from runs import replay

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.parallel import cluster_client, clusters, remote_files
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.sessions import Options, Unreadable, results

pytest.importorskip("distributed")

SOME = CLASSIC / "compaction"


class Client:
    """Does what is asked of a Dask client in threads of its own, the latest first."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2)
        self._open: list[Future[Any]] = []
        self.most = 0

    def scheduler_info(self) -> dict[str, Any]:
        return {"workers": {"a": {}, "b": {}}}

    def submit(self, work: Callable[..., Any], *args: Any, pure: bool) -> Future[Any]:
        assert not pure, "equal work units would be done once"
        future = self._pool.submit(work, *args)
        # What was waited for is done before whoever waited goes on.
        self._open = [*(one for one in self._open if not one.done()), future]
        self.most = max(self.most, len(self._open))
        return future


def by_client(*paths: Path | str) -> tuple[list[TraceResult], list[str]]:
    unreadable: list[Unreadable] = []
    work = list(clusters.work_of(paths))
    found = list(clusters.gather(Client(), work, Options(receipts=True), unreadable))
    return found, [item.text for item in unreadable]


def by_one_process(*paths: Path) -> tuple[list[TraceResult], list[str]]:
    unreadable: list[Unreadable] = []
    found = list(results(paths, Options(receipts=True), unreadable))
    return found, [item.text for item in unreadable]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Return a folder with a trace, a file that is none, and one that is torn."""
    (tmp_path / "a.jsonl").write_bytes((SOME / "1.stream.jsonl").read_bytes())
    (tmp_path / "b.txt").write_text("notes\n")
    (tmp_path / "c.jsonl.gz").write_bytes(b"\x1f\x8b\x08\x00 torn")
    return tmp_path


def test_work_comes_back_in_the_order_of_the_paths() -> None:
    """A report that depends on who was faster cannot be compared."""
    assert by_one_process(SOME, RECENT) == by_client(SOME, RECENT)


def test_what_cannot_be_read_is_told_in_its_place(broken: Path) -> None:
    """The same sentences, whoever met the file."""
    assert by_one_process(broken) == by_client(broken)


def test_only_some_work_is_under_way_at_a_time() -> None:
    """Thousands of results at once would fill the memory of the one who asked."""
    client = Client()
    work = list(clusters.work_of([TRACES]))

    assert len(work) > 2 * clusters.AHEAD
    assert list(clusters.gather(client, work, Options(), []))
    assert client.most <= 2 * clusters.AHEAD


# -- files that are somewhere else


@pytest.fixture
def bucket(tmp_path: Path) -> str:
    """Return the address of recordings in a file system of fsspec."""
    pytest.importorskip("fsspec")
    for scenario in ("classic-2026-08/compaction", "reasonix-1.38.11/output-large"):
        shutil.copytree(TRACES / scenario, tmp_path / scenario)
    return tmp_path.as_uri()


def plain(found: list[TraceResult], root: str) -> list[Any]:
    """Return what results say, without where the files are."""
    return [
        (
            result.path.removeprefix(root).lstrip("/"),
            result.id,
            [
                (one.name, one.verdict, one.host, one.src and one.src.line)
                for one in result.verdicts
            ],
            [(diag.code, diag.text) for diag in result.diagnostics],
        )
        for result in found
    ]


def test_a_remote_folder_gives_what_a_local_one_does(bucket: str) -> None:
    """Side files, sub-agents, content stores and earlier runs are fetched with their trace."""
    local: list[TraceResult] = []
    for scenario in ("classic-2026-08/compaction", "reasonix-1.38.11/output-large"):
        local += by_one_process(TRACES / scenario)[0]
    remote, unreadable = by_client(bucket)

    assert [] == unreadable
    assert plain(local, str(TRACES)) == plain(remote, bucket)


def test_a_remote_file_by_itself_begins_with_the_runs_before_it(bucket: str) -> None:
    """The second run cites a command of the first."""
    remote, _ = by_client(f"{bucket}/classic-2026-08/compaction/2.stream.jsonl")

    assert {"agree"} == {one.agreement.value for one in remote[0].verdicts}


def test_no_file_is_written_outside_of_its_folder(tmp_path: Path) -> None:
    """Names on a remote system are chosen by somebody else."""
    with pytest.raises(ConformanceError, match="lies outside"):
        remote_files._place(tmp_path, "memory:///b", "memory:///b/../../etc/x")


# -- the command


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["s3://bucket/a"], "is read by --engine dask"),
        ([SOME, "--scheduler", "tcp://127.0.0.1:1"], "--scheduler is for --engine dask"),
        ([SOME, "--engine", "dask", "--format", "neutral"], "in one process"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(
    args: list[object], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Silently doing something else is worse than not doing it."""
    code, _, err = replay(capsys, *args)

    assert (2, True) == (code, expected in err)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_local_cluster_reports_as_one_process_does(
    jobs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Engine and number of workers change the time, and not a byte."""
    shared = (SOME, "--format", "json", "--receipts")
    _, expected, _ = replay(capsys, *shared)

    code, found, _ = replay(capsys, *shared, "--engine", "dask", "--jobs", jobs)

    assert 0 == code
    assert json.loads(expected)["traces"]
    assert expected == found


# -- a cluster that is there, or is not


@pytest.fixture
def listener() -> Iterator[Callable[[bytes], str]]:
    """Return the address of something that takes connections, says these bytes, and waits."""
    with ExitStack() as stack:

        def listen(said: bytes) -> str:
            server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))

            def answer() -> None:
                with suppress(OSError):
                    while True:
                        peer = stack.enter_context(server.accept()[0])
                        peer.sendall(said)

            threading.Thread(target=answer, daemon=True).start()
            return f"tcp://127.0.0.1:{server.getsockname()[1]}"

        yield listen


@pytest.mark.parametrize(
    ("said", "patience", "expected"),
    [
        (None, 1, "no scheduler answered within 1 seconds"),
        (b"", 1, "no scheduler answered within 1 seconds"),
        (b"HTTP/1.1 400 Bad Request\r\n" * 9, 60, "is no Dask scheduler of a version that fits"),
    ],
)
def test_an_address_where_no_scheduler_answers_is_told(
    said: bytes | None,
    patience: int,
    expected: str,
    listener: Callable[[bytes], str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nobody there, somebody silent, somebody else: an end, a sentence, no traceback."""
    monkeypatch.setattr(cluster_client, "PATIENCE", patience)
    address = "tcp://127.0.0.1:9" if said is None else listener(said)

    code, out, err = replay(capsys, SOME, "--engine", "dask", "--scheduler", address)

    assert (2, "") == (code, out)
    assert f"--scheduler {address}: " in err
    assert expected in err
    assert "Traceback" not in err


@pytest.mark.parametrize("address", ["nonsense", "foo://x:1"])
def test_what_is_no_address_is_told(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence shows what one looks like."""
    code, out, err = replay(capsys, SOME, "--engine", "dask", "--scheduler", address)

    assert (2, "") == (code, out)
    assert "give an address such as tcp://host:8786" in err


@pytest.mark.slow
def test_a_scheduler_by_its_address_reports_as_one_process_does(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With and without the scheme; one without workers, and a worker, are told as what they are."""
    from distributed import LocalCluster

    shared = (SOME, "--format", "json", "--receipts")
    dask = (*shared, "--engine", "dask", "--scheduler")
    expected = replay(capsys, *shared)
    with LocalCluster(n_workers=0, threads_per_worker=1, **cluster_client.ALONE) as cluster:
        address = cluster.scheduler_address
        code, _, err = replay(capsys, *dask, address)
        assert (2, True) == (code, "the cluster has had no worker for 10 seconds" in err)

        cluster.scale(2)
        cluster.wait_for_workers(2)
        assert expected == replay(capsys, *dask, address)
        assert expected == replay(capsys, *dask, address.removeprefix("tcp://"))

        worker = next(iter(cluster.scheduler_info["workers"]))
        code, _, err = replay(capsys, *dask, worker)
        assert (2, True) == (code, "that is a Worker, and no scheduler" in err)


@pytest.mark.slow
def test_a_cluster_that_loses_its_workers_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that takes all memory kills one worker after the other, until Dask gives up on it."""
    monkeypatch.setattr(clusters, "_local", die)

    code, _, err = replay(capsys, SOME, "--engine", "dask")

    assert 2 == code
    assert "the cluster lost the work" in err or "the cluster has lost its last worker" in err


def die(*_: Any) -> Any:
    """End the process that this runs in."""
    os._exit(9)


@pytest.mark.slow
def test_two_local_clusters_run_beside_each_other_and_listen_to_this_machine_only() -> None:
    """A user may have a cluster of their own, and traces are nobody else's business."""
    with cluster_client.connected(None, 1) as one, cluster_client.connected(None, 1) as other:
        for client in (one, other):
            told = client.scheduler_info()
            found = [told["address"], *told["workers"]]
            assert {address.rpartition(":")[0] for address in found} == {"tcp://127.0.0.1"}
            served = client.cluster.scheduler.http_server.port
            assert served > 0
            assert 8787 != served
