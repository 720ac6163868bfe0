"""What `web_fetch` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.support.arguments import require
from reasonix_runtime.tools.web_fetch import page_text
from reasonix_runtime.tools.web_fetch.fetching import MOST_BYTES, Page, fetch


def run(arguments: Arguments, context: Context) -> Output:
    """Fetch an address and return status, type, size and the readable text of the body."""
    require(arguments, "url")
    url: str = arguments["url"]
    page = fetch(url, allowed=context.settings.allowed_networks, cancellation=context.cancellation)
    status = f"status {page.status}"
    text = _text(page)
    if not text:
        return Output(text=f"(empty body — {status})")
    cut = f"\n\n[body cut at {MOST_BYTES} bytes]" if page.cut else ""
    header = f"{status} · {page.media_type or 'unknown type'} · {len(page.body)} bytes"
    return Output(text=f"{header}\n\n{text}{cut}")


def _text(page: Page) -> str:
    if page_text.is_binary(page.body, page.charset):
        return f"(binary body, not shown; use bash to download {page.url})"
    html = page_text.is_html(page.media_type, page.body)
    text = page_text.decode_body(page.body, page.charset, html=html)
    return page_text.readable(text) if html else text.strip()
