"""What the page's drawer can do to the playground: the clock, troubles, flood limits, the bot's process.

This is the one place that knows how faults and flood limits are switched on for people to see.
"""

from __future__ import annotations

from typing import Any

from playground.child import BotProcess
from playground.errors import Json
from playground.faults import Fault
from playground.flood import Changing, Published, Refusal, Silent
from playground.network import Network

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

FLOOD = {
    "none": "None",
    "published": "20 a minute in a group, one a second in private: what is more is refused",
    "silent": "The same, but Telegram sleeps up to eight seconds first",
    "changing": "The open chat takes five a minute, after two minutes 20 again",
    "refusal": "Everything is refused for half a minute, then what is above 20 and one",
}
"""The models of flood limits, by name."""
_LOW = 5
_LOW_FOR = 120.0
_REFUSED_FOR = 30.0
_LONGEST = 366 * 24 * 3600.0


class Workshop:
    """The drawer's switches and how they stand."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._troubles: dict[str, Fault] = {}
        self._flood = "none"
        self._bot: BotProcess | None = None

    def take_charge(self, bot: BotProcess) -> None:
        """Let the drawer stop, kill and start the bot."""
        self._bot = bot
        bot.on_change = self._changed

    def trouble(self, name: str, *, on: bool) -> None:
        """Switch a trouble."""
        _, arguments = TROUBLES[name]
        fault = self._troubles.pop(name, None)
        if fault is not None:
            self._network.faults.remove(fault)
        if on:
            self._troubles[name] = self._network.faults.add(**arguments)
        self._changed()

    def flood(self, name: str, chat: int | None = None) -> None:
        """Choose the model of flood limits; "changing" needs the chat that it is about."""
        if name not in FLOOD:
            raise ValueError(f"no flood limits are called {name!r}")
        limits, now = self._network.flood, self._network.clock.now()
        match name:
            case "changing":
                if chat is None:
                    raise ValueError("First open the chat that should accept less.")
                limits.model = Changing(chat, [(now, _LOW), (now + _LOW_FOR, 20)])
            case "refusal":
                limits.model = Refusal(now, now + _REFUSED_FOR)
            case "silent":
                limits.model = Silent()
            case _:
                limits.model = Published()
        limits.enabled = name != "none"
        self._flood = name
        self._changed()

    def advance(self, seconds: float) -> None:
        """Move the clock forward, and with it that of a bot that the playground has started."""
        if not 0 < seconds <= _LONGEST:
            raise ValueError("The clock can be moved forward by up to a year.")
        self._network.clock.advance(seconds)
        if self._bot is not None:
            self._bot.move(self._network.clock.skipped)
        self._changed()

    def order(self, what: str) -> None:
        """Stop, kill or start the bot, if the playground started it."""
        if self._bot is None:
            raise ValueError("the bot was not started by the playground")
        orders = {"start": self._bot.start, "stop": self._bot.stop, "kill": self._bot.kill}
        if what not in orders:
            raise ValueError(f"the bot cannot be told to {what}")
        orders[what]()

    def as_json(self) -> Json:
        """How everything stands, with the words for it."""
        return {
            "troubles": [
                {"name": name, "title": title, "on": name in self._troubles, "struck": self._struck(name)}
                for name, (title, _) in TROUBLES.items()
            ],
            "flood": [{"name": name, "title": title, "on": name == self._flood} for name, title in FLOOD.items()],
            "skipped": self._network.clock.skipped,
            "bot": None if self._bot is None else self._bot.state,
        }

    def _struck(self, name: str) -> int:
        fault = self._troubles.get(name)
        return 0 if fault is None else fault.struck

    def _changed(self) -> None:
        self._network.tell("workshop", self)
