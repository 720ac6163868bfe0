"""The parts of a generated document that a person wrote: found by their markers, and written.

They are looked for line by line and not by the structure of the text, because what a person wrote
may be anything, an unfinished code block included.
"""

from __future__ import annotations

import re

from reasonix_runtime.contract.document_model import Problem

_BEGIN = re.compile(r"<!--\s*hand-written:\s*([\w-]+)\s*-->\s*$")
_END = re.compile(r"<!--\s*end of hand-written:\s*([\w-]+)\s*-->\s*$")


def find_parts(lines: list[str]) -> tuple[dict[str, str], list[Problem]]:
    """Return the hand-written parts of a document by name, and what is wrong with their markers."""
    found: dict[str, str] = {}
    problems: list[Problem] = []

    def problem(line: int, code: str, message: str) -> None:
        """Note what is wrong with the markers of a part."""
        what = f"hand-written part {message}"
        problems.append(Problem(line=line, column=1, code=f"block.{code}", message=what))

    name, begin = "", 0
    for number, line in enumerate(lines, start=1):
        if not line.startswith("<!--"):
            continue
        opening, ending = _BEGIN.match(line), _END.match(line)
        if opening and name:
            problem(number, "nested", f"{opening[1]!r} begins inside of {name!r}")
        elif opening and opening[1] in found:
            problem(number, "twice", f"{opening[1]!r} is there twice")
        elif opening:
            name, begin = opening[1], number
        elif ending and ending[1] != name:
            problem(number, "end", f"{ending[1]!r} ends here but does not begin")
        elif ending:
            found[name] = "\n".join(lines[begin : number - 1])
            name = ""
    if name:
        problem(begin, "open", f"{name!r} never ends")
    return found, problems


def part_text(name: str, text: str) -> str:
    """Return a hand-written part with its markers."""
    inner = f"{text}\n" if text else ""
    return f"<!-- hand-written: {name} -->\n{inner}<!-- end of hand-written: {name} -->"
