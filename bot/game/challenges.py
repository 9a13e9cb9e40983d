"""A challenge is a game with an empty seat: who may take it, decline it, withdraw it or change its terms."""

from __future__ import annotations

from typing import Final

from bot.game.actions import Accept
from bot.game.attempt import Attempt, Player
from bot.game.deadlines import timed
from bot.game.play import let_computer_move
from bot.game.refusals import Refusal
from engine import Mark
from storage.games.game import COMPUTER, UNMET, Game, GameKind, Termination

MOST_OPEN: Final = 3
"""How many challenges of one person may be open in one chat, so that nobody floods it."""


def challenger_of(game: Game) -> Mark:
    """The challenger's mark."""
    return Mark.X if game.o_seat is None else Mark.O


def is_for(game: Game, player: Player) -> bool:
    """Whether a person may take a challenge: it names them, or nobody."""
    if game.rival_id is None or game.rival_id == player.id:
        return True
    if game.rival_id > UNMET or player.username is None:
        return False
    return (game.name_of(game.rival_id) or "").lower() == f"@{player.username.lower()}"


def seen_with(game: Game) -> Accept:
    """The action that accepts a challenge on the terms shown now."""
    return Accept(game.rules, game.clock or 0, game.best_of or 1)


def accept(game: Game, seen: Accept, attempt: Attempt) -> Game | Refusal:
    """Take the empty seat, unless the terms have changed since they were seen."""
    if game.mark_of(attempt.who.id) is not None:
        return Refusal.OWN_CHALLENGE
    if not is_for(game, attempt.who):
        return Refusal.NOT_FOR_YOU
    if seen.seen_rules and seen != seen_with(game):
        return Refusal.STALE
    return timed(_seated(game, attempt.who.id, None), attempt.now, attempt.limits)


def decline(game: Game, attempt: Attempt) -> Game | Refusal:
    """Decline a challenge to oneself."""
    if game.rival_id is None or not is_for(game, attempt.who) or game.mark_of(attempt.who.id):
        return Refusal.NOT_FOR_YOU
    return game._replace(termination=Termination.DECLINED, rival_id=attempt.who.id)


def cancel(game: Game, attempt: Attempt) -> Game | Refusal:
    """Withdraw a challenge; the challenger and administrators of the chat may."""
    own = game.mark_of(attempt.who.id) is not None
    if not own and not attempt.facts.is_admin:
        return Refusal.NOT_YOUR_CHALLENGE
    return game._replace(termination=Termination.CANCELLED, ended_by=attempt.who.id)


def closed_by_other(game: Game) -> bool:
    """Whether an administrator closed a challenge, rather than the challenger."""
    return game.ended_by is not None and game.ended_by != game.seat(challenger_of(game))


def set_clock(game: Game, seconds: int) -> Game:
    """Choose the time per move of an open challenge; 0 for the host's limits."""
    return game if (game.clock or 0) == seconds else game._replace(clock=seconds or None)


def set_series(game: Game, best_of: int) -> Game:
    """Choose the length of the series that an open challenge begins, in games; 1 for no series."""
    return game if (game.best_of or 1) == best_of else game._replace(best_of=None if best_of == 1 else best_of)


def let_computer_play(game: Game, attempt: Attempt) -> Game | Refusal:
    """Give the empty seat to the computer."""
    if game.mark_of(attempt.who.id) is None:
        return Refusal.NOT_YOUR_CHALLENGE
    seated = _seated(game, COMPUTER, attempt.facts.level)._replace(best_of=None, clock=None)
    if attempt.facts.adaptive:
        seated = seated._replace(next_level=attempt.facts.level)
    return let_computer_move(timed(seated, attempt.now, attempt.limits), attempt.rng, attempt.now)


def _seated(game: Game, seat: int, level: str | None) -> Game:
    kind = GameKind.SOLO if seat == COMPUTER else GameKind.PAIR
    if game.x_seat is None:
        return game._replace(kind=kind, rival_id=None, x_seat=seat, x_level=level)
    return game._replace(kind=kind, rival_id=None, o_seat=seat, o_level=level)
