"""Chats: their members, rights, topics and messages, and what the bot hears of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count, takewhile
from typing import Literal

from playground.accounts import TELEGRAM, Human, Status, User
from playground.errors import Json
from playground.files import StoredFile
from playground.hub import Hub
from playground.keyboards import Keyboard
from playground.texts import Text
from playground.waiting import PATIENCE, Changes

ChatKind = Literal["private", "group", "supergroup"]

GENERAL = 1
"""The thread id of a forum's general topic, which messages never carry."""


@dataclass(frozen=True, slots=True)
class Service:
    """The content of a service message: the Bot API's fields, and words for the page."""

    fields: Json
    words: str


@dataclass(eq=False, slots=True)
class Message:
    """A message, to be posted in its chat; edits change it in place."""

    chat: Chat
    sender: User
    content: Text = field(default_factory=lambda: Text(""))
    keyboard: Keyboard = field(default_factory=list)
    """The inline keyboard's rows of Bot API buttons."""
    reply_to: Message | None = None
    thread: int | None = None
    """`message_thread_id`."""
    in_topic: bool = False
    sender_chat: Json | None = None
    """The chat on whose behalf an anonymous administrator or a channel speaks."""
    forward_origin: Json | None = None
    """Where a forwarded message comes from."""
    via_bot: bool = False
    """Sent by a person through the bot's inline mode."""
    inline_id: str | None = None
    """`inline_message_id`."""
    service: Service | None = None
    file: StoredFile | None = None
    """A photo, animation or document; the text is then its caption."""
    id: int = 0
    date: int = 0
    edit_date: int | None = None
    deleted: bool = False
    revision: int = 0
    """How often it was edited."""
    seen: int = 0
    """The revision seen by the last tap or `changed()`."""

    @property
    def text(self) -> str:
        return self.content.text

    @property
    def entities(self) -> list[Json]:
        return self.content.entities

    @property
    def photo(self) -> StoredFile | None:
        return self._file_of("photo")

    @property
    def animation(self) -> StoredFile | None:
        return self._file_of("animation")

    @property
    def document(self) -> StoredFile | None:
        return self._file_of("document")

    def _file_of(self, kind: str) -> StoredFile | None:
        return self.file if self.file is not None and self.file.kind == kind else None

    @property
    def from_bot(self) -> bool:
        """Whether the bot wrote it, directly or by inline mode."""
        return self.via_bot or self.sender.id == self.chat.world.bot.id

    @property
    def labels(self) -> list[list[str]]:
        """The labels of the keyboard, row by row."""
        return [[button["text"] for button in row] for row in self.keyboard]

    def button(self, label: str | None = None, *, row: int | None = None, column: int | None = None) -> Json:
        """A button, by its label (all of it, or a unique part) or its place."""
        if label is None:
            try:
                return self.keyboard[row or 0][column or 0]
            except IndexError:
                raise LookupError(f"no button at row {row}, column {column} of {self.labels}") from None
        buttons = [button for row in self.keyboard for button in row]
        fitting = [button for button in buttons if button["text"] == label] or [
            button for button in buttons if label in button["text"]
        ]
        if len(fitting) != 1:
            raise LookupError(f"{len(fitting)} buttons are labelled {label!r} among {self.labels}")
        return fitting[0]

    async def changed(self, *, within: float = PATIENCE) -> Message:
        """Wait for an edit that neither an earlier `changed()` nor the last tap on this message has seen."""
        before = self.seen
        await self.until(lambda message: message.revision > before, within=within)
        self.seen = self.revision
        return self

    async def until(self, predicate: Callable[[Message], bool], *, within: float = PATIENCE) -> Message:
        """Wait until the predicate holds for this message; it may hold already."""
        return await self.chat.changes.until(
            lambda: self if predicate(self) else None, within, lambda: f"a change of {self!r}"
        )

    def deliver(self, *, edited: bool = False) -> None:
        """Let the message reach the bot, if Telegram would."""
        chat = self.chat
        if self.sender.id == chat.world.bot.id or not chat.bot_is_in:
            return
        if chat.kind == "private" or self._concerns_bot():
            chat.world.push("edited_message" if edited else "message", self.as_json(), ("chat", chat.id))

    def _concerns_bot(self) -> bool:
        """Privacy mode: commands for us, replies to us, messages via us and service messages pass."""
        chat, bot = self.chat, self.chat.world.bot
        if not bot.privacy or chat.bot_status == "administrator" or self.service is not None or self.via_bot:
            return True
        if self.reply_to is not None and self.reply_to.sender.id == bot.id:
            return True
        for entity in self.entities:
            if entity["type"] == "bot_command":
                start, length = 2 * entity["offset"], 2 * entity["length"]
                units = self.text.encode("utf-16-le", "surrogatepass")[start : start + length]
                _, _, addressee = units.decode("utf-16-le", "replace").partition("@")
                bare = not addressee and entity["offset"] == 0 and not chat.other_bot_last
                if bare or addressee.lower() == bot.username.lower():
                    return True
        return False

    def as_json(self, *, nested: bool = True) -> Json:
        """The Bot API's Message; a `nested` one shows what it replies to."""
        body: Json = {
            "message_id": self.id,
            "from": self.sender.as_json(),
            "chat": self.chat.as_json(),
            "date": self.date,
        }
        if self.sender_chat:
            body["sender_chat"] = self.sender_chat
        if self.edit_date:
            body["edit_date"] = self.edit_date
        if self.chat.direct_messages:
            body["direct_messages_topic"] = {"topic_id": self.sender.id, "user": self.sender.as_json()}
        if self.thread is not None:
            body["message_thread_id"] = self.thread
            if self.in_topic:
                body["is_topic_message"] = True
        if nested:
            body |= self._reply_json()
        if self.forward_origin is not None:
            body["forward_origin"] = self.forward_origin
            if self.sender is TELEGRAM:
                body["is_automatic_forward"] = True
        if self.via_bot:
            body["via_bot"] = self.chat.world.bot.as_json()
        return body | (self._content_json() if self.service is None else self.service.fields)

    def _content_json(self) -> Json:
        body: Json = {}
        text, entities = "text", "entities"
        if self.file is not None:
            body = self.file.as_json()
            text, entities = "caption", "caption_entities"
        if self.text:
            body[text] = self.text
        if self.entities:
            body[entities] = self.entities
        if self.keyboard:
            body["reply_markup"] = {"inline_keyboard": self.keyboard}
        return body

    def _reply_json(self) -> Json:
        replied = self.reply_to
        if replied is None and self.in_topic and self.thread is not None:
            # What replies to nothing in a topic replies to the service message that opened it.
            replied = self.chat.messages.get(self.thread)
        if replied is None or replied is self or replied.deleted:
            return {}
        return {"reply_to_message": replied.as_json(nested=False)}

    def __repr__(self) -> str:
        state = " deleted" if self.deleted else ""
        words = self.service.words if self.service else self.text
        where = f"{self.id} in {self.chat.title!r}{state}"
        return f"<Message {where} from {self.sender.first_name!r}: {words!r} {self.labels}>"


