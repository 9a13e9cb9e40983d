"""The whole Telegram: its people and chats, by name and by id."""

from collections.abc import Sequence
from itertools import count

from playground.accounts import Bot, User
from playground.chats import Chat, Message
from playground.files import Files
from playground.groups import Group
from playground.hub import Hub
from playground.people import Person

_FIRST_PERSON = 5_000_000_001  # ids need more than 32 bits
_FIRST_MEETING = 900_000_000_001


class World(Hub):
    """Everything that Telegram knows."""

    chats: dict[int, Chat]
    """By chat id."""
    inline_messages: dict[str, Message]
    """By `inline_message_id`."""

    def __init__(self, bot: Bot, *, seed: int = 0) -> None:
        super().__init__(bot, seed=seed)
        self.people: dict[str, Person] = {}
        """By key: the lower-cased first name unless another was given."""
        self.groups: dict[str, Group] = {}
        """By key, as `add_group` was given it."""
        self.persons: dict[int, Person] = {}
        """By user id."""
        self.files = Files()
        """The files that the bot has sent."""
        self._person_ids = count(_FIRST_PERSON)
        self._meeting_ids = count(_FIRST_MEETING)

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
        person = Person(next(self._person_ids), first_name, last_name, username, language, world=self)
        person.started = started
        self.persons[person.id] = person
        name = first_name.lower() if key is None else key
        self.people[str(person.id) if name in self.people or not name else name] = person
        return person

    def add_group(
        self,
        title: str,
        people: Sequence[Person],
        *,
        key: str | None = None,
        kind: str = "group",
        with_bot: bool = True,
    ) -> Group:
        """A new "group", "supergroup" or "forum", whose first person owns it."""
        group = Group(self, title, people, kind, with_bot=with_bot)
        if key is not None:
            self.groups[key] = group
        return group

    def add_direct_messages(self, channel: str, people: Sequence[Person]) -> Group:
        """The direct messages of a channel, where the bot reads all that these people write."""
        chat = Group(self, channel, people, "supergroup")
        chat.direct_messages = True
        chat.set_bot("administrator")
        return chat

    def add_meeting(self, one: Person, other: Person) -> Chat:
        """The private chat of two people, which the bot enters only by inline mode."""
        title = f"{one.first_name} and {other.first_name}"
        return Chat(self, next(self._meeting_ids), "private", title, [one, other], with_bot=False)

    def user(self, identifier: int) -> User | None:
        return self.bot if identifier == self.bot.id else self.persons.get(identifier)
