"""The use cases of a challenge, which is a game with an empty seat: pure functions, like those of `bot.play`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bot.play import Board, Player, Refusal, computer, let_computer_move, new_game
from engine import Mark
from storage.game import CANCELLED, DECLINED

if TYPE_CHECKING:
    from random import Random

    from storage.game import Game

MOST_OPEN: Final = 3
"""The most challenges of one person that may wait in one chat, so that nobody is flooded."""


def challenge(
    challenger: Player,
    *,
    first: bool,
    board: Board,
    language: str | None,
    now: int,
    due_at: int,
    update_id: int | None = None,
    rival: Player | None = None,
    token: str | None = None,
) -> Game:
    """A challenge, not stored yet; `first` gives the challenger X, and a rival's id of 0 means: only by name."""
    seats = (challenger, None) if first else (None, challenger)
    game = new_game(*seats, board=board, language=language, now=now, due_at=due_at, update_id=update_id)
    return replace(
        game,
        rival_id=(rival.id or None) if rival else None,
        rival_name=rival.name if rival else None,
        token=token,
    )


def challenger_of(game: Game) -> Mark:
    """The mark of who has made a challenge."""
    return Mark.X if game.o_seat is None else Mark.O


def accept(game: Game, player: Player, *, now: int, due_at: int) -> tuple[Game, Refusal | None]:
    """Take the empty seat."""
    refusal = _refuse(game)
    if game.mark_of(player.id) is not None:
        refusal = refusal or Refusal.OWN_CHALLENGE
    elif not is_for(game, player):
        refusal = refusal or Refusal.NOT_FOR_YOU
    if refusal:
        return game, refusal
    return _taken(game, player, now=now, due_at=due_at), None


def decline(game: Game, player: Player) -> tuple[Game, Refusal | None]:
    """Refuse a challenge that names oneself."""
    refusal = _refuse(game)
    if refusal:
        return game, refusal
    if game.rival_name is None or not is_for(game, player) or game.mark_of(player.id):
        return game, Refusal.NOT_FOR_YOU
    return replace(game, termination=DECLINED), None


def cancel(game: Game, player: Player, *, is_admin: bool) -> tuple[Game, Refusal | None]:
    """Withdraw a challenge: whoever made it may, and an administrator of the chat."""
    refusal = _refuse(game)
    if refusal:
        return game, refusal
    if game.mark_of(player.id) is None and not is_admin:
        return game, Refusal.NOT_YOUR_CHALLENGE
    return replace(game, termination=CANCELLED), None


def play_computer(
    game: Game, player: Player, *, level: str, now: int, due_at: int, rng: Random
) -> tuple[Game, Refusal | None]:
    """Give the empty seat to the computer, because nobody else takes it."""
    refusal = _refuse(game)
    if refusal:
        return game, refusal
    if game.mark_of(player.id) is None:
        return game, Refusal.NOT_YOUR_CHALLENGE
    taken = replace(_taken(game, computer(), now=now, due_at=due_at), level=level)
    return let_computer_move(taken, rng), None


def is_for(game: Game, player: Player) -> bool:
    """Whether a challenge is open to a person: it names them, or nobody."""
    if game.rival_id is not None:
        return game.rival_id == player.id
    if game.rival_name is None:
        return True
    return player.username is not None and game.rival_name.lower() == f"@{player.username.lower()}"


def _refuse(game: Game) -> Refusal | None:
    return None if game.is_challenge and not game.is_over else Refusal.NOT_OPEN


def _taken(game: Game, player: Player, *, now: int, due_at: int) -> Game:
    begun = replace(game, rival_id=None, rival_name=None, moved_at=now, due_at=due_at)
    if game.x_seat is None:
        return replace(begun, x_seat=player.id, x_name=player.name or None)
    return replace(begun, o_seat=player.id, o_name=player.name or None)
