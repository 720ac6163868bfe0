"""Which format a file has, and what to say of one that no reader takes."""
