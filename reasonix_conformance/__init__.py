"""The conformance kit: contract checks, trace replay and the pytest plugin."""
