"""The suite: its cases, how pytest sees them, and what a session comes to."""
