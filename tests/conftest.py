"""Plugins that the tests of every floor may use."""

pytest_plugins = ["pytester"]
