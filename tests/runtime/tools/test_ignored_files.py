"""Files that git ignores: a search leaves out the same ones as git and ripgrep do."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.tools.support.workspace import Workspace

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(root: Path, *words: str) -> str:
    """Run git in a repository without the settings of this machine."""
    done = subprocess.run(
        ["git", "-c", "core.excludesFile=", *words],
        cwd=root,
        capture_output=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"},
    )
    return done.stdout.decode()


@needs_git
def test_grep_follows_the_ignore_files_of_a_repository(tree: Bench) -> None:
    """Global, the repository's own, the root's, nested ones; a later rule wins."""
    tree.put(".gitignore", "dist/\n*.log\n!keep.log\n/only-root\n")
    tree.put("a/.gitignore", "!back.log\nlocal\n")
    for path in (
        "dist/o.js",
        "x.log",
        "keep.log",
        "a/back.log",
        "a/only-root",
        "only-root",
        "a/local",
        "b/local",
        "excluded",
        "globally",
    ):
        tree.put(path, "needle\n")
    before = tree.ok("grep", pattern="needle").split()
    git(tree.root, "init", "-q")
    tree.put(".git/info/exclude", "excluded\n")
    (tree.root.parent / "config" / "git").mkdir(parents=True)
    (tree.root.parent / "config" / "git" / "ignore").write_text("globally\n")

    after = tree.ok("grep", pattern="needle").split()

    assert len(before) == 10
    assert after == [
        f"<ws>/{path}:1:needle" for path in ("a/back.log", "a/only-root", "b/local", "keep.log")
    ]
    assert tree.ok("grep", pattern="needle", path="dist") == "<ws>/dist/o.js:1:needle"
    assert tree.ok("grep", pattern="needle", path="x.log") == "<ws>/x.log:1:needle"
    assert tree.ok("glob", pattern="dist/*.js") == "<ws>/dist/o.js"


@needs_git
def test_a_linked_worktree_has_the_excludes_of_its_repository(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There `.git` is a file that says where the repository is."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    main = bench.root.parent / "main"
    main.mkdir()
    git(main, "init", "-q")
    git(main, "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "x", "--allow-empty")
    (main / ".git" / "info" / "exclude").write_text("secret\n")
    git(main, "worktree", "add", "-q", str(bench.root / "tree"))
    bench.put("tree/secret", "needle\n")
    bench.put("tree/open", "needle\n")

    assert bench.ok("grep", pattern="needle", path="tree") == "<ws>/tree/open:1:needle"


@needs_git
def test_an_ignore_file_that_is_a_link_is_not_read(bench: Bench) -> None:
    """Git does not read it either."""
    bench.put("rules", "a\n")
    bench.put("a", "needle\n")
    (bench.root / ".gitignore").symlink_to("rules")
    git(bench.root, "init", "-q")

    assert bench.ok("grep", pattern="needle") == "<ws>/a:1:needle"


# One rule a line of an ignore file.
RULES = st.sampled_from(
    [
        "a",
        "b/",
        "/a",
        "*.x",
        "!a",
        "!*.x",
        "a/b",
        "**/c",
        "a/**",
        "!a/b",
        "# note",
        "",
        "\\#h",
        "c*",
        "?",
        "/b/*",
        "!/b/c",
        "*/c",
        "**/b/c",
        "[ab]",
        "d\\ ",
        "!b/",
    ]
)


FILES = ("a", "b/a", "b/c", "c/a/b", "c/b/c", "x.x", "b/x.x", "#h", "d ", "c/d/e/a")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make one repository for all examples."""
    root = tmp_path_factory.mktemp("repository")
    git(root, "init", "-q")
    return root


@needs_git
@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    top=st.lists(RULES, max_size=4),
    nested=st.lists(RULES, max_size=3),
    files=st.sets(st.sampled_from(FILES), min_size=1),
)
def test_git_ignores_the_same_files(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    top: list[str],
    nested: list[str],
    files: set[str],
) -> None:
    """Git itself is the judge of what its ignore files mean."""
    from reasonix_runtime.tools.grep.searching import files_below

    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/nonexistent")
    for path in repository.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in sorted(files):
        file = repository / name
        if file.is_dir() or any(parent.is_file() for parent in file.parents):
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")
    (repository / "b").mkdir(exist_ok=True)
    (repository / ".gitignore").write_text("\n".join(top) + "\n")
    (repository / "b" / ".gitignore").write_text("\n".join(nested) + "\n")

    workspace = Workspace(repository)
    found = {
        os.path.relpath(file.path, repository)
        for file in files_below(workspace, workspace.locate("."))
    }

    listed = git(repository, "ls-files", "-z", "--others", "--exclude-standard").split("\0")
    assert found == {path for path in listed if path and not path.endswith(".gitignore")}


@pytest.mark.skipif(shutil.which("rg") is None, reason="ripgrep is not installed")
def test_ripgrep_finds_the_same_in_a_repository(tree: Bench) -> None:
    """The other engine of such hosts gives the same lines for the same tree."""
    tree.put(".gitignore", "*.log\n!keep.log\nnode_modules\nvendor\n__*\n")
    for path in ("x.log", "keep.log", "a/é.py"):
        tree.put(path, "x = needle\n")
    git(tree.root, "init", "-q")
    done = subprocess.run(
        ["rg", "--no-heading", "-n", "--sort", "path", "x", str(tree.root)],
        capture_output=True,
        text=True,
    )

    assert sorted(tree.ok("grep", pattern="x").splitlines()) == sorted(
        tree.short(done.stdout).splitlines()
    )


@needs_git
def test_a_root_that_is_ignored_switches_the_rules_off_below_it(tree: Bench) -> None:
    """Whoever names it wants to see it, hidden files and all."""
    git(tree.root, "init", "-q")
    tree.put(".gitignore", "out/\n*.log\n")
    tree.put("out/.hidden", "needle\n")
    tree.put("out/a.log", "needle\n")

    assert tree.ok("grep", pattern="needle", path="out").splitlines() == [
        "<ws>/out/.hidden:1:needle",
        "<ws>/out/a.log:1:needle",
    ]
    assert tree.ok("grep", pattern="needle") == "(no matches)"
    assert tree.ok("glob", pattern="**/*.log") == "<ws>/out/a.log"
    assert "out/a.log\t7\n" in tree.ok("ls", recursive=True)
