"""/start, /help, and what the bot says when it joins a group."""
