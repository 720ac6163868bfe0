"""Contract checks: one small generator a requirement, named by its id."""
