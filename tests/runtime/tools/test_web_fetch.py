"""`web_fetch` against real servers on loopback: what is fetched, and what never is."""

from __future__ import annotations

import http.server
import shutil
import socket
import ssl
import subprocess
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from loopback import Answer, Loopback, Quiet
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.web_fetch import addresses, fetching
from reasonix_runtime.tools.web_fetch.unpacking import unpacked


class Site(Loopback):
    """A server that answers each path with what a test put there, and remembers who asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer | Callable[[Any], None]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        site = self

        class Handler(Quiet):
            def do_GET(self) -> None:  # noqa: N802 - the server calls it so
                site.requests.append((self.path, dict(self.headers)))
                gone = (404, {"Content-Type": "text/plain"}, b"gone")
                self.answer(site.answers.get(self.path, gone))

        super().__init__(Handler)

    def put(self, path: str, body: bytes | str, kind: str = "text/plain", code: int = 200) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.answers[path] = (code, {"Content-Type": kind} if kind else {}, data)


@pytest.fixture
def site() -> Iterator[Site]:
    """Serve pages on loopback."""
    site = Site()
    yield site
    site.close()


@pytest.fixture
def web(make_bench: MakeBench) -> Bench:
    """Make a host that allows loopback."""
    return make_bench(settings=ToolSettings(allowed_networks=("127.0.0.0/8",)))


@pytest.mark.parametrize(
    ("says", "body", "kind", "code", "text"),
    [
        ("text as it is, trimmed", "\n a \u00b7\n\n\n\nb \n", "text/plain; charset=utf-8", 200,
         "status 200 OK · text/plain · 13 bytes\n\na \u00b7\n\n\n\nb"),
        ("JSON verbatim", '{"a":  1}', "Application/JSON", 200,
         'status 200 OK · application/json · 9 bytes\n\n{"a":  1}'),
        ("Markdown verbatim", "# a\n* b", "text/markdown", 200,
         "status 200 OK · text/markdown · 7 bytes\n\n# a\n* b"),
        ("any status is a page", "gone", "text/plain", 404,
         "status 404 Not Found · text/plain · 4 bytes\n\ngone"),
        ("also 500", "oops", "text/plain", 500,
         "status 500 Internal Server Error · text/plain · 4 bytes\n\noops"),
        ("HTML by its type", "<p>a</p><p>b</p>", "text/html", 200,
         "status 200 OK · text/html · 16 bytes\n\na\n\nb"),
        ("HTML by its beginning", "<!DOCTYPE HTML><p>a", "", 200,
         "status 200 OK · unknown type · 19 bytes\n\na"),
        ("text that is sent as HTML", "a/b &amp; c", "text/html", 200,
         "status 200 OK · text/html · 11 bytes\n\na/b & c"),
        ("nothing", "  \n", "text/plain", 200, "(empty body — status 200 OK)"),
        ("nothing to read", "<script>x</script>", "text/html", 200, "(empty body — status 200 OK)"),
        ("the stated charset", "caf\u00e9".encode("latin-1"), "text/plain; charset=latin-1", 200,
         "status 200 OK · text/plain · 4 bytes\n\ncafé"),
        ("the charset of a meta tag", b'<html><meta charset="gb2312"><p>\xc4\xe3\xba\xc3',
         "text/html", 200, "status 200 OK · text/html · 36 bytes\n\n你好"),
        ("the mark wins", b"\xef\xbb\xbfa", "text/plain; charset=latin-1", 200,
         "status 200 OK · text/plain · 4 bytes\n\na"),
        ("an unknown charset", b"a", "text/plain; charset=nix", 200,
         "status 200 OK · text/plain · 1 bytes\n\na"),
        ("a charset that is none of text", b"a\xff", "text/plain; charset=idna", 200,
         "status 200 OK · text/plain · 2 bytes\n\na\ufffd"),
        ("a charset that never decodes", b"a", "text/plain; charset=undefined", 200,
         "status 200 OK · text/plain · 1 bytes\n\na"),
        ("a charset that is code", b"a\\x41", "text/plain; charset=unicode_escape", 200,
         "status 200 OK · text/plain · 5 bytes\n\na\\x41"),
        ("such a one in a meta tag", b"<html><meta charset=punycode><p>\xc3\xa9",
         "text/html", 200, "status 200 OK · text/html · 34 bytes\n\n\u00e9"),
    ],
)  # fmt: skip
def test_web_fetch(
    web: Bench, site: Site, says: str, body: str | bytes, kind: str, code: int, text: str
) -> None:
    """Status, type and size, an empty line, the text."""
    site.put("/p", body, kind, code)

    assert web.ok("web_fetch", url=f"{site.url}/p") == text, says


def test_binary_is_told_and_not_shown(web: Bench, site: Site) -> None:
    """An image as text is noise that costs tokens."""
    site.put("/p", b"\x89PNG\0\0", "image/png")

    assert web.ok("web_fetch", url=f"{site.url}/p") == (
        "status 200 OK · image/png · 6 bytes\n\n"
        f"(binary body, not shown; use bash to download {site.url}/p)"
    )


def test_the_request_gives_nothing_away(web: Bench, site: Site) -> None:
    """No cookies, no headers of the caller, and a name that says who asks."""
    site.answers["/a"] = (302, {"Location": "/b", "Set-Cookie": "k=v"}, b"")
    site.put("/b", "x")

    web.ok("web_fetch", url=f"{site.url}/a")

    headers = {key.lower(): value for key, value in site.requests[1][1].items()}
    assert headers["user-agent"] == "reasonix-web-fetch/1.0"
    assert headers["host"] == f"127.0.0.1:{site.server.server_port}"
    assert not {"cookie", "authorization", "referer"} & set(headers)


def test_redirects_are_followed_ten_times(web: Bench, site: Site) -> None:
    """Relative ones too; an eleventh is a loop."""
    for number in range(11):
        site.answers[f"/{number}"] = (302, {"Location": str(number + 1)}, b"")
    site.put("/11", "end")

    assert web.ok("web_fetch", url=f"{site.url}/1").endswith("end")
    message = web.fails("web_fetch", url=f"{site.url}/0")
    assert message == f"fetch {site.url}/0: stopped after 10 redirects\n"


def test_a_body_over_one_mebibyte_is_cut_and_told(web: Bench, site: Site) -> None:
    """A silent cut would pass for the whole page."""
    site.put("/exact", b"x" * fetching.MOST_BYTES)
    site.put("/more", b"x" * (fetching.MOST_BYTES + 1))

    exact = web.call("web_fetch", url=f"{site.url}/exact").body
    more = web.call("web_fetch", url=f"{site.url}/more").body

    assert "1048576 bytes\n\nx" in exact
    assert exact.endswith("x")
    assert more.endswith("x\n\n[body cut at 1048576 bytes]")


def test_a_compressed_body_cannot_grow_beyond_the_limit(web: Bench, site: Site) -> None:
    """Some servers compress unasked; the limit holds for what comes out."""
    packer = zlib.compressobj(wbits=31)
    data = packer.compress(b"x" * 20_000_000) + packer.flush()
    site.answers["/z"] = (200, {"Content-Encoding": "gzip", "Content-Type": "text/plain"}, data)

    assert "[body cut at 1048576 bytes]" in web.call("web_fetch", url=f"{site.url}/z").body


def packed(data: bytes, bits: int) -> bytes:
    packer = zlib.compressobj(wbits=bits)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("says", "coding", "body"),
    [
        ("gzip", "gzip", packed(b"hello " * 50_000, 31)),
        ("its old name, in any case", "X-GZip", packed(b"hello " * 50_000, 31)),
        (
            "in two members",
            "gzip",
            packed(b"hello " * 20_000, 31) + packed(b"hello " * 30_000, 31),
        ),
        ("with zeros behind it", "gzip", packed(b"hello " * 50_000, 31) + b"\0" * 9),
        ("deflate", "deflate", packed(b"hello " * 50_000, 15)),
        ("deflate without a header", "deflate", packed(b"hello " * 50_000, -15)),
        ("nothing", "identity", b"hello " * 50_000),
    ],
)
def test_a_packed_body_is_unpacked(
    web: Bench, site: Site, says: str, coding: str, body: bytes
) -> None:
    """Nothing is asked to be packed; some servers do it all the same."""
    site.answers["/z"] = (200, {"Content-Encoding": coding, "Content-Type": "text/plain"}, body)

    text = web.call("web_fetch", url=f"{site.url}/z").body

    assert text == "status 200 OK · text/plain · 300000 bytes\n\n" + ("hello " * 50_000).strip()


@pytest.mark.parametrize(
    ("says", "coding", "body", "message"),
    [
        ("cut off", "gzip", packed(b"hello " * 50_000, 31)[:-20], "the packed data ends in the"),
        ("cut off early", "gzip", packed(b"hello " * 50_000, 31)[:12], "the packed data ends in"),
        ("not what it says", "gzip", b"plain", "Error -3 while decompressing data"),
        ("damaged", "gzip", packed(b"hello " * 50_000, 31)[:-8] + b"x" * 8, "Error -3"),
        ("a way we do not read", "br", b"?", "it is packed as 'br', which was not asked for"),
        ("twice", "gzip, gzip", packed(packed(b"x" * 9, 31), 31), "it is packed as 'gzip, gzip'"),
    ],
)
def test_a_packed_body_that_cannot_be_read_whole_gives_no_text(
    web: Bench, site: Site, says: str, coding: str, body: bytes, message: str
) -> None:
    """Half a page, or bytes that are no page, must not be read as the page."""
    site.answers["/z"] = (200, {"Content-Encoding": coding, "Content-Type": "text/plain"}, body)

    assert web.fails("web_fetch", url=f"{site.url}/z").startswith(f"read body: {message}"), says


def test_an_empty_body_needs_no_end(web: Bench, site: Site) -> None:
    """An answer without a body may still name its packing."""
    site.answers["/z"] = (200, {"Content-Encoding": "gzip"}, b"")

    assert web.ok("web_fetch", url=f"{site.url}/z") == "(empty body — status 200 OK)"


def test_unpacking_never_holds_more_than_a_piece() -> None:
    """A few thousand bytes stand for gigabytes; they must not all be in memory at once."""
    data = packed(b"x" * 20_000_000, 31)

    sizes = [len(piece) for piece in unpacked([data], "gzip")]

    assert sum(sizes) == 20_000_000
    assert max(sizes) <= 65536


@given(st.binary(max_size=300), st.sampled_from([31, 15, -15]), st.integers(1, 40))
def test_a_packed_body_may_be_cut_anywhere_on_its_way(data: bytes, bits: int, size: int) -> None:
    """The network decides where the pieces end."""
    body = packed(data, bits)
    pieces = [body[at : at + size] for at in range(0, len(body), size)]

    assert b"".join(unpacked(pieces, "gzip" if bits == 31 else "deflate")) == data


def test_the_time_limit_is_for_the_whole_exchange(
    web: Bench, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that sends a byte now and then must not hold the turn for ever."""
    monkeypatch.setattr(fetching, "TIME_LIMIT_S", 0.3)

    over = threading.Event()

    def drip(handler: Any) -> None:
        handler.send_response(200)
        handler.end_headers()
        for _ in range(1000):
            if over.wait(0.02):
                return
            handler.wfile.write(b"x")

    site.answers["/slow"] = drip

    message = web.fails("web_fetch", url=f"{site.url}/slow")

    over.set()
    assert message.endswith(": took longer than 300ms\n")


