"""What every handler can reach, typed: the services of this bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from telegram.ext import Application, CallbackContext, ExtBot

from bot.computer.exhibitions import Exhibitions
from bot.computer.opponent import Computer
from bot.context.double_taps import DoubleTaps
from bot.context.languages import Languages
from bot.game.time_limits import FOR_EVER, Retention

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from random import Random

    from bot.context.admins import Admins
    from bot.context.recent_people import RecentPeople
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
    """The error that each update under way has ended in, for the intake to see."""
    metrics: Metrics
    workers: Workers
    """What takes a search is thought about there."""
    double_taps: DoubleTaps = field(default_factory=DoubleTaps)
    """Whose taps on little boards came just now."""
    commands: Mapping[str, str] = field(default_factory=dict)
    """What the help tells of each command, by name; to be translated."""
    let_go: Callable[[int], Awaitable[None]] = field(init=False)
    """Ends what a person who leaves for good has begun with strangers, who wait on."""
    kept: Retention = FOR_EVER
    """For how long what is kept."""
    journal: Journal | None = None
    """The list of people whose data were deleted, kept outside the database."""
    exporting: asyncio.Semaphore = field(default_factory=partial(asyncio.Semaphore, 2))
    """Held while an export is made: there are two at a time."""
    languages: Languages = field(default_factory=Languages)
    """What people have chosen to be spoken to in."""
    computer: Computer = field(init=False)
    """The computer as a player, where its moves take a search."""
    exhibitions: Exhibitions = field(init=False)
    """The computer's moves against itself."""

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
