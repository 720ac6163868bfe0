"""Every word that a table of the evidence knows can stand anywhere in a command line."""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime import evidence
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT

RULES = (CLASSIC.ledger.commands, CONTRACT.ledger.commands)
WORD = re.compile(r"[\w./:@+-]{1,40}")


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts that a table holds, as keys, members and values."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < 5:
        for pair in value.items():
            yield from _texts(pair, depth + 1)
    elif isinstance(value, frozenset | set | tuple | list) and depth < 5:
        for one in value:
            yield from _texts(one, depth + 1)


def _known_words() -> list[str]:
    found = set()
    for module in pkgutil.walk_packages(evidence.__path__, evidence.__name__ + "."):
        for name, value in vars(import_module(module.name)).items():
            if not name.startswith("__"):
                found.update(filter(WORD.fullmatch, _texts(value)))
    return sorted(found)


WORDS = _known_words()
PROGRAMS = [word for word in WORDS if not word.startswith("-")]
WORD_IN_LINE = st.sampled_from(WORDS) | st.sampled_from(
    ["x", "a=b", "''", "--", "$(ls)", "$x", "> f", "*.py", "{}", "\\;", "./x", "|", "&&", ";", "||"]
)
FORMS = [
    "cat <<E | {}\nx\nE",
    "{} <<'E'\nx\nE",
    *r"""
{} > f
{} | cat
{} & wait
{} || exit 1
! {}
time {}
({})
{{ {}; }}
x=$({})
x=`{}`; y $x
if {}; then {}; fi
for f in *; do {}; done
while read x; do {}; done
until {}; do :; done
case x in a) {};; esac
[[ x ]] && {}
f() {{ {}; }}; f
alias a='{}'; a
trap '{}' EXIT; {}
set -e; {}
cd x && {}
bash -c '{}'
eval "{}"
find . -exec {} \;
git ls-files | xargs -r {}
timeout 5 {}
uv run {}
docker run -v $PWD:/w -w /w i {}
powershell -Command "{}"
cmd /c {}
""".strip().splitlines(),
]


@pytest.mark.parametrize("rules", RULES, ids=["classic", "contract"])
@pytest.mark.parametrize("behind", ["", " --version", " -x y"])
def test_every_program_that_is_known_is_judged(behind: str, rules: CommandRules) -> None:
    """Also one that asks where nothing stands behind it: `nvidia-smi` raised."""
    assert len(PROGRAMS) > 2000
    for program in PROGRAMS:
        assert classify(program + behind, rules) is not None


LINES = st.lists(WORD_IN_LINE, min_size=1, max_size=6).map(" ".join)


@given(LINES, st.lists(st.sampled_from(FORMS), max_size=4))
def test_a_line_of_known_words_is_judged(line: str, forms: list[str]) -> None:
    """Whatever stands behind whatever, and inside it."""
    for form in forms:
        line = form.format(*[line] * form.count("{}"))
    for rules in RULES:
        assert classify(line, rules) is not None
