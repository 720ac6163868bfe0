"""What happened: the event vocabulary and transcript files."""
