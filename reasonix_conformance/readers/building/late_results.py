"""Results whose text is decoded when somebody asks for it.

Nearly all that a trace holds is what tools gave back, and hardly any of it is read: of most results
a gate asks only whether they say something. The first bytes of a text tell that.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.trace.events import ToolResult

_decode = msgspec.json.Decoder(str).decode

shows = re.compile(rb'"(?!error:|blocked:) *(?:\\[nrt] *)*(?:[!#-\[\]-~]|\\["\\/])').match
"""Whether the JSON of a text is a string that begins, white space aside, with a visible letter.

None where it is no string, says nothing, or has to be decoded to know; also where it begins as the
text of a call that failed.
"""


class _LateText:
    """The text of a result, of which the JSON is kept."""

    __slots__ = ()

    says_something = True
    reads_as_failure = False
    json_text: Any = ToolResult.__dict__["text"]
    """The JSON of the text: what stands in the place of the text."""

    @property
    def weight(self) -> int:
        """The bytes of the JSON of the text."""
        return len(self.json_text)

    @property
    def text(self) -> str:
        """The text, decoded each time that it is asked for."""
        return _decode(self.json_text)


class LateResult(_LateText, ToolResult, tag="tool.result", frozen=True, kw_only=True):
    """A result as it is decoded; it stands for one only if its `json_text` :func:`shows`."""

    if not TYPE_CHECKING:
        text: msgspec.Raw = msgspec.Raw(b'""')
