"""Kinds of tools, by name: what a receipt is follows from the tool of its call (EL-06, EL-07)."""

from __future__ import annotations

from reasonix_runtime.contract.surface import PATH_WRITERS
from reasonix_runtime.evidence.jobs import JOB_KILLERS
from reasonix_runtime.evidence.word_lists import words

WRITERS = frozenset(PATH_WRITERS)
"""Tools whose receipts are writes (EL-06)."""

READERS = frozenset({"grep", "ls", "read_file"})
"""Tools whose receipts are reads whatever the registry says (EL-06)."""

NAMES_ONLY = frozenset({"glob", "ls"})
"""Read-only tools that tell which files there are, not what is in them."""

_SHOW_FILES = words(
    "code_index glob grep ls lsp_definition lsp_diagnostics lsp_hover lsp_references read_file"
    " view_image"
)
"""Read-only tools that are about the files which their arguments name."""

META_TOOLS = words(
    "connect_tool_source explore parallel_tasks read_only_skill read_only_task read_skill"
    " research review review_report run_skill security_review task use_capability"
)
"""Tools that delegate or look up; what counts is what happens inside them (EL-07 row 2)."""

BOOKKEEPING = words(
    "ask bash_output complete_step complete_subtask create_goal get_goal job_output todo_write"
    " update_goal wait"
)
"""Tools that touch only what the host itself holds (EL-07 row 3)."""

SIGN_OFFS = frozenset({"complete_step", "todo_write"})
"""Tools that move the task list; neither reads nor changes (EL-06)."""

READ_ONLY_TOOLS = words(
    "ask bash_output code_index complete_step complete_subtask compress connect_tool_source"
    " docs get_goal glob grep history job_output list_sessions ls lsp_definition lsp_diagnostics"
    " lsp_hover lsp_references memory parallel_tasks present read_file read_only_skill"
    " read_only_task read_session read_skill read_subagent_result review_report slash_command"
    " todo_write update_goal use_capability view_image wait web_fetch"
)
"""Tools that the registry of the contract declares read-only, or that of newer hosts.

The rest is not, tools of servers included.
"""

UNNAMED = "a call without a name"
"""What stands in a message for the tool of a call that names none; it may have been any."""

NAMELESS = READ_ONLY_TOOLS.union(META_TOOLS, BOOKKEEPING, {"bash"}) - _SHOW_FILES
"""Known tools that take no file by name, whatever else stands among their arguments.

Of a key that a tool does not have the host knows nothing, so what a model puts there names no file.
"""

HOST_STATE_TOOLS = frozenset({"forget", *JOB_KILLERS, "remember", "set_session_title"})
"""Tools that change what the host holds, never the workspace (EL-20)."""
