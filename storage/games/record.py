"""A game with its boards, and what is decided about it: the values that a change is made of."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        """What the boards show."""
        return self.game


class Made(NamedTuple):
    """A game that an update asked for: made just now, or found where the update came before."""

    record: Record
    is_new: bool = True


class Decision(NamedTuple, Generic[R_co]):
    """What shall become of a game: what it shall be, what the caller hears, and the game that follows it."""

    game: Game
    result: R_co
    following: Game | None = None
    notices: tuple[Notice, ...] = ()
    """What has to be said about it, stored with the change."""
    attention: Mapping[int, Attention] = NO_ATTENTION
    """By board, what the change means for the people who see it; other boards stay as they are."""


class Changed(NamedTuple, Generic[R_co]):
    """What became of a game."""

    record: Record
    """The game with its boards as they now are."""
    before: Mapping[int, Board]
    """By id its boards as they were when the transaction began."""
    result: R_co
    following: Record | None = None
    """The game that follows it, if one was begun."""
    notices: tuple[Notice, ...] = ()
    """What has to be said about it."""
