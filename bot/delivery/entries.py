"""What waits to be sent: entries, which send themselves, and the messages that features make."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Literal, NamedTuple

from telegram.error import TelegramError

from bot.boards.view import View
from bot.delivery.pace import Chat, Priority
from bot.game.exhibitions import is_watched
from storage.games.game import Game, GameKind, Limits
from storage.games.record import Board, Notice, NoticeKind, Record

UNREACHABLE_SECONDS: Final = 24 * 3600
"""A board or a notice that has failed for this long counts as unreachable."""


class Prompt(NamedTuple):
    """A tap, or a command, that somebody waits to see the effect of."""

    person: int
    arrived: float
    """When it came in, by `time.perf_counter`."""
    priority: Priority
    """That of its boards where it was made: for a command that of replies, unless it's a move."""
    chat_id: int | None
    """The chat where it was made; None for inline mode. Elsewhere nobody has tapped."""


class NotNow(Exception):
    """Something can't be made or sent now, or isn't right any more: the sweep comes back to it."""


@dataclass(kw_only=True, eq=False)
class Entry:
    """What waits in the lane of a chat, and sends itself. Its verbs say what else follows for it from a call."""

    chat: Chat
    """The chat whose limits apply."""
    key: Hashable
    """Newer entries with the same key replace it."""
    priority: Priority
    person: int | None
    """The person whose share of the chat's pace it uses."""
    is_send: bool
    """Whether it makes a new message: a group in slow mode refuses that, and goes on taking edits."""
    chat_id: int | None
    """The chat where it is; None for a message of inline mode."""
    thread_id: int | None = None
    """The forum topic where it is."""
    prompt: Prompt | None = None
    """What first asked for it, since it was last sent."""
    is_upload: bool = False
    """Whether it has a file. That may take minutes and needs no order, so its lane goes on meanwhile."""
    patience: float = UNREACHABLE_SECONDS
    """For how many seconds it is tried."""
    tries: int = 0

    @property
    def id(self) -> tuple[Chat, Hashable]:
        """What it shares with newer states of the same alone."""
        return self.chat, self.key

    def follow(self, older: Entry) -> None:
        """Take over what an older entry with its key has, which it replaces."""
        self.priority = min(self.priority, older.priority)

    async def send(self) -> None:
        """Make its calls. They raise what Telegram and the database do, and NotNow to leave it to the sweep."""
        raise NotImplementedError

    def leave(self) -> None:
        """Nobody sends it from here any more; perhaps the sweep comes back to it."""

    def dropped(self) -> None:
        """There is no room for it, or no longer."""
        self.leave()

    async def give_up(self) -> None:
        """No more calls are made for it."""

    async def lost(self) -> None:
        """The message that it was to edit is gone."""
        await self.give_up()

    async def refused(self, error: TelegramError) -> float | None:  # noqa: ARG002 - for what has something to say
        """Its chat takes nothing; returns the seconds until it's asked again, None for never."""
        await self.give_up()
        return None

    async def put_off(self, error: TelegramError) -> bool:  # noqa: ARG002 - likewise
        """Telegram may have carried out a call that failed; True if it's left to the sweep for that."""
        return False

    def held_up(self) -> bool:
        """Its group takes no new messages for a while; False if it isn't worth the wait."""
        return True

    async def leave_topic(self) -> None:
        """Its topic does not exist, so it goes on outside of it."""
        self.thread_id = None

    def moved(self, chat_id: int) -> None:
        """Its group has another id now."""


def first_of(earlier: Prompt | None, later: Prompt | None, board: Board) -> Prompt | None:
    """Which of two prompts a board is shown for: one where it is, and of those the more urgent, or the first."""
    if earlier is None or later is None:
        return earlier or later
    return min(earlier, later, key=lambda prompt: (prompt.chat_id != board.chat_id, prompt.priority))


def priority_of(board: Board, game: Game, prompt: Prompt | None) -> Priority:
    """When a board's turn comes among what its chat waits for."""
    if board.message_id is None and board.inline_message_id is None:
        # In a cup people wait for their next game.
        is_asked_for = not board.called or game.time_limits is Limits.CUP
        return Priority.NEW if is_asked_for else Priority.UNPROMPTED
    if prompt is not None and prompt.chat_id == board.chat_id:
        return prompt.priority
    return Priority.UNPROMPTED if is_watched(game) or board.leaving else Priority.BOARD


def person_of(board: Board, game: Game, prompt: Prompt | None) -> int | None:
    """The person whose share of the chat's pace a board uses: the one who acted, or else the game's."""
    if prompt is not None:
        return prompt.person
    if board.chat_id is not None and board.chat_id > 0:
        return board.chat_id
    return board.viewer or game.host or game.x.seat or game.o.seat


