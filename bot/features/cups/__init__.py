"""Cups: tournaments of a group."""
