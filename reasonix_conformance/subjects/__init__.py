"""What is under test: a Python registry, a tools dump, a running host."""
