"""What those who work on OXO run; no part of the package."""
