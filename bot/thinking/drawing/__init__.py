"""Pictures of games and the names of who played them: what the processes that think draw with Pillow."""
