"""The states of a game, each read off its record."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from engine import Level, Mark
from storage.game import COMPUTER, Offer

if TYPE_CHECKING:
    from storage.game import Game


class State(Enum):
    """Where a game stands."""

    OPEN = "open"
    """A challenge that waits for somebody to take it."""
    RUNNING = "running"
    THINKING = "thinking"
    """The computer is to move, and searches."""
    WATCHED = "watched"
    """The computer plays itself."""
    TAKEBACK_ASKED = "takeback asked"
    RESIGNATION_ASKED = "resignation asked"
    """Somebody thinks twice about resigning."""
    OVER = "over"
    REMATCH_ASKED = "rematch asked"
    FOLLOWED = "followed"
    """Over, and another game has begun after it."""
    CLOSED = "closed"
    """A challenge that came to nothing."""


class Thought(NamedTuple):
    """All that the computer's move depends on: an answer to it is good for nothing else."""

    rules: str
    moves: str
    level: str
    """The name of a level or a strategy."""


class Question(NamedTuple):
    """What waits for an answer, and whose wish it is."""

    offer: Offer
    by: Mark

    def __str__(self) -> str:
        """As a game's record holds it."""
        return f"{self.offer}:{self.by}"


DECLINED: Final = "declined "
"""Before a question in a game's record: it was turned down, and nothing has happened since."""


FREE: Final = "free "
"""Before a mark in a game's record: whoever wants may take its seat from the computer."""


def question_of(game: Game) -> Question | None:
    """What waits for an answer in a game."""
    if game.offer is None or game.offer.startswith((DECLINED, FREE)):
        return None
    return _read(game.offer)


def declined_in(game: Game) -> Question | None:
    """What the other player has just turned down in a game, to be told to who asked."""
    if game.offer is None or not game.offer.startswith(DECLINED):
        return None
    return _read(game.offer.removeprefix(DECLINED))


def free_seat(game: Game) -> Mark | None:
    """The mark whose seat whoever wants may take from the computer in a game of a person, if any."""
    if game.offer is None or not game.offer.startswith(FREE):
        return None
    return Mark(game.offer.removeprefix(FREE))


def _read(text: str) -> Question:
    offer, _, mark = text.partition(":")
    return Question(Offer(offer), Mark(mark))


def thought_of(game: Game) -> Thought | None:
    """What the computer has to think about in a game of a person; None where it is not to move."""
    if game.is_over or game.is_challenge or game.host is not None or game.seat(game.turn) != COMPUTER:
        return None
    return Thought(game.rules, game.moves, game.level_of(game.turn) or Level.MEDIUM)


def state_of(game: Game) -> State:
    """Where a game stands."""
    if game.is_over:
        if game.is_challenge:
            return State.CLOSED
        if game.next_game is not None:
            return State.FOLLOWED
        return State.OVER if question_of(game) is None else State.REMATCH_ASKED
    if game.is_challenge:
        return State.OPEN
    question = question_of(game)
    if question is None:
        if game.host is not None:
            return State.WATCHED
        return State.THINKING if game.seat(game.turn) == COMPUTER else State.RUNNING
    return State.TAKEBACK_ASKED if question.offer is Offer.TAKEBACK else State.RESIGNATION_ASKED
