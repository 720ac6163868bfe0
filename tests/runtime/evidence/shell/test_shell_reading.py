"""Bash command lines: segments, words, redirects, and what does not split."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from reasonix_runtime.evidence.shell.script import Dialect, Problem, Script, parse

WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=12)


def values(script: Script) -> list[tuple[str | None, ...]]:
    """Return the word values of each segment."""
    return [tuple(word.value for word in segment.words) for segment in script.segments]


@pytest.mark.parametrize(
    ("command", "segments", "operators"),
    [
        ("", [], ()),
        ("# only a comment", [], ()),
        ("git log; git push origin x", [("git", "log"), ("git", "push", "origin", "x")], (";",)),
        ("git log ; git push origin x", [("git", "log"), ("git", "push", "origin", "x")], (";",)),
        ("a&&b||c", [("a",), ("b",), ("c",)], ("&&", "||")),
        ("a | b |& c", [("a",), ("b",), ("c",)], ("|", "|&")),
        ("a & b\nc", [("a",), ("b",), ("c",)], ("&", "\n")),
        ("echo 'a;b' \"c && d\"", [("echo", "a;b", "c && d")], ()),
        ("# first\npytest -q # all", [("pytest", "-q")], ()),
        ('node "build.js" --all', [("node", "build.js", "--all")], ()),
        ("g\\o te\\\nst './...'", [("go", "test", "./...")], ()),
        ('"a\\$b" "c\\d" \'e\\f\'', [("a$b", "c\\d", "e\\f")], ()),
        ("pytest {a,b} ~/x *.py", [("pytest", "{a,b}", "~/x", "*.py")], ()),
        ("printf $'a\\tb\\x41'", [("printf", "a\tbA")], ()),
        ('echo $"a b"c', [("echo", "a bc")], ()),
        ("printf $'\\101\\u0042\\U00000043\\cA\\ud800'", [("printf", "ABC\x01\ufffd")], ()),
        ("printf $'\\U0010ffff\\U00110000'", [("printf", "\U0010ffff\ufffd")], ()),
        ("echo $ a=b ! =", [("echo", "$", "a=b", "!", "=")], ()),
        ("npm \\ test", [("npm", " test")], ()),
        ("cat \\ a\\ b '\\ c'", [("cat", " a b", "\\ c")], ()),
        ("ls a\\\\ b", [("ls", "a\\", "b")], ()),
        ("npm test \\", [("npm", "test", "\\")], ()),
        ("--stat=8 cat x; --color=no", [("--stat=8", "cat", "x"), ("--color=no",)], (";",)),
        ("cd a && feat#1 x # y", [("cd", "a"), ("feat#1", "x")], ("&&",)),
        ("[ -f x ] && test -d y", [("[", "-f", "x", "]"), ("test", "-d", "y")], ("&&",)),
        ("[ a > b ] || ls", [("[", "a", "]"), ("ls",)], ("||",)),
        ("[ a || b ]", [("[", "a"), ("b", "]")], ("||",)),
        ("[ ! -f x -a $y = 'z' ]", [("[", "!", "-f", "x", "-a", None, "=", "z", "]")], ()),
        ("[ a = b ]&& ls '[ c > d ]'", [("[", "a", "=", "b", "]"), ("ls", "[ c > d ]")], ("&&",)),
        (
            "echo a == b; rm x; ls ]",
            [("echo", "a", "==", "b"), ("rm", "x"), ("ls", "]")],
            (";", ";"),
        ),
        (
            "echo a =~ b; rm x; ls ]",
            [("echo", "a", "=~", "b"), ("rm", "x"), ("ls", "]")],
            (";", ";"),
        ),
        (
            "[ a == b -o c ]; [ d ]",
            [("[", "a", "==", "b", "-o", "c", "]"), ("[", "d", "]")],
            (";",),
        ),
        ("test x == && echo ==", [("test", "x", "=="), ("echo", "==")], ("&&",)),
        ("unset A B", [("unset", "A", "B")], ()),
        ("ls > f x y", [("ls", "x", "y")], ()),
        ("ls >&- x 2>&- y", [("ls", "x", "y")], ()),
        ("npm test \\\n", [("npm", "test")], ()),
        ("npm test \\\n  \\\n", [("npm", "test")], ()),
        ("tsc@5 --noEmit; a%b {c,d}", [("tsc@5", "--noEmit"), ("a%b", "{c,d}")], (";",)),
        ("{ls,-la} && echo $/x", [("{ls,-la}",), ("echo", "$/x")], ("&&",)),
        ("ls 'a@' | [ x", [("ls", "a@"), ("[", "x")], ("|",)),
        ("echo $[1+2]", [("echo", None)], ()),
        ("A=1 B=$C\nls x", [(), ("ls", "x")], (";",)),
        ("A='x y' B=2 # both\nls", [(), ("ls",)], (";",)),
        ("ls; S=$? 2>&1; pwd", [("ls",), (), ("pwd",)], (";", ";")),
        ("A=$(ls --b=c) > f d", [("d",)], ()),
        ("cat a\n\\\n \\\n rm x", [("cat", "a"), ("rm", "x")], (";",)),
        ("cat a\n\\rm x # c\n\\é;\n\\ ", [("cat", "a"), ("rm", "x"), ("é",), (" ",)], (*"\n\n;",)),
        (
            "a | b | c x\nrm d\n# e\nf > g",
            [("a",), ("b",), ("c", "x"), ("rm", "d"), ("f",)],
            ("|", "|", ";", ";"),
        ),
        (
            "a 2>&1 | b | c # d\nrm e && f <<< x",
            [("a",), ("b",), ("c",), ("rm", "e"), ("f",)],
            ("|", "|", ";", "&&"),
        ),
        ("cat a \\\n\\\n b", [("cat", "a", "b")], ()),
        ("env A=1 B=2\nls", [("env", "A=1", "B=2"), ("ls",)], ("\n",)),
    ],
)
def test_a_list_of_simple_commands_splits_into_segments(
    command: str, segments: list[tuple[str, ...]], operators: tuple[str, ...]
) -> None:
    """Words are compared after quote removal, and operators never inside quotes."""
    script = parse(command)

    assert (None, segments, operators) == (script.problem, values(script), script.operators)


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        ("ls;;", Problem.SYNTAX),
        ("ls &&", Problem.SYNTAX),
        ("&& ls", Problem.SYNTAX),
        ("ls |", Problem.SYNTAX),
        ("ls; ; pwd", Problem.SYNTAX),
        ("ls )", Problem.SYNTAX),
        ("ls (x)", Problem.SYNTAX),
        ("ls 'a", Problem.SYNTAX),
        ("echo $(ls", Problem.SYNTAX),
        ("done", Problem.SYNTAX),
        ("CI=1 { ls; }", Problem.SYNTAX),
        ("cat <<EOF\nx\nEOF", Problem.HERE_DOCUMENT),
        ("cat <<EOF && ls\nx\nEOF", Problem.HERE_DOCUMENT),
        ("! pytest", Problem.NEGATION),
        ("coproc pytest", Problem.COPROCESS),
        ("time pytest", Problem.TIMED),
        ("a | time b", Problem.TIMED),
        ("(ls)", Problem.GROUP),
        ("{ ls; }", Problem.GROUP),
        ("if a; then b; fi", Problem.CONTROL),
        ("for i in 1 2; do ls; done", Problem.CONTROL),
        ("while true; do ls; done", Problem.CONTROL),
        ("case x in a) ls;; esac", Problem.CONTROL),
        ("[[ -f x ]]", Problem.CONTROL),
        ("((1+1))", Problem.GROUP),
        ("f() { ls; }", Problem.FUNCTION),
        ("export A=1", Problem.DECLARATION),
        ("local a=1", Problem.DECLARATION),
        ("let x=1", Problem.DECLARATION),
        ("a && b &", Problem.BACKGROUND_LIST),
        ("a | b &", Problem.BACKGROUND_LIST),
        ("2>&1", Problem.NO_COMMAND),
        ("[ (a) ]", Problem.SYNTAX),
    ],
)
def test_what_is_no_list_of_simple_commands_does_not_split(command: str, problem: Problem) -> None:
    """The parser is tolerant; a command that it guessed at must not prove anything (EL-08)."""
    assert problem is parse(command).problem


def test_a_redirect_behind_a_pipeline_belongs_to_its_last_command() -> None:
    """The tree hangs it on the whole pipeline; the shell does not."""
    first, last = parse("a | b > x 2>&1").segments

    assert () == first.redirects
    assert [(">", "x"), (">&", "1")] == [
        (redirect.operator, redirect.target and redirect.target.text) for redirect in last.redirects
    ]


@pytest.mark.parametrize("command", ["[ 5 > 3 ]", "[ 5 >3 ]", "[ -n $x > 3 ]", "[ 5 ] > 3"])
def test_a_sign_inside_single_brackets_redirects(command: str) -> None:
    """`[` is a program like any other; only `[[` compares by `>`."""
    [segment] = parse(command).segments

    assert [(">", "3")] == [
        (redirect.operator, redirect.target and redirect.target.text)
        for redirect in segment.redirects
    ]


def test_a_substitution_makes_a_word_dynamic_and_keeps_its_command() -> None:
    """A command inside a command is a command of its own (CMD-9)."""
    script = parse('git log $(mkdir z) "a $(pwd)" `rm q` <(ls)')

    found = [
        (inner.command, inner.quoted, inner.process)
        for word in script.segments[0].words
        for inner in word.substitutions
    ]

    assert [None] * 4 == [word.value for word in script.segments[0].words[2:]]
    assert [
        ("mkdir z", False, False),
        ("pwd", True, False),
        ("rm q", False, False),
        ("ls", False, True),
    ] == found


def test_a_value_goes_on_behind_a_colon_and_a_variable() -> None:
    """The parser ends it behind `$PATH:$`; to the shell nothing stands between."""
    [segment] = parse("PATH=$PATH:$HOME/go/bin go vet").segments

    assert ["$PATH:$HOME/go/bin"] == [assignment.word.text for assignment in segment.assignments]
    assert ("go", "vet") == segment.values


def test_assignments_in_front_are_no_words() -> None:
    """They are looked through or not, as the rules say; they are never the program."""
    segment = parse("A=1 B='x y' pytest -q C=2").segments[0]

    assert [("A", "1"), ("B", "x y")] == [(a.name, a.word.value) for a in segment.assignments]
    assert ("pytest", "-q", "C=2") == segment.values


def test_the_body_of_a_here_document_is_no_command() -> None:
    """What is written into a file has not run."""
    script = parse("cat > run.sh <<'EOF'\npytest -q\nEOF\nls")

    assert [("cat",), ("ls",)] == values(script)


def test_a_redirect_before_the_program_is_kept_apart() -> None:
    """`> out ls` runs `ls`."""
    segment = parse("> out ls -l").segments[0]

    assert ("ls", "-l") == segment.values
    assert 1 == len(segment.redirects)


@pytest.mark.parametrize("command", ["a && " * 2000 + "a", "(" * 3000 + "a" + ")" * 3000])
def test_deep_texts_come_back(command: str) -> None:
    """A trace may hold anything; a reader that breaks would take the whole replay with it."""
    assert parse(command).text == command


@pytest.mark.parametrize(
    "command",
    [
        "a=(" * 20_000,
        "${" * 20_000,
        "a|" * 20_000,
        "a;" * 20_000,
        "a\n" * 20_000,
        "cat <<E\nE\n" + "a|" * 20_000,
        "|" * 20_000,
        ")" * 20_000,
        ">" * 20_000,
        "a@" * 20_000,
        "1) " * 20_000,
        "!(a)" * 20_000,
        "<<E\n" * 20_000,
        "".join(f"a <<E{at}\n" for at in range(20_000)),
        "x " * 70_000,
    ],
)
def test_a_text_of_countless_signs_is_not_read(command: str) -> None:
    """The parser's cost grows with the square of them; a trace must not use it up."""
    script = parse(command)

    assert (Problem.TOO_LONG, ()) == (script.problem, script.segments)


