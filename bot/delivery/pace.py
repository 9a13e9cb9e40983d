"""When a call to a chat may begin, learnt from what became of the calls before it.

Telegram tells its limits nowhere: about 20 messages and edits a minute in a group, one a second with short bursts
in a private chat, sends and edits in one budget (core.telegram.org/bots/faq; tdlib/td#2592); they differ by chat
and change (telegram-bot-api#318, #736). There is none on calls in all (td#3034) but for messages that nobody asked
for. So a pace begins with these numbers, obeys every refusal, and tries again, carefully, what it was refused.

Nothing here waits or reads a clock: times are seconds of any clock that never goes back. Calls to one chat are
made one after another; that is the caller's part. Answers to taps have no limit and are not its business.
"""

from __future__ import annotations

import math
from collections import deque
from statistics import median
from typing import Final, TypeAlias

from bot.delivery.bucket import Bucket
from bot.delivery.rates import BURST, SLACK, Unpaced
from bot.delivery.window import GROUP_PER_MINUTE, Window

Chat: TypeAlias = int | str
"""A chat: positive ids are private chats, negative ones groups; the `chat_instance` of a board in inline mode is a
string, and counts as a group."""

UNPROMPTED_PER_SECOND: Final = 25
UNPROMPTED_AT_ONCE: Final = 3
"""What nobody asked for goes so fast at the most, as Telegram counts it like a broadcast."""

MARGIN_SECONDS: Final = 0.25
"""What is closed stays so for a little longer than Telegram asks for."""
SLOW_SECONDS: Final = 2.0
FAST_SECONDS: Final = 0.5
"""A call that takes longer than `SLOW_SECONDS`, while half of all take less than `FAST_SECONDS`, was held back by
Telegram, which sleeps up to eight seconds before it refuses (TDLib, NetQueryDelayer.cpp)."""

SEVERAL: Final = 3
TOGETHER_SECONDS: Final = 2.0
"""So many chats that are refused within so many seconds without being to blame are a refusal of everything."""
TRIALS_PER_SECOND: Final = 2.0
"""The calls a second that find out whether a refusal of everything is over."""
REOPENED_PER_SECOND: Final = 10.0
DOUBLES_SECONDS: Final = 4.0
WIDE_PER_SECOND: Final = 1000.0
"""Once it is over there are so many calls a second, twice as many every few seconds, until that is no limit."""


class _Whole:
    """What all chats share: a cap that the host may set, and what follows a refusal of everything."""

    def __init__(self, calls_per_second: int | None) -> None:
        self._cap = Window(calls_per_second, calls_per_second, 1.0) if calls_per_second else None
        self._unprompted = Window(UNPROMPTED_PER_SECOND, UNPROMPTED_PER_SECOND, 1.0)
        self._under_way = 0
        self._closed_until = -math.inf
        self._reopened_at: float | None = None
        self._last = -math.inf
        self._on_trial = False
        """Whether a refusal of everything is not long over."""
        self.limits = self._cap is not None
        """Whether prompted calls may have to wait for it."""

    def wait(self, now: float, *, unprompted: bool = False) -> float:
        """Seconds until a call may begin; infinite where another call has to end first."""
        wait = 0.0
        if unprompted:
            if self._under_way >= UNPROMPTED_AT_ONCE:
                return math.inf
            wait = self._unprompted.wait(now)
        if self._cap is not None:
            wait = max(wait, self._cap.wait(now))
        if self._on_trial:
            wait = max(wait, self._closed_until - now, self._last + 1.0 / self._rate(now) - now)
        return wait if wait > SLACK else 0.0

    def count(self, now: float, *, unprompted: bool) -> None:
        """A call begins."""
        self._last = now
        if self._cap is not None:
            self._cap.begin(now)
        if unprompted:
            self._unprompted.begin(now)
            self._under_way += 1

    def unprompted_ended(self) -> None:
        """An unprompted call is over."""
        self._under_way -= 1

    def close(self, until: float) -> None:
        """Let nothing begin until then, and find out then whether the refusal is over."""
        self._closed_until = max(self._closed_until, until)
        self._reopened_at = None
        self.limits = self._on_trial = True

    def seems_closed(self) -> bool:
        """Whether everything was refused and nothing has been carried out since."""
        return self._on_trial and self._reopened_at is None

    def succeeded(self, began: float, now: float) -> None:
        """A call was carried out."""
        if self._on_trial and self._reopened_at is None and began >= self._closed_until:
            self._reopened_at = now

    def _rate(self, now: float) -> float:
        """Calls a second after a refusal of everything."""
        if self._reopened_at is None:
            return TRIALS_PER_SECOND
        rate = REOPENED_PER_SECOND * math.pow(2.0, min((now - self._reopened_at) / DOUBLES_SECONDS, 10.0))
        if rate >= WIDE_PER_SECOND:
            self._on_trial = False
            self.limits = self._cap is not None
        return rate


