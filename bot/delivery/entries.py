"""What waits to be sent, as values: a board of a game as it is now, or another message."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

from bot.boards.view import View
from bot.delivery.lanes import Tap
from bot.delivery.pace import Chat, Kind
from bot.game.exhibitions import is_watched
from storage.games.game import Game, GameKind, Limits
from storage.games.record import Board, Notice, NoticeKind, Record


def first_of(earlier: Tap | None, later: Tap | None, board: Board) -> Tap | None:
    """Which of two taps a board is shown for: one made where it is, and of those the more urgent, or the first."""
    if earlier is None or later is None:
        return earlier or later
    return min(earlier, later, key=lambda tap: (tap.chat_id != board.chat_id, tap.kind))


class Showing(NamedTuple):
    """A game to be shown on one of its boards."""

    chat: Chat
    """The chat whose limits apply."""
    board: Board
    game: Game
    tries: int = 0
    blocked: bool = False
    """Whether Telegram has already said once that its viewer has blocked the bot."""
    is_reshow: bool = False
    """Whether it only repeats what was shown, because another process may have shown something older since."""
    hint: int | None = None
    """A cell to mark, this once."""
    tap: Tap | None = None
    """The tap, or the command, that first asked for this, since the board was last shown."""

    @property
    def chat_id(self) -> int | None:
        """The chat where it is; None for a message of inline mode."""
        return self.board.chat_id

    @property
    def key(self) -> Hashable:
        return self.board.id

    @property
    def kind(self) -> Kind:
        if self.is_send:
            # In a cup people wait for their next game.
            is_asked_for = not self.board.called or self.game.time_limits is Limits.CUP
            return Kind.NEW if is_asked_for else Kind.UNPROMPTED
        if self.tap is not None and self.tap.chat_id == self.board.chat_id:
            return self.tap.kind
        return Kind.BOARD if self.watched is None and not self.board.leaving else Kind.UNPROMPTED

    @property
    def is_send(self) -> bool:
        return self.board.message_id is None and self.board.inline_message_id is None

    @property
    def for_whom(self) -> int | None:
        """The person whose share of the chat's pace it uses: the one who tapped, or else the game's."""
        if self.tap is not None:
            return self.tap.person
        board, game = self.board, self.game
        if board.chat_id is not None and board.chat_id > 0:
            return board.chat_id
        return board.viewer or game.host or game.x.seat or game.o.seat

    @property
    def watched(self) -> int | None:
        """The id of the game that this shows, if the computer plays it against itself."""
        return self.game.id if is_watched(self.game) else None

    @property
    def is_of_strangers(self) -> bool:
        """Whether somebody waits for an opponent, or plays one that they were paired with."""
        return self.game.time_limits is Limits.STRANGERS

    @property
    def is_homeless(self) -> bool:
        """Whether a running game of two of inline mode has no place any more if this can't be shown.

        It is shown there, or for the first time to one of the two in their private chat.
        """
        board, game = self.board, self.game
        is_inline = game.kind is GameKind.PAIR and game.chat_id is None and not game.is_over
        is_first = board.message_id is None and not board.shown
        return is_inline and (board.inline_message_id is not None or is_first)

    @property
    def thread_id(self) -> int | None:
        return self.board.thread_id

    def without_thread(self) -> Showing:
        return self._replace(board=self.board._replace(thread_id=None))

    def tried(self) -> Showing:
        return self._replace(tries=self.tries + 1)


def newer(record: Record, before: Mapping[int, Board], held: Callable[[Chat], float]) -> Sequence[Board]:
    """The boards of a record that were stored as newer versions than before, and can be reached.

    A board that another one is about to replace is left out: it goes once the other has its message, and if that
    never comes, the sweep shows it. It stays in a chat that takes no new messages for a while (`held`).
    """
    coming = [board for board in record.boards if board.replaces and board.message_id is None]
    going = [each.replaces for each in coming if each.chat_id is None or not held(each.chat_id)]
    changed = [board for board in record.boards if board is not before.get(board.id)]
    return [board for board in changed if board.id not in going and not board.is_unreachable]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A photo or an animation, and what to do once Telegram has it, or no longer has it."""

    content: bytes | str
    """The file, or the `file_id` of one that Telegram has."""
    filename: str
    instead: OutgoingMessage | Notice
    """What is sent, or made, where the chat takes no such picture."""
    moving: bool = False
    """Whether it is an animation."""
    on_sent: Callable[[str], Awaitable[None]] | None = None
    """Told the `file_id` once it is sent."""
    on_lost: Callable[[str], Awaitable[None]] | None = None
    """Told the `file_id` if Telegram no longer has that file; the picture is then made again."""


class MakeAgain(Exception):
    """What was made can't be sent, or isn't right any more: the sweep makes it again."""


class Attachment(NamedTuple):
    """A file, which is in memory only while it is sent."""

    name: str
    read: Callable[[], bytes]
    """Reads it; called in a thread."""


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to be sent; with a `message_id`, it replaces the content of that message."""

    chat_id: int
    view: View
    thread_id: int | None = None
    reply_to: int | None = None
    """The message it answers, where several people write."""
    message_id: int | None = None
    person: int | None = None
    """The person who asked for it."""
    notice: Notice | None = None
    """The notice of the outbox that it says."""
    picture: Picture | None = None
    """The picture that the text is the caption of."""
    attachment: Attachment | None = None
    """The file that it is sent with."""
    remake: Callable[[], Awaitable[View | None]] | None = None
    """Makes the text again just before it is sent, if it has waited or has a file: people it names may have been
    forgotten meanwhile. Returns None if there is nothing left to say, and raises MakeAgain if its picture is of
    the past."""
    too_many: View | None = None
    """What a person who asks for too much at a time is told instead."""
    made_at: float = field(default_factory=time.monotonic)
    tries: int = 0

    @property
    def key(self) -> Hashable:
        """Newer entries with the same key replace it: equal answers, newer states of a menu or a cup."""
        if self.notice is not None and self.notice.kind is NoticeKind.CUP:
            return "cup"
        if self.notice is not None:
            return "notice", self.notice.id
        if self.message_id is not None:
            return "menu", self.message_id
        of = None if self.picture is None else self.picture.filename
        return "message", self.person, self.thread_id, self.view, of

    @property
    def kind(self) -> Kind:
        if not self.is_send:
            return Kind.BOARD  # a menu, or a cup: people tap its buttons, and follow it
        notice = self.notice
        is_asked_for = notice is None or notice.person is not None or notice.kind is NoticeKind.CUP
        return Kind.NEW if is_asked_for else Kind.UNPROMPTED

    @property
    def is_send(self) -> bool:
        return self.message_id is None

    @property
    def for_whom(self) -> int | None:
        return self.person

    @property
    def is_silent(self) -> bool:
        """Whether it makes no sound: in a group, only boards call anybody."""
        return self.chat_id < 0 or (self.notice is not None and self.notice.kind is NoticeKind.BEATEN)

    @property
    def has_file(self) -> bool:
        return self.picture is not None or self.attachment is not None

    def without_thread(self) -> OutgoingMessage:
        return replace(self, thread_id=None)

    def tried(self) -> OutgoingMessage:
        return replace(self, tries=self.tries + 1)


def saying(notice: Notice) -> partial[OutgoingMessage]:
    """Makes the message that a notice becomes, of a view and what else it has."""
    say = partial(OutgoingMessage, thread_id=notice.thread_id, reply_to=notice.reply_to, notice=notice)
    return partial(say, notice.chat_id, person=notice.person)
