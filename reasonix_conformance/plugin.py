"""Pytest hooks of the conformance kit."""
