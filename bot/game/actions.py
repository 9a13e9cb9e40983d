"""What an action is: a class beside its functions that says who may do it, in which states, and what it does.

All else is read from there: the gate (`bot.game.gate`), callback data (`bot.boards.buttons`),
and the tests' tables. A button that does something new is such a class, its label where it is shown, and texts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Final, NamedTuple, TypeAlias, dataclass_transform

from bot.game.attempt import Attempt, Refusal, State
from storage.games.game import Game, Offer


class Begun(NamedTuple):
    """The end of one game and the beginning of the next."""

    game: Game
    following: Game


class Who(Enum):
    """Who may do something where the game is shown."""

    NOBODY = "nobody"
    """Nobody: it belongs to the clock or the computer."""
    PLAYERS = "players"
    """Players, also on a board that the game has left, such as one in a group that became a supergroup."""
    EVERYBODY = "everybody"
    """Everybody who sees it; the action itself decides who it is meant for."""
    REVIEWERS_TOO = "reviewers too"
    """Players, the host of an exhibition, and somebody with a review of their own, in their own chat."""


class Needs(Enum):
    """The facts that a decision needs besides the game (`bot.context.acting` looks them up)."""

    OPPONENT = "opponent"
    """What the opponent, or the challenger, has chosen."""
    LEVEL = "level"
    """How the computer plays."""
    BOARD = "board"
    """The same on another board, or how long people wait for an opponent there."""
    WAIT = "wait"
    """How long people wait for an opponent on any board."""
    ADMIN = "admin"
    """Whether it is an administrator of the group."""


Refusals: TypeAlias = Mapping[State, Refusal]
"""The states in which something can't be done, and why; in all others the action itself decides."""


def _but(*states: State, refusal: Refusal) -> Refusals:
    return {state: refusal for state in State if state not in states}


_OVER: Final = (State.OVER, State.REMATCH_ASKED, State.FOLLOWED, State.CLOSED)

ENDED: Final[Refusals] = dict.fromkeys(_OVER, Refusal.OVER)
IN_PLAY: Final[Refusals] = {State.WATCHED: Refusal.WATCHED, **ENDED}
RUNNING: Final[Refusals] = {State.OPEN: Refusal.NOBODY_YET, State.WAITING: Refusal.NOBODY_YET, **IN_PLAY}
AWAITED: Final[Refusals] = {
    **_but(State.RUNNING, refusal=Refusal.ASKED),
    **RUNNING,
    State.THINKING: Refusal.THINKING,
}
BEFORE_MOVES: Final[Refusals] = {
    **dict.fromkeys((State.OPEN, State.WAITING, State.WATCHED), Refusal.BEGUN),
    **ENDED,
}
"""Whether anybody has moved is the action's to decide (`bot.game.play.must_be_fresh`)."""
OPEN: Final[Refusals] = _but(State.OPEN, refusal=Refusal.NOT_OPEN)
UNTAKEN: Final[Refusals] = _but(State.OPEN, State.WAITING, refusal=Refusal.NOT_OPEN)
WAITING: Final[Refusals] = _but(State.WAITING, refusal=Refusal.NOT_WAITING)
TERMS: Final[Refusals] = {**_but(State.OPEN, refusal=Refusal.BEGUN), **ENDED}
ASKED: Final[Refusals] = _but(State.AGREEMENT_ASKED, State.REMATCH_ASKED, refusal=Refusal.NOT_ASKED)
ABOUT_TO_RESIGN: Final[Refusals] = {**_but(State.RESIGNATION_ASKED, refusal=Refusal.NOT_ASKED), **ENDED}
PLAYED_OUT: Final[Refusals] = {
    **_but(State.OVER, State.REMATCH_ASKED, refusal=Refusal.STALE),
    State.FOLLOWED: Refusal.FOLLOWED,
}
WATCHED: Final[Refusals] = {**_but(State.WATCHED, refusal=Refusal.STALE), **ENDED}
REVIEWED: Final[Refusals] = _but(State.OVER, State.REMATCH_ASKED, State.FOLLOWED, refusal=Refusal.NOT_FINISHED)


class Rule(NamedTuple):
    """What holds for all actions of a class."""

    who: Who
    refused: Refusals
    word: str
    """Its word in callback data, a letter for the most frequent; empty for what no button does."""
    typed: tuple[str, ...]
    """The commands that do the same where its button is, without their slashes; the first is told to people."""
    needs: Needs | None
    asks: Offer | None
    """What it asks the opponent, or withdraws: either edits their board, so it counts as asking too often."""
    as_chat: bool
    """Whether anonymous administrators may do it for their chat."""


@dataclass_transform(frozen_default=True)
class Action:
    """What can be done to a game, or with it. Each is a value, whose fields its button carries.

    A class says what is in its `Rule`: its `word` in callback data, `who` may do it, in which states it is
    `refused`, what is `typed`, and so on.
    """

    rule: ClassVar[Rule]

    def __init_subclass__(
        cls,
        *,
        word: str = "",
        who: Who = Who.NOBODY,
        refused: Refusals | None = None,
        typed: str = "",
        needs: Needs | None = None,
        asks: Offer | None = None,
        as_chat: bool = False,
    ) -> None:
        super().__init_subclass__()
        dataclass(frozen=True)(cls)
        if refused is not None:  # unlike what several actions have in common
            cls.rule = Rule(who, refused, word, tuple(typed.split()), needs, asks, as_chat)
            ACTION_KINDS.append(cls)

    @property
    def for_ply(self) -> int | None:
        """The ply of the board that it is meant for, if it would do something else on another: its field `ply`."""
        return getattr(self, "ply", None)

    def apply(self, game: Game, attempt: Attempt) -> Game | Begun:
        """The game after it, the very same if nothing changes; raises `NotAllowed` if it is refused."""
        raise NotImplementedError

    def cost(self, game: Game) -> str | None:  # noqa: ARG002 - for those that cost something
        """What it has cost the person that the game became this one, to be translated."""
        return None


class Permission(Action):
    """What leaves the game as it is, and is done with it elsewhere."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        self.check(game, attempt)
        return game

    def check(self, game: Game, attempt: Attempt) -> None:
        """Raise `NotAllowed` if that may not be done now."""


ACTION_KINDS: Final[list[type[Action]]] = []
"""The classes of actions, as their modules are loaded; `bot.game.gate` loads all."""
