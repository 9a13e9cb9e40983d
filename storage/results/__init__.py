"""Results, and the statistics, ratings and leaderboards made from them."""
