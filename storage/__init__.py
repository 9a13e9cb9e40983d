"""Games, chats and people in a database: SQLite by default, PostgreSQL by changing one setting."""
