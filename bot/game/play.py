"""A game in play: the moves, the computer's answer to them, and what can be chosen before the first.

What the computer knows without a search it plays in the same step. Else the game waits for it, which its record
tells (`State.THINKING`), and `answer` is a step of its own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from bot.game.deadlines import THINKING_SECONDS, timed
from bot.game.refusals import Refusal
from bot.game.states import thought_of
from engine import IllegalMove, Level, Mark, is_at_once, player_named
from engine.ultimate import UltimatePosition
from storage.game import COMPUTER, Game, replay, rules_of, termination_of

if TYPE_CHECKING:
    from random import Random

    from bot.game.acts import Wish
    from engine import Position


def move(game: Game, wish: Wish) -> Game | Refusal:
    """Play a cell for a person, and the computer's answer to it."""
    if game.mark_of(wish.who.id) is not game.turn:
        return Refusal.NOT_YOUR_TURN
    rules = rules_of(game.rules)
    if wish.cell >= rules.cells:
        return Refusal.STALE
    text = rules.move_text(wish.cell)
    if text in game.moves:
        return Refusal.TAKEN
    try:
        return _played(game, text, wish.rng, wish.now, offer=None, moved_at=wish.now)
    except IllegalMove:
        return Refusal.ELSEWHERE if _is_sent(game.position) else Refusal.BOARD_FINISHED


def _is_sent(position: Position) -> bool:
    """Whether the last move has decided where the next one has to be."""
    return isinstance(position, UltimatePosition) and position.board is not None


def answer(game: Game, wish: Wish) -> Game | Refusal:
    """Play the cell that the computer has found, if this is what it was asked about."""
    if wish.thought is None or wish.thought != thought_of(game):
        return Refusal.STALE
    moves = game.moves + rules_of(game.rules).move_text(wish.cell)
    played = timed(game._replace(moves=moves), wish.now, wish.limits)
    outcome = played.position.outcome
    if outcome is None:
        return played
    return played._replace(offer=None, termination=termination_of(outcome.winner), winner=outcome.winner)


def set_level(game: Game, wish: Wish) -> Game | Refusal:
    """Change the level of a game in which the person has not moved yet."""
    if not is_fresh(game):
        return Refusal.BEGUN
    if wish.value == game.level:
        return game
    seat = "x_level" if game.x_seat == COMPUTER else "o_level"
    changes: dict[str, Any] = {seat: wish.value}
    return let_computer_move(back_to(game, 0)._replace(**changes), wish.rng, wish.now)


def set_first(game: Game, wish: Wish) -> Game | Refusal:
    """Change who moves first in a game in which the person has not moved yet: `me` is the person."""
    if not is_fresh(game):
        return Refusal.BEGUN
    if (game.mark_of(wish.who.id) is Mark.X) == (wish.value == "me"):
        return game
    return let_computer_move(with_sides_swapped(back_to(game, 0)), wish.rng, wish.now)


def set_rules(game: Game, wish: Wish) -> Game | Refusal:
    """Choose another board, in an open challenge of one's own or before one has moved against the computer."""
    if not game.is_challenge and not is_fresh(game):
        return Refusal.BEGUN
    if wish.value == game.rules:
        return game
    changes: dict[str, Any] = {}
    if game.level is not None:
        # Who has taken a seat may play a strategy that plays on one board alone.
        changes["x_level" if game.x_level else "o_level"] = _level_for(game.level, wish.value)
    return let_computer_move(back_to(game, 0)._replace(rules=wish.value, **changes), wish.rng, wish.now)


def _level_for(level: str, rules: str) -> str:
    """How the computer plays by these rules: as before, or at the usual level where it cannot."""
    return level if player_named(level).plays(rules_of(rules)) else Level.MEDIUM


def is_fresh(game: Game) -> bool:
    """Whether the game is against the computer and the person in it has not moved yet."""
    return not game.is_over and game.is_against_computer and game.ply < (1 if game.o_seat == COMPUTER else 2)


def let_computer_move(game: Game, rng: Random, now: int) -> Game:
    """Play the computer's move, or let the game wait for it, if it goes on and it is the computer's turn."""
    if game.is_over or game.is_challenge or game.seat(game.turn) != COMPUTER:
        return game
    return _played(game, "", rng, now)


def back_to(game: Game, ply: int) -> Game:
    """The game with the first moves alone; nobody waits for an answer in it."""
    watched = None if game.watched is None else min(game.watched, ply)
    return game._replace(moves=game.moves[:ply], offer=None, watched=watched)


def last_ply_of(game: Game, mark: Mark) -> int | None:
    """The ply of a side's last move, from 0; None if it has not moved."""
    own = 0 if mark is Mark.X else 1
    ply = game.ply - 1 - (game.ply - 1 - own) % 2
    return ply if ply >= 0 else None


def with_sides_swapped(game: Game) -> Game:
    """The game with X's and O's places changed: seats, names, levels and games won."""
    return game._replace(
        x_seat=game.o_seat,
        x_name=game.o_name,
        x_level=game.o_level,
        x_wins=game.o_wins,
        o_seat=game.x_seat,
        o_name=game.x_name,
        o_level=game.x_level,
        o_wins=game.x_wins,
    )


def _played(game: Game, own: str, rng: Random, now: int, **changes: Any) -> Game:  # noqa: ANN401 - a game's fields
    """The game after a person's move (one character, or none), the computer's answer, and the end if that is it.

    Where the answer takes a search, the clock looks after it. All of it is one step, because making a game of so
    many fields anew is most of a move's cost.
    """
    moves = game.moves + own
    position = replay(game.rules, moves)
    turn = Mark.O if len(moves) % 2 else Mark.X
    if position.outcome is None and game.seat(turn) == COMPUTER:
        cells = _candidates(game.level_of(turn) or Level.MEDIUM, game.rules, moves)
        if cells:
            cell = cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]
            moves += rules_of(game.rules).move_text(cell)
            position = replay(game.rules, moves)
        else:
            changes["due_at"] = now + THINKING_SECONDS
    if position.outcome is not None:
        winner = position.outcome.winner
        changes |= {"termination": termination_of(winner), "winner": winner}
    return game._replace(moves=moves, **changes)


@lru_cache(maxsize=16384)
def _candidates(level: str, rules: str, moves: str) -> tuple[int, ...]:
    """The cells that a level, or a strategy, may choose; none where finding them may take a while.

    They are remembered, because looking two plies ahead costs more than all else.
    """
    if not is_at_once(level, rules_of(rules)):
        return ()
    return player_named(level).candidates(replay(rules, moves))
