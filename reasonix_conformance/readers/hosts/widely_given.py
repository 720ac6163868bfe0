"""Tools that agents are widely given, for logs that do not tell whose agent it is.

A tool without a role may have changed anything. So these are named: the tools of agents that many
people use. Where a tool of the contract has such a name, the arguments tell whose it is: the agents
call the path of a file by other names (:data:`_PATHS`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from reasonix_conformance.readers.files.json_values import list_at
from reasonix_conformance.readers.hosts.roles import (
    CLAUDE,
    CODEX,
    DELEGATED,
    Make,
    Role,
    bookkeeping,
    editor,
    in_a_row,
    patch,
    same,
    shell,
    unless,
    unless_a_list,
)
from reasonix_runtime.evidence.word_lists import words as word_set

_PATHS: Final = (
    "file_path", "filePath", "target_file", "absolute_path", "AbsolutePath", "TargetFile",
    "target_notebook", "notebook_path", "dirPath", "target_directory", "relative_workspace_path",
    "DirectoryPath", "dir_path",
)  # fmt: skip
"""The arguments by which tools of agents name a file or folder, but for `path`."""


def _at(tool: str, *, read_only: bool = False) -> Make:
    """Return a role whose path may stand under any of the names of one; none without a path."""

    def make(args: Mapping[str, Any]) -> Role | None:
        """Give the path its name of the contract."""
        path = next(
            (args[key] for key in ("path", *_PATHS) if isinstance(args.get(key), str)), None
        )
        if path is None:
            return None
        rest = {name: value for name, value in args.items() if name not in _PATHS}
        return Role(tool, {**rest, "path": path}, read_only)

    return make


def _by_another_key(tool: str, *, read_only: bool = False) -> Make:
    """Return the role of a tool of the contract's name, if its path has a name of other agents."""
    make = _at(tool, read_only=read_only)
    return lambda args: None if "path" in args else make(args)


def _of_several(tool: str, key: str, inner: str, *, read_only: bool = False) -> Make:
    """Return a role of a call on several files: a list of paths, or of objects that name one."""

    def make(args: Mapping[str, Any]) -> Role | None:
        """Take the paths out of the list."""
        given = list_at(args, key)
        named = [one.get(inner) if isinstance(one, dict) else one for one in given]
        if not named or not all(isinstance(path, str) for path in named):
            return None
        return Role(tool, {"paths": named}, read_only)

    return make


def _first_of(*makes: Make) -> Make:
    """Return the first role that one of several gives."""
    return lambda args: next((role for make in makes if (role := make(args)) is not None), None)


def _listing(args: Mapping[str, Any]) -> Role | None:
    """Take a call for a list of files, if it tells no more than where."""
    return bookkeeping(args) if args.keys() <= {"path", "ignore"} else None


_OF_THE_CONTRACT: Final = frozenset({"create_goal", "get_goal", "read_file", "wait"})
"""Names of tools of Codex that tools of the contract have, too."""
_LOOKING_ABOUT: Final = word_set(
    # What looks for files and lines, and shows no file as a whole.
    "ask_oracle codebase_investigator codebase_search codesearch file_search find_by_name"
    " find_path finder github_repo glob_file_search grep_search list_code_definition_names"
    " list_code_usages list_directory list_files search_codebase search_file_content search_files"
    " semantic_search test_search view_code_item view_file_outline"
    # What an editor and a terminal know.
    " command_status diagnostics get_changed_files get_diagnostics get_errors"
    " get_search_view_results get_task_output get_terminal_output list_background_processes"
    " list_bash list_powershell lsp read_agent read_background_output read_bash read_lints"
    " read_powershell stop_bash stop_powershell terminal_last_command terminal_selection"
    " test_failure"
    # What is told about the agent itself and its surroundings.
    " activate_skill fetch_copilot_cli_documentation fetch_instructions fetch_rules"
    " get_internal_docs get_project_setup_info get_vscode_api invoke_skill now skill skills"
    " view_image"
    # The web.
    " browser_click browser_get_content"
    " browser_get_state browser_go_back browser_list_tabs browser_navigate browser_scroll"
    " browser_switch_tab fetch fetch_web_content fetch_webpage google_web_search read_url_content"
    " search_web web_search webfetch websearch"
)
_TALKING: Final = word_set(
    # Lists of tasks, modes, and what is said to the person or to oneself.
    "ask_followup_question ask_user ask_user_question attempt_completion complete_task"
    " report_intent task_complete update_todo cron_create cron_delete cron_list enter_plan_mode"
    " exit_plan_mode finish manage_todo_list plan_enter plan_exit plan_mode_respond question"
    " send_message structured_output submit submit_and_exit switch_mode task_stop task_tracker"
    " think thinking todoread todos todowrite tracker_add_dependency tracker_create_task"
    " tracker_get_task tracker_list_tasks tracker_update_task tracker_visualize update_todo_list"
    " update_topic write_todos"
)

ANYONES: Final[Mapping[str, Make]] = {
    **{name: make for name, make in {**CODEX, **CLAUDE}.items() if name not in _OF_THE_CONTRACT},
    **dict.fromkeys(
        (
            "developer__shell", "execute_bash", "execute_command", "powershell",
            "run_command", "run_in_terminal",
            "run_shell_command", "run_terminal_cmd", "terminal",
        ),
        shell,
    ),
    **dict.fromkeys(
        (
            "developer__text_editor", "file_editor", "planning_file_editor",
            "str_replace_based_edit_tool", "str_replace_editor", "text_editor",
        ),
        editor,
    ),
    **dict.fromkeys(("read", "view", "view_file"), _at("read_file", read_only=True)),
    **dict.fromkeys(
        (
            "apply_diff", "edit", "edit_notebook", "editor", "edit_notebook_file", "insert_content",
            "insert_edit_into_file", "replace", "replace_file_content", "replace_in_file",
            "replace_string_in_file", "search_and_replace", "search_replace",
            "delete_file", "delete_path",
        ),
        _at("edit_file"),
    ),
    **dict.fromkeys(("create", "create_file", "write", "write_to_file"), _at("write_file")),
    "monitor": CLAUDE["Monitor"],
    "multiedit": _at("multi_edit"),
    "multi_replace_string_in_file": _of_several("multi_edit", "replacements", "filePath"),
    "read_files": _of_several("read_file", "files", "path", read_only=True),
    "read_many_files": _first_of(
        _of_several("read_file", "paths", "path", read_only=True),
        _of_several("read_file", "include", "path", read_only=True),
    ),
    "run_commands": lambda args: in_a_row(args.get("commands") or None),
    "patch": patch,
    "move_path": same("move_file"),
    **dict.fromkeys(("save_memory", "store_memory"), same("remember")),
    "list": _listing,
    "list_dir": _at("ls", read_only=True),
    "read_file": _by_another_key("read_file", read_only=True),
    "write_file": _by_another_key("write_file"),
    "edit_file": _by_another_key("edit_file"),
    **dict.fromkeys(
        ("agent", "delegate_to_agent", "invoke_agent", "new_task", "runSubagent"), same(DELEGATED)
    ),
    **dict.fromkeys(_LOOKING_ABOUT | _TALKING, bookkeeping),
    "complete_step": unless("evidence", "step", "step_index"),
    "review_report": unless("reviewed_paths"),
    "todo_write": unless_a_list,
    "update_goal": unless("action", "status"),
}  # fmt: skip
"""The tools by their names."""
