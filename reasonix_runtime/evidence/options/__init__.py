"""What the words of a command mean to its program: options, their values, and variables."""
