"""Traces in buckets: `s3://` and `gs://` against servers on the loopback."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from loopback import Loopback, Quiet
from places import CLASSIC

from reasonix_conformance.cli import main
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.parallel import clusters, remote_files
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.reports import sarif
from reasonix_conformance.traces.sessions import Options, Unreadable, results

pytest.importorskip("fsspec")

SCENARIO = CLASSIC / "compaction"
SECRET = "hunter2hunter2"
PACKED = "packed/one.jsonl.gz"


def stored() -> dict[str, bytes]:
    """Return what lies in the bucket: a scenario with its side files, and a packed trace."""
    found = {
        f"compaction/{path.relative_to(SCENARIO).as_posix()}": path.read_bytes()
        for path in sorted(SCENARIO.rglob("*"))
        if path.is_file()
    }
    return {**found, PACKED: gzip.compress((SCENARIO / "1.stream.jsonl").read_bytes())}


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the address of a bucket of an S3 server."""
    s3fs = pytest.importorskip("s3fs", reason="needs s3fs")
    server_module = pytest.importorskip("moto.server", reason="needs moto[server]")
    botocore = pytest.importorskip("botocore.session")
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    client = botocore.get_session().create_client("s3")
    client.create_bucket(Bucket="traces")
    for name, data in stored().items():
        client.put_object(Bucket="traces", Key=name, Body=data)
    s3fs.S3FileSystem.clear_instance_cache()
    yield "s3://traces"
    s3fs.S3FileSystem.clear_instance_cache()
    server.stop()


class Storage(Quiet):
    """Answers the calls of the storage API that reading needs: list, describe, fetch."""

    def do_GET(self) -> None:  # noqa: N802 - the server calls it so
        url = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(url.query).items()}
        bucket, mark, name = url.path.partition("/b/")[2].partition("/o")
        name = unquote(name.lstrip("/"))
        files = stored() if bucket == "traces" else {}
        if mark and bucket != "traces":
            self._answer(404, b'{"error": {"code": 404, "message": "no such bucket"}}')
        elif not mark:
            self._answer(200, json.dumps({"name": bucket}).encode())
        elif not name:
            self._answer(200, json.dumps(self._listing(files, query)).encode())
        elif name not in files:
            self._answer(404, b'{"error": {"code": 404, "message": "no such object"}}')
        elif query.get("alt") == "media" or url.path.startswith("/download/"):
            self._answer(200, files[name])
        else:
            self._answer(200, json.dumps(described(name, files[name])).encode())

    def _listing(self, files: dict[str, bytes], query: dict[str, str]) -> dict[str, object]:
        prefix, mark = query.get("prefix", ""), query.get("delimiter", "")
        below = [name for name in files if name.startswith(prefix)]
        folders = {
            prefix + name[len(prefix) :].partition(mark)[0] + mark
            for name in below
            if mark and mark in name[len(prefix) :]
        }
        items = [described(name, files[name]) for name in below
                 if not any(name.startswith(folder) for folder in folders)]  # fmt: skip
        return {"items": items, "prefixes": sorted(folders)}

    def _answer(self, code: int, body: bytes) -> None:
        headers = {"Content-Length": str(len(body)), "Content-Type": "application/json"}
        self.answer((code, headers, body))


def described(name: str, data: bytes) -> dict[str, object]:
    return {
        "name": name,
        "bucket": "traces",
        "size": str(len(data)),
        "generation": "1",
        "updated": "2026-08-01T00:00:00.000Z",
        "timeCreated": "2026-08-01T00:00:00.000Z",
    }


