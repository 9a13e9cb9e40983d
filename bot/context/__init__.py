"""What every handler can reach, and how it acts on a game."""