def test_headers_that_come_byte_by_byte_do_not_stretch_the_limit(
    web: Bench, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each byte in time, and the whole never."""
    monkeypatch.setattr(fetching, "TIME_LIMIT_S", 0.3)

    over = threading.Event()

    def drip(handler: Any) -> None:
        for _ in range(1000):
            if over.wait(0.02):
                return
            handler.wfile.write(b"H")

    site.answers["/slow"] = drip

    message = web.fails("web_fetch", url=f"{site.url}/slow")

    over.set()
    assert f"fetch {site.url}/slow: took longer than 300ms\n" == message


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_certificate_that_nobody_vouches_for_is_refused(web: Bench, tmp_path: Path) -> None:
    """The connection goes to an address, and the certificate must still be that of the name."""
    key, cert = tmp_path / "key.pem", tmp_path / "cert.pem"
    subprocess.run(
        f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost "
        f"-keyout {key} -out {cert}",
        shell=True,
        check=True,
        capture_output=True,
    )
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda request, address: None  # type: ignore[method-assign]  # prints
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()

    message = web.fails("web_fetch", url=f"https://127.0.0.1:{server.server_port}/")
    server.shutdown()
    server.server_close()

    assert "certificate verify failed" in message


def test_a_broken_body_gives_no_partial_text(web: Bench, site: Site) -> None:
    """Half a page must not be read as the page."""

    def broken(handler: Any) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"half")

    site.answers["/b"] = broken

    assert web.fails("web_fetch", url=f"{site.url}/b").startswith("read body: ")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("", "url is required\n"),
        ("example.com/x", "url must be an absolute http(s) address\n"),
        ("/x", "url must be an absolute http(s) address\n"),
        ("ftp://example.com", "url must be an absolute http(s) address\n"),
        ("file:///etc/passwd", "url must be an absolute http(s) address\n"),
        ("http://", "url must be an absolute http(s) address\n"),
        ("http://xn--/", "url must be an absolute http(s) address\n"),
        ("http://a\u2028b/", "url must be an absolute http(s) address\n"),
    ],
)
def test_only_absolute_web_addresses_are_fetched(bench: Bench, url: str, message: str) -> None:
    """There is no local file access."""
    assert bench.fails("web_fetch", url=url) == message


def test_a_port_without_a_server_is_an_error(web: Bench) -> None:
    """Not a page."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    message = web.fails("web_fetch", url=f"http://127.0.0.1:{port}/")

    assert message.startswith(f"fetch http://127.0.0.1:{port}/: ")
    assert "refused" in message


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://2130706433/", "http://127.1/"])
def test_loopback_is_refused_unless_allowed(bench: Bench, url: str) -> None:
    """However it is written."""
    message = bench.fails("web_fetch", url=url)

    assert "refusing to fetch internal address" in message
    assert "(resolves to 127.0.0.1)" in message


def test_each_hop_is_judged(web: Bench, site: Site) -> None:
    """A public page may point anywhere."""
    site.answers["/a"] = (302, {"Location": "http://169.254.169.254/latest"}, b"")
    site.answers["/f"] = (302, {"Location": "file:///etc/passwd"}, b"")

    assert web.fails("web_fetch", url=f"{site.url}/a") == (
        f"fetch {site.url}/a: refusing to fetch internal address 169.254.169.254 "
        "(resolves to 169.254.169.254)\n"
    )
    assert "url must be an absolute" in web.fails("web_fetch", url=f"{site.url}/f")


def test_the_checked_address_is_the_one_connected_to(
    web: Bench, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that answers differently a moment later changes nothing."""
    answers = iter([["127.0.0.1"], ["169.254.169.254"]])
    monkeypatch.setattr(addresses, "resolve", lambda host, port: next(answers))
    site.put("/p", "mine")

    text = web.ok("web_fetch", url=f"http://name.example:{site.server.server_port}/p")

    assert text.endswith("mine")
    assert site.requests[0][1]["Host"] == f"name.example:{site.server.server_port}"
    assert next(answers) == ["169.254.169.254"]


def test_a_name_that_does_not_resolve_is_an_error(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And one that takes too long as well."""

    def missing(*args: Any, **kwargs: Any) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(addresses.socket, "getaddrinfo", missing)
    assert bench.fails("web_fetch", url="http://no.example/") == (
        "fetch http://no.example/: [Errno -2] Name or service not known\n"
    )
    over = threading.Event()
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *a, **k: over.wait(30) and [])
    monkeypatch.setattr(fetching, "TIME_LIMIT_S", 0.05)
    message = bench.fails("web_fetch", url="http://no.example/")
    over.set()
    assert "fetch http://no.example/: took longer than 50ms\n" == message


def test_a_cancelled_fetch_stops(web: Bench, site: Site) -> None:
    """The user pressed stop."""
    from reasonix_runtime.tools.support.cancellation import Cancellation
    from reasonix_runtime.tools.web_fetch.behaviour import run

    cancellation = Cancellation()
    cancellation.cancel()

    with pytest.raises(ToolError, match="cancelled before the page was complete"):
        run({"url": site.url}, replace(web.context, cancellation=cancellation))


def test_each_call_asks_once_and_asks_for_the_page_alone(web: Bench, site: Site) -> None:
    """Nothing is kept from an earlier call, nothing tried again, and no other page looked at."""

    def broken(handler: Any) -> None:
        handler.close_connection = True

    site.put("/p", "one")
    site.answers["/broken"] = broken

    first = web.ok("web_fetch", url=f"{site.url}/p")
    site.put("/p", "two")
    second = web.ok("web_fetch", url=f"{site.url}/p")
    web.fails("web_fetch", url=f"{site.url}/broken")

    assert (first[-3:], second[-3:]) == ("one", "two")
    assert [path for path, _ in site.requests] == ["/p", "/p", "/broken"]
    accept = {key.lower(): value for key, value in site.requests[0][1].items()}["accept"]
    preferred = [part.split(";")[0] for part in accept.split(", ")]
    assert preferred == ["text/html", "text/plain", "text/markdown", "application/json", "*/*"]
    assert "content-length" not in {key.lower() for key in site.requests[0][1]}


def test_the_limits_are_those_of_the_contract() -> None:
    """Fifteen seconds for everything, one mebibyte of body."""
    assert (fetching.TIME_LIMIT_S, fetching.MOST_BYTES) == (15, 1_048_576)
