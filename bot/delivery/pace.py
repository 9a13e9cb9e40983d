"""When a call to a chat may begin: within Telegram's published limits, with a margin, and after its refusals.

A group takes 20 messages and edits a minute, a private chat one a second after a short burst (core.telegram.org,
bots/faq; sends and edits share one budget, tdlib/td#2592). Answers to taps have no limit and are not counted here.

Nothing here waits or reads a clock: times are seconds of any clock that never goes back. The caller makes calls to
one chat one after another.
"""

import enum
import math
from collections import Counter, deque
from typing import Final, NamedTuple, TypeAlias

Chat: TypeAlias = int | str
"""A chat: positive ids are private chats, negative ones groups; the `chat_instance` of a board in inline mode is a
string, and counts as a group."""


class Priority(enum.IntEnum):
    """How soon the turn of an entry comes among those of its chat."""

    TAPPED = 0
    """A board whose tap somebody waits for."""
    BOARD = 1
    """Another board that has its message."""
    NEW = 2
    """A new board, a reply or a file."""
    UNPROMPTED = 3
    """What nobody has just asked for, such as a reminder."""


MINUTE: Final = 60
GROUP_PER_MINUTE: Final = 18
"""A few less than the 20 that Telegram allows: calls that are sent evenly need not arrive evenly."""
BURST: Final = 10
AT_ONCE_SECONDS: Final = 2.0
"""At most BURST calls go to one chat within AT_ONCE_SECONDS."""
PRIVATE_SECONDS: Final = 1.05
"""How far apart calls to a private chat are after a burst."""
RESERVED: Final = 6
"""How much of a private chat's burst is reserved for what its person waits for."""
OTHERS_SECONDS: Final = 4.0
"""How far apart calls are that others cause in a private chat while its person has less than that left."""

OTHERS_PART: Final = 1 / 2
PERSONS_PART: Final = 2 / 9
UNASKED_PART: Final = 1 / 3
"""How much of a group's limit may go to new boards, replies, files and what nobody asked for; to those of one
person; and to what nobody asked for while others play. The rest is reserved for boards: a flood of other things
can't delay them."""

LITTLE: Final = 3
LAST_PART: Final = 1 / 12
"""If somebody has had more than an even share of the boards for which there is room, anybody else who has had
less, by their last LITTLE boards, needn't wait for boards to be spread. This part of the limit is reserved for
them."""

MARGIN_SECONDS: Final = 0.25
"""How much longer than Telegram asks for a chat stays closed."""
LEAST_SHARE: Final = 1 / 8
RECOVERY_SECONDS: Final = 180.0
"""A refusal halves a chat's rate, at most to LEAST_SHARE; half of the full rate comes back in RECOVERY_SECONDS."""

SEVERAL: Final = 3
SEVERAL_SECONDS: Final = 2.0
"""If SEVERAL chats are refused within SEVERAL_SECONDS, every chat is closed."""
GENTLE_SECONDS: Final = 10.0
GENTLE_PER_SECOND: Final = 10
"""For GENTLE_SECONDS after that at most GENTLE_PER_SECOND calls begin in a second."""
UNPROMPTED_PER_SECOND: Final = 25
"""The limit for what nobody asked for: Telegram counts that as a broadcast."""

NEARLY: Final = 0.9
"""How much of the average interval is kept between calls that are spread evenly."""

SLACK: Final = 1e-6
"""Differences below this many seconds are rounding errors."""


class PacedCall(NamedTuple):
    """A call that was made to a chat."""

    at: float
    priority: Priority
    person: int | None


