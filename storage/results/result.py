"""Results of finished games, and what is made of them: milestones, sums, streaks and entries of lists, as values.

A game counts if it was played to an end (by its rules, resignation or time) and both sides had moved. It doesn't
count if a move was taken back, if it began from a position, if it was withdrawn, declined or expired, or if the
computer played both sides.

A game that counts is also rated if two people played it, and nobody resigned or lost on time within the first few
moves; of two people's games on a day (UTC) only the first few are rated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum, StrEnum, auto
from itertools import takewhile
from typing import Final, NamedTuple

from engine import Level, Mark
from engine.rules.catalogue import FAMILIES, family_of
from engine.search.solved import solved
from storage.columns import ChatId, Count, Moment, PersonId, RowId, Word
from storage.games.game import BY_THE_RULES, COMPUTER, Game, GameKind, Limits, Termination, rules_of

PLAYED: Final = BY_THE_RULES | {Termination.RESIGNATION, Termination.TIMEOUT, Termination.AGREEMENT}

LEAST_PLIES: Final = 2
"""With fewer plies not both sides have moved, and the game was never begun."""

LEAST_PLIES_RATED: Final = 4
"""From so many plies on both have moved twice; a game with fewer that was resigned or lost on time isn't rated,
unless the loser was lost."""

RATED_A_DAY: Final = 3
"""How many games of the same two people are rated on a day."""

EVERYWHERE: Final = 0
"""The id that stands for all chats together."""
PROVISIONAL: Final = "?"
"""Follows the figure of a rating that isn't settled."""
OVERALL: Final = ""
"""Stands for all families of rules together."""


class Ending(StrEnum):
    """How a game ended for a person."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Result(NamedTuple):
    """How a game ended for one person in it; in the order of the table's columns."""

    game_id: RowId
    person: PersonId
    opponent: PersonId
    """The other person, or `COMPUTER`."""
    level: Word | None
    """The computer's level; None if the opponent is a person."""
    rules: Word
    family: Word
    """The family of these rules."""
    chat_id: ChatId | None
    mark: Mark
    outcome: Ending
    termination: Termination
    plies: Count
    ended_at: Moment
    """Seconds since 1970."""
    rated: bool = False
    """Whether the game has changed its players' ratings."""


class NotCounted(Enum):
    """Why a game that was played to an end doesn't count."""

    TAKEN_BACK = auto()
    NOT_BEGUN = auto()
    PRACTICE = auto()


def counts(game: Game) -> bool:
    """Whether a game counts, as described above."""
    return _was_played(game) and not_counted(game) is None


def not_counted(game: Game) -> NotCounted | None:
    """Why a game that was played to an end doesn't count; None if it counts, or wasn't played to an end."""
    if not _was_played(game):
        return None
    if game.time_limits is Limits.PRACTICE:
        return NotCounted.PRACTICE
    if len(game.moves) < LEAST_PLIES:
        return NotCounted.NOT_BEGUN
    return NotCounted.TAKEN_BACK if game.takebacks else None


def is_called_off(game: Game) -> bool:
    """Whether a player resigns, or has resigned, before both have moved: nobody has won or lost anything by it."""
    return game.ply < LEAST_PLIES and game.time_limits is not Limits.CUP and game.kind is not GameKind.EXHIBITION


def may_be_rated(game: Game) -> bool:
    """Whether a game that counts is rated, unless the two have played `RATED_A_DAY` before on that day."""
    begun = game.termination in BY_THE_RULES or len(game.moves) >= LEAST_PLIES_RATED
    return COMPUTER not in (game.x.seat, game.o.seat) and (begun or _is_proven_won(game))


def _is_proven_won(game: Game) -> bool:
    """Whether the winner could have forced the win, on a board small enough for a table of all positions."""
    if (table := solved(rules_of(game.rules))) is None:
        return False
    result, _ = table.ending(game.position)
    return result == (1 if game.turn is game.winner else -1)


def _was_played(game: Game) -> bool:
    return game.termination in PLAYED and not game.is_exhibition and not game.is_challenge


class Score(NamedTuple):
    """The score of a series, by the marks that the players have in its last game."""

    x_wins: int
    o_wins: int
    draws: int


NO_SCORE: Final = Score(0, 0, 0)


def score_of(game: Game) -> Score:
    """The score of the series, with this game if it counts; in a best of several, a takeback changes nothing."""
    if not counts(game) and not (game.best_of and not_counted(game) is NotCounted.TAKEN_BACK):
        return Score(game.x.wins, game.o.wins, game.draws)
    won = game.winner
    return Score(game.x.wins + (won is Mark.X), game.o.wins + (won is Mark.O), game.draws + (won is None))


def series_goes_on(game: Game) -> bool:
    """Whether another game follows in a best of several: one is left, and the leader can still be caught.

    A game in which somebody never moved is played again.
    """
    score = score_of(game)
    left = (game.best_of or 0) - sum(score)
    return game.is_over and not game.is_challenge and left > 0 and abs(score.x_wins - score.o_wins) <= left


