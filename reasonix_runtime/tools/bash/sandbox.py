"""Confining a command with bubblewrap: wide reading, writing below the roots only."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from reasonix_runtime.tools.errors import BlockedError
from reasonix_runtime.tools.support.workspace import Workspace

PROGRAM = "bwrap"

TEMPORARY = "/tmp"  # noqa: S108 -- inside the sandbox
"""Where a confined command finds the session's temporary directory, or an empty one."""


def confined(argv: Sequence[str], workspace: Workspace, *, temporary: str | None) -> list[str]:
    """Return the command line that runs `argv` confined.

    The workspace's roots are writable, its hidden directories are empty, its guarded ones cannot
    be written. `/tmp` is the session's own directory, or an empty one for this command. Raises
    BlockedError when the sandbox is not installed: the command is then not run at all.
    """
    program = shutil.which(PROGRAM)
    if program is None:
        raise BlockedError(
            "the sandbox is required and unavailable (bubblewrap is not installed), so the command "
            "was not run; install bubblewrap, or have the user switch the sandbox off"
        )
    options = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-pid"]
    options += ["--bind", temporary, TEMPORARY] if temporary else ["--tmpfs", TEMPORARY]
    for root in workspace.roots:
        options += ["--bind", root.path, root.path]
    for hidden in workspace.hidden:
        if os.path.isdir(hidden):
            options += ["--tmpfs", hidden]
        elif os.path.exists(hidden):
            options += ["--ro-bind", os.devnull, hidden]
    for guarded in workspace.guarded:
        if os.path.exists(guarded):
            options += ["--ro-bind", guarded, guarded]
    return [program, *options, "--chdir", os.path.realpath(workspace.directory), "--", *argv]
