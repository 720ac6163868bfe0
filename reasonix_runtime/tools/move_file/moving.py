"""Moving a file inside the workspace without ever overwriting another one."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress

from reasonix_runtime.tools.errors import PathError, ToolError, os_reason
from reasonix_runtime.tools.support import atomic, handles
from reasonix_runtime.tools.support.workspace import Place, Workspace

_NO_HARD_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def move(workspace: Workspace, source: Place, destination: Place) -> None:
    """Move a file, or a link itself, to a place where nothing stands; make its directories.

    Raises ToolError when something stands there, PathError for what the system refuses.
    """
    standing = workspace.stat(destination)
    case_only = standing is not None and _is_case_change(workspace, source, destination, standing)
    if standing is not None and not case_only:
        raise _taken(destination)
    workspace.make_parents(destination)
    try:
        with (
            workspace.parent(source) as (old, old_name),
            workspace.parent(destination) as (new, new_name),
            # A write between the two steps would be lost with the old name.
            atomic.exclusive(old),
        ):
            if case_only:
                os.rename(old_name, new_name, src_dir_fd=old, dst_dir_fd=new)
            else:
                _move_to_free(old, old_name, new, new_name)
    except FileExistsError:
        raise _taken(destination) from None
    except OSError as error:
        raise PathError(
            "move", f"{source.shown} to {destination.shown}", os_reason(error)
        ) from error


def _taken(destination: Place) -> ToolError:
    return ToolError(f"destination {destination.shown} already exists")


def _is_case_change(
    workspace: Workspace, source: Place, destination: Place, standing: os.stat_result
) -> bool:
    """Whether the destination is the source itself under another case of its name.

    A second hard link of the same file is another entry, also when only case differs.
    """
    own = workspace.stat(source)
    if own is None or source.real.casefold() != destination.real.casefold():
        return False
    return os.path.samestat(own, standing) and own.st_nlink == 1


def _move_to_free(old: int, old_name: str, new: int, new_name: str) -> None:
    """Give the file its new name, then take the old one; the system refuses a taken name."""
    try:
        os.link(old_name, new_name, src_dir_fd=old, dst_dir_fd=new, follow_symlinks=False)
    except OSError as error:
        if error.errno == errno.EXDEV:
            _copy(old, old_name, new, new_name)
        elif error.errno in _NO_HARD_LINKS:
            _rename_to_free(old, old_name, new, new_name)
            return
        else:
            raise
    os.unlink(old_name, dir_fd=old)


def _rename_to_free(old: int, old_name: str, new: int, new_name: str) -> None:
    """Rename where the file system has no hard links; the name was looked at just before."""
    with suppress(FileNotFoundError):
        os.stat(new_name, dir_fd=new, follow_symlinks=False)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_name)
    os.rename(old_name, new_name, src_dir_fd=old, dst_dir_fd=new)


def _copy(old: int, old_name: str, new: int, new_name: str) -> None:
    """Copy to another file system; a copy that fails is removed again."""
    found = os.stat(old_name, dir_fd=old, follow_symlinks=False)
    if stat.S_ISLNK(found.st_mode):
        os.symlink(os.readlink(old_name, dir_fd=old), new_name, dir_fd=new)
        return
    with (
        os.fdopen(handles.open_file(old_name, within=old), "rb") as source,
        os.fdopen(handles.create_file(new_name, within=new), "wb") as target,
    ):
        try:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fchmod(target.fileno(), stat.S_IMODE(found.st_mode))
            os.fsync(target.fileno())
        except OSError:
            os.unlink(new_name, dir_fd=new)
            raise
