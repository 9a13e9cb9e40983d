"""Games, their boards, and the other messages about them."""
