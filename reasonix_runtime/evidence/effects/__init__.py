"""Does a command only read, or what does it change: files, products, git, processes."""
