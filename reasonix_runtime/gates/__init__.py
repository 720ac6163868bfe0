"""Decisions: pure functions of what is known, each with a rule id and a reason code."""
