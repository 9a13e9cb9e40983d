"""People who play: each waits until their tap is both answered and shown, and then taps when the pace says so."""

import asyncio
import dataclasses
import random
import statistics
import time
from collections import defaultdict, deque
from typing import Any, Protocol

from benchmarks.telegram import Listener, Message, Telegram

FIRST_PERSON, FIRST_THINKER = 1_000_000, 2_000_000
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
LOOKING_SECONDS = 0.5
"""Nobody looks at a new board for less time than a double tap takes."""

Button = dict[str, Any]
Keyboard = list[list[Button]]


def cells(keyboard: Keyboard) -> list[Button]:
    """The nine cells: the first three buttons of the first three rows."""
    return [button for row in keyboard[:3] for button in row[:3]]


def mark(button: Button) -> str | None:
    """The mark that a cell's label shows."""
    return next((shown for shown in "❌🟡" if shown in button["text"]), None)


def is_board(keyboard: Keyboard) -> bool:
    """Whether a keyboard holds nine cells."""
    return len(cells(keyboard)) == 9


def is_over(keyboard: Keyboard) -> bool:
    """Whether the board shows a line or is full."""
    marks = [mark(button) for button in cells(keyboard)]
    return None not in marks or any(
        marks[first] is not None and marks[first] == marks[second] == marks[third]
        for first, second, third in LINES
    )


@dataclasses.dataclass(slots=True, eq=False)
class Seat:
    """A person at a board."""

    person: int
    chat_id: int
    board: Message | None = None
    tapping: bool = False
    answered: bool = False
    shown: bool = False
    again: bool = False
    """Whether the tap asks for another game."""
    tapped_at: float = 0
    """When the tap was due: earlier than it was made, where the schedule was missed."""
    since: float = 0
    """When the seat last did something."""

    @property
    def is_free(self) -> bool:
        """Whether the person can tap."""
        return self.board is not None and not self.tapping


class Pace(Protocol):
    """Decides when a free seat taps again."""

    def free(self, seat: Seat) -> None:
        """A seat has its board and nothing under way."""


