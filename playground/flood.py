"""Models of Telegram's flood limits.

Nobody outside knows the limits, so there are several models. A model is asked when a call arrives, and counts it;
it takes the time from its caller, so hours of play can be simulated in a moment.
"""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence

from playground.errors import too_many_requests
from playground.waiting import Clock

LIMITED = frozenset({"sendMessage", "sendPhoto", "sendAnimation", "sendDocument", "editMessageText"})
"""The methods that share one limit: sending and editing; answers to callbacks have none."""
ANSWERS = frozenset({"answerCallbackQuery", "answerInlineQuery"})
"""The methods that are refused only if everything is."""

WINDOW = 60.0
"""The window of a group's limit, in seconds."""
_SLACK = 1e-6
"""A tolerance in seconds, as sums of times aren't exact."""


class FloodError(Exception):
    """The call is over the limit."""

    def __init__(self, pause: float, silence: float = 0.0) -> None:
        super().__init__(pause)
        self.pause = pause
        """Seconds from the refusal until it would be allowed."""
        self.silence = silence
        """Seconds that pass before the refusal."""


class Published:
    """Telegram's published limits: 20 a minute in a group, elsewhere one a second after a short burst."""

    methods = LIMITED
    """The methods that count."""

    def __init__(
        self,
        *,
        per_group_minute: int = 20,
        per_private_second: float = 1.0,
        private_burst: int = 5,
        changing: Mapping[int, Sequence[tuple[float, int]]] | None = None,
    ) -> None:
        """`private_burst` is how many calls a private chat takes without a pause.

        A chat that is `changing` takes so many calls a minute from these times on.
        """
        self._group = per_group_minute, WINDOW
        self._private = private_burst, private_burst / per_private_second
        self._changing = changing or {}
        self._sent: defaultdict[int, deque[float]] = defaultdict(deque)

    def _limit(self, chat: int, now: float) -> tuple[int, float]:
        """The number of calls a chat takes now, and the seconds they are counted over."""
        for since, per_minute in reversed(self._changing.get(chat, ())):
            if since <= now:
                return per_minute, WINDOW
        return self._group if chat < 0 else self._private

    def check(self, chat: int | None, now: float) -> float:
        """Count a call and tell the seconds until it is carried out; one refused by FloodError doesn't count."""
        if chat is None:
            return 0.0
        limit, window = self._limit(chat, now)
        sent = self._sent[chat]
        while sent and sent[0] <= now - WINDOW:
            sent.popleft()
        if len(sent) >= limit and sent[-limit] + window > now + _SLACK:
            raise FloodError(sent[-limit] + window - now)
        sent.append(now)
        return 0.0


class Refusal:
    """Everything is refused for a while, answers too; before and after it the published limits hold."""

    methods = LIMITED | ANSWERS

    def __init__(self, begin: float, end: float) -> None:
        self._begin, self._end, self._model = begin, end, Published()

    def check(self, chat: int | None, now: float) -> float:
        if self._begin <= now < self._end:
            raise FloodError(self._end - now)
        return self._model.check(chat, now)


class Silent:
    """The server sleeps through short floods, and for as long before it refuses (TDLib, NetQueryDelayer.cpp)."""

    def __init__(self, model: Model | None = None, *, seconds: float = 8.0) -> None:
        """Where another model refuses, keep silent for so many seconds at most."""
        self._model = model or Published()
        self._seconds = seconds
        self.methods: frozenset[str] = self._model.methods

    def check(self, chat: int | None, now: float) -> float:
        silence = 0.0
        while True:
            try:
                return silence + self._model.check(chat, now + silence)
            except FloodError as flood:
                rest = silence + flood.pause - self._seconds
                if rest > 0:
                    raise FloodError(rest, self._seconds) from None
                silence += flood.pause


Model = Published | Refusal | Silent
"""A model of what Telegram allows."""


class FloodLimits:
    """The limits in force in a playground: none until there is a model of them."""

    def __init__(self) -> None:
        self.model: Model | None = None

    async def wait(self, method: str, chat: int | None, clock: Clock) -> None:
        """Let a call through or refuse it, perhaps after a silence."""
        if self.model is None or method not in self.model.methods:
            return
        try:
            silence = self.model.check(chat, clock.now())
        except FloodError as flood:
            if flood.silence:
                await asyncio.sleep(flood.silence)
            raise too_many_requests(math.ceil(flood.pause) or 1) from None
        if silence:
            await asyncio.sleep(silence)
