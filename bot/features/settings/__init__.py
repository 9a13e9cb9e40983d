"""/settings, and the commands that open a part of it."""
