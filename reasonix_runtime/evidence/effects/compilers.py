"""Programs that compile the sources that they are given, into a file or a folder for products.

`gcc -o build/app src/main.c` writes no file of the work; `gcc -o src/main.c x.c` does. Where
nothing says what is made, it is called after the source, with an ending of its own. A program may
be called as one likes, so long as nobody takes it for a tool.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.recognised import is_known_runner
from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FOLDER: Final = re.compile(
    r"/dev/null|/tmp/[\w-]+|bin/.+|(?!(?:.*/)?(?:src|lib|tests?)/)(?:[\w.-]+/)*(?:_?build|_site|dist|out|target"
    r"|cmake-build-\w+)(?:/.*)?"
)
_MADE: Final = re.compile(
    r"(?!\.\./|/)[\w./+-]+\.(?:o|obj|so|a|dylib|dll|exe|class|jar|wasm|out|pyc|rlib|gem|whl|tgz|crate)"
)
# What a program is called: no file of the work has such a name, but for scripts of wrappers.
_PROGRAM: Final = re.compile(r"(?:[\w-]+/)*[a-z][a-z0-9_-]*")

_NONE: Final[frozenset[str]] = frozenset()


class _Compiler(NamedTuple):
    """The options that say where the product goes, and those by which a program does no more.

    `demanded` tells that one of the former is needed; `operand` that the last operand says so,
    `first` the first one. `after` are sub-commands of which one stands first. `program` tells that
    it makes a program.
    """

    outputs: frozenset[str]
    harmless: re.Pattern[str]
    demanded: bool = False
    operand: bool = False
    first: bool = False
    after: frozenset[str] = frozenset()
    program: bool = False


# Options of a compiler for machines; plugins, dumps and maps are files as well.
_NATIVE: Final = _Compiler(
    word_set("-o"),
    re.compile(
        r"-(?:[cgsvw]|g\d?|O\w*|[ILDU].*|l[\w:.+-]+|std=[\w+]+|W(?![lap],).*|m\w[\w=.-]*|pthread|pipe"
        r"|shared|static|fsyntax-only|f(?!plugin|dump|profile|save|test|callgraph|time-trace=|opt-info.*=)[\w=,-]*|MM?D|MP"
        r"|pedantic(?:-errors)?|isystem|x|arch)"
    ),
    program=True,
)
_JVM: Final = _Compiler(
    word_set("-d"),
    re.compile(
        r"-(?:cp|classpath|g|nowarn|Werror|Xlint.*|encoding|parameters|deprecation|verbose|source"
        r"|target|include-runtime|jvm-target|no-stdlib|J-Xm.*)|--(?:release|class-path|module-path)"
    ),
)
_RUST: Final = _Compiler(
    word_set("-o --out-dir"),
    re.compile(
        r"-[OgvCLl]|-C(?:opt-level|debuginfo|target-cpu|lto|panic|strip)=\w+|--(?:edition|test|crate-type|crate-name|cfg|target|release)(?:=.*)?"
    ),
    program=True,
)
# Those of bundlers and of their kin; what watches, serves or loads more is another matter.
_PLAIN: Final = re.compile(
    r"--?(?!.*(?:watch|serve|plugin|require|import|inject|exec|run|write|publish|hook|config|preload"
    r"|allow-scripts|mangle-c|lock|meta|analy|report))[\w:.-]+(?:=[\w.,:/*@-]*)?"
)
_BUNDLER: Final = _Compiler(word_set("--outfile --outdir --out-dir --out"), _PLAIN, demanded=True)
_TO_FOLDER: Final = _Compiler(
    word_set("-d --out-dir -o --out-file --out --output"), _PLAIN, demanded=True
)
_COMPILERS: Final = {
    **dict.fromkeys(
        word_set("gcc cc clang g++ c++ clang++ gfortran nvcc emcc em++ tcc icx icpx"), _NATIVE
    ),
    **dict.fromkeys(word_set("javac kotlinc scalac"), _JVM),
    "rustc": _RUST,
    "ghc": _Compiler(
        word_set("-o -outputdir"),
        re.compile(r"-(?:O\d?|Wall|threaded|i[\w/]*|v\d?)"),
        program=True,
    ),
    "nasm": _Compiler(
        word_set("-o"), re.compile(r"-(?:f\w*|g|I.*|D.*)"), demanded=True, program=True
    ),
    "esbuild": _BUNDLER,
    "bun": _BUNDLER._replace(after=word_set("build")),
    "deno": _Compiler(
        word_set("-o --output"), _PLAIN, demanded=True, after=word_set("compile"), program=True
    ),
    "dart": _Compiler(word_set("-o --output"), _PLAIN, after=word_set("compile"), program=True),
    **dict.fromkeys(word_set("babel swc typedoc jsdoc pdoc tailwindcss postcss"), _TO_FOLDER),
    "ncc": _TO_FOLDER._replace(after=word_set("build")),
    "sphinx-build": _Compiler(word_set("-d -w"), _PLAIN, operand=True),
    "swiftc": _Compiler(
        word_set("-o"),
        re.compile(r"-(?:O\w*|g|D.*|parse-as-library|swift-version)"),
        program=True,
    ),
    "ar": _Compiler(_NONE, re.compile(r"(?!)"), first=True, after=word_set("rcs rc cr crs r")),
    "ld": _Compiler(
        word_set("-o"), re.compile(r"-(?:[lLm].*|shared|static|e)"), demanded=True, program=True
    ),
    "sass": _Compiler(_NONE, re.compile(r"--(?:style=\w+|no-source-map|quiet)"), operand=True),
    "asciidoctor": _Compiler(word_set("-o -D"), re.compile(r"-(?:b|a)"), demanded=True),
    **dict.fromkeys(
        word_set("pdflatex xelatex lualatex latexmk"),
        _Compiler(
            _NONE, re.compile(r"-(?:pdf|interaction=\w+|halt-on-error|quiet|silent|xelatex)")
        ),
    ),
    "wasm-opt": _Compiler(word_set("-o"), re.compile(r"-O\w?"), demanded=True),
}
# Behind `rustc -C`, but for the settings that name no program and no folder.
_SETS_MORE: Final = re.compile(
    r"(?!(?:opt-level|debuginfo|target-cpu|lto|panic|strip|codegen-units)=[\w-]+$)[\w-]+=.*"
)
_VERSION: Final = re.compile(r"-\d[\d.]*$")


def is_product(path: str) -> bool:
    """Whether a path is that of what is built again: in a folder for it, or by its ending."""
    clean = posixpath.normpath(path)
    made = _FOLDER.fullmatch(clean) or _MADE.fullmatch(clean)
    return made is not None and not _is_tool(clean)


def is_program(path: str) -> bool:
    """Whether a path may be that of a program that was made: a product, or without an ending."""
    clean = posixpath.normpath(path)
    return is_product(path) or (_PROGRAM.fullmatch(clean) is not None and not _is_tool(clean))


def _is_tool(path: str) -> bool:
    """Whether a file that is run counts as a tool that checks: `gradlew`, `bin/pytest`."""
    return is_known_runner(tool_name(f"./{path}"))


def compiles(program: str, arguments: Sequence[str]) -> bool:
    """Whether a program with these arguments compiles, and leaves nothing but a product."""
    told = _COMPILERS.get(_VERSION.sub("", program))
    if told is None:
        return False
    if told.after:
        if not arguments or arguments[0] not in told.after:
            return False
        arguments = arguments[1:]
    outputs: list[str] = []
    sources: list[str] = []
    at = 0
    while at < len(arguments):
        word = arguments[at]
        name, equals, value = word.partition("=")
        if name in told.outputs:
            outputs.append(value if equals else "".join(arguments[at + 1 : at + 2]))
            at += 1 if equals else 2
        elif told is _NATIVE and word.startswith("-o"):
            outputs.append(word[2:])
            at += 1
        elif is_option(word):
            if not told.harmless.fullmatch(word):
                return False
            at += 1
        elif word.startswith("@") or (told is _RUST and _SETS_MORE.fullmatch(word)):
            return False  # a file of more arguments, or a setting that may name a program
        else:
            sources.append(word)
            at += 1
    if told.operand:
        outputs += sources[-1:] if len(sources) > 1 else []
    if told.first:
        outputs += sources[:1]
    asked = told.demanded or told.operand or told.first
    if not sources or (asked and not outputs):
        return False
    may_be = is_program if told.program else is_product
    stems = set(_stems(sources)) if told.program else _NONE
    return all(may_be(one) or posixpath.normpath(one) in stems for one in outputs)


def _stems(sources: Sequence[str]) -> Iterator[str]:
    """Yield what a program is often called that is compiled of some sources."""
    for source in sources:
        stem, dot, _ = source.rpartition(".")
        if dot and not _is_tool(stem):
            yield from (posixpath.normpath(stem), posixpath.basename(stem))
