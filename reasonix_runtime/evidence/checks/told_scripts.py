"""The scripts of a project that a run tells before it runs them: `> jest`, `$ eslint .`.

Managers of packages print them, so that an output shows where `npm test` is `true`, or a check
whose status is thrown away.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.inline_programs import runs_inline_program
from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import Problem, Script, Segment, parse
from reasonix_runtime.evidence.shell.state import program_of
from reasonix_runtime.evidence.word_lists import words

# What says something, waits, or looks where it stands, and checks nothing.
_INERT: Final = words("true : echo printf exit sleep cd pwd date set export test [ [[ return")
# A program on the command line that does no more: `console.log('ok')`, `import sys; sys.exit(0)`.
_LITERAL: Final = r"""(?:[\w.]+|'[^'\n]*'|"[^"\n]*"|`[^`$\n]*`)"""
_SAID: Final = rf"{_LITERAL}(?:\ *,\ *{_LITERAL})*"
_SAYING: Final = (
    r"(?:import\ (?:sys|os)|pass|true|null|\d+"
    r"|(?:console\.\w+|print|printf|puts|say|echo|(?:process|sys|Deno|os)\.(?:_?exit|stdout\.write)"
    rf"|exit|quit)(?:\ *\(\ *(?:{_SAID})?\ *\)|\ +{_SAID})?)"
)
# Blanks have one way to be read: with two, a long row of them takes for ever.
_SAYS_ONLY: Final = re.compile(rf"(?:{_SAYING})?(?:\s*;(?:\s*{_SAYING})?)*")
_INLINE_WORDS: Final = 3  # the interpreter, its option, the program
# npm and pnpm put the name of the script above it, yarn and bun nothing.
_ALONE: Final = r"(?:[\w@./-]+ [\w:-]+)?\$"
_TOLD: Final = re.compile(
    r"^> (?:(?:@[\w.-]+/)?[\w.-]+@\S+ )?[\w:.-]+(?: /\S+)?\n> (?P<below>\S.*)$"
    rf"|^{_ALONE} (?P<alone>\S.*)$",
    re.MULTILINE,
)
# A script that may check nothing; most outputs hold none, and are asked nothing more.
_MAY_BE_EMPTY: Final = re.compile(
    rf"^(?:>|{_ALONE}) "
    rf"(?:(?:{'|'.join(map(re.escape, sorted(_INERT)))})(?: |$)|.*(?:\|\||;|\||!|(?<!&)&(?!&))"
    r"|.* (?:-[a-z]|--eval|--print|eval) ['\"\w])",
    re.MULTILINE,
)
# What runs other scripts, which are told as well.
_RUNS_OTHERS: Final = re.compile(
    r"(?:(?:npm|pnpm|yarn|bun)(?: (?:-\S+|run|run-script))* (?!-)[\w:.-]+(?: -\S+)*"
    r"|(?:npm-run-all|run-s|run-p)(?: \S+)+)"
)
_UNREAD: Final = frozenset({Problem.SYNTAX, Problem.TOO_LONG})


def without_empty_scripts(output: str) -> str | None:
    """Return an output without the scripts that it tells and what they say themselves.

    None where one of them may check something, or none is told.
    """
    # One of these begins each script; to look for them costs next to nothing.
    if not ("> " in output or "$ " in output) or _MAY_BE_EMPTY.search(output) is None:
        return None
    told = [found["below"] or found["alone"] for found in _TOLD.finditer(output)]
    leaves = [text for text in told if not _RUNS_OTHERS.fullmatch(text)] or told
    if not leaves or not all(map(_checks_nothing, leaves)):
        return None
    said = "\n".join(leaves)
    lines = _TOLD.sub("", output).splitlines()
    return "\n".join(line for line in lines if line.strip().strip("\"'") not in said)


@memoised(256)
def _checks_nothing(text: str) -> bool:
    """Whether nothing in a script is sure to have passed when the script has, but what is inert."""
    script: Script = parse(text)
    if script.problem in _UNREAD or not script.segments:
        return False
    return all(_is_inert(script.segments[at]) for at in proven(script))


def _is_inert(segment: Segment) -> bool:
    if program_of(segment) in _INERT:
        return True
    told = segment.static or ()
    inline = len(told) == _INLINE_WORDS and runs_inline_program(told)
    return inline and _SAYS_ONLY.fullmatch(told[-1].strip()) is not None
