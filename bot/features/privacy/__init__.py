"""What is kept about people: their copy of it, and its deletion."""
