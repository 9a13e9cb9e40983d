"""What engineers run: `python -m engine play`, `audit` and `serve`."""
