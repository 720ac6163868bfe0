"""Shell commands that say which files they change: edits in place, copies, moves, redirects.

Such a change has paths as that of a file tool has, and is rated, looked at and reviewed by them
(policy point). A script that may reach other files, a pattern, and what may be a folder tell
nothing: a change that is told half is not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.arguments import MOST_PATHS
from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.command_kinds import is_check, only_reads, tidies_scratch
from reasonix_runtime.evidence.command_tables import OUTPUT_OPERATORS
from reasonix_runtime.evidence.effects.formatters import formats, formatted_in, is_file
from reasonix_runtime.evidence.effects.patches import patched_by
from reasonix_runtime.evidence.effects.products import makes_products
from reasonix_runtime.evidence.effects.python_edits import programmed_by
from reasonix_runtime.evidence.effects.reads_by_arguments import sed_prints
from reasonix_runtime.evidence.effects.redirects import is_document, is_safe
from reasonix_runtime.evidence.effects.scratch import taken_away
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.replacements import replaces_program
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.reading import Plain, read
from reasonix_runtime.evidence.shell.script import Dialect
from reasonix_runtime.evidence.word_lists import words as word_set
from reasonix_runtime.evidence.word_lists import words_of_name

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.shell.script import Redirect

_TESTS: Final = word_set("test tests spec specs e2e conftest")
_HEAD: Final = word_set("HEAD @")
# What stands behind `git checkout` may be a branch: `release/1.2`.
_NAMED_AS_FILE: Final = re.compile(r"[^-@:*?\[{][^@:*?\[{]*\.[A-Za-z]\w*")
_PATTERN: Final = re.compile(r"[*?\[{}]|^~|\$")
# What is installed is no work, and may stand in for a program that a check runs.
_NO_WORK: Final = re.compile(
    r"(?:^|/)(?:node_modules|site-packages|\.?venv|\.tox|\.nox|\.git|vendor)/"
    r"|^/(?:usr|bin|sbin|opt|etc|lib)/"
)
_SED_FLAGS: Final = re.compile(r"-[nErsuz]*|--(?:regexp-extended|quiet|silent|posix|null-data)")
_SED_IN_PLACE: Final = re.compile(r"-[nErsz]*i(?:\.\w+|~)?|--in-place(?:=\.?\w+)?")
# A line that sed puts in, after a backslash or in one line.
_SED_TEXT: Final = re.compile(r"(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)?\s*[aic](?:[^\\\n]|\\[\s\S])*")
# Each letter is taken in one way only: of a word that is none of it nothing is tried twice.
_PERL_FLAGS: Final = re.compile(r"-(?:0\d*(?!\d)|[plnwsi])*(?:(?<=i)\.\w+)?[pn]?e?")
_PERL_SCRIPT: Final = re.compile(
    r"\s*(?:(?:s|tr|y)(?P<sign>[/|#,!~%])(?:(?!(?P=sign))[^\\`]|\\.)*(?P=sign)"
    r"(?:(?!(?P=sign))[^\\`@]|\\.)*(?P=sign)[gimsxr0-9]*"
    r"|s\{[^{}`]*\}\{[^{}`@]*\}[gimsx]*)\s*",
    re.DOTALL,
)
_RUNS_CODE: Final = re.compile(r"\(\?\??\{|[$@]\{")

_CMDLET_PATHS: Final = word_set("-path -literalpath -filepath -destination")
_CMDLET_VALUES: Final = word_set("-value -encoding -inputobject -width -erroraction")
_CMDLET_FLAGS: Final = word_set("-force -nonewline -append -noclobber -verbose")
_QUOTES: Final = ("'", '"', "@'", '@"')


@dataclass(frozen=True, slots=True)
class ToldEdit:
    """The files that a command changes.

    `left` have other content after it, `restored` ones among them that which git holds, and
    `unsure` ones only where they are no branch (`git checkout a.py`); of those that it `kept`
    (`touch`, `chmod`) or `removed` there is nothing to read; `moved` ones are elsewhere.
    """

    left: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    restored: tuple[str, ...] = ()
    unsure: tuple[str, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.moved, *self.removed, *self.kept, *self.left)

    def gone(self, key: Callable[[str], str]) -> list[str]:
        """Return the keys of the files that are elsewhere after it, and not there again."""
        there = {key(path) for path in (*self.left, *self.kept, *self.removed)}
        return [moved for moved in map(key, self.moved) if moved not in there]

    def to_read(self, touched: Iterable[str], key: Callable[[str], str]) -> dict[str, None]:
        """Return which of the touched files, told by their keys, have something new to read."""
        nothing = set(map(key, (*self.kept, *self.removed)))
        return {one: None for one in touched if one not in nothing}

    def below(self, folders: Sequence[str]) -> ToldEdit:
        """Return the same files of a command that runs where a shell went before."""

        def placed(paths: tuple[str, ...]) -> tuple[str, ...]:
            """Return paths as they are named from where the shell began."""
            return tuple(below("", *folders, path) for path in paths)

        return ToldEdit(
            placed(self.left),
            placed(self.moved),
            placed(self.removed),
            placed(self.kept),
            placed(self.restored),
            placed(self.unsure),
        )

    def then(self, later: ToldEdit) -> ToldEdit:
        """Return what two commands change, one after the other."""
        gone = (*later.moved, *later.removed)
        return ToldEdit(
            (*[path for path in self.left if path not in gone], *later.left),
            (*self.moved, *later.moved),
            (*self.removed, *later.removed),
            (*self.kept, *later.kept),
            (*[path for path in self.restored if path not in later.left], *later.restored),
            (*self.unsure, *later.unsure),
        )


NO_EDIT: Final = ToldEdit()


@memoised(2048)
def edit_of(command: str, rules: CommandRules) -> ToldEdit:
    """Return the files that a command changes; nothing where they are not all told."""
    if rules.shell_edits_are_opaque:
        return NO_EDIT
    reading = read(command, rules)
    if not reading.is_whole:
        return NO_EDIT
    found = NO_EDIT
    for plain in reading.commands:
        if tidies_scratch(plain, rules):
            continue
        edit = _edit(plain, rules)
        written = () if edit else patched_by(plain, command) or programmed_by(plain, command)
        if written and all(map(_is_work, written)):
            edit = ToldEdit(written)
        if edit is None and formats(plain):
            edit = ToldEdit(formatted_in(plain))
            # What was put away by name may be brought back, so it is no edit like others.
            stashes = (plain.words or ())[:2] == ("git", "stash")
            if stashes or not edit.left or not all(map(is_file, edit.left)):
                return NO_EDIT
        if edit is not None:
            found = found.then(edit.below(plain.moves))
        elif not (
            is_check(plain, rules)
            or only_reads(plain, rules)
            or makes_products(plain)
            or _is_text(plain, reading.script.dialect)
        ):
            return NO_EDIT
    return found if len(found.paths) <= MOST_PATHS else NO_EDIT


@memoised(1024)
def cleared_by(command: str, rules: CommandRules) -> tuple[str, ...]:
    """Return what a command takes away in folders for scratch, as far as it is told by name."""
    reading = read(command, rules)
    tidying = [one for one in reading.commands if reading.readable and tidies_scratch(one, rules)]
    return tuple(path for plain in tidying for path in taken_away(plain))


def _edit(plain: Plain, rules: CommandRules) -> ToldEdit | None:
    """Return what one command changes, None where it is no edit, or not all of it is told."""
    if plain.opaque or any(map(replaces_program, plain.assignments)):
        return None
    segment = plain.segment
    outputs = [one for one in segment.redirects if writes(one)]
    # What it is given to read stands there: `cat > a.py <<'EOF'`.
    left_out = (*outputs, *(one for one in segment.redirects if is_document(one)))
    rest = tuple(one for one in segment.redirects if one not in left_out)
    bare = replace(plain, segment=replace(segment, redirects=rest))
    if outputs:
        files = [one.target.value for one in outputs if one.target is not None]
        known = [file for file in files if file and _is_work(file)]
        prints = only_reads(bare, rules) or is_check(bare, rules) or makes_products(bare)
        return ToldEdit(tuple(known)) if prints and len(known) == len(outputs) else None
    told_words = bare.words
    if not told_words:
        return None
    edits = _EDITS.get(program_name(told_words[0]))
    edit = edits(told_words[1:]) if edits is not None else None
    return edit if edit is not None and edit.paths and all(map(_is_work, edit.paths)) else None


def _is_work(path: str) -> bool:
    return _PATTERN.search(path) is None and _NO_WORK.search(path) is None


def writes(redirect: Redirect) -> bool:
    """Whether a redirect puts something into a file."""
    return redirect.operator in OUTPUT_OPERATORS and not is_safe(redirect)


def _sed(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`sed -i 's/a/b/' a.py`, of which the script only prints, drops, puts in or substitutes."""
    scripts: list[str] = []
    files: list[str] = []
    in_place, at = False, 0
    while at < len(arguments):
        word = arguments[at]
        at += 1
        if word in {"-e", "--expression"}:
            scripts += arguments[at : at + 1]
            at += 1
        elif _SED_IN_PLACE.fullmatch(word):
            in_place = True
            at += 1 if arguments[at : at + 1] == ("",) else 0  # as BSD wants it
        elif word.startswith("-"):
            if not _SED_FLAGS.fullmatch(word):
                return None
        else:
            files.append(word)
    if not scripts:
        scripts, files = files[:1], files[1:]
    if not in_place or not all(map(_only_edits, scripts)):
        return None
    return ToldEdit(tuple(files))


