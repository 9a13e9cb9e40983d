"""People who play: each waits until their tap is both answered and shown, and then taps again."""

import asyncio
import dataclasses
import random
import statistics
import time

from benchmarks.telegram import Message, Telegram

FIRST_PERSON = 1_000_000


def free_cells(board: Message) -> list[str]:
    """What the buttons of empty cells carry."""
    return [button["callback_data"] for row in board.keyboard for button in row if button["text"] == "·"]


def carried(board: Message, *words: str) -> list[str]:
    """What the buttons for one of these actions carry."""
    data = [button.get("callback_data", "") for row in board.keyboard for button in row]
    return [each for each in data if any(f"{word}:" in each for word in words)]


def is_running(board: Message) -> bool:
    """Whether a message shows a game that goes on; one that is over, and followed by another, can be reviewed."""
    return bool(free_cells(board)) and not carried(board, "again", "review")


@dataclasses.dataclass(slots=True, eq=False)
class Seat:
    """A person at a board."""

    person: int
    board: Message | None = None
    missing: set[str] = dataclasses.field(default_factory=set)
    """What the last tap still waits for: the answer, the edit."""
    again: bool = False
    """Whether the last tap asked for another game."""
    tapped_at: float = 0


class Players:
    """All seats of a run, and what is measured while `recording`."""

    def __init__(self, telegram: Telegram) -> None:
        self._telegram = telegram
        self._loop = asyncio.get_running_loop()
        self._rng = random.Random(1)
        self._seats: dict[int, Seat] = {}
        self.in_a_closed_loop = False
        """Whether each taps as soon as their last tap is answered and shown."""
        self.recording = False
        self.taps = 0
        self.new_games = 0
        """How many of the taps asked for another game."""
        self.refused = 0
        """How many taps were answered with words: they met a taken cell, or a game that was over."""
        self._taken: dict[str, list[float]] = {"edit": [], "answer": []}
        telegram.on_shown, telegram.on_answered = self._shown, self._answered

    def sit_down(self) -> None:
        """Another person asks for a game."""
        seat = Seat(FIRST_PERSON + len(self._seats))
        self._seats[seat.person] = seat
        self._telegram.say(seat.person, "/newgame medium")

    @property
    def all_have_boards(self) -> bool:
        return all(seat.board is not None for seat in self._seats.values())

    def begin(self) -> None:
        """Let all tap, from now on in a closed loop."""
        self.in_a_closed_loop = True
        for seat in self._seats.values():
            self._tap(seat)

    def begin_together(self, seconds: float) -> None:
        """Let all tap at the same moment, and again whenever so many seconds have passed."""
        self._loop.call_later(seconds, self.begin_together, seconds)
        for seat in self._seats.values():
            self._tap(seat)

    def _tap(self, seat: Seat) -> None:
        if seat.board is None or seat.missing:
            return
        choices = carried(seat.board, "again")
        seat.again = bool(choices)
        seat.missing = {"answer", "edit"}
        seat.tapped_at = time.perf_counter()
        self._telegram.tap(seat.board, self._rng.choice(choices or free_cells(seat.board)))

    def _shown(self, message: Message) -> None:
        seat = self._seats[message.person]
        if (seat.again or seat.board is None) and is_running(message):
            seat.board = message
        elif seat.again or message is not seat.board:
            return
        self._came(seat, "edit")

    def _answered(self, person: int, text: str) -> None:
        self.refused += bool(text)
        self._came(self._seats[person], "answer")

    def _came(self, seat: Seat, what: str) -> None:
        """Take the answer or the effect of a tap."""
        if what not in seat.missing:
            return
        seat.missing.remove(what)
        if self.recording:
            self._taken[what].append(time.perf_counter() - seat.tapped_at)
        if seat.missing:
            return
        if self.recording:
            self.taps += 1
            self.new_games += seat.again
        if self.in_a_closed_loop:
            # From outside the call that completed the last tap.
            self._loop.call_soon(self._tap, seat)

    def latencies(self) -> dict[str, float]:
        """In milliseconds."""
        found: dict[str, float] = {}
        for name, taken in self._taken.items():
            found[f"{name}_median_ms"] = statistics.median(taken) * 1000
            found[f"{name}_p99_ms"] = sorted(taken)[len(taken) * 99 // 100] * 1000
        return found

    def stuck(self) -> int:
        """How many people have waited for five seconds."""
        before = time.perf_counter() - 5
        return sum(bool(seat.missing) and seat.tapped_at < before for seat in self._seats.values())
