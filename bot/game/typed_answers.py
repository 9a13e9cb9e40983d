"""Finds the action that a short answer such as yes or no means."""

from __future__ import annotations

from enum import Enum
from typing import assert_never

from bot.game.actions import Action
from bot.game.attempt import Player, State, is_asked_to_resign, question_of, state_of
from bot.game.new_game import Cancel, Decline, is_for, seen_with
from bot.game.questions import Agree, ConfirmResign, PlayAgain, PlayOn, Refuse, SwapSides
from storage.games.game import RESIGNING, Game


class TypedAnswer(Enum):
    """A short answer."""

    YES = "yes"
    NO = "no"
    CANCEL = "cancel"
    """Withdraws one's own question or challenge."""
    AGAIN = "again"
    """Asks for another game; between two people, a rematch."""
    SWAP = "swap"


def meant_in(game: Game, answer: TypedAnswer, player: Player) -> Action | None:
    """The action that an answer means in a game; None if there is nothing to answer."""
    plays = game.mark_of(player.id) is not None
    match state_of(game):
        case State.OPEN:
            return _to_challenge(game, answer, player)
        case State.RESIGNATION_ASKED | State.TAKEBACK_ASKED if plays:
            return _to_question(game, answer, player)
        case State.OVER | State.REMATCH_ASKED if plays:
            if answer is TypedAnswer.AGAIN:
                return PlayAgain()
            if answer is TypedAnswer.SWAP:
                return SwapSides()
            return _to_question(game, answer, player)
    return None


def _to_challenge(game: Game, answer: TypedAnswer, player: Player) -> Action | None:
    own = game.mark_of(player.id) is not None
    match answer:
        case TypedAnswer.YES:
            return seen_with(game) if not own and is_for(game, player) else None
        case TypedAnswer.NO:
            if own:
                return Cancel()
            return Decline() if game.names_rival and is_for(game, player) else None
        case TypedAnswer.CANCEL:
            return Cancel() if own else None
        case TypedAnswer.AGAIN | TypedAnswer.SWAP:
            return None
        case unknown:
            assert_never(unknown)


def _to_question(game: Game, answer: TypedAnswer, player: Player) -> Action | None:
    question = question_of(game)
    if question is None:
        return None
    mark = game.mark_of(player.id)
    own = question.by is mark
    second_thought = question.offer in RESIGNING
    if second_thought and not (mark and is_asked_to_resign(game, mark)):
        return None
    match answer:
        case TypedAnswer.YES:
            if second_thought:
                return ConfirmResign()
            return None if own else Agree(game.ply)
        case TypedAnswer.NO:
            return PlayOn() if second_thought else Refuse(game.ply)
        case TypedAnswer.CANCEL if own or second_thought:
            return PlayOn() if second_thought else Refuse(game.ply)
    return None
