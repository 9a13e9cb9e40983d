"""Bots that do nothing but answer and edit: what OXO is compared with."""
