"""What a finished game was to each person in it: the values that statistics and ratings are made of.

A game counts if it was played to an end (a line, a full board, resignation or time) after both sides have
moved. It counts for nothing if a move was taken back in it, if it came to no end (withdrawn, declined,
expired), or if the computer played itself in it, even where somebody took a seat later.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from engine import Mark
from storage.game import COMPUTER, Termination

if TYPE_CHECKING:
    from storage.game import Game

PLAYED: Final = frozenset({Termination.LINE, Termination.FULL_BOARD, Termination.RESIGNATION, Termination.TIMEOUT})
"""The terminations of games that count."""

LEAST_PLIES: Final = 2
"""A game in which not both sides have moved was never begun."""


class Outcome(StrEnum):
    """How a game ended for a person."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Result(NamedTuple):
    """How a game ended for one person in it; in the order of the table's columns."""

    game_id: int
    person: int
    opponent: int
    """The other person, or `COMPUTER`."""
    level: str | None
    """The computer's level; None where a person was the opponent."""
    rules: str
    chat_id: int | None
    mark: Mark
    """What the person played."""
    outcome: Outcome
    termination: Termination
    plies: int
    opening: str | None
    """The first move of the game, as the rules write it, where it was the person's."""
    ended_at: int
    """Seconds since 1970."""


def counts(game: Game) -> bool:
    """Whether a game counts in statistics; see above."""
    return (
        game.termination in PLAYED
        and not game.takebacks
        and game.host is None
        and game.watched is None
        and len(game.moves) >= LEAST_PLIES
        and not game.is_challenge
    )


def results_of(game: Game, ended_at: int) -> list[Result]:
    """The results of a game that has just ended, one for each person in it; none if it does not count."""
    if not counts(game):
        return []
    return [_result(game, mark, ended_at) for mark in Mark if game.seat(mark) != COMPUTER]


def _result(game: Game, mark: Mark, ended_at: int) -> Result:
    won = None if game.winner is None else game.winner is mark
    return Result(
        game_id=game.id,
        person=game.seat(mark) or 0,
        opponent=game.seat(mark.other) or COMPUTER,
        level=game.level_of(mark.other),
        rules=game.rules,
        chat_id=game.chat_id,
        mark=mark,
        outcome=Outcome.DRAW if won is None else Outcome.WIN if won else Outcome.LOSS,
        termination=game.termination or Termination.LINE,
        plies=len(game.moves),
        opening=game.moves[:1] if mark is Mark.X else None,
        ended_at=ended_at,
    )
