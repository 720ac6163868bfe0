"""Published JSON Schemas of what `reasonix-runtime` writes, by name and version."""
