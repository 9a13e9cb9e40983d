"""Who sent a command or tapped a button, where, and whom a message mentions."""

import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import telegram
from sqlalchemy import Connection
from telegram import Message, MessageEntity, Update, User

from bot.boards import rule_words
from bot.boards.buttons import Button, read
from bot.boards.names import clean
from bot.boards.rule_words import WordError
from bot.boards.translations import folded
from bot.boards.view import View
from bot.context.feature import By
from bot.context.services import Context, Services
from bot.delivery.entries import OutgoingMessage, Prompt
from bot.delivery.pace import Priority
from bot.game.attempt import NO_FACTS, Attempt, Facts, NotAllowed, Player, Refusal, Unclear, Where
from bot.language import N_, _, in_language, spoken
from storage.games import lookups, outbox
from storage.games.game import ADMINISTRATOR
from storage.games.outbox import Asked
from storage.games.record import Notice, NoticeKind, Place, Record
from storage.once import Once

USERNAME: Final = re.compile(r"@[A-Za-z][A-Za-z0-9_]{2,31}")


def mentions(message: Message) -> tuple[Sequence[str], Sequence[Player]]:
    """The words after the command without names of people, and those people; none where it has no slash.

    Somebody without a username is named by an entity over their name, which may be several words; its offsets
    count UTF-16 units (Bot API, MessageEntity). They come first; who is named by a username has the id 0.
    """
    if not (message.text or "").startswith("/"):
        return [], []
    text = (message.text or "").encode("utf-16-le")
    people = []
    for entity in message.entities:
        if entity.type == MessageEntity.TEXT_MENTION and entity.user is not None:
            start, length = 2 * entity.offset, 2 * entity.length
            text = text[:start] + " ".encode("utf-16-le") * entity.length + text[start + length :]
            user = entity.user
            people.append(
                Player(user.id, stored_name(user) if not user.is_bot else "", "bot" if user.is_bot else None)
            )
    words = text.decode("utf-16-le", "replace").split()[1:]
    people += [Player(0, "", word[1:].lower()) for word in words if USERNAME.fullmatch(word)]
    return [word for word in words if not USERNAME.fullmatch(word)], people


TOO_MANY: Final = N_("That's a lot at once! I'm still answering; give me a moment.")
DRAWING: Final = N_("Drawing it…")
NO_PICTURES: Final = N_("This group doesn't allow pictures, so I can't send it here.")
CANNOT_DRAW: Final = N_("I can't draw it right now. Try again in a minute.")

AWAY_SECONDS: Final = 300
"""What comes later than this was sent while the bot was away."""
SAME_WORDS_SECONDS: Final = 3600
"""For so long the same words of somebody that were sent then count once."""
OLD_SECONDS: Final = 3600
"""What comes later than this begins nothing in a group."""


