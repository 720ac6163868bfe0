"""What the words of a host tell about the run, beside what they say about one call.

A recording seldom tells the mode of a run or the checks that a project declares. The host's own
refusals name them, and from then on they are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from reasonix_runtime.contract.surface import DELEGATION, GROUP_DELEGATION
from reasonix_runtime.trace.host_events import PLAN_MODE, PROJECT_CHECK

DELEGATES = frozenset((*DELEGATION, *GROUP_DELEGATION))
"""Tools that start sub-agents, whose own calls are evidence of the caller."""

JUDGED = frozenset({"complete_step", "review_report", "todo_write", "update_goal"})
"""Tools whose calls the host judges: what it says of their failure are its own words."""

BY_SILENCE: Final = {"basis": "absence"}
"""Details of a judgement of the host that no record tells: it went on, and said nothing of it.

A record may be lost that did, so such a judgement agrees with ours, and accuses nobody.
"""

_PLANNING = (
    "complete_step is only available after plan approval",
    "tool is unavailable during planning",
    "plan mode forbids workspace mutations until ",
)
_CHECK_BEGINS = 'project check "'
_CHECK = re.compile(_CHECK_BEGINS + r'((?:[^"\\]|\\.){1,4000})" from ')
_QUOTED = re.compile(r"\\(.)")


def told_by(refusal: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the host events that a refusal tells of, as (name, data)."""
    if any(sentence in refusal for sentence in _PLANNING):
        yield PLAN_MODE, {"on": True}
    for match in _CHECK.finditer(refusal) if _CHECK_BEGINS in refusal else ():
        yield PROJECT_CHECK, {"command": _QUOTED.sub(r"\1", match[1])}
