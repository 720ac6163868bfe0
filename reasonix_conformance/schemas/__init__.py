"""Published JSON Schemas of the kit's reports, by name and version."""
