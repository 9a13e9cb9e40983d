"""/play: finding an opponent."""