@pytest.fixture
def gs(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the address of a bucket of a storage server."""
    gcsfs = pytest.importorskip("gcsfs", reason="needs gcsfs")
    server = Loopback(Storage)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", server.url)
    gcsfs.GCSFileSystem.clear_instance_cache()
    yield "gs://traces"
    gcsfs.GCSFileSystem.clear_instance_cache()
    server.close()


@pytest.fixture(params=["s3", "gs"])
def bucket(request: pytest.FixtureRequest) -> str:
    """Return the address of a bucket, one kind after the other."""
    found: str = request.getfixturevalue(request.param)
    return found


def read(address: str) -> tuple[list[tuple[object, ...]], list[str]]:
    """Return what is found at an address, as the workers find it, and what could not be read."""
    unreadable: list[Unreadable] = []
    found: list[TraceResult] = []
    for work in clusters.work_of([address]):
        traces, problem = work(Options())
        found += traces
        unreadable += [problem] if problem else []
    return told(found, f"{address}/"), [item.text for item in unreadable]


def told(found: list[TraceResult], root: str) -> list[tuple[object, ...]]:
    """Return what results say, with places below the root."""
    return [
        (
            trace.path.removeprefix(root),
            trace.id,
            [
                (one.name, one.verdict, one.host, one.src.file.removeprefix(root), one.src.line)
                for one in trace.verdicts
                if one.src
            ],
        )
        for trace in found
    ]


def local(folder: Path) -> list[tuple[object, ...]]:
    return told(list(results([folder], Options(), [])), f"{folder}/")


Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return the command on a cluster, as a user runs it: (exit code, output, errors)."""

    def run(*args: str) -> tuple[int, str, str]:
        code = main(["replay", *args, "--engine", "dask"])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.mark.slow
def test_a_folder_of_a_bucket_gives_what_a_local_one_does(bucket: str) -> None:
    """Walked with its side files; every verdict points into the bucket and not to a copy."""
    found, unreadable = read(f"{bucket}/compaction")

    assert ([], True) == (unreadable, len(found) > 4)
    assert local(SCENARIO) == found


@pytest.mark.slow
def test_one_file_is_read_by_itself_and_unpacked(bucket: str) -> None:
    """A packed file is told by its content, there as here."""
    (trace,), unreadable = read(f"{bucket}/{PACKED}")

    assert [] == unreadable
    assert f"{bucket}/{PACKED}" == trace[0]
    assert trace[2]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["traces/nothing", "nobody/traces", "nobody"])
def test_what_is_not_there_is_told(path: str, bucket: str) -> None:
    """A mistyped folder, a mistyped bucket: an error, not an empty report."""
    address = f"{bucket.partition('://')[0]}://{path}"

    with pytest.raises(ConformanceError, match=f"^{address}: "):
        list(clusters.work_of([address]))


@pytest.mark.slow
def test_the_number_of_workers_changes_nothing(s3: str, command: Command) -> None:
    """A report is compared with that of yesterday."""
    given = (f"{s3}/compaction", "--format", "json", "--receipts")

    expected = command(*given, "--jobs", "1")

    assert (0, "") == (expected[0], expected[2])
    assert f'"path": "{s3}/compaction/1.stream.jsonl"' in expected[1]
    assert "/tmp/" not in expected[1]
    assert expected == command(*given, "--jobs", "2")


@pytest.mark.slow
def test_without_credentials_it_is_told_what_to_set(
    s3: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the variables, and nothing of what is in them."""
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nowhere")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nowhere")

    with pytest.raises(ConformanceError, match=r"it may not be read .*AWS_ACCESS_KEY_ID"):
        list(clusters.work_of([s3]))


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_told(s3: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no secret of the environment with it."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")

    with pytest.raises(ConformanceError, match="it cannot be read") as caught:
        list(clusters.work_of([s3]))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "error", "said"),
    [
        ("s3://b", ImportError("Install s3fs"), "pip install s3fs"),
        ("gs://b", ImportError("Please install gcsfs"), "pip install gcsfs"),
        ("x://b", ImportError("x"), "pip install 'reasonix-conformance[dask]'"),
        ("gs://b", PermissionError("Forbidden"), "GOOGLE_APPLICATION_CREDENTIALS"),
        ("s3://b", PermissionError("Access Denied"), "(Access Denied); set AWS_PROFILE"),
        ("s3://b", OSError(f"https://me:{SECRET}@host/b: gone\nmore"), "me:[secret]@host/b: gone)"),
        ("x://b", RuntimeError(), "it cannot be read (RuntimeError)"),
    ],
)
def test_an_error_of_a_file_system_says_what_to_do(
    address: str, error: Exception, said: str
) -> None:
    """Each system raises errors of its own; none of them is a traceback of ours."""
    with pytest.raises(ConformanceError) as caught, remote_files._told(address):
        raise error

    assert said in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_protocol_that_nobody_knows_is_told() -> None:
    """A typing mistake in the first letters."""
    with pytest.raises(ConformanceError, match=r"^s4://b/x: it cannot be read"):
        list(clusters.work_of(["s4://b/x"]))


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("s3://b/a b.jsonl", "s3://b/a%20b.jsonl"),
        ("gs://b/x#1.jsonl", "gs://b/x%231.jsonl"),
        ("a b.jsonl", "a%20b.jsonl"),
        ("/a b.jsonl", "file:///a%20b.jsonl"),
    ],
)
def test_a_place_in_sarif_is_a_uri(path: str, expected: str) -> None:
    """A service that shows the finding opens the trace where it lies."""
    assert expected == sarif._uri(path)
