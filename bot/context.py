"""What every handler can reach, typed: the services of this bot."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from telegram.ext import Application, CallbackContext, ExtBot

from bot.handlers.computer import Computer
from bot.handlers.languages import Languages
from bot.handlers.watching import Watching

if TYPE_CHECKING:
    from random import Random

    from bot.delivery.publisher import Publisher
    from bot.game.time_limits import TimeLimits
    from bot.handlers.admins import Admins
    from bot.handlers.recent_people import RecentPeople
    from bot.metrics import Metrics
    from bot.thinking.workers import Workers
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
    languages: Languages = field(default_factory=Languages)
    """What people have chosen to be spoken to in."""
    computer: Computer = field(init=False)
    """The computer as a player, where its moves take a search."""
    watching: Watching = field(init=False)
    """The computer's moves against itself."""

    def __post_init__(self) -> None:
        self.computer = Computer(self.store, self.publisher, self.workers, self.rng, self.limits)
        self.watching = Watching(self.store, self.publisher, self.workers, self.rng, self.limits)


class Context(CallbackContext[ExtBot[None], Any, Any, Services]):
    """The context of an update, with the services as properties."""

    @property
    def services(self) -> Services:
        """The services of this bot."""
        return self.bot_data


App: TypeAlias = Application[ExtBot[None], Context, Any, Any, Services, None]
