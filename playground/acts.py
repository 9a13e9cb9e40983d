"""What the page, or a script, can have people do: each act is a method, whose parameters tell what it needs.

Parameters with a `Field` are what one writes or chooses: the page makes its forms from them, as `forms` tells it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from inspect import isawaitable, signature
from typing import Any

from playground.accounts import Status
from playground.chats import Chat, Message, Topic
from playground.errors import Json
from playground.groups import Group
from playground.people import MAXIMUM_NAME, Person, check_names
from playground.queries import InlineResult
from playground.texts import with_mentions
from playground.workshop import Workshop
from playground.world import World


@dataclass(frozen=True, slots=True)
class Field:
    """What one writes, or chooses from `options`, by value what people read."""

    label: str
    required: bool = False
    maxlength: int = MAXIMUM_NAME
    hint: str = ""
    options: Mapping[str, str] | None = None

    def read(self, given: object) -> str:
        """What was written, trimmed."""
        text = str(given or "").strip()
        if (self.required and not text) or len(text) > self.maxlength:
            raise ValueError(f"A name has 1 to {self.maxlength} characters.")
        return text


_LANGUAGES = {
    "": "Not told",
    "en": "English",
    "zh-hans": "简体中文",
    "zh-hant": "繁體中文",
    "ar": "العربية",
    "de": "Deutsch",
    "es": "Español",
    "fa": "فارسی",
    "fr": "Français",
    "hi": "हिन्दी",
    "id": "Bahasa Indonesia",
    "pt-br": "Português (Brasil)",
    "ru": "Русский",
    "tr": "Türkçe",
}
_KINDS = {"group": "Group", "supergroup": "Supergroup", "forum": "Forum with topics"}
_STANDINGS = {
    "member": "Member: reads what is meant for it",
    "administrator": "Administrator: reads everything",
    "restricted": "Muted: may not write",
    "kicked": "Removed",
}
FIELDS = {
    "first_name": Field("First name", required=True),
    "last_name": Field("Last name"),
    "username": Field("Username", maxlength=33, hint="without @"),
    "language_code": Field("Language", options=_LANGUAGES),
    "title": Field("Name", required=True, maxlength=128, hint="Name of the group"),
    "kind": Field("Kind", options=_KINDS),
    "standing": Field("Standing", options=_STANDINGS),
}
_FOUND: dict[str, Callable[[World, Json], object]] = {
    "person": lambda world, given: world.persons[given["person"]],
    "other": lambda world, given: world.persons[given["other"]],
    "member": lambda world, given: world.persons[given["member"]],
    "chat": lambda world, given: world.chats[given["chat_id"]],
    "group": lambda world, given: _group(world.chats[given["chat_id"]]),
    "topic": lambda world, given: world.chats[given["chat_id"]].topics[given["topic"]],
    "message": lambda world, given: world.chats[given["chat_id"]].messages[given["message_id"]],
}
"""The objects that an act is about, by the name of its parameter."""


class Acts:
    """Each method with a public name is an act; it returns what whoever asked is told, None being "done"."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._offered: dict[tuple[int, str], list[InlineResult]] = {}

    # Writing and tapping

    def say(
        self,
        person: Person,
        chat: Chat,
        text: str,
        *,
        reply_to_message_id: int | None = None,
        message_thread_id: int | None = None,
        mentions: list[Json] | None = None,
        anonymous: bool = False,
    ) -> None:
        person.write(
            str(text),
            in_=chat,
            reply_to=None if reply_to_message_id is None else chat.messages[reply_to_message_id],
            thread=message_thread_id,
            entities=with_mentions(str(text), mentions, self._world.user_json) if mentions else None,
            anonymous=anonymous,
        )

    def resend(self, message: Message) -> None:
        message.deliver()

    async def tap(self, person: Person, message: Message, row: int, column: int) -> Json:
        button = message.button(row=int(row), column=int(column))
        if "callback_data" not in button:
            raise ValueError("This button doesn't call the bot.")
        query = person.press(message, button["callback_data"])
        answer = await query.answered(self._world.taps.lifetime, "an answer")
        return {"type": "answer", **asdict(answer)}

    async def inline(self, person: Person, chat: Chat, text: str, query: str | None = None) -> Json:
        asked = person.inline_query(str(text), chat)
        results = await asked.answered(self._world.inline_queries.lifetime, "results")
        self._offered[person.id, str(query)] = results
        shown = [{"id": one.id, "title": one.title, "description": one.description} for one in results]
        return {"type": "inline_results", "results": shown}

    def choose(self, person: Person, chat: Chat, result_id: str, query: str | None = None) -> None:
        for result in self._offered.get((person.id, str(query)), []):
            if result.id == result_id:
                person.choose(result, in_=chat)
                return
        raise ValueError("This result is no longer offered.")

    # People

    def add_person(self, first_name: str, last_name: str, username: str, language_code: str) -> Json:
        first, last, name, language = self._names(None, first_name, last_name, username, language_code)
        person = self._world.add_person(first, last_name=last, username=name, language=language)
        self._world.tell("person", person)
        return {"type": "added", "person": person.id}

    def rename_person(
        self,
        person: Person,
        first_name: str,
        last_name: str,
        username: str,
        *,
        language_code: str,
        more_usernames: list[str] | None = None,
    ) -> None:
        person.rename(*self._names(person, first_name, last_name, username, language_code))
        person.usernames = person.usernames if more_usernames is None else tuple(more_usernames)

    def _names(self, owner: Person | None, *given: str) -> tuple[str, str | None, str | None, str | None]:
        first, last, username, language = given
        username = username.removeprefix("@")
        check_names(first, last, username or None)
        others = [other.username for other in self._world.persons.values() if other is not owner]
        if username and username.lower() in {str(name).lower() for name in [*others, self._world.bot.username]}:
            raise ValueError(f"@{username} is taken.")
        return first, last or None, username or None, language or None

    def block(self, person: Person, *, on: bool) -> None:
        person.block(on=on)

    def meet(self, person: Person, other: Person) -> Json:
        if person is other:
            raise ValueError("People can't chat with themselves.")
        both = {person.id, other.id}
        private = (chat for chat in self._world.chats.values() if chat.kind == "private")
        known = next((chat for chat in private if chat.members.keys() == both), None)
        meeting = known or self._world.add_meeting(person, other)
        return {"type": "added", "chat_id": meeting.id}

    # Groups

    def add_group(
        self,
        person: Person,
        title: str,
        kind: str,
        *,
        members: Sequence[int] = (),
        with_bot: bool = True,
        direct_messages: bool = False,
    ) -> Json:
        people = list(dict.fromkeys([person, *(self._world.persons[member] for member in members)]))
        if direct_messages:
            return {"type": "added", "chat_id": self._world.add_direct_messages(title, people).id}
        group = self._world.add_group(title, people, kind=kind, with_bot=False)
        if with_bot:
            group.set_bot("member")
        return {"type": "added", "chat_id": group.id}

    def rename_group(self, group: Group, person: Person, title: str) -> None:
        group.rename(title, person)

    def member(self, group: Group, person: Person, member: Person, standing: str) -> None:
        if standing == "left":
            group.remove(member, None if member is person else person)
        elif member.id not in group.members:
            group.add(member, person)
        elif standing == "anonymous":
            group.hide(member)
        elif standing == "administrator":
            group.promote(member)
        else:
            group.demote(member)

    def bot(self, group: Group, person: Person, standing: Status) -> None:
        if standing not in _STANDINGS:
            raise ValueError(f"A bot can't be {standing!r}.")
        group.set_bot(standing, person)

    def upgrade(self, group: Group) -> Json:
        return {"type": "added", "chat_id": group.migrate().id}

    def add_topic(self, person: Person, chat: Chat, title: str) -> None:
        if chat is person.private:
            person.add_topic(title)
        else:
            _group(chat).add_topic(title, person)

    def rename_topic(self, group: Group, person: Person, topic: Topic, title: str) -> None:
        group.rename_topic(topic, title, person)

    def close_topic(self, group: Group, topic: Topic, *, on: bool) -> None:
        group.close_topic(topic, on=on)


