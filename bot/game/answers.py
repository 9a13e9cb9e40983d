"""What a person means who says yes, no, or something as short: in which game, and which act that is."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, assert_never

from bot.game.acts import Act
from bot.game.challenges import is_for
from bot.game.states import State, question_of, state_of
from storage.game import Offer

if TYPE_CHECKING:
    from bot.game.acts import Player
    from storage.game import Game


class Answer(Enum):
    """What somebody says."""

    YES = "yes"
    NO = "no"
    CANCEL = "cancel"
    """Withdraws what one has asked oneself."""
    AGAIN = "again"
    """Wants another game: between two people a rematch."""
    SWAP = "swap"


def meant_in(game: Game, answer: Answer, player: Player) -> Act | None:
    """The act that an answer means in a game; None where there is nothing that it could answer."""
    plays = game.mark_of(player.id) is not None
    match state_of(game):
        case State.OPEN:
            return _to_challenge(game, answer, player)
        case State.RESIGNATION_ASKED | State.TAKEBACK_ASKED if plays:
            return _to_question(game, answer, player)
        case State.OVER | State.REMATCH_ASKED if plays:
            if answer is Answer.AGAIN:
                return Act.AGAIN
            if answer is Answer.SWAP:
                return Act.SWAP
            return _to_question(game, answer, player)
    return None


def _to_challenge(game: Game, answer: Answer, player: Player) -> Act | None:
    own = game.mark_of(player.id) is not None
    match answer:
        case Answer.YES:
            return Act.ACCEPT if not own and is_for(game, player) else None
        case Answer.NO:
            if own:
                return Act.CANCEL
            return Act.DECLINE if game.rival_name is not None and is_for(game, player) else None
        case Answer.CANCEL:
            return Act.CANCEL if own else None
        case Answer.AGAIN | Answer.SWAP:
            return None
        case unknown:
            assert_never(unknown)


def _to_question(game: Game, answer: Answer, player: Player) -> Act | None:
    question = question_of(game)
    if question is None:
        return None
    own = question.by is game.mark_of(player.id)
    second_thought = question.offer is Offer.RESIGN
    if second_thought and not own:
        return None
    match answer:
        case Answer.YES:
            if second_thought:
                return Act.CONFIRM
            return None if own else Act.AGREE
        case Answer.NO:
            return Act.PLAY_ON if second_thought else Act.REFUSE
        case Answer.CANCEL if own:
            return Act.PLAY_ON if second_thought else Act.REFUSE
    return None
