"""One HTTP GET: redirects by hand, every connected address judged, bounded in size and time."""

from __future__ import annotations

import http
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasonix_runtime.tools import addresses
from reasonix_runtime.tools.cancellation import Cancellation
from reasonix_runtime.tools.durations import short_duration
from reasonix_runtime.tools.errors import ToolError

if TYPE_CHECKING:
    import httpx

MOST_BYTES = 1024 * 1024
"""Bytes of a body that are read; that there is more is told."""

MOST_REDIRECTS = 10

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
    import httpx

    target = _address(url)
    clock = _Clock(cancellation)
    try:
        for _ in range(MOST_REDIRECTS + 1):
            page, location = _exchange(target, allowed, clock)
            if location is None:
                return page
            target = _address(str(target.join(location)))
    except ToolError as error:
        raise ToolError(f"fetch {url}: {error.message}") from error
    except _BodyError as error:
        raise ToolError(f"read body: {error}") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        reason = str(error) or type(error).__name__
        raise ToolError(f"fetch {url}: {reason}") from error
    raise ToolError(f"fetch {url}: stopped after {MOST_REDIRECTS} redirects")


class _BodyError(Exception):
    """The body broke off; there is no partial text."""


def _address(url: str) -> httpx.URL:
    import httpx

    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise ToolError("url must be an absolute http(s) address") from error
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise ToolError("url must be an absolute http(s) address")
    return parsed


def _exchange(url: httpx.URL, allowed: Sequence[str], clock: _Clock) -> tuple[Page, str | None]:
    """Do one request on a connection of its own; return the page and where it redirects to."""
    import httpx

    port = url.port or (443 if url.scheme == "https" else 80)
    found = addresses.resolve(url.host, port, seconds=clock.left())
    address = addresses.checked(url.host, found, allowed)
    # The connection goes to the address that was checked. The name stays in the Host header and
    # in the TLS handshake, where the certificate is checked against it.
    request = httpx.Request("GET", url, headers=HEADERS)
    request.url = url.copy_with(host=address)
    request.extensions = {
        "sni_hostname": url.host,
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
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MOST_BYTES:
                return bytes(body[:MOST_BYTES]), True
            clock.left()
    except (httpx.HTTPError, OSError) as error:
        raise _BodyError(str(error) or type(error).__name__) from error
    return bytes(body), False


def _status(response: httpx.Response) -> str:
    try:
        return f"{response.status_code} {http.HTTPStatus(response.status_code).phrase}"
    except ValueError:
        return str(response.status_code)
