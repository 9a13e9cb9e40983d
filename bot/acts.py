"""The use cases beside the moves: takeback, resignation, rematch, hint. Pure functions, like those of `bot.play`.

What needs another person's answer, or a second thought, waits in the game as its `offer`; every move withdraws it.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.play import Refusal
from engine import STRATEGIES, Mark, Reason, explain
from storage.game import RESIGNATION

if TYPE_CHECKING:
    from storage.game import Game

TAKEBACK: Final = "takeback"
RESIGN: Final = "resign"
REMATCH: Final = "rematch"


class Offer(NamedTuple):
    """What waits for an answer, and whose wish it is."""

    kind: str
    by: Mark


class Why(Enum):
    """Why a hint names its cell."""

    WIN = "win"
    BLOCK = "block"
    FORK = "fork"
    BEST = "best"


def offer_of(game: Game) -> Offer | None:
    """What waits for an answer in a game."""
    if game.offer is None:
        return None
    kind, _, mark = game.offer.partition(":")
    return Offer(kind, Mark(mark))


def last_move_of(game: Game, mark: Mark) -> int | None:
    """The ply of a side's last move, from 0; None if it has not moved."""
    own = 0 if mark is Mark.X else 1
    ply = game.ply - 1 - (game.ply - 1 - own) % 2
    return ply if ply >= 0 else None


def undo(game: Game, *, person: int, ply: int, allowed: bool, now: int) -> tuple[Game, Refusal | None]:
    """Take back one's last move and what followed: at once from the computer, from a person with their leave.

    `allowed` says whether the other person may be asked.
    """
    mark = game.mark_of(person)
    refusal = _refuse(game, mark, ply)
    if refusal or mark is None:
        return game, refusal
    if last_move_of(game, mark) is None:
        return game, Refusal.NOTHING_TO_UNDO
    if game.is_against_computer:
        return _taken_back(game, mark, now), None
    if not allowed:
        return game, Refusal.NO_TAKEBACKS
    if game.offer is not None:
        return game, Refusal.ASKED
    return replace(game, offer=f"{TAKEBACK}:{mark}"), None


def resign(game: Game, *, person: int, ply: int) -> tuple[Game, Refusal | None]:
    """Say that one wants to resign; it counts once it is said again (`confirm`)."""
    mark = game.mark_of(person)
    refusal = _refuse(game, mark, ply)
    if refusal or mark is None:
        return game, refusal
    offer = offer_of(game)
    if offer is not None and offer != (RESIGN, mark):
        return game, Refusal.ASKED
    return (game if offer else replace(game, offer=f"{RESIGN}:{mark}")), None


def confirm(game: Game, *, person: int, yes: bool) -> tuple[Game, Refusal | None]:
    """Resign after a second thought, or play on."""
    mark = game.mark_of(person)
    if mark is None:
        return game, Refusal.NOT_YOURS
    if game.is_over:
        return game, Refusal.OVER
    if offer_of(game) != (RESIGN, mark):
        return game, Refusal.NOT_ASKED
    if not yes:
        return replace(game, offer=None), None
    return replace(game, offer=None, termination=RESIGNATION, winner=mark.other), None


def answer(game: Game, *, person: int, ply: int, yes: bool, now: int) -> tuple[Game, Refusal | None]:
    """Agree to the other's takeback, or not; the asker may withdraw it. A rematch is only turned down here."""
    mark = game.mark_of(person)
    if mark is None:
        return game, Refusal.NOT_YOURS
    if ply != game.ply:
        return game, Refusal.STALE
    offer = offer_of(game)
    if offer is None or offer.kind == RESIGN:
        return game, Refusal.NOT_ASKED
    if yes and offer.by is mark:
        return game, Refusal.NOT_ASKED
    if yes and offer.kind == TAKEBACK and not game.is_over:
        return _taken_back(game, offer.by, now), None
    return replace(game, offer=None), None


def ask_rematch(game: Game, *, person: int) -> tuple[Game, Refusal | None]:
    """Offer the other person another game."""
    mark = game.mark_of(person)
    if mark is None:
        return game, Refusal.NOT_YOURS
    if not game.is_over or game.is_challenge:
        return game, Refusal.STALE
    if game.next_game is not None:
        return game, Refusal.FOLLOWED
    if game.offer is not None:
        return game, Refusal.ASKED
    return replace(game, offer=f"{REMATCH}:{mark}"), None


def wants_rematch(game: Game, person: int) -> bool:
    """Whether the other person waits for this one to agree to a rematch."""
    mark = game.mark_of(person)
    return mark is not None and offer_of(game) == (REMATCH, mark.other)


def hint(game: Game, *, person: int) -> tuple[int, Why] | Refusal:
    """The best cell for the person to move, against the computer, and why it is the best."""
    mark = game.mark_of(person)
    if not game.is_against_computer and mark is not None:
        return Refusal.COMPUTER_ONLY
    refusal = _refuse(game, mark, game.ply)
    if refusal:
        return refusal
    best = STRATEGIES["perfect"].candidates(game.position)
    rule = explain(game.position)
    reasons = {Reason.WIN: Why.WIN, Reason.BLOCK: Why.BLOCK, Reason.FORK: Why.FORK}
    if rule.cell in best:
        return rule.cell, reasons.get(rule.reason, Why.BEST)
    return best[0], Why.BEST


def _refuse(game: Game, mark: Mark | None, ply: int) -> Refusal | None:
    if mark is None:
        return Refusal.NOT_YOURS
    if game.is_over:
        return Refusal.OVER
    if game.is_challenge:
        return Refusal.NOBODY_YET
    return None if ply == game.ply else Refusal.STALE


def _taken_back(game: Game, mark: Mark, now: int) -> Game:
    """The game before the last move of a side."""
    ply = last_move_of(game, mark) or 0
    return replace(game, moves=game.moves[:ply], offer=None, moved_at=now, reminded=None)
