"""Challenges: by link, and to the players of a shared game."""
