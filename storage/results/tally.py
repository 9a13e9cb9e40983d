"""Statistics, as values: sums of results, streaks, and entries of leaderboards."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from storage.results.result import Outcome, Result

PAGE: Final = 10
"""How many people are on a page of a leaderboard."""

OPPONENTS: Final = 5
"""Against how many different people one must have played rated games to be in everybody's list."""

PEOPLE_AGAINST: Final = ""
"""What `against` is for games against people."""


class Tally(NamedTuple):
    """A person's wins, draws and losses in a family of rules against one kind of opponent."""

    family: str
    against: str
    """A level, or `PEOPLE_AGAINST`."""
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """The number of all games."""
        return self.wins + self.draws + self.losses


class Streak(NamedTuple):
    """Games won in a row."""

    streak: int
    """The present number; below 0, games lost in a row."""
    longest: int
    """The largest number ever."""

    def after(self, outcome: Outcome) -> Streak:
        """The streak after one more game."""
        if outcome is Outcome.DRAW:
            return self._replace(streak=0)
        step = 1 if outcome is Outcome.WIN else -1
        now = self.streak + step if self.streak * step > 0 else step
        return Streak(now, max(self.longest, now))


class Listed(NamedTuple):
    """A person in a leaderboard."""

    person: int
    name: str
    figure: int
    """Their rating or wins, by which the list is ordered."""
    is_settled: bool
    """Whether a rating isn't provisional."""


class Rank(NamedTuple):
    """A person's place in a leaderboard."""

    place: int
    """From 1."""
    figure: int
    is_settled: bool


class Standing(NamedTuple):
    """A person's rating as it is shown."""

    rating: int
    is_settled: bool

    @property
    def figure(self) -> str:
        """The rating, with a question mark if it is provisional."""
        return f"{self.rating}{'' if self.is_settled else '?'}"


class Summary(NamedTuple):
    """A person's statistics in a chat, or everywhere."""

    tallies: Sequence[Tally]
    streak: Streak | None
    recent: Sequence[Result]
    """Their last games, newest first."""
    standings: Mapping[str, Standing]
    """Their ratings by family of rules, and for all together (empty)."""
    milestones: Collection[str] = ()
    """Those that they have reached."""
