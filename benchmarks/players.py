"""People who play: each waits until their tap is both answered and shown, and then taps when the pace says so."""

import asyncio
import dataclasses
import random
import statistics
import time
from collections import defaultdict, deque

from benchmarks.telegram import Listener, Message, Telegram

FIRST_PERSON, FIRST_THINKER = 1_000_000, 2_000_000
LOOKING_SECONDS = 0.5
"""Nobody looks at a new board for less time than a double tap takes."""


def free_cells(board: Message) -> list[str]:
    """What the buttons of empty cells carry."""
    return [button["callback_data"] for row in board.keyboard for button in row if button["text"] == "·"]


def carried(board: Message, *words: str) -> list[str]:
    """What the buttons for one of these actions carry."""
    data = [button.get("callback_data", "") for row in board.keyboard for button in row]
    return [each for each in data if any(f"{word}:" in each for word in words)]


def is_over(board: Message) -> bool:
    """Whether the game on a board is over; once another one has begun, it can only be reviewed."""
    return bool(carried(board, "again", "review"))


@dataclasses.dataclass(slots=True, eq=False)
class Seat:
    """A person at a board."""

    person: int
    chat_id: int
    board: Message | None = None
    missing: set[str] = dataclasses.field(default_factory=set)
    """What the last tap still waits for: its answer, its effect."""
    again: bool = False
    """Whether the tap asks for another game."""
    tapped_at: float = 0
    """When the tap was due: earlier than it was made, where the schedule was missed."""

    @property
    def is_free(self) -> bool:
        return self.board is not None and not self.missing


