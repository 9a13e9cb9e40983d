"""Searches and proofs: what a position is worth."""
