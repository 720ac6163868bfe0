"""One HTTP GET: redirects by hand, every connected address judged, bounded in size and time."""

from __future__ import annotations

import http
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.durations import short_duration
from reasonix_runtime.tools.web_fetch import addresses
from reasonix_runtime.tools.web_fetch.unpacking import PackingError, unpacked

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 1024 * 1024
"""Bytes of a body that are read; that there is more is told."""

MOST_REDIRECTS = 10
"""How many redirects are followed."""

TIME_LIMIT_S = 15.0
"""For the whole exchange, redirects and body included."""

HEADERS = {
    "User-Agent": "reasonix-web-fetch/1.0",
    "Accept": "text/html, text/plain;q=0.9, text/markdown;q=0.9, application/json;q=0.8, */*;q=0.5",
    # A compressed body could be any size once it is read.
    "Accept-Encoding": "identity",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What came back: `status` is code and text, `cut` tells that the body was longer."""

    url: str
    status: str
    media_type: str
    charset: str | None
    body: bytes
    cut: bool


class _Clock:
    """The time that is left for an exchange."""

    def __init__(self, cancellation: Cancellation) -> None:
        self._end = time.monotonic() + TIME_LIMIT_S
        self._cancellation = cancellation

    def left(self) -> float:
        """Return the seconds that are left; raises TimeoutError, or ToolError when cancelled."""
        if self._cancellation.requested:
            raise ToolError("cancelled before the page was complete")
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"took longer than {short_duration(TIME_LIMIT_S)}")
        return left


def fetch(url: str, *, allowed: Sequence[str], cancellation: Cancellation) -> Page:
    """Get a page; any HTTP status is a page. Raises ToolError for what could not be fetched.

    `allowed` are networks that may be reached although they are not public.
    """
    target = _address(url)
    outcome: list[Page | Exception] = []
    done = threading.Event()

    def work() -> None:
        """Follow the address to its page, or keep why there is none."""
        try:
            outcome.append(_follow(target, allowed, _Clock(cancellation)))
        except Exception as error:  # raised again by who waits for this thread
            outcome.append(error)
        done.set()

    # On a thread of its own: a resolver, or a server that sends its headers byte by byte, knows
    # no limit for the whole. What comes too late is left to end by itself.
    threading.Thread(target=work, daemon=True).start()
    with cancellation.calling(done.set):
        done.wait(TIME_LIMIT_S)
    found = outcome[0] if outcome else _too_late(cancellation)
    if isinstance(found, Page):
        return found
    raise _told(found, url) from found


def _too_late(cancellation: Cancellation) -> Exception:
    if cancellation.requested:
        return ToolError("cancelled before the page was complete")
    return TimeoutError(f"took longer than {short_duration(TIME_LIMIT_S)}")


def _told(error: Exception, url: str) -> Exception:
    """Return the error as the caller is told it; a fault of ours stays what it is."""
    import httpx

    if isinstance(error, _BodyError):
        return ToolError(f"read body: {error}")
    if isinstance(error, ToolError | httpx.HTTPError | httpx.InvalidURL | OSError):
        return ToolError(f"fetch {url}: {str(error) or type(error).__name__}")
    return error


def _follow(target: httpx.URL, allowed: Sequence[str], clock: _Clock) -> Page:
    for _ in range(MOST_REDIRECTS + 1):
        page, location = _exchange(target, allowed, clock)
        if location is None:
            return page
        target = _address(str(target.join(location)))
    raise ToolError(f"stopped after {MOST_REDIRECTS} redirects")


class _BodyError(Exception):
    """The body broke off; there is no partial text."""


def _address(url: str) -> httpx.URL:
    import httpx

    try:
        parsed = httpx.URL(url)
        host = parsed.host
    except (httpx.InvalidURL, ValueError) as error:
        raise ToolError("url must be an absolute http(s) address") from error
    if parsed.scheme not in {"http", "https"} or not host:
        raise ToolError("url must be an absolute http(s) address")
    return parsed


def _exchange(url: httpx.URL, allowed: Sequence[str], clock: _Clock) -> tuple[Page, str | None]:
    """Do one request on a connection of its own; return the page and where it redirects to."""
    import httpx

    host = url.raw_host.decode("ascii")
    port = url.port or (443 if url.scheme == "https" else 80)
    address = addresses.checked(host, addresses.resolve(host, port), allowed)
    # The connection goes to the address that was checked. The name stays in the Host header and
    # in the TLS handshake, where the certificate is checked against it.
    request = httpx.Request("GET", url, headers=HEADERS)
    request.url = url.copy_with(host=address)
    request.extensions = {
        "sni_hostname": host,
        "timeout": httpx.Timeout(clock.left()).as_dict(),
    }
    with httpx.HTTPTransport(trust_env=False) as transport:
        response = transport.handle_request(request)
        location = response.headers.get("location") if response.has_redirect_location else None
        try:
            body, cut = (b"", False) if location else _body(response, clock)
        finally:
            response.close()
    content_type = response.headers.get("content-type", "")
    page = Page(
        url=str(url),
        status=_status(response),
        media_type=content_type.partition(";")[0].strip().lower(),
        charset=response.charset_encoding,
        body=body,
        cut=cut,
    )
    return page, location


def _body(response: httpx.Response, clock: _Clock) -> tuple[bytes, bool]:
    """Read at most `MOST_BYTES`; tell whether there is more."""
    import httpx

    body = bytearray()
    try:
        coding = response.headers.get("content-encoding", "")
        for chunk in unpacked(response.iter_raw(), coding):
            body += chunk
            if len(body) > MOST_BYTES:
                return bytes(body[:MOST_BYTES]), True
            clock.left()
    except (httpx.HTTPError, OSError, PackingError) as error:
        raise _BodyError(str(error) or type(error).__name__) from error
    return bytes(body), False


def _status(response: httpx.Response) -> str:
    try:
        return f"{response.status_code} {http.HTTPStatus(response.status_code).phrase}"
    except ValueError:
        return str(response.status_code)
