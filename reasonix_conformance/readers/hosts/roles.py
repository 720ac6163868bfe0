"""Tools of other agents in the roles that gates know.

A foreign call keeps its name; what it does is told as the tool of the contract that does the same,
as for a call through a proxy. A tool without a role stays what it is: unknown.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from reasonix_conformance.readers.files.json_values import at, name_at, text_at
from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.paths import below
from reasonix_runtime.evidence.running.inner_lines import ALL_SHELLS, inner_line
from reasonix_runtime.evidence.shell.script import Dialect, Word
from reasonix_runtime.evidence.shell.windows import dialect_of


class Role(NamedTuple):
    """What a foreign call is: the contract's tool and its arguments, or just a read-only one."""

    tool: str | None
    args: Any = None
    read_only: bool | None = None
    folder: str | None = None
    """The folder that the call itself names to run in."""

    def placed(self, folder: str | None, session: str | None) -> Role:
        """Return what a call is that ran in `folder`, or in the one that it names, from there.

        Where that is not the folder of its session, a command goes there first, and the relative
        paths of a patch are told from there.
        """
        place = below(folder or "", *filter(None, (self.folder,)))
        if not place or place == session or not isinstance(self.args, dict):
            return self
        told = dict(self.args)
        if self.tool == "bash" and not told["command"].startswith("cd /"):
            told["command"] = f"cd {shlex.quote(place)}; {told['command']}"
        elif "paths" in told:
            told["paths"] = [below(place, path) for path in told["paths"]]
        return self._replace(args=told)


Make = Callable[[Mapping[str, Any]], Role | None]
"""Makes the role of a call from its arguments; None where these do not tell what it does."""
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.*\S)", re.MULTILINE)
_MENDED = re.compile(r"^\*\*\* (?:(?:Update|Delete) File|Move to): ", re.MULTILINE)
"""Lines of a patch that speak of files which are there."""
_BY_SHELL = re.compile(
    r"\s*(?:cd\s+(?P<folder>[^\s;&|]+)\s*&&\s*)?apply_?patch\s*<<\s*(['\"]?)(?P<end>\w+)\2\n"
    r"(?P<patch>.*)\n(?P=end)\s*",
    re.DOTALL,
)
"""A shell command that does nothing but apply a patch, perhaps in another folder."""
_PATCHERS = ("apply_patch", "applypatch")
_PATCHES = ("input", "patch", "patchText")
"""The arguments that hold a patch."""
_FOLDERS = ("workdir", "cwd", "directory", "dir_path", "working_directory", "cd", "Cwd")
"""The arguments by which tools of agents take the folder that a command runs in."""
_COMMANDS = ("command", "cmd", "CommandLine")
"""The arguments that hold the command itself."""
_IN_BACKGROUND = {
    "run_in_background": True, "is_background": True, "isBackground": True, "Blocking": False,
}  # fmt: skip
"""The arguments by which a command is only started, with what they are then."""

DELEGATED: Final = "task"
"""The tool of the contract that stands for every tool of another agent that starts a sub-agent."""


def shell(args: Mapping[str, Any]) -> Role | None:
    """Take the command out of the ways to write one; one shell around a script is taken off."""
    command = next((args[key] for key in _COMMANDS if key in args), None)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        command = script_of(command) or (shlex.join(command) if command[1:] else "".join(command))
    if not isinstance(command, str) or args.get("is_input") not in (None, False, "false"):
        return None  # what is typed into a program that runs may do anything
    told: dict[str, Any] = {"command": command}
    if any(args.get(key) is told for key, told in _IN_BACKGROUND.items()):
        told["run_in_background"] = True
    return Role("bash", told, folder=_named_folder(args))


def script_of(words: list[str]) -> str | None:
    """Return the text that a shell is started with; None where words do not start one.

    It stands for itself where it tells in whose words it is, else behind its shell.
    """
    program = program_name(words[0]).removesuffix(".exe") if words else ""
    if program not in ALL_SHELLS:
        return None
    script = inner_line(program, tuple(Word(word, word) for word in words[1:]))
    if script is None:
        return None
    if script.dialect in (Dialect.BASH, dialect_of(script.text)):
        return script.text
    option = "/c" if script.dialect is Dialect.CMD else "-Command"
    return f"{program} {option} {shlex.quote(script.text)}"


def _named_folder(args: Mapping[str, Any]) -> str | None:
    named = (args.get(key) for key in _FOLDERS)
    return next((one for one in named if isinstance(one, str) and one not in ("", ".")), None)


def with_path(tool: str, key: str, *, read_only: bool = False) -> Make:
    """Return a role whose path stands under another key in the foreign tool."""

    def make(args: Mapping[str, Any]) -> Role | None:
        """Give the path its name of the contract."""
        path = args.get(key)
        rest = {name: value for name, value in args.items() if name != key}
        told = {**rest, "path": path} if isinstance(path, str) else rest
        return Role(tool, told, read_only)

    return make


