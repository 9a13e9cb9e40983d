"""A folder for each thing that people use."""