def test_a_text_with_a_zero_byte_is_no_command() -> None:
    """No program is ever given one, and the parser reads on from each."""
    script = parse("ls\0" * 20_000)

    assert (Problem.SYNTAX, ()) == (script.problem, script.segments)


def test_a_long_file_in_a_here_document_is_read() -> None:
    """Agents write whole files that way; the lines of a file are no commands."""
    script = parse("cat > f <<'EOF'\n" + "a | b; c && d\n" * 5_000 + "EOF\npytest -q")

    assert [("cat",), ("pytest", "-q")] == values(script)


PIECES = (
    "run a if then else fi for in do done while case esac { } ( ) (( )) [[ ]] ; ;; & && || | |& "
    "< > >> 2>&1 <<<x $( ${ $(( ` ' \" \\ # ! = a=1 $x f() time coproc @echo % ^"
)


@example("f() { cat <<E | b -j p i\nx\nE; }; f\nj")
@given(
    st.text(max_size=60)
    | st.text("ab '\"\\$`(){};|&<>\n#!=~*?[]-", max_size=40)
    | st.lists(st.sampled_from(PIECES.split()), max_size=12).map(" ".join)
)
def test_reading_never_raises(command: str) -> None:
    """Commands are written by models, and by people in a hurry."""
    for dialect in Dialect:
        assert command == parse(command, dialect).text


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_no_word_of_a_quoted_command_is_lost(words: list[str]) -> None:
    """Quoting and reading are inverse: what was said is what is compared."""
    script = parse("run " + shlex.join(words))

    assert [("run", *words)] == values(script)


