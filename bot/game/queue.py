"""The game of two who look for somebody to play: with it one waits, in it they meet.

It is a challenge that its maker's chat alone shows, and that the queue takes up for somebody who waits too. Its
token says that, with what else has to be known and changes seldom: while one waits, how long others lately did,
and whether any board will do; once they have met, how both are rated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.challenges import accept
from bot.game.deadlines import BEGUN, timed
from bot.game.new_game import challenge
from bot.game.play import with_sides_swapped
from storage.game import QUEUE, Game, Termination
from storage.record import Decision

if TYPE_CHECKING:
    from bot.game.acts import Player, Wish
    from bot.game.time_limits import TimeLimits
    from engine import Mark
    from storage.record import Record

ANY: Final = "any"
"""Stands for whatever the other wants to play, in a token and as a word."""
SHORT: Final = 12
"""Characters of the secret that stay once two have met."""


class Terms(NamedTuple):
    """What is known of who waits, beside the game's record."""

    told: int | None = None
    """For how many seconds others have waited lately, as it is told; None where that is not known."""
    any_rules: bool = False
    """Whether any board will do; the game's rules are played with somebody to whom all are equal too."""


def terms_of(game: Game) -> Terms:
    """What the token of who waits says."""
    _, told, any_rules, _ = (game.token or ":::").split(":", 3)
    return Terms(int(told) if told else None, any_rules == ANY)


def with_terms(game: Game, terms: Terms) -> Game:
    """The game with what is known now; the secret part of its token stays."""
    secret = (game.token or "").rpartition(":")[2]
    return game._replace(token=_token("" if terms.told is None else str(terms.told), terms.any_rules, secret))


def waits(game: Game) -> bool:
    """Whether somebody waits with a game."""
    return game.is_of_queue and game.is_challenge and not game.is_over


def is_asked(game: Game) -> bool:
    """Whether who waits was asked if they are still there."""
    return game.reminded is not None


def plays(game: Game) -> bool:
    """Whether two who have met in the queue play."""
    return game.is_of_queue and not game.is_challenge and not game.is_over


def has_not_begun(game: Game) -> bool:
    """Whether two who have met in the queue play, and one of them has not moved yet, or has not come."""
    return plays(game) and game.ply < BEGUN


def waiting(
    player: Player,
    *,
    rules: str,
    terms: Terms,
    now: int,
    since: int | None = None,
    limits: TimeLimits,
    secret: str,
    update_id: int | None = None,
) -> Game:
    """The game with which somebody waits, in their private chat.

    Args:
        player: Who.
        rules: What they want to play.
        terms: What else is known.
        now: Seconds since 1970.
        since: Since when they wait, where that is not now: their place.
        limits: How long who may take over what.
        secret: A part of the token that nobody can guess, without a colon.
        update_id: The update that asks for it.
    """
    game = challenge(
        player, first=True, chat_id=player.id, now=now, limits=limits, rules=rules, update_id=update_id,
        token=f"{QUEUE}::{secret}",
    )  # fmt: skip
    return timed(with_terms(game, terms)._replace(created_at=now if since is None else since), now, limits)


def stay(record: Record, now: int, limits: TimeLimits) -> Decision[bool]:
    """Note that who waits is there; False if they do not wait any more."""
    game = record.game
    if not waits(game):
        return Decision(game, result=False)
    return Decision(timed(game, now, limits), result=True)


def met(game: Game, wish: Wish, rules: str, ratings: tuple[str, str], *, swap: bool) -> Game | None:
    """The game of somebody who waits once another has come, who is who wishes; None if it is not to be.

    Args:
        game: The one who waits.
        wish: The other's.
        rules: What they play.
        ratings: How the first and the other are rated, as it is shown; empty for who keeps that to themselves.
        swap: Whether the other moves first.
    """
    seated = accept(game, wish)
    if not isinstance(seated, Game):
        return None
    seated = seated._replace(rules=rules, reminded=None)
    one, other = ratings
    if swap:
        seated, one, other = with_sides_swapped(seated), other, one
    secret = (game.token or "").rpartition(":")[2]
    # Both figures leave less room for what nobody shall guess; and nobody can be seated by it any more.
    seated = seated._replace(token=f"{QUEUE}{one}:{other}:{secret[:SHORT]}")
    return timed(seated, wish.now, wish.limits)


def rating_of(game: Game, mark: Mark) -> str | None:
    """How a player was rated when two met in the queue, as it is shown; None where it is not."""
    if not game.is_of_queue or game.is_challenge:
        return None
    figures = (game.token or "").split(":")
    return figures[1 if mark is mark.X else 2] or None


def passed_over(game: Game, following: int) -> Game:
    """The end of a wait: the other's game, which is that of both now, takes the place of this one."""
    return game._replace(termination=Termination.CANCELLED, offer=None, next_game=following, due_at=None)


def never_begun(game: Game) -> Game:
    """The end of a game in which somebody has not come."""
    return game._replace(termination=Termination.EXPIRED, offer=None, due_at=None)


def gone(record: Record, person: int) -> Decision[None]:
    """End what somebody waits with or plays whom the bot cannot reach: who has begun to play has resigned.

    Games that have not begun are not ended here: the other has to find their place in the queue again.
    """
    game = record.game
    mark = game.mark_of(person)
    if waits(game) and mark is not None:
        return Decision(game._replace(termination=Termination.CANCELLED, ended_by=game.name(mark) or ""), None)
    if not plays(game) or mark is None or game.ply < BEGUN:
        return Decision(game, None)
    return Decision(game._replace(offer=None, termination=Termination.RESIGNATION, winner=mark.other), None)


def _token(told: str, any_rules: bool, secret: str) -> str:  # noqa: FBT001 - a part of what is written
    return f"{QUEUE}{told}:{ANY if any_rules else ''}:{secret}"
