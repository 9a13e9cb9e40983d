"""How long people wait in the queue of /play, and how far apart in rating they are paired: a simulated day.

People come over a day's curve, a tenth of them at the busiest hour; they want different boards, most of them the
usual one, and are rated as honest people come to be (`benchmarks.farming`). Each plays for some minutes, and two
of three look for somebody else then. Each has a patience of their own, and leaves when it is over; some have put
their phone away, do not answer when they are asked, and are dropped. Pairing is the bot's own
(`bot.game.pairing`). `python -m benchmarks.queue`; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import heapq
import math
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Final, NamedTuple

from bot.game.pairing import LATELY_SECONDS, WINDOW, Seeker, Window, pairs
from bot.game.time_limits import TimeLimits

HOURS: Final = (2, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 5, 6, 5, 5, 5, 6, 7, 8, 9, 10, 9, 6, 4)
"""How many come in each hour of the day, against each other."""

BOARDS: Final = {
    "3x3x3": 60,
    "5x5x4": 12,
    "ultimate": 10,
    None: 8,
    "4x4x4": 4,
    "6x6x4": 3,
    "3x3x3-misere": 2,
    "8x8x5": 1,
}
"""How many want which board, against each other; None takes any."""

RATINGS: Final = 163.0
"""The standard deviation of the ratings of honest people after 60 days (`benchmarks.farming`)."""
NEW: Final = 0.4
"""How many have no rating yet, and count as 1500."""
PATIENCE: Final = 240.0
"""Seconds after which half of those who are not paired have left."""
ASLEEP: Final = 0.03
"""How many do not answer when they are asked whether they are still there."""
PLAYING: Final = (60, 240)
"""Seconds that a game takes, from and to."""
AGAIN: Final = 2 / 3
"""How many look for somebody else after a game."""
DAY: Final = 86400
STEP: Final = 1
"""Seconds from one look at the queue to the next."""

WINDOWS: Final = (
    Window(math.inf, 0, 0),
    Window(50, 5, 45),
    Window(50, 5, 90),
    Window(100, 10, 20),
    Window(100, 10, 45),
    WINDOW,
    Window(100, 2, 300),
    Window(100, 0, 10**9),
)
"""What is tried: from everybody with everybody to a window that never opens."""


class Guest(NamedTuple):
    """Somebody who waits, beside what the pairing sees."""

    seeker: Seeker
    until: float
    """When their patience is over."""
    answers: bool


class Figures(NamedTuple):
    """What came of a day."""

    came: int
    paired: int
    left: int
    dropped: int
    waits: list[float]
    """Seconds, of those who were paired."""
    distances: list[float]
    """Points between two who were paired."""


@dataclass
class Hall:
    """Those who wait, those who play, and what became of the others."""

    rng: Random
    window: Window
    waiting: dict[int, Guest] = field(default_factory=dict)
    coming: list[tuple[float, int, Seeker]] = field(default_factory=list)
    met: dict[int, deque[tuple[int, int]]] = field(default_factory=dict)
    """By person whom they met, and when."""
    figures: Figures = field(default_factory=lambda: Figures(0, 0, 0, 0, [], []))
    numbers: count[int] = field(default_factory=count)

    def expect(self, at: float, person: Seeker) -> None:
        """Let somebody come later."""
        heapq.heappush(self.coming, (at, next(self.numbers), person))

    def step(self, now: int) -> None:
        """A second: who comes, who loses patience, who is paired."""
        while self.coming and self.coming[0][0] <= now:
            _, _, seeker = heapq.heappop(self.coming)
            self._come(seeker._replace(since=now), now)
        limits = TimeLimits()
        for guest in list(self.waiting.values()):
            asked = now - guest.seeker.since >= limits.asked
            if asked and not guest.answers and now - guest.seeker.since >= limits.asked + limits.answered:
                del self.waiting[guest.seeker.person]
                self.figures = self.figures._replace(dropped=self.figures.dropped + 1)
            elif guest.answers and now >= guest.until:
                del self.waiting[guest.seeker.person]
                self.figures = self.figures._replace(left=self.figures.left + 1)
        if len(self.waiting) > 1:
            self._pair(now)

    def _come(self, seeker: Seeker, now: int) -> None:
        self.figures = self.figures._replace(came=self.figures.came + 1)
        until = now + self.rng.expovariate(math.log(2) / PATIENCE)
        self.waiting[seeker.person] = Guest(seeker, until, self.rng.random() >= ASLEEP)

    def _pair(self, now: int) -> None:
        seekers = [self._known(guest.seeker, now) for guest in self.waiting.values()]
        for one, other in pairs(seekers, now, self.window):
            self.figures = self.figures._replace(paired=self.figures.paired + 2)
            self.figures.distances.append(abs(one.rating - other.rating))
            ends = now + self.rng.uniform(*PLAYING)
            for person, opponent in ((one, other), (other, one)):
                self.figures.waits.append(now - person.since)
                self.met.setdefault(person.person, deque()).append((opponent.person, now))
                del self.waiting[person.person]
                if self.rng.random() < AGAIN:
                    self.expect(ends, person)

    def _known(self, seeker: Seeker, now: int) -> Seeker:
        met = self.met.get(seeker.person)
        while met and met[0][1] < now - LATELY_SECONDS:
            met.popleft()
        return seeker._replace(met=frozenset(person for person, _ in met or ()))


def simulate(visits: int, window: Window, seed: int) -> Figures:
    """Let so many people come on a day, each of whom may look for somebody more than once."""
    rng = Random(seed)
    hall = Hall(rng, window)
    hours = rng.choices(range(24), HOURS, k=visits)
    boards = rng.choices(list(BOARDS), list(BOARDS.values()), k=visits)
    for person, (hour, rules) in enumerate(zip(hours, boards, strict=True), 1):
        rating = 1500.0 if rng.random() < NEW else rng.gauss(1500, RATINGS)
        hall.expect(hour * 3600 + rng.uniform(0, 3600), Seeker(person, rules, rating, 0))
    for now in range(0, DAY + 2 * TimeLimits().asked, STEP):
        hall.step(now)
    return hall.figures


def percentile(values: list[float], share: float) -> float:
    """The value that so many are not above; not a number where there is none."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else math.nan


def row(visits: int, window: Window, found: Figures) -> str:
    """A row of the table."""
    opens = (
        "at once" if not window.open_after else "never" if window.open_after >= DAY else f"{window.open_after} s"
    )
    shape = "anybody" if math.isinf(window.narrow) else f"{window.narrow:.0f} + {window.widens:.0f}/s"
    waits = [percentile(found.waits, share) for share in (0.5, 0.95, 0.99)]
    distances = [percentile(found.distances, share) for share in (0.5, 0.95)]
    shares = [100 * part / found.came for part in (found.paired, found.left, found.dropped)]
    cells = [
        f"{visits:,}",
        f"{shape}, {opens}" + (" (chosen)" if window == WINDOW else ""),
        *(f"{wait:.0f} s" for wait in waits),
        *(f"{distance:.0f}" for distance in distances),
        *(f"{share:.1f} %" for share in shares),
    ]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Print what each window comes to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.queue", description=__doc__)
    parser.add_argument("--people", type=int, nargs="*", default=[10_000, 1_000, 100])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    heads = ("people a day", "window, open after", "wait p50", "p95", "p99", "apart p50", "p95")
    print(f"| {' | '.join((*heads, 'paired', 'left', 'dropped'))} |\n|{'---|' * 10}")
    for visits in arguments.people:
        for window in WINDOWS:
            print(row(visits, window, simulate(visits, window, arguments.seed)), flush=True)


if __name__ == "__main__":
    main()
