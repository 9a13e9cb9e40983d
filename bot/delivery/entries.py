"""What waits to be sent, as values: a board of a game as it is now, or words."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from bot.delivery.lane import Kind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

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


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A photo or an animation, with what is to be done once Telegram has it, or has it no more."""

    content: bytes | str
    """The file, or the `file_id` of one that Telegram keeps."""
    filename: str
    moving: bool = False
    """Whether it is an animation."""
    sent: Callable[[int, str], Awaitable[None]] | None = None
    """Told the message and the `file_id` once it is sent."""
    lost: Callable[[str], None] | None = None
    """Told the `file_id` if Telegram does not keep that file any more."""
    holds: Callable[[], Awaitable[bool]] | None = None
    """Asked just before it is sent: whoever it shows may have been forgotten while it waited. Who says no sees to
    what is sent in its place."""


class Attachment(NamedTuple):
    """A file that is sent with words below it."""

    name: str
    read: Callable[[], bytes]
    """Its content; asked in a thread, when it is sent, so that what waits is not in memory."""
    sent: Callable[[], Awaitable[None]] | None = None
    """Called once it is sent."""


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
    picture: Picture | None = None
    """What the words stand below."""
    attachment: Attachment | None = None
    """A file that they stand below."""
    anew: Callable[[], Awaitable[View | None]] | None = None
    """Makes what is said once more, if it has waited: whoever it names may have been forgotten meanwhile. What has
    lost its point by then is None."""
    made_at: float = field(default_factory=time.monotonic)
    tries: int = 0

    @property
    def key(self) -> Hashable:
        """What tells it from others: equal answers to one person are given once, a menu shows its newest state."""
        if self.notice is not None:
            return "notice", self.notice.id
        if self.message_id is not None:
            return "menu", self.message_id
        of = None if self.picture is None else self.picture.filename
        return "words", self.person, self.thread_id, self.view, of

    @property
    def kind(self) -> Kind:
        """What it is in its chat's lane."""
        return Kind.REPLY if self.notice is None else Kind.UNPROMPTED

    @property
    def has_file(self) -> bool:
        """Whether the words stand below a file."""
        return self.picture is not None or self.attachment is not None

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
