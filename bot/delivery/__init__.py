"""How what the bot shows reaches Telegram, at the speed that Telegram allows."""
