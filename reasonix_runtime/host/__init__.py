"""The one state machine that live runs and replays go through."""
