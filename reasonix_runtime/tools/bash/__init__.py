"""Run one shell command, in the foreground or as a background job."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

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
