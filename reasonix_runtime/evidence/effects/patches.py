"""Patches that stand in a command line: `git apply <<'EOF'`, of which every file is told.

A file that is taken away, moved or not text is told in other ways; such a patch tells nothing here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.verification import program_name

if TYPE_CHECKING:
    from reasonix_runtime.evidence.running.reading import Plain

_APPLYING: Final = re.compile(
    r"(?:git apply|patch -p1)(?: (?:-p1|-v|-3|-N|-s|--(?:verbose|3way|recount|forward|silent)"
    r"|--whitespace=\w+))*|apply_patch"
)
_BODY: Final = re.compile(r"<<-?\s*(['\"]?)(\w+)\1[^\n]*\n(?P<body>.*?)^\s*\2[ \t]*$", re.M | re.S)
_EXPANDED: Final = re.compile(r"[$`\\]")
_HEADER: Final = re.compile(r"^\+\+\+ (?:b/)?([^\t\n]+)|^\*\*\* (?:Update|Add) File: (.+)$", re.M)
_HUNK: Final = re.compile(r"^@@|^\*\*\* Add File: ", re.M)
_OTHERWISE: Final = re.compile(
    r"^(?:\+\+\+ /dev/null|rename |copy |deleted file|old mode|new mode|similarity|GIT binary"
    r"|Binary files|\*\*\* (?:Delete|Move)|\*{15})",
    re.M,
)


def patched_by(plain: Plain, command: str) -> tuple[str, ...]:
    """Return the files that a command changes by the patch in its text; nothing for any other."""
    words = plain.segment.known_values
    if not words or not _APPLYING.fullmatch(" ".join([program_name(words[0]), *words[1:]])):
        return ()
    if command.count("<<") != 1:
        return ()
    bodies = [found["body"] for found in _BODY.finditer(command)]
    if not bodies or _OTHERWISE.search(bodies[0]):
        return ()
    named = [path.strip() for found in _HEADER.findall(bodies[0]) for path in found if path]
    return tuple(dict.fromkeys(named)) if _HUNK.search(bodies[0]) else ()


def document_of(command: str) -> str | None:
    """Return the one document that stands in a command, None where nobody knows all of it."""
    found = _BODY.search(command) if command.count("<<") == 1 else None
    if found is None or found[0].startswith("<<-"):
        return None
    return found["body"] if found[1] or not _EXPANDED.search(found["body"]) else None
