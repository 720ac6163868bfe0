"""What was changed since a turn last ended well, and what is still owed for it."""
