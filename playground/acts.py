"""What the page can have people do, by the type of its message."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from playground.chats import Chat, Topic
from playground.errors import Json
from playground.groups import Group
from playground.people import Person, check_names
from playground.queries import InlineResult
from playground.texts import with_mentions
from playground.workshop import Workshop
from playground.world import World

Reply = Callable[[Json], None]
"""Sends something to the page or script that asked for it."""

_MAXIMUM_TITLE = 128
ANSWERED_LATER = frozenset({"tap", "inline"})
"""The bot's answer, which comes later."""


class Acts:
    """Everything the page may ask for; an act that is impossible raises ValueError or LookupError."""

    def __init__(self, world: World, workshop: Workshop) -> None:
        self._world = world
        self._workshop = workshop
        self._waiting: set[asyncio.Task[None]] = set()
        self._offered: dict[tuple[int, str], list[InlineResult]] = {}
        self._by_type: dict[str, Callable[[Json, Reply], None]] = {
            "say": self._say,
            "resend": self._resend,
            "tap": self._tap,
            "inline": self._inline,
            "choose": self._choose,
            "add_person": self._add_person,
            "rename_person": self._rename_person,
            "block": self._block,
            "meet": self._meet,
            "add_group": self._add_group,
            "rename_group": self._rename_group,
            "member": self._member,
            "bot": self._bot,
            "topic": self._topic,
            "upgrade": self._upgrade,
            "trouble": lambda given, _: workshop.trouble(str(given["name"]), on=bool(given["on"])),
            "flood": lambda given, _: workshop.flood(str(given["name"]), given.get("chat_id")),
            "advance": lambda given, _: workshop.advance(float(given["seconds"])),
            "order": lambda given, _: workshop.order(str(given["what"])),
        }

    def carry_out(self, given: Json, reply: Reply) -> None:
        """Do what the page asks for."""
        self._by_type[given["type"]](given, reply)

    def close(self) -> None:
        """Stop waiting for answers."""
        for task in self._waiting:
            task.cancel()

    def _person(self, given: Json) -> Person:
        return self._world.persons[given["person"]]

    def _chat(self, given: Json) -> Chat:
        return self._world.chats[given["chat_id"]]

    def _group(self, given: Json) -> Group:
        chat = self._chat(given)
        if not isinstance(chat, Group):
            raise TypeError("This isn't a group.")
        return chat

    # Writing and tapping

    def _say(self, given: Json, _reply: Reply) -> None:
        chat, text = self._chat(given), str(given["text"])
        reply_to = given.get("reply_to_message_id")
        entities = None
        if given.get("mentions"):
            entities = with_mentions(text, given["mentions"], self._world.user_json)
        self._person(given).write(
            text,
            in_=chat,
            reply_to=None if reply_to is None else chat.messages[reply_to],
            thread=given.get("message_thread_id"),
            entities=entities,
            anonymous=bool(given.get("anonymous")),
        )

    def _resend(self, given: Json, _reply: Reply) -> None:
        self._world.deliver(self._chat(given).messages[given["message_id"]])

    def _tap(self, given: Json, reply: Reply) -> None:
        person, message = self._person(given), self._chat(given).messages[given["message_id"]]
        button = message.button(row=int(given["row"]), column=int(given["column"]))
        if "callback_data" not in button:
            raise ValueError("This button doesn't call the bot.")
        query = person.press(message, button["callback_data"])
        head = {"person": person.id, "query": given.get("query")}

        async def wait() -> None:
            try:
                answer = await self._world.answered(query, self._world.taps.lifetime, "an answer")
            except TimeoutError:
                reply({"type": "failed", **head, "text": "The bot didn't answer."})
            else:
                words = {"text": answer.text, "show_alert": answer.show_alert, "url": answer.url}
                reply({"type": "answer", **head, **words})

        self._wait(wait())

    def _inline(self, given: Json, reply: Reply) -> None:
        person, tag = self._person(given), given.get("query")
        query = person.inline_query(str(given["text"]), self._chat(given))
        head = {"person": person.id, "query": tag}

        async def wait() -> None:
            try:
                results = await self._world.answered(query, self._world.inline_queries.lifetime, "results")
            except TimeoutError:
                reply({"type": "failed", **head, "text": "The bot didn't answer."})
            else:
                self._offered[person.id, str(tag)] = results
                shown = [{"id": one.id, "title": one.title, "description": one.description} for one in results]
                reply({"type": "inline_results", **head, "results": shown})

        self._wait(wait())

    def _choose(self, given: Json, _reply: Reply) -> None:
        person, chat = self._person(given), self._chat(given)
        for result in self._offered.get((person.id, str(given.get("query"))), []):
            if result.id == given["result_id"]:
                person.choose(result, in_=chat)
                return
        raise ValueError("This result is no longer offered.")

    def _wait(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    # People

    def _add_person(self, given: Json, reply: Reply) -> None:
        first, last, username, language = _names(given)
        check_names(first, last, username)
        self._check_username(username, None)
        person = self._world.add_person(first, last_name=last, username=username, language=language)
        self._world.tell("person", person)
        reply({"type": "added", "person": person.id, "query": given.get("query")})

    def _rename_person(self, given: Json, _reply: Reply) -> None:
        person, names = self._person(given), _names(given)
        self._check_username(names[2], person)
        person.rename(*names)
        person.usernames = tuple(given.get("more_usernames", person.usernames))

    def _check_username(self, username: str | None, person: Person | None) -> None:
        others = [other.username for other in self._world.persons.values() if other is not person]
        taken = {name.lower() for name in [*others, self._world.bot.username] if name}
        if username and username.lower() in taken:
            raise ValueError(f"@{username} is taken.")

    def _block(self, given: Json, _reply: Reply) -> None:
        person = self._person(given)
        if given["on"]:
            person.block()
        else:
            person.unblock()

    def _meet(self, given: Json, reply: Reply) -> None:
        person, other = self._person(given), self._world.persons[given["other"]]
        if person is other:
            raise ValueError("People can't chat with themselves.")
        both = {person.id, other.id}
        meetings = [chat for chat in self._world.chats.values() if chat.is_meeting and chat.members.keys() == both]
        meeting = meetings[0] if meetings else self._world.add_meeting(person, other)
        reply({"type": "added", "chat_id": meeting.id, "query": given.get("query")})

    # Groups

    def _add_group(self, given: Json, reply: Reply) -> None:
        people = [self._person(given), *(self._world.persons[member] for member in given.get("members", []))]
        if given.get("direct_messages"):
            chat = self._world.add_direct_messages(_name(given["title"], _MAXIMUM_TITLE), people)
            reply({"type": "added", "chat_id": chat.id, "query": given.get("query")})
            return
        group = self._world.add_group(
            _name(given["title"], _MAXIMUM_TITLE),
            list(dict.fromkeys(people)),
            kind="supergroup" if given.get("supergroup") else "group",
            forum=bool(given.get("forum")),
            with_bot=False,
        )
        if given.get("with_bot", True):
            group.add_bot()
        reply({"type": "added", "chat_id": group.id, "query": given.get("query")})

    def _rename_group(self, given: Json, _reply: Reply) -> None:
        self._group(given).rename(_name(given["title"], _MAXIMUM_TITLE), self._person(given))

    def _member(self, given: Json, _reply: Reply) -> None:
        group, person, by = self._group(given), self._world.persons[given["member"]], self._person(given)
        standing = given["standing"]
        if standing == "left":
            group.remove(person, None if person is by else by)
        elif person.id not in group.members:
            group.add(person, by)
        elif standing == "anonymous":
            group.hide(person)
        elif standing == "administrator":
            group.promote(person)
        else:
            group.demote(person)

    def _bot(self, given: Json, _reply: Reply) -> None:
        group, by = self._group(given), self._person(given)
        standings: dict[str, Callable[[Person], None]] = {
            "member": group.unmute_bot if group.bot_is_in else group.add_bot,
            "administrator": group.promote_bot,
            "restricted": group.mute_bot,
            "kicked": group.kick_bot,
        }
        standings[given["standing"]](by)

    def _topic(self, given: Json, _reply: Reply) -> None:
        identifier, by = given.get("topic"), self._person(given)
        if identifier is None and self._chat(given) is by.private:
            by.add_topic(_name(given["name"], _MAXIMUM_TITLE))
            return
        group = self._group(given)
        if identifier is None:
            group.add_topic(_name(given["name"], _MAXIMUM_TITLE), by)
            return
        topic: Topic = group.topics[identifier]
        if "name" in given:
            group.rename_topic(topic, _name(given["name"], _MAXIMUM_TITLE), by)
        elif given["open"]:
            group.reopen_topic(topic)
        else:
            group.close_topic(topic)

    def _upgrade(self, given: Json, reply: Reply) -> None:
        reply({"type": "added", "chat_id": self._group(given).migrate().id, "query": given.get("query")})


def _name(given: object, maximum: int) -> str:
    name = str(given).strip()
    if not 1 <= len(name) <= maximum:
        raise ValueError(f"A name has 1 to {maximum} characters.")
    return name


def _names(given: Json) -> tuple[str, str | None, str | None, str | None]:
    first, last, username, language = (
        str(given.get(field) or "").strip() for field in ("first_name", "last_name", "username", "language_code")
    )
    return first, last or None, username.removeprefix("@") or None, language or None
