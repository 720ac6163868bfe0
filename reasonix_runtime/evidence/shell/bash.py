"""Bash text to a `Script`, over the tree of tree-sitter-bash.

That parser is tolerant: it reads on after an error, takes words after a redirect for part of it,
hangs the redirect of the last command on the whole pipeline, and knows neither `time` nor
`coproc`. What EL-08 calls unsplittable is therefore checked here, on the tree.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import tree_sitter_bash
from tree_sitter import Language, Parser

from reasonix_runtime.evidence.shell import here_documents
from reasonix_runtime.evidence.shell.bash_control import (
    Branches,
    branches_of,
    hands_on,
    put_for,
    renamed,
    repeats,
    runs_once,
)
from reasonix_runtime.evidence.shell.bash_gathered import (
    REDIRECTS,
    Gathered,
    find_substitutions,
    whole_substitution,
)
from reasonix_runtime.evidence.shell.bash_masks import masked, with_ends, with_letters
from reasonix_runtime.evidence.shell.bash_spliced import (
    follows,
    handed,
    spliced,
    stands_for_itself,
)
from reasonix_runtime.evidence.shell.functions import Function, Functions
from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Assignment,
    Background,
    Group,
    If,
    Loop,
    Pipe,
    Problem,
    Redirect,
    Repeat,
    Script,
    Segment,
    Sequence,
    Simple,
    Statement,
    Uncertain,
    Word,
)
from reasonix_runtime.evidence.shell.text_length import is_too_long

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tree_sitter import Node

_LANGUAGE = Language(tree_sitter_bash.language())
_PARSER = Parser(_LANGUAGE)

_SEPARATORS = frozenset({";", "&", "\n"})
_JOINS = frozenset({"&&", "||", "|", "|&"})
_CONTROL = frozenset(
    {"if_statement", "while_statement", "for_statement", "c_style_for_statement", "case_statement"}
)
# Words that cannot begin a simple command; the tolerant parser takes them for program names.
_RESERVED = frozenset(
    {"then", "do", "done", "fi", "else", "elif", "esac", "{", "}", "!", "]]", "if", "while", "for"}
    | {"case", "until", "select", "function"}
)
# `let` evaluates arithmetic, `time` and `coproc` are keywords; the parser takes them for programs.
_KEYWORDS = {
    "time": Problem.TIMED,
    "coproc": Problem.COPROCESS,
    "let": Problem.DECLARATION,
}
# What a function is most often made of, and all that is read in the place of its calls.
_BODIES = frozenset({"compound_statement", "subshell"})
# What can stand where a statement is expected.
_STATEMENTS = (
    frozenset(
        {"command", "list", "pipeline", "redirected_statement", "negated_command", "subshell"}
    )
    | {"compound_statement", "function_definition", "test_command", "declaration_command"}
    | {"unset_command", "variable_assignment", "variable_assignments"}
    | _CONTROL
)


def read_bash(command: str) -> Script:
    """Read Bash text; `parse` is the memoised way in."""
    if "\0" in command:  # no argument of a program holds one
        return Script(text=command, problem=Problem.SYNTAX)
    if is_too_long(command):
        return Script(text=command, problem=Problem.TOO_LONG)
    source = command.replace("\r\n", "\n").encode("utf-8", "replace")
    root = root_of(source)
    problem = Problem.SYNTAX if root.has_error else None
    here = b"<<" in source and here_documents.has_any(root)
    if here:
        runs = here_documents.run_commands(root)
        source = here_documents.without_bodies(source, root)
        root = root_of(source)
        problem = problem or (Problem.RUNNING_DOCUMENT if runs else Problem.HERE_DOCUMENT)
    try:
        script = _TreeReader(source, here=here, problem=problem).script(command, root)
        if script.defined:  # what is in the place of a call may not be all that it runs
            reader = _TreeReader(source, here=here, problem=problem, follows=False)
            script = reader.script(command, root)
    except RecursionError:
        return Script(text=command, problem=Problem.SYNTAX)
    return script


def root_of(source: bytes) -> Node:
    """Parse a text; where the parser sees an error, ask again with signs as letters of words."""
    readable = masked(source)
    root = _PARSER.parse(readable).root_node
    if root.has_error:
        letters = with_letters(readable)
        other = _PARSER.parse(letters).root_node
        readable, root = (readable, root) if other.has_error else (letters, other)
    if b"\n" in readable and b"<<" not in readable.replace(b"<<<", b""):
        ended = with_ends(readable, root)
        root = root if ended == readable else _PARSER.parse(ended).root_node
    return root


class _TreeReader:
    """One walk over a tree: collects the segments in source order and builds the statements."""

    def __init__(
        self, source: bytes, *, here: bool, problem: Problem | None, follows: bool = True
    ) -> None:
        self.source = source
        self.here = here
        self.segments: list[Segment] = []
        self.operators: list[str] = []
        self.defined: set[str] = set()
        self.functions = Functions(follows=follows)
        self.group_redirects: list[Redirect] = []
        self.looped: dict[str, list[Word]] = {}
        self.problem = problem
        self._join = ";"

    def _blame(self, problem: Problem) -> None:
        """Remember the first reason why the text does not split, or that it has an error."""
        if self.problem is None or problem is Problem.SYNTAX:
            self.problem = problem

    def sequence(self, children: Iterable[Node]) -> Statement:
        """Read the statements between the separators of a list."""
        parts: list[Statement] = []
        for node in children:
            if node.type == "&" and parts:
                parts[-1] = self._in_background(parts[-1])
            if node.type in _SEPARATORS:
                self._join = node.type
            elif node.is_named and node.type != "comment":
                parts.append(self._statement(node))
                self._join = "\n"
            elif node.type not in {"(", ")", "{", "}", "comment"}:
                self._blame(Problem.SYNTAX)
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _in_background(self, statement: Statement) -> Statement:
        if isinstance(statement, Simple):
            segment = self.segments[statement.index]
            self.segments[statement.index] = replace(segment, background=True)
        else:
            self._blame(Problem.BACKGROUND_LIST)
        return Background(statement)

    def _statement(self, node: Node, redirects: tuple[Node, ...] = ()) -> Statement:
        """Read one statement; `redirects` stand after it and belong to its last command."""
        kind = node.type
        if kind == "redirected_statement":
            return self._redirected(node, redirects)
        if kind == "list":
            return self._and_or(node, redirects)
        if kind == "pipeline":
            return self._pipe(node, redirects)
        if kind == "negated_command":
            self._blame(Problem.NEGATION)
            return self._negated(node, redirects)
        if kind in {"subshell", "compound_statement"}:
            return self._group(node, redirects)
        if kind in _CONTROL:
            self._blame(Problem.CONTROL)
            self._keep(redirects)
            if node.type == "for_statement":
                self._note_words(node)
            if runs_once(node):
                return self._loop(node)
            if repeated := repeats(node):
                return self._repeat(repeated.awaited, repeated.body, told=repeated.told)
            branches = branches_of(node)
            return self._control(node) if branches is None else self._if(branches)
        if kind == "function_definition":
            self._function(node)
            return Sequence(())
        if kind == "test_command":
            self._blame(Problem.CONTROL)
        elif kind == "declaration_command":
            self._blame(Problem.DECLARATION)
        elif kind == "ERROR":
            self._blame(Problem.SYNTAX)
        return self._simple(node, redirects)

    def _function(self, node: Node) -> None:
        """Note a function; what it does is read where it is called."""
        self._blame(Problem.FUNCTION)
        name, body = (node.child_by_field_name(one) for one in ("name", "body"))
        called = self._text(name or node)
        alone = node.parent is not None and node.parent.type == "program"
        plain = body is not None and body.type in _BODIES and node.children[-1] == body
        if body is None or not (alone and plain and self.functions.may_define(called)):
            self.defined.add(called)
            return
        inner = self.source[body.start_byte + 1 : body.end_byte - 1]
        self.functions.define(called, Function(inner, own_shell=body.type == "subshell"))

    def _call(self, gathered: Gathered, words: tuple[Word, ...]) -> Statement | None:
        """Read the body of a function in the place of a call, None where that cannot be."""
        if words[0].text == "time" and len(words) > 1:
            words = words[2:] if words[1].text == "-p" else words[1:]
        function = self.functions.enter(words[0].text) if words else None
        if function is None:
            return None
        text = handed(function.body, root_of(function.body), words[1:], self.functions.spend)
        # What is set for a call is known to all that the function runs.
        given = b"".join(b"export %s\n" % one for one in gathered.set_in_front())
        body = None if text is None else self._in_place(given + text)
        self.functions.leave()
        if body is None:
            return None
        self._blame(Problem.FUNCTION)
        self.group_redirects.extend(gathered.redirects)
        return Group(body, function.own_shell, called=True)

    def _kept(self, gathered: Gathered) -> Statement | None:
        """Read `out=$(run)`, where that calls a function, as a shell of its own in its place.

        It begins without `set -e`. What the variable holds in the end nobody knows.
        """
        inner = whole_substitution(gathered.assignments)
        if inner is None or not self.functions.may_be_called_by(inner):
            return None
        text = b"set +e\n" + inner.encode("utf-8", "replace")
        if root_of(text).has_error or not self.functions.read_again(len(text)):
            return None
        name = gathered.assignments[0].name
        unseen = Assignment(name, Word("$_", None))
        sets = self._took(Segment(text=f"{name}=", words=(), assignments=(unseen,)))
        body = self._in_place(text)
        return None if body is None else Sequence((sets, Group(body, own_shell=True)))

    def _in_place(self, text: bytes) -> Statement | None:
        """Read another text as if it stood here, None where it cannot be read."""
        root = root_of(text)
        if root.has_error:
            return None
        outer, self.source = self.source, text
        body = self.sequence(root.children)
        self.source = outer
        return body

    def script(self, text: str, root: Node) -> Script:
        """Read a text from its root on."""
        body = self.sequence(root.children)
        return Script(
            text=text,
            segments=tuple(self.segments),
            operators=tuple(self.operators),
            body=body,
            problem=self.problem,
            followed=self.functions.names,
            defined=frozenset(self.defined | self.functions.unfollowed(self.segments)),
            group_redirects=tuple(self.group_redirects),
            looped=tuple(
                Assignment(name, words[0]) for name, words in self.looped.items() if len(words) == 1
            ),
        )

    def _pipe(self, node: Node, redirects: tuple[Node, ...]) -> Statement:
        """Read a pipeline; a `!` before its first part negates it as a whole."""
        piped = _pipe(self._joined(node, redirects)[0])
        negated = node.children[0].type == "negated_command"
        return Uncertain((piped,)) if negated else piped

    def _negated(self, node: Node, redirects: tuple[Node, ...]) -> Statement:
        body = self._statement(node.children[-1], redirects)
        if not isinstance(body, Simple):
            return Uncertain((body,))
        self.segments[body.index] = replace(self.segments[body.index], negated=True)
        return body

    def _redirected(self, node: Node, redirects: tuple[Node, ...]) -> Statement:
        body = node.child_by_field_name("body")
        own = tuple(child for child in node.children if child.type in REDIRECTS)
        if body is None:
            self._blame(Problem.NO_COMMAND)
            return self._simple(node, redirects)
        return self._statement(body, own + redirects)

    def _joined(
        self, node: Node, redirects: tuple[Node, ...]
    ) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
        """Read what `|`, `&&` and `||` join; the redirects belong to the last part."""
        named = [child for child in node.children if child.is_named and child.type != "comment"]
        parts: list[Statement] = []
        operators: list[str] = []
        for child in node.children:
            if child.type in _JOINS:
                operators.append(child.type)
                self._join = child.type
            elif child.is_named and child.type != "comment":
                parts.append(self._statement(child, redirects if child == named[-1] else ()))
        return tuple(parts), tuple(operators)

    def _and_or(self, node: Node, redirects: tuple[Node, ...]) -> Statement:
        """Read `a && b || c`, which the tree nests to the left, without going as deep."""
        chain = [node]
        while chain[-1].children and chain[-1].children[0].type == "list":
            chain.append(chain[-1].children[0])
        parts: list[Statement] = []
        operators: list[str] = []
        for link in reversed(chain):
            children = link.children if link is chain[-1] else link.children[1:]
            for child in children:
                if child.type in _JOINS:
                    operators.append(child.type)
                    self._join = child.type
                elif child.is_named and child.type != "comment":
                    last = link is node and child == link.children[-1]
                    parts.append(self._statement(child, redirects if last else ()))
        return AndOr(tuple(parts), tuple(operators))

    def _group(self, node: Node, redirects: tuple[Node, ...]) -> Statement:
        self._blame(Problem.GROUP)
        self._keep(redirects)
        if node.children[0].type == "((":
            return Uncertain(tuple(self._inside(node)), computes=True)
        return Group(self.sequence(node.children), node.type == "subshell")

    def _keep(self, redirects: tuple[Node, ...]) -> None:
        """Note the redirects of a group or a control structure."""
        gathered = Gathered(self.source, here=self.here)
        for redirect in redirects:
            gathered.redirect(redirect)
        self.group_redirects.extend(gathered.redirects)

    def _inside(self, node: Node) -> Iterable[Statement]:
        """Read the commands inside the substitutions below a node that is no command itself."""
        found: list[tuple[Node, bool]] = []
        find_substitutions(node, quoted=False, found=found)
        for substitution, _ in found:
            for child in substitution.children:
                if child.type in _STATEMENTS:
                    yield self._statement(child)

    def _control(self, node: Node) -> Statement:
        """Collect the commands of a control structure; none of them is sure to run."""
        parts: list[Statement] = []
        for child in node.children:
            if child.type in {"do_group", "elif_clause", "else_clause", "case_item"}:
                parts.append(self._control(child))
            elif child.type in _STATEMENTS:
                parts.append(self._statement(child))
            else:
                parts.extend(self._inside(child))
        return Uncertain(tuple(parts), computes=node.type == "c_style_for_statement")

    def _loop(self, node: Node) -> Statement:
        """Read the body of a `for` that runs at least once, for each word if it names them."""
        if hands_on(self.source, name := self._text(node.children[1])):
            unseen = Assignment(name, Word("$_", None))
            sets = self._took(Segment(text=f"{name}=", words=(), assignments=(unseen,)))
            return Sequence((sets, Loop(self._round(node.children[-1]))))
        told = self._words_of(node)
        rounds = [self._in_place(text) for text in told]
        known = [one for one in rounds if one is not None]
        if known and len(known) == len(rounds):
            return Loop(Sequence(tuple(known)))
        return Loop(self._round(node.children[-1]))

    def _note_words(self, node: Node) -> None:
        """Note what the variable of a loop goes over."""
        variable, *words = [child for child in node.children if child.is_named][:-1]
        gathered = Gathered(self.source, here=self.here)
        for word in words:
            gathered.piece(word)
        self.looped.setdefault(self._text(variable), []).extend(gathered.words())

    def _words_of(self, node: Node) -> list[bytes]:
        """Return the body of a `for` once for each of its words, none where it stays as is."""
        variable, *words = [child for child in node.children if child.is_named][:-1]
        do, done = node.children[-1].children[0], node.children[-1].children[-1]
        text, name = self.source[do.end_byte : done.start_byte], self._text(variable)
        if not follows(text, name) or not self.functions.read_again(len(words) * len(text)):
            return []
        gathered = Gathered(self.source, here=self.here)
        for word in words:
            gathered.piece(word)
        values = [word for word in gathered.words() if stands_for_itself(word)]
        root = root_of(text)
        if len(values) != len(words) or root.has_error:
            return []

        def told(value: Word, asked: str, _at: int) -> tuple[Word] | None:
            """Return what the variable of the loop holds in one round."""
            return (value,) if asked == name else None

        spend = self.functions.spend
        rounds = [spliced(text, root, partial(told, value), spend) for value in values]
        whole = [one for one in rounds if one is not None]
        return whole if len(whole) == len(rounds) else []

    def _round(self, body: Node) -> Statement:
        return self.sequence(child for child in body.children if child.type not in {"do", "done"})

    def _repeat(self, awaited: Iterable[Node], body: Node, *, told: bool) -> Statement:
        """Read a loop that runs until something holds; not `told`, until it is left."""
        condition, each = self.sequence(awaited), self._round(body)
        return Repeat((condition, each), condition=condition if told else None, body=each)

    def _if(self, branches: Branches) -> Statement:
        """Read an `if`; the branches of a negated condition change places."""
        condition = self.sequence(branches.condition)
        body: Statement | None = self.sequence(branches.body)
        otherwise = None if branches.otherwise is None else self.sequence(branches.otherwise)
        parts = tuple(part for part in (condition, body, otherwise) if part is not None)
        if branches.negated:
            body, otherwise = otherwise, body
        return If(parts, condition=condition, body=body, otherwise=otherwise)

    def _simple(self, node: Node, redirects: tuple[Node, ...]) -> Statement:
        gathered = Gathered(self.source, here=self.here)
        gathered.collect(node)
        if any(child.type == "subshell" for child in node.children):
            self._blame(Problem.SYNTAX)  # `program (x)`; the parser is more tolerant than a shell
        for redirect in redirects:
            gathered.redirect(redirect)
        words = tuple(gathered.words())
        called = self._call(gathered, words) if words else self._kept(gathered)
        if called is not None:
            return called
        words = self.functions.bound(words)
        if words and not gathered.assignments:
            first = words[0].text
            if first in _RESERVED and node.type == "command":
                self._blame(Problem.SYNTAX)
            elif first in _KEYWORDS:
                self._blame(_KEYWORDS[first])
            self.defined.update(renamed(first, words))
        for assigned in gathered.assignments:
            self.defined.update(put_for(assigned.name))
        end = max([node.end_byte, *(redirect.end_byte for redirect in redirects)])
        return self._took(
            Segment(
                text=self.source[node.start_byte : end].decode("utf-8", "replace"),
                words=words,
                assignments=tuple(gathered.assignments),
                redirects=tuple(gathered.redirects),
            )
        )

    def _took(self, segment: Segment) -> Simple:
        if self.segments:
            self.operators.append(self._join)
        self.segments.append(segment)
        return Simple(len(self.segments) - 1)

    def _text(self, node: Node) -> str:
        return self.source[node.start_byte : node.end_byte].decode("utf-8", "replace")


def _pipe(parts: tuple[Statement, ...]) -> Statement:
    """Join the parts of a pipeline.

    The parser reads `a && b 2>&1 | c` as a pipe out of the whole list; only `b` writes to it. A
    list that does stands in brackets, and is a group.
    """
    first = parts[0]
    if not isinstance(first, AndOr):
        return Pipe(parts)
    pipe = Pipe((first.parts[-1], *parts[1:]))
    return AndOr((*first.parts[:-1], pipe), first.operators)
