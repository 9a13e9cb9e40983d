"""/stats: a player's results."""
