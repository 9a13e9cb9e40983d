"""What `python -m engine` runs: `play`, `show` and `audit`."""