def same(tool: str) -> Make:
    """Return a role whose arguments are those of the contract's tool."""
    return lambda args: Role(tool, dict(args), None)


def _codex_shell(args: Mapping[str, Any]) -> Role | None:
    """Take a command of Codex, which makes patches itself that are given to its shell."""
    command = args.get("command")
    if isinstance(command, list) and len(command) == 2 and command[0] in _PATCHERS:
        return patch({"input": command[1]})._replace(folder=_named_folder(args))
    role = shell(args)
    found = _BY_SHELL.fullmatch(role.args["command"]) if role is not None else None
    if role is None or found is None:
        return role
    folders = [place for place in (role.folder, found["folder"]) if place]
    return patch({"input": found["patch"]})._replace(folder=below(*folders) if folders else None)


def in_a_row(commands: Any) -> Role | None:
    """Take several commands for one, as each is told to have ended well; they stand in a list."""
    if not isinstance(commands, list) or not all(isinstance(one, str) for one in commands):
        return None
    return Role("bash", {"command": " && ".join(commands)})


def _watch(args: Mapping[str, Any]) -> Role | None:
    """Take a command that is watched while it runs in the background."""
    return shell({**args, "run_in_background": True})


def bookkeeping(_args: Mapping[str, Any]) -> Role:
    """Take a call for one that changes no file and shows none as a whole."""
    return Role(None, None, read_only=True)


def _wait_for(args: Mapping[str, Any]) -> Role | None:
    """Take a call that gives a running command nothing for a look at it."""
    return None if args.get("chars") else bookkeeping(args)


def _leave_worktree(args: Mapping[str, Any]) -> Role | None:
    """Take leaving a folder for what it is; what removing it takes away is not told."""
    return None if args.get("action") == "remove" else bookkeeping(args)


def _own_goal(args: Mapping[str, Any]) -> Role:
    """Keep a goal of the other agent apart from goals of the contract: it has other rules."""
    return Role("agent_goal", dict(args), read_only=True)


def _another(_args: Mapping[str, Any]) -> Role:
    """Keep a tool of another agent apart from the tool of the contract that has its name."""
    return Role("agent_note", None, read_only=True)


def unless(*keys: str) -> Make:
    """Return a role of another agent's tool, unless a call has an argument of the contract's."""
    return lambda args: None if any(key in args for key in keys) else _another(args)


def unless_a_list(args: Mapping[str, Any]) -> Role | None:
    """Return the role of another agent's list, unless it is one as the contract has it."""
    return None if isinstance(args.get("todos", []), list) else _another(args)


def patch(args: Mapping[str, Any]) -> Role:
    """Take the paths out of a patch, or out of the changes that one made, with where they went.

    One that only adds files writes them; of several kinds of changes it is an edit of all files.
    """
    text, changes = next((args[key] for key in _PATCHES if key in args), None), args.get("changes")
    paths, adds = [], args.get("adds") is True
    if isinstance(text, str):
        paths = _PATCHED.findall(text)
        adds = bool(paths) and _MENDED.search(text) is None
    if isinstance(changes, dict):
        paths = [path for change in changes.items() for path in change if path]
    tool = "write_file" if adds else "edit_file"
    return Role(tool, {"paths": list(dict.fromkeys(paths))}, read_only=False)


def editor(args: Mapping[str, Any]) -> Role | None:
    """Tell by its command what an editor did that has one tool for all; no shell has that."""
    told = {name: value for name, value in args.items() if name != "command"}
    if args.get("command") == "view":
        return Role("read_file", told, read_only=True)
    tool = "write_file" if args.get("command") == "create" else "edit_file"
    return Role(tool, told, read_only=False)


