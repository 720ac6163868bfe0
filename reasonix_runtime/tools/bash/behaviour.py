"""What `bash` does when it is called."""

from __future__ import annotations

import os
import shutil

from reasonix_runtime.tools.bash.sandbox import TEMPORARY, confined
from reasonix_runtime.tools.context import DEFAULT_TIMEOUT_S, Arguments, Context, Output
from reasonix_runtime.tools.errors import CommandError, ToolError, os_reason
from reasonix_runtime.tools.support.capture import Capture, full_text
from reasonix_runtime.tools.support.durations import short_duration
from reasonix_runtime.tools.support.environment import command_environment
from reasonix_runtime.tools.support.process import PIPE_WAIT_S, Ending, Process

DETACHING = frozenset({"disown", "nohup", "setsid"})
"""Programs that show that a background process is meant to stay."""


def run(arguments: Arguments, context: Context) -> Output:
    """Run a command to its end, or start it as a job; a status other than 0 is an error."""
    command: str = arguments["command"]
    if not command.strip():
        raise ToolError("command is required")
    if "\0" in command:
        raise ToolError("a command cannot hold a NUL character")
    if arguments.get("run_in_background", False):
        return _background(command, context)
    keep = arguments.get("preserve_background_processes", False) or _detaches(command)
    return _foreground(command, context, keep_leftovers=keep)


def _detaches(command: str) -> bool:
    """Whether a command puts something in the background and detaches it on purpose."""
    # Imported here, because whoever only reads declarations should not load a shell grammar.
    from reasonix_runtime.evidence.shell.script import parse

    segments = parse(command).segments
    heads = {segment.words[0].value for segment in segments if segment.words}
    return any(segment.background for segment in segments) and bool(heads & DETACHING)


def _background(command: str, context: Context) -> Output:
    if context.jobs is None:
        raise ToolError("background execution is not available in this context")
    job = context.jobs.start_command(
        "bash",
        command,
        _argv(command, context),
        owner=context.owner,
        directory=context.workspace.directory,
        environment=_environment(context),
    )
    text = (
        f'Started background job "{job.id}". Read its output with bash_output, wait for its end '
        f'with wait, stop it with kill_shell, each with job id "{job.id}".'
    )
    return Output(text=text, outcome="running")


def _foreground(command: str, context: Context, *, keep_leftovers: bool) -> Output:
    limit = context.settings.bash_timeout_seconds
    if limit < 0:
        limit = DEFAULT_TIMEOUT_S
    capture = Capture(listener=context.progress)
    try:
        process = Process(
            _argv(command, context),
            directory=context.workspace.directory,
            environment=_environment(context),
            capture=capture,
            keep_leftovers=keep_leftovers,
        )
        with context.cancellation.calling(process.cancel):
            ending = process.run_out(limit or None)
        text = full_text(capture, context.settings.code_page)
    finally:
        capture.close()
    return _answer(ending, text, limit=limit, keep_leftovers=keep_leftovers)


def _answer(ending: Ending, text: str, *, limit: float, keep_leftovers: bool) -> Output:
    """Turn how a command ended into its result; only status 0 is a success."""
    if ending.state == "timed_out":
        message = f"command timed out (> {short_duration(limit)})"
    elif ending.state == "cancelled":
        message = "command cancelled before its end"
    elif ending.state == "failed":
        message = f"command exited: {ending.status}"
    elif ending.pipe_held and not keep_leftovers:
        message = (
            f"the command ended, but a process that it left behind kept its output open for more "
            f"than {short_duration(PIPE_WAIT_S)}; set preserve_background_processes to allow that"
        )
    else:
        return Output(text=text, exit_code=ending.exit_code)
    code = ending.exit_code if ending.state in {"completed", "failed"} else None
    raise CommandError(message, output=text, exit_code=code, cancelled=ending.state == "cancelled")


def _argv(command: str, context: Context) -> list[str]:
    argv = [context.settings.shell or shutil.which("bash") or "sh", "-c", command]
    if not context.settings.sandbox:
        return argv
    return confined(argv, context.workspace, temporary=context.settings.temporary)


def _environment(context: Context) -> dict[str, str]:
    settings = context.settings
    if settings.temporary is not None:
        try:
            os.makedirs(settings.temporary, mode=0o700, exist_ok=True)
        except OSError as error:
            raise ToolError(f"session temporary directory: {os_reason(error)}") from error
    temporary = TEMPORARY if settings.sandbox else settings.temporary
    return command_environment(os.environ, settings.environment, temporary=temporary)
