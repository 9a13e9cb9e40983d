"""From an update to one use case and back: commands, taps, new games, links, inline mode."""
