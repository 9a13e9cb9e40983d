"""What is told of results, as values: how many of which kind, and streaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from storage.results.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from storage.results.result import Result

PAGE: Final = 10
"""How many people a page of a list has."""

OPPONENTS: Final = 5
"""Everybody's list has those who have played rated games against so many different people."""

PEOPLE_AGAINST: Final = ""
"""Stands for people, where the computer's level is named."""


class Tally(NamedTuple):
    """How often somebody has won, drawn and lost by one family of rules against one kind of opponent."""

    family: str
    against: str
    """A level, or `PEOPLE_AGAINST`."""
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """All of them."""
        return self.wins + self.draws + self.losses


class Streak(NamedTuple):
    """Games won in a row."""

    streak: int
    """By now; below 0, games lost in a row."""
    longest: int
    """The most there ever were."""

    def after(self, outcome: Outcome) -> Streak:
        """The streak after one more game."""
        if outcome is Outcome.DRAW:
            return self._replace(streak=0)
        step = 1 if outcome is Outcome.WIN else -1
        now = self.streak + step if self.streak * step > 0 else step
        return Streak(now, max(self.longest, now))


class Listed(NamedTuple):
    """Somebody in a list."""

    person: int
    name: str
    figure: int
    """What the list goes by: a rating, or wins."""
    is_settled: bool
    """Whether a rating is no provisional one."""


class Rank(NamedTuple):
    """Where somebody stands in a list."""

    place: int
    """From 1."""
    figure: int
    is_settled: bool


class Standing(NamedTuple):
    """How strong somebody is thought to be."""

    rating: int
    is_settled: bool

    @property
    def figure(self) -> str:
        """The rating, marked where it is still a guess."""
        return f"{self.rating}{'' if self.is_settled else '?'}"


class Summary(NamedTuple):
    """Somebody's results in a chat, or everywhere."""

    tallies: Sequence[Tally]
    streak: Streak | None
    recent: Sequence[Result]
    """Their last games, newest first."""
    standings: Mapping[str, Standing]
    """By family of rules, and for all together (empty)."""
    milestones: Collection[str] = ()
    """Those that they have come to."""
