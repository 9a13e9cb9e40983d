"""The computer's moves: those that take a search, and those of exhibitions."""
