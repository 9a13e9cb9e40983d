"""The use cases of a game: pure functions from a game to the game that it becomes.

Each gives back the game and what it had to refuse, if anything; a refusal leaves the game as it was. None of them
knows Telegram or the database: the handlers pass them to `Store.change`.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from engine import CLASSIC, LEVELS, Mark
from storage.game import CELLS, COMPUTER, FULL_BOARD, LINE, Game, geometry_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

DEFAULT_LEVEL: Final = "medium"
DEFAULT_FIRST: Final = "me"

FIRSTS: Final = ("me", "bot", "random")
"""Who may move first, in the words of the command: the person, the computer, or whoever the coin says."""


Change: TypeAlias = "Callable[[Game], tuple[Game, Refusal | None]]"


class Refusal(Enum):
    """Why something that a person asked for was not done."""

    NOT_YOURS = "not yours"
    OVER = "over"
    STALE = "stale"
    TAKEN = "taken"
    NOT_YOUR_TURN = "not your turn"
    BEGUN = "begun"
    FOLLOWED = "followed"


def new_game(
    *,
    chat_id: int,
    thread_id: int | None,
    person: int,
    name: str,
    language: str | None,
    level: str,
    first: str,
    update_id: int,
    now: int,
    rng: Random,
) -> Game:
    """A game of a person against the computer, with the computer's opening move if it goes first."""
    person_first = rng.random() < 0.5 if first == "random" else first == "me"  # noqa: PLR2004 - a fair coin
    game = Game(
        id=0,
        chat_id=chat_id,
        thread_id=thread_id,
        message_id=None,
        geometry=geometry_text(CLASSIC),
        moves="",
        x_seat=person if person_first else COMPUTER,
        o_seat=COMPUTER if person_first else person,
        x_name=name if person_first else None,
        o_name=None if person_first else name,
        level=level,
        language=language,
        termination=None,
        winner=None,
        next_game=None,
        update_id=update_id,
        version=1,
        shown=0,
        created_at=now,
        changed_at=now,
        sweep_at=now,
    )
    return let_computer_move(game, rng)


def tap(  # noqa: PLR0911 - one return a rule
    game: Game, *, person: int, ply: int, cell: int, rng: Random
) -> tuple[Game, Refusal | None]:
    """Play a cell for a person, and the computer's answer to it."""
    mark = game.mark_of(person)
    if mark is None:
        return game, Refusal.NOT_YOURS
    if game.is_over:
        return game, Refusal.OVER
    if ply != game.ply:
        return game, Refusal.STALE
    if game.seat(game.turn) != person:
        return game, Refusal.NOT_YOUR_TURN
    position = game.position
    if cell >= position.geometry.cells:
        return game, Refusal.STALE
    if CELLS[cell] in game.moves:
        return game, Refusal.TAKEN
    return let_computer_move(_played(game, cell), rng), None


def set_level(game: Game, *, person: int, level: str, rng: Random) -> tuple[Game, Refusal | None]:
    """Change the level of a game in which the person has not moved yet."""
    refusal = _fresh_for(game, person)
    if refusal or level == game.level:
        return game, refusal
    return let_computer_move(replace(game, moves="", level=level), rng), None


def set_first(game: Game, *, person: int, first: str, rng: Random) -> tuple[Game, Refusal | None]:
    """Change who moves first in a game in which the person has not moved yet."""
    refusal = _fresh_for(game, person)
    if refusal or (game.mark_of(person) is Mark.X) == (first == "me"):
        return game, refusal
    return let_computer_move(_seats_swapped(game), rng), None


def refuse_to_follow(game: Game, person: int) -> Refusal | None:
    """Why a person cannot have another game after this one; None if they can."""
    if game.mark_of(person) is None:
        return Refusal.NOT_YOURS
    if not game.is_over:
        return Refusal.STALE
    return None if game.next_game is None else Refusal.FOLLOWED


def follow(game: Game, *, swap: bool, update_id: int, now: int, rng: Random) -> Game:
    """Another game between the two of a finished one, not stored yet."""
    begun = replace(
        game,
        id=0,
        message_id=None,
        moves="",
        termination=None,
        winner=None,
        next_game=None,
        update_id=update_id,
        version=1,
        shown=0,
        created_at=now,
        changed_at=now,
        sweep_at=now,
    )
    return let_computer_move(_seats_swapped(begun) if swap else begun, rng)


def is_fresh(game: Game) -> bool:
    """Whether the game is against the computer and the person in it has not moved yet."""
    return not game.is_over and game.is_against_computer and game.ply == (0 if game.o_seat == COMPUTER else 1)


def let_computer_move(game: Game, rng: Random) -> Game:
    """Play the computer's move if the game goes on and it is the computer's turn."""
    if game.is_over or game.seat(game.turn) != COMPUTER:
        return game
    return _played(game, LEVELS[game.level or DEFAULT_LEVEL].choose(game.position, rng))


def _played(game: Game, cell: int) -> Game:
    """Add a move, and the termination if it ends the game."""
    game = replace(game, moves=game.moves + CELLS[cell])
    outcome = game.position.outcome
    if outcome is None:
        return game
    return replace(game, termination=LINE if outcome.winner else FULL_BOARD, winner=outcome.winner)


def _fresh_for(game: Game, person: int) -> Refusal | None:
    if game.mark_of(person) is None:
        return Refusal.NOT_YOURS
    if game.is_over:
        return Refusal.OVER
    return None if is_fresh(game) else Refusal.BEGUN


def _seats_swapped(game: Game) -> Game:
    return replace(
        game,
        moves="",
        x_seat=game.o_seat,
        x_name=game.o_name,
        o_seat=game.x_seat,
        o_name=game.x_name,
    )
