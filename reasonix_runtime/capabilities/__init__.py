"""The capability proxy and tool servers. The floor is still empty."""
