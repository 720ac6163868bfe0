"""The agent loop, model providers and sub-agents. The floor is still empty."""