@dataclass(eq=False, slots=True)
class Topic:
    """A topic of a forum."""

    thread: int
    name: str
    closed: bool = False
    deleted: bool = False


class Chat:
    """A private chat, a group or a supergroup."""

    def __init__(
        self,
        world: Hub,
        identifier: int,
        kind: ChatKind,
        title: str,
        people: Sequence[Human],
        *,
        forum: bool = False,
        with_bot: bool = True,
    ) -> None:
        self.world = world
        self.id = identifier
        self.kind: ChatKind = kind
        self.title = title
        self.members: dict[int, Human] = {person.id: person for person in people}
        self.statuses: dict[int, Status] = {}
        """The status of everybody who isn't a plain member, including the bot."""
        if people and kind != "private":
            self.statuses[people[0].id] = "creator"
        self.forum = forum
        """Whether it has topics, as a forum does and a private chat may."""
        self.direct_messages = False
        """Whether these are a channel's direct messages."""
        self.hidden: set[int] = set()
        """Anonymous administrators, whom getChatMember doesn't know."""
        self.topics: dict[int, Topic] = {}
        self.messages: dict[int, Message] = {}
        self.changes = Changes()
        self.migrated_to: Chat | None = None
        self.deleted = False
        self.forbidden: frozenset[str] = frozenset()
        """What only its administrators may send, by the kind of file."""
        self.slow_mode = 0
        """Seconds between two messages of the same sender, edits aside; the bot has to keep to it, too."""
        self.other_bot_last = False
        """Whether another bot posted last, so that commands without a username aren't for ours."""
        self.with_bot = with_bot
        """Whether the bot's account has ever been part of it."""
        self.instance = str(world.random.getrandbits(62))
        self.last_said = 0
        self._ids = count(GENERAL + 1)
        world.chats[identifier] = self
        world.tell("chat", self)

    @property
    def bot_status(self) -> Status:
        """The bot's status; "left" in a private chat of two people."""
        return self.statuses.get(self.world.bot.id, "member" if self.with_bot else "left")

    @property
    def bot_is_in(self) -> bool:
        return self.bot_status not in {"left", "kicked"}

    @property
    def person(self) -> Human | None:
        """The person of a private chat with the bot."""
        return next(iter(self.members.values())) if self.kind == "private" and self.with_bot else None

    def status(self, user: int) -> Status:
        if user == self.world.bot.id:
            return self.bot_status
        return self.statuses.get(user, "member" if user in self.members else "left")

    def as_json(self) -> Json:
        """The Bot API's Chat."""
        person = self.person
        if person is not None:
            known = person.as_json()
            names: Json = {key: known[key] for key in ("first_name", "last_name", "username") if key in known}
            return {"id": self.id, **names, "type": "private"}
        body = {"id": self.id, "title": self.title, "type": self.kind}
        if self.direct_messages:
            body["is_direct_messages"] = True
        if self.forum:
            body["is_forum"] = True
        return body

    # Messages

    def post(self, message: Message) -> Message:
        """Add a message to the chat; whether it reaches the bot is up to the caller."""
        message.id = self._next_id()
        message.date = int(self.world.clock.now())
        replied = message.reply_to
        if message.service is not None and "forum_topic_created" in message.service.fields:
            message.thread = message.id
        elif replied is not None and message.thread is None:
            if replied.in_topic:
                message.thread = replied.thread
            elif self.kind == "supergroup" and not self.forum:
                message.thread = replied.thread or replied.id
        message.in_topic = self.forum and message.thread is not None
        self.messages[message.id] = message
        if message.sender.id == self.world.bot.id:
            self.other_bot_last = False
        self.world.tell("message", message)
        self.changes.notify()
        return message

    def _next_id(self) -> int:
        """The next message id: a supergroup has its own counter, all other chats share the account's."""
        return next(self._ids if self.kind == "supergroup" else self.world.message_ids)

    def edited(self, message: Message) -> None:
        """Announce that a message has changed."""
        message.revision += 1
        message.edit_date = int(self.world.clock.now())
        self.world.tell("edited", message)
        self.changes.notify()

    def delete(self, message: Message) -> None:
        message.deleted = True
        self.messages.pop(message.id, None)
        self.world.tell("deleted", message)
        self.changes.notify()

    def announce(self, sender: User, fields: Json, words: str, thread: int | None = None) -> Message:
        """Post a service message; it reaches the bot whatever its privacy."""
        message = self.post(Message(self, sender, service=Service(fields, words), thread=thread))
        message.deliver()
        return message

    def open_topic(self, name: str, by: User) -> Topic:
        """Open a topic in a forum or in a private chat."""
        fields = {"forum_topic_created": {"name": name, "icon_color": 7322096}}
        topic = Topic(self.announce(by, fields, f"Topic {name}").id, name)
        self.topics[topic.thread] = topic
        self.world.tell("chat", self)
        return topic

    def tell_of_member(self, who: User, by: User, old: Status, new: Status) -> None:
        """Tell the bot of its own standing (my_chat_member), or an administrator of others'."""
        is_bots = who.id == self.world.bot.id
        if not is_bots and self.bot_status != "administrator":
            return
        payload = {
            "chat": self.as_json(),
            "from": by.as_json(),
            "date": int(self.world.clock.now()),
            "old_chat_member": who.as_member(old),
            "new_chat_member": who.as_member(new),
        }
        self.world.push("my_chat_member" if is_bots else "chat_member", payload, ("chat", self.id))

    # Waiting

    async def wait_for(
        self,
        predicate: Callable[[Message], bool] | None = None,
        *,
        after: Message | None = None,
        within: float = PATIENCE,
    ) -> Message:
        """The first message that is newer than `after` and satisfies the predicate, now, soon or by an edit.

        By default it is one from the bot, newer than the last message that a person sent here.
        """
        least = self.last_said if after is None else after.id
        wanted = predicate or (lambda message: message.from_bot and message.service is None)

        def probe() -> Message | None:
            newer = takewhile(lambda message: message.id > least, reversed(self.messages.values()))
            return min(filter(wanted, newer), key=lambda message: message.id, default=None)

        found = await self.changes.until(
            probe,
            within,
            lambda: f"a message in {self!r}; the last are {list(self.messages.values())[-3:]}",
        )
        found.seen = found.revision
        return found

    def __repr__(self) -> str:
        return f"<Chat {self.id} {self.kind} {self.title!r}>"
