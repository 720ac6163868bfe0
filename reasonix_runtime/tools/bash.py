"""Run one shell command, in the foreground or as a background job."""

from __future__ import annotations

import os
import shutil

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.capture import Capture, full_text
from reasonix_runtime.tools.context import DEFAULT_TIMEOUT_S, Arguments, Context, Output
from reasonix_runtime.tools.durations import short_duration
from reasonix_runtime.tools.environment import command_environment
from reasonix_runtime.tools.errors import CommandError, ToolError
from reasonix_runtime.tools.process import PIPE_WAIT_S, Ending, Process
from reasonix_runtime.tools.sandbox import confined

DECLARATION = Declaration(
    name="bash",
    read_only=False,
    description=(
        "Run one shell command and return its stdout and stderr, interleaved in the order they "
        "were written. Every call is a new process that starts in the workspace directory: a "
        "changed directory, variables and functions do not survive, files do. A non-zero exit "
        "status is reported as an error together with the output. Foreground commands have a "
        "time limit set by the host (120 seconds unless configured); on expiry the whole "
        "process tree is killed and the output so far is kept. Use `run_in_background` for "
        "servers and long builds: the call returns a job id at once, to be followed with "
        "`bash_output`, `wait` and `kill_shell`. Processes left over after a normal exit are "
        "killed unless `preserve_background_processes` is set. Prefer the file tools for "
        "reading and editing files. Do not chain a check so that its exit status is lost (`|| "
        "true`, `; echo done`): such a run proves nothing."
    ),
    description_zh=(
        "运行一条 shell 命令，按写出的先后返回 stdout 与 stderr。每次调用都是从工作区目录启动的"
        "新进程：切换的目录、变量和函数不会保留，文件会保留。退出码非零时作为错误返回，并附上输"
        "出。前台命令有主机设定的时限（默认 120 秒），超时会杀掉整个进程树并保留已有输出。服务"
        "器和耗时构建请用 `run_in_background`：立即返回任务 id，再用 `bash_output`、`wait`、"
        "`kill_shell` 跟进。正常退出后残留的进程会被清理，除非设置 "
        "`preserve_background_processes`。读写文件请优先使用文件工具。不要让检查命令的退出码被"
        "掩盖（`|| true`、`; echo done`），那样的运行证明不了任何事。"
    ),
    arguments=s.record(
        {
            "command": s.string("The command line, as the shell reads it."),
            "run_in_background": s.boolean(
                "Start the command and return its job id at once; no time limit applies and the "
                "job outlives the turn."
            ),
            "preserve_background_processes": s.boolean(
                "Leave processes running that the command started on purpose (a daemon, a browser) "
                "after it exits normally."
            ),
        },
        required=["command"],
    ),
)


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
    """Tell whether a command puts something in the background and detaches it on purpose."""
    # Imported here, because whoever only reads declarations should not load a shell grammar.
    from reasonix_runtime.evidence.shell import parse

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
    return command_environment(os.environ, settings.environment, temporary=settings.temporary)
