"""What handlers work with, and what a process remembers for a while."""

import asyncio
import hmac
import logging
import math
import time
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from telegram import Bot, User
from telegram.constants import ChatMemberStatus
from telegram.error import BadRequest, TelegramError
from telegram.ext import Application, CallbackContext, ExtBot

from bot.boards.links import Me
from bot.context.feature import Event, Features
from bot.context.mover import Computer
from bot.delivery.boards import Boards
from bot.delivery.calls import Answers, Calls
from bot.delivery.entries import Prompt
from bot.delivery.lanes import Lanes
from bot.delivery.messages import Messages
from bot.delivery.pace import Pace
from bot.delivery.recovery import Reach, Recovery
from bot.delivery.tasks import Tasks
from bot.game.attempt import TimeLimits, is_computers_turn
from bot.language import code_of
from bot.metrics import Metrics
from bot.network.transport import reading
from bot.recent import Recent
from bot.workers.pool import Workers
from storage.games.game import Offer
from storage.games.record import Changed, Record
from storage.once import Once
from storage.people import chats
from storage.privacy.forgotten import Journal
from storage.store import Store

log = logging.getLogger(__name__)

T = TypeVar("T")

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


LONGEST_TAG: Final = 16
"""The most characters of a language tag that are stored; only its first part is read."""

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
        return chosen[:LONGEST_TAG] if chosen and code_of(chosen) else self.default

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
    calls: Calls
    pace: Pace
    rng: Random
    limits: TimeLimits
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
    features: Features
    """What people use."""
    tasks: Tasks = field(default_factory=Tasks)
    """What nobody awaits."""
    double_taps: DoubleTaps = field(default_factory=DoubleTaps)
    """The latest taps that changed what is under the finger."""
    asked: Recent[QuestionKey | None, Sequence[float]] = field(default_factory=partial(Recent, 10_000))
    """When people have last asked their opponents something, by `time.monotonic`."""
    told_at: Recent[Hashable, float] = field(default_factory=partial(Recent, REMEMBERED_ADMINS))
    """When something was said that need not be said again for a while."""
    _memory: dict[Callable[[], object], Any] = field(default_factory=dict)
    lanes: Lanes = field(init=False)
    reach: Reach = field(init=False)
    boards: Boards = field(init=False)
    messages: Messages = field(init=False)
    answers: Answers = field(init=False)
    computer: Computer = field(init=False)
    """The computer's moves, where they take a search, and in exhibitions."""

    def __post_init__(self) -> None:
        calls, store, tasks = self.calls, self.store, self.tasks
        self.answers = Answers(calls, self.metrics)
        self.reach = reach = Reach(calls.bot, store, tasks)
        self.lanes = lanes = Lanes(self.pace, Recovery(self.pace, store, reach, self.metrics))
        self.messages = Messages(
            calls=calls,
            store=store,
            lanes=lanes,
            metrics=self.metrics,
            tasks=tasks,
            make=partial(self.features.message_of, self),
        )
        self.boards = Boards(
            calls=calls,
            store=store,
            lanes=lanes,
            reach=reach,
            messages=self.messages,
            workers=self.workers,
            tasks=tasks,
            gone=partial(self.features.tell, Event.UNREACHABLE, self),
        )
        self.computer = Computer(store, self.boards, self.workers, self.rng, self.limits)

    def show(self, changed: Changed, prompt: Prompt | None = None) -> bool:
        """Show a game that was changed here, and let the computer go on with it; True if that takes a while."""
        for record in filter(None, (changed.record, changed.following)):
            if record.game.id in self.computer.moves or is_computers_turn(record.game):
                self.computer.go_on(record.game, prompt)
        return self.boards.show(changed, prompt)

    def show_made(self, record: Record, prompt: Prompt | None = None) -> bool:
        """Do the same for a game that was made here."""
        return self.show(Changed(record, {}), prompt)

    @property
    def me(self) -> Me:
        return self.calls.me

    @property
    def key(self) -> bytes:
        """Signs links, and what inline mode offers."""
        return self.me.key

    def link_to(self, parameter: str) -> str:
        """A link to the private chat with the bot, from which a person sends `/start` with this parameter."""
        return self.me.link_to(parameter)

    @property
    def signature(self) -> str:
        """The bot's username, as pictures are signed with it."""
        return f"@{self.me.username}"

    def once(self, update_id: int) -> Once:
        """The key of what an update asks for, which it has if it comes again."""
        return Once(self.digest_of(("update", update_id)))

    def memory(self, make: Callable[[], T]) -> T:
        """What a feature remembers in this process, by what makes it when it is first asked for."""
        if make not in self._memory:
            self._memory[make] = make()
        memory: T = self._memory[make]
        return memory

    def may_tell(self, what: Hashable) -> bool:
        """Whether something is to be said that is said once in `SAID_ONCE_SECONDS`."""
        if (now := time.monotonic()) - self.told_at.get(what, -math.inf) < SAID_ONCE_SECONDS:
            return False
        self.told_at[what] = now
        return True

    def digest_of(self, what: object) -> int:
        """A key for `storage.once`, which says nothing of anybody."""
        return int.from_bytes(hmac.digest(self.key, repr(what).encode(), "sha256")[:8]) >> 1


class Context(CallbackContext[ExtBot[None], Any, Any, Services]):
    """The context of an update, with the services as properties."""

    @property
    def services(self) -> Services:
        return self.bot_data


App: TypeAlias = Application[ExtBot[None], Context, Any, Any, Services, None]
