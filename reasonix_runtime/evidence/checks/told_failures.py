"""Runs that ended well and say at their end that tests failed: their status is not the tests'.

What runs the tests may throw their status away (`jest || true` in a script), and a recording may
have another status than the run. Of several runs in one output, as those that are tried again, the
last one tells.
"""

from __future__ import annotations

import re
from typing import Final

# What runners sum a run up with in which tests failed.
_FAILING: Final = re.compile(
    r"""
      ^=*\ ?[1-9]\d*\ (?:failed|errors?)\b.*\ in\ [\d.]+s\b
    | ^\ *Tests:?\ +[1-9]\d*\ failed\b | ^test\ result:\ FAILED\b | ^FAILED\ \((?:failures|errors)=
    | ^\ +[1-9]\d*\ failing\b | ^FAIL$ | \b\d+\ (?:examples?|tests?),\ [1-9]\d*\ failures?\b
    | ^\[INFO\]\ BUILD\ FAILURE\b | ^BUILD\ FAILED\b | ^Failed!\ +-\ Failed:
    | ^Tests:\ \d+,\ Assertions:\ \d+,\ (?:Errors|Failures):\ [1-9]
    | ^\d+%\ tests\ passed,\ [1-9]\d*\ tests?\ failed\ out\ of\b
    | ^(?:\#|\N{INFORMATION SOURCE})\ fail\ [1-9] | ^\ *[1-9]\d*\ fail$
    | \bexecuted\ \d+\ tests?,\ with\ [1-9]\d*\ failures?\b
    """,
    re.MULTILINE | re.VERBOSE,
)
_PASSING: Final = re.compile(
    r"""
      ^=*\ ?[1-9]\d*\ passed\b.*\ in\ [\d.]+s\b | ^\ *Tests:?\ +[1-9]\d*\ passed\b
    | ^test\ result:\ ok\b | ^OK\b | ^\ +[1-9]\d*\ passing\b | ^ok\s
    | \b[1-9]\d*\ (?:examples?|tests?),\ 0\ failures\b | \bBUILD\ SUCCESS | ^Passed!\ +-\ Failed:
    | ^100%\ tests\ passed | ^(?:\#|\N{INFORMATION SOURCE})\ fail\ 0\b | ^\ *0\ fail$
    | \bexecuted\ \d+\ tests?,\ with\ 0\ failures\b
    """,
    re.MULTILINE | re.VERBOSE,
)
# One of these stands in whatever the first pattern finds; to look for them costs next to nothing.
_HINTS: Final = ("ail", "AIL", " error", "Errors:")


def ends_with_failure(output: str) -> bool:
    """Whether the last run that an output sums up is one in which tests failed."""
    if not any(map(output.__contains__, _HINTS)):
        return False
    lines = output.split("\n")
    failures = [
        at
        for at, line in enumerate(lines)
        if any(map(line.__contains__, _HINTS)) and _FAILING.search(line) is not None
    ]
    return bool(failures) and _PASSING.search("\n".join(lines[failures[-1] + 1 :])) is None
