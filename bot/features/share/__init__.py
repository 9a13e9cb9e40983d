"""Sharing finished games as pictures."""
