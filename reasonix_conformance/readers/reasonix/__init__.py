"""Reasonix: message files, event logs, the frame store, and the wire events of a running host."""
