"""The SQL of the adaptive difficulty: a level for each person and family of rules, which follows their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final

from sqlalchemy import Connection, bindparam, select, tuple_, update

from engine import Level
from engine.rules.catalogue import family_of
from storage.games.game import Game, is_erased
from storage.results.result import Outcome, Result
from storage.schema import LEVELS
from storage.upsert import insert_missing

START: Final = Level.EASY
"""The first level."""
IN_A_ROW: Final = 2
"""How many wins in a row at a level lead one level up, and losses one down."""

_OF: Final = select(LEVELS.c.level).where(
    LEVELS.c.person == bindparam("person"), LEVELS.c.family == bindparam("family")
)
_SAVE: Final = (
    update(LEVELS)
    .where(LEVELS.c.person == bindparam("who"), LEVELS.c.family == bindparam("of"))
    .values(level=bindparam("new_level"), streak=bindparam("new_streak"))
)


def level_of(connection: Connection, person: int, rules: str) -> Level:
    """The level for a person's next game by these rules."""
    return Level(connection.execute(_OF, {"person": person, "family": family_of(rules)}).scalar() or START)


def moved(level: Level, streak: int, outcome: Outcome) -> tuple[Level, int]:
    """The level after a game at it, and the wins in a row there (below 0: losses); a draw ends either."""
    streak = {Outcome.WIN: max(streak, 0) + 1, Outcome.DRAW: 0, Outcome.LOSS: min(streak, 0) - 1}[outcome]
    if abs(streak) < IN_A_ROW:
        return level, streak
    levels = list(Level)
    return levels[min(max(levels.index(level) + streak // IN_A_ROW, 0), len(levels) - 1)], 0


def adapt(connection: Connection, ended: Mapping[int, Game], results: Sequence[Result]) -> Mapping[int, Game]:
    """Change levels by the results of games that have just ended; the games, with the next level in each.

    Only a game at the person's present level counts, and not one that began before the last change of level.
    """
    own = [each for each in results if ended[each.game_id].next_level and not is_erased(each.person)]
    keys = sorted({(result.person, family_of(result.rules)) for result in own})
    if not keys:
        return ended
    new = [{"person": person, "family": family, "level": START, "streak": 0} for person, family in keys]
    insert_missing(connection, LEVELS, new)
    held = select(LEVELS.c.person, LEVELS.c.family, LEVELS.c.level, LEVELS.c.streak).where(
        tuple_(LEVELS.c.person, LEVELS.c.family).in_(keys)
    )
    rows = connection.execute(held.order_by(LEVELS.c.person, LEVELS.c.family).with_for_update())
    now = {(row.person, row.family): (Level(row.level), row.streak) for row in rows}
    told = dict(ended)
    for result in own:
        key = result.person, family_of(result.rules)
        level, streak = now[key]
        if result.level == level:
            now[key] = moved(level, streak, result.outcome)
        told[result.game_id] = told[result.game_id]._replace(next_level=now[key][0])
    connection.execute(
        _SAVE,
        [
            {"who": person, "of": family, "new_level": level, "new_streak": streak}
            for (person, family), (level, streak) in sorted(now.items(), key=itemgetter(0))
        ],
    )
    return told
