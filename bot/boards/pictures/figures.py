"""What pictures show besides boards, as values that the bot gathers and a worker process draws."""

from collections.abc import Sequence
from typing import Final, NamedTuple

FEWEST_DAYS: Final = 5
"""With fewer days a rating has no course."""


class Labels(NamedTuple):
    """What is written below a picture."""

    date: str
    signature: str
    """The bot's username."""


class Chart(NamedTuple):
    """Somebody's results."""

    labels: Labels
    rating: str
    form: str
    """How their last games ended, oldest first: a letter of `win`, `draw` and `loss` for each."""
    weeks: Sequence[tuple[int, int, int]]
    """Games won, drawn and lost, week by week, oldest first."""
    of_weeks: tuple[str, str]
    """The dates on which the first and the last of them begin."""
    curve: Sequence[tuple[int, float]]
    """Days, counted from 1970, and the ratings after them."""
    of_curve: tuple[str, str]
    """The dates of its first and its last day."""