@given(st.lists(st.from_regex(r"[A-Za-z0-9_./:,@%+-]{1,10}", fullmatch=True), max_size=8))
def test_joined_words_of_a_plain_command_come_back(words: list[str]) -> None:
    """A plain command needs no quotes, and loses nothing without them."""
    script = parse(" ".join(["run", *words]))

    assert [("run", *words)] == values(script)


Told = tuple[str, list[str]]
"""A script, and the words of its commands in order."""

PLAIN = st.lists(st.from_regex(r"[A-Za-z0-9_./:,@%+-]{1,6}", fullmatch=True), max_size=3).map(
    lambda words: (" ".join(["run", *words]), ["run", *words])
)
OPERATORS = st.sampled_from([" && ", "&&", " || ", "; ", ";", " | ", "|", " & ", "\n"])
ENDINGS = st.sampled_from([" > out", " 2>&1", " # note\n", " &\n"])
GROUPS = st.sampled_from(["( {} )", "{{ {}\n}}", "if {}\nthen run yes; fi"])


def joined(parts: tuple[Told, str, Told]) -> Told:
    (one, words), operator, (other, more) = parts
    return one + operator + other, words + more


def grouped(parts: tuple[str, Told]) -> Told:
    group, (text, words) = parts
    return group.format(text), words + (["run", "yes"] if "yes" in group else [])


SCRIPTS = st.recursive(
    st.one_of(
        PLAIN, st.tuples(PLAIN, ENDINGS).map(lambda told: (told[0][0] + told[1], told[0][1]))
    ),
    lambda inner: st.one_of(
        st.tuples(inner, OPERATORS, inner).map(joined), st.tuples(GROUPS, inner).map(grouped)
    ),
    max_leaves=5,
)


@given(SCRIPTS)
def test_no_word_of_a_script_is_lost(told: Told) -> None:
    """A word that got lost between operators and groups could neither be cited nor judged."""
    command, words = told
    script = parse(command)
    assume(script.problem is not Problem.SYNTAX)

    assert words == [word.value for segment in script.segments for word in segment.words]
