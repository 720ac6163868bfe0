"""What every reader builds events with: their order, turns, scopes, calls with their results."""
