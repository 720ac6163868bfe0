"""Builds: commands that write what the project is built into, and no file of the work.

A build is a change, and no check. In front of a check it does what the check would do itself, so
that `cargo build && cargo test` is one verification; behind it, or alone, it stays what it is.
"""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.check_names import names_build
from reasonix_runtime.evidence.command_line import CommandLine, read_command_line, tool_name
from reasonix_runtime.evidence.word_lists import words

# Sub-commands that build, or take away what was built; "" where none is needed.
_SUBCOMMANDS: Final = {
    "cargo": words("build b clean"),
    "go": words("build clean"),
    "dotnet": words("build clean"),
    "swift": words("build"),
    "mix": words("compile clean"),
    "dune": words("build clean"),
    "stack": words("build clean"),
    "cabal": words("build v2-build clean"),
    "gleam": words("build clean"),
    "forge": words("build clean"),
    "hardhat": words("compile clean"),
    "bazel": words("build clean"),
    "buck2": words("build clean"),
    "meson": words("compile"),
    "rebar3": words("compile clean"),
    "next": words("build"),
    "vite": words("build"),
    "ng": words("build"),
    "astro": words("build"),
    "zig": words("build"),
    "tsc": frozenset({""}),
    "webpack": words("build") | {""},
}
# Programs that build what is named, and everything where nothing is.
_BUILDERS: Final = words("make ninja")
# Programs that run what a project named, and the sub-command in front of the name.
_NAMED: Final = {
    "npm": words("run run-script"),
    "pnpm": words("run") | {""},
    "yarn": words("run") | {""},
    "bun": words("run"),
    "turbo": words("run") | {""},
    "just": frozenset({""}),
    "task": frozenset({""}),
    "rake": frozenset({""}),
    "gradle": frozenset({""}),
}
_MAVEN_PHASES: Final = words("clean validate compile test-compile package")
# Options that say where the product goes; in one of these folders it is no file of the work.
_OUTPUT: Final = words("-o --output --out-dir --outDir --outdir -outputdir")
_PRODUCTS: Final = ("/dev/null", "bin/", "build/", "dist/", "out/", "target/")


def is_build(told: tuple[str, ...]) -> bool:
    """Whether static words build the project, and write nothing but what it is built into."""
    program = tool_name(told[0])
    line = read_command_line(program, told[1:])
    return _writes_products_only(line) and _builds(line)


def _builds(line: CommandLine) -> bool:
    program, operands = line.program, line.operands
    commands = _SUBCOMMANDS.get(program)
    if commands is not None:
        return operands[0] in commands if operands else "" in commands
    if program in _BUILDERS:
        return all(names_build(word) for word in operands if "=" not in word)
    if program == "mvn":
        return bool(operands) and _MAVEN_PHASES.issuperset(operands)
    if program == "cmake":
        return any(item.option == "--build" for item in line.options) and not operands
    if program == "mkdir":
        return bool(operands) and all(
            f"{word.rstrip('/')}/".startswith(_PRODUCTS) for word in operands
        )
    if program in _NAMED:
        first = operands[:1] != () and operands[0] in _NAMED[program]
        names = operands[1:] if first else operands if "" in _NAMED[program] else ()
        return bool(names) and all(map(names_build, names))
    return False


def _writes_products_only(line: CommandLine) -> bool:
    """Whether no option sends the product into the work, watches, or mends."""
    told = [item.value for item in line.options if item.option in _OUTPUT]
    lowered = {item.name for item in line.options}
    return all(value.removeprefix("./").startswith(_PRODUCTS) for value in told) and (
        lowered.isdisjoint(words("w watch fix write"))
    )
