"""Shell commands that say which files they change."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.shell_edits import NO_EDIT, ToldEdit, edit_of

A = ToldEdit(("a.py",))


@pytest.mark.parametrize(
    ("command", "edit"),
    [
        ("sed -i 's/a/b/' a.py", A),
        ("sed -i '' 's/a/b/' a.py", A),
        ("sed -i.bak -e s/a/b/ -e 1d a.py", A),
        ("gsed --in-place s/a/b/ a.py", A),
        ("sed -Ei 's/(a)/\\1b/g' a.py src/b.py", ToldEdit(("a.py", "src/b.py"))),
        ("sed -i '1i import os' a.py", A),
        ("sed -i '/foo/a\\  bar' a.py", A),
        ("perl -pi -e 's/a/b/' a.py", A),
        ("perl -0pi -e 's|a|b|g; s{c}{d}' a.py", A),
        ("perl -i -pe 's/a/b/' a.py", A),
        ("perl -wsi.bak -lpe 's/a/b/' a.py", A),
        ("printf 'x\\n' >> a.py", A),
        ("cat > a.py <<'EOF'\nx\nEOF", A),
        ("echo x | tee -a a.py", A),
        ("tee a.py > /dev/null <<'EOF'\nx\nEOF", A),
        ("git show HEAD:a.py > a.py", A),
        ("pytest -q > a.py", A),
        ("pytest -q > >(tee a.py)", A),
        ("pytest -q 2> >(grep -v x | tee -a a.py >&2)", A),
        ("cd src && sed -i s/a/b/ a.py", ToldEdit(("src/a.py",))),
        ("sed -i s/a/b/ a.py && git diff && pytest -q", A),
        ("sed -i s/a/b/ a.py && black b.py", ToldEdit(("a.py", "b.py"))),
        ("black a.py", A),
        ("cp b.py a.py", A),
        ("mv b.py a.py", ToldEdit(("a.py",), moved=("b.py",))),
        ("mv -f -- b.py a.py", ToldEdit(("a.py",), moved=("b.py",))),
        (
            "mv tests/test_a.py tests/test_b.py",
            ToldEdit(("tests/test_b.py",), moved=("tests/test_a.py",)),
        ),
        ("mv a.py lib/", ToldEdit(("lib/a.py",), moved=("a.py",))),
        ("git mv b.py a.py", ToldEdit(("a.py",), moved=("b.py",))),
        ("jq .a p.json > t.json && mv t.json p.json", ToldEdit(("p.json",), moved=("t.json",))),
        ("rm -f a.py b.py", ToldEdit(removed=("a.py", "b.py"))),
        ("mkdir -p x && touch x/__init__.py", ToldEdit(kept=("x/__init__.py",))),
        ("chmod +x run.sh", ToldEdit(kept=("run.sh",))),
        ("git checkout -- a.py", ToldEdit(("a.py",), restored=("a.py",))),
        ("git checkout a.py", ToldEdit(("a.py",), restored=("a.py",), unsure=("a.py",))),
        ("git checkout HEAD -- a.py", ToldEdit(("a.py",), restored=("a.py",))),
        ("git checkout main -- a.py", A),
        ("git restore a.py", ToldEdit(("a.py",), restored=("a.py",))),
        ("git restore --worktree a.py", ToldEdit(("a.py",), restored=("a.py",))),
        ("git restore -W a.py", ToldEdit(("a.py",), restored=("a.py",))),
        ("git restore a.py && sed -i s/a/b/ a.py", ToldEdit(("a.py", "a.py"))),
    ],
)
def test_a_command_says_which_files_it_changes(command: str, edit: ToldEdit) -> None:
    """Then the change has paths as that of a file tool."""
    assert edit == edit_of(command, CONTRACT_COMMANDS)
    assert NO_EDIT == edit_of(command, CLASSIC_COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        "sed -i 's/a/b/w x' a.py",
        "sed -i 's/a/b/e' a.py",
        "sed -i '1e rm x' a.py",
        "sed -i '1i x\n1e rm x' a.py",
        "sed -i -f s.sed a.py",
        "sed -i s/a/b/ src/*.py",
        "sed -i s/a/b/ $(ls)",
        "sed -i s/a/b/ a.py; ./y",
        "sed() { :; }; sed -i s/a/b/ a.py",
        "PATH=/tmp/x:$PATH sed -i s/a/b/ a.py",
        "find . -exec sed -i s/a/b/ {} +",
        "grep -l x | xargs sed -i s/a/b/",
        "perl -pi -e 'system(1)' a.py",
        "perl -pi -e 's/a/b/e' a.py",
        "perl -pi -e 's/a/@{[`x`]}/' a.py",
        "perl -pi -e 's/(?{system})a/b/' a.py",
        "perl -pi -e 's/@{[system(1)]}/b/' a.py",
        "rm parser_tests.py",
        "rm -r a.py",
        "rm *.py",
        "mv src lib",
        "mv -S.py -- b.py a.py",
        "cp a.py lib",
        "cp -r a b",
        "chmod -R +x dir",
        "python gen.py > a.py",
        "echo x > $F",
        'echo x > "$(rm y)"',
        "black . && sed -i s/a/b/ a.py",
        "git checkout main",
        "git checkout release/1.2",
        "git checkout main b -- a.py",
        "git checkout -- .",
        "git restore",
        "git restore --source=main a.py",
        "git apply fix.patch",
        "rm tests/test_a.py",
        "git rm -q src/a_test.go",
        "mv tests/test_a.py old.py",
        "mv tests/test_a.py tests_old.py",
        "printf x > node_modules/.bin/jest",
        "cp a.py .venv/bin/pytest.py",
        "sed -i s/a/b/ /usr/lib/python3/x.py",
        "sh > a.py <<'EOF'\nx\nEOF",
        "pytest -q > >(sh)",
        "pytest -q > >(tee >(sh) a.py)",
        "pytest -q > >(cat > a.py)",
        "pytest -q",
    ],
)
def test_a_change_that_is_told_half_is_not_told(command: str) -> None:
    """A script may reach other files, and what may be a folder says nothing of what is in it."""
    assert NO_EDIT == edit_of(command, CONTRACT_COMMANDS)
