"""Compares what is counted for each person with how their games ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import Engine, literal, select, union_all

from storage.games.game import Game
from storage.results.result import EVERYWHERE, Outcome, results_of
from storage.schema import RESULTS, TALLIES
from tests.figures import Figures


def compare_results(engine: Engine, games: Iterable[Game], figures: Figures) -> None:
    """Note how many results these games have, and how many of them are stored or counted too seldom or too often.

    Wins, draws and losses are added up in the tallies a while after the game has ended; until then, its rows wait.
    """
    ended = Counter((result.person, result.outcome) for game in games for result in results_of(game, 0))
    columns = zip((TALLIES.c.wins, TALLIES.c.draws, TALLIES.c.losses), Outcome, strict=True)
    tallied = [
        select(TALLIES.c.person, literal(outcome.value), column).where(TALLIES.c.chat_id == EVERYWHERE)
        for column, outcome in columns
    ]
    waiting = select(RESULTS.c.person, RESULTS.c.outcome, literal(1)).where(RESULTS.c.counted.is_(None))
    counted: Counter[tuple[int, Outcome]] = Counter()
    with engine.connect() as connection:
        # In one statement, as a bot may be counting.
        for person, outcome, number in connection.execute(union_all(*tallied, waiting)):
            counted[person, Outcome(outcome)] += number
    figures.results += ended.total()
    figures.results_lost += (ended - counted).total()
    figures.results_doubled += (counted - ended).total()
