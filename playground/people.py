"""People: what they do on Telegram, as a test or the page has them do it."""

from __future__ import annotations

import re

from playground.accounts import ANONYMOUS, CHANNEL, User
from playground.chats import Chat, Message, Topic
from playground.entities import detect
from playground.errors import Json
from playground.network import Network
from playground.queries import Answer, InlineQuery, InlineResult, Tap
from playground.texts import Text, clean

_CHANNEL_SENDER = -1_001_999_999_999
MAXIMUM_NAME = 64
"""Characters of a first or a last name."""
_USERNAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{3,31}")


class Person(User):
    """Somebody with an account, and what they do."""

    def __init__(
        self,
        world: Network,
        identifier: int,
        first_name: str,
        *,
        language: str | None,
        last_name: str | None = None,
        username: str | None = None,
    ) -> None:
        super().__init__(identifier, first_name, last_name, username, language)
        self.world = world
        self.private = Chat(world, identifier, "private", first_name, [self])
        """The private chat with the bot."""

    # Writing

    async def say(
        self,
        text: str,
        *,
        in_: Chat | None = None,
        reply_to: Message | None = None,
        topic: Topic | None = None,
        entities: list[Json] | None = None,
        anonymous: bool = False,
        channel: str | None = None,
    ) -> Message:
        """Write a message, by default in the private chat with the bot.

        Without `entities`, commands, mentions and addresses are marked as clients do. `anonymous` writes as an
        anonymous administrator, `channel` as the channel of that title.
        """
        return self.write(
            text,
            in_=in_,
            reply_to=reply_to,
            thread=topic.thread if topic else None,
            entities=entities,
            anonymous=anonymous,
            channel=channel,
        )

    def write(
        self,
        text: str,
        *,
        in_: Chat | None = None,
        reply_to: Message | None = None,
        thread: int | None = None,
        entities: list[Json] | None = None,
        anonymous: bool = False,
        channel: str | None = None,
    ) -> Message:
        """`say` for callers outside of tasks, with the topic as its thread id."""
        chat = self._must_be_in(in_ or self.private)
        plain = clean(text).strip()
        if not plain:
            raise ValueError("a message needs a text")
        if chat is self.private:
            self.started = True
            if self.blocked_bot:
                self.unblock()
        sender_chat = None
        if anonymous:
            sender_chat = chat.as_json()
        elif channel is not None:
            sender_chat = {"id": _CHANNEL_SENDER, "type": "channel", "title": channel}
        message = chat.post(
            ANONYMOUS if anonymous else CHANNEL if channel is not None else self,
            Text(plain, detect(plain) if entities is None else entities),
            reply_to=reply_to,
            thread=thread,
            sender_chat=sender_chat,
        )
        chat.last_said = message.id
        self.world.deliver(message)
        return message

    def add_topic(self, name: str) -> Topic:
        """Open a topic in the private chat with the bot."""
        self.private.forum = True
        topic = self.private.open_topic(name, self)
        self.world.deliver(self.private.messages[topic.thread])
        return topic

    async def ask(
        self,
        text: str,
        *,
        in_: Chat | None = None,
        reply_to: Message | None = None,
        topic: Topic | None = None,
        within: float | None = None,
    ) -> Message:
        """Write a message and wait for the bot's next one in the same chat."""
        own = await self.say(text, in_=in_, reply_to=reply_to, topic=topic)
        return await own.chat.wait_for(after=own, within=within)

    async def edit(self, message: Message, text: str) -> None:
        """Change a message of one's own."""
        plain = clean(text).strip()
        message.content = Text(plain, detect(plain))
        message.chat.edited(message)
        self.world.deliver(message, edited=True)

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
        within: float | None = None,
    ) -> Answer:
        """Tap a button of a message and wait for the bot's answer.

        The button is named by its label, by its place (from 0), or its raw callback data is given, which need
        not be on any button: modified clients send what they like.
        """
        if data is None:
            button = message.button(label, row=row, column=column)
            if "callback_data" not in button:
                raise ValueError(f"{button} does not call back")
            data = str(button["callback_data"])
        query = self.press(message, data)
        return await self.world.answered(query, within, f"an answer to {self.first_name}'s tap {data!r}")

    def press(self, message: Message, data: str | bytes) -> Tap:
        """Send a tap on its way; its `answer` is a future."""
        self._must_be_in(message.chat)
        text = data if isinstance(data, str) else data.decode("utf-8", "replace")
        message.seen = message.revision
        return self.world.tap(self, message, text)

    # Inline mode

    async def inline(
        self, text: str, *, in_: Chat | None = None, offset: str = "", within: float | None = None
    ) -> list[InlineResult]:
        """Type a query after the bot's name, in a chat of any kind, and wait for the results."""
        chat = self._must_be_in(in_ or self.private)
        query = self.world.inline_query(self, chat, text, offset)
        return await self.world.answered(query, within, f"results for {self.first_name}'s query {text!r}")

    def inline_query(self, text: str, chat: Chat) -> InlineQuery:
        """Send an inline query on its way; its `answer` is a future."""
        return self.world.inline_query(self, self._must_be_in(chat), text, "")

    def choose(self, result: InlineResult, *, in_: Chat | None = None) -> Message:
        """Send one of the inline results into a chat; the bot may be told."""
        return self.world.choose(self, result, self._must_be_in(in_ or self.private))

    # The account

    def rename(self, first_name: str, last_name: str | None, username: str | None, language: str | None) -> None:
        """Change what others see of the account."""
        check_names(first_name, last_name, username)
        self.first_name, self.last_name, self.username, self.language = first_name, last_name, username, language
        self.private.title = first_name
        self.world.tell("person", self)

    def block(self) -> None:
        """Block the bot."""
        self.blocked_bot = True
        self.world.blocked_changed(self)
        self.world.tell("person", self)

    def unblock(self) -> None:
        """Unblock the bot."""
        self.blocked_bot = False
        self.world.blocked_changed(self)
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
