"""Programs of Python that stand in a command line and do nothing but edit files by name.

`python - <<'EOF'` with `Path('a.py').write_text(text.replace('x', 'y'))` is what agents write where
others write `sed -i`. All that such a program may do is listed here: it reads files, works on text,
and writes to paths that stand in it. Of any other one nobody knows what it does.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.effects.patches import document_of
from reasonix_runtime.evidence.effects.redirects import is_document, unsafe
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.running.reading import Plain

_PYTHON: Final = re.compile(r"python(?:3(?:\.\d+)?)?|py")
_LONGEST: Final = 65_536
# Nobody edits more files by one name, nor any that is called so long.
_MOST: Final = 64
_LONGEST_PATH: Final = 1024
_NODES: Final = (
    *(ast.Module, ast.Import, ast.ImportFrom, ast.alias, ast.Assign, ast.AugAssign, ast.Expr),
    *(ast.Assert, ast.If, ast.For, ast.With, ast.withitem, ast.Pass, ast.Break, ast.Continue),
    *(ast.Raise, ast.Constant, ast.Name, ast.expr_context, ast.Attribute, ast.Call, ast.keyword),
    *(ast.Subscript, ast.Slice, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp),
    *(ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.GeneratorExp, ast.comprehension),
    *(ast.Starred, ast.Lambda, ast.arguments, ast.arg, ast.Try, ast.ExceptHandler),
    *(ast.JoinedStr, ast.FormattedValue),
    *(ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
)
# What later versions of Python let stand in the fields of a formatted string, and earlier ones not.
_LATER_FIELD: Final = re.compile(r"\{[^{}]*[\"'\\#\r]")
_MODULES: Final = words("re pathlib json textwrap sys io")
_FUNCTIONS: Final = words(
    "open print len str int range enumerate sorted list set dict tuple min max any all repr zip"
    " reversed isinstance SystemExit Exception ValueError RuntimeError AssertionError KeyError"
    " FileNotFoundError OSError"
)
_METHODS: Final = words(
    "sub subn split splitlines join strip lstrip rstrip startswith endswith find rfind index rindex"
    " replace count format lower upper title append extend insert pop remove sort reverse read"
    " read_text readlines read_bytes write writelines match search fullmatch group groups start end"
    " span compile escape encode decode items keys values get finditer findall exit exists is_file"
    " partition rpartition removeprefix removesuffix loads dumps dump dedent indent close mkdir"
    " seek truncate"
)
_VALUES: Final = words(
    "parent name stem suffix argv stdout stderr M S I X DOTALL MULTILINE IGNORECASE VERBOSE"
)
_KEPT: Final = _FUNCTIONS | _MODULES | {"Path"}
_WRITING: Final = words("write_text write_bytes open")
_READ_MODES: Final = frozenset("rbtU")

Paths = tuple[str, ...]


def programmed_by(plain: Plain, command: str) -> Paths:
    """Return the files that a program in the text of a command writes; nothing for any other.

    Nor is anything told where it may do more than edit files by name.
    """
    text = _program_of(plain, command)
    if text is None or len(text) > _LONGEST:
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
        return _Program(tree, text).writes() or ()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()


def _program_of(plain: Plain, command: str) -> str | None:
    """Return what Python is given to run: `-c`, or the one document of the command."""
    segment = plain.segment
    program, *given = segment.values or ("",)
    told = any(one.name.startswith("PYTHON") for one in plain.assignments)
    if told or plain.opaque or segment.negated or not _PYTHON.fullmatch(tool_name(program)):
        return None
    read = unsafe(segment)
    if given[:1] == ["-c"] and len(given) == 2 and not read:
        return given[1]
    handed = len(read) == 1 and is_document(read[0])
    return document_of(command) if handed and given in (["-"], []) else None


class _Program:
    """A program, and the paths that its names hold: those that are set to nothing else."""

    def __init__(self, tree: ast.Module, text: str) -> None:
        lines = enumerate(text.split("\n"), 1)
        self.later = {number for number, line in lines if _LATER_FIELD.search(line)}
        self.nodes = [*ast.walk(tree)]
        self.called = {id(one.func) for one in self.nodes if isinstance(one, ast.Call)}
        self.stored = stored = [
            *(one.id for one in self.nodes if isinstance(one, ast.Name) and _stores(one)),
            *(one.arg for one in self.nodes if isinstance(one, ast.arg)),
            *(one.name or "" for one in self.nodes if isinstance(one, ast.ExceptHandler)),
        ]
        imported = [one.name for one in self.nodes if isinstance(one, ast.alias)]
        self.set = Counter([*stored, *imported])
        self.paths: dict[str, Paths] = {}
        held: dict[str, list[Paths]] = {}
        for node in _in_order(self.nodes):
            for name, paths in self._held(node):
                told = held.setdefault(name, [])
                told.append(paths)
                if len(told) == self.set[name] <= _MOST:
                    self.paths[name] = tuple(path for one in told for path in one)

    def writes(self) -> Paths | None:
        """Return what it writes, None where it may do more than edit files by name."""
        known = _FUNCTIONS | self.set.keys()
        if not _KEPT.isdisjoint(self.stored) or not all(map(self._is_allowed, self.nodes)):
            return None
        if any(isinstance(one, ast.Name) and one.id not in known for one in self.nodes):
            return None
        found: list[str] = []
        for node in self.nodes:
            paths = self._written(node) if isinstance(node, ast.Call) else ()
            if paths is None:
                return None
            found += paths
        return tuple(dict.fromkeys(found))

    def _is_allowed(self, node: ast.AST) -> bool:
        match node:
            case ast.Import(names):
                return all(one.name in _MODULES and one.asname is None for one in names)
            case ast.ImportFrom(module, names):
                return module == "pathlib" and [(one.name, one.asname) for one in names] == [
                    ("Path", None)
                ]
            case ast.Assign(targets):
                return all(map(_is_target, targets))
            case ast.AugAssign(target) | ast.For(target):
                return _is_target(target)
            case ast.withitem(_, optional_vars):
                return optional_vars is None or _is_target(optional_vars)
            case ast.JoinedStr():
                return node.lineno == node.end_lineno and node.lineno not in self.later
            case ast.Call(ast.Name(name)):
                return name in _FUNCTIONS or name == "Path"
            case ast.Call(ast.Attribute(_, "replace"), args):
                return len(args) > 1  # with one it gives a file another name
            case ast.Call(ast.Attribute(_, attr)):
                return attr in _METHODS | _WRITING or attr == "Path"
            case ast.Call():
                return False
            case ast.Attribute(_, attr):
                own = attr in _METHODS | _WRITING | {"Path"} and id(node) in self.called
                return own or attr in _VALUES
        return isinstance(node, _NODES)

    def _written(self, call: ast.Call) -> Paths | None:
        """Return what a call writes, None where that is not known."""
        match call.func:
            case ast.Name("open") | ast.Attribute(ast.Name("io"), "open"):
                target, modes = call.args[:1], call.args[1:2]
            case ast.Attribute(receiver, "open"):
                target, modes = [receiver], call.args[:1]
            case ast.Attribute(receiver, "write_text" | "write_bytes"):
                return self._path(receiver)
            case _:
                return ()
        modes = [*modes, *(one.value for one in call.keywords if one.arg in {"mode", None})]
        if any(one.arg in {"file", "opener"} for one in call.keywords) or not target:
            return None
        told = [one.value if isinstance(one, ast.Constant) else None for one in modes]
        if all(isinstance(one, str) and _READ_MODES.issuperset(one) for one in told):
            return ()
        return self._path(target[0])

    def _held(self, node: ast.AST) -> Iterator[tuple[str, Paths]]:
        """Yield the names that a statement sets to paths."""
        match node:
            case ast.Assign([ast.Name(name)], value):
                if (paths := self._path(value)) is not None:
                    yield name, paths
            case ast.For(ast.Name(name), ast.List(items) | ast.Tuple(items)):
                yield from self._each(name, items)
            case ast.For(ast.Tuple(targets), ast.List(items) | ast.Tuple(items)):
                rows = [one.elts for one in items if isinstance(one, ast.Tuple)]
                whole = len(rows) == len(items) and all(len(one) == len(targets) for one in rows)
                for at, target in enumerate(targets if whole else ()):
                    if isinstance(target, ast.Name):
                        yield from self._each(target.id, [row[at] for row in rows])

    def _each(self, name: str, items: list[ast.expr]) -> Iterator[tuple[str, Paths]]:
        found = [self._path(one) for one in items]
        known = [one for one in found if one is not None]
        if known and len(known) == len(found) <= _MOST:
            yield name, tuple(path for one in known for path in one)

    def _path(self, node: ast.expr) -> Paths | None:
        """Return the paths that an expression may be, None where nobody knows."""
        match node:
            case ast.Constant(str(value)):
                return (value,)
            case ast.Name(name):
                return self.paths.get(name)
            case ast.Call(
                ast.Name("Path") | ast.Attribute(ast.Name("pathlib"), "Path"), [only], []
            ):
                return self._path(only)
            case ast.BinOp(left, ast.Div(), ast.Constant(str(right))):
                folders = self._path(left)
                known = folders is not None and not right.startswith("/")
                told = tuple(f"{one}/{right}" for one in folders or ())
                return told if known and all(len(one) <= _LONGEST_PATH for one in told) else None
        return None


def _in_order(nodes: list[ast.AST]) -> list[ast.stmt]:
    statements = [one for one in nodes if isinstance(one, ast.stmt)]
    return sorted(statements, key=lambda one: (one.lineno, one.col_offset))


def _stores(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _is_target(node: ast.expr) -> bool:
    """Whether a value goes to a name, to some, or into a list that has one."""
    match node:
        case ast.Name():
            return True
        case ast.Subscript(inner):
            return _is_target(inner)
        case ast.Tuple(items):
            return all(isinstance(one, ast.Name) for one in items)
    return False
