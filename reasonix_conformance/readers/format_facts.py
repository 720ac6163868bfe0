"""What recordings of each format have and lack, as far as those who judge them have to know it.

Who adds a format finds here what has to be said of it beside its reader. A format is named as its
sessions name it (`Session.format`); a trace in neutral form keeps the name of the one that it was
made from.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from reasonix_runtime.trace.events import Basis

# -- who writes the format

WIRE: Final = ("reasonix-stream", "reasonix-trajectory")
"""Formats of the wire events of a Reasonix host."""

OF_OWN_HOSTS: Final = ("reasonix", "neutral")
"""How the names of formats begin that hosts with the gates of the rules write.

Any other format may hold a run of such a host or of another one: its content shows it, or nothing.
"""

OF_OTHER_HOSTS: Final = ("claude-code", "claude-stream", "codex", "codex-exec-stream")
"""Formats that belong to no Reasonix host, whatever the texts in a recording say."""

# -- how its records stand in a file

A_RECORD_A_LINE: Final = frozenset(
    {
        "acp", "claude-code", "codex", "codex-exec-stream", "neutral", "reasonix-log-1",
        "reasonix-log-2", "reasonix-messages", "reasonix-stream", "reasonix-trajectory",
    }
)  # fmt: skip
"""Formats whose records stand one a line; of the others, a whole document may be one record."""

# -- what it tells

WITHOUT_PROMPTS: Final = (*WIRE, "acp")
"""Formats that leave out what the user typed, and the host's blocks in it."""

WITH_SUB_AGENTS: Final = (*WIRE, "reasonix-v4", "neutral/1")
"""Formats that tell the calls of every sub-agent: one without calls made none."""

MAY_LACK_ARGUMENTS: Final = frozenset({"acp", "otel"})
"""Formats in which the arguments of a call may be left out."""

WITHOUT_SUCCESS: Final = ("anthropic-messages", "atif", "chat-", "inspect", "openai-responses")
"""How the names of formats begin whose results do not tell whether they are a success.

The user chooses whether such a result is trusted (`--min-basis absence`).
"""

WEAKEST_BASIS: Final[Mapping[str, Basis]] = MappingProxyType(
    {"atif": "absence", "claude-code": "absence", "claude-stream": "absence"}
)
"""The weakest basis on which a success is believed, by format (`docs/trace-formats.md`)."""

USUAL_WEAKEST_BASIS: Final[Basis] = "envelope"
"""The same for every other format."""
