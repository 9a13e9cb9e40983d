"""A game with its boards, and decisions about it: the values of which a change consists."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Generic, NamedTuple, TypeVar

from storage.games.board import Attention, Board
from storage.games.game import Game
from storage.games.notice import Notice

R_co = TypeVar("R_co", covariant=True)

NO_ATTENTION: Final[Mapping[int, Attention]] = MappingProxyType({})


class Record(NamedTuple):
    """A game with its boards, oldest board first."""

    game: Game
    boards: tuple[Board, ...]

    @property
    def subject(self) -> Game:
        """What the boards show: the game."""
        return self.game


class Made(NamedTuple):
    """A game that an update asked for: made now, or found if the update came before."""

    record: Record
    is_new: bool = True


class Decision(NamedTuple, Generic[R_co]):
    """A decision about a game: what it becomes, the result for the caller, and perhaps the next game."""

    game: Game
    result: R_co
    following: Game | None = None
    notices: tuple[Notice, ...] = ()
    """Messages to be sent, stored with the change."""
    attention: Mapping[int, Attention] = NO_ATTENTION
    """By the id of a board, what the change means for the people who see it; for other boards, nothing."""


class Changed(NamedTuple, Generic[R_co]):
    """A game after a request to change it."""

    record: Record
    """The game with its boards now."""
    before: Mapping[int, Board]
    """Its boards before the transaction, by id."""
    result: R_co
    following: Record | None = None
    """The next game, if one was begun."""
    notices: tuple[Notice, ...] = ()
    """Messages to be sent."""
