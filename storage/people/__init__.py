"""People, chats, and what they have chosen."""
