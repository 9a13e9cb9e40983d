"""Actions: what can be done to a game, or with it. Each is a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from bot.game.attempt import Thought
from engine import CLASSIC
from storage.games.game import Game


@dataclass(frozen=True, slots=True)
class Accept:
    """Takes up a challenge."""

    seen_rules: str = CLASSIC.text
    """The rules that the person has seen."""
    clock: int = 0
    """The clock that they have seen, and the number of games."""
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class Decline:
    """Declines a challenge to oneself."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraws a challenge."""


@dataclass(frozen=True, slots=True)
class LetComputerPlay:
    """Gives the empty seat of a challenge to the computer."""


@dataclass(frozen=True, slots=True)
class Move:
    """Plays a cell. An action with a ply is meant for the board as it was at that ply."""

    ply: int
    cell: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Takes one's last move back, or asks for that."""

    ply: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Offers to resign; it has to be confirmed."""

    ply: int


@dataclass(frozen=True, slots=True)
class ConfirmResign:
    """Confirms a resignation."""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Decides against resigning."""


@dataclass(frozen=True, slots=True)
class Agree:
    """Agrees to a takeback or a rematch."""

    ply: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """Declines what the opponent asks for, or withdraws one's own question."""

    ply: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Asks for a rematch, or for the next game of a series; begins it if the opponent has asked."""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Starts another game against the computer; between two people, asks for a rematch."""


@dataclass(frozen=True, slots=True)
class SwapSides:
    """Plays again with sides swapped."""


@dataclass(frozen=True, slots=True)
class SetLevel:
    """Chooses the difficulty of a fresh game: a level, or adaptive."""

    level: str


@dataclass(frozen=True, slots=True)
class SetFirst:
    """Chooses who moves first in a fresh game."""

    is_person: bool


@dataclass(frozen=True, slots=True)
class SetClock:
    """Chooses the seconds per move of an open challenge; 0 for the host's limits."""

    clock: int


@dataclass(frozen=True, slots=True)
class SetSeries:
    """Chooses the length of the series that an open challenge begins, in games; 1 for no series."""

    best_of: int


@dataclass(frozen=True, slots=True)
class SetRules:
    """Chooses what is played in a fresh game, or in an open challenge."""

    rules: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends an exhibition."""


@dataclass(frozen=True, slots=True)
class GoFaster:
    """Speeds an exhibition up."""


@dataclass(frozen=True, slots=True)
class WatchAgain:
    """Starts an exhibition once more."""


@dataclass(frozen=True, slots=True)
class PlayWinner:
    """Starts a game against the side that won."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Makes the computer's move, where it isn't part of the person's own step."""

    cell: int
    thought: Thought
    """What the search was about; the cell counts for nothing else."""


@dataclass(frozen=True, slots=True)
class Remind:
    """Reminds the person to move."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Ends a challenge or a game whose time is up."""


@dataclass(frozen=True, slots=True)
class ShowAll:
    """Shows the whole game on its board."""

    ply: int


@dataclass(frozen=True, slots=True)
class ShowRegion:
    """Shows a region of a big board, to play a cell in it."""

    ply: int
    region: int


@dataclass(frozen=True, slots=True)
class ShowRules:
    """Shows the boards that most people choose from."""

    ply: int


@dataclass(frozen=True, slots=True)
class ShowMoreRules:
    """Shows the other boards."""

    ply: int


@dataclass(frozen=True, slots=True)
class Hint:
    """Asks for a good cell."""


@dataclass(frozen=True, slots=True)
class LookBack:
    """Looks back on a finished game, at a ply."""

    ply: int


@dataclass(frozen=True, slots=True)
class TryAgain:
    """Looks for a better move than the mistake that led to a ply."""

    ply: int


@dataclass(frozen=True, slots=True)
class TryCell:
    """Says which cell that is."""

    ply: int
    cell: int


@dataclass(frozen=True, slots=True)
class ShowBest:
    """Is shown it."""

    ply: int


@dataclass(frozen=True, slots=True)
class LeaveReview:
    """Leaves the review."""


@dataclass(frozen=True, slots=True)
class Share:
    """Has a finished game sent as an animation, or its end as a picture."""

    as_picture: bool = False


@dataclass(frozen=True, slots=True)
class Bring:
    """Brings the board down to the newest message of its chat."""


OfExhibition: TypeAlias = Stop | GoFaster | WatchAgain | PlayWinner
"""What can be done to an exhibition."""

Transition: TypeAlias = (
    Move
    | Accept
    | Decline
    | Cancel
    | LetComputerPlay
    | TakeBack
    | Resign
    | ConfirmResign
    | PlayOn
    | Agree
    | Refuse
    | Rematch
    | PlayAgain
    | SwapSides
    | SetLevel
    | SetFirst
    | SetClock
    | SetSeries
    | SetRules
    | OfExhibition
    | Answer
    | Remind
    | Expire
)
"""What changes a game; `bot.game.machine` has the table."""

Turn: TypeAlias = ShowAll | ShowRegion | ShowRules | ShowMoreRules
"""What turns a board to another page of a running game."""

InReview: TypeAlias = LookBack | TryAgain | TryCell | ShowBest | LeaveReview
"""The steps of a review."""

Permission: TypeAlias = Turn | Hint | InReview | Share | Bring
"""What leaves the game as it is; `bot.game.machine` says who may do it, and when."""

Action: TypeAlias = Transition | Permission
"""All that can be done."""


class Begun(NamedTuple):
    """The end of one game and the beginning of the next."""

    game: Game
    following: Game
