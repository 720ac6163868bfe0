"""The agent loop, model providers and sub-agents."""
