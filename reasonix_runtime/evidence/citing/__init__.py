"""Is a command that ran the one that is cited: as text, or by the grammar of its program."""
