"""Processes that search and draw, so that nobody has to wait for them."""
