"""What is in a file: found, opened, unpacked, put on lines, decoded."""
