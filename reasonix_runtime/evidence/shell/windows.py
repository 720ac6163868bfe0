"""PowerShell and cmd text to a `Script`: a small reader of separators and quotes.

Both shells are read only as far as evidence needs it: which commands are joined by what, what
their words are, and where a redirect goes. Script blocks, parentheses and control words make the
text unsplittable; what stands in them is not looked at, but for a filter that compares values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Assignment,
    Background,
    Dialect,
    Pipe,
    Problem,
    Redirect,
    Script,
    Segment,
    Sequence,
    Simple,
    Statement,
    Substitution,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Sequence as Items

_REDIRECT = re.compile(r"([0-9*]?)(>>|>|<)(&[0-9])?")
_CONTROL_WORDS = frozenset(
    {"if", "else", "for", "foreach", "while", "do", "switch", "try", "function", "trap", "goto"}
)
_ENVIRONMENT = re.compile(r"\$env:([A-Za-z_]\w*)\Z", re.IGNORECASE)
# A word that is a value to PowerShell, and no program.
_VALUE = re.compile(r"[$\"'@(\[{\d-]|\Z")
# What runs inside a text, and is no value.
_RUN_INSIDE = re.compile(r"\$\([\s(]*([A-Za-z.&][^()]*)\)")
# A variable by itself is shown.
_SHOWN = re.compile(r"\$\w+\Z")
_RENAMING = frozenset({"set-alias", "new-alias", "sal", "nal"})
_SCOPE = re.compile(r"^\$+(?:(?:global|script|local|private):)?", re.IGNORECASE)
# `$x='text'`, `[Console]::OutputEncoding=[Text.Encoding]::UTF8`: what it holds runs nothing.
_SETTING = re.compile(
    r"(?:\$(?:(?:global|script|local|private):)?([A-Za-z_]\w*)|\[[\w.]+\]::\w+)"
    r"=('[^']*'|\"[^\"$`]*\"|\$\w+|\d+|\[[\w.]+\]::\w+)\Z",
    re.IGNORECASE,
)
_SET = re.compile(r"([A-Za-z_]\w*)=(.*)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Shell:
    """What differs between the two shells."""

    separators: tuple[str, ...]  # longest first
    quotes: str
    escape: str
    variable: re.Pattern[str]
    comment: str
    calls: bool = False  # a lone `&` calls a program in front of it, and starts it apart behind


_SHELLS = {
    Dialect.POWERSHELL: _Shell(
        separators=("&&", "||", ";", "|", "\n"),
        quotes="'\"",
        escape="`",
        variable=re.compile(r"\$[\w({?$^:]|@[({]"),
        comment="#",
        calls=True,
    ),
    Dialect.CMD: _Shell(
        separators=("&&", "||", "&", "|", "\n"),
        quotes='"',
        escape="^",
        variable=re.compile(r"%[^%\s]+%|![^!\s]+!|%%?[A-Za-z0-9*~]"),
        comment="",
    ),
}
# How PowerShell is told to stop after a program that failed, which it does not by itself.
# Blanks are bounded where the search may begin at each of them, and given back by none.
_GUARD = re.compile(
    r"(?<![ \t])[ \t]*[;\n]\s{0,200}+if[ \t]*"
    r"\([ \t]*(?:\$LASTEXITCODE(?:[ \t]+-ne[ \t]+0)?|-not[ \t]+\$\?|!\$\?)[ \t]*\)"
    r"\s*\{\s*(?:Write-(?:Host|Error|Output|Warning)\b[^{}\n;|]*+[;\n]\s*+){0,4}"
    r"(?:exit[ \t]+(?:\$LASTEXITCODE|[1-9])|throw\b[^{}\n;|]*+)[ \t]*+;?\s*+\}",
    re.IGNORECASE,
)
# The same in batch files. What stands in `%` is put there before a line runs, so that of the line
# in which it stands it tells nothing.
_BATCH_GUARD = re.compile(
    r"(?<![ \t])[ \t]*(?:\n\s{0,200}+if[ \t]+(?:%errorlevel%[ \t]+(?:neq|gtr)[ \t]+0"
    r"|not[ \t]+\"?%errorlevel%\"?[ \t]*==[ \t]*\"?0\"?)"
    r"|(?:\n|(?<!&)&(?!&))\s{0,200}+if[ \t]+(?:errorlevel[ \t]+1|!errorlevel![ \t]+neq[ \t]+0))"
    r"[ \t]+\(?[ \t]*exit(?:[ \t]+/b)?[ \t]+(?:%errorlevel%|!errorlevel!|[1-9])"
    r"[ \t]*\)?(?=\s*(?:\n|&|$))",
    re.IGNORECASE,
)
# A batch file that ends with the status which it has by then.
_LAST_STATUS = re.compile(
    r"(\n\s{0,200}+exit(?:[ \t]+/b)?)[ \t]+%errorlevel%(?=[ \t]*(?:\n|$))", re.IGNORECASE
)
_STOPS = " || exit 1"
# What a pipe keeps, or shows, by values alone: `Where-Object { $_.Length -gt 5 }`. In other braces
# may stand any command.
_BY_VALUES = re.compile(
    r"(?<![\w-])(?:Where|ForEach)-Object[ \t]*+\{\s*+"
    r"(?:(?:\$_[\w.]*+(?!\()|\$(?:true|false|null)\b"
    r"|-[a-z]+\b|\d[\w.]*+|'[^'\n]*+'|\"[^\"$`\n]*+\"|!|(?<!\w)\(|\))\s*+){1,60}\}",
    re.IGNORECASE,
)
# What is tried and what is done in the end stand after each other; a program that fails throws
# nothing, and what is thrown is told as a failure only where the catch ends with one. Guards stand
# in braces of their own.
_BLOCK = r"(?:[^{}]|\{[^{}]*\})*"
_TRY = re.compile(
    rf"(?<![\w-])try\s*\{{(?P<body>{_BLOCK})\}}"
    rf"(?:\s*catch\s*(?:\[[\w.]+\]\s*)?\{{(?P<catch>{_BLOCK})\}})?"
    rf"(?:\s*finally\s*\{{(?P<end>{_BLOCK})\}})?",
    re.IGNORECASE,
)
_THROWS = re.compile(r"(?<![\w-])throw\b|-(?:ErrorAction|ea)[: \t]\s*['\"]?Stop\b", re.IGNORECASE)
_TOLD = re.compile(
    r"\s*(?:Write-(?:Host|Error|Output|Warning)\b[^;\n|]*[;\n]\s*)*"
    r"(?:exit[ \t]+(?:\$LASTEXITCODE|[1-9])|throw\b[^;\n|]*)[ \t]*;?\s*",
    re.IGNORECASE,
)

_GROUPING = "(){}"

_POWERSHELL_SIGNS = re.compile(
    r"\$env:\w|\$(?:LASTEXITCODE|ErrorActionPreference|ProgressPreference)\b|"
    r"(?:^|[;|&(])[ \t]*(?:Get|Set|New|Remove|Select|Test|Invoke|Out|Add|Copy|Move|Write|Start|"
    r"Where|ForEach|Measure|Compare|Resolve|Import|Export|ConvertTo|ConvertFrom|Sort|Group|Format|"
    r"Tee|Join|Split|Push|Pop|Rename|Clear|Stop|Expand|Compress)-[A-Z]\w+"
    r"|(?:^|;)[ \t]*(?:try[ \t]*\{|\[[A-Za-z][\w.]*\]::\w)",
    re.MULTILINE,
)
# A program named with backslashes: to Bash they would be escapes. Blanks only, no line breaks, so
# that a text of empty lines is searched once and not once a line.
_WINDOWS_PROGRAM = re.compile(
    r"(?:^|[;|&])[ \t]*\"?(?:[A-Za-z]:|\.{1,2})?\\?(?:[\w.-]+\\)+[\w.-]+\.(?:exe|cmd|bat|ps1)\b",
    re.IGNORECASE | re.MULTILINE,
)
# `& npm test`, which no other shell begins with.
_CALLED = re.compile(r"\s*&[ \t]+[^&\s]")
_CMD_SIGNS = re.compile(
    r"%[A-Z_]{2}\w*%|(?:^|&)[ \t]*set[ \t]+[A-Za-z_]\w*=|^type[ \t]+[^\s|&]*\\|\bcd[ \t]+/d\b"
    r"|(?i:\bexit[ \t]+/b\b|(?:^|&)[ \t]*if[ \t]+(?:not[ \t]+)?errorlevel\b|^@echo[ \t]+off\b)",
    re.MULTILINE,
)


def dialect_of(command: str) -> Dialect:
    """Tell from its text which shell a command was written for; Bash when nothing speaks against.

    PowerShell shows itself by `$env:NAME`, `$LASTEXITCODE` or a `Verb-Noun` command, cmd by
    `%NAME%`, `set NAME=value`, `cd /d`, `exit /b`, `if errorlevel` or `type` of a path
    with backslashes; a program named with backslashes is read like PowerShell.
    """
    if _POWERSHELL_SIGNS.search(command) or _CALLED.match(command):
        return Dialect.POWERSHELL
    if _CMD_SIGNS.search(command):
        return Dialect.CMD
    return Dialect.POWERSHELL if _WINDOWS_PROGRAM.search(command) else Dialect.BASH


def read_windows(command: str, dialect: Dialect) -> Script:
    """Read PowerShell or cmd text; `shell.parse` is the memoised way in."""
    text = command.replace("\r\n", "\n")
    if dialect is Dialect.POWERSHELL:
        text = _BY_VALUES.sub("Select-Object", text)
        text = _GUARD.sub(_STOPS, _TRY.sub(_one_after_the_other, text))
    else:
        text = _LAST_STATUS.sub(r"\1", _BATCH_GUARD.sub(_STOPS, text))
    reader = _Reader(text, _SHELLS[dialect])
    reader.read()
    segments: list[Segment] = []
    operators: list[str] = []
    for raw, operator in zip(reader.raw, reader.operators, strict=True):
        if not raw.text.strip():
            # A line break after a separator joins nothing; any other empty place is an error.
            if operator not in {"\n", ""} and (not segments or operators[-1] != "\n"):
                reader.problem = reader.problem or Problem.SYNTAX
            continue
        own = raw
        kept = _kept_output(raw) if dialect is Dialect.POWERSHELL else None
        if kept is not None and not (operators and operators[-1] in {"||", "|"}):
            segments.append(kept)
            operators.append("&&")
            own = replace(raw, text=_behind_equals(raw.text), words=raw.words[2:])
        segments.append(_segment(own, dialect))
        operators.append(operator)
        if segments[-1].words and segments[-1].words[0].text.lower() in _CONTROL_WORDS:
            reader.problem = reader.problem or Problem.CONTROL
    if operators and operators[-1] in {"&&", "||", "|"}:
        reader.problem = reader.problem or Problem.SYNTAX
    return Script(
        text=command,
        segments=tuple(segments),
        operators=tuple(operators[:-1]),
        body=_statement(segments, operators),
        problem=reader.problem,
        dialect=dialect,
        defined=frozenset(_renamed(segments)),
    )


def _kept_output(raw: _Raw) -> Segment | None:
    """Return what sets the variable in `$out = pytest -q`, to what nobody knows; else None."""
    words = raw.words
    if len(words) < 3 or words[1].text != "=" or _VALUE.match(words[2].text):
        return None
    if not _SCOPE.match(words[0].text):
        return None
    unseen = Assignment(_name_of(words[0]), Word("$_", None))
    return Segment(text=f"{words[0].text} =", words=(), assignments=(unseen,))


def _name_of(variable: Word) -> str:
    """Return the name of a variable of the shell, or of the environment, that is set."""
    name = _ENVIRONMENT.match(variable.text)
    return name[1] if name else _SCOPE.sub("", variable.text)


def _behind_equals(text: str) -> str:
    return text.partition("=")[2].strip()


def _renamed(segments: Items[Segment]) -> Iterator[str]:
    """Yield the names that `Set-Alias pytest Write-Output` gives another meaning."""
    for segment in segments:
        texts = [word.value or word.text for word in segment.words]
        if texts and texts[0].lower() in _RENAMING:
            yield from (text for text in texts[1:] if not text.startswith("-"))


def _one_after_the_other(tried: re.Match[str]) -> str:
    """Return what a `try` runs, as a list of commands.

    Where it throws what the catch does not tell, nobody knows how far it came: it stays as it is.
    """
    parts = [tried["body"].strip(" \t\n;")]
    if tried["catch"] is not None and _TOLD.fullmatch(tried["catch"]):
        parts[0] += _STOPS
    elif tried["catch"] is not None:
        if _THROWS.search(tried["body"]):
            return tried[0]
        parts.append(tried["catch"].strip(" \t\n;"))
    parts.append((tried["end"] or "").strip(" \t\n;"))
    return "\n".join(filter(None, parts)) + "\n"


@dataclass(slots=True)
class _Raw:
    """A segment while it is read."""

    text: str
    words: list[Word]
    redirects: list[Redirect]
    background: bool = False


class _Reader:
    """One pass over the characters."""

    def __init__(self, text: str, shell: _Shell) -> None:
        self.text = text
        self.shell = shell
        self.at = 0
        self.problem: Problem | None = None
        self.raw: list[_Raw] = []
        self.operators: list[str] = []
        self._begin = 0
        self._words: list[Word] = []
        self._redirects: list[Redirect] = []

    def read(self) -> None:
        """Read everything; fills `raw` and `operators`, which are equally long."""
        while self.at < len(self.text):
            separator = self._separator()
            if separator:
                self._end(separator)
                self.at += len(separator)
                self._begin = self.at
            elif self.text[self.at].isspace():
                self.at += 1
            elif self.shell.comment and self.text[self.at] == self.shell.comment:
                end = self.text.find("\n", self.at)
                self.at = len(self.text) if end < 0 else end
            else:
                self._word_or_redirect()
        self._end("")

    def _separator(self) -> str:
        for separator in self.shell.separators:
            if self.text.startswith(separator, self.at):
                return separator
        return ""

    def _end(self, operator: str) -> None:
        text = self.text[self._begin : self.at].strip()
        words = self._words
        background = False
        if self.shell.calls and words and words[0].text == "&":
            words = words[1:]  # `& program arguments`
        if self.shell.calls and words and words[-1].text == "&":
            words, background = words[:-1], True
        self.raw.append(_Raw(text, words, self._redirects, background))
        self.operators.append(operator)
        self._words, self._redirects = [], []

    def _word_or_redirect(self) -> None:
        match = _REDIRECT.match(self.text, self.at)
        if match is None:
            self._words.append(self._word())
            return
        descriptor, operator, joined = match.groups()
        self.at = match.end()
        if joined:
            target: Word | None = Word(joined[1:], joined[1:])
            operator += "&"
        else:
            while self.at < len(self.text) and self.text[self.at] in " \t":
                self.at += 1
            target = self._word() if self.at < len(self.text) else None
            if target is None or not target.text:
                self.problem = self.problem or Problem.SYNTAX
        self._redirects.append(Redirect(descriptor, operator, target))

    def _word(self) -> Word:
        start, opaque = self.at, False
        out: list[str] = []
        run: list[Substitution] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char.isspace() or self._separator() or (out and char in "<>"):
                break
            opaque |= bool(self.shell.variable.match(self.text, self.at))
            if char in self.shell.quotes:
                value, expands = self._quoted(char, run)
                out.append(value)
                opaque |= expands
                continue
            if char == self.shell.escape and self.at + 1 < len(self.text):
                self.at += 1
            elif char in _GROUPING:
                self.problem = self.problem or Problem.GROUP
            out.append(self.text[self.at])
            self.at += 1
        known = None if opaque else "".join(out)
        return Word(self.text[start : self.at], known, tuple(run), opaque)

    def _quoted(self, quote: str, run: list[Substitution]) -> tuple[str, bool]:
        """Read a quoted part, with what runs in it; a doubled quote stands for itself."""
        expands = False
        out: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == quote:
                self.at += 1
                if self.shell.escape != "`" or not self.text.startswith(quote, self.at):
                    return "".join(out), expands
            elif quote == '"':
                expands |= bool(self.shell.variable.match(self.text, self.at))
                if self.shell.calls and (inner := _RUN_INSIDE.match(self.text, self.at)):
                    run.append(Substitution(inner[1], quoted=True, process=False))
                if char == "`" == self.shell.escape and self.at + 1 < len(self.text):
                    self.at += 1
            out.append(self.text[self.at])
            self.at += 1
        self.problem = self.problem or Problem.SYNTAX
        return "".join(out), expands


def _segment(raw: _Raw, dialect: Dialect) -> Segment:
    words = tuple(raw.words)
    assignments: tuple[Assignment, ...] = ()
    if dialect is Dialect.POWERSHELL and len(words) >= 2 and words[1].text == "=":
        value = words[2] if len(words) > 2 else Word("", "")
        assignments = (Assignment(_name_of(words[0]), value),)
        words = ()
    elif dialect is Dialect.POWERSHELL and words:
        setting = _SETTING.match(words[0].text) if len(words) == 1 else None
        name_text, sign, value_text = words[0].text.partition("=")
        name = _ENVIRONMENT.match(name_text)
        if sign and name:
            plain = value_text.strip("'\"")
            assignments = (Assignment(name[1], Word(value_text, plain)),)
            words = words[1:]
        elif len(words) == 1 and _SHOWN.match(words[0].text):
            words = (Word("Write-Output", "Write-Output"), *words)
        elif setting:
            given = setting[2]
            held = None if given[0] in "$[" else given.strip("'\"")
            what = setting[1] or words[0].text.partition("=")[0]
            assignments = (Assignment(what, Word(given, held, opaque=held is None)),)
            words = ()
    elif dialect is Dialect.CMD and words and words[0].text.startswith("@"):
        # It is not shown before it runs.
        shown = Word(words[0].text[1:], (words[0].value or "")[1:] or None)
        return _segment(replace(raw, words=[shown, *words[1:]]), dialect)
    elif dialect is Dialect.CMD and len(words) > 1 and _ends_batch(words):
        words = (words[0], *words[2:])
    elif dialect is Dialect.CMD and len(words) == 2 and words[0].text.lower() == "set":
        match = _SET.match(words[1].value or "")
        if match:
            assignments = (Assignment(match[1], Word(match[2], match[2])),)
            words = ()
    return Segment(
        text=raw.text,
        words=words,
        assignments=assignments,
        redirects=tuple(raw.redirects),
        background=raw.background,
    )


def _ends_batch(words: tuple[Word, ...]) -> bool:
    """`exit /b 1`, which ends a batch file with a status as `exit 1` ends its shell."""
    return [word.text.lower() for word in words[:2]] == ["exit", "/b"]


def _statement(segments: Items[Segment], operators: Items[str]) -> Statement:
    """Build the statement: pipes bind closest, then `&&` and `||`, then everything else."""
    sequence: list[Statement] = []
    chain: list[Statement] = []
    joins: list[str] = []
    pipe: list[Statement] = []
    for index, (segment, operator) in enumerate(zip(segments, operators, strict=True)):
        simple: Statement = Simple(index)
        pipe.append(Background(simple) if segment.background else simple)
        if operator == "|":
            continue
        chain.append(pipe[0] if len(pipe) == 1 else Pipe(tuple(pipe)))
        pipe = []
        if operator in {"&&", "||"}:
            joins.append(operator)
            continue
        sequence.append(chain[0] if len(chain) == 1 else AndOr(tuple(chain), tuple(joins)))
        chain, joins = [], []
    sequence.extend(chain + pipe)
    return sequence[0] if len(sequence) == 1 else Sequence(tuple(sequence))
