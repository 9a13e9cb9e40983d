"""What waits to be sent, as values: a board of a game as it is now, or words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable

    from bot.delivery.pace import Chat
    from bot.views.view import View
    from storage.board import Board
    from storage.game import Game
    from storage.notice import Notice


@dataclass(frozen=True, slots=True)
class Showing:
    """The wish to show a game on one of its boards."""

    chat: Chat
    """The chat whose pace it keeps."""
    board: Board
    game: Game
    tries: int = 0
    once_more: bool = False
    """Whether it only repeats what was shown, because somebody else may have shown something older since."""
    hint: int | None = None
    """A cell to mark, this once."""
    arrived: float | None = None
    """When the tap came in that first asked for this, by `time.perf_counter`."""

    @property
    def key(self) -> Hashable:
        """What tells this board from others: its newer states take its place."""
        return self.board.id

    @property
    def has_thread(self) -> bool:
        """Whether it goes to a forum topic."""
        return self.board.thread_id is not None

    def without_thread(self) -> Showing:
        """The same in the general topic."""
        return replace(self, board=self.board._replace(thread_id=None))

    def tried(self) -> Showing:
        """The same, tried once more."""
        return replace(self, tries=self.tries + 1)


@dataclass(frozen=True, slots=True)
class Words:
    """The wish to say something; with a `message_id`, in the place of that message."""

    chat_id: int
    view: View
    thread_id: int | None = None
    message_id: int | None = None
    person: int | None = None
    """Who has asked for it."""
    notice: Notice | None = None
    """What is said with it, out of the outbox."""
    photo: bytes | None = None
    """A picture that the words stand below."""
    tries: int = 0

    @property
    def key(self) -> Hashable:
        """What tells it from others: equal answers to one person are given once, a menu shows its newest state."""
        if self.notice is not None:
            return "notice", self.notice.id
        if self.message_id is not None:
            return "menu", self.message_id
        return "words", self.person, self.thread_id, self.view

    @property
    def has_thread(self) -> bool:
        """Whether it goes to a forum topic."""
        return self.thread_id is not None

    def without_thread(self) -> Words:
        """The same in the general topic."""
        return replace(self, thread_id=None)

    def tried(self) -> Words:
        """The same, tried once more."""
        return replace(self, tries=self.tries + 1)

    def moved_to(self, chat_id: int) -> Words:
        """The same for the chat's new id."""
        return replace(self, chat_id=chat_id)
