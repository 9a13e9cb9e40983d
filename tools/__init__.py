"""Tools for people who work on OXO; not part of the package."""