class Players(Listener):
    """All seats of a run, and what is measured while `recording`.

    Args:
        telegram: Where they play.
        blind: Whether they tap any cell instead of reading the board, for a bot whose board never changes.
        opening: The command for a board.
        seed: Chooses the cells.
    """

    def __init__(self, telegram: Telegram, *, blind: bool, opening: str, seed: int) -> None:
        self._telegram = telegram
        self._blind = blind
        self._opening = opening
        self._rng = random.Random(seed)
        self.seats: list[Seat] = []
        self._expecting: defaultdict[int, deque[Seat]] = defaultdict(deque)
        self._by_board: dict[tuple[int, int], Seat] = {}
        self._by_query: dict[int, Seat] = {}
        self.pace: Pace | None = None
        self.recording = False
        self.taps = 0
        self.new_games = 0
        """How many of the taps asked for another game."""
        self._to_edit: list[float] = []
        self._to_answer: list[float] = []
        self.stuck = 0
        self.refused = 0
        """How many taps were answered with words: they met a taken cell, or a game that was over."""
        telegram.listeners.append(self)

    def sit_down(self, chat_id: int | None = None) -> None:
        """Another person asks for a game, in a private chat or in the given group."""
        person = FIRST_PERSON + len(self.seats)
        seat = Seat(person, chat_id or person)
        self.seats.append(seat)
        self._ask(seat)

    def _ask(self, seat: Seat) -> None:
        seat.since = time.perf_counter()
        seat.board = None
        seat.tapping = False
        self._expecting[seat.chat_id].append(seat)
        self._telegram.say(seat.person, seat.chat_id, self._opening)

    def tap(self, seat: Seat, due: float) -> None:
        """Tap a button of the seat's board, if it is free; `due` is when the schedule wanted it."""
        board = seat.board
        if board is None or seat.tapping:
            return
        seat.again = not self._blind and is_over(board.keyboard)
        if seat.again:
            buttons = [button for row in board.keyboard[3:] for button in row][:1]  # play again
        else:
            buttons = [each for each in cells(board.keyboard) if self._blind or mark(each) is None]
        if not buttons:
            self._ask(seat)
            return
        if seat.again:
            self._expecting[seat.chat_id].append(seat)
        seat.tapping, seat.answered, seat.shown = True, False, False
        seat.tapped_at = due
        seat.since = time.perf_counter()
        query_id = self._telegram.tap(seat.person, board, self._rng.choice(buttons)["callback_data"])
        self._by_query[query_id] = seat

    def sent(self, message: Message) -> None:
        """A requested board appears."""
        expecting = self._expecting[message.chat_id]
        if not expecting or not is_board(message.keyboard):
            return
        seat = expecting.popleft()
        if seat.board is not None:
            self._by_board.pop((seat.board.chat_id, seat.board.message_id), None)
        seat.board = message
        self._by_board[message.chat_id, message.message_id] = seat
        if seat.tapping:
            self._showed(seat)
        elif self.pace is not None:
            self.pace.free(seat)

    def edited(self, message: Message) -> None:
        """A board changes."""
        seat = self._by_board.get((message.chat_id, message.message_id))
        if seat is None or not seat.tapping or seat.shown:
            return
        if seat.again:
            if not is_board(message.keyboard) or is_over(message.keyboard):
                return
            self._expecting[seat.chat_id].remove(seat)
        self._showed(seat)

    def _showed(self, seat: Seat) -> None:
        seat.shown = True
        if self._is_recorded(seat):
            self._to_edit.append(time.perf_counter() - seat.tapped_at)
        if seat.answered:
            self._completed(seat)

    def answered(self, query_id: int, text: str) -> None:
        """A tap is answered."""
        seat = self._by_query.pop(query_id, None)
        if seat is None:
            return
        self.refused += bool(text)
        if not seat.tapping or seat.answered:
            return
        seat.answered = True
        if self._is_recorded(seat):
            self._to_answer.append(time.perf_counter() - seat.tapped_at)
        if seat.shown:
            self._completed(seat)

    def _is_recorded(self, seat: Seat) -> bool:
        """Whether a seat's taps count now: those in groups do not, as groups are flood-limited."""
        return self.recording and seat.chat_id > 0

    def _completed(self, seat: Seat) -> None:
        seat.tapping = False
        if self._is_recorded(seat):
            self.taps += 1
            self.new_games += seat.again
        if self.pace is not None:
            self.pace.free(seat)

    def latencies(self) -> dict[str, float]:
        """In milliseconds, from when a tap was due."""
        found: dict[str, float] = {}
        for name, taken in (("edit", self._to_edit), ("answer", self._to_answer)):
            if taken:
                found[f"{name}_median_ms"] = statistics.median(taken) * 1000
                found[f"{name}_p99_ms"] = sorted(taken)[len(taken) * 99 // 100] * 1000
        return found

    def free_the_stuck(self, patience: float) -> None:
        """Let people who waited `patience` seconds in a private chat ask for a new game."""
        now = time.perf_counter()
        for seat in self.seats:
            if not seat.is_free and seat.chat_id > 0 and now - seat.since > patience:
                self.stuck += 1
                self._expecting[seat.chat_id].clear()
                self._ask(seat)


class ClosedLoop:
    """Each seat taps as soon as its last tap is answered and shown."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._loop = asyncio.get_running_loop()
        for seat in players.seats:
            self.free(seat)

    def free(self, seat: Seat) -> None:
        """Tap again, once the call that completed the last tap is done."""
        self._loop.call_soon(lambda: self._players.tap(seat, time.perf_counter()))


class OpenLoop:
    """Taps fall due at a fixed rate, whether or not the bot keeps up.

    A tap that finds no seat free waits, and its latency counts from when it was due: a bot that stalls cannot
    hide the taps it kept away (coordinated omission).
    """

    def __init__(self, players: Players, rate: float) -> None:
        self._players = players
        self._loop = asyncio.get_running_loop()
        self._pause = 1 / rate
        self._free = deque(players.seats)
        self._overdue: deque[float] = deque()
        self._due = time.perf_counter()
        self._tick()

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


class Moments:
    """All seats tap at the same moment, again and again."""

    def __init__(self, players: Players, seconds: float) -> None:
        self._players = players
        self._loop = asyncio.get_running_loop()
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

    def __init__(self, telegram: Telegram, number: int, seed: int) -> None:
        self._telegram = telegram
        self._rng = random.Random(seed)
        self._people = range(FIRST_THINKER, FIRST_THINKER + number)
        telegram.listeners.append(self)

    def begin(self) -> None:
        """Let everybody ask for their boards."""
        for person in self._people:
            self._ask(person)

    def sent(self, message: Message) -> None:
        """A board appears."""
        self.edited(message)

    def edited(self, message: Message) -> None:
        """A board changes."""
        if message.chat_id not in self._people or "is thinking" in message.text or not message.keyboard:
            return
        data = {button.get("callback_data", ""): button["text"] for row in message.keyboard for button in row}
        free = [each for each, label in data.items() if label == "·"]
        if not free or any("again:" in each for each in data):
            self._ask(message.chat_id)
        else:
            loop = asyncio.get_running_loop()
            loop.call_later(LOOKING_SECONDS, self._telegram.tap, message.chat_id, message, self._rng.choice(free))

    def _ask(self, person: int) -> None:
        self._telegram.say(person, person, "/newgame 8x8 perfect")
