"""Variables that a text sets itself: known where an assignment surely ran, and nothing else did."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.shell.told_values import with_told_values

TOLD = {
    "F=a; cat $F": "F=a; cat a",
    "F=a; F=b; cat $F": "F=a; F=b; cat b",
    'cd x && F=a && cat "$F" || y': 'cd x && F=a && cat "a" || y',
    "D=src F=$D/a; cat ${F}": "D=src F=src/a; cat src/a",
    "A=1 && F=b; cat $F": "A=1 && F=b; cat b",
    "export F=a; cat ${F:-b}": "export F=a; cat a",
    "F='a b'; cat $F \"$F\"": "F='a b'; cat a b \"a b\"",
    "F=a; (F=b; cat $F); cat $F": "F=a; (F=b; cat b); cat $F",
    "F=a; for i in $N; do cat $F; done": "F=a; for i in $N; do cat a; done",
    "for i in $N; do F=a; cat $F; done; cat $F": "for i in $N; do F=a; cat a; done; cat $F",
    "cd x && F=a && cat $F | head": "cd x && F=a && cat a | head",
    "F=a; cat > $F <<'EOF'\nF is $F\nEOF": "F=a; cat > a <<'EOF'\nF is $F\nEOF",
    ". v/activate && F=a && cat $F": ". v/activate && F=a && cat a",
    "F=a; F=b x $F": "F=a; F=b x a",
    'F=(a "b c"); cat "${F[@]}"': 'F=(a "b c"); cat a "b c"',
    'F=(a\n# b\nc); cat "${F[@]}"': "F=(a\n# b\nc); cat a c",
    "D=$(pwd); cat $D/a": "D=$(pwd); cat ./a",
    'cd x; D="$PWD/y"; cat "$D/a"': 'cd x; D="$PWD/y"; cat "./y/a"',
}
UNKNOWN = r"""
F=a cat $F
(F=a); cat $F
F=a | cat $F
F=a & cat $F
x && F=a & cat $F
test -f x && F=b; cat $F
test -f x || F=b && cat $F
F=a; if x; then F=b; else cat $F; fi; cat $F
F=a; for i in $N; do cat $F; F=b; done
F=a; f() { cat $F; }; F=b; f
F=a; ((F=3)); cat $F
F=a; x=$((F=3)); cat $F
F=a; eval 'F=b'; cat $F
F=a; eval "$x"; cat $F
F=a; . x; cat $F
F=a; : ${F:=b}; cat $F
F=a; : ${F=b}; cat $F
F=a; read F; cat $F
F=a; unset F; cat $F
F=a; printf -v F b; cat $F
F=a; declare -n G=F; G=b; cat $F
declare -i F=a; cat $F
F=a; F+=b; cat $F
F=(a b); cat $F
F=(a b); cat ${F[@]}
F=(a); F+=(b); cat "${F[@]}"
F=(a); F[1]=b; cat "${F[@]}"
F=(a $x); cat "${F[@]}"
F=(a *.py); cat "${F[@]}"
declare -A F=([a]=b); cat "${F[@]}"
D=$(pwd); cd x; cat $D/a
PWD=/x; D=$PWD; cat $D/a
F=$(x); cat $F
F='$x'; cat $F
F='*.py'; cat $F
IFS=,; F=a,b; cat $F
PWD=x; cat $PWD/a
while F=a; do cat $F; done
F=a; bash -c 'F=b; cat $F'
F=a; cat 'x
"""


@pytest.mark.parametrize("command", TOLD)
def test_what_an_assignment_surely_set_stands_where_it_is_asked_for(command: str) -> None:
    """As the shell itself would put it there."""
    assert with_told_values(command) == TOLD[command]


@pytest.mark.parametrize("command", UNKNOWN.strip().splitlines())
def test_what_may_have_been_set_otherwise_stays(command: str) -> None:
    """By another branch, round or program, or in another shell."""
    assert with_told_values(command) == command


def test_values_that_double_are_put_in_no_further_than_anybody_writes() -> None:
    """A chain of thirty of them would come to more than any memory holds."""
    chain = "; ".join(f"a{at}=$a{at - 1}$a{at - 1}" for at in range(1, 31))

    assert len(with_told_values(f"a0=xx; {chain}; cat $a30")) < 1 << 16