class Director:
    """Has people act, and the workshop too."""

    def __init__(self, world: World, workshop: Workshop) -> None:
        self._world = world
        acts = Acts(world)
        self._acts: dict[str, Callable[..., Any]] = {
            **{name: getattr(acts, name) for name in vars(Acts) if not name.startswith("_")},
            **{act.__name__: act for act in (workshop.trouble, workshop.flood, workshop.advance, workshop.order)},
        }
        self._parameters = {name: signature(act).parameters for name, act in self._acts.items()}

    def forms(self) -> Json:
        """The fields of every act, by name."""
        return {
            act: {name: asdict(FIELDS[name]) for name in names if name in FIELDS}
            for act, names in self._parameters.items()
        }

    async def carry_out(self, given: Json) -> Json | None:
        """Do what is asked for; an act that is impossible raises ValueError, TypeError or LookupError."""
        act, arguments = given["type"], {}
        for name, parameter in self._parameters[act].items():
            if name in _FOUND:
                arguments[name] = _FOUND[name](self._world, given)
            elif name in FIELDS:
                arguments[name] = FIELDS[name].read(given.get(name))
            elif name in given or parameter.default is parameter.empty:
                arguments[name] = given[name]
        told = self._acts[act](**arguments)
        answer: Json | None = await told if isawaitable(told) else told
        return answer


def _group(chat: Chat) -> Group:
    if not isinstance(chat, Group):
        raise TypeError("This isn't a group.")
    return chat
