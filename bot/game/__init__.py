"""What may happen to a game: states, acts, the gate, deadlines. Pure: it loads neither Telegram nor a database."""
