"""What a command shows of files to whoever called it."""