class Pace:
    """Says when a call may begin, and is told how it went."""

    def __init__(self, *, calls_per_second: int | None = None, edits_per_minute: int | None = None) -> None:
        """A pace that has learnt nothing yet.

        Args:
            calls_per_second: The most calls a second in all; None or 0 is no limit.
            edits_per_minute: The most calls in any minute to one chat, of whatever kind; None is what Telegram
                is thought to allow, and 0 no limit, which still obeys refusals.
        """
        self._edits_per_minute = edits_per_minute
        self._whole = _Whole(calls_per_second)
        self._chats: dict[Chat, Unpaced] = {}
        self._forget_at = 64
        self._took: deque[float] = deque(maxlen=31)
        self._unexplained: dict[Chat, tuple[float, float]] = {}
        """By chat: when it was refused without being to blame, and until when."""
        self._slowed: set[Chat] = set()
        """Chats that were refused and have taken nothing since."""

    def __len__(self) -> int:
        """How many chats it remembers."""
        return len(self._chats)

    def begin(self, chat: Chat, now: float, *, unprompted: bool = False) -> bool:
        """Count a call that begins now; False if it must not begin yet."""
        shared = unprompted or self._whole.limits
        if shared and self._whole.wait(now, unprompted=unprompted):
            return False
        state = self._chats.get(chat)
        if state is None and self._edits_per_minute != 0:
            state = self._know(chat, now)
        if state is not None:
            if not state.begin(now):
                return False
            if unprompted:
                state.unasked(now)
        if shared:
            self._whole.count(now, unprompted=unprompted)
        return True

    def wait(self, chat: Chat, now: float, ahead: int = 0) -> float:
        """Seconds until its chat allows a call to begin, with so many calls to that chat before it."""
        state = self._chats.get(chat)
        if state is None:
            if ahead < BURST or self._edits_per_minute == 0:
                return 0.0
            state = self._know(chat, now)
        return state.wait(now, ahead)

    def wait_for_words(self, chat: Chat, now: float) -> float:
        """Seconds until words may be said in a chat, beside its pace: what is left of it is for its boards."""
        state = self._chats.get(chat)
        return 0.0 if state is None else state.wait_for_words(now)

    def words_begin(self, chat: Chat, now: float) -> None:
        """Note that the call that begins now says words."""
        state = self._chats.get(chat)
        if state is not None:
            state.words_begin(now)

    def wait_to_spare(self, chat: Chat, now: float) -> float:
        """Seconds until a call to a chat may begin that nobody waits for, at nobody's expense."""
        state = self._chats.get(chat)
        wait = self._whole.wait(now, unprompted=True)
        return wait if state is None else max(wait, state.wait_to_spare(now))

    def wait_of_all(self, now: float, *, unprompted: bool = False) -> float:
        """Seconds until a call to any chat may begin; infinite where another call has to end first."""
        return self._whole.wait(now, unprompted=unprompted)

    def expect(self, chat: Chat, now: float, ahead: int = 0) -> float:
        """About how many seconds from now a prompted call will begin."""
        wait = self.wait(chat, now, ahead)
        return max(wait, self._whole.wait(now)) if self._whole.limits else wait

    def unprompted_ended(self) -> None:
        """An unprompted call is over."""
        self._whole.unprompted_ended()

    def ended(self, chat: Chat, began: float, now: float) -> None:
        """Learn from a call that is over, well or not; a refusal was reported by `refused` before."""
        took = now - began
        self._took.append(took)
        if took > SLOW_SECONDS or chat in self._slowed or self._whole.limits:
            self._learn(chat, began, now)

    def _learn(self, chat: Chat, began: float, now: float) -> None:
        """Learn from a call that is over, where there is something to learn."""
        state = self._chats.get(chat)
        if state is not None:
            if state.closed_until > now:
                return
            if now - began > SLOW_SECONDS and median(self._took) < FAST_SECONDS:
                state.held_back(now)
            state.succeeded(now)
            self._slowed.discard(chat)
        self._whole.succeeded(began, now)

    def refused(self, chat: Chat | None, retry_after: float, now: float) -> None:
        """Telegram wants no call for so many seconds: to this chat, or at all if there was none."""
        until = now + retry_after + MARGIN_SECONDS
        if chat is None:
            self._whole.close(until)
            return
        state = self._know(chat, now)
        to_blame = not state.is_moderate(now)
        already = state.closed_until > now
        state.closed_until = max(state.closed_until, until)
        if self._whole.seems_closed() and not to_blame:
            self._whole.close(until)
        elif not already:
            state.refused(now)
            self._slowed.add(chat)
            if not to_blame:
                self._suspect(chat, until, now)

    def pause(self, chat: Chat, seconds: float, now: float) -> None:
        """Begin nothing in this chat for so many seconds, though Telegram has not asked for it."""
        state = self._know(chat, now)
        state.closed_until = max(state.closed_until, now + seconds)

    def _suspect(self, chat: Chat, until: float, now: float) -> None:
        """Note a chat that was refused without being to blame; several of them at once mean that all are."""
        self._unexplained = {
            other: found for other, found in self._unexplained.items() if found[0] > now - TOGETHER_SECONDS
        }
        self._unexplained[chat] = now, until
        if len(self._unexplained) >= SEVERAL:
            self._whole.close(min(until for _, until in self._unexplained.values()))
            for other in self._unexplained:
                self._know(other, now).forgive()
            self._unexplained = {}

    def _know(self, chat: Chat, now: float) -> Unpaced:
        """What is known of a chat."""
        state = self._chats.get(chat)
        if state is None:
            if len(self._chats) >= self._forget_at:
                self._forget_idle(now)
            state = self._chats[chat] = self._new(chat)
        return state

    def _new(self, chat: Chat) -> Unpaced:
        if self._edits_per_minute == 0:
            return Unpaced()
        if self._edits_per_minute is not None:
            return Window(self._edits_per_minute, min(BURST, self._edits_per_minute))
        if isinstance(chat, int) and chat > 0:
            return Bucket()
        return Window(GROUP_PER_MINUTE, BURST)

    def _forget_idle(self, now: float) -> None:
        """Forget chats of which a new one would know as much; next when there are twice as many as stay now."""
        self._chats = {chat: state for chat, state in self._chats.items() if not state.is_idle(now)}
        self._slowed &= self._chats.keys()
        self._forget_at = 2 * len(self._chats) + 64