@dataclass(frozen=True, slots=True)
class Requester:
    """The person behind an update, where it comes from, and the services to answer it with."""

    services: Services
    user: User
    update_id: int
    where: Where
    arrived: float | None = None
    """When their tap, or the move that they typed, came in, by `time.perf_counter`; None for all else."""
    as_chat: bool = False
    """Whether it is an anonymous administrator of the chat, who posts as the chat itself."""
    below: int | None = None
    """The message of their command, if it is one; a board out of sight from there moves down to it."""
    edition: int | None = None
    """Which edition of a game's position they tapped (`bot.game.play.edition_of`)."""
    button: str | None = None
    """The data of the button that they tapped."""

    @property
    def once(self) -> Once:
        """The key of what they ask for."""
        return self.services.once(self.update_id)

    @property
    def once_a_minute(self) -> Once:
        """That, and one that a second tap on the same button has."""
        tap = self.user.id, self.chat_id, self.where.message_id, self.button
        return self.once._replace(like=self.services.digest_of(tap))

    @property
    def chat_id(self) -> int:
        """The chat they are in; 0 if it is only known by a message of inline mode."""
        return self.where.chat_id or 0

    @property
    def is_private(self) -> bool:
        return self.chat_id > 0

    @property
    def prompt(self) -> Prompt:
        """What they wait to see the effect of."""
        if self.arrived is None:
            return Prompt(self.user.id, time.perf_counter(), Priority.NEW, self.where.chat_id)
        return Prompt(self.user.id, self.arrived, Priority.TAPPED, self.where.chat_id)

    @property
    def shown(self) -> Button | None:
        """The first button of the tapped message, which tells what that message is."""
        return read(self.where.first)

    def is_at(self, *kinds: type[Button]) -> bool:
        """Whether the tapped message begins with a button of these kinds, or did as far as anybody knows."""
        return self.where.is_lost or isinstance(self.shown, kinds)

    @property
    def player(self) -> Player:
        user, language = self.user, self.services.languages.of(self.user)
        if self.as_chat:
            return Player(ADMINISTRATOR, "", None, language)
        return Player(user.id, stored_name(user), user.username, language)

    @property
    def place(self) -> Place:
        """Where a board comes for what they ask here; in a private chat it is theirs alone."""
        viewer = self.user.id if self.is_private else None
        return self.where.place._replace(chat_id=self.chat_id, viewer=viewer, language=self.player.language)

    @property
    def own_place(self) -> Place:
        """Where a board comes in their private chat: in the topic in which they ask for it there."""
        thread = self.where.thread_id if self.where.chat_id == self.user.id else None
        return Place(self.user.id, thread, viewer=self.user.id, language=self.player.language)

    @property
    def language_here(self) -> str:
        """The language of the chat, for its messages: a group's choice, else the person's."""
        return self.services.languages.of(self.user, self.where.chat_id)

    async def turn_to(self, make: Callable[[], Awaitable[View]], *, below: bool = False) -> None:
        """Show in the tapped message, or `below`, what `make` makes, in the language of its chat."""
        remake = in_language(self.language_here, make)
        self.show_instead(await remake(), remake, below=below)

    def show_instead(
        self, view: View, remake: Callable[[], Awaitable[View]] | None = None, *, below: bool = False
    ) -> None:
        """Show something in the tapped message, or below if that is lost; `remake` makes it again if it waits."""
        where = self.where
        if where.message_id is not None:
            shown = OutgoingMessage(self.chat_id, view, person=self.user.id, remake=remake)
            replaced = None if where.is_lost or below else where.message_id
            self.services.messages.say(replace(shown, thread_id=where.thread_id, message_id=replaced))

    async def is_admin(self) -> bool | None:
        """Whether they are an administrator of the group they are in; None if Telegram doesn't say."""
        return self.as_chat or await self.services.admins.is_admin(self.chat_id, self.user.id)

    async def need_admin(self) -> None:
        """Raise `NotAllowed` unless they are one."""
        if not (is_admin := await self.is_admin()):
            raise NotAllowed(Refusal.UNKNOWN if is_admin is None else Refusal.ADMINISTRATORS_ONLY)

    def notice(self, kind: NoticeKind, *, game_id: int | None = None) -> Notice:
        """A row of the outbox for something the person asks for, to be sent here or to their private chat."""
        chat_id, where = self.chat_id or self.user.id, self.where
        language = self.services.languages.of(self.user, chat_id)
        notice = Notice(0, kind, game_id, None, chat_id, where.thread_id, language, 0, self.user.id)
        return notice._replace(reply_to=where.reply_to)

    async def ask(self, find: Callable[[Connection], Notice]) -> Asked:
        """Store what `find` makes of something that the person asks for, and begin to make it."""
        asked, notice = await self.services.store.run(lambda connection: outbox.ask(connection, find(connection)))
        if asked is Asked.STORED:
            self.services.messages.tell(notice)
        return asked

    def attempt(self, facts: Facts = NO_FACTS) -> Attempt:
        services = self.services
        return Attempt(
            self.player,
            self.where,
            int(time.time()),
            services.rng,
            services.limits,
            below=self.below,
            facts=facts,
            edition=self.edition,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest(Requester):
    """A command of a person, in a chat."""

    message: telegram.Message
    args: Sequence[str]
    """The words after the command."""

    @property
    def once(self) -> Once:
        """The key of the message, which it has if an app sends it again; an album is one message.

        What comes late is like the same words, as people say them again while nobody answers.
        """
        message, services = self.message, self.services
        number = message.media_group_id or message.message_id
        once = Once(services.digest_of((message.chat.id, number, int(message.date.timestamp()))))
        if not message.text or services.calls.seconds_since(message.date) <= AWAY_SECONDS:
            return once
        said = folded(message.text).replace(services.signature.lower(), "")
        replied = message.reply_to_message and message.reply_to_message.message_id
        same = message.chat.id, self.user.id, self.where.thread_id, replied, said
        return once._replace(like=services.digest_of(same), seconds=SAME_WORDS_SECONDS)

    @property
    def once_a_minute(self) -> Once:
        return self.once

    def read(
        self, words: Sequence[str], *kinds: str, person: str | None = None, other: str | None = None
    ) -> Mapping[str, str]:
        """What words ask for (`rule_words.read`); raises `Unclear` with a complaint if they make no sense."""
        try:
            return rule_words.read(words, *kinds)
        except WordError as error:
            raise Unclear(rule_words.complaint(error, *kinds, person=person, other=other)) from None

    def need_recent(self, *, also_in_private: bool = False) -> None:
        """Raise `NotAllowed` if it was sent to a group so long ago that nothing is to begin by it any more."""
        is_old = self.services.calls.seconds_since(self.message.date) > OLD_SECONDS
        if is_old and (also_in_private or not self.is_private):
            raise NotAllowed(Refusal.SENT_LONG_AGO)

    @property
    def answers_us(self) -> bool:
        replied = self.message.reply_to_message
        return replied is not None and replied.from_user is not None and replied.from_user.is_bot

    @property
    def replied_to(self) -> User | None:
        """The person whose message in a group the command replies to.

        In a topic every message replies at least to the opening one; and a stand-in is nobody.
        """
        replied = None if self.is_private else self.message.reply_to_message
        if replied is None or replied.from_user is None or replied.from_user.is_bot:
            return None
        is_nobodys = replied.forum_topic_created is not None or replied.sender_chat is not None
        return None if is_nobodys else replied.from_user

    def answered_game(self, connection: Connection) -> Record | None:
        """The game on the board to which the command replies, if it does."""
        replied = self.message.reply_to_message
        return None if replied is None else lookups.on_message(connection, self.chat_id, replied.message_id)

    def games_here(self, connection: Connection) -> Sequence[Record]:
        """That game or, if it replies to none, those of the newest boards in its topic."""
        answered = self.answered_game(connection)
        return [answered] if answered else lookups.newest(connection, self.chat_id, self.where.thread_id)

    def reply(self, answer: str | View, remake: Callable[[], Awaitable[View]] | None = None) -> None:
        """Answer where the command was sent, in a group by quoting it.

        A text is HTML; `remake` makes the answer again if it had to wait.
        """
        view = View(answer) if isinstance(answer, str) else answer
        too_many = View(_(TOO_MANY))
        remake = remake and in_language(spoken(), remake)
        person = self.user.id
        reply_to = None if self.is_private else self.message.message_id
        self.services.messages.say(
            OutgoingMessage(
                self.chat_id, view, self.where.thread_id, reply_to, person=person, remake=remake, too_many=too_many
            )
        )

    async def reply_with(self, make: Callable[[], Awaitable[View]]) -> None:
        """Answer with something that names others: made again if it had to wait, as they may be gone then."""
        self.reply(await make(), make)


def first_button(message: Message | None) -> Button | None:
    """The first button of a message, which tells what it shows."""
    if message is None or message.reply_markup is None:
        return None
    data = message.reply_markup.inline_keyboard[0][0].callback_data
    return read(data) if isinstance(data, str) else None


def request_of(update: Update, context: Context, by: By = By.PEOPLE) -> CommandRequest | None:
    """The command of an update; None, with an explanation to the sender, if it isn't for them.

    Messages of anonymous administrators and of channels carry a stand-in for the person (Bot API, Message).
    """
    message = update.effective_message
    if message is None or message.from_user is None:
        return None
    where = Where(message.chat.id, *thread_of(message))
    as_chat = message.sender_chat is not None and message.sender_chat.id == message.chat.id
    request = CommandRequest(
        context.services,
        message.from_user,
        update.update_id,
        where,
        as_chat=as_chat,
        below=message.message_id,
        message=message,
        args=context.args or (),
    )
    if by is By.ANYBODY or (as_chat and by is By.ADMINISTRATORS):
        return request
    if message.sender_chat is not None or message.from_user.is_bot:
        if context.services.may_tell(message.chat.id):
            request.reply(_(Refusal.ANONYMOUS.value))
        return None
    return request


GENERAL: Final = 1
"""The thread of messages that are in no topic of their own, where a message names one."""


def stored_name(user: User) -> str:
    """A person's name as it is stored: clean, perhaps empty."""
    return clean(user.full_name or "")


def thread_of(message: Message) -> tuple[int | None, int | None]:
    """The topic of a message, in a forum or a private chat, and what an answer to it replies to (`Place`).

    In ordinary supergroups `message_thread_id` only names a chain of replies, such as the comments below a
    channel's post; the general topic has none (Bot API, Message), or a number that Telegram doesn't take back.
    """
    return thread_in(message.chat.id, message.message_id, message.message_thread_id, message.is_topic_message)


def thread_in(chat_id: int, message_id: int, thread_id: object, in_topic: object) -> tuple[int | None, int | None]:
    """The same of a message by its fields, as Telegram sends them."""
    if not isinstance(thread_id, int) or thread_id == GENERAL:
        return None, None
    return (thread_id, None) if in_topic is True else (None, message_id if chat_id < 0 else None)
