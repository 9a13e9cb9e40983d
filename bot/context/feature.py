"""What a feature is: one value at the end of its file says what the rest of the bot takes from it."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum, Flag, StrEnum, auto
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from telegram.ext import BaseHandler

from bot.boards.buttons import Menu
from bot.boards.translations import meanings
from bot.boards.view import Row
from bot.delivery.entries import OutgoingMessage
from bot.game.actions import Action
from bot.language import N_, in_language, per_language, speaking
from bot.recent import Recent
from storage.games.record import Notice, NoticeKind

K = TypeVar("K")
V = TypeVar("V")


class Link(NamedTuple):
    """An answer to a tap that opens the private chat with the bot."""

    url: str


class Alert(NamedTuple):
    """An answer that stays until it is closed, as it takes a while to read."""

    words: str


class Later(NamedTuple):
    """An answer that takes a search."""

    words: Coroutine[None, None, str | None]
    """Searches, and gives the answer; None if the same was asked again, and is answered then."""


Told: TypeAlias = "str | Alert | Link | Later | None"
"""What the tapper is told, to be translated if it isn't yet."""

Handler: TypeAlias = Callable[..., Coroutine[Any, Any, object]]
"""Takes a `CommandRequest`."""
TapHandler: TypeAlias = Callable[..., Awaitable[Told]]
"""Takes a `Requester`, and the button or a game's id and the action."""
Maker: TypeAlias = Callable[..., Awaitable[OutgoingMessage | None]]
"""Makes the message of a notice from the `Services` and the notice; None if it has become pointless."""


class Menus(Flag):
    """The menus of Telegram that show a command."""

    NONE = 0
    PRIVATE = auto()
    GROUPS = auto()
    BOTH = PRIVATE | GROUPS


class By(Enum):
    """As whom a command may be sent; what only administrators may do, its handler refuses (`need_admin`)."""

    PEOPLE = "people"
    """People, by their own account."""
    ADMINISTRATORS = "administrators"
    """Anonymous administrators, too, as the group itself, as far as the handler allows it."""
    ANYBODY = "anybody"
    """Whoever posts as a group or a channel, too, as it needs no person."""


class Command(NamedTuple):
    """A command."""

    name: str
    handler: Handler
    description: str
    """Shown in Telegram's menus and the help, and typed instead of the command; to be translated."""
    menus: Menus = Menus.NONE
    by: By = By.PEOPLE
    plain: str = ""
    """What else people type in a private chat instead, with | between; to be translated."""


class Routine(NamedTuple):
    """Work of a feature that is done again and again, beside the updates."""

    name: str
    step: Callable[..., Awaitable[bool | None]]
    """Takes the `Services`, and what tells whether people are heard; True if there may be more to do."""
    pause: float
    """The seconds until the next step."""
    at_once: bool = False
    """Whether it begins before the updates that waited at the start are handled."""


class Waiting(NamedTuple):
    """What waits for somebody who is back."""

    said: str
    """A few words."""
    rows: Sequence[Row]
    """The buttons that lead to it."""


class Event(Enum):
    """What a feature may have to follow; who hears of it takes the `Services`, and what it says here."""

    UNREACHABLE = "unreachable"
    """The bot can't reach somebody any more: their id."""
    FORGETTING = "forgetting"
    """Somebody's data are about to be deleted: their id. Returns boards in their chat that still show a game."""
    LEFT_GROUP = "left group"
    """Somebody has left a group: its id, theirs, and whether they were removed, by whom, and for good."""
    BACK_IN_GROUP = "back in group"
    """Somebody is in a group, perhaps again: its id, and theirs."""
    UNHEARD = "unheard"
    """Nobody could be heard: for how many seconds, and until when."""
    NOT_BEGUN = "not begun"
    """Two people were paired, and one hasn't moved in time: the game's id."""


class HelpPage(StrEnum):
    """A page of the help."""

    PLAY = "play"
    BOARDS = "boards"
    FRIENDS = "friends"
    CHOICES = "choices"
    RESULTS = "results"
    COMMANDS = "commands"
    """All commands, from the features' tables."""


class Heading(Enum):
    """What commands are listed below, to be translated."""

    NEW_GAMES = N_("New games")
    IN_A_GAME = N_("In a game")
    RESULTS = N_("Results")
    SETTINGS = N_("Settings")
    DATA = N_("You and your data")


NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


