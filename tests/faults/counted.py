"""Compares the results that are stored for each person with how their games ended."""

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import Engine, select

from storage.games.game import Game
from storage.results.result import Ending, results_of
from storage.schema import RESULTS
from tests.figures import Figures


def compare_results(engine: Engine, games: Iterable[Game], figures: Figures) -> None:
    """Note how many results these games have, and how many of them are stored too seldom or too often."""
    ended = Counter((result.person, result.outcome) for game in games for result in results_of(game, 0))
    with engine.connect() as connection:
        rows = connection.execute(select(RESULTS.c.person, RESULTS.c.outcome))
        stored = Counter((person, Ending(outcome)) for person, outcome in rows)
    figures.results += ended.total()
    figures.results_lost += (ended - stored).total()
    figures.results_doubled += (stored - ended).total()