class Players(Listener):
    """All seats of a run, and what is measured while `recording`."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        self._rng = random.Random(1)
        self.seats: list[Seat] = []
        self._expecting: defaultdict[int, deque[Seat]] = defaultdict(deque)
        self._by_board: dict[tuple[int, int], Seat] = {}
        self._by_query: dict[int, Seat] = {}
        self._pace: Pace | None = None
        self.recording = False
        self.taps = 0
        self.new_games = 0
        """How many of the taps asked for another game."""
        self._to_edit: list[float] = []
        self._to_answer: list[float] = []
        self.refused = 0
        """How many taps were answered with words: they met a taken cell, or a game that was over."""
        telegram.listeners.append(self)

    def sit_down(self, chat_id: int | None = None) -> None:
        """Another person asks for a game, in a private chat or in the given group."""
        person = FIRST_PERSON + len(self.seats)
        seat = Seat(person, chat_id or person)
        self.seats.append(seat)
        self._expecting[seat.chat_id].append(seat)
        # With a level, it is a game against the computer in groups, too.
        self._telegram.say(person, seat.chat_id, "/newgame medium")

    def begin(self, pace: "Pace") -> None:
        self._pace = pace
        for seat in self.seats:
            pace.free(seat)

    def tap(self, seat: Seat, due: float) -> None:
        """Tap a button of the seat's board, if it is free; `due` is when the schedule wanted it."""
        board = seat.board
        if board is None or seat.missing:
            return
        choices = carried(board, "again") or free_cells(board)
        seat.again = is_over(board)
        if seat.again:
            self._expecting[seat.chat_id].append(seat)
        seat.missing = {"answer", "effect"}
        seat.tapped_at = due
        query_id = self._telegram.tap(seat.person, board, self._rng.choice(choices))
        self._by_query[query_id] = seat

    def sent(self, message: Message) -> None:
        expecting = self._expecting[message.chat_id]
        if not expecting or not free_cells(message) or is_over(message):
            return
        seat = expecting.popleft()
        if seat.board is not None:
            self._by_board.pop((seat.board.chat_id, seat.board.message_id), None)
        seat.board = message
        self._by_board[message.chat_id, message.message_id] = seat
        if seat.missing:
            self._came(seat, "effect", self._to_edit)
        elif self._pace is not None:
            self._pace.free(seat)

    def edited(self, message: Message) -> None:
        seat = self._by_board.get((message.chat_id, message.message_id))
        if seat is None:
            return
        if seat.again and "effect" in seat.missing:
            if not free_cells(message) or is_over(message):
                return
            self._expecting[seat.chat_id].remove(seat)
        self._came(seat, "effect", self._to_edit)

    def answered(self, query_id: int, text: str) -> None:
        seat = self._by_query.pop(query_id, None)
        if seat is not None:
            self.refused += bool(text)
            self._came(seat, "answer", self._to_answer)

    def _came(self, seat: Seat, what: str, latencies: list[float]) -> None:
        """Take the answer or the effect of a tap; those in groups aren't recorded, as groups are flood-limited."""
        if what not in seat.missing:
            return
        seat.missing.remove(what)
        is_recorded = self.recording and seat.chat_id > 0
        if is_recorded:
            latencies.append(time.perf_counter() - seat.tapped_at)
        if not seat.missing:
            if is_recorded:
                self.taps += 1
                self.new_games += seat.again
            if self._pace is not None:
                self._pace.free(seat)

    def latencies(self) -> dict[str, float]:
        """In milliseconds, from when a tap was due."""
        found: dict[str, float] = {}
        for name, taken in (("edit", self._to_edit), ("answer", self._to_answer)):
            if taken:
                found[f"{name}_median_ms"] = statistics.median(taken) * 1000
                found[f"{name}_p99_ms"] = sorted(taken)[len(taken) * 99 // 100] * 1000
        return found

    def stuck(self) -> int:
        """How many people have waited for five seconds in a private chat."""
        before = time.perf_counter() - 5
        return sum(bool(seat.missing) and seat.chat_id > 0 and seat.tapped_at < before for seat in self.seats)


class Pace:
    """Decides when people tap: each as soon as the last tap is answered and shown, in a closed loop."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._loop = asyncio.get_running_loop()

    def free(self, seat: Seat) -> None:
        """Let a seat that has its board tap again, from outside the call that completed its last tap."""
        self._loop.call_soon(lambda: self._players.tap(seat, time.perf_counter()))


class OpenLoop(Pace):
    """Taps fall due at a fixed rate, whether or not the bot keeps up.

    A tap that finds no seat free waits, and its latency counts from when it was due: a bot that stalls cannot
    hide the taps it kept away (coordinated omission).
    """

    def __init__(self, players: Players, rate: float) -> None:
        super().__init__(players)
        self._pause = 1 / rate
        self._free: deque[Seat] = deque()
        self._overdue: deque[float] = deque()
        self._due = time.perf_counter()
        self._loop.call_soon(self._tick)

    def _tick(self) -> None:
        now = time.perf_counter()
        while self._due <= now:
            self._overdue.append(self._due)
            self._due += self._pause
        self._match()
        self._loop.call_later(self._due - now, self._tick)

    def _match(self) -> None:
        while self._free and self._overdue:
            seat = self._free.popleft()
            if seat.is_free:
                self._players.tap(seat, self._overdue.popleft())

    def free(self, seat: Seat) -> None:
        """Let the seat take the next tap that is due."""
        self._free.append(seat)
        if self._overdue:
            self._loop.call_soon(self._match)


class Moments(Pace):
    """All seats tap at the same moment, again and again."""

    def __init__(self, players: Players, seconds: float) -> None:
        super().__init__(players)
        self._seconds = seconds
        self._loop.call_later(seconds, self._tap)

    def _tap(self) -> None:
        now = time.perf_counter()
        for seat in self._players.seats:
            self._players.tap(seat, now)
        self._loop.call_later(self._seconds, self._tap)

    def free(self, seat: Seat) -> None:
        """Wait for the next moment."""


class Thinkers(Listener):
    """More people, on big boards, whose opponent searches all the time; each taps soon after their turn begins."""

    def __init__(self, telegram: Telegram, number: int) -> None:
        self._telegram = telegram
        self._rng = random.Random(1)
        self._people = range(FIRST_THINKER, FIRST_THINKER + number)
        telegram.listeners.append(self)

    def begin(self) -> None:
        for person in self._people:
            self._ask(person)

    def sent(self, message: Message) -> None:
        self.edited(message)

    def edited(self, message: Message) -> None:
        if message.chat_id not in self._people or "is thinking" in message.text or not message.keyboard:
            return
        free = free_cells(message)
        if not free or is_over(message):
            self._ask(message.chat_id)
        else:
            loop = asyncio.get_running_loop()
            loop.call_later(LOOKING_SECONDS, self._telegram.tap, message.chat_id, message, self._rng.choice(free))

    def _ask(self, person: int) -> None:
        self._telegram.say(person, person, "/newgame 8x8 perfect")
