"""What becomes of a game when somebody in it is forgotten. Pure.

Who plays against them wins, as if they had resigned, and keeps the game; challenges end. Where they stood stands
an alias, which is theirs alone and made by chance: what others have won against one person stays won against one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine import Mark
from storage.game import COMPUTER, Game, Termination, has_left

if TYPE_CHECKING:
    from collections.abc import Collection

    from storage.board import Board


OPENER: Final = 5
"""From this character on a page of a review tells who has opened it (`bot.game.reviews.Page`)."""


def left(game: Game, person: int, alias: int, names: Collection[str] = ()) -> Game:
    """The game without somebody; `names` are how they were called, in small letters where they begin with an @.

    A game that goes on ends, if they have a part in it.
    """
    return _nameless(_ended(game, person, names), person, alias, names)


def stays(game: Game) -> bool:
    """Whether a game that somebody has left is still somebody's: another person plays it, or has begun it."""
    return any(who is not None and who > COMPUTER for who in (game.x_seat, game.o_seat, game.host))


def names_of(game: Game, person: int) -> set[str]:
    """How somebody is called in a game."""
    found = {game.name(mark) for mark in Mark if game.seat(mark) == person}
    if game.rival_id == person:
        found.add(game.rival_name)
    return {name for name in found if name}


def has_opened(board: Board, person: int) -> bool:
    """Whether somebody has opened the review that a board shows to several: their id ends its page, to base 36."""
    opener = (board.page or "")[OPENER:]
    return opener.isalnum() and opener.isascii() and int(opener, 36) == person


def is_named(name: str | None, names: Collection[str]) -> bool:
    """Whether a name is one of these."""
    return bool(name) and (name in names or (name or "").lower() in names)


def _ended(game: Game, person: int, names: Collection[str]) -> Game:
    if game.is_over:
        return game
    mark = game.mark_of(person)
    if game.is_challenge:
        if mark is not None:
            return game._replace(termination=Termination.CANCELLED, ended_by="", offer=None)
        if _is_rival(game, person, names):
            return game._replace(termination=Termination.DECLINED, offer=None)
        return game
    if mark is not None:
        return game._replace(termination=Termination.RESIGNATION, winner=mark.other, offer=None)
    if game.host == person:
        return game._replace(termination=Termination.CANCELLED, offer=None)
    return game


def _nameless(game: Game, person: int, alias: int, names: Collection[str]) -> Game:
    changes: dict[str, Any] = {}
    own: set[str] = set()
    for seat, name in (("x_seat", "x_name"), ("o_seat", "o_name")):
        if getattr(game, seat) == person:
            own |= {getattr(game, name) or ""}
            changes |= {seat: alias, name: None, "offer": None, "token": None}
    if game.host == person:
        changes["host"] = alias
    if game.chat_id == person:
        changes["chat_id"] = None
    if _is_rival(game, person, names):
        changes |= {"rival_id": alias, "rival_name": ""}
    if game.ended_by in own or (
        is_named(game.ended_by, names) and game.ended_by not in (game.x_name, game.o_name)
    ):
        changes["ended_by"] = ""
    return game._replace(**changes) if changes else game


def _is_rival(game: Game, person: int, names: Collection[str]) -> bool:
    """Whether a challenge names somebody: by their id, or by what was typed alone."""
    return game.rival_id == person or (game.rival_id is None and is_named(game.rival_name, names))


def is_nobodys(person: int, opponent: int) -> bool:
    """Whether a result is nobody's any more: of who has left, against the computer or another who has."""
    return has_left(person) and (opponent == COMPUTER or has_left(opponent))
