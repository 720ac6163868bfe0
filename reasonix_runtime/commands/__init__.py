"""The commands of `reasonix-runtime` that are more than a few lines."""