class _Chat:
    """A chat without a limit, which may be closed by a refusal."""

    def __init__(self) -> None:
        self.closed_until = -math.inf
        self._share = 1.0
        self._share_at = -math.inf

    def share(self, now: float) -> float:
        """How much of its rate the chat has now: refusals halve it, and it comes back with time."""
        if self._share >= 1.0:
            return 1.0
        return min(self._share + max(now - self._share_at, 0.0) / (2 * RECOVERY_SECONDS), 1.0)

    def refuse(self, until: float, now: float) -> None:
        """Be closed until then; refusals of calls that were under way at the same time count once."""
        if self.closed_until <= now:
            self._share = max(self.share(now) / 2, LEAST_SHARE)
        self.closed_until = self._share_at = max(self.closed_until, until)

    def wait(self, now: float, priority: Priority, person: int | None) -> float:  # noqa: ARG002 - for chats with a limit
        """Seconds until a call may begin; 0.0 is now."""
        return _rounded(self.closed_until - now)

    def begin(self, call: PacedCall) -> None:
        """Count a call."""

    def wait_to_spare(self, now: float) -> float:
        """Seconds until a call may begin that nobody asked for, without delaying one that somebody waits for."""
        return self.wait(now, Priority.UNPROMPTED, None)

    def is_idle(self, now: float) -> bool:
        return self.closed_until <= now and self.share(now) >= 1.0


class _Bucket(_Chat):
    """A token bucket, for a private chat: a burst, refilled at a steady rate. Others have a small share of it."""

    def __init__(self, owner: int) -> None:
        super().__init__()
        self._owner = owner
        self._others_at = -math.inf
        self._left = float(BURST)
        self._at = -math.inf

    def _fill(self, now: float) -> None:
        share = self.share(now)
        if now > self._at:
            self._left = min(self._left + (now - self._at) * share / PRIVATE_SECONDS, max(BURST * share, 1.0))
            self._at = now

    def _until_room_for(self, calls: float, now: float) -> float:
        """Seconds until so many calls may begin together."""
        self._fill(now)
        return (calls - self._left) * PRIVATE_SECONDS / self.share(now) + max(self._at - now, 0.0)

    def refuse(self, until: float, now: float) -> None:
        super().refuse(until, now)
        self._left, self._at = 1.0, self.closed_until

    def wait(self, now: float, priority: Priority, person: int | None) -> float:
        wait = self._until_room_for(1.0, now)
        if person not in (None, self._owner):
            wait = min(self._to_spare(now), max(wait, self._others_at + OTHERS_SECONDS - now))
        return _rounded(max(wait, super().wait(now, priority, person)))

    def begin(self, call: PacedCall) -> None:
        self._fill(call.at)
        self._left -= 1.0
        if call.person not in (None, self._owner):
            self._others_at = call.at

    def wait_to_spare(self, now: float) -> float:
        return _rounded(max(self._to_spare(now), super().wait(now, Priority.UNPROMPTED, None)))

    def _to_spare(self, now: float) -> float:
        return self._until_room_for(1.0 + int(RESERVED * self.share(now)), now)

    def is_idle(self, now: float) -> bool:
        self._fill(now)
        return super().is_idle(now) and self._left >= BURST


