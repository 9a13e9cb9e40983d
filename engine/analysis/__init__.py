"""Analysis of positions and games: reasons, verdicts, reviews, puzzles."""
