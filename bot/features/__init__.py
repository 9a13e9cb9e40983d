"""A module for each thing that people use, in the order: words, view, what is stored, handlers."""
