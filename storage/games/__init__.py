"""Games, their boards, and what is said about them."""
