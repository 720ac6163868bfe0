"""The capability proxy, tool servers and result pages."""
