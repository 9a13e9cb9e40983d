"""When people tap: as soon as they're answered (closed loop), on a schedule (open loop), or all together."""

import asyncio
import time
from collections import deque

from benchmarks.players import Players, Seat


class ClosedLoop:
    """Each seat taps as soon as its last tap is answered and shown."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._loop = asyncio.get_running_loop()
        for seat in players.seats:
            self.free(seat)

    def free(self, seat: Seat) -> None:
        """Tap again, from within the call that completed the last tap."""
        self._loop.call_soon(self._tap, seat)

    def _tap(self, seat: Seat) -> None:
        if not seat.tapping and seat.board is not None:
            self._players.tap(seat, time.perf_counter())


class OpenLoop:
    """Taps fall due at a fixed rate, whether or not the bot keeps up.

    A tap that finds no seat free waits, and its latency counts from when it was due: a bot that stalls cannot
    hide the taps it kept away (coordinated omission). Seats in groups keep to the closed loop.
    """

    def __init__(self, players: Players, rate: float) -> None:
        self._players = players
        self._loop = asyncio.get_running_loop()
        self._pause = 1 / rate
        self._free: deque[Seat] = deque()
        self._overdue: deque[float] = deque()
        for seat in players.seats:
            self.free(seat)
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
            if not seat.tapping and seat.board is not None:
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
            if not seat.tapping and seat.board is not None:
                self._players.tap(seat, now)
        self._loop.call_later(self._seconds, self._tap)

    def free(self, seat: Seat) -> None:
        """Wait for the next moment."""
