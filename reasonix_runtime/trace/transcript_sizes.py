"""How much a transcript may have built: a few words of it can stand for more than memory holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from reasonix_runtime.trace.explain import Path, Problem

LARGEST_BODY: Final = 16 * 1024 * 1024
"""The bytes of one stored result at most; the schema has the same bound for a child's answer."""


def repeated_size(text: str, times: int) -> int:
    """Return how many bytes a text has that often, without building it."""
    return len(text.encode("utf-8", "surrogatepass")) * times


def too_large(transcript: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    """Yield each stored result of a transcript at `path` whose parts are too much together.

    The schema holds: parts have a text, and counts are counts.
    """
    host = transcript.get("setup", {}).get("host", {})
    for index, item in enumerate(host.get("results") or ()):
        body = item.get("body")
        parts = (body.get("parts") or ()) if isinstance(body, Mapping) else ()
        size = sum(repeated_size(part["text"], _times(part)) for part in parts)
        if size > LARGEST_BODY:
            at = (*path, "setup", "host", "results", index, "body", "parts")
            text = f"{size} bytes together are above {LARGEST_BODY}"
            yield Problem(at, "maximum", text)


def _times(part: Mapping[str, Any]) -> int:
    times = part.get("times")
    return 1 if times is None else int(times)
