"""The games: their rules and positions, and the catalogue of them."""
