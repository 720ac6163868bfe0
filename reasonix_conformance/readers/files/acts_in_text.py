"""Calls, and results of calls, that stand in the texts of a conversation: named, and not read.

Agents whose models have no calls of their own let them write one in words, each in its own way.
"""

from __future__ import annotations

import re

# A call in words, at the start of a line.
_CALL = re.compile(
    r"^[ \t]*(?:<tool_call>|<function=[\w.-]+>|<invoke name=|\[TOOL_CALLS\]|<\|python_tag\|>"
    r"|<(?:execute_command|write_to_file|replace_in_file|apply_diff|insert_content"
    r"|search_and_replace|search_files|read_file|list_files|list_code_definition_names"
    r"|browser_action|use_mcp_tool|access_mcp_resource|new_task|attempt_completion)>\s*<\w+>"
    r"|Action: ?[\w.-]+\s*\n[ \t]*Action Input:|```mswea_bash_command\b)",
    re.MULTILINE,
)
# A block of code: a call only where the next text of the user is a result.
_BLOCK = re.compile(r"^[ \t]*```[ \t]*$", re.MULTILINE)
# What such an agent tells its model of a call, in the place of a prompt.
_RESULT = re.compile(
    r"\s*(?:<returncode>|<tool_response>|<function_results>|EXECUTION RESULT of \["
    r"|\[\w+(?: for '[^'\n]*')?\] Result:|OBSERVATION:\s*\n|Observation: )"
)
_ADVICE = "convert such a conversation to neutral events"
_LOST_RESULT = f"the result of a call that stands in the text of a user is not read; {_ADVICE}"
_MOST_SEARCHED = 1 << 16
"""Characters of a text in which a call is looked for."""


class TextActs:
    """Finds calls, and results of calls, in the texts of one conversation.

    In a conversation with calls of the client such a text only quotes one, unless the next text of
    the user answers it.
    """

    def __init__(self) -> None:
        self._has_calls = False
        self._has_prompt = False
        self._wrote_call = self._wrote_block = False
        self._doubtful = self._doubted = False
        """Whether the latest text of the user is a result, if no call follows; and was answered."""

    def called(self) -> None:
        """Take it that the conversation has a call that the client is asked for."""
        self._has_calls = True

    def lost_in(self, text: str, role: str) -> str | None:
        """Return what the next text of the conversation is, if that is not read.

        The first text of a user is a prompt, whatever it quotes; what the role `tool` has is none.
        """
        if role == "assistant":
            self._doubted = self._doubtful
            self._wrote_call = _CALL.search(text[:_MOST_SEARCHED]) is not None
            self._wrote_block = _BLOCK.search(text[-_MOST_SEARCHED:]) is not None
            if self._wrote_call and not self._has_calls:
                return f"a call that stands in the text of a response is not read; {_ADVICE}"
        elif role in ("user", "tool"):
            is_result = self._has_prompt and _RESULT.match(text) is not None
            in_doubt = is_result and not self._wrote_call and not self._has_calls
            surely = self._wrote_block or role == "tool"
            answers = is_result and (self._wrote_call or (in_doubt and surely))
            self._doubtful = in_doubt and not answers
            self._has_prompt, self._wrote_call, self._wrote_block = True, False, False
            return _LOST_RESULT if answers else None
        return None

    def lost_in_turn(self) -> str | None:
        """Return what a text of the turn that ends was, if that was not clear before.

        What looks like a result, and answers nothing that is known to be a call, is a prompt where
        the model goes on with calls of the interface.
        """
        lost, self._doubted = self._doubted and not self._has_calls, False
        return _LOST_RESULT if lost else None
