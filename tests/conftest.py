"""Plugins that the tests of every floor may use, and how generated examples are chosen."""

from hypothesis import settings

pytest_plugins = ["pytester"]

# The same examples on every machine and in every run; `--hypothesis-profile=default` explores.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
