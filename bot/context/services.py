"""What handlers work with, and what a process remembers for a while."""

import asyncio
import hmac
import logging
import math
import time
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from telegram import Bot, User
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, TelegramError
from telegram.ext import Application, CallbackContext, ExtBot

from bot.computer.mover import Computer
from bot.context.trials import Trials
from bot.delivery.publisher import Publisher
from bot.game.attempt import Player, TimeLimits
from bot.language import code_of
from bot.metrics import Metrics
from bot.network.transport import reading
from bot.recent import Recent
from bot.workers.pool import Workers
from storage.games.game import Offer
from storage.games.record import Board
from storage.once import Once
from storage.people import chats
from storage.privacy.forgotten import Journal
from storage.store import Store

log = logging.getLogger(__name__)

ADMINS_SECONDS: Final = 2.0
"""How long to wait for the answer; the tap that needs it waits, too."""
GOOD_SECONDS: Final = 60.0
"""How long an answer stays valid."""
MISSING_SECONDS: Final = 5.0
"""How soon Telegram is asked again after it didn't say."""
REMEMBERED_ADMINS: Final = 4096

NO_ADMINISTRATORS: Final = (ChatMemberStatus.MEMBER, ChatMemberStatus.RESTRICTED, ChatMemberStatus.BANNED)
ADMINISTRATORS: Final = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


class Admins:
    """What is known about the administrators of groups."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self._known: Recent[tuple[int, int], tuple[float, asyncio.Task[bool | None]]] = Recent(REMEMBERED_ADMINS)

    async def is_admin(self, chat_id: int, person: int) -> bool | None:
        """Whether a person is an administrator of a group; None if Telegram doesn't say."""
        key = chat_id, person
        known = self._known.get(key)
        if known is None or time.monotonic() - known[0] > GOOD_SECONDS:
            known = self._known[key] = time.monotonic(), asyncio.create_task(self._ask(chat_id, person))
        return await asyncio.shield(known[1])

    async def _ask(self, chat_id: int, person: int) -> bool | None:
        try:
            async with asyncio.timeout(ADMINS_SECONDS):
                with reading():
                    answer = await self._look_up(chat_id, person)
        except (TelegramError, TimeoutError) as error:
            log.info("Couldn't get a chat's administrators: %s", error or "no answer", extra={"chat_id": chat_id})
            answer = None
        if answer is None:
            asyncio.get_running_loop().call_later(MISSING_SECONDS, self._known.pop, (chat_id, person), None)
        return answer

    async def _look_up(self, chat_id: int, person: int) -> bool | None:
        """Ask for the person; if Telegram doesn't know them there, as it may with anonymous ones, ask for all."""
        with suppress(BadRequest):
            member = await self._bot.get_chat_member(chat_id, person)
            if member.status in ADMINISTRATORS or member.status in NO_ADMINISTRATORS:
                return member.status in ADMINISTRATORS
        administrators = await self._bot.get_chat_administrators(chat_id)
        return any(each.user.id == person for each in administrators) or None


REREAD_SECONDS: Final = 60.0
"""How often they are read again, as another process may have stored a choice."""


class Languages:
    """What was chosen, by chat: a person's own is their private chat."""

    def __init__(self, default: str) -> None:
        """Nothing yet; the `default` is for people whose language the bot doesn't speak."""
        self._chosen: dict[int, str | None] = {}
        self._meanwhile: dict[int, str | None] = {}
        self.default = default

    def of(self, user: User | None, chat_id: int | None = None) -> str:
        """The language to speak to somebody in a chat: its choice, their own, Telegram's, or the default."""
        told = None if user is None else self._chosen.get(user.id) or user.language_code
        chosen = self._chosen.get(chat_id or 0) or told
        return chosen if chosen and code_of(chosen) else self.default

    def choose(self, chat_id: int, language: str | None) -> None:
        """Note a choice; None for Telegram's language again."""
        self._chosen[chat_id] = self._meanwhile[chat_id] = language

    async def read(self, store: Store) -> None:
        """Read all choices."""
        self._meanwhile.clear()
        chosen = await store.read(chats.languages)
        self._chosen = {**chosen, **self._meanwhile}  # what was read may be older


DOUBLE_SECONDS: Final = 0.5
"""Two taps that come in within this many seconds are one gesture."""
REMEMBERED_TAPS: Final = 1024
"""The most games whose last tap is remembered."""


