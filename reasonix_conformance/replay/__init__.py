"""Events through the one state machine, and what comes out as records."""
