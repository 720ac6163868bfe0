"""What the tools are built from: files and text, searching, processes, the web, results."""
