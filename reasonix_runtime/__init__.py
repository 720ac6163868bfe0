"""The reference host: tools, evidence and gates of the Reasonix tool contract."""
