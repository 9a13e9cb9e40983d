"""A message: what it holds, and waiting for it to change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from playground.texts import Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.accounts import Account
    from playground.chats import Chat
    from playground.errors import Json
    from playground.keyboards import Keyboard


@dataclass(frozen=True, slots=True)
class Service:
    """What a service message tells: the Bot API's fields, and words for the page."""

    fields: Json
    words: str


@dataclass(eq=False, slots=True)
class Message:
    """A message in a chat; edits change it in place."""

    chat: Chat
    id: int
    date: int
    sender: Account
    content: Text = field(default_factory=lambda: Text(""))
    keyboard: Keyboard = field(default_factory=list)
    """The inline keyboard's rows of Bot API buttons."""
    reply_to: Message | None = None
    quote: str | None = None
    thread: int | None = None
    """`message_thread_id`."""
    in_topic: bool = False
    sender_chat: Json | None = None
    """The chat on whose behalf an anonymous administrator or a channel speaks."""
    via_bot: bool = False
    """Sent by a person through the bot's inline mode."""
    inline_id: str | None = None
    """`inline_message_id`."""
    service: Service | None = None
    reply_keyboard: bool = False
    """Sent with a reply keyboard, which makes it impossible to edit."""
    edit_date: int | None = None
    deleted: bool = False
    revision: int = 0
    """How often it was edited."""
    seen: int = 0
    """The revision that the last tap or the last `changed()` saw."""

    @property
    def text(self) -> str:
        """The plain text."""
        return self.content.text

    @property
    def entities(self) -> list[Json]:
        """The Bot API's entities."""
        return self.content.entities

    @property
    def from_bot(self) -> bool:
        """Whether the bot wrote it, itself or by inline mode."""
        return self.via_bot or self.sender.id == self.chat.world.bot.id

    @property
    def labels(self) -> list[list[str]]:
        """The labels of the keyboard, row by row."""
        return [[button["text"] for button in row] for row in self.keyboard]

    def button(self, label: str | None = None, *, row: int | None = None, column: int | None = None) -> Json:
        """One button, by its label (the whole of it, else a unique part) or by its place.

        Raises:
            LookupError: There is no such button, or the label fits several.
        """
        buttons = [button for buttons in self.keyboard for button in buttons]
        if label is None:
            try:
                return self.keyboard[row or 0][column or 0]
            except IndexError:
                raise LookupError(f"no button at row {row}, column {column} of {self.labels}") from None
        fitting = [button for button in buttons if button["text"] == label] or [
            button for button in buttons if label in button["text"]
        ]
        if len(fitting) != 1:
            raise LookupError(f"{len(fitting)} buttons are labelled {label!r} among {self.labels}")
        return fitting[0]

    async def changed(self, *, within: float | None = None) -> Message:
        """Wait for an edit that no earlier `changed()` nor the last tap on this message has seen.

        Raises:
            TimeoutError: No edit came in time (`within` seconds, default the world's patience).
        """
        before = self.seen
        await self.until(lambda message: message.revision > before, within=within)
        self.seen = self.revision
        return self

    async def until(self, predicate: Callable[[Message], bool], *, within: float | None = None) -> Message:
        """Wait until the predicate holds for this message; it may hold already.

        Raises:
            TimeoutError: It did not in time.
        """
        return await self.chat.changes.until(
            lambda: self if predicate(self) else None,
            self.chat.world.patience if within is None else within,
            lambda: f"a change of {self!r}",
        )

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
        if self.thread is not None:
            body["message_thread_id"] = self.thread
            if self.in_topic:
                body["is_topic_message"] = True
        if nested:
            body |= self._reply_json()
        if self.via_bot:
            body["via_bot"] = self.chat.world.bot.as_json()
        if self.service is not None:
            body.update(self.service.fields)
            return body
        body["text"] = self.content.text
        if self.content.entities:
            body["entities"] = self.content.entities
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
        body: Json = {"reply_to_message": replied.as_json(nested=False)}
        if self.quote:
            body["quote"] = {"text": self.quote, "position": replied.text.find(self.quote)}
        return body

    def __repr__(self) -> str:
        state = " deleted" if self.deleted else ""
        words = self.service.words if self.service else self.text
        where = f"{self.id} in {self.chat.title!r}{state}"
        return f"<Message {where} from {self.sender.first_name!r}: {words!r} {self.labels}>"
