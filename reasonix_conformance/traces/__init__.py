"""Traces: files found and told apart, their sessions read and replayed."""
