"""What a host keeps on disk: the goal of a session, held by one run at a time."""
