"""Containers of an image that the same line built of the work: they hold the work.

`docker build -t app . && docker run --rm app pytest` is taken for a run that is given the folder of
the work, if it stands where the build stood and nothing may have changed the work in between. How
old another image is, nobody knows, nor what lies over the work where a run is given
another folder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.options.variables import CONTAINER
from reasonix_runtime.evidence.running.moves import Folders, moves_of
from reasonix_runtime.evidence.running.preparation import touches_shell_only
from reasonix_runtime.evidence.running.wrapper_tables import BUILT
from reasonix_runtime.evidence.running.wrappers import peel
from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import Word
from reasonix_runtime.evidence.shell.state import program_of
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Script, Segment

CONTAINERS: Final = words("docker podman")
"""Programs that build images and run them."""
_BUILDING: Final = (("build",), ("image", "build"), ("buildx", "build"))
_WORK: Final = "."
# Stages by whose names the work is in them; what an early one holds (`base`, `test-deps`) nobody
# knows.
_STAGE: Final = words("--target")
_HOLDS_WORK: Final = re.compile(
    r"(?is:(?!(?:.*[-_.])?(?:base|deps|dependencies|modules|tools|setup|cache|no|not|pre|without)"
    r"(?:[-_.]|\Z))(?:.*[-_.])?(?:tests?|testing|dev|development|ci|checks?|lint|builds?|builder|app|prod"
    r"|production|release|final|runtime|runner)(?:[-_.].*)?)"
)
# With these a build leaves no image.
_LEAVES_NONE: Final = re.compile(r"--(?:help|check|print|call|output)|-[ho]|-f.")
_NAMING: Final = words("-t --tag")
# The file that tells what is built; one that is made on the spot may tell anything.
_WRITTEN_IN: Final = words("-f --file")
_IN_THE_WORK: Final = re.compile(r"(?!/|\.\.|~|-$|\S*\$).+")
_NEWEST: Final = ":latest"
# Programs that change nothing, between a build and a run of what it built.
_LEAVING: Final = words("echo printf sleep date true test [ ls pwd")
# With these a name means another image than before.
_RENAMING: Final = words("pull tag load import commit rmi build")
# As `docker run` would be told of the folder of the work.
_GIVEN: Final = (Word("-v", "-v"), Word(BUILT, BUILT))


class _Image(NamedTuple):
    """An image: the program that keeps it, its name, and the folders from which it was built."""

    program: str
    name: str
    built_in: Folders


def with_built_images(script: Script) -> Script:
    """Return a text whose containers of an image that it surely built are given the work."""
    if "build" not in script.text or CONTAINERS.isdisjoint(map(program_of, script.segments)):
        return script
    surely, moves = proven(script), moves_of(script)
    built: set[_Image] = set()
    segments = list(script.segments)
    for at, segment in enumerate(segments):
        program, here = program_of(segment), moves.get(at, ())
        if program not in CONTAINERS:
            if not _leaves_the_work(segment):
                built.clear()
            continue
        texts = [word.removesuffix(_NEWEST) for word in segment.known_values]
        if not _RENAMING.isdisjoint(texts[1:3]):
            told = {*texts, *_told_names(texts)}
            built = {image for image in built if image.name not in told}
        if at in surely:
            built.update(_Image(program, name, here) for name in _named_by(segment))
        given = replace(segment, words=(*segment.words[:2], *_GIVEN, *segment.words[2:]))
        if texts[1:2] == ["run"] and _Image(program, _image_of(given), here) in built:
            segments[at] = given
    return replace(script, segments=tuple(segments))


def _image_of(run: Segment) -> str:
    """Return the image of a container that is given the work, empty where there is none."""
    told = (one.word.value or "" for one in peel(run).assignments if one.name == CONTAINER)
    return next(told, "").removesuffix(_NEWEST)


def _leaves_the_work(segment: Segment) -> bool:
    """Whether the work stays as an image holds it that was built of it before this command."""
    program = program_of(segment)
    return touches_shell_only(segment, segment.assignments) or program in _LEAVING


def _named_by(segment: Segment) -> Iterator[str]:
    """Yield the names of the image that a command builds of the folder of the work."""
    values = segment.known_values
    names = list(_told_names(values))
    rest = [word for word in values if word not in _NAMING and word not in names]
    verb = next((verb for verb in _BUILDING if tuple(rest[1 : len(verb) + 1]) == verb), None)
    written = _values_of(values, _WRITTEN_IN)
    known = all(map(_IN_THE_WORK.fullmatch, written)) and all(
        map(_HOLDS_WORK.fullmatch, _values_of(values, _STAGE))
    )
    if verb and rest[-1] == _WORK and known and not any(map(_LEAVES_NONE.match, rest)):
        yield from (name.removesuffix(_NEWEST) for name in names)


def _told_names(values: list[str]) -> Iterator[str]:
    """Yield the names that a build is told to give its image."""
    yield from _values_of(values, _NAMING)


def _values_of(values: list[str], options: frozenset[str]) -> Iterator[str]:
    """Yield the values of some options, in a word of their own or behind `=`."""
    yield from (after for option, after in pairwise(values) if option in options)
    for value in values:
        option, equals, told = value.partition("=")
        if equals and option in options:
            yield told
