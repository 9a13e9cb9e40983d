"""The use cases of a game in play: pure functions from a game to the game that it becomes.

Each gives back the game and what it had to refuse, if anything; a refusal leaves the game as it was. None of them
knows Telegram or the database: the handlers pass them to `Store.change`.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from engine import CLASSIC, LEVELS, Mark
from storage.game import CELLS, COMPUTER, FULL_BOARD, LINE, Game, geometry_text, replay
from storage.games import SWEEP_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine import Position

DEFAULT_LEVEL: Final = "medium"
DEFAULT_FIRST: Final = "me"

FIRSTS: Final = ("me", "bot", "random")
"""Who may move first, in the words of the command: who asks, the other side, or whoever the coin says."""

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
    NOBODY_YET = "nobody yet"
    NOT_OPEN = "not open"
    OWN_CHALLENGE = "own challenge"
    NOT_FOR_YOU = "not for you"
    NOT_YOUR_CHALLENGE = "not your challenge"
    NOTHING_TO_UNDO = "nothing to undo"
    NO_TAKEBACKS = "no takebacks"
    ASKED = "asked"
    NOT_ASKED = "not asked"
    COMPUTER_ONLY = "computer only"


class Player(NamedTuple):
    """A person who does something: their Telegram id, and how they are called."""

    id: int
    name: str
    username: str | None = None
    language: str | None = None


class Board(NamedTuple):
    """Where a new game's board goes; None for a message that is there already."""

    chat_id: int | None = None
    thread_id: int | None = None
    inline_message_id: str | None = None


def new_game(
    x: Player | None,
    o: Player | None,
    *,
    board: Board,
    language: str | None,
    now: int,
    due_at: int,
    level: str | None = None,
    update_id: int | None = None,
) -> Game:
    """A game that is not stored yet; an empty seat makes it a challenge. `computer()` may take a seat."""
    return Game(
        id=0,
        chat_id=board.chat_id,
        thread_id=board.thread_id,
        message_id=None,
        geometry=geometry_text(CLASSIC),
        moves="",
        x_seat=x.id if x else None,
        o_seat=o.id if o else None,
        x_name=x.name if x else None,
        o_name=o.name if o else None,
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
        sweep_at=now + SWEEP_SECONDS,
        inline_message_id=board.inline_message_id,
        moved_at=now,
        due_at=due_at,
    )


def computer() -> Player:
    """The computer, as the holder of a seat."""
    return Player(COMPUTER, "")


def goes_first(first: str, rng: Random) -> bool:
    """Whether who asks for a game moves first in it."""
    return rng.random() < 0.5 if first == "random" else first == "me"  # noqa: PLR2004 - a fair coin


def tap(game: Game, *, person: int, ply: int, cell: int, now: int, rng: Random) -> tuple[Game, Refusal | None]:
    """Play a cell for a person, and the computer's answer to it."""
    mark = game.mark_of(person)
    if mark is None:
        return game, Refusal.NOT_YOURS
    if game.is_over:
        return game, Refusal.OVER
    if game.is_challenge:
        return game, Refusal.NOBODY_YET
    if ply != game.ply:
        return game, Refusal.STALE
    if mark is not game.turn:
        return game, Refusal.NOT_YOUR_TURN
    if cell >= game.position.geometry.cells:
        return game, Refusal.STALE
    if CELLS[cell] in game.moves:
        return game, Refusal.TAKEN
    return _played(game, CELLS[cell], rng, offer=None, moved_at=now), None


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
    return let_computer_move(with_sides_swapped(replace(game, moves="")), rng), None


def refuse_to_follow(game: Game, person: int) -> Refusal | None:
    """Why a person cannot have another game after this one; None if they can."""
    if game.mark_of(person) is None:
        return Refusal.NOT_YOURS
    if not game.is_over or game.is_challenge:
        return Refusal.STALE
    return None if game.next_game is None else Refusal.FOLLOWED


def follow(game: Game, *, swap: bool, update_id: int, now: int, due_at: int, rng: Random) -> Game:
    """Another game between the two of a finished one, not stored yet; the series goes on."""
    begun = replace(
        game,
        id=0,
        message_id=None,
        guest_message_id=None,
        moves="",
        termination=None,
        winner=None,
        next_game=None,
        update_id=update_id,
        version=1,
        shown=0,
        created_at=now,
        changed_at=now,
        sweep_at=now + SWEEP_SECONDS,
        token=None,
        offer=None,
        x_wins=game.x_wins + (game.winner == Mark.X),
        o_wins=game.o_wins + (game.winner == Mark.O),
        draws=game.draws + (game.winner is None),
        moved_at=now,
        due_at=due_at,
        reminded=None,
        taken="",
    )
    return let_computer_move(with_sides_swapped(begun) if swap else begun, rng)


def is_fresh(game: Game) -> bool:
    """Whether the game is against the computer and the person in it has not moved yet."""
    return not game.is_over and game.is_against_computer and game.ply == (0 if game.o_seat == COMPUTER else 1)


def let_computer_move(game: Game, rng: Random) -> Game:
    """Play the computer's move if the game goes on and it is the computer's turn."""
    if game.is_over or game.is_challenge or game.seat(game.turn) != COMPUTER:
        return game
    return _played(game, "", rng)


def _played(game: Game, own: str, rng: Random, **changes: Any) -> Game:  # noqa: ANN401 - any of the game's fields
    """The game after a person's move (one character, or none), the computer's answer, and the end if that is it.

    All of it is one step, because making a game of so many fields anew is most of a move's cost.
    """
    moves = game.moves + own
    outcome = replay(game.geometry, moves).outcome
    if outcome is None and game.seat(_turn(moves)) == COMPUTER:
        moves += CELLS[_answer(game.level or DEFAULT_LEVEL, replay(game.geometry, moves), rng)]
        outcome = replay(game.geometry, moves).outcome
    if outcome is not None:
        changes |= {"termination": LINE if outcome.winner else FULL_BOARD, "winner": outcome.winner}
    return replace(game, moves=moves, **changes)


def _answer(level: str, position: Position, rng: Random) -> int:
    """The computer's cell."""
    cells = _candidates(level, position)
    return cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]


@lru_cache(maxsize=16384)
def _candidates(level: str, position: Position) -> tuple[int, ...]:
    """The cells that a level may choose; remembered, because a search of two plies costs more than all else."""
    return LEVELS[level].candidates(position)


def _turn(moves: str) -> Mark:
    return Mark.O if len(moves) % 2 else Mark.X


def with_sides_swapped(game: Game) -> Game:
    """The game with X's and O's places changed: seats, names and games won."""
    return replace(
        game,
        x_seat=game.o_seat,
        x_name=game.o_name,
        x_wins=game.o_wins,
        o_seat=game.x_seat,
        o_name=game.x_name,
        o_wins=game.x_wins,
    )


def _fresh_for(game: Game, person: int) -> Refusal | None:
    if game.mark_of(person) is None:
        return Refusal.NOT_YOURS
    if game.is_over:
        return Refusal.OVER
    return None if is_fresh(game) else Refusal.BEGUN
