"""Does a command check, what does it check, and how strong is it: `verification.py` begins."""
