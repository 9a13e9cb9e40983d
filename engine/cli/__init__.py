"""What engineers run: `python -m engine play`, `audit`, `serve` and `gomocup`."""
