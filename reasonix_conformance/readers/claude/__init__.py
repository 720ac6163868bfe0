"""Claude Code: its session files (`sessions.py`) and the output of its runs (`stream.py`)."""
