"""How the bot gets updates, and how others wait for it: queue, queries, webhook."""

from __future__ import annotations

import asyncio
import secrets
from itertools import count
from typing import TypeVar

from playground.accounts import Account, Bot, User
from playground.chats import Chat, Message, Status
from playground.errors import Json
from playground.faults import Faults
from playground.flood import FloodLimits
from playground.ground import Ground
from playground.messages import member_json, message_json
from playground.profile import Commands, Descriptions
from playground.queries import Answer, InlineQuery, InlineResult, Pending, Queries, Tap, callback_update
from playground.updates import Updates
from playground.webhook import Webhook

T = TypeVar("T")

ANSWER_DEADLINE = 15.0
"""Seconds in which queries must be answered; Telegram names no figure, failures are told after 15 to 20."""
_FIRST_GROUP = 4_000_000_001
_FIRST_SUPERGROUP = 1_002_000_000_001


class Network(Ground):
    """What lies between people's chats and the bot."""

    def __init__(self, bot: Bot, *, seed: int = 0) -> None:
        super().__init__(bot, seed=seed)
        self.faults = Faults(seed)
        self.flood = FloodLimits()
        self.chats: dict[int, Chat] = {}
        """By chat id."""
        self.inline_messages: dict[str, Message] = {}
        self.inline_cache: dict[tuple[str, str, int | None], tuple[float, list[InlineResult]]] = {}
        """Results served without asking the bot: (text, offset, person or everybody) to (until, results)."""
        self.commands = Commands()
        self.descriptions = Descriptions()
        self.taps: Queries[Answer] = Queries(ANSWER_DEADLINE)
        self.inline_queries: Queries[list[InlineResult]] = Queries(ANSWER_DEADLINE)
        self.updates = Updates(self.clock, self.random)
        self.webhook = Webhook(self.updates, self.clock)
        self._group_ids = count(-_FIRST_GROUP, -1)
        self._supergroup_ids = count(-_FIRST_SUPERGROUP, -1)
        self._query_ids = count(self.random.randrange(10**17, 10**18))

    def next_group_id(self, *, supergroup: bool) -> int:
        """The id of a new group."""
        return next(self._supergroup_ids if supergroup else self._group_ids)

    # Telling the bot

    def push(self, kind: str, payload: Json, key: tuple[str, int]) -> None:
        """Queue an update for the bot, if it asked for its kind, with whatever fault strikes it."""
        update = self.updates.make(kind, payload, key)
        if update is None:
            return
        fault = self.faults.of_update(kind, payload)
        if fault is None:
            self.updates.push(update)
            return
        if fault.kind == "resend":
            self.updates.push(update)
            asyncio.get_running_loop().call_later(fault.delay, self._resend, kind, payload, key)
            return
        update.out_of_order = True
        if fault.kind == "duplicate":
            self.updates.push(update)
            again = self.updates.copy(update)
            asyncio.get_running_loop().call_later(fault.delay, self.updates.push, again)
        else:
            asyncio.get_running_loop().call_later(fault.delay, self.updates.push, update)

    def _resend(self, kind: str, payload: Json, key: tuple[str, int]) -> None:
        """Deliver the same as a new update; a query gets a new id, too, whose answer nobody awaits."""
        if "id" in payload:
            payload = {**payload, "id": self._query_id()}
        update = self.updates.make(kind, payload, key)
        if update is not None:
            self.updates.push(update)

    def deliver(self, message: Message, *, edited: bool = False) -> None:
        """Let a message reach the bot, if Telegram would."""
        if message.sender.id == self.bot.id or not message.chat.bot_is_in:
            return
        if message.chat.kind == "private" or self._concerns_bot(message):
            kind = "edited_message" if edited else "message"
            self.push(kind, message_json(message), ("chat", message.chat.id))

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

    def blocked_changed(self, person: User) -> None:
        """Tell the bot that a person blocked or unblocked it (my_chat_member)."""
        old: Status = "member" if person.blocked_bot else "kicked"
        self._member_update(self.chats[person.id], person, old, "kicked" if person.blocked_bot else "member")

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

    def tap(self, person: User, message: Message, data: str) -> Tap:
        """A person taps a button that carries this data."""
        tap = Tap(self._query_id(), person, self.clock.now(), message=message)
        self.taps.add(tap)
        self.push("callback_query", callback_update(tap, message, data), ("user", person.id))
        return tap

    def inline_query(self, person: User, chat: Chat, text: str, offset: str) -> InlineQuery:
        """A person types after the bot's name."""
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
        kind = "sender" if chat is self.chats[person.id] else chat.kind
        payload = {
            "id": query.id,
            "from": person.as_json(),
            "query": text,
            "offset": offset,
            "chat_type": kind,
        }
        self.push("inline_query", payload, ("user", person.id))
        return query

    def choose(self, person: User, result: InlineResult, chat: Chat) -> Message:
        """A person sends an inline result into a chat."""
        identifier = secrets.token_urlsafe(20) if result.keyboard else None
        message = chat.post(person, result.content, keyboard=result.keyboard, via_bot=True, inline_id=identifier)
        chat.last_said = message.id
        if self.bot.inline_feedback:
            payload: Json = {"result_id": result.id, "from": person.as_json(), "query": result.query}
            if identifier is not None:
                payload["inline_message_id"] = identifier
            self.push("chosen_inline_result", payload, ("chosen", person.id))
        if identifier is not None:
            self.inline_messages[identifier] = message
        self.deliver(message)
        return message

    async def answered(self, query: Pending[T], within: float | None, what: str) -> T:
        """The bot's answer to a query."""
        limit = self.patience if within is None else within
        try:
            return await asyncio.wait_for(asyncio.shield(query.answer), limit)
        except TimeoutError:
            raise TimeoutError(f"waited {limit:g} s for {what}") from None
