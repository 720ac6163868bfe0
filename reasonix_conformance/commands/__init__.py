"""The commands of `reasonix-conformance`, one module each."""
