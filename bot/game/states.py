"""The states of a game, each derived from its record."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from engine import Level, Mark
from storage.games.game import COMPUTER, Game, Offer, Termination


class State(Enum):
    """The state of a game."""

    OPEN = "open"
    """A challenge that nobody has taken yet."""
    RUNNING = "running"
    THINKING = "thinking"
    """The computer is to move, and needs a search."""
    WATCHED = "watched"
    """A running exhibition."""
    TAKEBACK_ASKED = "takeback asked"
    RESIGNATION_ASKED = "resignation asked"
    """Somebody was asked to confirm their resignation."""
    OVER = "over"
    REMATCH_ASKED = "rematch asked"
    FOLLOWED = "followed"
    """Over, and the next game has begun."""
    CLOSED = "closed"
    """A challenge that came to nothing, or a game of two strangers that did."""


class Thought(NamedTuple):
    """Everything the computer's move depends on. A found move counts only if this is unchanged."""

    rules: str
    moves: str
    level: str
    """The name of a level or a strategy."""


class Question(NamedTuple):
    """A question that waits for an answer, and who asked it."""

    offer: Offer
    by: Mark


def question_of(game: Game) -> Question | None:
    """The question that waits for an answer in a game."""
    return None if game.offer is None or game.offered_by is None else Question(game.offer, game.offered_by)


def asking(game: Game, question: Question) -> Game:
    """The game with a question that waits for an answer."""
    return game._replace(offer=question.offer, offered_by=question.by, declined=None, declined_by=None)


def declined_in(game: Game) -> Question | None:
    """What the opponent has just declined, to be shown to the person who asked."""
    if game.declined is None or game.declined_by is None:
        return None
    return Question(game.declined, game.declined_by.other)


def thought_of(game: Game) -> Thought | None:
    """What the computer has to think about in a person's game; None if it isn't to move."""
    if game.is_over or game.is_challenge or game.is_exhibition or game.seat(game.turn) != COMPUTER:
        return None
    return position_of(game)


def position_of(game: Game) -> Thought:
    """What the computer's next move depends on."""
    return Thought(game.rules, game.moves, game.level_of(game.turn) or Level.MEDIUM)


def state_of(game: Game) -> State:
    """The state of a game."""
    if game.is_over:
        if game.is_challenge or (game.is_between_strangers and game.termination is Termination.EXPIRED):
            return State.CLOSED
        if game.next_game is not None:
            return State.FOLLOWED
        return State.OVER if question_of(game) is None else State.REMATCH_ASKED
    if game.is_challenge:
        return State.OPEN
    question = question_of(game)
    if question is None:
        if game.is_exhibition:
            return State.WATCHED
        return State.THINKING if game.seat(game.turn) == COMPUTER else State.RUNNING
    return State.TAKEBACK_ASKED if question.offer is Offer.TAKEBACK else State.RESIGNATION_ASKED
