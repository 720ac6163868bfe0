"""Words that expand and are surely no options: what only reads does so with them as well."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.gates.policy import CONTRACT

READS = r"""
git diff $(git merge-base main HEAD) --stat
git diff "$(git merge-base main HEAD)"..HEAD
git log $(git describe --tags --abbrev=0)..HEAD --oneline
git diff $(git merge-base origin/main HEAD 2>/dev/null || echo HEAD~1)
git diff origin/$(git branch --show-current)
base=$(git merge-base main HEAD) && git diff "$base"
base=main; git diff $base...HEAD
git log --since="$day" --oneline
cat $(git ls-files '*.py')
wc -l `git ls-files`
ls $(pwd)
rg foo "$(git rev-parse --show-toplevel)/src"
find $PWD -name '*.py'
find "$HOME/.cache" -maxdepth 1
src=$(pwd)/src; find "$src" -type f
find . -name "*$x*"
sed -n 1,5p "src/$f"
awk '{print $1}' "src/$f"
jq ".[$i]" f.json
for f in src/*.py; do sed -n 1,5p "$f"; done
for f in $(git diff --name-only); do git log -1 --format=%h -- "$f"; done
for f in $(find src -name '*.json'); do jq .version $f; done
"""
CHANGES = r"""
git diff $x
git show "$sha"
x=--output=f; git diff $x
x='a --output=f'; git diff $x
x=$(cat f); git diff $x
x=HEAD; read x; git diff $x
git diff $(cat f)
git diff $(git log -1 --format=%s)
git diff $(git rev-parse --output=f)
git diff a$x
git diff -$x
git log --output="$x"
git branch $(git describe)
git checkout $(git merge-base main HEAD)
git show $(git merge-base a b > f)
git show $(git symbolic-ref HEAD refs/heads/x)
rg $(echo --pre=./x) foo
find "$x" -name a
find . -exec "$x" {} +
find $(pwd) -delete
sed "s/a/$x/" f
sed -n "$x" p
sed p --expression="$x"
awk "{print $x}" f
sort -o "$PWD/x" f
xargs $(pwd)
"$PWD/x"
git diff '$'"$x"
for f in $(cat list); do git diff $f; done
for f in $(find . -printf '%f'); do git diff $f; done
for f in *.py; do git log $f; done; for f in $(cat list); do git diff $f; done
f=--output=x; for f in *.py; do git diff $f; done
for f; do git diff $f; done
for f in src/*.py; do rm $f; done
"""


@pytest.mark.parametrize("command", READS.strip().splitlines())
def test_what_reads_reads_with_a_word_that_is_no_option(command: str) -> None:
    """Agents ask git for a revision in the place of one; two reviews were owed for a look."""
    assert not classify(command, CONTRACT.ledger.commands).mutates


@pytest.mark.parametrize("command", CHANGES.strip().splitlines())
def test_a_word_that_may_be_an_option_may_write(command: str) -> None:
    """Nobody knows what a variable holds that nobody set here."""
    assert classify(command, CONTRACT.ledger.commands).mutates
