"""People: what they do on Telegram, as a test or the page has them do it."""

import re
import secrets
from dataclasses import dataclass, field
from typing import TypedDict, Unpack

from playground.accounts import ANONYMOUS, CHANNEL, CHANNEL_ID, Human, Status
from playground.chats import Chat, Message, Topic
from playground.errors import Json
from playground.hub import Hub
from playground.keyboards import forwarded
from playground.queries import Answer, InlineQuery, InlineResult, Tap
from playground.texts import Text, typed
from playground.waiting import PATIENCE

MAXIMUM_NAME = 64
"""Characters of a first or a last name."""
_USERNAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{3,31}")


class _How(TypedDict, total=False):
    """How a message is written."""

    in_: Chat | None
    """The chat; by default the private one with the bot."""
    reply_to: Message | None
    thread: int | None
    topic: Topic | None
    entities: list[Json] | None
    """By default commands, mentions and addresses are marked as clients do."""
    anonymous: bool
    """As an anonymous administrator."""
    channel: str | None
    """As the channel of that title."""


@dataclass(eq=False)
class Person(Human):
    """Somebody with an account, and what they do."""

    world: Hub = field(kw_only=True)
    private: Chat = field(init=False)
    """The private chat with the bot."""

    def __post_init__(self) -> None:
        self.private = Chat(self.world, self.id, "private", self.first_name, [self])

    # Writing

    async def say(self, text: str, **how: Unpack[_How]) -> Message:
        """Write a message, by default in the private chat with the bot."""
        return self.write(text, **how)

    def write(self, text: str, **how: Unpack[_How]) -> Message:
        """`say` for callers outside of tasks."""
        chat = self._must_be_in(how.get("in_") or self.private)
        content, entities = typed(text), how.get("entities")
        if not content.text:
            raise ValueError("a message needs a text")
        if chat is self.private:
            self.started = True
            if self.blocked_bot:
                self.block(on=False)
        topic, channel = how.get("topic"), how.get("channel")
        message = Message(
            chat,
            self,
            content if entities is None else Text(content.text, entities),
            reply_to=how.get("reply_to"),
            thread=topic.thread if topic else how.get("thread"),
        )
        if how.get("anonymous"):
            message.sender, message.sender_chat = ANONYMOUS, chat.as_json()
        elif channel is not None:
            message.sender = CHANNEL
            message.sender_chat = {"id": CHANNEL_ID, "type": "channel", "title": channel}
        chat.last_said = chat.post(message).id
        message.deliver()
        return message

    def add_topic(self, name: str) -> Topic:
        """Open a topic in the private chat with the bot."""
        self.private.forum = True
        return self.private.open_topic(name, self)

    async def ask(self, text: str, *, within: float = PATIENCE, **how: Unpack[_How]) -> Message:
        """Write a message and wait for the bot's next one in the same chat."""
        own = await self.say(text, **how)
        return await own.chat.wait_for(after=own, within=within)

    async def edit(self, message: Message, text: str) -> None:
        message.content = typed(text)
        message.chat.edited(message)
        message.deliver(edited=True)

    def forward(self, message: Message, to: Chat | None = None) -> Message:
        """Forward a message, by default to the private chat with the bot."""
        chat = self._must_be_in(to or self.private)
        keyboard = forwarded(message.keyboard, via_bot=message.via_bot)
        copy = Message(chat, self, message.content, keyboard, file=message.file, via_bot=message.via_bot)
        copy.forward_origin = message.forward_origin or {
            "type": "user",
            "sender_user": message.sender.as_json(),
            "date": message.date,
        }
        chat.last_said = chat.post(copy).id
        copy.deliver()
        return copy

    def start(self, payload: str = "") -> Message:
        """Press Start, by way of a deep link when there is a payload."""
        return self.write(f"/start {payload}".strip())

    def delete(self, message: Message) -> None:
        """Delete a message for everybody; bots are not told."""
        message.chat.delete(message)

    # Tapping

    async def tap(
        self,
        message: Message,
        label: str | None = None,
        *,
        row: int | None = None,
        column: int | None = None,
        data: str | bytes | None = None,
        within: float = PATIENCE,
    ) -> Answer:
        """Tap a button of a message and wait for the bot's answer.

        The button is named by its label, by its place (from 0), or its raw callback data is given, which need
        not be on any button: modified clients send what they like.
        """
        if data is None:
            button = message.button(label, row=row, column=column)
            if "callback_data" not in button:
                raise ValueError(f"The button {button['text']!r} doesn't call the bot.")
            data = str(button["callback_data"])
        query = self.press(message, data)
        return await query.answered(within, f"an answer to {self.first_name}'s tap {data!r}")

    def press(self, message: Message, data: str | bytes) -> Tap:
        """Send a tap on its way; its `answer` is a future."""
        self._must_be_in(message.chat)
        message.seen = message.revision
        tap = Tap(self.world.query_id(), self, self.world.clock.now())
        body: Json = {
            "id": tap.id,
            "from": self.as_json(),
            "chat_instance": message.chat.instance,
            "data": data if isinstance(data, str) else data.decode("utf-8", "replace"),
        }
        if message.inline_id is not None:
            body["inline_message_id"] = message.inline_id
        elif message.deleted:
            body["message"] = {"chat": message.chat.as_json(), "message_id": message.id, "date": 0}
        else:
            body["message"] = message.as_json()
        self.world.taps.add(tap)
        self.world.push("callback_query", body, ("user", self.id))
        return tap

    # Inline mode

    async def inline(
        self, text: str, *, in_: Chat | None = None, offset: str = "", within: float = PATIENCE
    ) -> list[InlineResult]:
        """Type a query after the bot's name, in a chat of any kind, and wait for the results."""
        query = self.inline_query(text, in_ or self.private, offset)
        return await query.answered(within, f"results for {self.first_name}'s query {text!r}")

    def inline_query(self, text: str, chat: Chat, offset: str = "") -> InlineQuery:
        """Send an inline query on its way; its `answer` is a future."""
        world, now = self.world, self.world.clock.now()
        if not world.bot.inline:
            raise ValueError("the bot's inline mode is off")
        query = InlineQuery(world.query_id(), self, now, text=text, offset=offset)
        kind = "sender" if self._must_be_in(chat) is self.private else chat.kind
        for owner in (self.id, None):
            until, results = world.inline_cache.get((text, offset, owner), (0.0, []))
            if until > now:
                query.answer.set_result(results)
                return query
        world.inline_queries.add(query)
        body = {"id": query.id, "from": self.as_json(), "query": text, "offset": offset, "chat_type": kind}
        world.push("inline_query", body, ("user", self.id))
        return query

    def choose(self, result: InlineResult, *, in_: Chat | None = None) -> Message:
        """Send one of the inline results into a chat; the bot may be told."""
        chat = self._must_be_in(in_ or self.private)
        message = Message(chat, self, result.content, keyboard=result.keyboard, via_bot=True)
        about: Json = {"result_id": result.id, "from": self.as_json(), "query": result.query}
        if result.keyboard:
            about["inline_message_id"] = message.inline_id = secrets.token_urlsafe(20)
            self.world.inline_messages[message.inline_id] = message
        chat.last_said = chat.post(message).id
        if self.world.bot.inline_feedback:
            self.world.push("chosen_inline_result", about, ("chosen", self.id))
        message.deliver()
        return message

    # The account

    def rename(self, first_name: str, last_name: str | None, username: str | None, language: str | None) -> None:
        check_names(first_name, last_name, username)
        self.first_name, self.last_name, self.username, self.language = first_name, last_name, username, language
        self.private.title = first_name
        self.world.tell("person", self)

    def block(self, *, on: bool = True) -> None:
        """Block the bot, or let it write again."""
        self.blocked_bot = on
        old: Status = "member" if on else "kicked"
        self.private.tell_of_member(self.world.bot, self, old, "kicked" if on else "member")
        self.world.tell("person", self)

    def deactivate(self) -> None:
        """Delete the account: the name becomes empty and nothing can be sent to it."""
        self.deactivated = True
        self.first_name, self.last_name, self.username = "", None, None
        self.world.tell("person", self)

    def _must_be_in(self, chat: Chat) -> Chat:
        if self.id not in chat.members:
            raise ValueError(f"{self.first_name} is not in {chat.title!r}.")
        if chat.deleted:
            raise ValueError(f"{chat.title!r} no longer exists.")
        return chat

    def __repr__(self) -> str:
        return f"<Person {self.id} {self.first_name!r}>"


def check_names(first_name: str, last_name: str | None, username: str | None) -> None:
    """Refuse names that Telegram lets nobody give themselves; tests may give odder ones."""
    if not 1 <= len(first_name) <= MAXIMUM_NAME or len(last_name or "") > MAXIMUM_NAME:
        raise ValueError(f"A name has 1 to {MAXIMUM_NAME} characters.")
    if username is not None and not _USERNAME.fullmatch(username):
        raise ValueError("A username has 4 to 32 letters, digits and underscores, and begins with a letter.")
