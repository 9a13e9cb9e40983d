"""The services of the bot, as every handler reaches them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, TypeAlias

from telegram.ext import Application, CallbackContext, ExtBot

from bot.computer.exhibitions import Exhibitions
from bot.computer.opponent import Computer
from bot.context.admins import Admins
from bot.context.double_taps import DoubleTaps
from bot.context.languages import Languages
from bot.context.recent_people import RecentPeople
from bot.context.retention import FOR_EVER, Retention
from bot.delivery.publisher import Publisher
from bot.game.time_limits import TimeLimits
from bot.metrics import Metrics
from bot.workers.pool import Workers
from storage.privacy.forgotten import Journal
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
    """By update under way, the error it ended in, for the intake to see."""
    metrics: Metrics
    workers: Workers
    """Processes that search and draw."""
    double_taps: DoubleTaps = field(default_factory=DoubleTaps)
    """The latest taps that changed what is under the finger."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """By command, its description in the help; to be translated."""
    let_go: Callable[[int], Awaitable[None]] = field(init=False)
    """Ends what a person who leaves for good has begun with strangers, who go on waiting."""
    kept: Retention = FOR_EVER
    """The host's retention settings."""
    journal: Journal | None = None
    """The list of people whose data were deleted, kept outside the database."""
    exporting: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, 2))
    """Held while an export is made: two at a time."""
    languages: Languages = field(default_factory=Languages)
    """The languages that people and groups have chosen."""
    computer: Computer = field(init=False)
    """The computer as an opponent, where its moves take a search."""
    exhibitions: Exhibitions = field(init=False)
    """The computer's moves in exhibitions."""

    def __post_init__(self) -> None:
        self.computer = Computer(self.store, self.publisher, self.workers, self.rng, self.limits)
        self.exhibitions = Exhibitions(self.store, self.publisher, self.workers, self.rng, self.limits)


class Context(CallbackContext[ExtBot[None], Any, Any, Services]):
    """The context of an update, with the services as properties."""

    @property
    def services(self) -> Services:
        """The services of this bot."""
        return self.bot_data


App: TypeAlias = Application[ExtBot[None], Context, Any, Any, Services, None]
