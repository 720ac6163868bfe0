"""Foreign traces to neutral events, one module a format."""
