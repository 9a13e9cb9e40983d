"""People and chats: names, choices, waits for an opponent, and the daily puzzle."""
