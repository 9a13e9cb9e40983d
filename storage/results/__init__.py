"""Results, and the statistics, ratings and lists made of them."""