class Feature(NamedTuple):
    """Something that people use, which leaves the others as they are if it is missing."""

    commands: Sequence[Command] = ()
    heading: Heading = Heading.DATA
    """Where the list of all commands has them."""
    words: Mapping[str, Handler] = NONE
    """Commands that no list has. They do what a button does, or this where no board shown has that button."""
    plain: Mapping[str, str] = NONE
    """What people type in a private chat instead of such a word, with | between; to be translated."""
    taps: Mapping[type[Menu | Action], TapHandler] = NONE
    """By what a button carries. An action without a handler is done as it is (`bot.context.acting.act`)."""
    links: Mapping[str, Handler] = NONE
    """Follow a link, by what it is for (`bot.boards.links`); each also takes what the link says."""
    replies: Mapping[type[object], str] = NONE
    """By the first button of a message, the command that an answer to it in a private chat is for."""
    updates: Sequence[BaseHandler[Any, Any, Any]] = ()
    """What takes updates of Telegram that are neither messages nor taps."""
    notices: Mapping[NoticeKind, Maker] = NONE
    """Make what the outbox has to say."""
    routines: Sequence[Routine] = ()
    on: Mapping[Event, Callable[..., Awaitable[object]]] = NONE
    remembers: Sequence[Callable[[], Recent[int, Any]]] = ()
    """What it remembers of people, by their id (`Services.memory`); it forgets whoever is forgotten."""
    waits: Callable[..., Awaitable[Waiting | None]] | None = None
    """Takes a `CommandRequest` in a private chat."""
    helps: Mapping[HelpPage, Callable[[], str]] = NONE
    """Say its lines of the help."""
    keeps: str = ""
    """The line of /privacy that says what it stores; to be translated."""


class Features:
    """The features of a bot."""

    def __init__(self, *features: Feature) -> None:
        """Put together what they say, in the order of the help."""
        self.all = features
        self.commands: Mapping[str, Command] = {
            each.name: each for feature in features for each in feature.commands
        }
        self.listed: Mapping[Heading, Sequence[Command]] = {
            heading: [each for feature in features if feature.heading is heading for each in feature.commands]
            for heading in Heading
        }
        self.words = _merged(feature.words for feature in features)
        self.taps = _merged(feature.taps for feature in features)
        self.links = _merged(feature.links for feature in features)
        self.replies = _merged(feature.replies for feature in features)
        self.updates = [handler for feature in features for handler in feature.updates]
        self.routines = [routine for feature in features for routine in feature.routines]
        self.waits = [feature.waits for feature in features if feature.waits is not None]
        self.remembers = [memory for feature in features for memory in feature.remembers]
        self._on = {event: [each.on[event] for each in features if event in each.on] for event in Event}
        self.keeps = [feature.keeps for feature in features if feature.keeps]
        self._notices = _merged(feature.notices for feature in features)
        self.plain = {each.name: each.plain for each in self.commands.values() if each.plain}
        self.plain |= _merged(feature.plain for feature in features)

    def menu(self, of: Menus) -> Sequence[Command]:
        """The commands that a menu of Telegram shows."""
        return [command for command in self.commands.values() if of in command.menus]

    def help(self, page: HelpPage) -> str:
        """What a page of the help says, but for that of the commands."""
        return "\n".join(each.helps[page]() for each in self.all if page in each.helps)

    @per_language
    def meanings(self) -> Mapping[str, str]:
        """The commands by what people may type for them in a private chat."""
        named = {words: each.name for each in self.commands.values() for words in (each.name, each.description)}
        return meanings(named | {words: name for name, words in self.plain.items()})

    async def tell(self, event: Event, *given: object, **named: object) -> Sequence[Any]:
        """Let features follow an event; returns what each of them returns."""
        return [await hear(*given, **named) for hear in self._on[event]]

    async def message_of(self, services: object, notice: Notice) -> OutgoingMessage | None:
        """The message that a notice becomes, right after it was stored, or by the sweep if a process was killed.

        None if it has become pointless. Raises NotNow if it may not be said yet.
        """
        if (make := self._notices.get(notice.kind)) is None:
            return None
        with speaking(notice.language):
            message = await make(services, notice)
        if message is None or message.remake is None:
            return message
        return replace(message, remake=in_language(notice.language, message.remake))


def _merged(of: Iterable[Mapping[K, V]]) -> Mapping[K, V]:
    return {key: value for each in of for key, value in each.items()}
