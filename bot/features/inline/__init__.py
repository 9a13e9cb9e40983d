"""Games in any chat, through inline mode."""
