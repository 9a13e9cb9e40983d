"""The SQL of wins in rated games of this week and of the last one."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from typing import Final

from sqlalchemy import Connection, delete, select

from engine.rules.catalogue import family_of
from storage.games.game import is_erased
from storage.results.result import ALL_FAMILIES, DAY, Outcome, Result
from storage.schema import WEEKS
from storage.upsert import upsert

KEPT: Final = 2
"""How many weeks are kept."""


def week_of(seconds: int) -> int:
    """The week of a time, from Monday to Sunday (UTC), counted from 1970."""
    return (seconds // DAY + 3) // 7


def monday_of(week: int) -> int:
    """The day, counted from 1970, on which a week begins."""
    return 7 * week - 3


def count(connection: Connection, games: Iterable[Result]) -> None:
    """Count the wins of rated games, given by one result of each."""
    oldest = week_of(int(time.time())) - KEPT + 1
    wins: Counter[tuple[int, int, str, int]] = Counter()
    for game in games:
        week = week_of(game.ended_at)
        winner = game.person if game.outcome is Outcome.WIN else game.opponent
        if week >= oldest and game.outcome is not Outcome.DRAW and not is_erased(winner):
            for place in game.places:
                for family in (ALL_FAMILIES, family_of(game.rules)):
                    wins[week, place, family, winner] += 1
    names = ("week", "chat_id", "family", "person")
    rows = [{**dict(zip(names, key, strict=True)), "wins": n} for key, n in sorted(wins.items())]
    upsert(connection, WEEKS, rows, add=["wins"])
    if wins:
        connection.execute(delete(WEEKS).where(WEEKS.c.week < oldest))


def migrate(connection: Connection, *, old: int, new: int) -> None:
    """Add what was counted in a group to what may already be counted under its new id."""
    now = week_of(int(time.time()))
    here = WEEKS.c.week.in_(range(now - KEPT + 1, now + 1)) & (WEEKS.c.chat_id == old)
    rows = connection.execute(select(WEEKS).where(here)).mappings().all()
    upsert(connection, WEEKS, [{**row, "chat_id": new} for row in rows], add=["wins"])
    connection.execute(delete(WEEKS).where(here))
