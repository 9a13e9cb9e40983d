"""What the page's drawer can do to the playground: the clock, troubles, flood limits, the bot's process.

This is the one place that knows how faults and flood limits are switched on for people to see.
"""

from collections.abc import Callable
from typing import Any

from playground.child import BotProcess
from playground.errors import Json
from playground.faults import Fault
from playground.flood import Model, Published, Refusal, Silent
from playground.hub import Hub

TROUBLES: dict[str, tuple[str, dict[str, Any]]] = {
    "slow": ("Every call takes a second", {"kind": "delay", "delay": 1.0}),
    "slow_edits": ("Every edit takes five seconds", {"kind": "delay", "delay": 5.0, "method": "editMessageText"}),
    "refused": ("Every third call is told to wait a second", {"kind": "429", "share": 0.33, "retry_after": 1}),
    "broken": ("Every third call fails with a page of a gateway", {"kind": "5xx", "share": 0.33}),
    "lost": ("Every third call is lost on its way", {"kind": "drop_before", "share": 0.33}),
    "unanswered": ("Every third call is carried out, its answer lost", {"kind": "drop_after", "share": 0.33}),
    "twice": ("Every update comes twice", {"kind": "duplicate", "delay": 0.5}),
    "resent": ("Apps send everything twice", {"kind": "resend", "delay": 0.5}),
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

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
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
            self._hub.faults.remove(self._troubles.pop(name))
        if on:
            self._troubles[name] = self._hub.faults.add(**arguments)
        self._changed()

    def flood(self, name: str, chat_id: int | None = None) -> None:
        """Choose the flood limits; "changing" needs the chat that it is about."""
        _, model = FLOOD[name]
        if name == "changing" and chat_id is None:
            raise ValueError("First open the chat that should accept less.")
        self._hub.flood.model = model(self._hub.clock.now(), chat_id or 0)
        self._flood = name
        self._changed()

    def advance(self, seconds: float) -> None:
        """Move the clock forward, and with it that of a bot that the playground has started."""
        if not 0 < float(seconds) <= _LONGEST:
            raise ValueError("The clock can be moved forward by up to a year.")
        self._hub.clock.advance(float(seconds))
        if self._bot is not None:
            self._bot.move(self._hub.clock.skipped)
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
            "skipped": self._hub.clock.skipped,
            "bot": None if self._bot is None else self._bot.state,
        }

    def _changed(self) -> None:
        self._hub.tell("workshop", self)
