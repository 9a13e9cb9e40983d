"""The pages of a board: the whole game, a region of a big board, or the choice of what is played.

A page is stored with the version of the game at which it was opened, so any change of the game closes it
(`storage.games.board.Page`).
"""

from __future__ import annotations

from typing import Final, assert_never

from bot.game.actions import ShowAll, ShowMoreRules, ShowRegion, ShowRules, Turn
from bot.game.attempt import Player
from bot.game.play import is_fresh
from bot.game.refusals import Refusal
from engine import Position
from engine.rules.base import open_regions
from storage.games.board import WHOLE, Board, Page
from storage.games.game import Game

RULES: Final = "rules"
"""The boards that most people choose from."""
MORE: Final = "more"
"""The other boards; stored as a choice with a region."""
CHOOSING: Final = (RULES, MORE)


def refusal(game: Game, action: Turn, who: Player) -> Refusal | None:
    """Why a player may not turn a board to a page; None if they may."""
    match action:
        case ShowAll():
            return None
        case ShowRules() | ShowMoreRules():
            return None if may_choose_rules(game) else Refusal.BEGUN
        case ShowRegion(region=region):
            if game.is_challenge:
                return Refusal.STALE
            if game.mark_of(who.id) is not game.turn:
                return Refusal.NOT_YOUR_TURN
            position = game.position
            choice = open_regions(position)
            if len(choice) < 2 or region >= len(position.regions):  # noqa: PLR2004 - one is no choice
                return Refusal.STALE
            return None if region in choice else Refusal.BOARD_FINISHED
        case unknown:
            assert_never(unknown)


def may_choose_rules(game: Game) -> bool:
    """Whether another board can still be chosen: in an open challenge, or before the person has moved."""
    return not game.is_over and (game.is_challenge or is_fresh(game))


def shown_region(position: Position, page: str | None) -> int | None:
    """The region whose cells the keyboard shows; None while it offers several regions."""
    if len(position.regions) == 1:
        return 0
    choice = open_regions(position)
    if len(choice) == 1:
        return choice[0]
    region = int(page) if page is not None and page.isdecimal() else None
    return region if region in choice else None


def kept(game: Game, action: Turn) -> Page:
    """The page that an action opens, as it is stored with a board."""
    match action:
        case ShowAll():
            return WHOLE
        case ShowRules():
            return Page(choosing=True, opened_version=game.version)
        case ShowMoreRules():
            return Page(region=0, choosing=True, opened_version=game.version)
        case ShowRegion(region=region):
            return Page(region=region, opened_version=game.version)
        case unknown:
            assert_never(unknown)


def open_page(game: Game, board: Board) -> str | None:
    """The page a board shows; None for the whole game, and if the game has changed since it was opened."""
    if board.opened_version != game.version or game.is_over:
        return None
    if board.choosing:
        return RULES if board.region is None else MORE
    return None if board.region is None else str(board.region)
