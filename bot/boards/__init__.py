"""From a game to a message: text, keyboard and picture. Pure, like `bot.game`."""