def results_of(game: Game, ended_at: int) -> list[Result]:
    """The results of a game that has just ended, one for each person in it; none if it doesn't count."""
    if not counts(game):
        return []
    return [_result(game, mark, ended_at) for mark in Mark if game.seat(mark) != COMPUTER]


def _result(game: Game, mark: Mark, ended_at: int) -> Result:
    won = None if game.winner is None else game.winner is mark
    return Result(
        game_id=game.id,
        person=game.seat(mark) or 0,
        opponent=game.seat(mark.other) or COMPUTER,
        level=game.side(mark.other).level,
        rules=game.rules,
        family=family_of(game.rules),
        chat_id=game.chat_id,
        mark=mark,
        outcome=Ending.DRAW if won is None else Ending.WIN if won else Ending.LOSS,
        termination=game.termination or Termination.LINE,
        plies=len(game.moves),
        ended_at=ended_at,
    )


UNBEATEN, MANY_GAMES, MANY_PUZZLES = "unbeaten", "games", "puzzles"
GOALS: Final[Mapping[str, int]] = {**dict.fromkeys(Level, 1), UNBEATEN: 10, MANY_GAMES: 100, MANY_PUZZLES: 7}
"""By milestone, the count that reaches it: wins against a level, games in a row without a loss, games in all, and
puzzles in a row."""


def milestones_after(counts: Mapping[str, int], result: Result, *, with_hints: bool = False) -> dict[str, int]:
    """The counts that a game changes; one that has reached its goal stays there. Hints beat no level."""
    new = {MANY_GAMES: counts.get(MANY_GAMES, 0) + 1}
    if result.outcome is Ending.LOSS:
        new[UNBEATEN] = 0
    elif not with_hints:
        new[UNBEATEN] = counts.get(UNBEATEN, 0) + 1
    if result.outcome is Ending.WIN and result.level is not None and result.level in GOALS and not with_hints:
        new[result.level] = 1
    return {name: count for name, count in new.items() if counts.get(name, 0) < GOALS[name]}


PAGE: Final = 10

OPPONENTS: Final = 5
"""Against how many different people one must have played rated games to be in everybody's list."""

PEOPLE_AGAINST: Final = ""


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
        return self.wins + self.draws + self.losses


class Streak(NamedTuple):
    """Games won in a row."""

    streak: int
    """The present number; below 0, games lost in a row."""
    longest: int

    def after(self, outcome: Ending) -> Streak:
        if outcome is Ending.DRAW:
            return self._replace(streak=0)
        step = 1 if outcome is Ending.WIN else -1
        now = self.streak + step if self.streak * step > 0 else step
        return Streak(now, max(self.longest, now))


class Listed(NamedTuple):
    """A person in a leaderboard."""

    person: int
    name: str
    figure: int
    """Their rating or wins, by which the list is ordered."""
    is_settled: bool
    place: int = 0
    """The same for equal wins."""


class Rank(NamedTuple):
    """A person's place in a leaderboard."""

    place: int
    figure: int
    is_settled: bool


class Standing(NamedTuple):
    """A person's rating as it is shown."""

    rating: int
    is_settled: bool

    @property
    def figure(self) -> str:
        return f"{self.rating}{'' if self.is_settled else PROVISIONAL}"


class Rivalry(NamedTuple):
    """The results of two people against each other."""

    games: Sequence[tuple[str, Ending]]
    """Family of rules and ending for the first of them, oldest game first."""

    def ended(self, ending: Ending, family: str) -> int:
        """How many games in a family, or in all, ended so for the first of them."""
        return sum(each == ending and family in (OVERALL, its_family) for its_family, each in self.games)

    def score(self, family: str = OVERALL) -> tuple[int, int]:
        """How many games in a family, or in all, the first of them has won, and the second."""
        return self.ended(Ending.WIN, family), self.ended(Ending.LOSS, family)

    @property
    def families(self) -> Sequence[str]:
        """The families of rules that they have played, if these are several."""
        played = {family for family, _ in self.games}
        return [family for family in FAMILIES if family in played] if len(played) > 1 else []

    @property
    def streak(self) -> int:
        """How many games the winner of the last one has won in a row; below 0 if that is the second of them."""
        last = self.games[-1][1] if self.games else Ending.DRAW
        won = [ending for _, ending in takewhile(lambda game: game[1] is last, reversed(self.games))]
        return {Ending.WIN: len(won), Ending.LOSS: -len(won)}.get(last, 0)


class Summary(NamedTuple):
    """A person's statistics in a chat, or everywhere."""

    tallies: Sequence[Tally]
    streak: Streak | None
    standings: Mapping[str, Standing]
    """Their ratings by family of rules, and for all together (empty)."""
    milestones: Collection[str] = ()
    rivalry: Rivalry | None = None
    """Between whoever asks and them, if both are people who may know of it and have played each other."""
