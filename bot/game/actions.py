"""Actions: what can be done to a game, or with it, each a value; and somebody's attempt at one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from bot.game.states import Thought
    from engine import Level
    from storage.games.game import Game


@dataclass(frozen=True, slots=True)
class Accept:
    """Takes up a challenge."""

    seen_rules: str = ""
    """The rules that it was seen with; empty where nothing that was seen matters."""
    clock: int = 0
    """The clock that it was seen with, and the number of games: what buttons of earlier releases do not say."""
    best_of: int = 1


@dataclass(frozen=True, slots=True)
class Decline:
    """Refuses a challenge that names oneself."""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Withdraws a challenge."""


@dataclass(frozen=True, slots=True)
class LetComputerPlay:
    """Gives the empty seat of a challenge to the computer."""


@dataclass(frozen=True, slots=True)
class Move:
    """Plays a cell. Like all actions with a ply, it means the board as it was then."""

    ply: int
    cell: int


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Takes one's last move back, or asks for that."""

    ply: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Asks for a second thought about resigning."""

    ply: int


@dataclass(frozen=True, slots=True)
class ConfirmResign:
    """Resigns after the second thought."""


@dataclass(frozen=True, slots=True)
class PlayOn:
    """Decides against resigning."""


@dataclass(frozen=True, slots=True)
class Agree:
    """Agrees to a takeback or a rematch."""

    ply: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """Turns down what the other player asks for, or withdraws one's own question."""

    ply: int


@dataclass(frozen=True, slots=True)
class Rematch:
    """Begins the next game of a series, with the sides changed; else asks for another game."""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """Plays the computer again; between two people it asks for a rematch."""


@dataclass(frozen=True, slots=True)
class SwapSides:
    """Plays again with the sides changed."""


@dataclass(frozen=True, slots=True)
class SetLevel:
    """Chooses the level of a fresh game."""

    level: Level


@dataclass(frozen=True, slots=True)
class SetFirst:
    """Chooses who moves first in a fresh game."""

    is_person: bool


@dataclass(frozen=True, slots=True)
class SetClock:
    """Chooses how many seconds a move may take in an open challenge; 0 is the host's limits."""

    clock: int


@dataclass(frozen=True, slots=True)
class SetSeries:
    """Chooses of how many games the series is that an open challenge begins; 1 is none."""

    best_of: int


@dataclass(frozen=True, slots=True)
class SetRules:
    """Chooses what is played in a fresh game, or in an open challenge."""

    rules: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Ends a game that the computer plays against itself."""


@dataclass(frozen=True, slots=True)
class GoFaster:
    """Lets the moves of such a game follow each other faster."""


@dataclass(frozen=True, slots=True)
class WatchAgain:
    """Lets the computer play itself once more."""


@dataclass(frozen=True, slots=True)
class PlayWinner:
    """Begins a game against the side that has won."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Makes the computer's move where that is a change of its own."""

    cell: int
    thought: Thought
    """What the cell answers: it is good for nothing else."""


@dataclass(frozen=True, slots=True)
class Remind:
    """Reminds the person whose move is due."""


@dataclass(frozen=True, slots=True)
class Expire:
    """Ends what nobody took up or went on with."""


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
    """Looks for a better move than one's own that led to a ply and gave something away."""

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
    """Looks back no more."""


@dataclass(frozen=True, slots=True)
class Share:
    """Has a finished game sent as an animation, or its end as a picture."""

    as_picture: bool = False


@dataclass(frozen=True, slots=True)
class Bring:
    """Brings the board down to the newest message of its chat."""


OfExhibition: TypeAlias = Stop | GoFaster | WatchAgain | PlayWinner
"""What is done to a game that the computer plays against itself."""

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
"""What changes a game: `bot.game.machine` has its table."""

Turn: TypeAlias = ShowAll | ShowRegion | ShowRules | ShowMoreRules
"""What a board shows of a game that goes on."""

InReview: TypeAlias = LookBack | TryAgain | TryCell | ShowBest | LeaveReview
"""What a review is made of."""

Permission: TypeAlias = Turn | Hint | InReview | Share | Bring
"""What leaves the game as it is: `bot.game.gate` says who may do it, and when."""

Action: TypeAlias = Transition | Permission
"""All that can be done."""


class Begun(NamedTuple):
    """The end of a game in which another one begins."""

    game: Game
    following: Game
