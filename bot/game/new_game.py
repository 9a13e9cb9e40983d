"""A new game, not stored yet: against the computer, or a challenge to somebody."""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Final

from bot.game.attempt import Attempt, Player
from bot.game.deadlines import timed
from bot.game.play import let_computer_move
from bot.game.time_limits import TimeLimits
from engine import CLASSIC, Level
from storage.games.game import COMPUTER, NO_NAMES, Game, GameKind


class First(StrEnum):
    """Who moves first, in the words of the command."""

    ME = "me"
    """The person who asks for the game."""
    BOT = "bot"
    """The opponent."""
    RANDOM = "random"
    """A coin decides."""


ADAPTIVE: Final = "adaptive"
"""The difficulty that follows how the person does."""

DEFAULT_LEVEL: Final = ADAPTIVE
USUAL_LEVEL: Final = Level.MEDIUM
"""The level where there is nobody's record to follow."""
DEFAULT_FIRST: Final = First.ME
DEFAULT_RULES: Final = CLASSIC.text

SERIES: Final = (1, 3, 5, 7)
"""The lengths of series that people can choose, in games; 1 is no series."""


def goes_first(first: str, rng: Random) -> bool:
    """Whether the person who asks for a game moves first."""
    return rng.random() < 0.5 if first == First.RANDOM else first == First.ME  # noqa: PLR2004 - a fair coin


def against_computer(
    player: Player,
    *,
    first: bool,
    level: str,
    chat_id: int | None,
    now: int,
    limits: TimeLimits,
    rng: Random,
    rules: str = DEFAULT_RULES,
    update_id: int | None = None,
    adaptive: bool = False,
) -> Game:
    """A game against the computer by these rules; if the computer moves first, it has moved."""
    game = _empty(player, rules, first=first, chat_id=chat_id, now=now, update_id=update_id)
    game = game._replace(next_level=level if adaptive else None)
    if first:
        game = game._replace(kind=GameKind.SOLO, o_seat=COMPUTER, o_level=level)
    else:
        game = game._replace(kind=GameKind.SOLO, x_seat=COMPUTER, x_level=level)
    return let_computer_move(timed(game, now, limits), rng, now)


def challenge(
    player: Player,
    *,
    first: bool,
    chat_id: int | None,
    now: int,
    limits: TimeLimits,
    rules: str = DEFAULT_RULES,
    update_id: int | None = None,
    rival: Player | None = None,
    link: str | None = None,
) -> Game:
    """A challenge; with `first` the challenger gets X."""
    game = _empty(player, rules, first=first, chat_id=chat_id, now=now, update_id=update_id)._replace(link=link)
    if rival is not None:
        game = game._replace(rival_id=rival.id, names={**game.names, rival.id: rival.name})
    return timed(game, now, limits)


def between_the_same(game: Game, attempt: Attempt) -> Game:
    """The next game at the same place, by the same rules and with the same seats; its time does not run yet."""
    return Game(
        id=0,
        chat_id=game.chat_id,
        rules=game.rules,
        kind=game.kind,
        x_seat=game.x_seat,
        o_seat=game.o_seat,
        x_level=game.x_level,
        o_level=game.o_level,
        next_level=game.next_level,
        host=game.host,
        time_limits=game.time_limits,
        best_of=game.best_of,
        wordings=game.wordings,
        created_at=attempt.now,
        changed_at=attempt.now,
        update_id=attempt.update_id,
        names=game.names,
    )


def _empty(
    player: Player,
    rules: str,
    *,
    first: bool,
    chat_id: int | None,
    now: int,
    update_id: int | None,
) -> Game:
    """A game with one seat taken."""
    return Game(
        id=0,
        chat_id=chat_id,
        rules=rules,
        kind=GameKind.CHALLENGE,
        x_seat=player.id if first else None,
        o_seat=None if first else player.id,
        created_at=now,
        changed_at=now,
        moved_at=now,
        update_id=update_id,
        names={player.id: player.name} if player.name else NO_NAMES,
    )
