"""What several tools are built from: files and text, directory trees, processes, results."""
