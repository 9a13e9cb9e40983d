"""What waits to be shown, as values: the board of a game as it is now, or a message."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from bot import boards

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bot.views import View
    from storage.game import Game


@dataclass(frozen=True, slots=True)
class Board:
    """The wish to show a game as it is."""

    game: Game
    guest: bool = False
    """Whether it is the second board of a game by link."""
    tries: int = 0
    sent_anew: bool = False
    tapped: float | None = None
    """When the tap came in that first asked for this edit, by `time.perf_counter`."""

    @property
    def key(self) -> tuple[int, bool]:
        """What tells this board from others: its newer states take its place."""
        return self.game.id, self.guest

    @property
    def chat_id(self) -> int | None:
        """The chat that shows it; None for a message of inline mode."""
        return self.game.guest_chat_id if self.guest else self.game.chat_id

    @property
    def message_id(self) -> int | None:
        """The message that is the board, where it is known."""
        return self.game.guest_message_id if self.guest else self.game.message_id

    @property
    def place(self) -> tuple[int | None, int | None]:
        """The chat and the message that are stored."""
        return self.chat_id, self.message_id

    @property
    def lane(self) -> int | str | None:
        """Where it waits."""
        return self.chat_id or self.game.inline_message_id

    def at(self, message_id: int) -> Board:
        """The same board as another message."""
        if self.guest:
            return replace(self, game=replace(self.game, guest_message_id=message_id))
        return replace(self, game=replace(self.game, message_id=message_id))

    @property
    def view(self) -> Callable[[str], View]:
        """The message, for a bot with this username."""
        return partial(boards.board, self.game, guest=self.guest)


@dataclass(frozen=True, slots=True)
class Message:
    """The wish to say something; with a `message_id`, in the place of that message."""

    chat_id: int
    view: View
    thread_id: int | None = None
    message_id: int | None = None
    tries: int = 0


def boards_of(game: Game) -> Sequence[Board]:
    """The boards of a game: one, or two where a link brought its players together."""
    if game.guest_chat_id is None:
        return (Board(game),)
    return (Board(game), Board(game, guest=True))
