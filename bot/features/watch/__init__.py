"""/watch: exhibitions, in which the computer plays itself."""
