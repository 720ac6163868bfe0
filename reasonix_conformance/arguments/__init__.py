"""The arguments of recorded calls, held against the schemas of a contract."""
