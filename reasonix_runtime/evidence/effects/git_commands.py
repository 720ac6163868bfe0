"""Git commands that leave the files of the work tree as they are: stage, commit, branch off, push.

Only the words of the command are read here. `command_kinds.py` asks the rules whether such a
command is a change all the same; all but `is_plain_commit` expect that the program is git.
"""

from __future__ import annotations

import re

from reasonix_runtime.evidence.options.git import git_subcommand

_FILE_NAME = re.compile(r"[^-:*?\[{][^:*?\[{]*[^./*?\[{]\.\w+|[^-:./*?\[{]\.\w+")
_PLAIN_PATH = re.compile(r"[^-:*?\[{][^:*?\[{]*")
_BRANCHING = {"checkout": frozenset({"-b"}), "switch": frozenset({"-c", "--create"})}
_FORCE = frozenset({"--force", "--force-with-lease", "-f", "--delete", "-d", "--mirror", "--prune"})
# `main:main`, but not what only tells of another machine: `main:refs/remotes/origin/main`.
_MOVES_BRANCH = re.compile(r"(?!-)\+?[^:@]+:(?!refs/(?:remotes|tags)/|//)[^:]+")
_INTENDING = frozenset({"-N", "--intent-to-add"})
_ADD_NOTES = _INTENDING | {"--", "-v", "--verbose"}
_RESTORE_INDEX = frozenset({"-S", "--staged", "-q", "--quiet"})
_RESET_INDEX = frozenset({"-q", "--quiet", "--mixed", "-N"})
_QUIET = frozenset({"-q", "--quiet"})
_RESTORE_TREE = _QUIET | {"-W", "--worktree", "-S", "--staged", "--source=HEAD"}
_STASH_ALL = _QUIET | {"-u", "--include-untracked", "-k", "--keep-index"}
_STASH_MESSAGE = frozenset({"-m", "--message"})
_TIDYING = frozenset({"gc", "prune", "pack-refs", "repack"})
_CONFIG_SCOPES = frozenset({"--global", "--local", "--add", "set"})
_PERSONAL = re.compile(
    r"user\.(?:name|email|signingkey)|commit\.gpgsign|init\.defaultbranch|(?:advice|color)\.\w+"
    r"|safe\.directory|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)"
)
_COMMIT_NOTES = frozenset({"--author", "--date"})
_COMMIT_GIVEN = _COMMIT_NOTES | {"-m", "--message", "-qm", "-sm", "-nm", "-F", "--file"}
_COMMIT_ALONE = frozenset(
    {"-q", "--quiet", "-s", "--signoff", "-n", "--no-verify", "-v", "--verbose", "-S", "--"}
)
_COMMIT_MESSAGES = frozenset({"-m", "--message", "-qm"})


def forces_push(words: tuple[str, ...]) -> bool:
    """Whether a `git push` takes away what is there: by force, or a branch as a whole."""
    return any(
        word.partition("=")[0] in _FORCE or word.startswith(("+", ":")) for word in words[2:]
    )


def names_receiver(words: tuple[str, ...]) -> bool:
    """Whether git is told which program answers it: `--receive-pack=./x`, shortened too."""
    return any(word.startswith(("--rece", "--exe")) for word in words[2:])


def stages_named_files(words: tuple[str, ...]) -> bool:
    """Whether a command is `git add` of files by name; a folder or `-A` takes in what changed.

    With `-N` it takes in that there are such files, and nothing of what is in them.
    """
    if words[1:2] != ("add",):
        return False
    named = [word for word in words[2:] if word not in _ADD_NOTES]
    notes_names = not _INTENDING.isdisjoint(words[2:])
    return bool(named) and (notes_names or all(map(_FILE_NAME.fullmatch, named)))


