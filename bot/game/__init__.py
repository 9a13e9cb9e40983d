"""What may happen to a game: states, actions, the gate, deadlines. Pure: no Telegram, no database."""
