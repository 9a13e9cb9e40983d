"""Thinking that takes a search, in processes of its own, so that nobody else's tap waits for it."""