class DoubleTaps:
    """By game, the person who last changed what it shows, and when their tap came in.

    Where a keyboard shows one region of several, every move, and every region that is opened, puts other
    cells in the same place. Telegram sends the data of whatever button the client shows at that moment, so
    the second of two quick taps may name a cell nobody has looked at. Systems treat two taps within 0.3 s
    (Android) to 0.5 s (Windows) as one gesture, and nobody can choose a cell that fast: the change has to
    reach the client, be seen, and the tap has to come back.

    It is only in memory: with several processes, a second tap that reaches another one counts. Rows have
    whole seconds, which would miss half of these taps or stop intended ones, and a time in the buttons would
    make a board depend on more than its rows, so that showing it again would change it.
    """

    def __init__(self) -> None:
        self._last: Recent[int, tuple[int, float]] = Recent(REMEMBERED_TAPS)

    def note(self, game_id: int, person: int, arrived: float | None) -> None:
        """Remember when a tap came in that has put something else under the finger; None if it was no tap."""
        if arrived is None:
            return
        self._last[game_id] = person, arrived

    def is_second(self, game_id: int, person: int, arrived: float | None) -> bool:
        """Whether a tap follows one of the same person's too soon to mean what is there now."""
        who, before = self._last.get(game_id, (None, 0.0))
        return arrived is not None and who == person and arrived - before < DOUBLE_SECONDS


REMEMBERED_PEOPLE: Final = 4096
SAID_ONCE_SECONDS: Final = 600
"""How often people are told that they can't post as a group or channel, or what they sent is too old."""


class Retention(NamedTuple):
    """After how many days finished games, inactive people and groups that the bot has left are deleted."""

    days: int | None
    """Of games and people; None for never."""
    group_days: int


QuestionKey: TypeAlias = tuple[int, int, Offer, int]
"""A game, the person who asks, what they ask, and the ply."""


@dataclass(slots=True)
class Services:
    """What the handlers work with; made once at start."""

    store: Store
    publisher: Publisher
    rng: Random
    limits: TimeLimits
    key: bytes
    """Signs what inline mode offers."""
    admins: Admins
    metrics: Metrics
    workers: Workers
    """Processes that search and draw."""
    kept: Retention
    """The host's retention settings."""
    journal: Journal
    """The list of people whose data were deleted, kept outside the database."""
    languages: Languages
    """The languages that people and groups have chosen."""
    double_taps: DoubleTaps = field(default_factory=DoubleTaps)
    """The latest taps that changed what is under the finger."""
    asked: Recent[QuestionKey | None, Sequence[float]] = field(default_factory=partial(Recent, 10_000))
    """When people have last asked their opponents something, by `time.monotonic`."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """By command, its description in the help; to be translated."""
    let_go: Callable[[int], Awaitable[Sequence[Board]]] = field(init=False)
    """Ends what a person who leaves for good has begun with strangers; returns their own boards of it."""
    trials: Trials = field(default_factory=Trials)
    told_at: Recent[Hashable, float] = field(default_factory=partial(Recent, REMEMBERED_ADMINS))
    """When something was said that need not be said again for a while."""
    puzzle_shown: Recent[int, int] = field(default_factory=partial(Recent, REMEMBERED_PEOPLE))
    """By person, the day of the puzzle that they were shown last."""
    exporting: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, 2))
    """Held while an export is made: two at a time."""
    inline_people: Recent[int, Player] = field(default_factory=partial(Recent, REMEMBERED_PEOPLE))
    """The last people who used inline mode, so that the message they pick has their name, whoever taps it."""
    computer: Computer = field(init=False)
    """The computer's moves, where they take a search, and in exhibitions."""

    def once(self, update_id: int) -> Once:
        """The key of what an update asks for, which it has if it comes again."""
        return Once(self.digest_of(("update", update_id)))

    def may_tell(self, what: Hashable) -> bool:
        """Whether something is to be said that is said once in `SAID_ONCE_SECONDS`."""
        if (now := time.monotonic()) - self.told_at.get(what, -math.inf) < SAID_ONCE_SECONDS:
            return False
        self.told_at[what] = now
        return True

    def digest_of(self, what: object) -> int:
        """A key for `storage.once`, which says nothing of anybody."""
        return int.from_bytes(hmac.digest(self.key, repr(what).encode(), "sha256")[:8]) >> 1

    def __post_init__(self) -> None:
        self.computer = Computer(self.store, self.publisher, self.workers, self.rng, self.limits)


class Context(CallbackContext[ExtBot[None], Any, Any, Services]):
    """The context of an update, with the services as properties."""

    @property
    def services(self) -> Services:
        return self.bot_data


App: TypeAlias = Application[ExtBot[None], Context, Any, Any, Services, None]