class _Window(_Chat):
    """A sliding window of a minute, for a group, or for any chat where the host has set a limit."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self._limit = limit
        self._calls: deque[PacedCall] = deque()

    def wait(self, now: float, priority: Priority, person: int | None) -> float:
        calls = self._recent(now)
        at = max(now, self.closed_until)
        return _rounded(self._settled(deque(calls), at, priority, person) - now) if calls else _rounded(at - now)

    def begin(self, call: PacedCall) -> None:
        self._calls.append(call)

    def uncount(self, priority: Priority, person: int | None) -> None:
        these = [call for call in self._calls if (call.priority, call.person) == (priority, person)]
        if these:
            self._calls.remove(these[-1])

    def is_idle(self, now: float) -> bool:
        return super().is_idle(now) and not self._recent(now)

    def _settled(self, calls: deque[PacedCall], at: float, priority: Priority, person: int | None) -> float:
        """The first time from `at` on when a call may begin; drops the calls that are a minute old by then.

        Whenever one is dropped, the rest is spread differently: hence the loop.
        """
        while True:
            _drop_old(calls, at)
            then = self._after(calls, at, priority, person)
            if then <= at + SLACK:
                return at
            at = min(then, calls[0].at + MINUTE)

    def _after(self, calls: deque[PacedCall], now: float, priority: Priority, person: int | None) -> float:
        """When a call may follow others, by all the limits that apply to it."""
        share = self.share(now)
        limit = max(int(self._limit * share), 1)
        times = [call.at for call in calls]
        others = [call.at for call in calls if call.priority >= Priority.NEW]
        at = max(_below(limit, times, now), _below(min(BURST, limit), times, now, AT_ONCE_SECONDS))
        if priority < Priority.NEW:
            boards = [call for call in calls if call.priority < Priority.NEW]
            burst = max(min(int(BURST * share), limit), limit - _part(limit, OTHERS_PART))
            return max(at, _by_person(boards, now, person, limit=limit, room=limit - len(others), burst=burst))
        full = _below(_part(limit, OTHERS_PART), others, now)
        asked = [call for call in calls if call.priority is Priority.NEW]
        many_ask = len(asked) >= _part(limit, OTHERS_PART) - _part(limit, UNASKED_PART)
        if priority is Priority.UNPROMPTED:
            unasked = [call.at for call in calls if call.priority is Priority.UNPROMPTED]
            is_alone = not many_ask and not any(call.priority is Priority.TAPPED for call in calls)
            most = _part(limit, OTHERS_PART if is_alone else UNASKED_PART)
            return max(at, full, _evenly(unasked, now, most, (most + 1) // 2))
        if many_ask:
            at = max(at, full)
        theirs = [call.at for call in asked if call.person == person]
        return at if person is None else max(at, _below(_part(limit, PERSONS_PART), theirs, now))

    def _recent(self, now: float) -> deque[PacedCall]:
        _drop_old(self._calls, now)
        return self._calls


class _Second:
    """A limit on the calls in any second."""

    def __init__(self, limit: int) -> None:
        self._sent: deque[float] = deque(maxlen=limit)

    def wait(self, now: float) -> float:
        full = len(self._sent) == self._sent.maxlen
        return _rounded(self._sent[0] + 1.0 - now) if full else 0.0

    def begin(self, now: float) -> None:
        self._sent.append(now)


class Pace:
    """Says when a call may begin, and is told of refusals."""

    def __init__(self, *, calls_per_second: int | None = None, edits_per_minute: int | None = None) -> None:
        """Without a limit on all calls if that is None or 0.

        Edits are all calls to one chat: None is what Telegram allows; 0 is no limit, but refusals are still
        obeyed.
        """
        self._edits_per_minute = edits_per_minute
        self._cap = _Second(calls_per_second) if calls_per_second else None
        self._unprompted = _Second(UNPROMPTED_PER_SECOND)
        self._gentle = _Second(GENTLE_PER_SECOND)
        self._closed_until = -math.inf
        self._refused: dict[Chat, tuple[float, float]] = {}
        """By chat when it was last refused, and until when it is closed; without those of long ago."""
        self._sends: dict[Chat, float] = {}
        """Until when groups take no new messages."""
        self._chats: dict[Chat, _Chat] = {}
        self._forget_at = 64

    def begin(
        self, chat: Chat, now: float, priority: Priority = Priority.TAPPED, person: int | None = None
    ) -> bool:
        """Count a call that begins now; False if it must not begin yet."""
        if self.wait_of_all(now, priority):
            return False
        state = self._chats.get(chat)
        if state is None and self._edits_per_minute != 0:
            state = self._know(chat, now)
        if state is not None:
            if state.wait(now, priority, person):
                return False
            state.begin(PacedCall(now, priority, person))
        if self._cap is not None:
            self._cap.begin(now)
        if priority is Priority.UNPROMPTED:
            self._unprompted.begin(now)
        if now < self._closed_until + GENTLE_SECONDS:
            self._gentle.begin(now)
        return True

    def wait(
        self,
        chat: Chat,
        now: float,
        priority: Priority = Priority.TAPPED,
        person: int | None = None,
        *,
        is_send: bool = False,
    ) -> float:
        """Seconds until its chat allows a call to begin, perhaps one that makes a new message."""
        state = self._chats.get(chat)
        wait = 0.0 if state is None else state.wait(now, priority, person)
        return max(wait, self.sends_held(chat, now)) if is_send and self._sends else wait

    def wait_of_all(self, now: float, priority: Priority = Priority.TAPPED) -> float:
        """Seconds until a call to any chat may begin."""
        wait = 0.0 if self._cap is None else self._cap.wait(now)
        if priority is Priority.UNPROMPTED:
            wait = max(wait, self._unprompted.wait(now))
        if now < self._closed_until + GENTLE_SECONDS:
            wait = max(wait, _rounded(self._closed_until - now), self._gentle.wait(now))
        return wait

    def wait_to_spare(self, chat: Chat, now: float) -> float:
        """Seconds until a call to a chat may begin that nobody asked for, without delaying any other."""
        state = self._chats.get(chat)
        wait = self.wait_of_all(now, Priority.UNPROMPTED)
        return wait if state is None else max(wait, state.wait_to_spare(now))

    def uncount(self, chat: Chat, priority: Priority, person: int | None) -> None:
        """Take back the newest call of a priority for a person, in a group."""
        if isinstance(state := self._chats.get(chat), _Window):
            state.uncount(priority, person)

    def refused(self, chat: Chat, retry_after: float, now: float) -> None:
        """Make no calls in this chat for as long as Telegram asks; in none if several have refused together."""
        until = now + retry_after + MARGIN_SECONDS
        self._know(chat, now).refuse(until, now)
        self._refused[chat] = now, until
        self._refused = {each: ends for each, ends in self._refused.items() if ends[0] > now - SEVERAL_SECONDS}
        if len(self._refused) >= SEVERAL:
            self._closed_until = max(self._closed_until, min(ends for _, ends in self._refused.values()))

    def hold_sends(self, chat: Chat, retry_after: float, now: float) -> None:
        """Make no new messages in a group for as long as Telegram asks; edits go on."""
        self._sends = {each: until for each, until in self._sends.items() if until > now}
        self._sends[chat] = max(self._sends.get(chat, now), now + retry_after + MARGIN_SECONDS)

    def sends_held(self, chat: Chat, now: float) -> float:
        """For how many seconds a chat takes no new messages."""
        return max(self._sends.get(chat, now) - now, 0.0)

    def _know(self, chat: Chat, now: float) -> _Chat:
        state = self._chats.get(chat)
        if state is None:
            if len(self._chats) >= self._forget_at:
                self._chats = {each: known for each, known in self._chats.items() if not known.is_idle(now)}
                self._forget_at = 2 * len(self._chats) + 64
            if self._edits_per_minute == 0:
                state = _Chat()
            elif self._edits_per_minute is None and isinstance(chat, int) and chat > 0:
                state = _Bucket(chat)
            else:
                state = _Window(self._edits_per_minute or GROUP_PER_MINUTE)
            self._chats[chat] = state
        return state


def _rounded(wait: float) -> float:
    return wait if wait > SLACK else 0.0


def _drop_old(calls: deque[PacedCall], now: float) -> None:
    while calls and calls[0].at <= now - MINUTE + SLACK:
        calls.popleft()


def _part(limit: int, part: float) -> int:
    return max(int(limit * part + SLACK), 1)


def _below(limit: int, times: list[float], now: float, seconds: float = MINUTE) -> float:
    """When fewer than `limit` of the calls at these times are younger than `seconds`."""
    return times[-limit] + seconds if len(times) >= limit else now


def _by_person(
    boards: list[PacedCall], now: float, person: int | None, *, limit: int, room: int, burst: int
) -> float:
    """When a person's board may follow others, of which a minute has room for so many.

    They are spread evenly after a burst. Who has had less than an even share, while somebody else has had more,
    needn't wait for that.
    """
    had = Counter(call.person for call in boards)
    even = max(room, 1) / len({*had, person})
    left = max(room - int(limit * LAST_PART + SLACK), min(room, limit - _part(limit, OTHERS_PART)))
    spread = _evenly([call.at for call in boards], now, left, burst)
    if all(number <= even for each, number in had.items() if each != person):
        return spread
    theirs = [call.at for call in boards if call.person == person]
    return min(spread, _below(LITTLE, theirs, now, LITTLE * MINUTE / even))


def _evenly(times: list[float], now: float, limit: int, burst: int) -> float:
    """When a call may follow others, if a burst goes immediately and the rest of the limit evenly.

    What is left is spread over the time until the oldest call is a minute old, nearly as far apart as on average.
    """
    if limit <= 0 or len(times) < min(burst, limit):
        return now  # with nothing left, the limit of all calls together says when
    if len(times) >= limit:
        return times[-limit] + MINUTE
    interval = (times[0] + MINUTE - times[-1]) / (limit - len(times) + 1)
    return max(now, times[-1] + max(interval, NEARLY * MINUTE / limit))
