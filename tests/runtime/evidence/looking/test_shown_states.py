"""What a command shows of a change: of which files, in which state, from which folder."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.looking.shown import NOTHING, Shown, State, shown_by
from reasonix_runtime.evidence.paths import PathStyle, same_tree

P = ("a.py",)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("cat a.py", Shown(P)),
        ("cd src && cat a.py", Shown(("src/a.py",))),
        ("cd /w; head -5 a.py", Shown(("/w/a.py",))),
        # of several files it prints the names
        ("head -n 0 a.py b.py", Shown()),
        ("head -5 src/*.py", Shown()),
        ("sed -n 1,3p src/*.py", Shown()),
        ("sed -n 1,3p a.py b.py", Shown(("a.py",))),
        ("awk 'NR<=3' a.py src/*.py", Shown(("a.py",))),
        ("cat src/*.py", Shown(globs=("src/*.py",))),
        ("tail -qn0 a.py", Shown()),
        ("head --bytes=0 a.py", Shown()),
        ("tail -n +0 a.py", Shown(("+0", "a.py"))),
        ("head -n 10 a.py", Shown(("10", "a.py"))),
        ("git diff -- a.py", Shown(P, state=State.UNSTAGED, below=True)),
        # which of it was staged is asked where the look is taken in
        ("git add a.py && git diff", Shown(whole=True, state=State.UNSTAGED)),
        ("git add a.py && git diff --cached", Shown(whole=True, state=State.STAGED)),
        ("git diff --cached && git commit -m x", Shown(whole=True, state=State.STAGED)),
        ("git diff HEAD a.py", Shown(P, state=State.UNCOMMITTED, below=True)),
        ("git diff main -- a.py", Shown(P, state=State.SINCE, below=True)),
        ("git diff --cached -- a.py", Shown(P, state=State.STAGED, below=True)),
        ("git diff A HEAD -- a.py", Shown(P, state=State.COMMITTED, below=True)),
        ("git diff main... -- a.py", Shown(P, state=State.COMMITTED, below=True)),
        ("git diff A B -- a.py", Shown(P, state=State.EARLIER, below=True)),
        ("git diff A B a.py", Shown(P, state=State.EARLIER, below=True)),
        ("git diff A..B a.py", Shown(P, state=State.EARLIER, below=True)),
        (
            "git diff ../a.py ../b.py",
            Shown(("../a.py", "../b.py"), state=State.UNSTAGED, below=True),
        ),
        ("git diff A:a.py B:a.py", Shown(("a.py", "a.py"), state=State.EARLIER)),
        ("git diff --no-index a.py b.py", Shown(("a.py", "b.py"))),
        ("git diff -- . ':!a.py'", Shown((".",), state=State.UNSTAGED)),
        ("git diff -- src/", Shown(("src/",), state=State.UNSTAGED, below=True)),
        ("git diff HEAD -- .", Shown((".",), state=State.UNCOMMITTED, below=True)),
        ("cd src && git diff .", Shown(("src/.",), state=State.UNSTAGED, folder="src", below=True)),
        ("git diff -- :/", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff -- :/ ':!a.py'", Shown(state=State.UNSTAGED)),
        ("git diff --diff-filter=D -- src/", Shown(("src/",), state=State.UNSTAGED)),
        ("git diff --no-index a b", Shown(("a", "b"))),
        ("git show HEAD:a.py", Shown(P, state=State.COMMITTED)),
        ("git show A:a.py", Shown(P, state=State.EARLIER)),
        (
            "git -C src diff -- a.py",
            Shown(("src/a.py",), state=State.UNSTAGED, folder="src", below=True),
        ),
        ("git diff", Shown(whole=True, state=State.UNSTAGED)),
        ("git --no-pager diff --no-color -U5", Shown(whole=True, state=State.UNSTAGED)),
        ("git -c color.ui=never diff HEAD", Shown(whole=True, state=State.UNCOMMITTED)),
        ("git -c core.pager=cat diff main", Shown(whole=True, state=State.SINCE)),
        ("git diff --cached", Shown(whole=True, state=State.STAGED)),
        ("cd /w && git diff", Shown(whole=True, state=State.UNSTAGED, folder="/w")),
        ("GIT_PAGER=cat git diff", Shown(whole=True, state=State.UNSTAGED)),
        ("git status --short; git diff", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff -p --stat", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff --patch-with-stat -- a.py", Shown(P, state=State.UNSTAGED, below=True)),
        ("git diff | cat", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff | head -5", Shown(whole=True, state=State.UNSTAGED, cut=True)),
        ("git diff a.py | tail -n 9 | cat", Shown(P, state=State.UNSTAGED, below=True, cut=True)),
        ("git diff | sed -n", NOTHING),
        ("git diff; STATUS=$?", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff; > a.py", NOTHING),
        ("! bash -c 'git diff'", NOTHING),
        ("git diff | sed -n 1,99p", Shown(whole=True, state=State.UNSTAGED, cut=True)),
        ("nl -ba a.py | sed -n '1,80p'", Shown(P, cut=True)),
        ("sed -n '1,80p;90p' a.py", Shown(P)),
        ("sed -n -e 1p a.py", Shown(P)),
        ("awk 'NR>=10 && NR<=60' a.py", Shown(P)),
        ("awk 'NR==1,NR==9 { print $0 }' a.py", Shown(P)),
        ("awk '/x/' a.py", NOTHING),
        ("awk 'NR<9 { print $1 }' a.py", NOTHING),
        ("cat a.py && sed -n 1,9p b.py", Shown(("a.py", "b.py"))),
        ("cat a.py; cat b.py", Shown(("b.py",))),
        (
            "git diff -- a.py && git diff -- b.py",
            Shown(("a.py", "b.py"), state=State.UNSTAGED, below=True),
        ),
        (
            "git diff --cached -- a.py && git diff -- b.py",
            Shown(
                ("b.py",),
                state=State.UNSTAGED,
                below=True,
                others=(Shown(P, state=State.STAGED, below=True),),
            ),
        ),
        ("git show HEAD -- a.py", Shown(P, state=State.LATEST, below=True)),
        ("git show -- a.py", Shown(P, state=State.LATEST, below=True)),
        ("git show HEAD a.py", Shown(P, state=State.LATEST, below=True)),
        ("git show", Shown(whole=True, state=State.LATEST)),
        ("git show --format=%h HEAD", Shown(whole=True, state=State.LATEST)),
        ("git show --stat -p", Shown(whole=True, state=State.LATEST)),
        ("git log -p -1", Shown(whole=True, state=State.LATEST)),
        ("git log --oneline -p -n 1 -- a.py", Shown(P, state=State.LATEST, below=True)),
        ("git log -p", Shown(whole=True, state=State.COMMITTED)),
        ("git log -p main..", Shown(whole=True, state=State.COMMITTED)),
        ("git diff HEAD~1 HEAD", Shown(whole=True, state=State.LATEST)),
        ("git diff HEAD^!", Shown(whole=True, state=State.LATEST)),
        ("git diff HEAD~2..HEAD", Shown(whole=True, state=State.COMMITTED)),
        ("git show A -- a.py", Shown(P, state=State.EARLIER, below=True)),
        ("git diff a.py | tail -n +9", Shown(P, state=State.UNSTAGED, below=True, cut=True)),
        ("(git diff)", Shown(whole=True, state=State.UNSTAGED)),
        ("{ git diff; }", Shown(whole=True, state=State.UNSTAGED)),
        ("(cd src && git diff)", Shown(whole=True, state=State.UNSTAGED, folder="src")),
        ("bash -lc 'git diff'", Shown(whole=True, state=State.UNSTAGED)),
        ("bash -lc 'cd src && cat a.py'", Shown(("src/a.py",))),
        ("docker exec x bash -c 'git diff'", NOTHING),
        ("echo --- && git diff", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff; git status", Shown(whole=True, state=State.UNSTAGED)),
        ("Get-Content a.py", Shown(P)),
        ("$ProgressPreference='SilentlyContinue'; Get-Content a.py", Shown(P)),
        ("A=1; cat a.py", Shown(P)),
        ("PAGER=x; git diff", NOTHING),
        ("type src\\a.py", Shown(("src\\a.py",))),
        ("git diff 2>&1 | less -R", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff 2>/dev/null", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff && pytest -q", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff $(git merge-base main HEAD)", Shown(whole=True, state=State.SINCE)),
        (
            'git diff "$(git merge-base main HEAD)" -- a.py',
            Shown(("a.py",), state=State.SINCE, below=True),
        ),
        ("pytest -q && git diff", Shown(whole=True, state=State.UNSTAGED)),
        ("pytest -q > /tmp/t.log 2>&1; git diff", Shown(whole=True, state=State.UNSTAGED)),
        (
            "git diff HEAD && git status && uv run pytest",
            Shown(whole=True, state=State.UNCOMMITTED),
        ),
        ("git diff | cat && pytest", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff | Out-Host", Shown(whole=True, state=State.UNSTAGED)),
        ("git diff --name-only | xargs cat", Shown(whole=True, state=State.UNSTAGED)),
        (
            "git diff HEAD --name-only -z -- src | xargs -0 -n1 cat",
            Shown(("src",), state=State.UNCOMMITTED, below=True),
        ),
        ("hg diff", Shown(whole=True, state=State.UNCOMMITTED)),
        ("jj diff --git", Shown(whole=True, state=State.UNCOMMITTED)),
        ("cd web && svn diff a.py", Shown(("web/a.py",), False, State.UNCOMMITTED, "web", True)),
        ("cat a.py | cat -n", Shown(P)),
        ("git diff --stat && git -P diff HEAD", Shown(whole=True, state=State.UNCOMMITTED)),
    ],
)
def test_what_is_shown_is_told_by_meaning(command: str, shown: Shown) -> None:
    """Options, revisions and the folder count."""
    assert shown == shown_by(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        *(
            "git diff --stat",
            "git diff -p --name-only",
            "git diff --quiet -- a.py",
            "git log -1",
            "git diff --name-only | xargs wc -l",
            "git diff --name-only | xargs -I{} cat {}",
            "git log --name-only | xargs cat",
            "ls | xargs cat",
            "hg diff --stat",
            "hg diff -r 1",
            "jj status",
            "git log -p main",
            "git log -p -S word",
            "git show --stat",
            "git show --name-only HEAD",
            "git show main",
            "git show HEAD~1",
            "sed 1p a.py",
            "sed -n /x/p a.py",
            "sed -n '1,5w b' a.py",
            "sed -n 1p",
        ),
        *("cat a.py | sort", "cat a.py > b", "cat a.py &", "exit && cat a.py", "cat a.py || true"),
        *(
            "git add -p a.py > log && git diff",
            "git diff --output=a.py && git diff",
            "git status || git diff",
        ),
        *(
            "git diff | head -5 b",
            "git diff | grep x",
            "(git diff) > b",
            "(git diff; rm b)",
            "git diff | tee b",
            "git diff | cat - b",
        ),
        *(
            "git diff > /dev/null",
            "git diff &> /dev/null",
            "git diff | cat > b",
            "git diff || pytest",
        ),
        *("git diff; pytest", "git diff && rm b", "git diff && pytest &", "git diff --stat | cat"),
        *("cd - && cat a.py", "cd $X && cat a.py", "cat $F", "GIT_EXTERNAL_DIFF=true git diff"),
        *("git --git-dir=/x/.git diff", "git -c diff.external=true diff", "pytest", ""),
    ],
)
def test_what_hides_or_may_hide_content_shows_nothing(command: str) -> None:
    """Also what runs beside something else, for whose the output is nobody knows."""
    shown = shown_by(command, CONTRACT_COMMANDS)

    assert ((), False) == (shown.operands, shown.whole)


@pytest.mark.parametrize(
    "command", ["git diff -w", "git diff -S x", "git diff --diff-filter=D", "git diff --relative=d"]
)
def test_what_leaves_something_out_is_no_whole_diff(command: str) -> None:
    assert not shown_by(command, CONTRACT_COMMANDS).whole


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("git show HEAD:a.py", Shown(P)),
        ("git diff A B -- a.py", Shown(("A", "B", "a.py"))),
        ("git diff", Shown(whole=True)),
        ("git diff HEAD", Shown(("HEAD",))),
        ("cd src && cat a.py", NOTHING),
    ],
)
def test_without_the_point_the_words_of_the_page_count(command: str, shown: Shown) -> None:
    """RV-05 and EL-14 as they are written."""
    assert shown == shown_by(command, CLASSIC_COMMANDS)


@pytest.mark.parametrize(
    ("folder", "root", "same"),
    [
        *(("", "/w", True), ("sub", "/w", True), ("..", "/w", True), ("../x", "/w", False)),
        *(("/w", "/w", True), ("/w/sub", "/w", True), ("/a", "/a/w", True), ("/wx", "/w", False)),
        *(("/x", "/w", False), ("/x", "", True)),
    ],
)
def test_git_speaks_of_the_tree_that_it_runs_in(folder: str, root: str, *, same: bool) -> None:
    """Above the root as well: the workspace may be a part of a repository."""
    assert same == same_tree(folder, root)
    assert same_tree("C:/W/sub", "c:/w", PathStyle.WINDOWS)
