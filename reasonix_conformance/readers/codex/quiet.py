"""What of a Codex rollout holds nothing that was said or done here, or says it once more."""

from __future__ import annotations

QUIET_RECORDS = frozenset(
    {
        "world_state", "state", "token_usage_record", "inter_agent_communication_metadata",
    }
)  # fmt: skip
QUIET_ITEMS = frozenset(
    {
        "reasoning", "web_search_call", "additional_tools", "tool_search_call",
        "tool_search_output", "image_generation_call", "compaction", "compaction_summary",
        "context_compaction", "ghost_snapshot",
    }
)  # fmt: skip
QUIET_EVENTS = frozenset(
    {
        "token_count", "agent_message", "agent_reasoning", "exec_command_begin",
        "agent_reasoning_raw_content", "agent_reasoning_section_break", "image_generation_end",
        "thread_name_updated", "view_image_tool_call", "warning", "web_search_end",
        "patch_apply_begin", "mcp_tool_call_begin", "agent_message_delta", "item_started",
        "exec_command_output_delta", "turn_diff", "thread_settings_applied", "context_compacted",
        "exited_review_mode", "AgentMessage", "Reasoning", "ContextCompaction", "ImageView",
        "WebSearch", "CollabAgentToolCall", "SubAgentActivity", "ExitedReviewMode", "Plan",
    }
)  # fmt: skip
