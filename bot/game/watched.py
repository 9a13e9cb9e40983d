"""A game in which the computer plays itself for who looks on: its moves, its pace, its end, taking a seat in it.

Its pace is stored as the time between its last move and when anybody has to make the next one. Whoever made the
last move makes the next in time, by a timer, and all others somewhat later: that process may be gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from bot.game.acts import Act, Begun
from bot.game.deadlines import timed
from bot.game.new_game import against_computer
from bot.game.play import let_computer_move
from bot.game.refusals import Refusal
from bot.game.states import FREE, free_seat
from engine import Mark, player_named
from storage.game import COMPUTER, Game, Termination, replay, rules_of, termination_of

if TYPE_CHECKING:
    from random import Random

    from bot.game.acts import Player, Wish
    from bot.game.time_limits import TimeLimits

MOST: Final = 50
"""The most such games that go on at once, in all chats together."""

PACES: Final = (0.5, 1.0, 2.0)
"""Seconds from move to move, fastest first."""
SLOWEST: Final = len(PACES) - 1

LATE_SECONDS: Final = 2
"""A move that is so late may be made by anybody."""

SEATS: Final = {Act.TAKE_X: Mark.X, Act.TAKE_O: Mark.O}
"""The seat that each act takes."""


def watched(
    host: Player,
    x_level: str,
    o_level: str,
    *,
    rules: str,
    chat_id: int,
    now: int,
    limits: TimeLimits,
    rng: Random,
    update_id: int | None = None,
) -> Game:
    """A game of the computer against itself, each side by the name of a level or a strategy."""
    game = against_computer(
        host,
        first=True,
        level=o_level,
        chat_id=chat_id,
        now=now,
        limits=limits,
        rng=rng,
        rules=rules,
        update_id=update_id,
    )
    return _due(game._replace(host=host.id, x_seat=COMPUTER, x_name=None, x_level=x_level), now, SLOWEST)


def pace_of(game: Game) -> float:
    """Seconds from move to move."""
    return PACES[_step_of(game)]


def chosen(game: Game, rng: Random) -> int:
    """The cell that the computer plays now, where no search is needed for it."""
    return player_named(game.level_of(game.turn) or "").choose(replay(game.rules, game.moves), rng)


def answer(game: Game, wish: Wish) -> Game | Refusal:
    """Make the computer's move: one ply."""
    moves = game.moves + rules_of(game.rules).move_text(wish.cell)
    changes: dict[str, Any] = {}
    if (outcome := replay(game.rules, moves).outcome) is not None:
        changes = {"termination": termination_of(outcome.winner), "winner": outcome.winner}
    return _due(game._replace(moves=moves, **changes), wish.now, _step_of(game))


def stop(game: Game, wish: Wish) -> Game | Refusal:
    """End the game; whoever let it begin may, and an administrator of the chat."""
    if wish.who.id != game.host and not wish.is_admin:
        return Refusal.NOT_YOURS_TO_STOP
    return game._replace(termination=Termination.CANCELLED, ended_by=wish.who.name)


def faster(game: Game, _wish: Wish) -> Game | Refusal:
    """Let the moves follow each other faster, where Telegram allows it: not in a group."""
    step = _step_of(game)
    if game.chat_id is None or game.chat_id < 0:
        return Refusal.GROUPS_ARE_SLOW
    return Refusal.FASTEST if step == 0 else _due(game, game.moved_at, step - 1)


def take_seat(game: Game, wish: Wish) -> Game | Refusal:
    """Play on in the computer's place; in a group the other seat stays free until the first move.

    All moves so far were the computer's: who took a seat before has not moved yet.
    """
    mark = SEATS[wish.act]
    if game.mark_of(wish.who.id) is not None:
        return Refusal.SEATED
    if game.host is None and free_seat(game) is not mark:
        return Refusal.SEAT_TAKEN
    for_another = game.host is not None and game.chat_id is not None and game.chat_id < 0
    offer = f"{FREE}{mark.other}" if for_another else None
    seated = _seated(game._replace(host=None, watched=game.ply, offer=offer), mark, wish.who)
    return let_computer_move(timed(seated, wish.now, wish.limits), wish.rng, wish.now)


def again(game: Game, wish: Wish) -> Begun | Refusal:
    """Let the computer play itself once more, at the same levels."""
    if game.host is None:
        return Refusal.STALE
    return Begun(game._replace(offer=None), _due(_anew(game, wish)._replace(host=wish.who.id), wish.now, SLOWEST))


def play_winner(game: Game, wish: Wish) -> Begun | Refusal:
    """Begin a game against the side that has won; whoever asks has the other mark."""
    if game.host is None or game.winner is None:
        return Refusal.STALE
    following = _seated(_anew(game, wish)._replace(host=None), game.winner.other, wish.who)
    following = let_computer_move(timed(following, wish.now, wish.limits), wish.rng, wish.now)
    return Begun(game._replace(offer=None), following)


def is_watched(game: Game) -> bool:
    """Whether the computer plays itself in a game that goes on."""
    return game.host is not None and not game.is_over


def _anew(game: Game, wish: Wish) -> Game:
    """The same seats before the first move, as a game that is not stored yet."""
    return game._replace(
        id=0,
        moves="",
        offer=None,
        termination=None,
        winner=None,
        ended_by=None,
        next_game=None,
        created_at=wish.now,
        changed_at=wish.now,
        update_id=wish.update_id,
        seen_updates="",
        version=1,
    )


def _seated(game: Game, mark: Mark, player: Player) -> Game:
    """The game with a person in the computer's place."""
    if mark is Mark.X:
        return game._replace(x_seat=player.id, x_name=player.name or None, x_level=None)
    return game._replace(o_seat=player.id, o_name=player.name or None, o_level=None)


def _due(game: Game, moved_at: int, step: int) -> Game:
    return game._replace(moved_at=moved_at, due_at=moved_at + step + LATE_SECONDS)


def _step_of(game: Game) -> int:
    """Which of the paces is the game's; what was put off since goes at the slowest."""
    return max(0, min(SLOWEST, (game.due_at or 0) - game.moved_at - LATE_SECONDS))
