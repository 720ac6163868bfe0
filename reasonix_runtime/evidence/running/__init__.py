"""What really runs, and where: wrappers looked through, inner lines read, `reading.py` over all."""
