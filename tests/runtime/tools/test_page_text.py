"""A page as text: what a reader sees of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.tools.web_fetch.page_text import readable

PAGE = """<!doctype html><html><head><title>The &amp; title</title><style>x{}</style>
<script>alert(1)</script></head><body><h1>Head</h1><!-- c --><p>Some <b>bold</b> and
<em>it</em>&nbsp;<a href="/rel">link</a>   text.</p><h2>Two</h2><h5>Five</h5>
<ul><li>one<li>two</ul><ol><li>first</ol><blockquote>quoted</blockquote>
<pre>  code
   x = 1</pre><table><tr><th>a<th>b<tr><td>1<td>2</table><div>d1</div>


<div>d2 x_y*z</div></body></html>"""


def test_html_is_reduced_to_what_a_reader_sees() -> None:
    """Headings, lists, quotes, code, tables and links stay visible as such."""
    assert readable(PAGE) == (
        "# The & title\n\n# Head\n\nSome bold and it link (/rel) text.\n\n## Two\n\n#### Five\n\n"
        "- one\n- two\n\n- first\n\n> quoted\n\n```\n  code\n   x = 1\n```\n\n"
        "a | b\n1 | 2\n\nd1\n\nd2 x_y*z"
    )


@given(st.text(alphabet="<>/&;pa \n\"'=!-b", max_size=60))
def test_any_html_gives_text(html: str) -> None:
    """Pages are written by people."""
    text = readable(html)

    assert text == text.strip()
    assert "\n\n\n" not in text


def test_html_nested_beyond_reason_gives_its_text() -> None:
    """Generated pages nest thousands of tags."""
    assert "deep" in readable("<div>" * 5000 + "deep" + "</div>" * 5000)


@pytest.mark.parametrize("tag", ["iframe", "textarea", "noembed", "noframes", "xmp"])
def test_what_a_browser_takes_as_raw_text_is_shown_literally(tag: str) -> None:
    """Its tags are no tags of the page."""
    assert "<b>x</b>" in readable(f"<div>a</div><{tag}><b>x</b></{tag}>")


@pytest.mark.parametrize(
    ("says", "html", "text"),
    [
        ("six levels of headings", "<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>",
         "# 1\n\n## 2\n\n### 3\n\n#### 4\n\n#### 5\n\n#### 6"),
        ("entities and hard blanks", "<p>&eacute;&#8217;&nbsp;x</p>", "é\u2019 x"),
        ("runs of blanks", "<p>a \t\n  b</p>", "a b"),
        ("blanks of code stay", "<pre>a  b\n  c</pre>", "```\na  b\n  c\n```"),
        ("noscript is part of the page", "<noscript><b>x</b></noscript>", "x"),
    ],
)  # fmt: skip
def test_parts_of_a_page(says: str, html: str, text: str) -> None:
    """Each kind of part has its form."""
    assert readable(html) == text, says
