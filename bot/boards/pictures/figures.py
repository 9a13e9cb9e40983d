"""What pictures show besides boards, as values that the bot gathers and a worker process draws."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

FEWEST_DAYS: Final = 5
"""With fewer days a rating has no course."""

Written: TypeAlias = Sequence[str]
"""A text and others in its place: the first that the font has letters for is written, or none."""


class Labels(NamedTuple):
    """What is written around a game, or around the results of two people."""

    x: Written
    """The name of X's player; likewise below."""
    o: Written
    date: str
    signature: str
    """The bot's username."""


class Chart(NamedTuple):
    """Somebody's results."""

    labels: Labels
    """Their name as that of X's player, and nobody as O's."""
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


class Rivals(NamedTuple):
    """The results of two people against each other."""

    labels: Labels
    theme: str
    score: tuple[int, int]
    """Games won by X's player of the game that they come from, and by O's."""
    boards: Sequence[tuple[Written, str]]
    """The score on each kind of board, if they have played on several."""
    form: str
    """Who won their last games, oldest first: `X` or `O`, or `-` for a draw."""
