"""The state of the whole Telegram: people, chats, queries and what the bot is told of them."""

from __future__ import annotations

import asyncio
import random
import secrets
from itertools import count
from typing import TYPE_CHECKING, Any, TypeVar

from playground.chats import Chat
from playground.clock import Clock
from playground.commands import Commands
from playground.faults import Faults
from playground.flood import FloodLimits
from playground.groups import Group
from playground.members import member_json
from playground.people import Person
from playground.queries import Answer, InlineQuery, InlineResult, Pending, Queries, Tap, callback_update
from playground.updates import Updates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from playground.accounts import Account, Bot
    from playground.chats import Status
    from playground.errors import Json
    from playground.messages import Message

T = TypeVar("T")

ANSWER_DEADLINE = 15.0
"""Seconds in which queries must be answered; Telegram names no figure, failures are told after 15 to 20."""
_FIRST_PERSON = 5_000_000_001  # ids need more than 32 bits
_FIRST_GROUP = 4_000_000_001
_FIRST_SUPERGROUP = 1_002_000_000_001
_FIRST_MEETING = 900_000_000_001
_FIRST_MESSAGE = 101


class World:
    """Everything that Telegram knows."""

    def __init__(self, bot: Bot, *, seed: int = 0) -> None:
        self.bot = bot
        self.clock = Clock()
        self.random = random.Random(seed)  # noqa: S311 - repeatable ids, no secret
        self.faults = Faults(seed)
        self.flood = FloodLimits()
        self.people: dict[str, Person] = {}
        """By key: the lower-cased first name unless another was given."""
        self.groups: dict[str, Group] = {}
        """By key, as `add_group` was given it."""
        self.persons: dict[int, Person] = {}
        """By user id."""
        self.chats: dict[int, Chat] = {}
        """By chat id."""
        self.inline_messages: dict[str, Message] = {}
        self.inline_cache: dict[tuple[str, str, int | None], tuple[float, list[InlineResult]]] = {}
        """Results served without asking the bot: (text, offset, person or everybody) to (until, results)."""
        self.commands = Commands()
        self.taps: Queries[Answer] = Queries(ANSWER_DEADLINE)
        self.inline_queries: Queries[list[InlineResult]] = Queries(ANSWER_DEADLINE)
        self.updates = Updates(self.clock, self.random)
        self.patience = 10.0
        """Seconds that the driver waits when it is not told otherwise."""
        self.listeners: list[Callable[[str, Any], None]] = []
        """Hear of "message", "edited", "deleted", "chat" and "commands", each with its object."""
        self._person_ids = count(_FIRST_PERSON)
        self._group_ids = count(-_FIRST_GROUP, -1)
        self._supergroup_ids = count(-_FIRST_SUPERGROUP, -1)
        self._meeting_ids = count(_FIRST_MEETING)
        self._message_ids = count(_FIRST_MESSAGE)
        self._query_ids = count(self.random.randrange(10**17, 10**18))

    # Making people and chats

    def add_person(
        self,
        first_name: str,
        *,
        key: str | None = None,
        language: str | None = "en",
        last_name: str | None = None,
        username: str | None = None,
        started: bool = False,
    ) -> Person:
        """A new person with a private chat; without `started` the bot cannot write to them yet."""
        person = Person(
            self,
            next(self._person_ids),
            first_name,
            language=language,
            last_name=last_name,
            username=username,
        )
        person.started = started
        person.private = Chat(self, person.id, "private", first_name, [person])
        self.persons[person.id] = person
        self.chats[person.id] = person.private
        name = first_name.lower() if key is None else key
        self.people[str(person.id) if name in self.people or not name else name] = person
        self.tell("chat", person.private)
        return person

    def add_group(
        self,
        title: str,
        people: Sequence[Person],
        *,
        key: str | None = None,
        kind: str = "group",
        forum: bool = False,
        with_bot: bool = True,
    ) -> Group:
        """A new "group" or "supergroup" whose first person owns it; a forum is always a supergroup."""
        supergroup = forum or kind == "supergroup"
        identifier = next(self._supergroup_ids if supergroup else self._group_ids)
        group = Group(self, identifier, "supergroup" if supergroup else "group", title, list(people))
        group.forum = forum
        group.with_bot = with_bot
        self.chats[group.id] = group
        if key is not None:
            self.groups[key] = group
        self.tell("chat", group)
        return group

    def add_meeting(self, one: Person, other: Person) -> Chat:
        """The private chat of two people, which the bot enters only by inline mode."""
        title = f"{one.first_name} and {other.first_name}"
        chat = Chat(self, next(self._meeting_ids), "private", title, [one, other])
        chat.with_bot = False
        self.chats[chat.id] = chat
        self.tell("chat", chat)
        return chat

    def user_json(self, identifier: int) -> Json | None:
        """The Bot API's User of an id, if there is one."""
        if identifier == self.bot.id:
            return self.bot.as_json()
        person = self.persons.get(identifier)
        return None if person is None else person.as_json()

    def next_message_id(self) -> int:
        """The account-wide counter of message ids."""
        return next(self._message_ids)

    # Telling the page and the bot

    def tell(self, event: str, subject: object) -> None:
        """Tell the page, if one is open."""
        for listener in self.listeners:
            listener(event, subject)

    def push(self, kind: str, payload: Json, key: tuple[str, int]) -> None:
        """Queue an update for the bot, if it asked for its kind, with whatever fault strikes it."""
        update = self.updates.make(kind, payload, key)
        if update is None:
            return
        fault = self.faults.of_update(kind, payload)
        if fault is None:
            self.updates.push(update)
            return
        update.out_of_order = True
        if fault.kind == "duplicate":
            self.updates.push(update)
            again = self.updates.copy(update)
            asyncio.get_running_loop().call_later(fault.delay, self.updates.push, again)
        else:
            asyncio.get_running_loop().call_later(fault.delay, self.updates.push, update)

    def deliver(self, message: Message, *, edited: bool = False) -> None:
        """Let a message reach the bot, if Telegram would."""
        if message.sender.id == self.bot.id or not message.chat.bot_is_in:
            return
        if message.chat.kind == "private" or self._concerns_bot(message):
            kind = "edited_message" if edited else "message"
            self.push(kind, message.as_json(), ("chat", message.chat.id))

    def _concerns_bot(self, message: Message) -> bool:
        """Privacy mode: commands for us, replies to us, messages via us and service messages pass."""
        chat = message.chat
        if not self.bot.privacy or chat.bot_status == "administrator":
            return True
        if message.service is not None or message.via_bot:
            return True
        if message.reply_to is not None and message.reply_to.sender.id == self.bot.id:
            return True
        for entity in message.entities:
            if entity["type"] == "bot_command":
                start, length = 2 * entity["offset"], 2 * entity["length"]
                units = message.text.encode("utf-16-le", "surrogatepass")[start : start + length]
                _, _, addressee = units.decode("utf-16-le", "replace").partition("@")
                if addressee.lower() == self.bot.username.lower() or (
                    not addressee and entity["offset"] == 0 and not chat.other_bot_last
                ):
                    return True
        return False

    def bot_member_changed(self, chat: Chat, by: Account, old: Status) -> None:
        """Tell the bot of its own standing in a group (my_chat_member)."""
        self._member_update(chat, by, old, chat.bot_status)

    def blocked_changed(self, person: Person) -> None:
        """Tell the bot that a person blocked or unblocked it (my_chat_member)."""
        old: Status = "member" if person.blocked_bot else "kicked"
        self._member_update(person.private, person, old, "kicked" if person.blocked_bot else "member")

    def _member_update(self, chat: Chat, by: Account, old: Status, new: Status) -> None:
        payload = {
            "chat": chat.as_json(),
            "from": by.as_json(),
            "date": int(self.clock.now()),
            "old_chat_member": member_json(self.bot.as_json(), old),
            "new_chat_member": member_json(self.bot.as_json(), new),
        }
        self.push("my_chat_member", payload, ("chat", chat.id))

    # Queries

    def _query_id(self) -> str:
        return str(next(self._query_ids))

    def tap(self, person: Person, message: Message, data: str) -> Tap:
        """A person taps a button that carries this data."""
        tap = Tap(self._query_id(), person, self.clock.now(), message=message)
        self.taps.add(tap)
        self.push("callback_query", callback_update(tap, message, data), ("user", person.id))
        return tap

    def inline_query(self, person: Person, chat: Chat, text: str, offset: str) -> InlineQuery:
        """A person types after the bot's name.

        Raises:
            ValueError: The bot has no inline mode.
        """
        if not self.bot.inline:
            raise ValueError("the bot's inline mode is off")
        now = self.clock.now()
        query = InlineQuery(self._query_id(), person, now, text=text, offset=offset)
        for owner in (person.id, None):
            until, results = self.inline_cache.get((text, offset, owner), (0.0, []))
            if until > now:
                query.answer.set_result(results)
                return query
        self.inline_queries.add(query)
        kind = "sender" if chat is person.private else chat.kind
        payload = {
            "id": query.id,
            "from": person.as_json(),
            "query": text,
            "offset": offset,
            "chat_type": kind,
        }
        self.push("inline_query", payload, ("user", person.id))
        return query

    def choose(self, person: Person, result: InlineResult, chat: Chat) -> Message:
        """A person sends an inline result into a chat."""
        identifier = secrets.token_urlsafe(20) if result.keyboard else None
        message = chat.post(person, result.content, keyboard=result.keyboard, via_bot=True, inline_id=identifier)
        chat.last_said = message.id
        if self.bot.inline_feedback:
            payload: Json = {"result_id": result.id, "from": person.as_json(), "query": result.query}
            if identifier is not None:
                payload["inline_message_id"] = identifier
            self.push("chosen_inline_result", payload, ("chosen", person.id))
        self.deliver(message)
        return message

    async def answered(self, query: Pending[T], within: float | None, what: str) -> T:
        """The bot's answer to a query.

        Raises:
            TimeoutError: None came in time.
        """
        limit = self.patience if within is None else within
        try:
            return await asyncio.wait_for(asyncio.shield(query.answer), limit)
        except TimeoutError:
            raise TimeoutError(f"waited {limit:g} s for {what}") from None
