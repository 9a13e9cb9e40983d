"""What can be said of positions and games: reasons, verdicts, reviews."""