def newer(record: Record, before: Mapping[int, Board], held: Callable[[Chat], float]) -> Sequence[Board]:
    """The boards of a record that were stored as newer versions than before, and can be reached.

    A board that another one is about to replace is left out: it goes once the other has its message, and if that
    never comes, the sweep shows it. It stays in a chat that takes no new messages for a while (`held`).
    """
    coming = [board for board in record.boards if board.replaces and board.message_id is None]
    going = [each.replaces for each in coming if each.chat_id is None or not held(each.chat_id)]
    changed = [board for board in record.boards if board is not before.get(board.id)]
    return [board for board in changed if board.id not in going and not board.is_unreachable]


def is_homeless(board: Board, game: Game) -> bool:
    """Whether a running game of two of inline mode has no place any more if a board can't be shown.

    It is shown there, or for the first time to one of the two in their private chat.
    """
    is_inline = game.kind is GameKind.PAIR and game.chat_id is None and not game.is_over
    is_first = board.message_id is None and not board.shown and board.replaces is None
    return is_inline and (board.inline_message_id is not None or is_first)


def is_sent_to_rival(board: Board, game: Game) -> bool:
    """Whether a message brings a challenge into the private chat of the person challenged."""
    return game.is_challenge and board.viewer is not None and game.mark_of(board.viewer) is None


def is_silent(board: Board, game: Game, prompt: Prompt | None) -> bool:
    """Whether a new message makes no sound: it sounds only for people whom it calls, and not while they act."""
    if (board.chat_id or 0) > 0:
        acts = prompt is not None and prompt.chat_id == prompt.person == board.chat_id
        return acts or is_sent_to_rival(board, game)
    return not board.called and not (game.is_challenge and game.names_rival and not game.hushed)


@dataclass(frozen=True, slots=True, eq=False)
class File:
    """A picture or another file, and what to do once Telegram has it, or no longer has it."""

    content: bytes | str | Callable[[], bytes]
    """The file, the `file_id` of one that Telegram has, or what reads it, in a thread, only while it is sent."""
    name: str
    form: Literal["photo", "animation", "document"] = "photo"
    instead: OutgoingMessage | Notice | None = None
    """What is sent, or made, where the chat takes no such picture."""
    on_sent: Callable[[str], Awaitable[None]] | None = None
    """Told the `file_id` once it is sent."""
    on_lost: Callable[[str], Awaitable[None]] | None = None
    """Told the `file_id` if Telegram no longer has that file; the picture is then made again."""


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
    file: File | None = None
    """The file that the text is the caption of."""
    remake: Callable[[], Awaitable[View | None]] | None = None
    """Makes the text again just before it is sent, if it has waited or has a file: people it names may have been
    forgotten meanwhile. Returns None if there is nothing left to say, and raises NotNow if its picture is of the
    past."""
    goes: bool = False
    """Whether it is deleted instead, if Telegram still does that."""
    too_many: View | None = None
    """What a person who asks for too much at a time is told instead."""
    made_at: float = field(default_factory=lambda: time.monotonic())  # noqa: PLW0108 - asks the clock that is there then

    @property
    def key(self) -> Hashable:
        """Newer entries with the same key replace it: equal answers, newer states of a menu or a cup."""
        if self._is_edited:
            return self.notice and (self.notice.kind, self.notice.cup)
        if self.notice is not None:
            return "notice", self.notice.id
        if self.message_id is not None:
            return "menu", self.message_id
        of = None if self.file is None else self.file.name
        return "message", self.person, self.thread_id, self.view, of

    @property
    def _is_edited(self) -> bool:
        """Whether it is a group's cup or puzzle, one message that is edited."""
        return self.notice is not None and (self.notice.kind is NoticeKind.CUP or self.notice.is_of_group_puzzle)

    @property
    def priority(self) -> Priority:
        notice = self.notice
        if not self.is_send:  # somebody has tapped a menu or a cup; or a cup has gone on by itself
            is_by_itself = notice is not None and notice.cup is not None and self.person is None
            return Priority.UNPROMPTED if is_by_itself else Priority.BOARD
        is_asked_for = notice is None or bool(notice.person or notice.cup) or self._is_edited
        return Priority.NEW if is_asked_for else Priority.UNPROMPTED

    @property
    def is_send(self) -> bool:
        return self.message_id is None

    @property
    def is_reply(self) -> bool:
        """Whether it is a new message that somebody has just asked for."""
        return self.is_send and self.notice is None and self.person is not None

    @property
    def is_silent(self) -> bool:
        """Whether it makes no sound: in a group only a cup calls people besides boards, as a round begins.

        What people ask for calls nobody.
        """
        kind = None if self.notice is None or self.notice.person is not None else self.notice.kind
        if self.chat_id < 0:
            return kind is not NoticeKind.ROUND
        return self.person == self.chat_id or kind in (NoticeKind.BEATEN, NoticeKind.FORGOTTEN)


def saying(notice: Notice) -> partial[OutgoingMessage]:
    """Makes the message that a notice becomes, of a view and what else it has."""
    say = partial(OutgoingMessage, thread_id=notice.thread_id, reply_to=notice.reply_to, notice=notice)
    return partial(say, notice.chat_id, person=notice.person)
