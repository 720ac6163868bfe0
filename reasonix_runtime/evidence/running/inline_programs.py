"""Programs given as text on the command line of an interpreter (DL-02 G3, G4)."""

from __future__ import annotations

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.checks.verification import program_name


def runs_inline_program(words: tuple[str, ...]) -> bool:
    """Whether static words hand an interpreter its program as an argument."""
    program = program_name(words[0])
    arguments = [word.lower() for word in words[1:]]
    if program == "deno":
        return arguments[:1] == ["eval"]
    options = tables.INLINE_OPTIONS.get(program)
    return options is not None and not options.isdisjoint(arguments)
