"""What a command line says, as the shell reads it: `script.py`, and how each dialect is read.

Whose exit status the whole of it ends with is a question about the text alone as well, so
`exit_status.py` stands here.
"""
