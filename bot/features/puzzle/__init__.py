"""/puzzle: the puzzle of the day."""
