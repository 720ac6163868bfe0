"""Containers of an image that the same line built of the work: they hold the work.

`docker build -t app . && docker run --rm app pytest` is taken for a run that is given the folder of
the work. How old another image is, nobody knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import Word
from reasonix_runtime.evidence.shell.state import program_of
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Script, Segment

_PROGRAMS: Final = words("docker podman")
_BUILDING: Final = (("build",), ("image", "build"), ("buildx", "build"))
_WORK: Final = "."
# With these a build leaves no image.
_LEAVES_NONE: Final = re.compile(r"--(?:help|check|print|call|output)|-[ho]")
_NAMING: Final = words("-t --tag")
_NEWEST: Final = ":latest"
# As `docker run` would be told of the folder of the work.
_GIVEN: Final = (Word("-v", "-v"), Word(".:/built", ".:/built"))


def with_built_images(script: Script) -> Script:
    """Return a text whose containers of an image that it surely built are given the work."""
    if "build" not in script.text or _PROGRAMS.isdisjoint(map(program_of, script.segments)):
        return script
    surely = proven(script)
    built: set[str] = set()
    segments = list(script.segments)
    for at, segment in enumerate(segments):
        if program_of(segment) not in _PROGRAMS:
            continue
        if at in surely:
            built.update(_named_by(segment))
        texts = [(word.value or "").removesuffix(_NEWEST) for word in segment.words]
        if texts[1:2] == ["run"] and not built.isdisjoint(texts[2:]):
            given = (*segment.words[:2], *_GIVEN, *segment.words[2:])
            segments[at] = replace(segment, words=given)
    return replace(script, segments=tuple(segments))


def _named_by(segment: Segment) -> Iterator[str]:
    """Yield the names of the image that a command builds of the folder of the work."""
    values = [word.value or "" for word in segment.words]
    names = [after for option, after in pairwise(values) if option in _NAMING]
    names += [value.partition("=")[2] for value in values if value.startswith("--tag=")]
    rest = [word for word in values if word not in _NAMING and word not in names]
    verb = next((verb for verb in _BUILDING if tuple(rest[1 : len(verb) + 1]) == verb), None)
    if verb and rest[-1] == _WORK and not any(map(_LEAVES_NONE.match, rest)):
        yield from (name.removesuffix(_NEWEST) for name in names)