SHELL_TOOLS: Final = frozenset({"Bash", "PowerShell"})
"""Claude Code's tools that run a command; on Windows it is given the second."""
CLAUDE: Mapping[str, Make] = {
    **dict.fromkeys(SHELL_TOOLS, shell),
    "Monitor": _watch,
    "Read": with_path("read_file", "file_path", read_only=True),
    "Edit": with_path("edit_file", "file_path"),
    "MultiEdit": with_path("multi_edit", "file_path"),
    "Write": with_path("write_file", "file_path"),
    "NotebookEdit": with_path("notebook_edit", "notebook_path"),
    "NotebookRead": with_path("read_file", "notebook_path", read_only=True),
    "Grep": with_path("grep", "path", read_only=True),
    "Glob": with_path("glob", "path", read_only=True),
    "LS": with_path("ls", "path", read_only=True),
    "WebFetch": same("web_fetch"),
    "ExitWorktree": _leave_worktree,
    "Task": same(DELEGATED),
    "Agent": same(DELEGATED),
    "Workflow": same(DELEGATED),
    **dict.fromkeys(("complete_step", "review_report", "todo_write", "update_goal"), _another),
    **dict.fromkeys(
        (
            "TodoWrite", "TodoRead", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet",
            "TaskOutput", "TaskStop", "BashOutput", "KillShell", "KillBash", "AgentOutputTool",
            "WebSearch", "ExitPlanMode", "EnterPlanMode", "AskUserQuestion", "ToolSearch", "Skill",
            "SlashCommand", "SendMessage", "SendUserMessage", "ListAgents", "ReportFindings",
            "ScheduleWakeup", "CronCreate", "CronDelete", "CronList", "StructuredOutput",
            "EnterWorktree", "LSP", "PushNotification", "Sleep", "TeamCreate", "TeamDelete",
            "ListMcpResourcesTool", "ReadMcpResourceTool", "mcp__ide__getDiagnostics", "Brief",
            "OfferChromeSetup", "ProposeGoal", "ReadCloudSession", "ReadMcpResourceDirTool",
            "ReadNotifications", "ReadWidgetContext", "RefreshMcpTools", "RemoteTrigger",
            "SendFeedback", "SendUserFile", "ShowOnboardingRolePicker", "WaitForMcpServers",
            "Projects",
        ),
        bookkeeping,
    ),
}  # fmt: skip
"""Claude Code's tools."""

CODEX: Mapping[str, Make] = {
    "exec_command": _codex_shell,
    "shell": _codex_shell,
    "shell_command": _codex_shell,
    "container.exec": _codex_shell,
    "local_shell": _codex_shell,
    "apply_patch": patch,
    "write_stdin": _wait_for,
    "read_file": with_path("read_file", "file_path", read_only=True),
    "grep_files": with_path("grep", "path", read_only=True),
    "list_dir": with_path("ls", "dir_path", read_only=True),
    **dict.fromkeys(
        (
            "update_plan", "view_image", "request_user_input", "list_mcp_resources",
            "list_mcp_resource_templates", "read_mcp_resource", "wait_agent", "list_agents",
            "sleep", "wait", "close_agent", "request_permissions", "tool_search", "tool_suggest",
            "get_context_remaining", "interrupt_agent", "list_available_plugins_to_install",
            "new_context", "request_user_input_async", "send_message_to_user_async",
            "wait_for_environment",
        ),
        bookkeeping,
    ),
    **dict.fromkeys(("create_goal", "get_goal", "update_goal"), _own_goal),
    **dict.fromkeys(("complete_step", "review_report", "todo_write"), _another),
}  # fmt: skip
"""Codex's tools."""

INSPECT: Mapping[str, Make] = {
    "bash": shell,
    "text_editor": editor,
    "read_file": with_path("read_file", "file_path", read_only=True),
    "grep": with_path("grep", "path", read_only=True),
    "list_files": with_path("ls", "path", read_only=True),
    **dict.fromkeys(
        (
            "agent_cancel", "agent_list", "agent_status", "agent_wait", "ask_user", "memory",
            "notify_user", "skill", "submit", "think", "update_plan", "web_browser_back",
            "web_browser_click", "web_browser_forward", "web_browser_go", "web_browser_refresh",
            "web_browser_scroll", "web_browser_type", "web_browser_type_submit", "web_search",
        ),
        bookkeeping,
    ),
    "todo_write": _another,
}  # fmt: skip
"""The standard tools of Inspect."""


_OF_THE_PROVIDER = frozenset(
    {"web_search", "file_search", "code_interpreter", "image_generation", "tool_search"}
)
_AT_THE_PROVIDER = Role(None, None, read_only=True)


def made_by_provider(block: Mapping[str, Any]) -> tuple[str, Role | None]:
    """Return the name and the role of a call in a block of the Messages interface.

    What runs at the provider changes nothing here; what it hands on to a server may.
    """
    name, server = text_at(block, "name"), name_at(block, "server_name")
    if server is not None:
        name = f"mcp__{server}__{name}"
    return name, _AT_THE_PROVIDER if text_at(block, "type") == "server_tool_use" else None


def made_by_interface(tool: str, item: Mapping[str, Any]) -> Role | None:
    """Return the role of a call of a tool that the Responses interface itself has.

    What runs at the provider changes nothing here.
    """
    action = item.get("action")
    if tool == "shell" and (role := in_a_row(at(action, "commands"))) is not None:
        return role
    if tool == "local_shell" and isinstance(action, dict):
        return _codex_shell(action)
    if tool == "apply_patch" and isinstance(item.get("operation"), dict):
        return Role("edit_file", {"path": item["operation"].get("path")}, read_only=False)
    return _AT_THE_PROVIDER if tool in _OF_THE_PROVIDER else None


def role_of(table: Mapping[str, Make], name: str, args: Any) -> Role | None:
    """Return the role of a foreign call, or None for a tool that has none."""
    make = table.get(name)
    return make(args) if make is not None and isinstance(args, dict) else None
