"""A challenge, which is a game with an empty seat: making it, and what may become of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.game.deadlines import timed
from bot.game.play import let_computer_move
from bot.game.refusals import Refusal
from engine import Level, Mark
from storage.game import COMPUTER, Game, Termination

if TYPE_CHECKING:
    from bot.game.acts import Player, Wish

MOST_OPEN: Final = 3
"""The most challenges of one person that may wait in one chat, so that nobody is flooded."""


def challenger_of(game: Game) -> Mark:
    """The mark of who has made a challenge."""
    return Mark.X if game.o_seat is None else Mark.O


def is_for(game: Game, player: Player) -> bool:
    """Whether a challenge is open to a person: it names them, or nobody."""
    if game.rival_id is not None:
        return game.rival_id == player.id
    if game.rival_name is None:
        return True
    return player.username is not None and game.rival_name.lower() == f"@{player.username.lower()}"


def accept(game: Game, wish: Wish) -> Game | Refusal:
    """Take the empty seat, but not by other rules than the challenge was seen with."""
    if game.mark_of(wish.who.id) is not None:
        return Refusal.OWN_CHALLENGE
    if not is_for(game, wish.who):
        return Refusal.NOT_FOR_YOU
    if wish.value not in ("", game.rules):
        return Refusal.STALE
    return timed(_seated(game, wish.who.id, wish.who.name or None, None), wish.now, wish.limits)


def decline(game: Game, wish: Wish) -> Game | Refusal:
    """Refuse a challenge that names oneself."""
    if game.rival_name is None or not is_for(game, wish.who) or game.mark_of(wish.who.id):
        return Refusal.NOT_FOR_YOU
    return game._replace(termination=Termination.DECLINED, rival_name=wish.who.name or game.rival_name)


def cancel(game: Game, wish: Wish) -> Game | Refusal:
    """Withdraw a challenge: whoever made it may, and an administrator of the chat."""
    own = game.mark_of(wish.who.id) is not None
    if not own and not wish.is_admin:
        return Refusal.NOT_YOUR_CHALLENGE
    ended_by = game.name(challenger_of(game)) if own else wish.who.name
    return game._replace(termination=Termination.CANCELLED, ended_by=ended_by or "")


def closed_by_other(game: Game) -> bool:
    """Whether a withdrawn challenge was closed by an administrator, not by who had made it."""
    return game.ended_by is not None and game.ended_by != (game.name(challenger_of(game)) or "")


def let_computer_play(game: Game, wish: Wish) -> Game | Refusal:
    """Give the empty seat to the computer, because nobody else takes it."""
    if game.mark_of(wish.who.id) is None:
        return Refusal.NOT_YOUR_CHALLENGE
    seated = _seated(game, COMPUTER, None, wish.value or Level.MEDIUM)
    return let_computer_move(timed(seated, wish.now, wish.limits), wish.rng, wish.now)


def _seated(game: Game, seat: int, name: str | None, level: str | None) -> Game:
    taken = game._replace(rival_id=None, rival_name=None)
    if game.x_seat is None:
        return taken._replace(x_seat=seat, x_name=name, x_level=level)
    return taken._replace(o_seat=seat, o_name=name, o_level=level)
