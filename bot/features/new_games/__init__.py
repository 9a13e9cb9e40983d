"""Beginning a game: against the computer, or by a challenge."""
