"""How many characters, operators and signs of a text are read."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.shell.text_length import is_too_long


@pytest.mark.parametrize(
    ("piece", "most"),
    [
        *((f"ls -la {operator} ", 1000) for operator in ("|", "||", "|&", "&", "&&", ";", "\n")),
        *((f"{sign} ", 3000) for sign in ("(", "{", "[", "`")),
        *((f"{sign} ", 3000) for sign in (")", "}", "]", "<", ">", "@")),
        ("x", 131_072),
    ],
)
def test_a_text_is_read_up_to_so_many_of_a_kind(piece: str, most: int) -> None:
    """The time of the parser grows with the square of them."""
    assert not is_too_long(piece * most)
    assert is_too_long(piece * (most + 1))


@pytest.mark.parametrize("sign", ["|", "&", ";"])
def test_signs_of_operators_are_counted_one_by_one(sign: str) -> None:
    """A row of them is one operator that no shell has."""
    assert not is_too_long(f"a {sign * 300} " * 10)
    assert is_too_long(f"a {sign * 300} " * 10 + sign)


MANY = "ls -la |\n" * 2000


@pytest.mark.parametrize(
    "begin",
    [
        "cat > a << E",
        "cat > a <<E",
        "cat > a <<-E",
        "cat > a << 'E'",
        'cat > a <<"E"',
        "cat > a <<\\E",
        "cat <<E>a",
        "cat <<E|sort",
        "cat <<E&",
        "cat <<E;",
        "cat <<E<a",
        "(cat <<E)",
        "cat <<E",
    ],
)
def test_the_body_of_a_here_document_is_not_counted(begin: str) -> None:
    """Files are written so, and the parser takes such a body in one step."""
    assert not is_too_long(f"{begin}\n{MANY}E\n")
    assert not is_too_long(f"{begin}\n{MANY}\tE\n")
    assert is_too_long(f"{begin}\n{MANY}E\n{MANY}")
    assert is_too_long(f"{begin}\n{MANY}")


@pytest.mark.parametrize("begin", ["cat <<< E", "cat <<<E", "echo E"])
def test_what_begins_no_here_document_is_counted(begin: str) -> None:
    """A word that is handed over has no body."""
    assert is_too_long(f"{begin}\n{MANY}E\n")
