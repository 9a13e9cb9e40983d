"""Acts: what may be done to a game, and the wish of somebody to do it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from bot.game.gate import Where
    from bot.game.refusals import Refusal
    from bot.game.states import Thought
    from bot.game.time_limits import TimeLimits
    from storage.game import Game


class Act(StrEnum):
    """What may be done to a game; those that a button names carry the value that it sends."""

    ACCEPT = "accept"
    DECLINE = "decline"
    CANCEL = "cancel"
    COMPUTER = "computer"
    """Let the computer take the empty seat."""
    MOVE = "move"
    TAKEBACK = "undo"
    RESIGN = "resign"
    """Asks for a second thought."""
    CONFIRM = "giveup"
    """Resigns after the second thought."""
    PLAY_ON = "goon"
    AGREE = "yes"
    REFUSE = "no"
    """Turns the other's wish down, or withdraws one's own."""
    REMATCH = "rematch"
    AGAIN = "again"
    SWAP = "swap"
    """Plays again with the sides changed."""
    SET_LEVEL = "level"
    SET_FIRST = "first"
    SET_RULES = "rules"
    """Chooses another board, like the two before it in a fresh game, and in an open challenge."""
    TURN = "turn"
    """Turns a board to another page of itself; the game stays as it is."""
    HINT = "hint"
    REVIEW = "review"
    """Looks back on a finished game, at a ply; like the next four, it changes nothing of the game itself."""
    TRY_AGAIN = "try"
    """Looks for a better move than one's own that gave something away."""
    TRY_CELL = "cell"
    """Says which cell that is."""
    SHOW = "show"
    """Is shown it."""
    LEAVE = "leave"
    """Looks back no more."""
    SHARE = "share"
    """Has a finished game sent as an animation; like the next, it changes nothing of the game."""
    STILL = "still"
    """Has its end sent as a picture."""
    BRING = "bring"
    """Brings the board down to the newest message of its chat."""
    STOP = "stop"
    """Ends a game that the computer plays against itself."""
    FASTER = "faster"
    TAKE_X = "takex"
    """Takes X's seat in a game that the computer plays against itself, and plays on there."""
    TAKE_O = "takeo"
    WATCH = "watch"
    """Lets the computer play itself once more."""
    WINNER = "winner"
    """Plays the side that has won."""
    ANSWER = "answer"
    """Makes the computer's move where that is an act of its own; done by the clock, like the next."""
    REMIND = "remind"
    EXPIRE = "expire"


class Player(NamedTuple):
    """A person who does something: their Telegram id, and how they are called."""

    id: int
    name: str
    username: str | None = None
    language: str | None = None
    """An IETF tag as Telegram sends it."""


@dataclass(frozen=True, slots=True)
class Wish:
    """That somebody wants an act done, with all that deciding about it takes."""

    act: Act
    who: Player
    where: Where
    now: int
    """Seconds since 1970."""
    rng: Random
    limits: TimeLimits
    ply: int | None = None
    """The ply at which the board stood that the person saw; None where it does not matter."""
    cell: int = 0
    """The cell to play, the computer's in an answer."""
    value: str = ""
    """The level, who moves first, or the rules to set, or to accept a challenge by; the page to turn to."""
    update_id: int | None = None
    is_admin: bool = False
    """Whether the person is an administrator of the chat."""
    below: int | None = None
    """The message of the command that says so; a board that is out of sight from there comes down to it."""
    takebacks_allowed: bool = True
    """Whether the other player may be asked for a takeback."""
    thought: Thought | None = None
    """What the cell answers, where it is the computer's."""


class Begun(NamedTuple):
    """The end of a game in which another one begins."""

    game: Game
    following: Game


Step: TypeAlias = "Callable[[Game, Wish], Game | Begun | Refusal]"
"""What an act does in a state: gives the game that it becomes, the same one if nothing changes, or why not."""