def _only_edits(script: str) -> bool:
    return sed_prints(script) or _SED_TEXT.fullmatch(script) is not None


def _perl(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`perl -pi -e 's/a/b/' a.py`, of which the script only substitutes."""
    at, letters = 0, ""
    while at < len(arguments) and arguments[at].startswith("-"):
        if not _PERL_FLAGS.fullmatch(arguments[at]):
            return None
        letters += arguments[at]
        at += 1
        if arguments[at - 1].endswith("e"):
            break
    script, files = arguments[at : at + 1], arguments[at + 1 :]
    edits = "i" in letters and "p" in letters and letters.endswith("e") and script
    if not edits or any(word.startswith("-") for word in files):
        return None
    parts = [part for part in script[0].split(";") if part.strip()]
    only = all(map(_PERL_SCRIPT.fullmatch, parts)) and not _RUNS_CODE.search(script[0])
    return ToldEdit(files) if only else None


def _operands(arguments: tuple[str, ...], *options: str) -> tuple[str, ...] | None:
    """Return the operands of a command, None where it has other options than these."""
    operands: list[str] = []
    only = True
    for at, word in enumerate(arguments):
        if word == "--":
            return (*operands, *arguments[at + 1 :]) if only else None
        if word.startswith("-"):
            only = only and word in options
        else:
            operands.append(word)
    return tuple(operands) if only else None


def _copy(arguments: tuple[str, ...]) -> ToldEdit | None:
    named = _operands(arguments, "-f", "-p", "-v", "-n", "--force")
    target = _target(named)
    return ToldEdit((target,)) if target else None


def _move(arguments: tuple[str, ...]) -> ToldEdit | None:
    named = _operands(arguments, "-f", "-v", "-n", "--force", "-k")
    target = _target(named)
    if not (named and target) or (is_test(named[0]) and not _still_runs(target)):
        return None
    return ToldEdit((target,), moved=(named[0],))


def _target(named: tuple[str, ...] | None) -> str:
    """Return the file that a copy of one file makes, empty where that may be a folder."""
    if named is None or len(named) != 2 or not is_file(named[0]):
        return ""
    source, target = named
    if target.endswith("/"):
        return f"{target}{source.rpartition('/')[2]}"
    return target if is_file(target) else ""


def _remove(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`rm a.py`, which without `-r` takes no folder away; with a test a check would pass."""
    named = _operands(arguments, "-f", "-v", "-i", "-q", "--force")
    return None if named is None or any(map(is_test, named)) else ToldEdit(removed=named)


def is_test(path: str) -> bool:
    """Whether a path is called like a test, or stands in a folder of tests."""
    return not _TESTS.isdisjoint(words_of_name(path))


def _still_runs(path: str) -> bool:
    """Whether a test that was moved is called so that runners find it: in a folder of tests too."""
    folder, _, base = path.rpartition("/")
    return is_test(folder) or not {"test", "spec"}.isdisjoint(words_of_name(base))


def _touch(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`touch a/__init__.py`: what was there stays, and what was not is empty."""
    named = _operands(arguments, "-c", "-a", "-m")
    return None if named is None else ToldEdit(kept=named)


def _tee(arguments: tuple[str, ...]) -> ToldEdit | None:
    named = _operands(arguments, "-a", "--append")
    return None if named is None else ToldEdit(named)


def _mode(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`chmod +x run.sh`."""
    files = arguments[1:]
    return ToldEdit(kept=files) if files and all(map(is_file, files)) else None


def _git(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`git mv a.py b.py`, `git rm a.py`, and files that are taken back to what git holds."""
    subcommand, rest = arguments[:1], arguments[1:]
    if subcommand == ("mv",):
        return _move(rest)
    if subcommand == ("rm",):
        removed = _remove(rest)
        return removed if removed and all(map(is_file, removed.removed)) else None
    back, unsure = True, False
    if subcommand == ("checkout",):
        unsure = "--" not in rest and all(map(_NAMED_AS_FILE.fullmatch, rest))
        at = -1 if unsure else rest.index("--") if "--" in rest[:2] else len(rest)
        named, back = rest[at + 1 :], _HEAD.issuperset(rest[: max(at, 0)])
    elif subcommand == ("restore",):
        named = _operands(rest, "--worktree", "-W") or ()
    else:
        return None
    if not named or not all(map(is_file, named)):
        return None
    return ToldEdit(named, restored=named if back else (), unsure=named if unsure else ())


def _cmdlet(arguments: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the files that a cmdlet names, by a parameter or by their place; None for others."""
    named: list[str] = []
    at = 0
    told = [word.lower() for word in arguments if word.lower() in _CMDLET_PATHS]
    if told[:1] == ["-destination"]:  # what is copied stands behind it
        return None
    while at < len(arguments):
        option = arguments[at].lower()
        at += 1
        if option in _CMDLET_VALUES:
            at += 1
        elif not option.startswith("-"):
            named.append(arguments[at - 1].replace("\\", "/"))
        elif option not in _CMDLET_FLAGS | _CMDLET_PATHS:
            return None
    return None if any("," in name for name in named) else tuple(named)


def _content(arguments: tuple[str, ...]) -> ToldEdit | None:
    """`Set-Content a.ts 'x'`, `Out-File -FilePath a.ts`: what stands behind the file is a text."""
    told = _CMDLET_PATHS.intersection(map(str.lower, arguments))
    first = next((at for at, word in enumerate(arguments) if word.lower() in told), 0)
    named = _cmdlet(arguments[first:])
    return ToldEdit(named[:1]) if named and is_file(named[0]) else None


def _copy_item(arguments: tuple[str, ...]) -> ToldEdit | None:
    return _copy(_cmdlet(arguments) or ())


def _move_item(arguments: tuple[str, ...]) -> ToldEdit | None:
    return _move(_cmdlet(arguments) or ())


def _remove_item(arguments: tuple[str, ...]) -> ToldEdit | None:
    named = _cmdlet(arguments) or ()
    return _remove(named) if named and all(map(is_file, named)) else None


def _is_text(plain: Plain, dialect: Dialect) -> bool:
    """Whether PowerShell is given a text by itself, to hand it on: `'x' | Set-Content a.ts`."""
    words = plain.segment.words
    quoted = len(words) == 1 and words[0].text.startswith(_QUOTES) and not words[0].substitutions
    return quoted and dialect is Dialect.POWERSHELL


_EDITS: Final[Mapping[str, Callable[[tuple[str, ...]], ToldEdit | None]]] = {
    "sed": _sed,
    "gsed": _sed,
    "perl": _perl,
    "cp": _copy,
    "mv": _move,
    "rm": _remove,
    "unlink": _remove,
    "touch": _touch,
    "tee": _tee,
    "chmod": _mode,
    "git": _git,
    "set-content": _content,
    "add-content": _content,
    "out-file": _content,
    "copy-item": _copy_item,
    "move-item": _move_item,
    "remove-item": _remove_item,
}
