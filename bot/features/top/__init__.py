"""/top: the leaderboard."""
