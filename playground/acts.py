"""What the page, or a script, can have people do, and what its drawer does to the playground.

Each act is a method, whose parameters tell what it needs. Parameters with a `Field` are what one writes or
chooses: the page makes its forms from them, as `forms` tells it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from inspect import isawaitable, signature
from typing import Any, cast

from playground.accounts import Status
from playground.chats import Chat, Message, Topic
from playground.child import BotProcess
from playground.errors import Json
from playground.faults import Fault
from playground.files import FileKind
from playground.flood import Model, Published, Refusal, Silent
from playground.groups import Group
from playground.people import MAXIMUM_NAME, Person, check_names
from playground.queries import InlineResult
from playground.texts import with_mentions
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
    "it": "Italiano",
    "pt-br": "Português (Brasil)",
    "ru": "Русский",
    "tr": "Türkçe",
    "uk": "Українська",
    "uz": "Oʻzbekcha",
    "vi": "Tiếng Việt",
}
_KINDS = {"group": "Group", "supergroup": "Supergroup", "forum": "Forum with topics"}
_STANDINGS = {
    "member": "Member: reads what is meant for it",
    "administrator": "Administrator: reads everything",
    "no GIFs": "Member: may send no GIFs",
    "no pictures": "Member: may send no pictures at all",
    "restricted": "Muted: may not write",
    "kicked": "Removed",
}
_FORBIDDEN: Mapping[str, Sequence[FileKind]] = {"no GIFs": ["animation"], "no pictures": ["animation", "photo"]}
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
        self._offered: dict[tuple[int, str], dict[str, InlineResult]] = {}

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
            entities=with_mentions(str(text), mentions, self._world.user) if mentions else None,
            anonymous=anonymous,
        )

    def resend(self, message: Message) -> None:
        message.deliver()

    def forward(self, person: Person, message: Message, to: int) -> None:
        person.forward(message, self._world.chats[to])

    async def tap(self, person: Person, message: Message, row: int, column: int) -> Json:
        answer = await person.tap(message, row=int(row), column=int(column), within=self._world.taps.lifetime)
        return {"type": "answer", **asdict(answer)}

    async def inline(self, person: Person, chat: Chat, text: str, query: str | None = None) -> Json:
        results = await person.inline(str(text), in_=chat, within=self._world.inline_queries.lifetime)
        self._offered[person.id, str(query)] = {one.id: one for one in results}
        shown = [{"id": one.id, "title": one.title, "description": one.description} for one in results]
        return {"type": "inline_results", "results": shown}

    def choose(self, person: Person, chat: Chat, result_id: str, query: str | None = None) -> None:
        result = self._offered.get((person.id, str(query)), {}).get(result_id)
        if result is None:
            raise ValueError("This result is no longer offered.")
        person.choose(result, in_=chat)

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

    def bot(self, group: Group, person: Person, standing: str) -> None:
        if standing not in _STANDINGS:
            raise ValueError(f"A bot can't be {standing!r}.")
        group.forbid(*_FORBIDDEN.get(standing, ()))
        group.set_bot(cast("Status", "member" if standing in _FORBIDDEN else standing), person)

    def post(self, group: Group, text: str) -> None:
        group.channel_post(text)

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


TROUBLES: dict[str, tuple[str, dict[str, Any]]] = {
    "slow": ("Every call takes a second", {"kind": "delay", "delay": 1.0}),
    "slow_edits": ("Every edit takes five seconds", {"kind": "delay", "delay": 5.0, "method": "editMessageText"}),
    "refused": ("Every third call is told to wait a second", {"kind": "429", "share": 0.33, "retry_after": 1}),
    "broken": ("Every third call fails with a page of a gateway", {"kind": "5xx", "share": 0.33}),
    "lost": ("Every third call is lost on its way", {"kind": "drop_before", "share": 0.33}),
    "unanswered": ("Every third call is carried out, its answer lost", {"kind": "drop_after", "share": 0.33}),
    "twice": ("Every update comes twice", {"kind": "duplicate", "delay": 0.5}),
    "resent": ("Apps send everything twice", {"kind": "resend", "delay": 0.5}),
    "old": ("Taps come without their message, as on old ones", {"kind": "old"}),
    "no_instance": ("Taps come without a chat_instance", {"kind": "no_instance"}),
    "late": ("Every third update is overtaken by others", {"kind": "reorder", "share": 0.33, "delay": 2.0}),
}
"""Faults that can be switched on, by name: what people read, and the arguments of `Faults.add`."""

FLOOD: dict[str, tuple[str, Callable[[float, int], Model | None]]] = {
    "none": ("None", lambda _now, _chat: None),
    "published": (
        "20 a minute in a group, one a second in private: what is more is refused",
        lambda _now, _chat: Published(),
    ),
    "silent": ("The same, but Telegram sleeps up to eight seconds first", lambda _now, _chat: Silent()),
    "changing": (
        "The open chat takes five a minute, after two minutes 20 again",
        lambda now, chat: Published(changing={chat: [(now, 5), (now + 120, 20)]}),
    ),
    "refusal": (
        "Everything is refused for half a minute; then the published limits hold",
        lambda now, _chat: Refusal(now, now + 30),
    ),
}
"""Flood limits by name: what people read, and the model from now on, perhaps for the open chat."""
_LONGEST = 366 * 24 * 3600.0


class Workshop:
    """The drawer's switches and how they stand; `trouble`, `flood`, `advance` and `order` are acts."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._troubles: dict[str, Fault] = {}
        self._flood = "none"
        self._bot: BotProcess | None = None

    def take_charge(self, bot: BotProcess) -> None:
        """Let the drawer stop, kill and start the bot."""
        self._bot = bot
        bot.on_change = self._changed

    def trouble(self, name: str, *, on: bool) -> None:
        _, arguments = TROUBLES[name]
        if name in self._troubles:
            self._world.faults.remove(self._troubles.pop(name))
        if on:
            self._troubles[name] = self._world.faults.add(**arguments)
        self._changed()

    def flood(self, name: str, chat_id: int | None = None) -> None:
        """Choose the flood limits; "changing" needs the chat that it is about."""
        _, model = FLOOD[name]
        if name == "changing" and chat_id is None:
            raise ValueError("First open the chat that should accept less.")
        self._world.flood.model = model(self._world.clock.now(), chat_id or 0)
        self._flood = name
        self._changed()

    def advance(self, seconds: float) -> None:
        """Move the clock forward, and with it that of a bot that the playground has started."""
        if not 0 < float(seconds) <= _LONGEST:
            raise ValueError("The clock can be moved forward by up to a year.")
        self._world.clock.advance(float(seconds))
        if self._bot is not None:
            self._bot.move(self._world.clock.skipped)
        self._changed()

    def order(self, what: str) -> None:
        """Stop, kill or start the bot, if the playground started it."""
        if self._bot is None:
            raise ValueError("the bot was not started by the playground")
        {"start": self._bot.start, "stop": self._bot.stop, "kill": self._bot.kill}[what]()

    def as_json(self) -> Json:
        """How everything stands, with the words for it."""
        return {
            "troubles": [
                {"name": name, "title": words, "on": name in self._troubles}
                for name, (words, _) in TROUBLES.items()
            ],
            "flood": [
                {"name": name, "title": words, "on": name == self._flood} for name, (words, _) in FLOOD.items()
            ],
            "skipped": self._world.clock.skipped,
            "bot": None if self._bot is None else self._bot.state,
        }

    def _changed(self) -> None:
        self._world.tell("workshop", self)


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
