"""Whether the output of a check says that no test ran, or none that could fail it (policy point).

Runners that find nothing to run end well, or are told to: the exit status then tells of nothing.
Their words are few and stand in the output. What counts tests that did run outweighs them, since in
a workspace some packages have none.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.checks.told_failures import ends_with_failure
from reasonix_runtime.evidence.checks.told_scripts import without_empty_scripts

# The words are those of the outputs that are read: `xfailed` is pytest's, and marks no test here.
_NONE: Final = re.compile(
    r"""
      \b(?:
        no\ (?:unit\ )?tests?(?:\ (?:files?|suites?|modules?|cases?|specs?|examples?|targets?))?
          \ (?:(?:were|was|is|are|to)\ )?(?:be\ )?
          (?:found|ran|run|collected|executed|available|match)
      | no\ (?:test\ files|examples\ found|tasks\ were\ (?:executed|run))\b
      | no\ (?:suitable\ tests\ defined|test\ suites\ enabled)\b
      | no\ (?:tests\ defined|projects\ (?:with\ target|found\ in)|packages\ found\ with)\b
      | no\ (?:issues\ found\ in\ 0|python\ files\ found\ under|projects\ matched\ the\ filters)\b
      | none\ of\ the\ selected\ packages\ has\b | error:\ no\ test\ specified\b
      | there\ are\ no\ tests\ to\ run\b | nothing\ to\ do\.\ try\ checking\b
      | in\ 0\ (?:packages|files)\b | on\ 0\ files\b | checked\ 0\ (?:source\ )?files\b
      | 0\ files\ inspected\b | 0\ chart\(s\)\ linted\b | pass=0\ warn=0\ error=0\b
      | (?:ran|running|executed|starting|collected)\ 0\ (?:tests?|items|specs)\b
      | executed\ 0\ of\b | matched\ 0\ tests\b | tests\ run:\ *0\b
      )
    | (?<![\w.,/])0\ (?:
        (?:tests?|passed|passing|examples|runs|scenarios|specs|of\ 0)\b(?!\ fail) | successes\b
      )
    | /\ 0\ selected\b | \|\ SKIP\ \d+\ \|\ PASS\ 0\ \]
    | \[no\ tests?\ (?:files|to\ run)\] | \(no\ files\ to\ check\)skipped\b
    | ^(?:
        (?:.{0,99}\bWARN\b.{0,99}\ |\W{0,9})no\ (?:\w+\ )?files
          \ (?:are\ |were\ )?(?:found|matched|matching|present\ to)\b
      | Result:\ NOTESTS\b | \[INFO\]\ tests\ are\ skipped\. | Ok:\ +0\ *$
      | \ *tasks:\ +0\ successful\b | (?:\#|\N{INFORMATION SOURCE})\ (?:tests|pass)\ 0$ | 1\.\.0\b
      | (?:>\ Task\ )?:?[\w:-]{0,120}(?:test|detekt|ktlint|checkstyle|pmd|spotbugs|lint)\w{0,60}
          \ (?:NO-SOURCE|SKIPPED)\b
      | \ *[\w.-]+:\ SKIP\b | ok\ \d+\b.*\#\ *skip\b | \ *---\ SKIP:[ ] | nox\ >\ .*\bskipped\b
      | \ *\d+\ (?:tests?\ )?skipped$ | \ *Tests:?\ +\d+\ (?:skipped|todo)\b
      | \ *\N{BOX DRAWINGS LIGHT VERTICAL}\ +Tests:\ +0\b
      | =*\ ?\d+\ (?:deselected|skipped|xfailed)
          (?:,\ \d+\ (?:deselected|skipped|xfailed|warnings?))*\ in\b
      )
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
# What sums a run up of which every test was left out; the tests that it counts did not run.
_ALL_LEFT: Final = re.compile(
    r"""
      \b(?:
        all\ tests\ have\ been\ excluded\b.*
      | (\d+)\ tests?,\ 0\ failures,\ (?:\d+\ invalid,\ )?\1\ (?:excluded|skipped)\b
      | (\d+)\ examples?,\ 0\ failures,\ \2\ pending\b
      | tests\ run:\ *([1-9]\d*),\ failures:\ *0,\ errors:\ *0,\ skipped:\ *\3\b
      | tests:\ ([1-9]\d*),\ assertions:\ 0,\ (?:skipped|incomplete):\ \4\b
      | executed\ ([1-9]\d*)\ tests?,\ with\ \5\ tests?\ skipped\b
      | ran\ ([1-9]\d*)\ tests?\ in\ [\d.]+s\s+OK\ \((?:skipped|SKIP|expected\ failures)=\6\)
      | ([1-9]\d*)\ runs,\ 0\ assertions,\ 0\ failures,\ 0\ errors,\ \7\ skips\b
      | passed:\ +0,\ skipped:\ +[1-9]\d*,\ total:.*
      | total\ tests:\ ([1-9]\d*)\s+skipped:\ \8\b
      | test\ run\ passed\s+duration:.*+\s++passed:\ +0\s
      | ran\ 0\ of\ [1-9].* | executed\ 0\ out\ of\ [1-9].* | test\ run\ with\ 0\ tests\b.*
      | ([1-9]\d*)\ scenarios?\ \(\9\ (?:skipped|pending|undefined)\).*
      | ([1-9]\d*)\ tests?,\ 0\ passed,\ 0\ failed,\ \10\ skipped\b
      | tests\ passed:\ 0,\ failed:\ 0,\ skipped:\ [1-9].*
      | total\ 0,\ failed\ 0,\ errors\ 0,\ passed\ 0,\ ignored\ [1-9].*
      )
    | \+0\ ~[1-9]\d*:\ all\ tests\ skipped\b.*
    | (?:^>\ Task\ :\S*\s+)?\b([1-9]\d*)\ tests?(?:\ completed)?,\ \11\ skipped\b.*
    | \(([1-9]\d*)\ tests?\ \|\ \12\ skipped\)
    | ^(?:
        \ *0\ pass\s+([1-9]\d*)\ (?:skip|todo)\s+0\ fail\s+ran\ \13\ tests?\b.*
      | test\ cases:\ ([1-9]\d*)\ \|\ \14\ skipped.*
      | [^\S\n]*\N{BOX DRAWINGS LIGHT VERTICAL}\ +Passing:\ +0\b.* | success!\ --\ 0\ passed\b.*
      | \ *Suites:.*\n\ *Asserts:\ +(?:0\ passed,\ )?(?:0\ failed,\ )?[1-9]\d*\ (?:skip|todo)\b.*
      )
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
# How GoogleTest tells of a program of which no test passed, and its lines.
_NONE_OF_GOOGLE: Final = "[  PASSED  ] 0 tests"
_OF_GOOGLE: Final = re.compile(r"^\[[^\]\n]*\].*$", re.MULTILINE)
# A line of TAP that sums up the tests which stand before it, further in.
_OF_SUBTESTS: Final = re.compile(r"^( +)1\.\.\d+(?:\n +# .*)*\n(?!\1) *ok\b.*$", re.MULTILINE)
_SUBTEST: Final = re.compile(r"^ +(?=ok \d)", re.MULTILINE)
# How Node tells that no test passed, and what else it says of the files and suites of these.
_NONE_OF_NODE: Final = re.compile(r"^(?:#|\N{INFORMATION SOURCE}) pass 0$", re.MULTILINE)
_OF_NODE: Final = re.compile(r"^ *(?:ok \d|[\N{CHECK MARK}\N{HEAVY CHECK MARK}] ).*$", re.MULTILINE)
# What ESLint says of a file that it was told to read and did not, and how many things it told.
_IGNORED: Final = re.compile(r"^[ \t]+\d+:\d+\s+warning\s+File ignored\b", re.MULTILINE)
_TOLD_BY_ESLINT: Final = re.compile(r"\b(\d+) problems? \(0 errors, (\d+) warnings?\)")
# How CTest tells of all tests, and of each that did not run.
_OF_CTEST: Final = re.compile(r"\b100% tests passed, 0 tests failed out of ([1-9]\d*)\b")
_LEFT_BY_CTEST: Final = re.compile(
    r"^[ \t]*\d+ - .* \((?:Skipped|Disabled|Not Run)\)$", re.MULTILINE
)
# Where tests are named as they run, that a package of Go is well tells of none.
_NAMES_RUNS: Final = "=== RUN "
_OF_PACKAGE: Final = re.compile(r"^ok\s.*$", re.MULTILINE)
_IDLE: Final = re.compile(
    r"make(?:\[\d+\])?: (?:[`'\"]?[\w.-]+[`'\"]? is up to date|Nothing to be done for .*)\.?"
    r"|(?:task: Task \"[^\"\n]*\" is up to date\s*)+"
)
_SOME: Final = re.compile(
    r"""
      (?<![\d.,/])[1-9]\d*\ +(?:passed|passing|pass|examples?|assertions?|scenarios?|runs|successful
        |success|successes|specs?)\b
    | (?<!running\ )(?<!starting\ )(?<!found\ )(?<!skipping\ )(?<![\d.,/])[1-9]\d*\ tests?\b
        (?!\ (?:skipped|ignored|pending|todo)\b)
    | \bexecuted\ [1-9]\d*\ of\b | ^Ok:\ +[1-9] | \btests\ run:\ *[1-9] | \bfailed\ out\ of\ [1-9]
    | \b(?:pass(?:ed)?|succeeded|successes):?\ +[1-9]
    | ^ok\s++(?!\||.*(?:\[no\ tests?\ |\#\ *skip\b))\S
    | (?-i:^>\ Task\ :(?:[\w-]+:)*(?:test|\w+Test)(?:\ UP-TO-DATE|\ FROM-CACHE)?$)
    | (?-i:^>\ Task\ :(?:[\w-]+:)*(?:detekt|checkstyle|pmd|spotbugs|lint|run(?:Ktlint|KtLint))
        \w*(?:\ UP-TO-DATE|\ FROM-CACHE)?$)
    | (?-i:^\ *[\w.-]+:\ OK\b | \.Passed$) | ^nox\ >\ .*\bsuccess
    | (?-i:^\ *---\ PASS: | \bPASSED\b | ^\ *PASS[ :]\ *\S)
    | ^[^\S\n]*[\N{CHECK MARK}\N{HEAVY CHECK MARK}\N{SQUARE ROOT}]\ \S
    """,
    re.MULTILINE | re.VERBOSE | re.IGNORECASE,
)


# What a run that failed says where it found no test, and of whatever else went wrong.
_NOT_FOUND: Final = re.compile(
    r"^(?:ERROR: (?:file or directory )?not found: .*|No test(?: file)?s found.*)$", re.MULTILINE
)
# What a run that failed says where there is no project, or no such script: nothing was checked.
_NO_PROJECT: Final = re.compile(
    r"""
    ^.*(?:
      \bmissing\ script: | \berror:\ no\ test\ specified\b
    | \bscript\ not\ found\b
    | \bcommand\ "?[\w:-]+"?\ not\ found\b
    | \b(?:couldn't\ find\ a|no|not\ read)\ package\.json\b
    | \benoent\b.{0,80}\bopen\b.{0,400}\bpackage\.json\b
    | \bgo\.mod\ file\ not\ found\b | \bcannot\ find\ main\ module\b
    | \bdoes\ not\ contain\ (?:main\ module|a\ gradle\ build|recipe)\b
    | \bcould\ not\ (?:find|locate)\ [`'"]?(?:cargo\.toml|package\.swift|gemfile|a\ mix\.project)
    | \bthere\ is\ no\ pom\ in\ this\ directory\b
    | \bno\ (?:rakefile|justfile|taskfile|makefile)\ found\b
    | \bno\ rule\ to\ make\ target\ [`'"][\w.:-]+['"]\.
    | \bmsb1003\b
    ).*$
    """,
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_AROUND: Final = re.compile(r"^(?:npm (?:ERR!|error)|\[ERROR\]).*$", re.MULTILINE)
_TROUBLE: Final = re.compile(r"fail|error|panic|exception|traceback", re.IGNORECASE)


# One of these stands in whatever the patterns find; to look for them costs next to nothing. "10
# passed", "0 failed" and "no idea" hint at nothing. Pytest counts `xfailed` ones by this word.
_HINTS: Final = (
    *("kip", "KIP", "gnored", " todo", "pending", "ndefined", "xcluded", "deselected", "xfailed"),
    *("expected failures=", "ncomplete: ", "NO", "one of the selected"),
    *("un: 0", "un:  0", "ests 0", "pass 0", "PASS=0", "Passed: 0", "TEST RUN PASSED", "Ok: "),
    *("thing to do.", "1..0", "\N{BOX DRAWINGS LIGHT VERTICAL} Tests: "),
)
_NOUGHT: Final = re.compile(
    r"0(?<![\w.,/]0) (?:test|pass|exampl|runs|scenario|spec|item|success|select|o[fu]|chart|files"
    r"|source|package|skip|~)"
)
_NO: Final = re.compile(r"o(?<=[Nn]o) (?:\w+ )?(?:test|files|exampl|task|project|package)")
# A sum of several lines stands no further than this from the line that hints at it.
_REACH: Final = 4
# What stands for the lines between, so that nothing is put together that stood apart.
_CUT: Final = "[...]"


# How the managers of packages begin to tell what a script of a project is.
_SCRIPT: Final = re.compile(r"^(?:> |\$ )\S", re.MULTILINE)


# How linters and type checkers tell that they have read something and found nothing.
_READ: Final = re.compile(
    r"""
      \ball\ checks\ passed\b | \bno\ issues\ found\ in\ [1-9]
    | (?<!\d)[1-9]\d*\ files?\ (?:would\ be\ left\ unchanged|already\ formatted|inspected|checked)
    | \ball\ matched\ files\ use\ prettier\b | \bchecked\ [1-9]\d*\ (?:source\ )?files?\b
    | \brated\ at\ [\d.]+/10\b | \b0\ errors?,\ \d+\ warnings?\b
    """,
    re.IGNORECASE | re.VERBOSE,
)


def ran_nothing(output: str, *, lenient: bool, failed: bool = False) -> bool:
    """Whether a check ran no test that could fail it, as far as its output tells.

    A `lenient` one passes also without any, so that its output has to tell of some, of the script
    that was run, or of files that were read. Where one passed and tells in the end that tests
    failed, what ran it, or what stands around it, threw the status away.
    """
    if says_nothing_ran(output, failed=failed):
        return True
    if failed:
        return False
    if ends_with_failure(output):
        return True
    rest = without_empty_scripts(output)
    if rest is not None and _SOME.search(rest) is None:
        return True
    if not lenient:
        return False
    return not any(one.search(output) for one in (_SOME, _SCRIPT, _READ))


def says_nothing_ran(output: str, *, failed: bool = False) -> bool:
    """Whether a runner says in its output that it ran no test, and no other that it ran one.

    A run that `failed` may say nothing besides; it may also say that there is no project to test.
    """
    if failed and _NO_PROJECT.search(output) is not None:
        rest = _AROUND.sub("", _NO_PROJECT.sub("", output))
        return _TROUBLE.search(rest) is None and _SOME.search(rest) is None
    near = _near_hints(output)
    if not near:
        return output.startswith(("make", "task: ")) and _IDLE.fullmatch(output.strip()) is not None
    if not failed and (idle := _told_by_sum(output, near)) is not None:
        return idle
    if "    1.." in output:
        output = near = _SUBTEST.sub("", _OF_SUBTESTS.sub("", output))
    if _NONE.search(near) is not None:
        if failed and _TROUBLE.search(_NOT_FOUND.sub("", output)) is not None:
            return False
        if _NAMES_RUNS in output:
            output = _OF_PACKAGE.sub("", output)
        return _SOME.search(output) is None
    return False


def _told_by_sum(output: str, near: str) -> bool | None:
    """Whether the sum of one runner says that it ran no test; None where none of these tells."""
    if _ALL_LEFT.search(near) is not None:
        return _SOME.search(_ALL_LEFT.sub("", output)) is None
    if _NONE_OF_GOOGLE in output:
        return _SOME.search(_OF_GOOGLE.sub("", output)) is None
    if "did not run" in output and (told := _OF_CTEST.search(near)) is not None:
        return len(_LEFT_BY_CTEST.findall(output)) == int(told[1])
    if " problem" in output and (told := _TOLD_BY_ESLINT.search(output)) is not None:
        ignored = len(_IGNORED.findall(output))
        return ignored == int(told[1]) > 0 and _SOME.search(output) is None
    if _NONE_OF_NODE.search(near) is not None:
        return _SOME.search(_OF_NODE.sub("", output)) is None
    return None


def _near_hints(output: str) -> str:
    """Return the lines of an output near what hints at tests that did not run; often none."""
    hints = [*filter(output.__contains__, _HINTS)]
    searches = [one.search for one in (_NOUGHT, _NO) if one.search(output) is not None]
    if not (hints or searches):
        return ""
    lines = output.split("\n")
    near = {
        close
        for at, line in enumerate(lines)
        if any(map(line.__contains__, hints)) or (searches and any(do(line) for do in searches))
        for close in range(at - _REACH, at + _REACH + 1)
    }
    kept: list[str] = []
    for at, line in enumerate(lines):
        if at in near:
            kept.append(line)
        elif kept and kept[-1] is not _CUT:
            kept.append(_CUT)
    return "\n".join(kept)
