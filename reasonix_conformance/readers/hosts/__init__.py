"""What hosts mean by their words, marks and tools: ends of calls, roles of tools, rule sets."""
