"""What a tool works with, and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.environment import FILTERED, EnvironmentPolicy

if TYPE_CHECKING:
    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.tools.support.compression import Compressor
    from reasonix_runtime.tools.support.jobs import Jobs
    from reasonix_runtime.tools.support.workspace import Workspace
    from reasonix_runtime.trace.events import Outcome, ToolCall

Arguments: TypeAlias = Mapping[str, Any]

DEFAULT_TIMEOUT_S = 120
"""Seconds that a command may run where nobody says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSettings:
    """What a host configures about its tools.

    `bash_timeout_seconds`: limit of a foreground command; 0 is none, a negative one the default.
    `shell`: the program that reads commands, None for the bash on the path, else `sh`.
    `sandbox`: commands run confined by bubblewrap, or not at all. `code_page`: how to read command
    output that is no UTF-8. `tolerant_edits`: accept whole lines that differ in trailing blanks,
    tabs or copied line numbers where there is no exact match. `allowed_networks`: which
    networks (`127.0.0.0/8`) `web_fetch` may reach although they are not public.
    """

    bash_timeout_seconds: float = DEFAULT_TIMEOUT_S
    shell: str | None = None
    sandbox: bool = False
    environment: EnvironmentPolicy = FILTERED
    temporary: str | None = None
    code_page: str | None = None
    tolerant_edits: bool = True
    allowed_networks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything that a tool may use; a part that is None is not available here.

    `owner` is the session that calls: it sees its own jobs only. `progress` is told what a running
    command writes, as it comes. `call` is the call that is running. `judge` asks its gate; it may
    be asked once, and the host's state moves as the verdict says. `compressor` is what `compress`
    works on.
    """

    workspace: Workspace
    settings: ToolSettings = ToolSettings()
    jobs: Jobs | None = None
    owner: str = "main"
    cancellation: Cancellation = field(default_factory=Cancellation)
    progress: Callable[[bytes], None] | None = None
    call: ToolCall | None = None
    judge: Callable[[], Verdict] | None = None
    compressor: Compressor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """The answer of a tool that did not fail.

    `outcome` is `running` for a job that was started and has not ended. `exit_code` is the status
    of a command, None where there was none.
    """

    text: str
    outcome: Outcome = "ok"
    exit_code: int | None = None


Behaviour: TypeAlias = Callable[[Arguments, Context], Output]
"""What a tool does. It raises ToolError for what the caller is to be told as an error."""
