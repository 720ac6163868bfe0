"""Foreign traces to neutral events, one module a format, those of one host in a folder."""
