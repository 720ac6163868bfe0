"""The languages whose code a run of tests comes to: of any other it says nothing.

`go test ./...` passes whatever stands in `web/src/cart.ts`. Files that are no code of a known
language, such as templates and settings, may be read by any test; and what a project put into a
script, a target or a session (`npm test`, `make check`, `tox`) may run anything, as long as it runs
where that code is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine

# Code that others are bound to: it runs wherever they do.
_NATIVE: Final = words("c h cc cpp cxx hh hpp hxx s asm cu m mm rs zig")
_GO: Final = words("go")
_SCRIPT: Final = words("js jsx mjs cjs ts tsx mts cts vue svelte astro coffee")
_PYTHON: Final = words("py pyi pyx ipynb")
_RUBY: Final = words("rb rake erb")
_PHP: Final = words("php phtml")
_JVM: Final = words("java kt kts scala groovy clj cljc")
_DOTNET: Final = words("cs fs vb razor cshtml xaml")
_BEAM: Final = words("ex exs heex eex erl hrl gleam")
_SWIFT: Final = words("swift")
_DART: Final = words("dart")
_HASKELL: Final = words("hs lhs")
_OCAML: Final = words("ml mli")
_LUA: Final = words("lua")
_JULIA: Final = words("jl")
_CODE: Final = (
    _NATIVE | _GO | _SCRIPT | _PYTHON | _RUBY | _PHP | _JVM | _DOTNET | _BEAM | _SWIFT | _DART
    | _HASKELL | _OCAML | _LUA | _JULIA
)  # fmt: skip
_RUN_BY: Final = {
    **dict.fromkeys(words("go gotestsum ginkgo"), _GO | _NATIVE),
    **dict.fromkeys(words("cargo"), _NATIVE),
    **dict.fromkeys(words("jest vitest mocha ava tap"), _SCRIPT | _NATIVE),
    **dict.fromkeys(words("pytest unittest"), _PYTHON | _NATIVE),
    **dict.fromkeys(words("rspec"), _RUBY | _SCRIPT | _NATIVE),
    **dict.fromkeys(words("phpunit pest artisan"), _PHP | _SCRIPT | _NATIVE),
    **dict.fromkeys(words("mvn sbt lein"), _JVM | _SCRIPT | _NATIVE),
    "gradle": _JVM | _SCRIPT | _NATIVE | _SWIFT | _DART,
    "dotnet": _DOTNET | _SCRIPT | _NATIVE,
    "mix": _BEAM | _SCRIPT | _NATIVE,
    **dict.fromkeys(words("swift xcodebuild"), _SWIFT | _NATIVE),
    **dict.fromkeys(words("dart flutter"), _DART | _NATIVE | _SWIFT | _JVM),
    **dict.fromkeys(words("cabal stack"), _HASKELL | _NATIVE),
    "dune": _OCAML | _NATIVE,
    "busted": _LUA | _NATIVE,
}
RUNNERS: Final = frozenset(_RUN_BY)
"""Programs of which it is known what code their tests come to."""
# What scripts of packages run in a folder of their own.
_RUN_APART_BY: Final = dict.fromkeys(
    words("npm pnpm yarn bun deno playwright cypress react-scripts ng"), _SCRIPT | _NATIVE
)
_NOTHING: Final[frozenset[str]] = frozenset()


def foreign_to(line: CommandLine) -> frozenset[str]:
    """Return the endings of code that a check never comes to; nothing where it may be any."""
    run = _RUN_BY.get(line.program)
    return _NOTHING if run is None else _CODE - run


def shares_code(program: str, other: str) -> bool:
    """Whether a runner of tests may come to what another one tests; a script may run anything."""
    own, wanted = _RUN_BY.get(program), _RUN_BY.get(other, _NOTHING) - _NATIVE
    return own is None or not wanted or not wanted.isdisjoint(own)


def foreign_outside(line: CommandLine) -> frozenset[str]:
    """Return the endings of code that a check never comes to outside of the folder it runs in."""
    run = _RUN_APART_BY.get(line.program)
    return _NOTHING if run is None else _CODE - run
