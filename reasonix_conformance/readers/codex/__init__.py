"""Codex: its rollout files (`rollouts.py`) and the output of its runs (`run_output.py`)."""
