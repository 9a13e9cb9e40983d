"""What is fast, and how we know: a load generator, handlers to compare with, and the runs."""
