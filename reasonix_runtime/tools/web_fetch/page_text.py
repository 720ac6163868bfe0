"""A fetched body as text: HTML reduced to what a reader sees, everything else as it is."""

from __future__ import annotations

import codecs
import re
from html import unescape
from typing import TYPE_CHECKING, Any

from reasonix_runtime.tools.support.text_files import text_codec

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_SNIFFED = 512
_HTML = re.compile(rb"<!doctype html|<html", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]+charset=[\"']?([-\w.:]+)", re.IGNORECASE)
_META_SNIFFED = 4096
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DROPPED = ("script", "style", "template")
_PLAIN = ("b", "strong", "i", "em", "del", "s", "sub", "sup", "code", "kbd", "samp", "q")
"""Tags whose text is kept and whose look is not."""


def is_html(media_type: str, body: bytes) -> bool:
    """Whether a body is HTML, by its type or by how it begins."""
    return media_type == "text/html" or _HTML.search(body[:_SNIFFED]) is not None


def is_binary(body: bytes, charset: str | None) -> bool:
    """Whether a body is no text: NUL bytes, and no charset that would explain them."""
    if body.startswith(tuple(mark for mark, _ in _MARKS)):
        return False
    return charset is None and b"\0" in body


def decode_body(body: bytes, charset: str | None, *, html: bool) -> str:
    """Return a body as text: by its mark, its stated charset, its own meta tag, else UTF-8."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    if charset is None and html and (found := _META_CHARSET.search(body[:_META_SNIFFED])):
        charset = found[1].decode("ascii", "replace")
    # A server may name anything, also what the library knows and no page is written in.
    return body.decode(text_codec(charset) or "utf-8", "replace")


def readable(html: str) -> str:
    """Return the readable text of an HTML page, with headings, lists, links and code marked."""
    from bs4 import BeautifulSoup

    if "<" not in html:
        # Text that was sent as HTML; the parser would wonder whether it is the name of a file.
        return _tidy(unescape(html))
    soup = BeautifulSoup(html, "lxml")
    _simplify(soup)
    try:
        text = _converter().convert_soup(soup)
    except RecursionError:
        # Nested deeper than anything that was written by hand; the text is still there.
        text = soup.get_text("\n")
    return _tidy(text)


def _simplify(soup: BeautifulSoup) -> None:
    """Drop what no reader sees, and give tags that are shown alike one name."""
    for tag in soup.find_all(_DROPPED):
        tag.decompose()
    for old, new in (("ol", "ul"), ("h5", "h4"), ("h6", "h4"), ("title", "h1"), ("th", "td")):
        for tag in soup.find_all(old):
            tag.name = new
    for image in soup.find_all("img"):
        image.replace_with(str(image.get("alt") or ""))


def _converter() -> Any:
    from markdownify import MarkdownConverter

    class PageConverter(MarkdownConverter):
        """Markdown without escapes, with links as text and address, and plain table rows."""

        def convert_a(self, el: Tag, text: str, parent_tags: set[str]) -> str:
            """Return the text of a link with the address as it is written."""
            href = el.get("href")
            return f"{text} ({href})" if text.strip() and href else text

        def convert_td(self, el: Tag, text: str, parent_tags: set[str]) -> str:
            """Return a cell and what separates it from the next one."""
            return f"{' '.join(text.split())} | "

        def convert_tr(self, el: Tag, text: str, parent_tags: set[str]) -> str:
            """Return a row on a line of its own."""
            return f"{text.removesuffix(' | ')}\n"

    return PageConverter(
        heading_style="atx",
        bullets="-",
        wrap=True,
        wrap_width=None,
        strip=list(_PLAIN),
        escape_asterisks=False,
        escape_underscores=False,
        escape_misc=False,
    )


def _tidy(text: str) -> str:
    """Return the text without blanks at line ends and without more than one empty line."""
    lines = [line.rstrip() for line in text.replace("\u00a0", " ").split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
