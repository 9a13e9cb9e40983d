"""Strategies, levels, and what plays each level by which rules."""