def unstages(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a command takes back from the index alone: `git reset -q a.py`; `.` is all.

    Nothing for a command that may do more: to a commit, or to the work tree.
    """
    options = [word for word in words[2:] if word.startswith("-") and word != "--"]
    named = [word for word in words[2:] if not word.startswith("-")]
    if words[1:2] == ("restore",):
        staged = bool(options) and _RESTORE_INDEX.issuperset(options)
        return tuple(named) if staged and not {"-S", "--staged"}.isdisjoint(options) else ()
    if words[1:2] != ("reset",) or not _RESET_INDEX.issuperset(options):
        return ()
    paths = named[1:] if named[:1] in (["HEAD"], ["@"]) else named
    known = "--" in words[2:4] or all(word == "." or _FILE_NAME.fullmatch(word) for word in paths)
    return (tuple(paths) or (".",)) if known else ()


def takes_back(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders that a command takes back to what git holds; `.` is the work tree.

    That is `git checkout .`, `git restore src`, `git reset --hard` and `git stash`, which keeps
    what it takes for later, of paths by name too. Nothing for one that goes to another commit.
    """
    verb, rest = words[1:2], words[2:]
    if verb == ("stash",):
        return _stashed(rest)
    options = [word for word in rest if word.startswith("-") and word != "--"]
    named = [word for word in rest if not word.startswith("-")]
    at_head = named[:1] in (["HEAD"], ["@"])
    paths = named[1:] if at_head else named
    if verb == ("reset",):
        hard = "--hard" in options and (_QUIET | {"--hard"}).issuperset(options)
        return (".",) if hard and not paths else ()
    if verb == ("checkout",) and _QUIET.issuperset(options):
        # Without dashes in front a bare name may be that of a branch.
        dashed = rest.index("--") if "--" in rest else len(rest)
        told = rest[dashed + 1 :] == tuple(paths) or all(
            path.endswith(("/", ".")) for path in paths
        )
        return tuple(paths) if told else ()
    if verb == ("restore",) and _RESTORE_TREE.issuperset(options):
        index_alone = {"-S", "--staged"}.intersection(options)
        in_tree = not index_alone or {"-W", "--worktree"}.intersection(options)
        return tuple(named) if in_tree else ()
    return ()


def _stashed(rest: tuple[str, ...]) -> tuple[str, ...]:
    """Return what the words behind `git stash` put away of what is not committed."""
    verb, given = (rest[0], rest[1:]) if rest[:1] in (("push",), ("save",)) else ("", rest)
    named: list[str] = []
    at = 0
    while at < len(given):
        word = given[at]
        if word in _STASH_MESSAGE:
            at += 1
        elif not (word in _STASH_ALL or word == "--" or word.startswith("--message=")):
            named.append(word)
        at += 1
    if verb == "save":  # its words are the message
        return () if any(word.startswith("-") for word in named) else (".",)
    told = verb == "push" or "--" in given
    known = told and all(map(_PLAIN_PATH.fullmatch, named))
    return tuple(named) if named and known else ((".",) if not named else ())


def drops_stash(words: tuple[str, ...]) -> bool:
    """Whether a command throws away what was put away; the work tree stays as it is."""
    return words[1:3] in {("stash", "drop"), ("stash", "clear")}


def keeps_house(words: tuple[str, ...]) -> bool:
    """Whether a command tidies up what git keeps, or says who works here and with whom.

    Settings that name programs, or say how changes are shown, are none of these.
    """
    if words[1:2] and words[1] in _TIDYING:
        return True
    if words[1:3] in {("remote", "add"), ("maintenance", "run"), ("worktree", "prune")}:
        return True
    if words[1:2] != ("config",):
        return False
    told = [word for word in words[2:] if word not in _CONFIG_SCOPES]
    given = len(told) == 2 and not told[1].startswith("-")  # `-e` opens an editor
    return given and _PERSONAL.fullmatch(told[0].lower()) is not None


def brings_stash(words: tuple[str, ...]) -> bool:
    """Whether a command puts into the work tree what was put away last: `git stash pop`."""
    named = [word for word in words[2:] if word not in _QUIET | {"--index", "0", "stash@{0}"}]
    return words[1:2] == ("stash",) and named in (["pop"], ["apply"])


def starts_branch(words: tuple[str, ...]) -> bool:
    """Whether a command starts a branch where the work tree stands, or fetches beside it.

    Another work tree is a folder of its own. A fetch that says where to (`main:main`, `--refmap`)
    moves a branch of the work.
    """
    match words:
        case (_, "fetch", *rest):
            return not any(
                word.startswith(("--up", "--refmap")) or _MOVES_BRANCH.fullmatch(word)
                for word in rest
            )
        case (_, "worktree", "add" | "list", *_):
            return True
        case (_, verb, option, _):
            return option in _BRANCHING.get(verb, ())
    return False


def commits_by_name(words: tuple[str, ...]) -> bool:
    """Whether a command is `git commit` of what is staged, or of files by name, with a message."""
    if words[1:2] != ("commit",):
        return False
    at, told = 2, False
    while at < len(words):
        option, equals, _ = words[at].partition("=")
        if option in _COMMIT_GIVEN:
            told = told or option not in _COMMIT_NOTES
            at += 1 if equals else 2
        elif words[at] in _COMMIT_ALONE or _FILE_NAME.fullmatch(words[at]):
            at += 1
        else:
            return False
    return told


def is_plain_commit(words: tuple[str, ...]) -> bool:
    """Whether a command is `git commit` with `-m` and `-q` only, which leaves the tree alone."""
    if git_subcommand(words) != "commit":
        return False
    at, told = 2, False
    while at < len(words):
        if words[at] in _COMMIT_MESSAGES and at + 1 < len(words):
            told = True
            at += 2
        elif words[at].startswith("--message=") or words[at] in _QUIET:
            told = told or words[at] not in _QUIET
            at += 1
        else:
            return False
    return told
