"""What every handler can reach, typed: the services of this bot."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from telegram.ext import Application, CallbackContext, ExtBot

from bot.handlers import meetings
from bot.handlers.computer import Computer
from bot.handlers.double_taps import DoubleTaps
from bot.handlers.languages import Languages
from bot.handlers.table import COMMANDS
from bot.handlers.watching import Watching
from bot.views.rights import FOR_EVER, Kept

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from bot.delivery.entries import Words
    from bot.delivery.publisher import Publisher
    from bot.game.time_limits import TimeLimits
    from bot.handlers.admins import Admins
    from bot.handlers.recent_people import RecentPeople
    from bot.metrics import Metrics
    from bot.thinking.workers import Workers
    from storage.forgotten import Journal
    from storage.store import Store


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
    recent: RecentPeople
    failures: dict[int, Exception]
    """The error that each update under way has ended in, for the intake to see."""
    metrics: Metrics
    workers: Workers
    """What takes a search is thought about there."""
    double_taps: DoubleTaps = field(default_factory=DoubleTaps)
    """Whose taps on little boards came just now."""
    commands: Mapping[str, str] = field(default_factory=lambda: {each.name: each.description for each in COMMANDS})
    """What the help tells of each command, by name; to be translated."""
    kept: Kept = FOR_EVER
    """For how long what is kept."""
    journal: Journal | None = None
    """Where it is listed who was forgotten, beside the database."""
    leaving: dict[int, str | None] = field(default_factory=dict)
    """Who has asked here to be forgotten, with their language, until that is done."""
    farewells: list[Words] = field(default_factory=list)
    """What is said to who was forgotten, as soon as nothing tells of them any more."""
    exporting: set[int] = field(default_factory=set)
    """Whose exports are being made here."""
    languages: Languages = field(default_factory=Languages)
    """What people have chosen to be spoken to in."""
    computer: Computer = field(init=False)
    """The computer as a player, where its moves take a search."""
    watching: Watching = field(init=False)
    """The computer's moves against itself."""

    def __post_init__(self) -> None:
        self.computer = Computer(self.store, self.publisher, self.workers, self.rng, self.limits)
        self.watching = Watching(self.store, self.publisher, self.workers, self.rng, self.limits)
        self.publisher.on_gone(partial(meetings.drop, self))


class Context(CallbackContext[ExtBot[None], Any, Any, Services]):
    """The context of an update, with the services as properties."""

    @property
    def services(self) -> Services:
        """The services of this bot."""
        return self.bot_data


App: TypeAlias = Application[ExtBot[None], Context, Any, Any, Services, None]
