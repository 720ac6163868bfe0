"""Ratios measured in one run; not part of the tests."""
