"""The content of a message: text, or a list of parts of which some are text.

All programs keep it in one of these two ways, whatever else their messages hold.
"""

from __future__ import annotations

import re
from typing import Any

# How agents whose models have no calls of their own let them write one, at the start of a line.
_CALL = re.compile(
    r"^[ \t]*(?:<tool_call>|<function=[\w.-]+>|<invoke name=|\[TOOL_CALLS\]|<\|python_tag\|>"
    r"|<(?:execute_command|write_to_file|replace_in_file|apply_diff|insert_content"
    r"|search_and_replace|search_files|read_file|list_files|list_code_definition_names"
    r"|browser_action|use_mcp_tool|access_mcp_resource|new_task|attempt_completion)>\s*<\w+>"
    r"|Action: ?[\w.-]+\s*\n[ \t]*Action Input:)",
    re.MULTILINE,
)
# What such an agent tells its model of a call, in the place of a prompt.
_RESULT = re.compile(
    r"\s*(?:<returncode>|<tool_response>|<function_results>|EXECUTION RESULT of \["
    r"|\[\w+(?: for '[^'\n]*')?\] Result:|OBSERVATION:\s*\n|Observation: )"
)
_ADVICE = "convert such a conversation to neutral events"
_MOST_SEARCHED = 1 << 16
"""Characters of a text in which a call is looked for."""


def flat_text(content: Any) -> str:
    """Return the text of a content field: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = []
        for part in content:
            if isinstance(part, str):
                parts.append(part)
            elif isinstance(part, dict) and isinstance(part.get("text"), str):
                parts.append(part["text"])
        return "".join(parts)
    return ""


def unread_in(content: Any, *, may_be_empty: bool) -> str | None:
    """Return what of a message's blocks cannot be read: a call or a result may have stood there."""
    if isinstance(content, str):
        return None
    if not isinstance(content, list) or not (content or may_be_empty):
        return "a message without content that can be read"
    if all(isinstance(part, str) or _tells_type(part) for part in content):
        return None
    return "a part of a message is of no type that can be read"


def _tells_type(part: Any) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and kind != ""


class TextActs:
    """Finds calls, and results of calls, in the texts of one conversation; neither is read there.

    An agent writes its calls into texts where the interface gives it none. In a conversation with
    calls of the client such a text only quotes one, unless the next text of the user answers it.
    """

    def __init__(self) -> None:
        self._has_calls = False
        self._has_prompt = False
        self._wrote_call = False

    def called(self) -> None:
        """Take it that the conversation has a call that the client is asked for."""
        self._has_calls = True

    def lost_in(self, text: str, role: str) -> str | None:
        """Return what the next text of the conversation is, if that is not read.

        The first text of a user is a prompt, whatever it quotes.
        """
        if role == "assistant":
            self._wrote_call = _CALL.search(text[:_MOST_SEARCHED]) is not None
            if self._wrote_call and not self._has_calls:
                return f"a call that stands in the text of a response is not read; {_ADVICE}"
        elif role == "user":
            answers = self._has_prompt and (self._wrote_call or not self._has_calls)
            self._has_prompt, self._wrote_call = True, False
            if answers and _RESULT.match(text):
                return (
                    f"the result of a call that stands in the text of a user is not read; {_ADVICE}"
                )
        return None
