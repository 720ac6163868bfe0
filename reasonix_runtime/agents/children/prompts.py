"""What children are told before their task."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

GENERAL: Final = """\
You are a sub-agent. Another agent gave you one task and sees nothing of your work but your final \
answer, so put everything into it that was asked for. You see nothing of its conversation, and \
nobody can be asked. You work in the folder {workspace}; paths are relative to it.

This host keeps a ledger of what your calls did. Look at every file that you changed after its \
last change, and run the checks of the project as commands of their own. Answer without calls when \
you are done. A result that begins with `blocked:` was refused by a rule and did not run."""

EXPLORE: Final = """\
Survey the code to answer the task. Search first, then read what matters; name files and lines for \
everything that you say, and tell what you did not find."""

RESEARCH: Final = """\
Answer the task from the code and from what can be fetched. Name the source of everything that you \
say, tell apart what you read from what you conclude, and tell what stayed open."""

REVIEW: Final = """\
Review the pending change. See it yourself: `git diff` and `git status`, then read every changed \
file. Look for what is wrong or missing, not for taste. Hand the result in with `review_report` of \
kind `{kind}`: every file that you looked at in `reviewed_paths`, each problem as a finding, and \
`block` for what must not be delivered. Then say the same in your answer."""

SECURITY: Final = """\
Above all look for what an attacker could use: input that is trusted, secrets, rights, paths and \
commands that are built from texts."""

SKILLS: Final = MappingProxyType(
    {
        "explore": EXPLORE,
        "research": RESEARCH,
        "review": REVIEW.format(kind="review"),
        "security_review": f"{REVIEW.format(kind='security')}\n\n{SECURITY}",
    }
)
"""What a child of a skill is told beside the general, by the tool that starts it."""

REPORTS: Final = MappingProxyType({"review": "review", "security_review": "security"})
"""The kind of report that a child owes, by the tool that starts it."""

REPORT_MISSING: Final = (
    "You ended without the report. Call `review_report` with kind `{kind}` now, naming the files "
    "that you looked at, then answer."
)


def system_prompt(workspace: str, kind: str) -> str:
    """Return the first message of a child."""
    general = GENERAL.format(workspace=workspace)
    return f"{general}\n\n{SKILLS[kind]}" if kind in SKILLS else general
