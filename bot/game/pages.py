"""What a board shows of its game: all of it, a part of a big board, or the choice of what is played.

A page is kept with the board (`Board.page`) beside the version of the game that it was opened at, so that whatever
changes the game closes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

from bot.game.play import is_fresh
from bot.game.refusals import Refusal
from engine.ultimate import UltimatePosition

if TYPE_CHECKING:
    from bot.game.acts import Wish
    from engine import Position
    from storage.game import Game

ALL: Final = "all"
"""The whole, which is what a board shows where it has no page."""

RULES: Final = "rules"
"""The choice among the boards that there are to play."""

PARTS: Final = tuple(map(str, range(9)))
"""The little boards of ultimate, in reading order."""


def turn(game: Game, wish: Wish) -> Game | Refusal:
    """Whether a player may turn a board to a page; the game stays as it is."""
    if wish.value == ALL:
        return game
    if wish.value == RULES:
        return game if may_choose_rules(game) else Refusal.BEGUN
    if game.is_challenge or wish.value not in PARTS:
        return Refusal.STALE
    if game.mark_of(wish.who.id) is not game.turn:
        return Refusal.NOT_YOUR_TURN
    position = game.position
    if not has_choice(position):
        return Refusal.STALE
    return game if int(wish.value) in position.boards else Refusal.BOARD_FINISHED


def may_choose_rules(game: Game) -> bool:
    """Whether another board can be chosen still: in an open challenge, or before the person has moved."""
    return not game.is_over and (game.is_challenge or is_fresh(game))


def has_choice(position: Position) -> TypeGuard[UltimatePosition]:
    """Whether the next move may choose among little boards."""
    return isinstance(position, UltimatePosition) and position.board is None and position.outcome is None


def kept(game: Game, page: str) -> str | None:
    """A page as it is kept with a board."""
    return None if page == ALL else f"{page}:{game.version}"


def open_page(game: Game, kept_page: str | None) -> str | None:
    """The page that a board is open at; None for the whole, and where the game has gone on since."""
    if kept_page is None or game.is_over:
        return None
    page, _, version = kept_page.partition(":")
    if version != str(game.version):
        return None
    return page if page == RULES or page in PARTS else None
